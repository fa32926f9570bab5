//! `redraft restore`.

use super::ask;
use super::context::Context;
use super::output::{self, AnswerForm};
use super::paths::as_given;
use super::when;
use crate::usecase::restore_at::{RestoreRequest, restore_at};
use crate::usecase::{Place, Programs};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Bring files back as they were right after a record
///
/// Whatever came later goes, of anybody, in the files that the record or a later one touched, or in those that are named;
/// `redraft undo` keeps it instead. It is a record of its own, and can be undone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft restore --at kzlm              # all that it or a later record touched
  redraft restore --at kzlm src/a.rs
  redraft restore --at @-3 --dry-run
  redraft show kzlm:src/a.rs             # only look")]
pub(crate) struct RestoreArgs {
    /// A record: an id, the unique beginning of one, @ (the newest), @-, @-N
    #[arg(long, value_name = "ID")]
    at: String,
    /// Only these files or directories
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only show what would be done; write nothing at all
    #[arg(long)]
    dry_run: bool,
    /// What to say in the record
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// How long to wait for another redraft, in seconds; 0 is not at all
    #[arg(long, value_name = "SECONDS", value_parser = when::seconds)]
    lock_timeout: Option<Duration>,
    /// Most lines of the diff preview; 0 is no limit
    #[arg(long, value_name = "N")]
    diff_lines: Option<usize>,
    /// Most bytes of the diff preview; 0 is no limit
    #[arg(long, value_name = "N")]
    diff_bytes: Option<usize>,
    /// How to print the answer [default: text on a terminal, envelope elsewhere]
    #[arg(long, value_name = "FORM", value_enum)]
    answer: Option<AnswerForm>,
}

impl RestoreArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let env = &context.env;
        let form = AnswerForm::or_default(self.answer);
        let shown: Vec<_> = self.paths.iter().map(|path| as_given(path)).collect();
        let params = json!({"at": self.at, "paths": shown, "dry_run": self.dry_run});
        let paths = match super::paths::parse(&self.paths, env) {
            Ok(paths) => paths,
            Err(error) => {
                let envelope = crate::usecase::envelope_of_error(&error, env, params);
                return output::envelope(context, &envelope, form);
            }
        };
        let request = RestoreRequest {
            at: self.at,
            paths,
            dry_run: self.dry_run,
            message: self.message,
            lock_timeout: self.lock_timeout,
            diff_lines: self.diff_lines,
            diff_bytes: self.diff_bytes,
        };
        let place = Place {
            env,
            ask: Some(&|diff| ask::on_terminal(diff, "Bring this back?", env)),
            programs: Programs::Run,
            group: None,
        };
        output::envelope(context, &restore_at(&place, &request, params), form)
    }
}
