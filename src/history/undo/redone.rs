//! Redos whose edit was undone anew since: what they brought back is in force no more, though no undo names them.
//!
//! Owns that question. How the edit itself stands is asked of `standing`.

use super::standing::InFiles;
use crate::history::error::HistoryError;
use crate::history::in_force::{Effect, FileEffect};
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::{Record, RecordClass};

/// What of a record is in force where it may be a redo: its files without those of which all that it brought back was undone
/// since.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn without_undone_again(
    history: &History<'_>,
    in_files: &InFiles<'_, '_>,
    (item, effect): (&Item, Effect),
) -> Result<Effect, HistoryError> {
    if item.record.kind != RecordClass::Redo {
        return Ok(effect);
    }
    let Some(record) = history.full_if_whole(item) else { return Ok(effect) };
    let mut files = Vec::with_capacity(effect.files.len());
    for (n, effect) in effect.files.into_iter().enumerate() {
        let is_open = effect == FileEffect::InForce;
        let by = if is_open { undone_again(history, in_files, (&record, n))? } else { None };
        files.push(by.map_or(effect, FileEffect::Undone));
    }
    Ok(Effect { files, ..effect })
}

/// The undo that took back all that a redo brought back in its file `n`.
fn undone_again(
    history: &History<'_>,
    in_files: &InFiles<'_, '_>,
    (redo, n): (&Record, usize),
) -> Result<Option<RecordId>, HistoryError> {
    let mut newest = None;
    for undo in redo.meta.inverted_in(n) {
        let Ok(item) = history.find(undo.id.as_str()) else { return Ok(None) };
        let Some(record) = history.full_if_whole(&item).filter(|record| record.kind == RecordClass::Undo) else {
            return Ok(None);
        };
        for edit in record.meta.inverted_in(undo.file) {
            let Ok((item, effect)) = history.find_with_effect(edit.id.as_str()) else { return Ok(None) };
            let effect = in_files.corrected(&item, effect)?;
            let Some(FileEffect::Undone(by)) = effect.files.get(edit.file) else { return Ok(None) };
            if !is_newer(history, by, &redo.id)? {
                return Ok(None);
            }
            newest = Some(by.clone());
        }
    }
    Ok(newest)
}

/// Whether the log has one record after another; clocks may have been set.
fn is_newer(history: &History<'_>, one: &RecordId, other: &RecordId) -> Result<bool, HistoryError> {
    let filter = Filter::of([one, other].map(|id| id.as_str().as_bytes()));
    for item in history.items(Scope::All, filter)? {
        let id = item?.record.id;
        if id == *one || id == *other {
            return Ok(id != *other);
        }
    }
    Ok(false)
}
