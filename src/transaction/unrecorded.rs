//! Which edits have a backup and, as it should be, no record.
//!
//! Owns the list `unrecorded` of a worktree, lines of ids: edits that were made without a record or did not happen, and those whose
//! records were dropped. Whoever has a backup, is not on it, and is not recorded has lost the record.
//! Invariant: the list has no edit whose backup is gone; a damaged line says nothing.

use super::backups::backup_ids;
use crate::id::RecordId;
use crate::state_dir::{Durability, StateDir, read, write};
use std::collections::BTreeSet;
use std::io;

/// The edits on the list; none where it cannot be read.
pub fn unrecorded(place: &StateDir) -> BTreeSet<RecordId> {
    let bytes = read(&place.unrecorded()).ok().flatten().unwrap_or_default();
    let lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    lines.filter_map(RecordId::parse).collect()
}

/// Puts edits on the list, as far as they have a backup.
///
/// # Errors
/// Where it cannot be written.
pub fn note_unrecorded<'i>(
    place: &StateDir,
    ids: impl IntoIterator<Item = &'i RecordId>,
    durability: Durability,
) -> io::Result<()> {
    let mut ids = ids.into_iter().peekable();
    if ids.peek().is_none() {
        return Ok(());
    }
    let backups: BTreeSet<RecordId> = backup_ids(&place.backups()).into_iter().collect();
    let new: BTreeSet<&RecordId> = ids.filter(|id| backups.contains(id)).collect();
    let old = unrecorded(place);
    if new.iter().all(|id| old.contains(id)) {
        return Ok(());
    }
    let all: BTreeSet<&RecordId> = old.iter().filter(|id| backups.contains(id)).chain(new).collect();
    let text: String = all.into_iter().map(|id| format!("{id}\n")).collect();
    write(&place.unrecorded(), text.as_bytes(), durability)
}
