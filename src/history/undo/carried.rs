//! What taking a step back does to a text, as it was found.
//!
//! Owns its form.

use crate::history::error::UndoConflict;
use crate::patch::FilePatch;

/// What a step does to a text, or why that is not done.
pub(super) type Found = Result<Carried, Vec<UndoConflict>>;

/// What taking a step back does to a text.
#[derive(Debug, Clone)]
pub(super) struct Carried {
    pub(super) patch: FilePatch,
    /// Where markers were put.
    pub(super) conflicts: Vec<UndoConflict>,
    /// The 0-based splices of the record for which both versions stand between markers.
    pub(super) stays: Vec<usize>,
}

impl Carried {
    /// Without markers.
    pub(super) fn whole(patch: FilePatch) -> Self {
        Self { patch, conflicts: Vec::new(), stays: Vec::new() }
    }
}
