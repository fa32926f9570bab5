//! Why the history cannot do what was asked, and what to do about it.

use crate::code::{Explanation, Reason};
use crate::git::RepoError;
use crate::id::RecordId;
use crate::patch::carry::Misfit;
use crate::transaction::TransactionError;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// One place where a record cannot be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoConflict {
    /// The record.
    pub record: RecordId,
    /// The file, as it is called now.
    pub path: String,
    /// 1-based, as `show` numbers the hunks of the record; none where the whole file is in the way.
    pub hunk: Option<usize>,
    /// What stands in the way.
    pub why: Obstacle,
    /// 1-based lines of the file as it is now.
    pub lines: Option<(usize, usize)>,
}

/// What stands in the way of an undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// A splice does not fit.
    Misfit(Misfit),
    /// The file is gone.
    Gone,
    /// The file was changed, so it is not removed.
    ChangedSinceCreated,
    /// Something is where the file would come back.
    Taken,
    /// The old text is not kept (ignored or large files have only their backup, and that was pruned).
    NotKept,
}

impl Obstacle {
    /// In words, after "because".
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Misfit(Misfit::Changed) => "these lines were changed since",
            Self::Misfit(Misfit::PlaceGone) => "the lines around its place are gone",
            Self::Misfit(Misfit::PlaceTaken) => "other text was put in its place",
            Self::Misfit(Misfit::LineChanged) => "the line around it was rewritten",
            Self::Misfit(Misfit::Uncertain) => "equal lines leave open which place it is",
            Self::Gone => "the file is no longer there",
            Self::ChangedSinceCreated => "the file was changed since it was created",
            Self::Taken => "another file has its name",
            Self::NotKept => "its old text is not kept",
        }
    }
}

impl UndoConflict {
    fn to_json(&self) -> Value {
        let mut out = json!({"record": self.record, "path": self.path, "hunk": self.hunk, "why": self.why.as_str()});
        if let Some((start, end)) = self.lines {
            out["start_line"] = json!(start);
            out["end_line"] = json!(end);
        }
        out
    }

    /// As `data.conflicts[]` and `hint.conflicts[]` have it.
    pub fn json(conflicts: &[Self]) -> Value {
        Value::Array(conflicts.iter().map(Self::to_json).collect())
    }

    fn told(&self) -> String {
        let place = match (self.hunk, self.lines) {
            (Some(hunk), Some((start, end))) if start == end => format!(" hunk {hunk} (now line {start})"),
            (Some(hunk), Some((start, end))) => format!(" hunk {hunk} (now lines {start} to {end})"),
            (Some(hunk), None) => format!(" hunk {hunk}"),
            (None, _) => String::new(),
        };
        format!("{}{place}: {}", self.path, self.why.as_str())
    }
}

