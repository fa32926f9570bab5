//! A file that exchanged its name with another one of git's, where no line tells it.
//!
//! Owns that look, made where another file has its name. What its own lines tell is `told_apart`'s affair.
//! Invariant: it is the only file with just the text that a record left in it last, where git had a file that has hardly a line in common with it; a
//! version of that one has its name.

use super::likeness::{are_partly_one, are_versions};
use super::lineage::Lineage;
use super::moved::{Lost, only_one};
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::path::RepoPath;

impl Whereabouts<'_> {
    /// The name of the file with which one exchanged its own.
    pub(super) fn exchanged_with(&self, named: &Lost<'_>, lineage: &Lineage<'_>) -> Option<RepoPath> {
        let last = lineage.last.filter(|last| !last.is_empty())?;
        let path = only_one(self.with_text(&[(blob_id(last), last.len())], &|_| true))?;
        let had = (self.files().had)(named.left.record, &path)?;
        let now = (self.files().read)(named.name).ok().flatten()?;
        let is_so = are_versions(&had, &now) && ![&had, &now].into_iter().any(|text| are_partly_one(last, text));
        is_so.then_some(path)
    }
}
