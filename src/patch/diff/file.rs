//! One file as a diff shows it.
//!
//! Owns what is known of it. Does not print.

use crate::change::ChangeKind;
use crate::id::BlobId;
use crate::patch::FilePatch;
use crate::path::RepoPath;

/// One file of a preview.
#[derive(Debug, Clone, Copy)]
pub struct DiffFile<'a> {
    /// The path; after a rename, the new one.
    pub path: &'a RepoPath,
    /// The path before a rename.
    pub from: Option<&'a RepoPath>,
    /// What happens to the file.
    pub change: ChangeKind,
    /// Git's mode: 0o100644 or 0o100755.
    pub mode: u32,
    /// Git's mode before, where there was a file and that is known.
    pub mode_before: Option<u32>,
    /// Git blob id of the bytes before, where there is a file and the id is known.
    pub before_id: Option<BlobId>,
    /// Git blob id of the bytes after, where there is a file and the id is known.
    pub after_id: Option<BlobId>,
    /// The bytes before; empty for a file that is made.
    pub base: &'a [u8],
    /// Against `base`; for a deletion everything is removed.
    pub patch: &'a FilePatch,
}

impl DiffFile<'_> {
    /// The mode before, where the file has another one now.
    pub(super) fn other_mode(&self) -> Option<u32> {
        let has_both = matches!(self.change, ChangeKind::Modify | ChangeKind::Rename);
        self.mode_before.filter(|&before| has_both && before != self.mode)
    }
}
