//! What an edit is to become in git once its files are in place: by this recovery finds out whether it did.
//!
//! Owns the types. Does not look at git.

use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is to become true in git.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PendingGit {
    /// The ref that moves, such as `HEAD` or `refs/stash`; none where only the index changes.
    pub reference: Option<String>,
    /// Where it moves to; none where git itself makes the commit, which is then known by its trailer.
    pub commit: Option<CommitId>,
    /// The record whose trailer git's commit has, where the transaction itself has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordId>,
    /// New indexes, waiting as git's own lock files.
    pub indexes: Vec<LockedIndex>,
    /// What of files is staged by it, where nothing is committed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub staged: Vec<StagedVersion>,
}

/// The staged versions of a file before an edit and after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StagedVersion {
    /// Where it is afterwards (for a deletion: where it was).
    pub path: RepoPath,
    /// None where it was not staged.
    pub before: Option<BlobId>,
    /// None where it goes.
    pub after: Option<BlobId>,
}

/// A new index that waits as the lock file of the old one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedIndex {
    /// The index; relative to the git directory where it is in it.
    pub index: PathBuf,
    /// Its lock file, with the new contents.
    pub lock: PathBuf,
    /// The sum with which the new contents end, or, where they have none, their blob id.
    pub id: BlobId,
}
