//! Why a git commit of the user is refused by redraft's own hook.
//!
//! Owns the causes. Does not look for them: that is the use case of the hook.

use crate::code::Reason;
use crate::matcher::left_out::Notation;
use crate::patch::placeholder;
use crate::path::RepoPath;
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Why a git commit is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitRefusal {
    /// An edit is not finished.
    #[error("an edit is being made, or was interrupted")]
    Unfinished,
    /// A request would commit what nobody can have looked at.
    #[error(
        "git config redraft.hookPolicy is unreviewed, and nobody can have reviewed an edit that is committed as it is made"
    )]
    Unreviewable,
    /// Edits in the commit that nobody has looked at: each with its id and subject.
    #[error("this commit holds agent edits that nobody has reviewed: {}", .0.join(", "))]
    Unreviewed(Vec<String>),
    /// A conflict marker would be committed.
    #[error("a conflict marker is left in {0}, line {1}")]
    ConflictMarker(RepoPath, usize),
    /// A review of what is staged, and no agent edit is.
    #[error("no agent edit is staged, so there is nothing to review")]
    NothingStaged,
    /// Lines are to be added to the files of a program that owns the hooks, and none does.
    #[error("no program that owns the git hooks (husky, lefthook) is to be seen here")]
    NoHookManager,
    /// In this file nobody can ask for a hook.
    #[error("{0:?} is no file in which the program that owns the git hooks looks for one")]
    NoHookFile(PathBuf),
    /// Lines that a person changed, or moved, still ask for redraft's hooks: each with its file and number.
    #[error("redraft's hooks are still asked for, in other words than those that it added:\n{}", .0.join("\n"))]
    HookLinesLeft(Vec<String>),
    /// The file of the program that owns the hooks has such a hook already.
    #[error("{0:?} has commands for {1} already, to which only a person can add some")]
    HookTaken(PathBuf, String),
    /// Git looks for hooks where no folder can be.
    #[error("git looks for hooks in {0:?} (core.hooksPath), which is no folder, so that it runs none")]
    NoHookFolder(PathBuf),
    /// Git, or somebody else, calls the hook with other words than git's.
    #[error("{0}")]
    BadCall(&'static str),
    /// A mark stands in place of code.
    #[error("{0} holds {1:?} in place of code that was left out")]
    OmittedCode(RepoPath, String),
}

/// Refuses what a change leaves in a file that should not be committed: conflict markers, and marks in place of code, that
/// the old text did not have.
///
/// # Errors
/// [`CommitRefusal::ConflictMarker`], [`CommitRefusal::OmittedCode`].
pub fn refuse_leftovers(path: &RepoPath, old: &[u8], new: &[u8]) -> Result<(), CommitRefusal> {
    let had: BTreeSet<&[u8]> = old.lines().collect();
    // Without a name behind it such a line is a heading's.
    let is_marker = |line: &[u8]| line.starts_with(b"<<<<<<< ") || line.starts_with(b">>>>>>> ");
    let marker = new.lines().enumerate().find(|(_, line)| is_marker(line) && !had.contains(line));
    match (marker, placeholder(old, new, Notation::of(path.as_bstr()))) {
        (Some((n, _)), _) => Err(CommitRefusal::ConflictMarker(path.clone(), n + 1)),
        (None, Some(line)) => Err(CommitRefusal::OmittedCode(path.clone(), line)),
        (None, None) => Ok(()),
    }
}

impl CommitRefusal {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Unfinished => Reason::RecoveryNeeded,
            Self::NothingStaged => Reason::NoSuchRecord,
            Self::NoHookManager
            | Self::NoHookFile(_)
            | Self::NoHookFolder(_)
            | Self::HookTaken(..)
            | Self::HookLinesLeft(_)
            | Self::BadCall(_) => Reason::ContradictoryFields,
            Self::Unreviewed(_) | Self::Unreviewable | Self::ConflictMarker(..) | Self::OmittedCode(..) => {
                Reason::Policy
            }
        }
    }
}
