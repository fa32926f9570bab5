//! What is to be undone: which records, what of them, and what becomes of what does not fit.
//!
//! Owns the wish. Does not know what there is.

use crate::history::selection::Selection;
use crate::id::RecordId;
use crate::path::RepoPath;
use std::collections::{BTreeMap, BTreeSet};

/// Which records are to be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Select {
    /// The newest whose effect is in place, but no undo.
    Newest,
    /// The newest undo in force: a redo.
    NewestUndo,
    /// These, by name.
    Named(Vec<String>),
    /// The undos of these, or these undos: a redo.
    UndosOf(Vec<String>),
    /// Every edit of this worktree in force that is meant.
    Matching(Selection),
    /// Those of these edits of this worktree that are in force.
    Among(BTreeSet<RecordId>),
    /// The undos in force, not older than the selection says, of edits that are meant by name: a redo.
    UndosMatching(Selection),
    /// Only these parts of these records, whatever the paths say.
    Parts(BTreeMap<RecordId, Vec<Part>>),
}

/// What of a record is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The file, by its 0-based place in the record.
    pub file: usize,
    /// Which of its splices; none for all of the file.
    pub splices: Option<BTreeSet<usize>>,
}

impl Select {
    /// Whether it is a redo by what it names.
    pub fn is_redo(&self) -> bool {
        matches!(self, Self::NewestUndo | Self::UndosOf(_) | Self::UndosMatching(_))
    }
}

/// What becomes of what does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Misfits {
    /// It is refused, and with it all.
    #[default]
    Refused,
    /// It is left as it is, file by file, and all else is undone.
    Skipped,
    /// Both versions stand between conflict markers.
    Marked,
}

/// What is to be undone, and how.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct UndoRequest {
    /// Which records.
    pub select: Select,
    /// Only these files, or what is below these directories; all where empty.
    pub paths: Vec<RepoPath>,
    /// But for these files, and what is below these directories.
    pub except: Vec<RepoPath>,
    /// Only this hunk, 1-based, of the one record.
    pub hunk: Option<usize>,
    /// What becomes of what does not fit.
    pub misfits: Misfits,
}

impl UndoRequest {
    /// Of the newest edit in force, in all its files.
    pub fn newest() -> Self {
        Self { select: Select::Newest, paths: Vec::new(), except: Vec::new(), hunk: None, misfits: Misfits::Refused }
    }

    /// Of these records, by name: an id, the unique beginning of one, `@` (the newest), `@-`, `@-2`.
    pub fn records<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Self {
        let names = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        Self { select: Select::Named(names), ..Self::newest() }
    }

    /// Whether records are to be taken back with all that they did, and nothing is to be put where they do not fit.
    pub(super) fn is_of_whole_records(&self) -> bool {
        let is_of_all = self.paths.is_empty() && self.except.is_empty() && self.hunk.is_none();
        let is_of_parts = matches!(self.select, Select::Parts(_));
        is_of_all && !is_of_parts && self.misfits != Misfits::Marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_undos_is_a_redo() {
        let names = || vec!["@".to_owned()];
        let all = Selection::default();
        for (select, is_redo) in [
            (Select::Newest, false),
            (Select::NewestUndo, true),
            (Select::Named(names()), false),
            (Select::UndosOf(names()), true),
            (Select::Matching(all.clone()), false),
            (Select::UndosMatching(all), true),
        ] {
            assert_eq!(select.is_redo(), is_redo, "{select:?}");
        }
    }

    #[test]
    fn records_are_those_that_are_named() {
        let request = UndoRequest::records(["@-", "k"]);
        assert_eq!(request.select, Select::Named(vec!["@-".to_owned(), "k".to_owned()]));
        assert_eq!((request.paths.len(), request.hunk, request.misfits), (0, None, Misfits::Refused));
    }
}
