//! The files of the working tree, as an undo looks at them.
//!
//! Owns what may be asked of them. Reads nothing itself: who calls has the tree, the index and the history at hand.

use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::Record;
use crate::worktree::WorktreeError;

/// What is in a file of the working tree; none where there is no file.
pub(super) type Found = Result<Option<Vec<u8>>, WorktreeError>;

/// The regular files of the working tree with their lengths; none where they are too many to look at.
pub type Listed = Option<Vec<(RepoPath, u64)>>;

/// Files, with what git had of each.
pub type Had = Vec<(RepoPath, Vec<u8>)>;

/// The files of the working tree, as an undo looks at them.
pub struct Files<'a> {
    /// The text of a file as it is.
    pub read: &'a dyn Fn(&RepoPath) -> Found,
    /// Whether a symbolic link stands at a path, or on the way to it: then there is no file of that path, and no room for one.
    pub leads_elsewhere: &'a dyn Fn(&RepoPath) -> bool,
    /// Whether a folder stands at a path, or a file on the way to it: then there is no file of that path, and no room for one.
    pub is_of_other_kind: &'a dyn Fn(&RepoPath) -> bool,
    /// The Unix permission bits of a file.
    pub mode: &'a dyn Fn(&RepoPath) -> Option<u32>,
    /// When a file got its name, its text or its mode last, in ms since 1970, not earlier than that was, but where its text is much older;
    /// none where that is not told.
    pub changed_at: &'a dyn Fn(&RepoPath) -> Option<i64>,
    /// All files.
    pub list: &'a dyn Fn() -> Listed,
    /// Whether git had a file at a path when a record was made.
    pub was_tracked: &'a dyn Fn(&Record, &RepoPath) -> bool,
    /// What git had of a file when a record was made.
    pub had: &'a dyn Fn(&Record, &RepoPath) -> Option<Vec<u8>>,
    /// The files that git had when a record was made and that are otherwise now, or gone, with what it had.
    pub changed_since: &'a dyn Fn(&Record) -> Had,
    /// The files that HEAD has, that git did not have when a record was made, and that are gone, with what HEAD has.
    pub lost_since: &'a dyn Fn(&Record) -> Had,
    /// What HEAD has of a file.
    pub in_head: &'a dyn Fn(&RepoPath) -> Option<BlobId>,
    /// Whether git's index has a path now.
    pub is_tracked: &'a dyn Fn(&RepoPath) -> bool,
    /// Whether git ignores a path.
    pub is_ignored: &'a dyn Fn(&RepoPath) -> bool,
    /// What is staged of a file and is not in HEAD, where git stores the bytes of files as they are.
    pub staged: &'a dyn Fn(&RepoPath) -> Option<Vec<u8>>,
}
