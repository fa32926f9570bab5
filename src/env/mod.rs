//! What comes from outside: the directory, the variables, the clock, randomness, and whether to stop.
//!
//! Owns the only reads of them below `main`; everybody else is handed an [`Env`]. Does not interpret git's
//! variables: that is `git/open.rs`.
//! Invariant: reading happens once, when an [`Env`] is made, so that many workspaces live in one process, and nobody changes
//! what another one sees. The one exception is written in `git/open.rs`: what gix can only read by itself.

mod callers;
mod clock;
mod interrupt;
mod places;
mod randomness;
mod untold;
pub mod when;

pub use callers::{Running, is_at_work, may_run};
pub use clock::{Clock, FixedClock, SystemClock};
pub use interrupt::{Interrupt, Listening};
pub use places::{program, temporary_folder};
pub use randomness::{Randomness, SeededRandomness, SystemRandomness};
pub use untold::Untold;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Whose surroundings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Surroundings {
    /// This process's: its variables, and the configuration of the user who runs it.
    OfProcess,
    /// Nobody's: a repository counts by what is in it.
    Isolated,
}

/// What comes from outside; cheap to clone.
#[derive(Debug, Clone)]
pub struct Env {
    cwd: Arc<Path>,
    surroundings: Surroundings,
    variables: Arc<BTreeMap<OsString, OsString>>,
    clock: Arc<dyn Clock>,
    randomness: Arc<dyn Randomness>,
    interrupt: Interrupt,
    untold: Untold,
    process_id: u32,
}

impl Env {
    /// What surrounds this process, as it is now.
    ///
    /// # Errors
    /// Where the current directory is gone.
    pub fn from_process() -> io::Result<Self> {
        let cwd = std::env::current_dir()?;
        let counts = |name: &OsStr| {
            let is_own = |name: &[u8]| name.starts_with(b"GIT_") || name.starts_with(b"REDRAFT_");
            OTHERS.iter().any(|other| name == *other) || is_own(name.as_encoded_bytes())
        };
        let variables = std::env::vars_os().filter(|(name, _)| counts(name)).collect();
        Ok(Self::new(cwd, Surroundings::OfProcess, variables))
    }

