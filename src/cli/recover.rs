//! `redraft recover`.

use super::context::Context;
use super::output::{self, AnswerForm};
use crate::usecase::recover;
use clap::Args;
use std::process::ExitCode;

/// Finish or take back a transaction that was interrupted
///
/// Every command that writes does this by itself first; this one does nothing else. Running it again is harmless.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  redraft recover")]
pub(crate) struct RecoverArgs {
    /// How to print the answer [default: text on a terminal, envelope elsewhere]
    #[arg(long, value_name = "FORM", value_enum)]
    answer: Option<AnswerForm>,
}

impl RecoverArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        output::envelope(context, &recover(&context.env), AnswerForm::or_default(self.answer))
    }
}
