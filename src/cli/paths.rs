//! Paths on the command line, which need not be UTF-8.
//!
//! Owns how an argument becomes a path of the repository. Does not look at files.

use crate::path::{PathError, RepoPath};
use bstr::ByteSlice;
use std::path::{Path, PathBuf};

/// Paths of the command line.
pub(super) fn parse(raw: &[PathBuf]) -> Result<Vec<RepoPath>, PathError> {
    raw.iter().map(|path| one(path)).collect()
}

/// One of them.
pub(super) fn one(path: &Path) -> Result<RepoPath, PathError> {
    // Where the system has names that are no bytes, git has no such name either.
    let lossy = path.to_string_lossy();
    let bytes = <[u8]>::from_path(path).unwrap_or(lossy.as_bytes());
    RepoPath::new(bytes.trim_end_with(|letter| letter == '/'))
}
