//! The records of one file, whatever names it had.
//!
//! Owns following a file back through the log: by the renames of records, and, where somebody moved it without redraft, by
//! [`super::moved_files`], also where it has had its name before.
//! Invariant: newest first.

use super::moved_files::names_in_records;
use super::text_now::text_now;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::in_force::Whose;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::RecordFile;
use bstr::ByteSlice;

/// The records that changed the file at a path, newest first, each with its file; renames are followed to the older name, whoever made them.
pub(super) fn following<'h>(
    history: &'h History<'_>,
    path: &RepoPath,
    whose: Whose,
) -> Result<impl Iterator<Item = Result<(Item, usize), HistoryError>> + 'h, HistoryError> {
    let of = move |names: &[RepoPath]| -> Result<_, HistoryError> {
        let filter = Filter::of(names.iter().map(|name| name.as_bstr().as_bytes()));
        let scope = if whose == Whose::Own { Scope::Own } else { Scope::All };
        let is_meant = move |item: &Item| item.whose() == whose;
        Ok(history.items(scope, filter)?.filter(move |one| one.as_ref().map_or(true, is_meant)))
    };
    let behind = move |names: &[RepoPath], last: Option<&RecordId>| -> Result<_, HistoryError> {
        let mut items = of(names)?;
        if let Some(last) = last {
            items.by_ref().find(|one| one.as_ref().map_or(true, |one| one.record.id == *last));
        }
        Ok(items)
    };
    let mut text = text_now(history, path).map(|now| blob_id(&now));
    let mut names = Names { open: vec![path.clone()], all: vec![path.clone()], has_gap: false };
    let mut items = of(&names.open)?;
    let mut last: Option<RecordId> = None;
    let mut next = move || {
        loop {
            let Some(item) = items.next().transpose()? else {
                if !names.turned_to_older(history) {
                    return Ok(None);
                }
                items = of(&names.open)?;
                continue;
            };
            let Some(n) = names.named(&item) else { continue };
            if text != item.record.files[n].after && names.beside(history) {
                items = behind(&names.open, last.as_ref())?;
                continue;
            }
            text = item.record.files[n].before;
            if names.renamed(&item.record.files[n]) {
                // The rename has both names.
                items = behind(&names.open, Some(&item.record.id))?;
            }
            last = Some(item.record.id.clone());
            return Ok(Some((item, n)));
        }
    };
    Ok(std::iter::from_fn(move || next().transpose()))
}

/// The names of a file on its way back through the records.
struct Names {
    /// Those that records may have for it there.
    open: Vec<RepoPath>,
    /// All that it ever had.
    all: Vec<RepoPath>,
    /// Whether the records of one name were found not to follow on one another.
    has_gap: bool,
}

impl Names {
    /// The file of a record that has one of these names.
    fn named(&self, item: &Item) -> Option<usize> {
        item.record.files.iter().position(|file| self.open.contains(&file.path))
    }

    /// Behind the rename of a record the file has the older name; whether it is a rename.
    fn renamed(&mut self, file: &RecordFile) -> bool {
        let Some(from) = &file.from else { return false };
        self.open.retain(|name| *name != file.path);
        self.open.push(from.clone());
        self.all.push(from.clone());
        true
    }

    /// The records do not follow on one another: somebody may have given the file another name for a while. Whether there are records of such
    /// names; it is asked once.
    fn beside(&mut self, history: &History<'_>) -> bool {
        if std::mem::replace(&mut self.has_gap, true) {
            return false;
        }
        let others = self.open.iter().flat_map(|name| names_in_records(history, name)).map(|(name, _)| name.clone());
        let others: Vec<RepoPath> = others.filter(|name| !self.all.contains(name)).collect();
        self.all.extend_from_slice(&others);
        self.open.extend_from_slice(&others);
        !others.is_empty()
    }

    /// There is no record of these any more: on with an earlier name, if there is one.
    fn turned_to_older(&mut self, history: &History<'_>) -> bool {
        let mut earlier = self.all.iter().rev().flat_map(|name| names_in_records(history, name));
        let Some((older, _)) = earlier.find(|(older, _)| !self.all.contains(older)) else { return false };
        self.all.push(older.clone());
        self.open = vec![older.clone()];
        true
    }
}

/// The names that records of this worktree have for the file at a path, the newest first.
///
/// # Errors
/// Where the history cannot be read.
pub(super) fn names_before(history: &History<'_>, path: &RepoPath) -> Result<Vec<RepoPath>, HistoryError> {
    let mut names = Vec::new();
    for one in following(history, path, Whose::Own)? {
        let (item, n) = one?;
        let file = &item.record.files[n];
        for name in [Some(&file.path), file.from.as_ref()].into_iter().flatten() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    Ok(names)
}
