//! Why an edit cannot be recorded in git.
//!
//! Owns the causes. Does not know what to do about them: that is told in `advice/`.

use crate::code::Reason;
use crate::git::RepoError;
use crate::policy::Finding;
use crate::worktree::WorktreeError;

/// Lines that somebody else changed, where an edit would have to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLines {
    /// The edit that needs them.
    pub edit: usize,
    /// 1-based, in the working tree's version before the edit.
    pub start_line: usize,
    /// 1-based, inclusive.
    pub end_line: usize,
    /// As they are in the working tree.
    pub text: String,
    /// As they are in git.
    pub committed: String,
}

/// Wishes for git that make no sense together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// Shelved, but not recorded in the stash.
    #[error("an edit that is shelved goes into the stash only")]
    ShelveElsewhere,
    /// An author, but no git commit.
    #[error("an author is for git commits")]
    AuthorWithoutCommit,
    /// The staged version edited, and a commit or stash entry made.
    #[error("an edit of the staged version is committed later")]
    IndexAndCommit,
    /// Notes of a tool, where people have theirs.
    #[error("refs/notes/commits has the notes of people")]
    NotesOfPeople,
}

/// Why an edit cannot be recorded in git.
#[derive(Debug, thiserror::Error)]
pub enum GitRecordError {
    /// It does not fit HEAD's version, or the staged one.
    #[error("the edit of {path} does not fit HEAD: {why}{}", places(lines))]
    DoesNotFit {
        /// Of the file.
        path: String,
        /// In words.
        why: String,
        /// Whose lines are in the way.
        lines: Vec<UserLines>,
    },
    /// The version that it would be made in has it, and the version that was edited has not.
    #[error("HEAD has the edit of {} already, and the working tree does not", paths.join(", "))]
    AlreadyThere {
        /// Of the files.
        paths: Vec<String>,
    },
    /// The same of the working tree's version, where the staged one was edited.
    #[error("the working tree has the edit of {0} already, and the index does not")]
    AlreadyUnstaged(String),
    /// The staged version cannot be edited without the lines that are not staged.
    #[error("the edit of the staged version of {path} overlaps changes that are not staged: {why}{}", places(lines))]
    UnstagedOverlap {
        /// Of the file.
        path: String,
        /// In words.
        why: String,
        /// Whose lines are in the way.
        lines: Vec<UserLines>,
    },
    /// What is in the files cannot be committed without the lines of others.
    #[error("what is in {path} does not fit HEAD by itself: {why}")]
    NotCommittable {
        /// Of the file.
        path: String,
        /// In words.
        why: String,
    },
    /// A path is in conflict.
    #[error("{0} has conflicts in the index")]
    Unmerged(String),
    /// A merge or the like is half done.
    #[error("a {0} is in progress, and a git commit would become part of it")]
    Operation(&'static str),
    /// The same of what is in the files already, or of notes on commits.
    #[error("a {0} is in progress")]
    InOperation(&'static str),
    /// HEAD moved while the edit was being made.
    #[error("HEAD moved while the edit was being made")]
    HeadMoved,
    /// There is no commit yet.
    #[error("there is no commit yet that a stash entry could stand on")]
    Unborn,
    /// A hook said no.
    #[error("a git hook failed, so nothing is committed, and the files are as they were")]
    Hook(String),
    /// Git could not write the ref, or its log.
    #[error("git could not move HEAD to the commit, so nothing is committed, and the files are as they were")]
    RefNotMoved(String),
    /// The commit could not be signed.
    #[error("the commit could not be signed (commit.gpgSign), so nothing is committed or changed")]
    Signing(String),
    /// Not `Name <address>`.
    #[error("author {0:?} is not of the form `Name <address>`")]
    BadAuthor(String),
    /// A message that git takes for no text.
    #[error("the message has a NUL byte, which no git commit can have")]
    BadMessage,
    /// Wishes that cannot be together.
    #[error(transparent)]
    Contradictory(#[from] Contradiction),
    /// A filter driver decides what is staged.
    #[error("{0} goes through a filter driver, so its staged version cannot be edited")]
    Filtered(String),
    /// Git answered something else than it should.
    #[error("{0}")]
    Program(String),
    /// The repository.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// The staged text cannot be edited.
    #[error(transparent)]
    Finding(#[from] Finding),
    /// The index changed meanwhile.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// The operating system failed.
    #[error("cannot {verb} {what}: {source}")]
    Io {
        /// What was being done.
        verb: &'static str,
        /// To what.
        what: &'static str,
        /// The system's words.
        source: std::io::Error,
    },
}

fn places(lines: &[UserLines]) -> String {
    let place = |l: &UserLines| match l.start_line == l.end_line {
        true => format!("line {}", l.start_line),
        false => format!("lines {} to {}", l.start_line, l.end_line),
    };
    let all: Vec<String> = lines.iter().take(5).map(place).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
}

impl GitRecordError {
    /// An error of the operating system, with what was being done.
    pub fn io(verb: &'static str, what: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { verb, what, source }
    }

    /// Why a commit, or the step to it, failed by what git said last: no hook did where git could not write the ref. What a hook's own commands
    /// said stands before that.
    pub fn of_ref(said: String) -> Self {
        let by_ref = ["fatal: cannot update the ref", "fatal: cannot lock ref", "fatal: update_ref failed"];
        let last = said.lines().last().unwrap_or_default();
        if by_ref.iter().any(|words| last.starts_with(words)) { Self::RefNotMoved(said) } else { Self::Hook(said) }
    }

    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::DoesNotFit { .. } | Self::NotCommittable { .. } | Self::Unborn => Reason::DoesNotFitHead,
            Self::AlreadyThere { .. } | Self::AlreadyUnstaged(_) => Reason::AlreadyApplied,
            Self::UnstagedOverlap { .. } => Reason::UnstagedOverlap,
            Self::Unmerged(_) => Reason::Unmerged,
            Self::Operation(_) | Self::InOperation(_) => Reason::OperationInProgress,
            Self::HeadMoved => Reason::HeadMoved,
            Self::Hook(_) => Reason::HookFailed,
            Self::Signing(_) => Reason::SigningFailed,
            Self::BadAuthor(_) | Self::BadMessage => Reason::BadType,
            Self::Contradictory(_) => Reason::ContradictoryFields,
            Self::Filtered(_) => Reason::UnsupportedFile,
            Self::Program(_) | Self::RefNotMoved(_) | Self::Io { .. } => Reason::Io,
            Self::Repo(error) => error.reason(),
            Self::Finding(error) => error.reason(),
            Self::Worktree(error) => error.reason(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_failed_unless_git_itself_says_last_that_the_ref_cannot_be_written() {
        let is_of_ref = |said: &str| matches!(GitRecordError::of_ref(said.to_owned()), GitRecordError::RefNotMoved(_));
        assert!(is_of_ref(
            "fatal: cannot update the ref 'HEAD': unable to append to '.git/logs/HEAD': Not a directory"
        ));
        assert!(is_of_ref("warning: x\nfatal: update_ref failed for ref 'HEAD': cannot update the ref 'HEAD'"));
        assert!(is_of_ref("fatal: cannot lock ref 'HEAD': Unable to create '.git/HEAD.lock': Permission denied"));
        assert!(!is_of_ref("fatal: ref updates aborted by hook") && !is_of_ref(""));
        // What a hook fetched itself.
        assert!(!is_of_ref("error: cannot lock ref 'refs/remotes/origin/main'\npre-commit: the fetch failed"));
    }
}
