//! `redraft gc`.

use super::ask;
use super::context::Context;
use super::output::{self, Form, counted};
use super::waiting::during;
use crate::history::upkeep::Extent;
use crate::history::{Collected, Retention};
use crate::policy::parse_size;
use crate::usecase::upkeep::{GcRequest, before_gc, gc};
use clap::Args;
use std::process::ExitCode;

/// Seal the journal, drop old records, pack the history
///
/// Without limits nothing is dropped. Pinned records stay whatever the limits say. What is dropped can no longer be undone:
/// where anything is, it says how much and asks on a terminal, and wants `--yes` elsewhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft gc
  redraft gc --keep-days 90 --dry-run
  redraft gc --keep-days 90 --yes
  redraft gc --pin kzlm --keep-records 1000")]
pub(crate) struct GcArgs {
    /// Drop records older than so many days
    #[arg(long, value_name = "N")]
    keep_days: Option<u64>,
    /// Keep at most so many records of each worktree, the newest
    #[arg(long, value_name = "N")]
    keep_records: Option<usize>,
    /// Keep at most about so many bytes (with k, m, g), the newest
    #[arg(long, value_name = "SIZE", value_parser = size)]
    keep_bytes: Option<u64>,
    /// Pin this record: no limit drops it
    #[arg(long, value_name = "ID")]
    pin: Vec<String>,
    /// Take the pin of this record away
    #[arg(long, value_name = "ID")]
    unpin: Vec<String>,
    /// Only say what would be dropped; write nothing at all
    #[arg(long)]
    dry_run: bool,
    /// Do not ask before records are dropped
    #[arg(short, long)]
    yes: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl GcArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let keep = Retention {
            age_seconds: self.keep_days.map(|days| days.saturating_mul(86_400)),
            records: self.keep_records,
            bytes: self.keep_bytes,
        };
        let request = GcRequest { keep, pin: self.pin, unpin: self.unpin, extent: self.dry_run.into() };
        let form = Form::from(self.json);
        let mut told = Vec::new();
        if !self.yes && request.extent == Extent::Whole {
            match during("looking through the history", form, || before_gc(&context.env, &request)) {
                Ok(noted) => {
                    told = output::sentences(&noted.notes);
                    output::warn(&told);
                    if let Some(Err(status)) = would_go(&noted.done).map(|what| ask::before_it_goes(&what)) {
                        return status;
                    }
                }
                Err(error) => return output::error(&error, self.json.into()),
            }
        }
        let done = match during("packing the history", form, || gc(&context.env, &request)) {
            Ok(noted) => {
                let notes = output::sentences(&noted.notes).into_iter().filter(|note| !told.contains(note));
                output::warn(&notes.collect::<Vec<_>>());
                output::warn(&noted.done.notes);
                noted.done
            }
            Err(error) => return output::error(&error, self.json.into()),
        };
        let text = if self.json {
            output::json(&done)
        } else {
            let verb = if self.dry_run { "would be dropped" } else { "dropped" };
            let pinned = if done.pinned > 0 { format!(" ({} of them pinned)", done.pinned) } else { String::new() };
            format!(
                "{} kept{pinned}, {} {verb}; {} bytes, before {}\n",
                counted(done.kept, "record"),
                done.dropped,
                done.bytes_after,
                done.bytes_before
            )
        };
        output::print(text.as_bytes());
        ExitCode::SUCCESS
    }
}

/// What would go, where anything would.
fn would_go(would: &Collected) -> Option<String> {
    let Collected { dropped, kept, sessions, files, .. } = would;
    let of = format!("{} and {}", counted(files.len(), "file"), counted(sessions.len(), "session"));
    let records = counted(*dropped, "record");
    (*dropped > 0).then(|| format!("{records} of {of} would be dropped, and {kept} kept"))
}

fn size(text: &str) -> Result<u64, String> {
    parse_size(text).ok_or_else(|| "a number of bytes, such as 500m".to_owned())
}
