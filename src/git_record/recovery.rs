//! What a transaction has to do in git once its files are in place: move a ref, put a new index in its place.
//!
//! Owns how recovery finds out whether that was done. Does not do it: that is `apply/`.
//! Invariant: where git knows of the edit, the edit stays; where it does not, the files go back and git's locks go away.

use super::landing_ref::has_landed;
use crate::code::{Explanation, Reason};
use crate::git::blob_id;
use crate::transaction::{Intent, Settle, TransactionError as Error};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The key of [`RecordMeta::extra`](super::RecordMeta) under which an intent keeps its [`Landing`].
pub const LANDING: &str = "landing";

/// What is to become true in git.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Landing {
    /// The ref that moves, such as `HEAD` or `refs/stash`; none where only the index changes.
    pub reference: Option<String>,
    /// Where it moves to; none where git itself makes the commit, which is then known by its trailer.
    pub commit: Option<String>,
    /// New indexes, waiting as git's own lock files.
    pub indexes: Vec<LockedIndex>,
}

/// A new index that waits as the lock file of the old one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedIndex {
    /// The index; relative to the git directory where it is in it.
    pub index: PathBuf,
    /// Its lock file, with the new contents.
    pub lock: PathBuf,
    /// Git blob id of the new contents.
    pub id: crate::id::BlobId,
}

impl LockedIndex {
    /// With whole paths.
    fn in_dir(&self, git_dir: &Path) -> Self {
        Self { index: git_dir.join(&self.index), lock: git_dir.join(&self.lock), id: self.id }
    }

    /// Whether the lock file is still there, and ours.
    fn is_waiting(&self) -> Result<bool, Error> {
        match fs::read(&self.lock) {
            Ok(bytes) => Ok(blob_id(&bytes) == self.id),
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
        let Some(value) = intent.meta.extra.get(LANDING) else { return Ok(false) };
        let Ok(landing) = serde_json::from_value::<Landing>(value.clone()) else { return Ok(false) };
        let mut waiting = Vec::new();
        for index in landing.indexes.iter().map(|index| index.in_dir(self.git_dir)) {
            if index.is_waiting()? {
                waiting.push(index);
            }
        }
        let landed = match &landing.reference {
            Some(name) => has_landed(self.git_dir, name, landing.commit.as_deref(), &intent.id).map_err(|error| {
                let told = error.explain();
                Error::Landing(Box::new(Explanation::new(Reason::RecoveryNeeded, told.message)))
            })?,
            // The indexes go to their places one after the other, after the files.
            None => waiting.len() < landing.indexes.len(),
        };
        for index in waiting {
            let done = if landed { fs::rename(&index.lock, &index.index) } else { fs::remove_file(&index.lock) };
            done.map_err(Error::io("settle", shown(&index.lock)))?;
        }
        Ok(landed)
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
