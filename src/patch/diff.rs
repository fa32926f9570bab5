//! The unified diff preview, from splices and the lines around them.

use super::FilePatch;
use crate::envelope::ChangeKind;
use crate::id::BlobId;
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
    /// Git blob id of the bytes before, where there is a file and the id is known.
    pub before_id: Option<BlobId>,
    /// Git blob id of the bytes after, where there is a file and the id is known.
    pub after_id: Option<BlobId>,
    /// The bytes before; empty for a file that is made.
    pub base: &'a [u8],
    /// Against `base`; for a deletion everything is removed.
    pub patch: &'a FilePatch,
}

/// How much of a preview is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLimits {
    /// Lines, headers included; 0 for no limit.
    pub lines: usize,
    /// Bytes; 0 for no limit.
    pub bytes: usize,
}

impl Default for DiffLimits {
    fn default() -> Self {
        Self { lines: 100, bytes: 10_240 }
    }
}

/// A unified diff, perhaps cut.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// Uncut and not lossy, `git apply` takes it.
    pub text: String,
    /// Whether it was cut, at a line.
    pub truncated: bool,
    /// Whether bytes that are not UTF-8 are shown as U+FFFD.
    pub lossy: bool,
    /// Lines that are shown as added.
    pub lines_added: usize,
    /// Lines that are shown as removed.
    pub lines_removed: usize,
}

/// Shows what patches change.
pub fn preview(files: &[DiffFile<'_>], limits: DiffLimits) -> Preview {
    let _ = (files, limits);
    Preview::default()
}