    /// Only a directory: no variable counts, and no configuration but the repository's own.
    ///
    /// # Errors
    /// Where `cwd` is relative and the process has no current directory, or empty.
    pub fn in_dir(cwd: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::new(std::path::absolute(cwd)?, Surroundings::Isolated, BTreeMap::new()))
    }

    fn new(cwd: PathBuf, surroundings: Surroundings, variables: BTreeMap<OsString, OsString>) -> Self {
        Self {
            cwd: cwd.into(),
            surroundings,
            variables: Arc::new(variables),
            clock: Arc::new(SystemClock),
            randomness: Arc::new(SystemRandomness),
            interrupt: Interrupt::default(),
            untold: Untold::default(),
            process_id: std::process::id(),
        }
    }

    /// The same, as if started in `directory`, which may be relative to the directory so far.
    ///
    /// # Errors
    /// Where that is no directory.
    pub fn moved_to(mut self, directory: &Path) -> io::Result<Self> {
        // Without symlinks, as the system has it after a change of directory.
        let real = std::fs::canonicalize(self.cwd.join(directory))?;
        if !real.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        self.cwd = real.into();
        Ok(self)
    }

    /// The same, as if started in `directory` of another repository: what led to this one does not count there.
    ///
    /// # Errors
    /// Where that is no directory.
    pub fn in_another_repository(self, directory: &Path) -> io::Result<Self> {
        let mut other = self.moved_to(directory)?;
        let leads = |name: &OsString| OF_A_REPOSITORY.iter().any(|one| name == one);
        let kept = other.variables.iter().filter(|(name, _)| !leads(name));
        other.variables = Arc::new(kept.map(|(name, value)| (name.clone(), value.clone())).collect());
        Ok(other)
    }

    /// The same with a variable; where nobody's surroundings count, commands are given it, too.
    #[must_use]
    pub(crate) fn with_variable(mut self, name: &str, value: &str) -> Self {
        let mut variables = (*self.variables).clone();
        variables.insert(name.into(), value.into());
        self.variables = Arc::new(variables);
        self
    }

    /// The same with another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The same with other random numbers.
    #[must_use]
    pub fn with_randomness(mut self, randomness: impl Randomness + 'static) -> Self {
        self.randomness = Arc::new(randomness);
        self
    }

    /// The same, told to stop in another way.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: Interrupt) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// Whether the directory and all variables are the same.
    pub fn is_like(&self, other: &Self) -> bool {
        self.cwd == other.cwd && self.surroundings == other.surroundings && self.variables == other.variables
    }

    /// The same, as a process of somebody else with these variables has it; none where one differs on which it depends what is done.
    pub fn called_by(mut self, process: u32, variables: Option<&BTreeMap<String, String>>) -> Option<Self> {
        self.process_id = process;
        let Some(given) = variables else { return Some(self) };
        let given: BTreeMap<OsString, OsString> =
            given.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let counts = |name: &OsString| !OF_A_TERMINAL.iter().any(|one| name == one);
        let deciding = |all: &BTreeMap<OsString, OsString>| -> Vec<(OsString, OsString)> {
            all.iter().filter(|(name, _)| counts(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let is_like = deciding(&given) == deciding(&self.variables);
        self.variables = Arc::new(given);
        is_like.then_some(self)
    }

    /// All the variables that count; none where one is no UTF-8.
    pub fn variables(&self) -> Option<BTreeMap<String, String>> {
        let text = |word: &OsString| word.to_str().map(str::to_owned);
        self.variables.iter().map(|(name, value)| Some((text(name)?, text(value)?))).collect()
    }

    /// The directory that relative paths are relative to; absolute.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// One of git's or redraft's variables, `PWD`, where git looks for the user's files, what people set of terminals
    /// (`TERM`, `NO_COLOR`, `PAGER`, `LESS`, `LV`, `BROWSER`), or what harnesses say of a session.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// The paths in a variable that is a list of them, in the system's form; none where it is not set.
    pub fn paths(&self, name: &str) -> Vec<PathBuf> {
        self.variable(name).map(|list| std::env::split_paths(list).collect()).unwrap_or_default()
    }

    /// Whether the configuration of the user and of the system counts beside that of the repository.
    pub fn has_user_configuration(&self) -> bool {
        self.surroundings == Surroundings::OfProcess
    }

    /// The clock.
    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Milliseconds since 1970-01-01 UTC.
    pub fn now_ms(&self) -> i64 {
        self.clock.now().as_millisecond()
    }

    /// Random bytes.
    ///
    /// # Errors
    /// Where the system has none to give.
    pub fn random<const N: usize>(&self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.randomness.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Whether to stop.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// What was met on the way and is still to be told.
    pub fn untold(&self) -> &Untold {
        &self.untold
    }

    /// The number of this process, for notes on who holds a lock.
    pub fn process_id(&self) -> u32 {
        self.process_id
    }

    /// Gives a command the surroundings that count here; its directory is set by whoever runs it.
    pub fn lay_on(&self, command: &mut Command) {
        if self.surroundings == Surroundings::OfProcess {
            return;
        }
        for name in GIT_VARIABLES.into_iter().chain(OF_A_PERSON) {
            command.env_remove(name);
        }
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
            .envs(self.variables.iter());
    }
}

/// The variables that lead to one repository, and the spelling of a directory.
const OF_A_REPOSITORY: [&str; 10] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
    "PWD",
];

/// The variables on which what is done does not depend: how a directory is spelled, what is printed, and who says to be called in
/// which session, which only servers of harnesses look at.
const OF_A_TERMINAL: [&str; 12] = [
    "PWD",
    "BROWSER",
    "SOURCE_DATE_EPOCH",
    "TERM",
    "NO_COLOR",
    "PAGER",
    "LESS",
    "LV",
    "GIT_PAGER",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
    "GEMINI_SESSION_ID",
];

/// The variables that count beside git's and redraft's own.
const OTHERS: [&str; 14] = [
    "PWD",
    "BROWSER",
    "SOURCE_DATE_EPOCH",
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "TERM",
    "NO_COLOR",
    "PAGER",
    "LESS",
    "LV",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
    "GEMINI_SESSION_ID",
];

/// The variables that lead git to another repository, index or configuration (`git rev-parse --local-env-vars`, and those
/// that are not local to a repository).
const GIT_VARIABLES: [&str; 19] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_SYSTEM",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// The variables by which git knows who commits and when, and of what kind a person's new repositories are.
const OF_A_PERSON: [&str; 9] = [
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_DEFAULT_HASH",
    "GIT_DEFAULT_REF_FORMAT",
    "GIT_TEMPLATE_DIR",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_isolated_env_knows_no_variable_and_takes_them_from_commands() {
        let env = Env::in_dir("/").expect("absolute");
        assert_eq!((env.variable("PWD"), env.variable("GIT_DIR")), (None, None));
        let mut command = Command::new("git");
        env.lay_on(&mut command);
        let removed = |name: &str| command.get_envs().any(|(key, value)| key == name && value.is_none());
        assert!(removed("GIT_DIR") && removed("GIT_INDEX_FILE") && removed("GIT_CONFIG_COUNT"));
        assert!(removed("GIT_AUTHOR_NAME") && removed("GIT_COMMITTER_DATE"));
    }

    #[test]
    fn a_variable_of_an_isolated_env_is_its_commands() {
        let env = Env::in_dir("/").expect("absolute").with_variable("GIT_AUTHOR_DATE", "1 +0000");
        let mut command = Command::new("git");
        env.lay_on(&mut command);
        assert!(command.get_envs().any(|(key, value)| key == "GIT_AUTHOR_DATE" && value == Some("1 +0000".as_ref())));
    }

    #[test]
    fn git_lists_no_variable_of_a_repository_that_an_isolated_command_would_see() {
        let listed = Command::new("git").args(["rev-parse", "--local-env-vars"]).output().expect("git runs").stdout;
        let listed = String::from_utf8(listed).expect("names");
        let missing: Vec<_> = listed.lines().filter(|name| !GIT_VARIABLES.contains(name)).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }

    #[test]
    fn a_move_to_what_is_no_directory_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("file"), "").expect("a file");
        let env = Env::in_dir(folder.path()).expect("absolute");
        assert!(env.clone().moved_to(Path::new("file")).is_err());
        assert!(env.moved_to(Path::new("nowhere")).is_err());
    }
}
