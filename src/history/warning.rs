//! What of the history is not as it should be, while the question is answered all the same.
//!
//! Owns the facts, one variant each. What there is to do about them stands in `advice/`.

use super::error::HistoryError;
use super::store::chain::Chain;
use crate::git::RepoError;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::transaction::JournalDamage;
use std::path::PathBuf;

/// Something that cannot be read, or be found out; all else is as it should be.
#[derive(Debug, thiserror::Error)]
pub enum HistoryWarning {
    /// A chain, a record or a text cannot be read, and is left out.
    #[error("{0}")]
    Unreadable(HistoryError),
    /// A record of a chain that was just fetched cannot be read.
    #[error("{}: {error}", .chain.ref_name())]
    UnreadableInFetched {
        /// Which was taken all the same.
        chain: Chain,
        /// Why not.
        error: HistoryError,
    },
    /// The backup of a record that is not sealed yet is damaged or gone, and nothing else tells what it had.
    #[error("the text that {path} had before record {record} is lost: its backup is damaged or gone")]
    OldTextLost {
        /// Of the edit.
        record: RecordId,
        /// The file.
        path: RepoPath,
    },
    /// The journal of a worktree is damaged.
    #[error("{damage} ({})", .journal.display())]
    JournalDamaged {
        /// Where.
        damage: JournalDamage,
        /// The file.
        journal: PathBuf,
    },
    /// A damaged journal was put aside, and what of it could not be read is in no other place.
    #[error("a damaged journal was put aside, and records that were in it may be missing ({})", .0.display())]
    JournalAside(PathBuf),
    /// Something of history.git was damaged or missing that holds no record, and is made anew.
    #[error("{0}")]
    Mended(String),
    /// A line of the list of review marks is damaged: it may have taken back any mark before it.
    #[error("{} has a damaged line, and the marks before it do not count", .0.display())]
    MarksCancelled(PathBuf),
    /// What cannot be read may be edits that nobody has reviewed, where a policy asks for that.
    #[error(
        "git config redraft.hookPolicy is unreviewed, and this commit may hold agent edits that are lost to damage, which nobody can have reviewed"
    )]
    MayBeUnreviewed,
    /// The journal of a worktree ends in half an entry that was whole once.
    #[error("the journal is damaged, it was cut off in the middle of an entry: what was recorded there and behind it is lost ({})", .0.display())]
    JournalCutOff(PathBuf),
    /// The git commits that hold records cannot be looked for.
    #[error("the git commits of records cannot be looked for: {0}")]
    NoCommits(HistoryError),
    /// A filter makes other lines of a file for git, so that nobody knows which is which.
    #[error("{0}: git has other lines than the working tree, so their commits are not known")]
    OtherLinesInGit(RepoPath),
    /// Git does not say which commits the lines of a file are from.
    #[error("{path}: the git commits of its lines are not to be had: {error}")]
    NoLineCommits {
        /// The file.
        path: RepoPath,
        /// Why not.
        error: RepoError,
    },
}

impl HistoryWarning {
    /// Whether records may be missing.
    pub(crate) fn is_loss(&self) -> bool {
        matches!(
            self,
            Self::Unreadable(_) | Self::JournalDamaged { .. } | Self::JournalCutOff(_) | Self::JournalAside(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_not_known_is_no_loss_of_records() {
        let path = RepoPath::new(b"f").expect("a path");
        assert!(!HistoryWarning::OtherLinesInGit(path).is_loss());
        assert!(!HistoryWarning::NoCommits(HistoryError::NoSuchRecord("x".to_owned())).is_loss());
        assert!(!HistoryWarning::Mended("HEAD is missing".to_owned()).is_loss());
        assert!(HistoryWarning::Unreadable(HistoryError::NoSuchRecord("x".to_owned())).is_loss());
        assert!(HistoryWarning::JournalCutOff(PathBuf::from("journal")).is_loss());
        assert!(HistoryWarning::JournalAside(PathBuf::from("journal")).is_loss());
    }
}
