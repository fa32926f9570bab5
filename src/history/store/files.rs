//! Small files of history.git, and the folders they are in.
//!
//! Owns that what fails to be written is an error of the history.

use crate::history::error::HistoryError;
use crate::state_dir;
use crate::state_dir::Durability;
use std::path::Path;

/// Writes a small file of history.git.
pub(crate) fn write_file(path: &Path, bytes: &[u8], durability: Durability) -> Result<(), HistoryError> {
    state_dir::write(path, bytes, durability).map_err(HistoryError::io("write", path))
}

/// Makes the names in a folder durable, where that is wanted.
pub(crate) fn sync_dir(path: &Path, durability: Durability) -> Result<(), HistoryError> {
    match durability {
        Durability::Full => state_dir::sync_dir(path).map_err(HistoryError::io("sync", path)),
        Durability::Fast => Ok(()),
    }
}
