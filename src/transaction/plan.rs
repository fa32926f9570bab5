//! What a transaction is to do, before anything is written.

use crate::change::{ChangeKind, PathState};
use crate::id::{BlobId, RecordId};
use crate::patch::FilePatch;
use crate::record::{RecordClass, RecordMeta};
use crate::worktree::root::{Found, Place};

/// One file of the plan.
#[derive(Debug)]
pub struct PlannedFile {
    /// What happens to it.
    pub change: ChangeKind,
    /// Where it is afterwards (for a deletion: where it is).
    pub place: Place,
    /// Where it is, for a rename.
    pub from: Option<Place>,
    /// As it was found; none for a creation.
    pub base: Option<Found>,
    /// Against the base; against nothing for a creation.
    pub patch: FilePatch,
    /// The whole new file; none for a deletion.
    pub after: Option<Vec<u8>>,
    /// Blob ids of the base and of the new file.
    pub ids: (Option<BlobId>, Option<BlobId>),
    /// Permission bits to set; none keeps those of the base (a new file gets the system's default).
    pub mode: Option<u32>,
    /// Against HEAD, before the edit.
    pub state: Option<PathState>,
}

impl PlannedFile {
    /// The text before; empty for a creation.
    pub fn base_bytes(&self) -> &[u8] {
        self.base.as_ref().map_or(&[], |found| &found.bytes)
    }

    /// Where the old file is.
    pub fn source(&self) -> &Place {
        self.from.as_ref().unwrap_or(&self.place)
    }
}

/// A whole transaction.
#[derive(Debug)]
pub struct Plan {
    /// Of the record.
    pub id: RecordId,
    /// Names the folder of the backups.
    pub time: jiff::Timestamp,
    /// What sort of record.
    pub class: RecordClass,
    /// For the record.
    pub meta: RecordMeta,
    /// At least one.
    pub files: Vec<PlannedFile>,
    /// Whether a command is to approve the result, or git is to know of it: until then, recovery takes it back.
    pub verify: bool,
}
