//! One file of a change on its way: what is wanted, and what was found and made of it.
//!
//! Owns the states of a file. Does not know in which order they follow each other.

use crate::change::{ChangeKind, PathState};
use crate::id::BlobId;
use crate::patch::{EditOutcome, FilePatch};
use crate::policy::check;
use crate::worktree::{Found, Place};

/// Blob ids of a file before and after.
pub type Ids = (Option<BlobId>, Option<BlobId>);

/// What sort of change is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// The file must be there.
    Modify,
    /// The file must not be there, unless it may be overwritten.
    Create {
        /// Whether a file that is there is replaced.
        overwrite: bool,
    },
    /// The file must be there.
    Delete,
    /// The old path must be there, the new one not.
    Rename,
}

/// A patch with what is told of it.
#[derive(Debug, Clone, Default)]
pub struct Made {
    /// Against the text that was given.
    pub patch: FilePatch,
    /// One per edit.
    pub edits: Vec<EditOutcome>,
    /// What the caller should know.
    pub warnings: Vec<String>,
    /// Permission bits to set; none keeps them.
    pub mode: Option<u32>,
}

/// A task against the file as it was found.
#[derive(Debug)]
pub struct Looked {
    /// Where it is afterwards.
    pub place: Place,
    /// Where it is, for a rename.
    pub from: Option<Place>,
    /// What really happens (an overwriting creation modifies).
    pub change: ChangeKind,
    /// As found; none where there is no file.
    pub base: Option<Found>,
    /// The patch and what is told of it.
    pub made: Made,
    /// The whole new text; none for a deletion.
    pub after: Option<Vec<u8>>,
    /// Blob ids before and after.
    pub ids: (Option<BlobId>, Option<BlobId>),
    /// Against HEAD, before; none where there is no file.
    pub state: Option<PathState>,
}

impl Looked {
    /// The text before; empty where there is no file.
    pub fn base_bytes(&self) -> &[u8] {
        self.base.as_ref().map_or(&[], |found| &found.bytes)
    }

    /// The path of the file as it is now.
    pub fn source(&self) -> &Place {
        self.from.as_ref().unwrap_or(&self.place)
    }

    /// As `check/` wants it; none where there is no file.
    pub fn known(&self) -> Option<check::Known<'_>> {
        let base = self.base.as_ref()?;
        Some(check::Known {
            path: &self.source().path,
            blob: self.ids.0?,
            mtime_ms: base.meta.mtime_ms(),
            size_bytes: base.meta.size,
        })
    }
}
