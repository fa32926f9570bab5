//! Runs the command that approves an edit, with a limit.
//!
//! Owns its process group, which ends with it, and how much of its output is kept. Does not say what a failure means for
//! the files.

use super::error::TransactionError as Error;
use crate::env::Env;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// A command that must succeed, or the edit is undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verify {
    /// For the shell, run at the root of the working tree.
    pub command: String,
    /// Then it is stopped, with all that it started.
    pub timeout: Duration,
}

/// How long the output is waited for after the command has ended.
const LINGER: Duration = Duration::from_millis(500);

/// How often a running command is looked at.
const POLL: Duration = Duration::from_millis(5);

/// How much of the output the answer carries, in bytes, from its end.
const OUTPUT: usize = 8 << 10;

impl Verify {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Error::VerifyFailed`] with its output.
    pub fn run(&self, root: &Path, env: &Env) -> Result<(), Error> {
        let failed = |how: String, output: String, timed_out| Error::VerifyFailed {
            command: self.command.clone(),
            how,
            output,
            timed_out,
        };
        // What asks to stop is listened to while the command runs: the edit is undone before the end.
        let interrupt = env.interrupt().listen();
        let clock = env.clock();
        let mut child = match self.spawn(root, env) {
            Ok(child) => child,
            Err(error) => return Err(failed(format!("could not be started: {error}"), String::new(), false)),
        };
        let (sender, output) = mpsc::channel();
        for stream in [child.stdout.take().map(boxed), child.stderr.take().map(boxed)].into_iter().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || drain(stream, &sender));
        }
        drop(sender);
        let end = clock.instant() + self.timeout;
        let mut said = Vec::new();
        let ended = loop {
            match output.recv_timeout(POLL) {
                Ok(bytes) => said.extend_from_slice(&bytes),
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
        // What the command itself wrote stands in the pipes by now, but on a busy machine it may not be read yet; what it
        // left running in the background may hold the pipes for as long as it likes.
        let last = clock.instant() + LINGER;
        while let Ok(bytes) = output.recv_timeout(last.saturating_duration_since(clock.instant())) {
            said.extend_from_slice(&bytes);
        }
        let said = String::from_utf8_lossy(&said[said.len().saturating_sub(OUTPUT)..]).into_owned();
        match ended {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => Err(failed(format!("ended with {status}"), said, false)),
            Ok(None) => {
                stop(&mut child);
                let seconds = self.timeout.as_secs_f64();
                Err(failed(format!("ran past its limit of {seconds} seconds"), said, true))
            }
            Err(how) => {
                stop(&mut child);
                Err(failed(how, said, false))
            }
        }
    }

    fn spawn(&self, root: &Path, env: &Env) -> std::io::Result<Child> {
        let mut command = if cfg!(windows) { Command::new("cmd") } else { Command::new("/bin/sh") };
        command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(&self.command);
        env.lay_on(&mut command);
        command.current_dir(root).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, so that everything the command started can be stopped with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    }
}

fn boxed(stream: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(stream)
}

fn drain(mut stream: Box<dyn Read + Send>, sender: &mpsc::Sender<Vec<u8>>) {
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
