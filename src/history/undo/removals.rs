//! Whether an undo that removed a file under some name removed the file that a record left there, or another one that had got its name.
//!
//! Owns that question, asked where what was undone is the creation of a file under another name: since when the removed file had the name where it
//! was found, nobody knows. The record's is another one where another record made it, or git had it.
//! Invariant: what is not proven to be another file is the record's.

use super::log::Log;
use super::logged_files::MOST_LOOKED_BACK;
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::RecordFile;
use std::rc::Rc;

/// Whether the record that is so many steps back, which removed a file under the name `removed`, removed another one than a record left at `path`.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn removed_another(
    log: &Log<'_>,
    (at, removed): (usize, &RepoPath),
    (item, path): (&Item, &RepoPath),
) -> Result<bool, HistoryError> {
    let Some(removal) = log.nth(at)? else { return Ok(false) };
    let n = removal.record.files.iter().position(|file| file.path == *removed && file.change == ChangeKind::Delete);
    let Some(target) = n.and_then(|n| removal.record.meta.inverted_in(n).next()) else { return Ok(false) };
    let Some(made) = with_id(log, &target.id)? else { return Ok(false) };
    let was_made_there = made.record.files.get(target.file).is_none_or(|file| file.path == *removed);
    if was_made_there || made.record.id == item.record.id {
        return Ok(false);
    }
    // What was made since is another one.
    if log.is_newer(&made.record.id, &item.record.id) {
        return Ok(true);
    }
    came_of_another(log, (item, path), &made.record.id)
}

/// Whether what a record left at a path came, record by record, of a file that another record than `made` made, or that git had there.
fn came_of_another(log: &Log<'_>, (item, path): (&Item, &RepoPath), made: &RecordId) -> Result<bool, HistoryError> {
    let (mut name, mut met, mut in_git, mut base) = (path.clone(), None, None, item.record.meta.base);
    let goes_on = |file: &RecordFile, name: &RepoPath, met: Option<BlobId>| {
        file.path == *name && (met.is_none() || file.after == met)
    };
    let is_newer =
        |older: &Result<Rc<Item>, HistoryError>| older.as_ref().is_ok_and(|older| older.record.id != item.record.id);
    for older in log.items().skip_while(is_newer).take(MOST_LOOKED_BACK) {
        let older = older?;
        let Some(file) = older.record.files.iter().find(|file| goes_on(file, &name, met)) else { continue };
        if file.change == ChangeKind::Create {
            return Ok(older.record.id != *made);
        }
        (met, in_git, base) = (file.before, file.git_before.or(file.before), older.record.meta.base);
        name = file.from.clone().unwrap_or(name);
    }
    let entry = base.and_then(|base| log.history().repo().entry_in(base, &name).ok().flatten());
    Ok(in_git.is_some() && entry.map(|entry| entry.id) == in_git)
}

fn with_id(log: &Log<'_>, id: &RecordId) -> Result<Option<Rc<Item>>, HistoryError> {
    log.items().find(|item| item.as_ref().map_or(true, |item| item.record.id == *id)).transpose()
}
