//! Runs the command that approves an edit, with a limit.

use super::error::TransactionError as Error;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A command that must succeed, or the edit is undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verify {
    /// For the shell, run at the root of the working tree.
    pub command: String,
    /// Then it is stopped, with all that it started.
    pub timeout: Duration,
}

/// How much of the output the answer carries, in bytes, from its end.
const OUTPUT: usize = 8 << 10;

impl Verify {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Error::VerifyFailed`] with its output.
    pub fn run(&self, root: &Path) -> Result<(), Error> {
        let failed = |how: String, output: String, timed_out| Error::VerifyFailed {
            command: self.command.clone(),
            how,
            output,
            timed_out,
        };
        let mut child = match self.spawn(root) {
            Ok(child) => child,
            Err(error) => return Err(failed(format!("could not be started: {error}"), String::new(), false)),
        };
        let (sender, output) = mpsc::channel();
        for stream in [child.stdout.take().map(boxed), child.stderr.take().map(boxed)].into_iter().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || drain(stream, &sender));
        }
        drop(sender);
        let end = Instant::now() + self.timeout;
        let mut said = Vec::new();
        // The pipes close when the command and all that holds them have ended.
        let closed = loop {
            match output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => said.extend_from_slice(&bytes),
                Err(mpsc::RecvTimeoutError::Disconnected) => break true,
                Err(mpsc::RecvTimeoutError::Timeout) => break false,
            }
        };
        let said = || String::from_utf8_lossy(&said[said.len().saturating_sub(OUTPUT)..]).into_owned();
        if !closed || !ends_by(&mut child, end) {
            stop(&mut child);
            let seconds = self.timeout.as_secs_f64();
            return Err(failed(format!("ran past its limit of {seconds} seconds"), said(), true));
        }
        match child.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(failed(format!("ended with {status}"), said(), false)),
            Err(error) => Err(failed(format!("could not be waited for: {error}"), said(), false)),
        }
    }

    fn spawn(&self, root: &Path) -> std::io::Result<Child> {
        let mut command = if cfg!(windows) { Command::new("cmd") } else { Command::new("/bin/sh") };
        command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(&self.command);
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

/// Whether the command, whose output has ended, ends too.
fn ends_by(child: &mut Child, end: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(_)) | Err(_) => return true,
            Ok(None) if Instant::now() >= end => return false,
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
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
