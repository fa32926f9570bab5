//! Whether the newest records of a path tell how what was there became what is there: then no other file was moved to it.
//!
//! Owns that look. It goes by ids alone, from the newest record back to the one that met what was there.

use crate::history::error::HistoryError;
use crate::history::reader::{History, Scope};
use crate::history::store::index_file::Filter;
use crate::id::BlobId;
use crate::path::RepoPath;
use bstr::ByteSlice;
use std::collections::{HashMap, HashSet};

/// So many records of a path are asked: what is older is taken for its own.
const MOST_ASKED: usize = 16;

/// What was at a path, and what is; each in one form or in several.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) old: Vec<Option<BlobId>>,
    pub(super) new: Vec<Option<BlobId>>,
}

/// Those of these paths of which records of their own tell the change.
///
/// # Errors
/// Where the history cannot be read.
pub(super) fn told_by_own(
    history: &History<'_>,
    changes: impl IntoIterator<Item = (RepoPath, Change)>,
) -> Result<HashSet<RepoPath>, HistoryError> {
    let mut open: HashMap<RepoPath, (Change, usize)> =
        changes.into_iter().map(|(path, change)| (path, (change, 0))).collect();
    let mut told = HashSet::new();
    let mut items = history.items(Scope::Own, Filter::of(open.keys().map(|path| path.as_bstr().as_bytes())))?;
    while !open.is_empty()
        && let Some(item) = items.next()
    {
        for file in &item?.record.files {
            let Some((change, asked)) = open.get_mut(&file.path) else { continue };
            *asked += 1;
            let (had, left) = ([file.before, file.git_before], [file.after, file.git_after]);
            let are_same = |one: &[Option<BlobId>], other: &[Option<BlobId>]| {
                one.iter().any(|id| id.is_some() && other.contains(id))
            };
            let goes_on = are_same(&change.new, &left);
            if goes_on && (are_same(&change.old, &had) || *asked == MOST_ASKED) {
                told.insert(file.path.clone());
            } else if goes_on {
                change.new = had.to_vec();
                continue;
            }
            open.remove(&file.path);
        }
    }
    Ok(told)
}
