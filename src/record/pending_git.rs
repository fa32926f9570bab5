//! What an edit is to become in git once its files are in place: by this recovery finds out whether it did.
//!
//! Owns the types. Does not look at git.

use crate::id::{BlobId, CommitId};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is to become true in git.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PendingGit {
    /// The ref that moves, such as `HEAD` or `refs/stash`; none where only the index changes.
    pub reference: Option<String>,
    /// Where it moves to; none where git itself makes the commit, which is then known by its trailer.
    pub commit: Option<CommitId>,
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
    pub id: BlobId,
}
