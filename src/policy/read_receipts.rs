//! Receipts of reads: what a session knows of which file.
//!
//! Owns `sessions/<session>/` of a worktree's state, one small file for each path. Does not decide whether a read is
//! required. A damaged receipt is none: the file is read again.

use crate::git::blob_id;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::state_dir::{Durability, StateDir, make_private, read, remove, write};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Of the file.
    pub path: RepoPath,
    /// The raw bytes.
    pub blob: BlobId,
    /// Milliseconds since 1970-01-01 UTC.
    pub mtime_ms: i64,
    /// In bytes.
    pub size_bytes: u64,
    /// The first and last of the lines that were shown last, 1-based, where that was not the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(usize, usize)>,
}

impl Receipt {
    /// The receipt that these bytes are; none where they are not one.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

/// The receipts of one session.
#[derive(Debug, Clone)]
pub struct Session {
    folder: PathBuf,
}

impl Session {
    /// The session `name` of a worktree; its folder is made at the first receipt.
    pub fn new(place: &StateDir, name: &str) -> Self {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let safe = !name.is_empty() && name.len() <= 64 && name.chars().all(plain);
        let folder = if safe { name.to_owned() } else { format!("session.{}", blob_id(name.as_bytes())) };
        Self { folder: place.sessions().join(folder) }
    }

    /// The receipt for a path, if this session has read it.
    ///
    /// # Errors
    /// Where it is there and cannot be read; a damaged receipt is none.
    pub fn receipt(&self, path: &RepoPath) -> io::Result<Option<Receipt>> {
        let bytes = read(&self.file(path))?;
        Ok(bytes.and_then(|bytes| Receipt::parse(&bytes)).filter(|receipt| receipt.path == *path))
    }

    /// Leaves a receipt.
    ///
    /// # Errors
    /// Where its file cannot be written or removed.
    pub fn leave(&self, receipt: &Receipt) -> io::Result<()> {
        make_private(&self.folder)?;
        // One that is lost in a power cut costs another read.
        write(&self.file(&receipt.path), &serde_json::to_vec(receipt)?, Durability::Fast)
    }

    /// Forgets a path, such as one that was deleted.
    ///
    /// # Errors
    /// Where its file cannot be written or removed.
    pub fn forget(&self, path: &RepoPath) -> io::Result<()> {
        remove(&self.file(path))
    }

    fn file(&self, path: &RepoPath) -> PathBuf {
        self.folder.join(blob_id(path.as_bstr()).to_string())
    }
}
