//! The `redraft` command: parse, run, exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    redraft::cli::main(std::env::args_os().collect())
}
