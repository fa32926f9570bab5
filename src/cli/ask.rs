//! Asking a person on the terminal, whatever standard input and output are used for.
//!
//! Owns the question and what counts as a yes. When it is asked is the flow's.

use super::output;
use super::paint::Paint;
use crate::env::Env;
use crate::usecase::Reply;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};

/// Shows a diff on the terminal and asks.
pub(super) fn on_terminal(diff: &str, question: &str, env: &Env) -> Reply {
    let (input, output) = if cfg!(windows) { ("CONIN$", "CONOUT$") } else { ("/dev/tty", "/dev/tty") };
    let (Ok(input), Ok(mut out)) = (File::open(input), File::options().write(true).open(output)) else {
        return Reply::Nobody;
    };
    let shown = output::diff(diff, Paint::on_terminal(env));
    if write!(out, "{shown}{question} (y/n): ").and_then(|()| out.flush()).is_err() {
        return Reply::Nobody;
    }
    let mut line = String::new();
    match BufReader::new(input).read_line(&mut line) {
        Ok(_) if matches!(line.trim().to_lowercase().as_str(), "y" | "yes") => Reply::Yes,
        Ok(_) => Reply::No,
        Err(_) => Reply::Nobody,
    }
}
