//! Why an edit cannot be recorded in git, and what to do about it.

use crate::code::{Explanation, Reason};
use crate::git::RepoError;
use crate::policy::Finding;
use crate::worktree::WorktreeError;
use serde_json::{Value, json};

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

/// Why an edit cannot be recorded in git.
#[derive(Debug, thiserror::Error)]
pub enum GitRecordError {
    /// It does not fit HEAD's version, or the staged one.
    #[error("{}", does_not_fit(path, why, lines))]
    DoesNotFit {
        /// Of the file.
        path: String,
        /// In words.
        why: String,
        /// Whose lines are in the way.
        lines: Vec<UserLines>,
    },
    /// The staged version cannot be edited without the lines that are not staged.
    #[error("{}", overlaps(path, why, lines))]
    UnstagedOverlap {
        /// Of the file.
        path: String,
        /// In words.
        why: String,
        /// Whose lines are in the way.
        lines: Vec<UserLines>,
    },
    /// A path is in conflict.
    #[error("{0} has conflicts in the index; resolve them and `git add` it, or send the edit with record: history")]
    Unmerged(String),
    /// A merge or the like is half done.
    #[error(
        "a {0} is in progress, and a git commit would become part of it; finish it (or `git {0} --abort`), or send the edit \
         with record: history"
    )]
    Operation(&'static str),
    /// HEAD moved while the edit was being made.
    #[error("HEAD moved while the edit was being made; nothing was written: send it again")]
    HeadMoved,
    /// There is no commit yet.
    #[error("there is no commit yet that a stash entry could stand on; make one first, or send record: history")]
    Unborn,
    /// A hook said no.
    #[error(
        "a git hook failed, so nothing is committed and the edit was undone; look at its output, or pass --no-verify"
    )]
    Hook(String),
    /// The commit could not be signed.
    #[error("the commit could not be signed (commit.gpgSign), so nothing is committed or changed")]
    Signing(String),
    /// Not `Name <address>`.
    #[error("author {0:?} is not of the form `Name <address>`")]
    BadAuthor(String),
    /// Fields that cannot be together.
    #[error("{0}")]
    Contradictory(&'static str),
    /// A filter driver decides what is staged.
    #[error("{0} goes through a filter driver, so its staged version cannot be edited; edit the file and `git add` it")]
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
    #[error("cannot {verb} {what}: {source}; send the request again, and look at the disk if it fails again")]
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

fn does_not_fit(path: &str, why: &str, lines: &[UserLines]) -> String {
    format!(
        "the edit of {path} does not fit HEAD: {why}{}; nothing was written: commit or undo those changes first, or send the \
         edit with record: history",
        places(lines)
    )
}

fn overlaps(path: &str, why: &str, lines: &[UserLines]) -> String {
    format!(
        "the edit of the staged version of {path} overlaps changes that are not staged: {why}{}; nothing was written: stage \
         them, or edit without --index",
        places(lines)
    )
}

impl GitRecordError {
    /// An error of the operating system, with what was being done.
    pub fn io(verb: &'static str, what: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { verb, what, source }
    }

    /// What to tell the caller.
    pub fn explain(&self) -> Explanation {
        let told = |reason| Explanation::new(reason, self.to_string());
        match self {
            Self::DoesNotFit { path, lines, .. } => with_lines(told(Reason::DoesNotFitHead).at_path(path), lines),
            Self::UnstagedOverlap { path, lines, .. } => with_lines(told(Reason::UnstagedOverlap).at_path(path), lines),
            Self::Unmerged(path) => told(Reason::Unmerged).at_path(path),
            Self::Operation(name) => told(Reason::OperationInProgress).with_hint("operation", *name),
            Self::HeadMoved => told(Reason::HeadMoved),
            Self::Unborn => told(Reason::DoesNotFitHead),
            Self::Hook(output) => told(Reason::HookFailed).with_hint("output", output.as_str()),
            Self::Signing(output) => told(Reason::SigningFailed).with_hint("output", output.as_str()),
            Self::BadAuthor(_) => told(Reason::BadType),
            Self::Contradictory(_) => told(Reason::ContradictoryFields),
            Self::Filtered(path) => told(Reason::UnsupportedFile).at_path(path),
            Self::Program(_) => told(Reason::Io),
            Self::Repo(error) => error.explain(),
            Self::Finding(error) => error.explain(),
            Self::Worktree(error) => error.explain(),
            Self::Io { .. } => told(Reason::Io),
        }
    }
}

fn with_lines(told: Explanation, lines: &[UserLines]) -> Explanation {
    let shown = lines.iter().take(5).map(|l| {
        json!({"edit": l.edit, "start_line": l.start_line, "end_line": l.end_line, "text": l.text, "in_git": l.committed})
    });
    let told = told.with_hint("lines", Value::Array(shown.collect()));
    match lines.first() {
        Some(first) => told.at_edit(first.edit),
        None => told,
    }
}
