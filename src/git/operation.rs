//! A merge, rebase or the like that is half done.

use super::{Repo, RepoError};
use crate::id::CommitId;

/// What git was told to do and has not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is git's own word")]
pub enum Operation {
    Merge,
    CherryPick,
    Revert,
    Rebase,
    Am,
}

impl Operation {
    /// Git's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::CherryPick => "cherry-pick",
            Self::Revert => "revert",
            Self::Rebase => "rebase",
            Self::Am => "am",
        }
    }
}

impl Repo {
    /// The commits that are being merged into HEAD; none where no merge is going on.
    ///
    /// # Errors
    /// Where git's list of them cannot be read.
    pub fn merged(&self) -> Result<Vec<CommitId>, RepoError> {
        let path = self.git_dir().join("MERGE_HEAD");
        match std::fs::read_to_string(&path) {
            Ok(ids) => Ok(ids.lines().filter_map(|id| id.trim().parse().ok()).collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(RepoError::Io { verb: "read", path, source }),
        }
    }

    /// What is in progress in this worktree and would take a new git commit for its own. A bisection would not.
    pub fn operation(&self) -> Option<Operation> {
        let has = |name: &str| self.git_dir().join(name).exists();
        let marks = [
            ("MERGE_HEAD", Operation::Merge),
            ("CHERRY_PICK_HEAD", Operation::CherryPick),
            ("REVERT_HEAD", Operation::Revert),
            ("rebase-merge", Operation::Rebase),
            ("rebase-apply/applying", Operation::Am),
            ("rebase-apply", Operation::Rebase),
            ("sequencer", Operation::CherryPick),
        ];
        marks.into_iter().find(|(name, _)| has(name)).map(|(_, operation)| operation)
    }
}
