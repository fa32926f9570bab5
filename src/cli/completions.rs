//! `redraft completions`.

use super::output;
use clap::Args;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print a shell's completions for redraft
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft completions bash > ~/.local/share/bash-completion/completions/redraft
  redraft completions fish > ~/.config/fish/completions/redraft.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(self, mut command: clap::Command) -> ExitCode {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, "redraft", &mut text);
        output::print(&text);
        ExitCode::SUCCESS
    }
}
