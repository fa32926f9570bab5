//! Git itself, run as a program: for what only git does right (hooks, signing, filter drivers, its index's extensions).
//!
//! Owns how git is called from here. Invariant: git sees the same repository, worktree and index as this process.

use super::{Repo, RepoError};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

    /// Gives it standard input.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
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
        let failed = |verb| move |source| RepoError::Io { verb, path: PathBuf::from("git"), source };
        let mut command = Command::new("git");
        command.args(&call.args).current_dir(&self.root).stdin(Stdio::piped());
        self.env.lay_on(&mut command);
        // Relative ones are not relative to the root.
        if self.env.variable("GIT_DIR").is_some() || self.env.variable("GIT_WORK_TREE").is_some() {
            command.env("GIT_DIR", &self.git_dir).env("GIT_WORK_TREE", &self.root);
        }
        if self.env.variable("GIT_INDEX_FILE").is_some() {
            command.env("GIT_INDEX_FILE", self.index_path());
        }
        command.envs(call.env.iter().map(|(name, value)| (name, value)));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed("run"))?;
        let mut stdin = child.stdin.take().expect("it was asked for");
        let input = call.stdin;
        // It may say much before it has read everything. That it ends without reading is its own affair.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().map_err(failed("wait for"))?;
        let _ = writer.join();
        Ok(GitRun { ok: output.status.success(), out: output.stdout, err: output.stderr })
    }

    /// Runs git and gives its standard output.
    ///
    /// # Errors
    /// [`RepoError::Program`] where it fails.
    pub fn run_git(&self, call: GitCall) -> Result<Vec<u8>, RepoError> {
        let command = call.args.iter().map(|arg| arg.to_string_lossy()).find(|arg| !arg.starts_with('-'));
        let command = command.unwrap_or_default().into_owned();
        let run = self.try_git(call)?;
        if run.ok { Ok(run.out) } else { Err(RepoError::Program { command, output: run.said() }) }
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