/// Why the history cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// No record has this name.
    #[error("there is no record {0}; `redraft log` lists them")]
    NoSuchRecord(String),
    /// Several records have ids that begin so.
    #[error("{prefix} is the beginning of several ids: {}; give more letters", .candidates.join(", "))]
    AmbiguousRecord {
        /// As given.
        prefix: String,
        /// The first few.
        candidates: Vec<String>,
    },
    /// Nothing that could be undone or redone was found.
    #[error("nothing to undo: {0}")]
    NothingToUndo(String),
    /// What was found cannot be undone without losing what came later.
    #[error("cannot undo {}; nothing was written", told(.0))]
    UndoConflict(Vec<UndoConflict>),
    /// The splices do not fit HEAD's version of a file.
    #[error(
        "the edit of {path} does not fit HEAD ({why}); commit or stash your own change of these lines first, or record it with `history`"
    )]
    DoesNotFitHead {
        /// The file.
        path: String,
        /// What stands in the way.
        why: String,
        /// 1-based lines of the file in the working tree before the edit.
        lines: Vec<(usize, usize)>,
    },
    /// The splices do not fit the working tree's version of a file that was edited in the index.
    #[error("the edit of {path} overlaps changes that are not staged ({why}); stage or revert them first")]
    UnstagedOverlap {
        /// The file.
        path: String,
        /// What stands in the way.
        why: String,
        /// 1-based lines of the file in the working tree.
        lines: Vec<(usize, usize)>,
    },
    /// The index has conflicts for a path.
    #[error("{0} has unresolved merge conflicts; resolve them (`git status`) before recording a git commit")]
    Unmerged(String),
    /// A merge, rebase or the like is in progress.
    #[error("a {0} is in progress; finish or abort it before this (`git status` says how)")]
    OperationInProgress(&'static str),
    /// The index is locked by another git process.
    #[error(
        "the index is locked by another git process ({0:?} exists); try again, or remove that file if none is running"
    )]
    IndexLocked(PathBuf),
    /// A git hook refused.
    #[error("git's hook refused the commit; everything is as before (its output is in the hint; --no-verify skips it)")]
    HookFailed {
        /// What it said.
        output: String,
    },
    /// The commit could not be signed.
    #[error("the commit could not be signed; everything is as before (the output is in the hint)")]
    SigningFailed {
        /// What git said.
        output: String,
    },
    /// Git itself is needed and failed.
    #[error("`git {command}` failed: {output}")]
    GitFailed {
        /// The subcommand.
        command: String,
        /// What it said.
        output: String,
    },
    /// The identity for a commit is not configured.
    #[error("git does not know who you are; set user.name and user.email with `git config`")]
    NoIdentity,
    /// The history's own files are damaged.
    #[error("the history is damaged: {0}; `redraft fsck` tells more")]
    Damaged(String),
    /// The system refused something.
    #[error("cannot {verb} {path:?}: {source}")]
    Io {
        /// Such as `write`.
        verb: &'static str,
        /// Of what.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The repository cannot be read.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// The transaction layer failed.
    #[error(transparent)]
    Transaction(#[from] TransactionError),
}

fn told(conflicts: &[UndoConflict]) -> String {
    let mut parts: Vec<String> = conflicts.iter().take(3).map(UndoConflict::told).collect();
    if conflicts.len() > 3 {
        parts.push(format!("and {} more", conflicts.len() - 3));
    }
    parts.join("; ")
}

impl HistoryError {
    /// Wraps an error of the system.
    pub(crate) fn io(verb: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { verb, path, source }
    }

    /// What to tell the caller.
    pub fn explain(&self) -> Explanation {
        let reason = match self {
            Self::NoSuchRecord(_) | Self::AmbiguousRecord { .. } => Reason::NoSuchRecord,
            Self::NothingToUndo(_) => Reason::NothingToUndo,
            Self::UndoConflict(_) => Reason::UndoConflict,
            Self::DoesNotFitHead { .. } => Reason::DoesNotFitHead,
            Self::UnstagedOverlap { .. } => Reason::UnstagedOverlap,
            Self::Unmerged(_) => Reason::Unmerged,
            Self::OperationInProgress(_) => Reason::OperationInProgress,
            Self::IndexLocked(_) => Reason::IndexLockTimeout,
            Self::HookFailed { .. } => Reason::HookFailed,
            Self::SigningFailed { .. } => Reason::SigningFailed,
            Self::GitFailed { .. } | Self::NoIdentity | Self::Damaged(_) => Reason::Io,
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => Reason::NoSpace,
            Self::Io { .. } => Reason::Io,
            Self::Repo(error) => return error.explain(),
            Self::Transaction(error) => return error.explain(),
        };
        let told = Explanation::new(reason, self.to_string());
        let lines = |lines: &[(usize, usize)]| {
            Value::Array(lines.iter().map(|(a, b)| json!({"start_line": a, "end_line": b})).collect())
        };
        match self {
            Self::UndoConflict(conflicts) => {
                let path = conflicts.first().map(|c| c.path.clone());
                let told = told.with_hint("conflicts", UndoConflict::json(conflicts));
                path.into_iter().fold(told, Explanation::at_path)
            }
            Self::AmbiguousRecord { candidates, .. } => told.with_hint("candidates", candidates.clone()),
            Self::DoesNotFitHead { path, lines: l, .. } | Self::UnstagedOverlap { path, lines: l, .. } => {
                told.with_hint("lines", lines(l)).at_path(path.clone())
            }
            Self::Unmerged(path) => told.at_path(path.clone()),
            Self::HookFailed { output } | Self::SigningFailed { output } | Self::GitFailed { output, .. } => {
                told.with_hint("output", output.clone())
            }
            _ => told,
        }
    }
}
