//! `redraft fsck`.

use super::context::Context;
use super::output::{self, counted};
use super::waiting::during;
use crate::text::visible;
use crate::usecase::upkeep::{damaged, fsck};
use clap::Args;
use std::process::ExitCode;

/// Check the history: chains, objects, hashes
///
/// Changes nothing. Texts that were purged, or never kept (ignored and large files), are no damage.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft fsck
  redraft fsck --json | jq .problems")]
pub(crate) struct FsckArgs {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl FsckArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let checked = match during("checking the history", self.json.into(), || fsck(&context.env)) {
            Ok(checked) => checked,
            Err(error) => return output::error(&error, self.json.into()),
        };
        if self.json {
            output::print(output::json(&checked).as_bytes());
        } else {
            let mut text: String = checked.notes.iter().map(|note| format!("note: {note}\n")).collect();
            text.push_str(&format!(
                "{} in {}, {}, {} without kept texts: {}\n",
                counted(checked.records, "record"),
                counted(checked.chains, "chain"),
                counted(checked.objects, "object"),
                counted(checked.not_kept, "file"),
                if checked.problems.is_empty() { "no damage" } else { "damaged" }
            ));
            output::print(visible(&text).as_bytes());
        }
        if checked.problems.is_empty() {
            ExitCode::SUCCESS
        } else {
            output::error(&damaged(&checked), output::Form::Text)
        }
    }
}
