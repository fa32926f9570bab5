//! An edit that is done within another one, between its intent and its sync: both share that.
//!
//! Owns which can be, and that all others are done behind it, as if they had not been tried.

use super::Flow;
use crate::error::Error;
use crate::git_record::GitTarget;
use crate::record::RecordClass;
use crate::task::Judged;
use crate::transaction::{PlannedFile, Transaction, TransactionError};
use crate::worktree::Root;

impl Flow<'_> {
    /// Whether another edit of this tree waits for its sync, and has the lock.
    pub(super) fn is_within_another(&self) -> bool {
        self.group.is_some_and(|group| group.is_open())
    }

    /// Joins the one that has the lock.
    pub(super) fn join(&self, root: Root) -> Result<Transaction, TransactionError> {
        let is_plain =
            matches!(self.git, GitTarget::Nothing) && self.verify.is_none() && self.class == RecordClass::Edit;
        let group = self.group.filter(|_| is_plain);
        group.and_then(|group| group.join(root, self.env)).ok_or(TransactionError::Postponed)
    }

    /// Whether others may be done while these files are about to change: not where one of them says how others are written, or who
    /// may write them.
    pub(super) fn may_be_joined(&self, files: &[PlannedFile]) -> bool {
        let Some(rules) = self.repo.rule_files() else { return false };
        let is_rule = |file: &PlannedFile| file.base_meta().is_some_and(|meta| rules.contains(&meta.identity));
        !files.iter().any(is_rule)
    }

    /// Refuses what changes a file that another one is about to change, or more than its text.
    pub(super) fn refuse_touched(&self, judged: &[Judged]) -> Result<(), TransactionError> {
        match self.group.filter(|group| group.is_open()) {
            Some(group) if !group.takes(judged.iter().map(|file| &file.planned)) => Err(TransactionError::Postponed),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses to tell what would be done, while files are about to change that were to be changed before.
    pub(super) fn refuse_to_look_within(&self) -> Result<(), TransactionError> {
        if self.is_within_another() { Err(TransactionError::Postponed) } else { Ok(()) }
    }

    /// What fails within another one may fit behind it, and is told only then.
    pub(super) fn postpone_after(&self, error: &Error) {
        // What neither went through nor could be taken back is no more what was asked for.
        let is_unfinished = matches!(error, Error::Transaction(TransactionError::RecoveryNeeded { .. }));
        if let Some(group) = self.group.filter(|group| group.is_open() && !is_unfinished) {
            group.postpone();
        }
    }
}
