//! What the log has of a file since a record: where its lines went, and who changed them.
//!
//! Owns that look, and its bound. What cannot be read is a gap, and nothing is counted on.

use crate::change::ChangeKind;
use crate::history::Filter;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Scope};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile, RecordedTexts};

/// So many records of one file are read.
const MOST_KNOWN: usize = 64;

/// What a record did to a file, where its texts are kept.
#[derive(Debug)]
pub(crate) struct Known {
    /// The record.
    pub(crate) id: RecordId,
    /// What sort of record.
    pub(crate) class: RecordClass,
    /// The records that it inverts in this file.
    pub(crate) targets: Vec<RecordId>,
    /// The file as it has it.
    pub(crate) file: RecordFile,
    /// Its texts.
    pub(crate) texts: RecordedTexts,
}

/// What the log has of a file from a record on, oldest first, by the name that it has today and those that it had before;
/// nothing where that is too much to read.
pub(crate) fn known_since(
    history: &History<'_>,
    oldest: &RecordId,
    today: &RepoPath,
) -> Result<Vec<Known>, HistoryError> {
    let mut known = Vec::new();
    let mut name = today.clone();
    for item in history.items(Scope::Own, Filter::default())? {
        let item = item?;
        let is_oldest = item.record.id == *oldest;
        let goes_on = |file: &RecordFile| matches!(file.change, ChangeKind::Modify | ChangeKind::Rename);
        let is_it = |file: &RecordFile| file.path == name && (is_oldest || goes_on(file));
        if let Some(n) = item.record.files.iter().position(is_it) {
            if known.len() == MOST_KNOWN {
                return Ok(Vec::new());
            }
            // One that cannot be read is a gap, and what comes after it is not counted on.
            let Ok(record) = history.full(&item) else { return Ok(Vec::new()) };
            let Ok(texts) = history.texts(&item, &record, n) else { return Ok(Vec::new()) };
            let Some(file) = record.files.get(n).cloned() else { return Ok(Vec::new()) };
            name = file.from.clone().unwrap_or(name);
            let targets = record.meta.targets.get(n).into_iter().flatten().map(|target| target.id.clone()).collect();
            known.push(Known { id: record.id.clone(), class: record.kind, targets, file, texts });
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
