//! What can go wrong with files, and what to tell the caller.

use crate::code::{Explanation, Reason};
use crate::id::RecordId;
use crate::worktree::{WorktreeError, explain_io};
use std::io;

/// An error of the transaction layer.
#[derive(Debug, thiserror::Error)]
pub enum TransactionError {
    /// A place below the root cannot be used.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// There is no backup of such a record, or several match.
    #[error("no single backup is of a record {0:?}; `redraft backups list` shows them")]
    NoSuchBackup(String),
    /// The lock was not free in time.
    #[error(
        "another redraft ({holder}) holds the lock, and did not release it within {waited_ms} ms; try again, or wait longer with --lock-timeout"
    )]
    LockTimeout {
        /// Process and start, as the lock file says.
        holder: String,
        /// Milliseconds.
        waited_ms: u64,
    },
    /// A transaction was interrupted and neither of its ends can be reached without a person.
    #[error(
        "an earlier transaction ({id}) was interrupted and cannot be finished: {what}; both versions are kept: {versions}"
    )]
    RecoveryNeeded {
        /// Of the transaction.
        id: RecordId,
        /// What stands in the way.
        what: String,
        /// Where both versions are.
        versions: String,
    },
    /// A verification failed, and the transaction was undone.
    #[error(
        "verification failed: `{command}` {how}; the edit was undone, nothing is changed; look at data.hint.output, then send a better edit"
    )]
    VerifyFailed {
        /// As it was run.
        command: String,
        /// Its exit status in words.
        how: String,
        /// Standard output and error, the last 8 KiB.
        output: String,
        /// Whether it ran past its limit.
        timed_out: bool,
    },
    /// The follow-up outside of the working tree failed, and the transaction was undone.
    #[error("{}", .0.message)]
    FollowUp(Box<Explanation>),
    /// A test asked for a stop here.
    #[error("stopped by a test before: {0}")]
    Stopped(String),
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

    /// What to tell the caller.
    pub fn explain(&self) -> Explanation {
        let told = |reason| Explanation::new(reason, self.to_string());
        match self {
            Self::Worktree(error) => error.explain(),
            Self::NoSuchBackup(_) => told(Reason::NoSuchRecord),
            Self::LockTimeout { holder, waited_ms } => {
                told(Reason::LockTimeout).with_hint("holder", holder.as_str()).with_hint("waited_ms", *waited_ms)
            }
            Self::RecoveryNeeded { id, versions, .. } => {
                told(Reason::RecoveryNeeded).with_hint("record", id.as_str()).with_hint("versions", versions.as_str())
            }
            Self::VerifyFailed { output, timed_out, .. } => {
                let reason = if *timed_out { Reason::VerifyTimeout } else { Reason::VerifyFailed };
                told(reason).with_hint("output", output.as_str())
            }
            Self::FollowUp(told) => (**told).clone(),
            Self::Stopped(_) => told(Reason::Io),
            Self::Io { path, source, .. } => explain_io(self.to_string(), path, source),
        }
    }
}
