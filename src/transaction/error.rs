//! What can go wrong with files.
//!
//! Owns the causes. Does not know what to do about them: that is told in `advice/`.

use crate::code::Reason;
use crate::id::RecordId;
use crate::worktree::{WorktreeError, io_reason};
use std::error::Error as StdError;
use std::io;

/// An error of the transaction layer.
#[derive(Debug, thiserror::Error)]
pub enum TransactionError {
    /// A place below the root cannot be used.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// There is no backup of such a record, or several match.
    #[error("no single backup is of a record {0:?}")]
    NoSuchBackup(String),
    /// The lock was not free in time.
    #[error("another redraft ({holder}) holds the lock, and did not release it within {waited_ms} ms")]
    LockTimeout {
        /// Process and start, as the lock file says.
        holder: String,
        /// Milliseconds.
        waited_ms: u64,
    },
    /// It cannot be done together with those that wait for their sync; never told to anybody, for it is done behind them.
    #[error("other edits of this working tree are on their way")]
    Postponed,
    /// A transaction was interrupted and neither of its ends can be reached without a person.
    #[error("an earlier transaction ({id}) was interrupted and cannot be finished: {what}")]
    RecoveryNeeded {
        /// Of the transaction.
        id: RecordId,
        /// What stands in the way.
        what: String,
        /// Where both versions are.
        versions: String,
    },
    /// Whether git has the edit of an interrupted transaction cannot be found out.
    #[error(
        "an earlier transaction ({id}) was interrupted, and whether git has its edit cannot be found out: {source}"
    )]
    Unsettled {
        /// Of the transaction.
        id: RecordId,
        /// Of the step in git.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A verification failed, and the transaction was undone.
    #[error("verification failed: `{command}` {how}")]
    VerifyFailed {
        /// As it was run.
        command: String,
        /// Its exit status in words.
        how: String,
        /// Standard output and error; of much only both ends.
        output: String,
        /// Whether it ran past its limit.
        timed_out: bool,
    },
    /// The follow-up outside of the working tree failed, and the transaction was undone. What it is, is not known here.
    #[error("{0}")]
    FollowUp(Box<dyn StdError + Send + Sync>),
    /// The operating system failed.
    #[error("cannot {verb} {path}: {source}")]
    Io {
        /// What was being done.
        verb: &'static str,
        /// To what.
        path: String,
        /// The system's words.
        source: io::Error,
    },
}

impl TransactionError {
    /// An error of the operating system, with what was being done.
    pub fn io(verb: &'static str, path: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { verb, path, source }
    }

    /// The finer cause; [`Self::FollowUp`] is whatever its own cause is, which the layer above knows.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Worktree(error) => error.reason(),
            Self::NoSuchBackup(_) => Reason::NoSuchRecord,
            Self::LockTimeout { .. } | Self::Postponed => Reason::LockTimeout,
            Self::RecoveryNeeded { .. } | Self::Unsettled { .. } => Reason::RecoveryNeeded,
            Self::VerifyFailed { timed_out: true, .. } => Reason::VerifyTimeout,
            Self::VerifyFailed { timed_out: false, .. } => Reason::VerifyFailed,
            Self::FollowUp(_) => Reason::Io,
            Self::Io { source, .. } => io_reason(source),
        }
    }
}
