//! The hidden `redraft git-hook NAME` that git's hooks call.

use super::context::Context;
use super::output;
use crate::error::Error;
use crate::usecase::commit_message::MessageSource;
use crate::usecase::git_hooks;
use clap::Args;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

/// Called by git's hooks
#[derive(Debug, Args)]
pub(crate) struct GitHookArgs {
    /// The name of git's hook
    name: String,
    /// What git gave it
    args: Vec<String>,
}

impl GitHookArgs {
    /// Whether somebody who commits is to be told what cannot be read; once for each commit is enough.
    pub(super) fn may_warn(&self) -> bool {
        !self.name.starts_with("post-")
    }

    pub(super) fn run(self, context: &Context) -> ExitCode {
        let env = &context.env;
        let done = match self.name.as_str() {
            "pre-commit" => git_hooks::pre_commit(env),
            "prepare-commit-msg" => match self.args.first() {
                Some(file) => {
                    let source = MessageSource::of(self.args.get(1).map(String::as_str));
                    git_hooks::prepare_commit_msg(env, &PathBuf::from(file), source)
                }
                None => Err(git_hooks::bad_call("prepare-commit-msg needs the file of the message")),
            },
            "commit-msg" => match self.args.first() {
                Some(file) => git_hooks::commit_msg(env, &PathBuf::from(file)),
                None => Err(git_hooks::bad_call("commit-msg needs the file of the message")),
            },
            "post-commit" => git_hooks::post_commit(env),
            "post-rewrite" => pairs().and_then(|pairs| git_hooks::post_rewrite(env, &pairs)),
            _ => return output::usage(&anyhow::anyhow!("there is no hook {:?}", self.name)),
        };
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::error(&error, output::Form::Text),
        }
    }
}

fn pairs() -> Result<String, Error> {
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(Error::io("read", "standard input"))?;
    Ok(text)
}
