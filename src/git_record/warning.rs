//! What went wrong after an edit was final in git.
//!
//! Owns the facts. What is said of them stands in `advice/`.

use super::error::GitRecordError;
use crate::git::RepoError;
use crate::path::RepoPath;
use std::io;

/// The edit is in git, and this is not as it should be.
#[derive(Debug)]
pub enum GitWarning {
    /// Which commit the record is in could not be noted.
    CommitNotNoted(io::Error),
    /// A hook changed these files in the commit, or added them.
    HookChanges(Vec<RepoPath>),
    /// A hook changed files of the commit, and the index does not have that.
    HookChangesNotStaged(GitRecordError),
    /// The commit is made, and the index does not have it.
    IndexNotUpdated(RepoError),
    /// The edit is in one index, and not in the one that git had prepared for after the commit.
    OtherIndexNotUpdated(RepoError),
    /// The file is taken back, and what is staged of it is not what was recorded.
    StagedStays(RepoPath),
}
