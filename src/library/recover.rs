//! What recovery did, for a program.

use crate::advice;
use crate::dialect::Words;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::transaction::{self, LeftAlone};
use crate::usecase::Noted;

/// What became of edits that were interrupted by a crash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// Edits that are now applied in full.
    pub forward: Vec<RecordId>,
    /// Edits that are now undone in full, but for what is in [`Self::left`].
    pub back: Vec<RecordId>,
    /// Files that were made again after a power cut.
    pub remade: Vec<RepoPath>,
    /// Files that somebody changed after the interruption: they stay as they are.
    pub left: Vec<LeftAlone>,
    /// What a person should know: of files that were left alone, of damage to what redraft keeps. A sentence each.
    pub warnings: Vec<String>,
}

impl Recovered {
    pub(super) fn of(noted: Noted<transaction::Recovered>) -> Self {
        let transaction::Recovered { forward, back, remade, left } = noted.done;
        let warnings = noted.notes.iter().map(|note| advice::warning(note, &Words::COMMAND_LINE)).collect();
        Self { forward, back, remade, left, warnings }
    }

    /// Whether there was nothing to recover, and nothing is to be known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
