//! What is told of a transaction that failed.
//!
//! Owns the next steps for [`TransactionError`].

use super::{Explanation, worktree};
use crate::dialect::Words;
use crate::transaction::TransactionError;

/// What to tell the caller.
pub(super) fn explain(error: &TransactionError, words: &Words) -> Explanation {
    use TransactionError as E;
    let told = |next: &str| Explanation::of(error.reason(), error, next);
    match error {
        E::Worktree(error) => worktree::explain(error, words),
        E::NoSuchBackup(_) => told("`redraft backups list` shows them"),
        E::LockTimeout { holder, waited_ms } => told("try again, or wait longer with --lock-timeout")
            .with_hint("holder", holder.as_str())
            .with_hint("waited_ms", *waited_ms),
        E::Postponed => told("send it again"),
        E::RecoveryNeeded { id, versions, .. } => {
            let next = format!(
                "both versions are kept: {versions}; put the one that is wanted in its place, then run `redraft recover`"
            );
            told(&next).with_hint("record", id.as_str()).with_hint("versions", versions.as_str())
        }
        E::Unsettled { id, .. } => told("put that right, then run `redraft recover`").with_hint("record", id.as_str()),
        E::VerifyFailed { output, .. } => {
            told("the edit was undone, nothing is changed; read what it printed, then send a better edit")
                .with_output(output)
        }
        E::FollowUp(_) => told("the edit was undone, nothing is changed; send it again"),
        E::Io { path, source, .. } => worktree::system(error, path, source),
    }
}
