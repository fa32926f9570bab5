//! What git told of the files beside a record's since that was made, kept for all records of one commit.
//!
//! Owns what is kept. Asks nothing itself (that is `asked_of_git`'s).

use super::files;
use crate::git::{ChangedFile, GitCommit};
use crate::id::CommitId;
use crate::path::RepoPath;
use crate::record::Record;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// What git told of one commit.
pub(super) type OfCommit<T> = RefCell<Option<(Option<CommitId>, Rc<T>)>>;

/// What git told of the newest commit on which a record was made that was asked for.
#[derive(Default)]
pub(super) struct GitSince {
    /// The files that are otherwise now than in that commit.
    pub(super) changed: OfCommit<files::Had>,
    /// The files that HEAD has more than it, and that are gone.
    pub(super) lost: OfCommit<files::Had>,
    /// The newest commits after it.
    pub(super) commits: OfCommit<Vec<GitCommit>>,
    /// What is staged.
    pub(super) staged: OnceCell<Rc<Vec<ChangedFile>>>,
    /// The commits after one that touch some names, of the question that was asked last.
    pub(super) touching: RefCell<Option<Asked>>,
}

/// The commits after one that touch some names.
pub(super) struct Asked {
    pub(super) base: Option<CommitId>,
    pub(super) names: Vec<RepoPath>,
    pub(super) told: Option<Rc<Vec<GitCommit>>>,
}

/// What git tells of the commit on which a record was made, kept until another one is asked for.
pub(super) fn asked_once<T>(kept: &OfCommit<T>, record: &Record, ask: &dyn Fn(&Record) -> T) -> Rc<T> {
    let mut kept = kept.borrow_mut();
    match &*kept {
        Some((base, had)) if *base == record.meta.base => Rc::clone(had),
        _ => Rc::clone(&kept.insert((record.meta.base, Rc::new(ask(record)))).1),
    }
}
