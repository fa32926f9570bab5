//! Records that no retention drops.
//!
//! Owns the list of them. Does not drop anything.

use crate::history::error::HistoryError;
use crate::history::store::repository::Store;
use crate::id::RecordId;
use crate::state_dir::Durability;
use std::collections::BTreeSet;

/// Records that no retention drops.
///
/// # Errors
/// Where the list is there and cannot be read.
pub fn pins(store: &Store) -> Result<BTreeSet<RecordId>, HistoryError> {
    let path = store.path().join("pins");
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(text.lines().filter_map(RecordId::parse).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(HistoryError::io("read", &path)(error)),
    }
}

/// What becomes of a record's pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pin {
    /// No retention drops the record.
    Keep,
    /// It goes with the others.
    LetGo,
}

/// Pins a record, or lets it go.
///
/// # Errors
/// Where the list cannot be read or written.
pub fn pin(store: &Store, id: &RecordId, pinned: Pin) -> Result<(), HistoryError> {
    let mut all = pins(store)?;
    if pinned == Pin::Keep {
        all.insert(id.clone());
    } else {
        all.remove(id);
    }
    let text: String = all.iter().map(|id| format!("{id}\n")).collect();
    crate::history::store::files::write_file(&store.path().join("pins"), text.as_bytes(), Durability::Full)
}
