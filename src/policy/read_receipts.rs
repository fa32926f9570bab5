//! Receipts of reads: what a session knows of which file.
//!
//! Owns `<git dir>/redraft/sessions/<session>/`, one small file for each path. Does not decide whether a read is required.

use crate::git::blob_id;
use crate::id::BlobId;
use crate::path::RepoPath;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
}

/// The receipts of one session.
#[derive(Debug, Clone)]
pub struct Session {
    folder: PathBuf,
}

impl Session {
    /// The session `name`, whose receipts are kept below `state` (`<git dir>/redraft`); made at the first receipt.
    pub fn new(state: &Path, name: &str) -> Self {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let safe = !name.is_empty() && name.len() <= 64 && name.chars().all(plain);
        let folder = if safe { name.to_owned() } else { format!("session.{}", blob_id(name.as_bytes())) };
        Self { folder: state.join("sessions").join(folder) }
    }

    /// The receipt for a path, if this session has read it.
    ///
    /// # Errors
    /// The system's; a damaged receipt is none.
    pub fn receipt(&self, path: &RepoPath) -> io::Result<Option<Receipt>> {
        match fs::read(self.file(path)) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok().filter(|receipt: &Receipt| receipt.path == *path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Leaves a receipt.
    ///
    /// # Errors
    /// The system's.
    pub fn leave(&self, receipt: &Receipt) -> io::Result<()> {
        make_private(&self.folder)?;
        let file = self.file(&receipt.path);
        let beside = file.with_extension(format!("{}", std::process::id()));
        fs::write(&beside, serde_json::to_vec(receipt)?)?;
        fs::rename(&beside, &file)
    }

    /// Forgets a path, such as one that was deleted.
    ///
    /// # Errors
    /// The system's.
    pub fn forget(&self, path: &RepoPath) -> io::Result<()> {
        match fs::remove_file(self.file(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn file(&self, path: &RepoPath) -> PathBuf {
        self.folder.join(blob_id(path.as_bstr()).to_string())
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}
