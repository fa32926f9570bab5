//! `redraft sync`.

use super::context::Context;
use super::output;
use crate::text::visible;
use crate::usecase::upkeep::sync;
use clap::Args;
use std::process::ExitCode;

/// Exchange records with other clones through a git remote
///
/// Pushes this clone's records to refs/redraft/ of the remote, and fetches those of other clones (`redraft log --all`
/// shows them). The records hold the texts of edited files: share them only where the repository itself may be shared.
/// Never done by itself.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  redraft sync origin")]
pub(crate) struct SyncArgs {
    /// A remote of the repository, or an address
    #[arg(value_name = "REMOTE")]
    remote: String,
}

impl SyncArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        match sync(&context.env, &self.remote) {
            Ok(noted) => {
                output::warn(&noted.notes);
                output::print(format!("{}\n", visible(&noted.done)).as_bytes());
                ExitCode::SUCCESS
            }
            Err(error) => output::error(&error, output::Form::Text),
        }
    }
}
