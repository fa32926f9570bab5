//! `redraft man`.

use super::context::Context;
use super::output;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the man page, or write one page for each command into a folder
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft man | man -l -
  redraft man --out ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder for one page per command
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

impl ManArgs {
    pub(super) fn run(self, command: clap::Command, context: &Context) -> ExitCode {
        let done = match &self.out {
            Some(folder) => clap_mangen::generate_to(command, context.env.cwd().join(folder)),
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(command).render(&mut page).map(|()| output::print(&page))
            }
        };
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::usage(&anyhow::Error::new(error).context("cannot write the man page")),
        }
    }
}
