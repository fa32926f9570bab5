//! One error on top of the layers' errors, and the way from each to code, reason and hint.
//!
//! Owns the union. What an error says is written beside its type, in its layer.

use crate::code::{Explanation, Reason};
use crate::dialect::DialectError;
use crate::git::RepoError;
use crate::git_record::GitRecordError;
use crate::history::HistoryError;
use crate::patch::{CompileError, SpliceError};
use crate::path::{PathError, RepoPath};
use crate::policy::ConfigError;
use crate::policy::Finding;
use crate::transaction::TransactionError;
use crate::worktree::WorktreeError;

/// Whatever a use case can fail with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes are no request.
    #[error("{}", .0.explain().message)]
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
    /// The edits do not fit the file.
    #[error("{error}")]
    Compile {
        /// Of the file.
        path: RepoPath,
        /// Which edit, and why.
        error: Box<CompileError>,
        /// Edits of the request before the first one compiled (claude-code's first edit makes the file).
        offset: usize,
    },
    /// A place below the root.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// The files.
    #[error(transparent)]
    Transaction(#[from] TransactionError),
    /// The history.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Recording in git.
    #[error(transparent)]
    GitRecord(#[from] GitRecordError),
    /// Splices that should fit do not: a defect.
    #[error("a patch that was computed does not hold ({0}); this is a bug of redraft, and nothing was written")]
    Bug(#[from] SpliceError),
    /// The system, outside of transactions.
    #[error("cannot {verb} {what}: {source}; send the request again, and look at the disk if it fails again")]
    Io {
        /// What was being done.
        verb: &'static str,
        /// To what.
        what: String,
        /// The system's words.
        source: std::io::Error,
    },
}

impl From<DialectError> for Error {
    fn from(error: DialectError) -> Self {
        Self::Dialect(Box::new(error))
    }
}

impl Error {
    /// An error of the operating system, with what was being done.
    pub fn io(verb: &'static str, what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { verb, what, source }
    }

    /// What to tell the caller.
    pub fn explain(&self) -> Explanation {
        match self {
            Self::Dialect(error) => error.explain(),
            Self::Path(error) => error.explain(),
            Self::Config(error) => error.explain(),
            Self::Repo(error) => error.explain(),
            Self::Finding(error) => error.explain(),
            Self::Compile { path, error, offset } => {
                let mut told = error.explain().at_path(path.to_string_lossy());
                told.failed_index = told.failed_index.map(|index| index + offset);
                told
            }
            Self::Worktree(error) => error.explain(),
            Self::Transaction(error) => error.explain(),
            Self::History(error) => error.explain(),
            Self::GitRecord(error) => error.explain(),
            Self::Bug(_) => Explanation::new(Reason::Bug, self.to_string()),
            Self::Io { .. } => Explanation::new(Reason::Io, self.to_string()),
        }
    }

    /// The same error; where it says that the file changed, also whether the edits still fit.
    #[must_use]
    pub fn still_applies(mut self, fits: bool) -> Self {
        if let Self::Finding(Finding::ChangedSinceRead { still_applies, .. }) = &mut self {
            *still_applies = fits;
        }
        self
    }

    /// Whether the state of the files is at fault, so that finishing an interrupted transaction first may help.
    pub fn may_be_half_way(&self) -> bool {
        matches!(self, Self::Compile { .. } | Self::Finding(_) | Self::Worktree(_) | Self::Transaction(_))
    }
}
