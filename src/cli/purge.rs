//! `redraft purge`.

use super::ask;
use super::context::Context;
use super::output::{self, Form, counted};
use super::waiting::during;
use crate::history::Purged;
use crate::history::upkeep::Extent;
use crate::usecase::purge::{PurgeRequest, purge};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Remove the texts of a path or a record from the history, for good
///
/// For secrets that should never have been there. The records stay, as tombstones: who edited what and when, without the
/// texts; backups, journals and recorded answers that show them go, too, in all worktrees. These records can no longer be
/// undone. A file that was renamed is purged under its other names, too. git itself is not touched: what was committed stays committed. On a terminal it says how much would go, and asks;
/// elsewhere it wants `--yes`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft purge --path .env --dry-run
  redraft purge --path secrets --yes
  redraft purge kzlm")]
pub(crate) struct PurgeArgs {
    /// Records whose texts go: ids, the unique beginning of one, @ (the newest), @-, @-N
    #[arg(value_name = "ID", required_unless_present = "path")]
    ids: Vec<String>,
    /// The file, under whatever names records know it by, or the directory with all below it
    #[arg(long, value_name = "PATH")]
    path: Vec<PathBuf>,
    /// Only say how much would be removed; write nothing at all
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl PurgeArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let paths = match super::paths::parts_of(&self.path, &context.env) {
            Ok(paths) => paths,
            Err(error) => return output::error(&error, self.json.into()),
        };
        let form = Form::from(self.json);
        let request = |extent| PurgeRequest { paths: paths.clone(), ids: self.ids.clone(), extent };
        if !self.dry_run && !self.yes {
            let refused = match during("looking for the texts", form, || purge(&context.env, &request(Extent::DryRun)))
            {
                Ok(noted) if noted.done.is_nothing() => None,
                Ok(noted) => ask::before_it_goes(&would_go(&noted.done)).err(),
                Err(error) => Some(output::error(&error, self.json.into())),
            };
            if let Some(status) = refused {
                return status;
            }
        }
        let done = match during("removing the texts", form, || purge(&context.env, &request(self.dry_run.into()))) {
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

/// What would go, and how much that is.
fn would_go(would: &Purged) -> String {
    let (sessions, files) = (counted(would.sessions(), "session"), counted(would.files(), "file"));
    format!("{} ({files}, {sessions}, {}) would be removed for good", told(would), counted(would.bytes(), "byte"))
}

/// What went, without what was not there.
fn told(done: &Purged) -> String {
    let counts = [(done.backups, "backup"), (done.answers, "recorded answer"), (done.journals, "damaged journal")];
    let mut text = format!("{} of {}", counted(done.texts, "text"), counted(done.records, "record"));
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {}", counted(count, what)));
    }
    text
}

fn foreign(done: &Purged) -> String {
    match done.foreign {
        0 => String::new(),
        count => {
            let have = if count == 1 { "has" } else { "have" };
            format!(
                "{} of other clones {have} such texts too: purge and sync there, then `redraft sync` here and do as it says\n",
                counted(count, "record")
            )
        }
    }
}
