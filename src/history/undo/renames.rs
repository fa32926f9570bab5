//! What the log knows of names: how a file that a record touched is called today.
//!
//! Owns that way through the log, read only as far back as is asked. What was renamed without redraft is not known here.
//! Invariant: a name leads on only over records that are newer, in their order, so that two files whose names were swapped
//! are told apart.

use super::log::Log;
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::RecordFile;
use std::cell::RefCell;
use std::collections::HashMap;

/// A file got a name.
struct Named {
    /// The one that it had; none where it was made.
    from: Option<RepoPath>,
    path: RepoPath,
}

/// The names that this worktree's records gave to files, newest first.
#[derive(Default)]
pub(super) struct Renames(RefCell<Names>);

#[derive(Default)]
struct Names {
    /// So many records were read.
    records: usize,
    named: Vec<Named>,
    /// For each record that was read, how many names are newer than it.
    newer: HashMap<RecordId, usize>,
}

/// How a file is called today, as far as the log knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trail {
    /// None where another file took its name since.
    pub(super) today: Option<RepoPath>,
    /// What it was called before, the newest first, and what no other file is called since.
    pub(super) before: Vec<RepoPath>,
}

impl Renames {
    /// What became of the name that a file had when a record was made.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn trail(&self, log: &Log<'_>, item: &Item, path: &RepoPath) -> Result<Trail, HistoryError> {
        let newer = if item.is_own { self.read_up_to(log, &item.record.id)? } else { 0 };
        let names = self.0.borrow();
        let newer = names.named.get(..newer).unwrap_or_default();
        let mut trail = Trail { today: Some(path.clone()), before: Vec::new() };
        for named in newer.iter().rev() {
            trail.before.retain(|name| *name != named.path);
            if named.from.is_some() && trail.today == named.from {
                trail.before.extend(trail.today.replace(named.path.clone()));
            } else if named.from.is_some() && trail.today.as_ref() == Some(&named.path) {
                trail.today = None;
            }
        }
        trail.before.reverse();
        Ok(trail)
    }

    /// How many names are newer than a record.
    fn read_up_to(&self, log: &Log<'_>, id: &RecordId) -> Result<usize, HistoryError> {
        let Names { records, named, newer } = &mut *self.0.borrow_mut();
        while !newer.contains_key(id) {
            let Some(item) = log.nth(*records)? else { break };
            *records += 1;
            newer.insert(item.record.id.clone(), named.len());
            let is_name = |file: &&RecordFile| matches!(file.change, ChangeKind::Create | ChangeKind::Rename);
            let files = item.record.files.iter().filter(is_name);
            named.extend(files.map(|file| Named { from: file.from.clone(), path: file.path.clone() }));
        }
        Ok(newer.get(id).copied().unwrap_or_default())
    }
}
