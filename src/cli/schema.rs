//! `redraft schema`.

use super::output;
use crate::dialect::tools;
use crate::request::Dialect;
use clap::Args;
use std::process::ExitCode;

/// Print tool definitions for language models: names, descriptions, JSON schemas
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft schema                # of every dialect
  redraft schema claude-code")]
pub(crate) struct SchemaArgs {
    /// Only of this dialect: native, standard, claude-code, claude-code-open, opencode
    #[arg(value_name = "DIALECT", value_parser = dialect)]
    dialect: Option<Dialect>,
}

impl SchemaArgs {
    pub(super) fn run(self) -> ExitCode {
        let mut text = serde_json::to_string_pretty(&tools(self.dialect)).expect("schemas are plain JSON");
        text.push('\n');
        output::print(text.as_bytes());
        ExitCode::SUCCESS
    }
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| "native, standard, claude-code, claude-code-open or opencode".to_owned())
}
