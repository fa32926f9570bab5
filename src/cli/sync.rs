//! `redraft sync`.

use super::context::Context;
use super::output::{self, Form};
use super::waiting::during;
use crate::text::visible;
use crate::usecase::upkeep::{refused, sync};
use clap::Args;
use std::process::ExitCode;

/// Exchange records with other clones through a git remote
///
/// Pushes this clone's records to refs/redraft/ of the remote, and fetches those of other clones (`redraft log --all`
/// shows them). A chain of records of another clone only ever grows here: one that was rewritten on the remote, or that
/// holds a record that is here already, is not taken, and named. Where its owner rewrote it, with `redraft purge` or
/// `redraft gc`, `--take-rewritten` takes it as it is there; what was purged or dropped there is then gone here, too. The records hold the texts of edited files: share them only where the repository itself may be shared.
/// Never done by itself.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft sync origin
  redraft sync origin --take-rewritten kmzqlnop   # its owner purged a secret")]
pub(crate) struct SyncArgs {
    /// A remote of the repository, or an address
    #[arg(value_name = "REMOTE")]
    remote: String,
    /// Take what this other clone rewrote on the remote, in place of what is here of it (the name that a refusal has); may be
    /// given several times
    #[arg(long, value_name = "CLONE")]
    take_rewritten: Vec<String>,
}

impl SyncArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match during("exchanging records", Form::Text, || sync(&context.env, &self.remote, &self.take_rewritten)) {
            Ok(noted) => {
                output::warn(&output::sentences(&noted.notes));
                let lines: String = noted.done.done.iter().map(|line| format!("{line}\n")).collect();
                output::print(visible(&lines).as_bytes());
                if noted.done.refused.is_empty() && noted.done.unsent.is_empty() {
                    return ExitCode::SUCCESS;
                }
                output::error(&refused(noted.done), Form::Text)
            }
            Err(error) => output::error(&error, Form::Text),
        }
    }
}
