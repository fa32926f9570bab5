//! Which files that agents edited somebody moved over a file that git has: the text that is committed there is theirs.
//!
//! Owns that look, at changes that leave little of the text that git had, and at files of records that are gone.
//! Invariant: nothing is read but for such a change, of a file that keeps its name.

use super::moved_files::Recorded;
use super::removed_files::is_version;
use crate::git::ChangedFile;
use crate::history::error::HistoryError;
use crate::history::reader::History;
use crate::path::RepoPath;
use bstr::ByteSlice;
use std::collections::HashSet;

/// So many files that were written anew are compared with those that are gone.
const MOST_REWRITTEN: usize = 16;

/// So many that are gone are compared with each, the ones recorded last.
const MOST_COMPARED: usize = 64;

/// The names that records have for files which somebody moved over another, each with that one's.
///
/// # Errors
/// Where the history cannot be read.
pub(super) fn moved_over(
    history: &History<'_>,
    changes: &[ChangedFile],
) -> Result<Vec<(RepoPath, RepoPath)>, HistoryError> {
    let rewritten: Vec<(&RepoPath, Vec<u8>)> =
        changes.iter().filter_map(|file| rewritten(history, file)).take(MOST_REWRITTEN).collect();
    if rewritten.is_empty() {
        return Ok(Vec::new());
    }
    // What git knows to be taken away, or moved, is told by that.
    let is_told = |name: &RepoPath| changes.iter().any(|file| file.path == *name || file.from.as_ref() == Some(name));
    let recorded = Recorded::all_of(history)?;
    let gone = recorded.gone(history).filter(|(item, n)| !is_told(&item.record.files[*n].path));
    let mut found = Vec::new();
    for (item, n) in gone.take(MOST_COMPARED) {
        let Some(record) = history.full_if_whole(item) else { continue };
        let texts = history.texts_if_whole(item, &record, *n);
        let Some(left) = texts.after() else { continue };
        // One that gave it another name wrote no line; older ones did.
        let before = texts.before().filter(|before| *before != left).unwrap_or_default();
        for (path, text) in &rewritten {
            if is_version(before, left, text) {
                found.push((record.files[*n].path.clone(), (*path).clone()));
            }
        }
    }
    Ok(found)
}

/// The name and text of a file, if it keeps its name, and most of its lines are new.
fn rewritten<'c>(history: &History<'_>, file: &'c ChangedFile) -> Option<(&'c RepoPath, Vec<u8>)> {
    let (None, Some(new), [Some(old)]) = (&file.from, file.new, &file.old[..]) else { return None };
    // A submodule, or what a partial clone does not have.
    let [old, new] = [*old, new].map(|id| history.repo().blob(&id).ok());
    let (old, new) = (old?, new?);
    let stood: HashSet<&[u8]> = old.lines().collect();
    let (stays, comes): (Vec<&[u8]>, Vec<&[u8]>) = new.lines().partition(|line| stood.contains(line));
    (stays.len() < comes.len()).then_some((&file.path, new))
}
