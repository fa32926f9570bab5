//! New indexes that wait as git's own lock files, and take their places after the files.
//!
//! Owns how recovery is told of them. Invariant: dropping one takes its lock away.

use super::edit::{DoneInGit, GitResult};
use super::error::GitRecordError as Error;
use super::warning::GitWarning;
use crate::git::{Index, IndexChange, IndexLock, Repo};
use crate::record::{LockedIndex, PendingGit, StagedVersion};
use std::path::Path;

/// A new index that waits as the lock file of the old one.
pub(super) struct WaitingIndex<'a> {
    lock: IndexLock<'a>,
    /// As recovery wants it.
    pub locked: LockedIndex,
}

impl<'a> WaitingIndex<'a> {
    /// Writes `old` with the changes as the lock file.
    pub fn write(repo: &Repo, lock: IndexLock<'a>, old: &Index, changes: &[IndexChange]) -> Result<Self, Error> {
        let id = lock.write(old, changes)?;
        // Relative to the git directory, so that the record holds no path of this machine.
        let below = |path: &Path| path.strip_prefix(repo.git_dir()).unwrap_or(path).to_owned();
        let locked = LockedIndex { index: below(lock.index()), lock: below(lock.lock()), id };
        Ok(Self { lock, locked })
    }

    /// Puts it in its place, after a commit that is made: what goes wrong is a warning.
    pub fn follow_commit(waiting: &mut Option<Self>) -> Option<GitWarning> {
        waiting.take()?.lock.commit().err().map(GitWarning::IndexNotUpdated)
    }
}

/// Indexes that are all that changes, in the order of their locks.
pub(super) struct WaitingIndexes<'a> {
    pub waiting: Vec<WaitingIndex<'a>>,
    /// What becomes of the files that are staged by it.
    pub staged: Vec<StagedVersion>,
}

impl WaitingIndexes<'_> {
    /// What is to come.
    pub fn pending(&self) -> PendingGit {
        let indexes = self.waiting.iter().map(|waiting| waiting.locked.clone()).collect();
        PendingGit { indexes, staged: self.staged.clone(), ..PendingGit::default() }
    }

    /// Puts them in their places; with the first one the edit is final.
    ///
    /// # Errors
    /// Where the first one cannot be.
    pub fn finish(&mut self) -> Result<DoneInGit, Error> {
        let mut warnings = Vec::new();
        for (n, waiting) in std::mem::take(&mut self.waiting).into_iter().enumerate() {
            match waiting.lock.commit() {
                Ok(()) => {}
                Err(error) if n == 0 => return Err(error.into()),
                Err(error) => warnings.push(GitWarning::OtherIndexNotUpdated(error)),
            }
        }
        Ok(DoneInGit { made: GitResult::Nothing, warnings })
    }
}
