//! `redraft mcp`.

use super::context::Context;
use super::output;
use crate::mcp::{Options, serve};
use anyhow::Context as _;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::process::ExitCode;

/// Serve coding agents over the Model Context Protocol, on standard input and output
///
/// The tools: edit, read, undo, redo, log, diff, blame, status. Both eras of the protocol are spoken (2026-07-28, and
/// `initialize`). Who calls is recorded as far as the client tells it; `redraft install --mcp` puts the server into the
/// configuration of a harness.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft mcp
  redraft mcp --read-only
  redraft mcp --root ~/src/a --root ~/src/b
  claude mcp add redraft -- redraft mcp")]
pub(crate) struct McpArgs {
    /// Serve this folder and nothing beside it; may be given several times. Without it: the repository that the current
    /// directory is in
    #[arg(long = "root", value_name = "DIR", value_hint = ValueHint::DirPath)]
    roots: Vec<PathBuf>,
    /// Leave out the tools that write
    #[arg(long)]
    read_only: bool,
}

impl McpArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        let options = Options { roots: self.roots, is_read_only: self.read_only };
        match serve(&context.env, &options, std::io::stdin(), std::io::stdout()).context("cannot serve") {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => output::usage(&error),
        }
    }
}
