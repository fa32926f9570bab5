//! Why a repository cannot be used.
//!
//! Owns the causes. Does not know what to do about them: that is told in `advice/`.

use crate::code::Reason;
use std::path::PathBuf;

/// Why the repository cannot be opened or read.
#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    /// No git repository holds the directory.
    #[error("{0:?} is not inside a git repository")]
    NotARepository(PathBuf),
    /// A file `.git` that leads to no repository stands nearer than the repository that holds the directory.
    #[error("{0:?} leads to no git repository, so git does not work there")]
    BrokenGitFile(PathBuf),
    /// What git would take for an option.
    #[error("{0:?} can be no remote: it is empty, or begins with `-`")]
    BadRemote(String),
    /// The repository has no working tree.
    #[error("the repository {0:?} is bare, so it has no files to edit")]
    Bare(PathBuf),
    /// The directory is git's own, where there is no working tree.
    #[error("{0:?} is inside the git directory, where there are no files to edit")]
    InsideGitDir(PathBuf),
    /// The repository belongs to somebody else.
    #[error("the repository at {0:?} belongs to another user, so git does not trust its configuration")]
    UnsafeOwner(PathBuf),
    /// The repository has a format that redraft cannot read.
    #[error("the repository uses {extension}, which redraft cannot read")]
    Unsupported {
        /// As it stands in the configuration, such as `extensions.refstorage=reftable`.
        extension: String,
    },
    /// A value in git's configuration has the wrong type.
    #[error("git config {key} is {value:?}, but {wanted} is needed")]
    Config {
        /// The key.
        key: String,
        /// What stands there.
        value: String,
        /// What should.
        wanted: &'static str,
    },
    /// A file is not in the encoding that git's attributes give it, so that git would not take it.
    #[error("{path} is not {encoding}, as its working-tree-encoding says, so git does not take it")]
    NotInTreeEncoding {
        /// Of the file.
        path: String,
        /// By its name.
        encoding: &'static str,
    },
    /// The operating system refused something.
    #[error("cannot {verb} {path:?}: {source}")]
    Io {
        /// Such as `read`.
        verb: &'static str,
        /// Of what.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// What stands in the place of a file of git's rules cannot be read as one.
    #[error("cannot read git's rules in {file:?}: {why}")]
    BadRules {
        /// `.gitignore` or `.gitattributes`.
        file: PathBuf,
        /// As a sentence goes on.
        why: &'static str,
    },
    /// Git itself, run as a program, failed.
    #[error("`git {command}` failed: {output}")]
    Program {
        /// Its first argument.
        command: String,
        /// What it said.
        output: String,
    },
    /// Somebody else holds the index.
    #[error("another git process holds {lock:?}, and did not release it within {waited_ms} ms")]
    IndexLocked {
        /// The lock file.
        lock: PathBuf,
        /// Milliseconds.
        waited_ms: u64,
    },
    /// Somebody else holds a ref.
    #[error(
        "another git process holds {}, and did not go on within {waited_ms} ms, so HEAD cannot move",
        listed(locks)
    )]
    RefLocked {
        /// The lock files, of HEAD and of its branch.
        locks: Vec<PathBuf>,
        /// Milliseconds.
        waited_ms: u64,
    },
    /// The path is in the way of another one, in a tree of git.
    #[error("{0} cannot be in git, because a file is where its directory would be")]
    InTheWay(String),
    /// The repository's own files cannot be read.
    #[error("cannot {verb}: {cause}")]
    Git {
        /// Such as `read HEAD`.
        verb: &'static str,
        /// gix's words.
        cause: String,
    },
}

fn listed(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("{path:?}")).collect::<Vec<_>>().join(" and ")
}

impl RepoError {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::NotARepository(_) | Self::BrokenGitFile(_) => Reason::NotARepository,
            Self::BadRemote(_) => Reason::BadType,
            Self::Bare(_) => Reason::BareRepository,
            Self::InsideGitDir(_) => Reason::GitInternals,
            Self::UnsafeOwner(_) => Reason::UnsafeOwner,
            Self::Unsupported { .. } => Reason::UnsupportedRepository,
            Self::Config { .. } => Reason::BadType,
            Self::IndexLocked { .. } => Reason::IndexLockTimeout,
            Self::RefLocked { .. } => Reason::LockTimeout,
            Self::InTheWay(_) => Reason::DoesNotFitHead,
            Self::NotInTreeEncoding { .. } => Reason::UnsupportedEncoding,
            Self::Io { .. } | Self::BadRules { .. } | Self::Git { .. } | Self::Program { .. } => Reason::Io,
        }
    }

    /// Wraps an error of gix; `verb` says what could not be done.
    pub(crate) fn git(verb: &'static str) -> impl FnOnce(gix::Error) -> Self {
        move |err| {
            let mut cause = String::new();
            for part in err.iter_errors().map(ToString::to_string) {
                if !part.is_empty() && !cause.contains(&part) {
                    cause = if cause.is_empty() { part } else { format!("{cause}: {part}") };
                }
            }
            Self::Git { verb, cause }
        }
    }
}
