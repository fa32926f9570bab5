//! `redraft purge`.

use super::context::Context;
use super::output;
use crate::usecase::upkeep::purge;
use clap::Args;
use std::process::ExitCode;

/// Remove the texts of a path from the history, for good
///
/// For secrets that should never have been there. The records stay, as tombstones: who edited what and when, without the
/// texts; backups and recorded answers that show the path go, too. These records can no longer be undone. git itself is
/// not touched: what was committed stays committed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft purge --path .env --dry-run
  redraft purge --path secrets")]
pub(crate) struct PurgeArgs {
    /// The file, or the directory with all below it, relative to the root
    #[arg(long, value_name = "PATH")]
    path: String,
    /// Only say how much would be removed; write nothing at all
    #[arg(long)]
    dry_run: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl PurgeArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let paths = super::paths::parse(std::slice::from_ref(&self.path));
        let done = paths.and_then(|mut paths| purge(&context.env, &paths.remove(0), self.dry_run.into()));
        let done = match done {
            Ok(noted) => {
                output::warn(&output::sentences(&noted.notes));
                noted.done
            }
            Err(error) => return output::error(&error, self.json.into()),
        };
        let text = if self.json {
            output::json(&done)
        } else {
            let verb = if self.dry_run { "would be removed" } else { "removed" };
            format!("{} texts of {} records {verb}\n", done.texts, done.records)
        };
        output::print(text.as_bytes());
        ExitCode::SUCCESS
    }
}
