//! `redraft completions`.

use super::{complete, output};
use clap::Args;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print a shell's completions for redraft
///
/// Those of bash, zsh and fish know the records of the repository too: ids with what was done and when, sessions, agents, and
/// the paths that records touched. Nothing is written by that, and no name that a terminal would obey is offered.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  eval \"$(redraft completions bash)\"                # in ~/.bashrc
  redraft completions zsh > ~/.zsh/completions/_redraft # a folder of $fpath
  redraft completions bash > ~/.local/share/bash-completion/completions/redraft
  redraft completions fish > ~/.config/fish/completions/redraft.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(self, mut command: clap::Command) -> ExitCode {
        if let Some(script) = complete::script(self.shell) {
            output::print(script.as_bytes());
            return ExitCode::SUCCESS;
        }
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, "redraft", &mut text);
        output::print(&text);
        ExitCode::SUCCESS
    }
}
