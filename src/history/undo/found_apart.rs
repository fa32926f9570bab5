//! What all files together told of those of records, kept while an undo is planned.
//!
//! Owns that store and its bound: what is asked beyond it is told nothing. What is told is `told_apart`'s affair.

use super::log::Known;
use crate::id::RecordId;
use crate::path::RepoPath;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// So many files of records are asked of.
const MOST_TOLD: usize = 16;

/// What all files together tell of one of a record.
#[derive(Default)]
pub(super) struct Apart {
    /// Where it is, if that is told.
    pub(super) path: Option<RepoPath>,
    /// What records did to it from the one on that was asked of, oldest first.
    pub(super) known: Vec<Arc<Known>>,
    /// Whether that is a name of git's, and what git had there is nowhere.
    pub(super) is_over: bool,
    /// The files that have lines which came into it with the record, or since, and are no older versions of it.
    pub(super) marked: Vec<RepoPath>,
    /// The files that are others for certain.
    pub(super) others: Vec<RepoPath>,
}

impl Apart {
    /// One of several that have the lines.
    pub(super) fn copied(&self) -> Option<RepoPath> {
        self.marked.first().filter(|_| self.marked.len() > 1).cloned()
    }

    /// Whether a file is one of several that have the lines, and not the only one of them that git has.
    pub(super) fn is_one_of_several(&self, path: &RepoPath, is_tracked: &dyn Fn(&RepoPath) -> bool) -> bool {
        let is_one = self.marked.len() > 1 && self.marked.contains(path);
        is_one && self.marked.iter().any(|other| is_tracked(other) != (other == path))
    }
}

/// What was told of files of records, each once.
#[derive(Default)]
pub(super) struct ToldApart(RefCell<HashMap<(RecordId, usize), Rc<Apart>>>);

impl ToldApart {
    /// What was told of a file of a record; nothing of one where too many were asked of. None where it is to be looked for.
    pub(super) fn of(&self, file: &(RecordId, usize)) -> Option<Rc<Apart>> {
        let told = self.0.borrow();
        let nothing = || (told.len() >= MOST_TOLD).then(Rc::default);
        told.get(file).cloned().or_else(nothing)
    }

    pub(super) fn keep(&self, file: (RecordId, usize), told: &Rc<Apart>) {
        self.0.borrow_mut().insert(file, Rc::clone(told));
    }
}
