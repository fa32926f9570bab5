//! When a commit was made: what git, the log of HEAD and the disk say of it.
//!
//! Owns these facts, each with what it is worth; what follows from them is decided by who asks. A date is what somebody's clock said, or
//! what a variable was set to; a file's time is this disk's, and later than the commit where it was fetched, copied or packed.

use super::{HeadMove, ObjectId, Repo};
use crate::id::CommitId;
use std::time::UNIX_EPOCH;

impl Repo {
    /// The seconds since 1970-01-01 UTC that a commit has as the time when it was made; none where it is not here or says nothing.
    pub fn commit_date(&self, id: CommitId) -> Option<i64> {
        Some(self.gix().ok()?.find_commit(id.to_gix()).ok()?.committer().ok()?.seconds())
    }

    /// When the file of a commit was written last, milliseconds since 1970-01-01 UTC; none where it has none of its own here.
    pub fn commit_file_time(&self, id: CommitId) -> Option<i64> {
        let written = std::fs::symlink_metadata(self.loose_file(&id.to_string())).ok()?.modified().ok()?;
        i64::try_from(written.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
    }

    /// The moves of HEAD that its log has, oldest first; none where there is no log.
    pub fn head_moves(&self) -> Vec<HeadMove> {
        self.head_moves_until(&|_| false).unwrap_or_default()
    }
}
