//! Asking a person on the terminal, whatever standard input and output are used for.
//!
//! Owns the question and what counts as a yes. When it is asked is the flow's.

use super::output;
use super::paint::Paint;
use crate::env::Env;
use crate::usecase::Reply;
use anyhow::anyhow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::process::ExitCode;

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
    reply(&mut BufReader::new(input))
}

/// Asks on standard error before something goes that cannot be brought back.
///
/// # Errors
/// The exit status, where it is not to go, which is said: by who was asked, or since standard input or standard error is no terminal.
pub(super) fn before_it_goes(what: &str) -> Result<(), ExitCode> {
    let what = format!("{what}; this cannot be taken back");
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let told = anyhow!("{what}: say --yes, or run it on a terminal, which asks; nothing was removed");
        return Err(output::usage(&told));
    }
    let mut out = io::stderr().lock();
    let asked = write!(out, "{what}. Go on? (y/n): ").and_then(|()| out.flush());
    drop(out);
    match asked.map_or(Reply::Nobody, |()| reply(&mut io::stdin().lock())) {
        Reply::Yes => Ok(()),
        Reply::No | Reply::Nobody => {
            output::complain("nothing was removed");
            Err(ExitCode::FAILURE)
        }
    }
}

/// What a line says.
fn reply(input: &mut impl BufRead) -> Reply {
    let mut line = String::new();
    match input.read_line(&mut line) {
        Ok(_) if matches!(line.trim().to_lowercase().as_str(), "y" | "yes") => Reply::Yes,
        Ok(_) => Reply::No,
        Err(_) => Reply::Nobody,
    }
}
