//! Git itself, run as a program: for what only git does right (hooks, signing, filter drivers, its index's extensions).
//!
//! Owns how git is called from here. Invariant: git sees the same repository, worktree and index as this process.

use super::{Repo, RepoError};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;

/// One call of git.
#[derive(Debug, Default)]
pub struct GitCall {
    args: Vec<OsString>,
    env: Vec<(&'static str, OsString)>,
    stdin: Vec<u8>,
}

/// What a call of git gave.
#[derive(Debug)]
pub struct GitRun {
    /// Whether its exit status was 0.
    pub ok: bool,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
}

impl GitCall {
    /// `git ARGS`.
    pub fn new<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Self {
        Self { args: args.into_iter().map(|arg| arg.as_ref().to_owned()).collect(), ..Self::default() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Uses another index.
    #[must_use]
    pub fn index(self, path: &Path) -> Self {
        self.env("GIT_INDEX_FILE", path)
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: &'static str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name, value.as_ref().to_owned()));
        self
    }

    /// The subcommand.
    fn name(&self) -> String {
        let mut args = self.args.iter().map(|arg| arg.to_string_lossy());
        // A setting stands behind its `-c`.
        while let Some(arg) = args.next() {
            if arg == "-c" {
                args.next();
            } else if !arg.starts_with('-') {
                return arg.into_owned();
            }
        }
        String::new()
    }

    /// Gives it standard input.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }
}

fn program_failed(verb: &'static str) -> impl FnOnce(std::io::Error) -> RepoError {
    move |source| RepoError::Io { verb, path: PathBuf::from("git"), source }
}

/// A run of git that goes on.
#[must_use]
pub struct StartedGit {
    name: String,
    writer: JoinHandle<()>,
    reader: JoinHandle<std::io::Result<Output>>,
}

impl StartedGit {
    /// Waits until it is over, whatever its exit status.
    ///
    /// # Errors
    /// Where it cannot be waited for.
    pub fn wait(self) -> Result<GitRun, RepoError> {
        let output = self.reader.join().unwrap_or_else(|_| Err(std::io::Error::other("a thread failed")));
        let _ = self.writer.join();
        let output = output.map_err(program_failed("wait for"))?;
        Ok(GitRun { ok: output.status.success(), out: output.stdout, err: output.stderr })
    }

    /// Waits until it is over, and gives its standard output.
    ///
    /// # Errors
    /// [`RepoError::Program`] where it fails.
    pub fn done(self) -> Result<Vec<u8>, RepoError> {
        let command = self.name.clone();
        let run = self.wait()?;
        if run.ok { Ok(run.out) } else { Err(RepoError::Program { command, output: run.said() }) }
    }
}

impl GitRun {
    /// Standard output and error as a person would have seen them.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&[&self.out[..], &self.err[..]].concat()).trim_end().to_owned()
    }
}

/// The hooks that are in force.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    folder: PathBuf,
}

impl Hooks {
    /// Where git looks for hooks.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether git would run a hook of this name.
    pub fn has(&self, name: &str) -> bool {
        let Ok(meta) = std::fs::metadata(self.folder.join(name)) else { return false };
        #[cfg(unix)]
        let runs = std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0;
        #[cfg(not(unix))]
        let runs = true;
        meta.is_file() && runs
    }
}

impl Repo {
    /// Runs git at the root of the working tree, whatever its exit status.
    ///
    /// # Errors
    /// Where it cannot be run at all.
    pub fn try_git(&self, call: GitCall) -> Result<GitRun, RepoError> {
        self.start_git(call)?.wait()
    }

    /// As [`Self::try_git`], and goes on beside it.
    ///
    /// # Errors
    /// As there.
    pub fn start_git(&self, call: GitCall) -> Result<StartedGit, RepoError> {
        let command_name = call.name();
        let mut command = Command::new("git");
        command.args(&call.args).current_dir(&self.root).stdin(Stdio::piped());
        self.env.lay_on(&mut command);
        // Relative ones are not relative to the root; and a tree that a setting names has no `.git`, or another's.
        let is_told = ["GIT_DIR", "GIT_WORK_TREE"].iter().any(|name| self.env.variable(name).is_some());
        if is_told || self.is_apart() {
            command.env("GIT_DIR", &self.git_dir).env("GIT_WORK_TREE", &self.root);
        }
        if self.env.variable("GIT_INDEX_FILE").is_some() {
            command.env("GIT_INDEX_FILE", self.index_path());
        }
        command.envs(call.env.iter().map(|(name, value)| (name, value)));
        // Before git itself: where the system has no more threads, nothing is begun.
        let thread = std::thread::Builder::new;
        let (to_writer, stdin) = sync_channel::<ChildStdin>(1);
        let (to_reader, child) = sync_channel::<Child>(1);
        let input = call.stdin;
        // It may say much before it has read everything. That it ends without reading is its own affair.
        let write = move || stdin.recv().map_or((), |mut stdin| drop(stdin.write_all(&input)));
        let writer = thread().spawn(write).map_err(program_failed("run"))?;
        // What it says is taken in while others work.
        let read = move || child.recv().map_err(std::io::Error::other)?.wait_with_output();
        let reader = thread().spawn(read).map_err(program_failed("run"))?;
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(program_failed("run"))?;
        let gone = |_| program_failed("run")(std::io::Error::other("a thread failed"));
        child.stdin.take().map_or(Ok(()), |stdin| to_writer.send(stdin)).map_err(|_| gone(()))?;
        to_reader.send(child).map_err(|_| gone(()))?;
        Ok(StartedGit { name: command_name, writer, reader })
    }

    /// Runs git and gives its standard output.
    ///
    /// # Errors
    /// [`RepoError::Program`] where it fails.
    pub fn run_git(&self, call: GitCall) -> Result<Vec<u8>, RepoError> {
        self.start_git(call)?.done()
    }

    /// The hooks that are in force (`core.hooksPath`, else those of the repository).
    ///
    /// # Errors
    /// Where the configured path cannot be read.
    pub fn hooks(&self) -> Result<Hooks, RepoError> {
        let folder = match self.config_path("core.hooksPath")? {
            Some(path) => self.root.join(path),
            None => self.common_dir.join("hooks"),
        };
        Ok(Hooks { folder })
    }
}
