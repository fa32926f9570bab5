//! The text of a file as it is now. Owns how large a file may be that is read for a question about the history.

use crate::history::reader::History;
use crate::path::RepoPath;
use crate::state_dir::read_regular;
use std::io::ErrorKind;

/// A file of so many bytes is read.
const LARGEST_READ: u64 = 8 << 20;

/// The text of a regular file; none where there is none, or it is too large, or cannot be read.
pub(super) fn text_now(history: &History<'_>, path: &RepoPath) -> Option<Vec<u8>> {
    let path = history.repo().root().join(path.to_path());
    let is_small = path.symlink_metadata().is_ok_and(|meta| meta.len() <= LARGEST_READ);
    is_small.then(|| read_regular(&path).ok().flatten()).flatten()
}

/// Whether nothing is at a path.
pub(super) fn is_gone(history: &History<'_>, path: &RepoPath) -> bool {
    let found = history.repo().root().join(path.to_path()).symlink_metadata();
    found.is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}
