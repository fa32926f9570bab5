//! `redraft commit`.

use super::context::Context;
use super::output::{self, Form};
use super::records::short;
use super::selection::SelectionArgs;
use super::{paths, when};
use crate::change::ChangeKind;
use crate::env::Env;
use crate::error::Error;
use crate::git_record::GitOptions;
use crate::history::{Misfits, Select, UndoConflict};
use crate::path::RepoPath;
use crate::text::quoted_path;
use crate::usecase::commit::{CommitOfRecords, CommitRequest, commit};
use crate::usecase::{Noted, written};
use crate::workspace::Workspace;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Make a git commit of what records did and is still there, and of nothing else
///
/// Only their lines, also where the same files have lines of others, staged or not: those stay as they are. What was changed
/// or undone since is not in it. Hooks run, and commits are signed, as with `git commit`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft commit --session s1 -m 'Parse dates'
  redraft commit --session s1 --turn t3 --dry-run
  redraft commit kzlm nopq
  redraft commit --since @-2 -- src")]
pub(crate) struct CommitArgs {
    /// Records: ids, the unique beginning of one, @ (the newest), @-, @-N
    #[arg(value_name = "ID", conflicts_with = "selection", required_unless_present = "selection")]
    ids: Vec<String>,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Only in these files or directories
    #[arg(value_name = "PATH", last = true)]
    paths: Vec<PathBuf>,
    /// The message of the commit [default: which files]
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Only say what would be committed; write nothing at all
    #[arg(long)]
    dry_run: bool,
    /// Leave files out in which their lines cannot be told from those of others, or that do not fit HEAD, instead of refusing
    #[arg(long)]
    skip_conflicts: bool,
    /// Do not run the hooks that may refuse a commit (pre-commit, commit-msg)
    #[arg(long)]
    no_verify: bool,
    /// Another author than you, as `git commit --author` takes it
    #[arg(long, value_name = "AUTHOR")]
    author: Option<String>,
    /// How long to wait for another redraft, in seconds; 0 is not at all
    #[arg(long, value_name = "SECONDS", value_parser = when::seconds)]
    lock_timeout: Option<Duration>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl CommitArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let form = Form::from(self.json);
        let done = self.request(context).and_then(|request| Ok((commit(&context.env, &request)?, request.paths)));
        match done {
            Ok((Noted { done, notes }, paths)) => {
                output::warn(&output::sentences(&notes));
                output::warn(&without_edits(&done, &paths, &context.env));
                output::print(told(&done, form).as_bytes());
                ExitCode::SUCCESS
            }
            Err(error) => output::error(&error, form),
        }
    }

    fn request(self, context: &Context) -> Result<CommitRequest, Error> {
        let selection = self.selection.selection(&context.env);
        let select = if self.ids.is_empty() { Select::Matching(selection) } else { Select::Named(self.ids) };
        Ok(CommitRequest {
            select,
            paths: paths::parse(&self.paths, &context.env)?,
            misfits: if self.skip_conflicts { Misfits::Skipped } else { Misfits::Refused },
            dry_run: self.dry_run,
            message: self.message,
            git: GitOptions { no_verify: self.no_verify, author: self.author, ..GitOptions::default() },
            lock_timeout: self.lock_timeout,
        })
    }
}

/// Which of the paths have nothing in the commit.
fn without_edits(done: &CommitOfRecords, paths: &[RepoPath], env: &Env) -> Vec<String> {
    let has = |path: &&RepoPath| done.files.iter().any(|(file, _)| file == *path || file.is_below(path));
    let without: Vec<_> = paths.iter().filter(|path| !has(path)).collect();
    let Some(workspace) = (!without.is_empty()).then(|| Workspace::discover(env).ok()).flatten() else {
        return Vec::new();
    };
    let told = |path| format!("no edit of {} is among those that are committed", written(path, workspace.repo()));
    without.into_iter().map(told).collect()
}

fn told(done: &CommitOfRecords, form: Form) -> String {
    let CommitOfRecords { commit, files, records, left } = done;
    if form == Form::Json {
        let file = |(path, change): &(RepoPath, ChangeKind)| paths::json(path, json!({"change": change}));
        let files: Vec<_> = files.iter().map(file).collect();
        return output::json(&json!({
            "commit": commit, "files": files, "records": records, "left": crate::advice::conflicts_json(left),
        }));
    }
    let of = match records.as_slice() {
        [one] => format!("record {}", short(one)),
        several => format!("{} records", several.len()),
    };
    let mut out = match commit {
        Some(commit) => format!("committed as {commit:.10} what is there of {of}:\n"),
        None => format!("dry run, nothing was written; this would be committed of {of}:\n"),
    };
    for (path, change) in files {
        let verb = match change {
            ChangeKind::Create => "create",
            ChangeKind::Modify => "modify",
            ChangeKind::Delete => "delete",
            ChangeKind::Rename => "rename",
        };
        out.push_str(&format!("  {verb} {}\n", quoted_path(path)));
    }
    for UndoConflict { path, why, .. } in left {
        out.push_str(&format!("  left out: {} ({})\n", quoted_path(path), why.as_str()));
    }
    out
}
