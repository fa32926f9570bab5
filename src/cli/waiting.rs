//! A line that says what takes so long: for somebody at a terminal, on standard error, from the first second on, and gone at the end.
//!
//! Owns that line, for every command that may take long. Invariant: nothing is written where standard error is no terminal, or
//! the answer is JSON; and when [`Waiting`] ends, the line is empty.

use super::output::Form;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// So often the line is written anew, and so long nobody need be told.
const EVERY: Duration = Duration::from_secs(1);

/// So many letters the line has where the terminal does not say how wide it is.
const WIDTH: usize = 60;

/// The line, for as long as this lives.
pub(super) struct Waiting {
    /// None where nobody looks.
    teller: Option<(Sender<()>, JoinHandle<()>)>,
    what: Arc<Mutex<String>>,
}

impl Waiting {
    /// Begins to count.
    pub(super) fn for_what(what: &str, form: Form) -> Self {
        let what = Arc::new(Mutex::new(what.to_owned()));
        let is_seen = form == Form::Text && io::stderr().is_terminal();
        let teller = is_seen.then(|| {
            let (end, ended) = channel::<()>();
            let said = Arc::clone(&what);
            let teller = std::thread::spawn(move || {
                let (mut seconds, mut width) = (0_u64, 0);
                while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                    seconds += 1;
                    let what = said.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    width = written(&format!("redraft: {what}, {seconds} s"), width);
                }
                if width > 0 {
                    written("", width);
                    let _ = write!(io::stderr(), "\r");
                }
            });
            (end, teller)
        });
        Self { teller, what }
    }

    /// Says how far it is.
    pub(super) fn say(&self, what: &str) {
        if self.teller.is_some() {
            what.clone_into(&mut self.what.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Drop for Waiting {
    /// Leaves the line empty.
    fn drop(&mut self) {
        if let Some((end, teller)) = self.teller.take() {
            drop(end);
            let _ = teller.join();
        }
    }
}

/// Does something that may take long.
pub(super) fn during<T>(what: &str, form: Form, work: impl FnOnce() -> T) -> T {
    let _waiting = Waiting::for_what(what, form);
    work()
}

/// Writes the line over one of this width; how wide it is now.
fn written(line: &str, before: usize) -> usize {
    let shown: String = line.chars().take(columns().saturating_sub(1)).collect();
    let width = shown.chars().count();
    let mut out = io::stderr().lock();
    // A terminal that has gone away is told nothing more.
    let _ = write!(out, "\r{shown}{}", " ".repeat(before.saturating_sub(width))).and_then(|()| out.flush());
    width.max(before)
}

#[cfg(unix)]
fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stderr()).map(|size| usize::from(size.ws_col)).unwrap_or_default();
    if size > 0 { size } else { WIDTH }
}

#[cfg(not(unix))]
fn columns() -> usize {
    WIDTH
}
