//! What a file is after the steps of an undo, and what is to be told of them. Runs nothing.

use super::stays::Stays;
use crate::history::error::UndoConflict;
use crate::id::RecordId;
use crate::patch::FilePatch;

/// A file after the steps.
#[derive(Debug)]
pub struct Replayed {
    /// None where it goes.
    pub text: Option<Vec<u8>>,
    /// From the text that was given (nothing where there was none).
    pub patch: FilePatch,
    /// Where markers were put.
    pub conflicts: Vec<UndoConflict>,
    /// Whether the file had changed since the record, and those changes stay.
    pub kept_later: bool,
    /// The records that had nothing left to be taken back.
    pub(crate) already: Vec<RecordId>,
    /// Whether the log has it that the file would be as it is, where others did the same, or took back what was done.
    pub(super) is_same_without: bool,
    /// What stands between markers.
    pub(super) stays: Stays,
}

impl Replayed {
    /// A file to which nothing was done yet.
    pub(super) fn unchanged(text: Option<&[u8]>) -> Self {
        Self {
            text: text.map(<[u8]>::to_vec),
            patch: FilePatch::unchanged(text.map_or(0, <[u8]>::len)),
            conflicts: Vec::new(),
            kept_later: false,
            already: Vec::new(),
            is_same_without: false,
            stays: Stays::new(),
        }
    }
}
