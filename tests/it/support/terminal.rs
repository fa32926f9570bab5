//! A command on a terminal of its own, which `script(1)` makes, and somebody who types there.

use super::{TestRepo, clean};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long is waited for what is to be shown.
const LONGEST: Duration = Duration::from_secs(60);

/// A terminal on which a command runs.
pub struct Terminal {
    child: Child,
    keyboard: ChildStdin,
    screen: Receiver<Vec<u8>>,
    shown: Vec<u8>,
    /// Where what was not waited for yet begins.
    from: usize,
}

/// How a command on a terminal ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit status.
    pub exit: Option<i32>,
    /// All that the terminal showed.
    pub shown: String,
}

impl Terminal {
    /// Runs a line of the shell, in which `redraft` is the binary; none, and a notice, where there is no `script(1)`.
    pub fn of(repo: &TestRepo, line: &str) -> Option<Self> {
        if Command::new("script").arg("--version").output().is_err() {
            eprintln!("notice: there is no script(1) here; a terminal is not tried");
            return None;
        }
        let line = line.replace("redraft ", concat!(env!("CARGO_BIN_EXE_redraft"), " "));
        let mut command = Command::new("script");
        clean(command.args(["-qec", &line, "/dev/null"]), &repo.root()).env("TERM", "xterm");
        // A shell that stays above what it runs hears the terminal's signals too; everywhere the same one.
        command.env("SHELL", "/bin/sh");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("script runs");
        let keyboard = child.stdin.take().expect("it is piped");
        let mut out = child.stdout.take().expect("it is piped");
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut part) {
                if sender.send(part[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Self { child, keyboard, screen, shown: Vec::new(), from: 0 })
    }

    /// Waits until a text is shown, beyond what was waited for before.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        loop {
            let new = &self.shown[self.from..];
            if let Some(at) = new.windows(text.len()).position(|part| part == text.as_bytes()) {
                self.from += at + text.len();
                return;
            }
            match self.screen.recv_timeout(LONGEST) {
                Ok(part) => self.shown.extend(part),
                Err(_) => panic!("{text:?} is not shown: {}", String::from_utf8_lossy(&self.shown)),
            }
        }
    }

    /// Waits until a text is shown, and types.
    #[track_caller]
    pub fn answer(&mut self, text: &str, typed: &str) {
        self.wait_for(text);
        self.type_in(typed);
    }

    /// Types.
    pub fn type_in(&mut self, typed: &str) {
        self.keyboard.write_all(typed.as_bytes()).expect("it is typed");
    }

    /// Waits for the end of the command.
    pub fn end(mut self) -> Ended {
        while let Ok(part) = self.screen.recv_timeout(LONGEST) {
            self.shown.extend(part);
        }
        let exit = self.child.wait().expect("script ends").code();
        Ended { exit, shown: String::from_utf8_lossy(&self.shown).replace("\r\n", "\n") }
    }
}
