//! `redraft purge`.

use super::context::Context;
use super::output;
use crate::history::Purged;
use crate::usecase::purge::{PurgeRequest, purge};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Remove the texts of a path or a record from the history, for good
///
/// For secrets that should never have been there. The records stay, as tombstones: who edited what and when, without the
/// texts; backups, journals and recorded answers that show them go, too, in all worktrees. These records can no longer be
/// undone. git itself is not touched: what was committed stays committed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft purge --path .env --dry-run
  redraft purge --path secrets
  redraft purge kzlm")]
pub(crate) struct PurgeArgs {
    /// Records whose texts go: ids, the unique beginning of one, @ (the newest), @-, @-N
    #[arg(value_name = "ID", required_unless_present = "path")]
    ids: Vec<String>,
    /// The file, or the directory with all below it
    #[arg(long, value_name = "PATH")]
    path: Vec<PathBuf>,
    /// Only say how much would be removed; write nothing at all
    #[arg(long)]
    dry_run: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl PurgeArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let done = super::paths::parts_of(&self.path, &context.env).and_then(|paths| {
            purge(&context.env, &PurgeRequest { paths, ids: self.ids.clone(), extent: self.dry_run.into() })
        });
        let done = match done {
            Ok(noted) => {
                output::warn(&output::sentences(&noted.notes));
                output::warn(&noted.done.notes);
                noted.done
            }
            Err(error) => return output::error(&error, self.json.into()),
        };
        let verb = if self.dry_run { "would be removed" } else { "removed" };
        let text = if self.json { output::json(&done) } else { format!("{} {verb}\n{}", told(&done), foreign(&done)) };
        output::print(text.as_bytes());
        ExitCode::SUCCESS
    }
}

/// What went, without what was not there.
fn told(done: &Purged) -> String {
    let counts = [(done.backups, "backup"), (done.answers, "recorded answer"), (done.journals, "damaged journal")];
    let mut text = format!("{} texts of {} records", done.texts, done.records);
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {what}{}", if count == 1 { "" } else { "s" }));
    }
    text
}

fn foreign(done: &Purged) -> String {
    match done.foreign {
        0 => String::new(),
        count => format!("{count} records of other clones have such texts too: purge them there, then sync\n"),
    }
}
