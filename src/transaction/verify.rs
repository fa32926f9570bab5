//! Runs the commands that approve an edit, with a limit.
//!
//! Owns their process groups, which end with them, and what is kept of their output: both ends, so that no command can fill
//! the memory. Does not say what a failure means for the files.

use super::error::TransactionError as Error;
use crate::env::Env;
use std::collections::VecDeque;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Commands that must all succeed, or the edit is undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verify {
    /// For the shell, run at the root of the working tree one after the other, each by itself: none can get round another.
    pub commands: Vec<String>,
    /// Then they are stopped, with all that they started.
    pub timeout: Duration,
}

/// How long the output is waited for after the command has ended.
const LINGER: Duration = Duration::from_millis(500);

/// How often a running command is looked at.
const POLL: Duration = Duration::from_millis(5);

/// How much of the output the answer carries, in bytes, from either end.
const OUTPUT: usize = 4 << 10;

/// How many pieces of output may wait to be looked at; then the command waits.
const WAITING: usize = 16;

impl Verify {
    /// Runs the commands.
    ///
    /// # Errors
    /// [`Error::VerifyFailed`] with the output of the first that fails.
    pub fn run(&self, root: &Path, env: &Env) -> Result<(), Error> {
        let end = env.clock().instant() + self.timeout;
        self.commands.iter().try_for_each(|command| {
            run(command, end, root, env).map_err(|Failed { how, output, timed_out }| {
                let limit = format!("ran past its limit of {} seconds", self.timeout.as_secs_f64());
                let how = if timed_out { limit } else { how };
                Error::VerifyFailed { command: command.clone(), how, output, timed_out }
            })
        })
    }
}

struct Failed {
    how: String,
    output: String,
    timed_out: bool,
}

fn run(command: &str, end: Instant, root: &Path, env: &Env) -> Result<(), Failed> {
    // What asks to stop is listened to while the command runs: the edit is undone before the end.
    let interrupt = env.interrupt().listen();
    let clock = env.clock();
    let mut child = spawn(command, root, env).map_err(|error| Failed {
        how: format!("could not be started: {error}"),
        output: String::new(),
        timed_out: false,
    })?;
    let (sender, output) = mpsc::sync_channel(WAITING);
    for stream in [child.stdout.take().map(boxed), child.stderr.take().map(boxed)].into_iter().flatten() {
        let sender = sender.clone();
        if let Err(error) = std::thread::Builder::new().spawn(move || drain(stream, &sender)) {
            stop(&mut child);
            let how = format!("could not be listened to: {error}");
            return Err(Failed { how, output: String::new(), timed_out: false });
        }
    }
    drop(sender);
    let mut said = Said::default();
    let ended = loop {
        match output.recv_timeout(POLL) {
            Ok(bytes) => said.add(&bytes),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            // Both pipes are closed: only the command itself is waited for.
            Err(mpsc::RecvTimeoutError::Disconnected) => std::thread::sleep(POLL),
        }
        match child.try_wait() {
            Ok(None) if interrupt.is_told_to_stop() => {
                break Err("was stopped, because redraft was told to stop".to_owned());
            }
            Ok(None) if clock.instant() >= end => break Ok(None),
            Ok(None) => {}
            Ok(Some(status)) => break Ok(Some(status)),
            Err(error) => break Err(format!("could not be waited for: {error}")),
        }
    };
    if !matches!(ended, Ok(Some(_))) {
        stop(&mut child);
    }
    // What the command itself wrote stands in the pipes by now, but on a busy machine it may not be read yet; what it
    // left running in the background may hold the pipes, and fill them, for as long as it likes.
    let last = clock.instant() + LINGER;
    while clock.instant() < last
        && let Ok(bytes) = output.recv_timeout(last.saturating_duration_since(clock.instant()))
    {
        said.add(&bytes);
    }
    let failed = |how: String, timed_out| Err(Failed { how, output: said.text(), timed_out });
    match ended {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(status)) => failed(format!("ended with {status}"), false),
        Ok(None) => failed(String::new(), true),
        Err(how) => failed(how, false),
    }
}

fn spawn(line: &str, root: &Path, env: &Env) -> std::io::Result<Child> {
    let mut command = if cfg!(windows) { Command::new("cmd") } else { Command::new("/bin/sh") };
    command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(line);
    env.lay_on(&mut command);
    command.current_dir(root).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that everything the command started can be stopped with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// What a command wrote: its beginning and its end.
#[derive(Default)]
struct Said {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Said {
    fn add(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(OUTPUT - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(OUTPUT);
        self.tail.drain(..over);
        self.left_out += over as u64;
    }

    fn text(&self) -> String {
        let (head, tail) = (String::from_utf8_lossy(&self.head), Vec::from(self.tail.clone()));
        let tail = String::from_utf8_lossy(&tail);
        match self.left_out {
            0 => format!("{head}{tail}"),
            count => format!("{head}\n[{count} bytes left out]\n{tail}"),
        }
    }
}

fn boxed(stream: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(stream)
}

fn drain(mut stream: Box<dyn Read + Send>, sender: &mpsc::SyncSender<Vec<u8>>) {
    let mut buffer = [0; 8192];
    while let Ok(n @ 1..) = stream.read(&mut buffer) {
        if sender.send(buffer[..n].to_vec()).is_err() {
            return;
        }
    }
}

fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_kept_by_its_two_ends() {
        let mut said = Said::default();
        said.add(b"short\n");
        assert_eq!(said.text(), "short\n");
        for _ in 0..100 {
            said.add(&[b'x'; 1000]);
        }
        said.add(b"end\n");
        let text = said.text();
        assert!(text.starts_with("short\nx") && text.ends_with("xend\n"), "{text}");
        assert!(text.contains(&format!("\n[{} bytes left out]\n", 100_010 - 2 * OUTPUT)), "{text}");
        assert!(text.len() < 2 * OUTPUT + 50);
    }
}
