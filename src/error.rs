//! One error on top of the layers' errors.
//!
//! Owns the union, and the way from each to its reason. What is said to a caller about them stands in `advice/`.

use crate::code::Reason;
use crate::dialect::DialectError;
use crate::git::RepoError;
use crate::git_record::GitRecordError;
use crate::history::HistoryError;
use crate::patch::{CompileError, SpliceError};
use crate::path::{PathError, RepoPath};
use crate::policy::ConfigError;
use crate::policy::{CommitRefusal, EditsNow, Finding};
use crate::transaction::TransactionError;
use crate::worktree::WorktreeError;

/// Whatever a use case can fail with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes are no request.
    #[error(transparent)]
    Dialect(Box<DialectError>),
    /// A path is none of a file below the root.
    #[error(transparent)]
    Path(#[from] PathError),
    /// Git's configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The repository.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// A check.
    #[error(transparent)]
    Finding(#[from] Finding),
    /// About a path, where others may be meant.
    #[error("{error}")]
    Near {
        /// The error.
        error: Box<Self>,
        /// What may be meant.
        near: Box<NearPaths>,
    },
    /// The edits do not fit the file.
    #[error("{error}")]
    Compile {
        /// Of the file.
        path: RepoPath,
        /// Which edit, and why.
        error: Box<CompileError>,
    },
    /// A place below the root.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// The files.
    #[error(transparent)]
    Transaction(TransactionError),
    /// The history.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Recording in git.
    #[error(transparent)]
    GitRecord(#[from] GitRecordError),
    /// A git commit of the user.
    #[error(transparent)]
    CommitRefused(#[from] CommitRefusal),
    /// Lines of a file.
    #[error(transparent)]
    NoSuchLines(#[from] NoSuchLines),
    /// Splices that should fit do not: a defect.
    #[error("a patch that was computed does not hold ({0})")]
    Bug(#[from] SpliceError),
    /// The system, outside of transactions.
    #[error("cannot {verb} {what}: {source}")]
    Io {
        /// What was being done.
        verb: &'static str,
        /// To what.
        what: String,
        /// The system's words.
        source: std::io::Error,
    },
}

/// Lines that a file does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchLines {
    /// Its number is too large.
    #[error("there is no line {line}, the file has {lines}")]
    Beyond {
        /// The number, from 1.
        line: usize,
        /// So many there are.
        lines: usize,
    },
    /// None is as it should be.
    #[error("no line behind line {after} matches {expression:?}")]
    Unmatched {
        /// What they were to match.
        expression: String,
        /// The number of the last that was not looked at, from 1.
        after: usize,
    },
}

/// Paths that may be meant by one that is none, as the caller would send them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearPaths {
    /// Of files that there are, nearest first.
    pub names: Vec<String>,
    /// Of a file that HEAD has and the working tree lacks.
    pub in_head: Option<String>,
}

impl From<DialectError> for Error {
    fn from(error: DialectError) -> Self {
        Self::Dialect(Box::new(error))
    }
}

/// What a step in git had to say comes out as what it is.
impl From<TransactionError> for Error {
    fn from(error: TransactionError) -> Self {
        match error {
            TransactionError::FollowUp(cause) => match cause.downcast::<GitRecordError>() {
                Ok(cause) => Self::GitRecord(*cause),
                Err(cause) => Self::Transaction(TransactionError::FollowUp(cause)),
            },
            error => Self::Transaction(error),
        }
    }
}

impl Error {
    /// An error of the operating system, with what was being done.
    pub fn io(verb: &'static str, what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { verb, what, source }
    }

    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Dialect(error) => error.reason(),
            Self::Path(error) => error.reason(),
            Self::Near { error, .. } => error.reason(),
            Self::Config(error) => error.reason(),
            Self::Repo(error) => error.reason(),
            Self::Finding(error) => error.reason(),
            Self::Compile { error, .. } => error.reason(),
            Self::Worktree(error) => error.reason(),
            Self::Transaction(error) => error.reason(),
            Self::History(error) => error.reason(),
            Self::GitRecord(error) => error.reason(),
            Self::CommitRefused(error) => error.reason(),
            Self::NoSuchLines(_) => Reason::NoMatch,
            Self::Bug(_) => Reason::Bug,
            Self::Io { .. } => Reason::Io,
        }
    }

    /// The same error; where it says that the file changed, also that the edits fit it all the same.
    #[must_use]
    pub fn with_edits_that_fit(mut self) -> Self {
        if let Self::Finding(Finding::ChangedSinceRead { edits: edits @ EditsNow::Unknown, .. }) = &mut self {
            *edits = EditsNow::Fit;
        }
        self
    }

    /// Whether the state of the files is at fault, so that finishing an interrupted transaction first may help.
    pub fn may_be_half_way(&self) -> bool {
        matches!(self, Self::Compile { .. } | Self::Finding(_) | Self::Worktree(_) | Self::Transaction(_))
    }
}
