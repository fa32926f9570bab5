//! `redraft hook`: what the hooks of coding harnesses call.

use super::context::Context;
use super::output;
use crate::harness::{Answer, Harness, LARGEST_PAYLOAD};
use crate::usecase::hook::hook;
use clap::Args;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read};
use std::process::ExitCode;

/// Take in what a coding harness's hook says, and record what its tools change
///
/// Harnesses (Claude Code, codex, gemini-cli, opencode, Cursor, Copilot, Windsurf, Cline, droid, Amp) call it before and after each tool, with a payload
/// on standard input; it answers in the harness's own form. What a tool changed, whatever tool it was, becomes a record with its
/// session, turn and call, to be seen in `log` and `sessions` and taken back with `undo --session`, `undo --turn`. It never stands in the way: whatever happens, the exit
/// status is 0 and the harness goes on, except where `redraft.deny` or `redraft.confirm` names a file that the tool is to write. What
/// could not be recorded is told by `redraft status`.
///
/// The harness is known by its payload; the name helps only where the payload does not tell. What is recorded of each, and what not: docs/agents.md.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redraft hook claude-code < payload.json
  echo '{\"redraft\": 1, \"event\": \"before\", \"session\": \"s\", \"call\": \"1\", \"paths\": [\"a.txt\"]}' | redraft hook

Names: claude-code, codex, gemini, opencode, cursor, copilot, windsurf, cline, droid, amp, generic")]
pub(crate) struct HookArgs {
    /// The harness, and whatever else it gives
    #[arg(value_name = "HARNESS", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl HookArgs {
    pub(super) fn run(self, context: &Context) -> ExitCode {
        if io::stdin().is_terminal() {
            output::complain(
                "`redraft hook` reads the payload of a harness's hook from standard input; see `redraft hook --help`",
            );
            return ExitCode::SUCCESS;
        }
        let named = self.words.first().and_then(|word| word.to_str()).and_then(Harness::from_name);
        answered(&hook(&context.env, &payload(), named))
    }
}

/// Answers where not even the directory is there.
pub(super) fn neutral() -> ExitCode {
    drop(payload());
    answered(&Answer::neutral())
}

fn answered(answer: &Answer) -> ExitCode {
    output::print(answer.out.as_bytes());
    if !answer.err.is_empty() {
        output::complain(answer.err.trim_end());
    }
    ExitCode::from(answer.status)
}

/// All of the payload, as far as it is read; the rest is taken in, so that who writes it is not disturbed.
fn payload() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut input = io::stdin().lock();
    let _ = input.by_ref().take(LARGEST_PAYLOAD as u64 + 1).read_to_end(&mut bytes);
    let _ = io::copy(&mut input, &mut io::sink());
    bytes
}
