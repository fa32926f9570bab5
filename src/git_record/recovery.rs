//! What a transaction has to do in git once its files are in place: move a ref, put a new index in its place.
//!
//! Owns how recovery finds out whether that was done. Does not do it: that is `prepared.rs`.
//! Invariant: where git knows of the edit, the edit stays; where it does not, the files go back and git's locks go away.

use super::commit_by_git::COMMIT_INDEX;
use crate::env::is_at_work;
use crate::git::{Sought, is_index, ref_was_at, release_left_lock};
use crate::id::BlobId;
use crate::record::{LockedIndex, PendingGit};
use crate::transaction::{Intent, Settle, TransactionError as Error};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A waiting index, with whole paths.
struct Waiting {
    index: PathBuf,
    lock: PathBuf,
    id: BlobId,
}

impl Waiting {
    fn of(LockedIndex { index, lock, id }: &LockedIndex, git_dir: &Path) -> Self {
        Self { index: git_dir.join(index), lock: git_dir.join(lock), id: *id }
    }

    /// Whether the lock file is still there, and ours.
    fn is_waiting(&self) -> Result<bool, Error> {
        match fs::read(&self.lock) {
            Ok(bytes) => Ok(is_index(&bytes, self.id)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::io("read", shown(&self.lock))(error)),
        }
    }
}

/// Finds out for recovery what became of an edit in git.
pub struct Recovery<'a> {
    git_dir: &'a Path,
}

impl<'a> Recovery<'a> {
    /// For the worktree with this git directory.
    pub fn of(git_dir: &'a Path) -> Self {
        Self { git_dir }
    }
}

impl Settle for Recovery<'_> {
    fn settle(&self, intent: &Intent) -> Result<bool, Error> {
        let Some(pending) = &intent.meta.git else { return Ok(false) };
        if pending.reference.is_some() && pending.commit.is_none() {
            wait_for_git(intent)?;
        }
        let mut waiting = Vec::new();
        for index in pending.indexes.iter().map(|index| Waiting::of(index, self.git_dir)) {
            if index.is_waiting()? {
                waiting.push(index);
            }
        }
        let is_done = match &pending.reference {
            Some(name) => self.moved(name, pending, intent)?,
            // The indexes go to their places one after the other, after the files.
            None => waiting.len() < pending.indexes.len(),
        };
        for index in waiting {
            let done = if is_done { fs::rename(&index.lock, &index.index) } else { fs::remove_file(&index.lock) };
            done.map_err(Error::io("settle", shown(&index.lock)))?;
        }
        Ok(is_done)
    }

    fn release(&self, left: &Path) -> Result<(), Error> {
        release_left_lock(self.git_dir, left)
            .map_err(Error::io("remove the lock of a killed run, noted in", shown(left)))
    }
}

impl Recovery<'_> {
    /// Whether the ref moved to the edit's commit; where git was to make that, it is known by its trailer.
    fn moved(&self, name: &str, pending: &PendingGit, intent: &Intent) -> Result<bool, Error> {
        let trailer = format!("Redraft-Id: {}", pending.record.as_ref().unwrap_or(&intent.id));
        let sought = match (pending.commit, &pending.record) {
            (Some(commit), _) => Sought::Commit(commit),
            (None, None) => Sought::Line(&trailer),
            // Of one record there may be several commits.
            (None, Some(_)) => Sought::LineOn(&trailer, intent.meta.base),
        };
        ref_was_at(self.git_dir, name, sought)
            .map_err(|error| Error::Unsettled { id: intent.id.clone(), source: Box::new(error) })
    }
}

/// So long git is waited for, which goes on with its commit where only redraft was killed.
const LONGEST: Duration = Duration::from_secs(3);

/// As long as git works with an index of redraft's, nobody knows what becomes of its commit, and the index has to stay.
fn wait_for_git(intent: &Intent) -> Result<(), Error> {
    let index = format!("{COMMIT_INDEX}-{}", intent.id);
    let mut waited = Duration::ZERO;
    while is_at_work("git", &index) {
        if waited >= LONGEST {
            let source = Box::new(std::io::Error::other("git is still making its commit; wait until it is done"));
            return Err(Error::Unsettled { id: intent.id.clone(), source });
        }
        std::thread::sleep(PAUSE);
        waited += PAUSE;
    }
    Ok(())
}

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
