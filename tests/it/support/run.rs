//! Running the binary: standard input in, exit status and both outputs out.

use super::{TestRepo, clean};
use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The binary under test.
pub const REDRAFT: &str = env!("CARGO_BIN_EXE_redraft");

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    /// The exit status; none where a signal ended it.
    pub exit: Option<i32>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// The one JSON document of standard output; nothing else may stand there.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("no JSON answer ({error}): {self:?}"))
    }

    /// Standard output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("answers are UTF-8")
    }
}

/// A command that runs the binary in `dir`, free of the surroundings.
pub fn command(dir: &Path, args: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(REDRAFT);
    clean(command.args(args), dir);
    command
}

/// Runs the binary in `dir` with `input` as its standard input.
pub fn redraft(dir: &Path, args: &[impl AsRef<OsStr>], input: &[u8]) -> Ran {
    finish(&mut command(dir, args), input)
}

/// Runs a command to its end.
pub fn finish(command: &mut Command, input: &[u8]) -> Ran {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let output = std::thread::scope(|scope| {
        // A command that refuses its arguments does not read its input.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the command ends")
    });
    Ran {
        exit: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs git in a repository as somebody who has redraft in PATH.
pub fn try_git(repo: &TestRepo, args: &[&str]) -> Output {
    let bin = Path::new(REDRAFT).parent().expect("a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("PATH"));
    clean(Command::new("git").args(args), &repo.root()).env("PATH", path).output().expect("git runs")
}
