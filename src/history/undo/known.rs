//! What the log has of a file since a record: where its lines went, and who changed them.
//!
//! Owns that look, and its bound. What cannot be read is a gap, and nothing is counted on.

use crate::change::ChangeKind;
use crate::history::Filter;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Scope};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{RecordFile, RecordedTexts};

/// So many records of one file are read.
const MOST_KNOWN: usize = 64;

/// What a record did to a file, where its texts are kept.
#[derive(Debug)]
pub(crate) struct Known {
    /// The record.
    pub(crate) id: RecordId,
    /// The file as it has it.
    pub(crate) file: RecordFile,
    /// Its texts.
    pub(crate) texts: RecordedTexts,
}

/// What the log has of a file from a record on, oldest first; nothing where that is too much to read.
pub(crate) fn known_since(
    history: &History<'_>,
    oldest: &RecordId,
    path: &RepoPath,
) -> Result<Vec<Known>, HistoryError> {
    let mut known = Vec::new();
    for item in history.items(Scope::Own, Filter::default())? {
        let item = item?;
        let is_oldest = item.record.id == *oldest;
        let is_it = |file: &RecordFile| file.path == *path && (is_oldest || file.change == ChangeKind::Modify);
        if let Some(n) = item.record.files.iter().position(is_it) {
            if known.len() == MOST_KNOWN {
                return Ok(Vec::new());
            }
            // One that cannot be read is a gap, and what comes after it is not counted on.
            let Ok(record) = history.full(&item) else { return Ok(Vec::new()) };
            let Ok(texts) = history.texts(&item, &record, n) else { return Ok(Vec::new()) };
            known.push(Known { id: record.id.clone(), file: record.files[n].clone(), texts });
        }
        if is_oldest {
            break;
        }
    }
    known.reverse();
    Ok(known)
}

/// Whether a record that is newer than `undo` touched a file of a record, under either of its names: then the log tells
/// how the file came to be as it is, and not that the undo was discarded.
pub(crate) fn is_touched_since(
    history: &History<'_>,
    undo: &RecordId,
    file: &RecordFile,
) -> Result<bool, HistoryError> {
    for item in history.items(Scope::Own, Filter::default())? {
        let item = item?;
        if item.record.id == *undo {
            break;
        }
        let is_name = |path: &RepoPath| *path == file.path || file.from.as_ref() == Some(path);
        if item.record.files.iter().any(|other| is_name(&other.path) || other.from.as_ref().is_some_and(is_name)) {
            return Ok(true);
        }
    }
    Ok(false)
}
