//! What the log knows of names: how a file that a record touched is called today.
//!
//! Owns that way through the log, read only as far back as is asked. What was renamed without redraft is known only where an
//! undo found the file under its new name.
//! Invariant: a name leads on only over records that are newer, in their order, so that two files whose names were swapped
//! are told apart.

use super::log::Log;
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::Record;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

/// A file got a name.
struct Named {
    /// By the record that is so many steps back.
    at: usize,
    /// The one that it had; none where it was made.
    from: Option<RepoPath>,
    path: RepoPath,
}

/// The names that this worktree's records gave to files, and those that they found them under.
#[derive(Default)]
pub(super) struct Renames(RefCell<Names>);

#[derive(Default)]
struct Names {
    /// Newest first.
    named: Vec<Named>,
    /// The records that were read: how many are newer.
    read: HashMap<RecordId, usize>,
    /// The files of records that are not read yet, and what an undo of them found each under, so many steps back.
    found: HashMap<(RecordId, usize), Vec<(usize, RepoPath)>>,
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
        let mut names = self.0.borrow_mut();
        let records = if item.is_own { names.read_up_to(log, &item.record.id)? } else { 0 };
        Ok(names.trail(path, 0..records))
    }
}

impl Names {
    /// What became of a name by the records that are so many steps back.
    fn trail(&self, path: &RepoPath, records: Range<usize>) -> Trail {
        let mut trail = Trail { today: Some(path.clone()), before: Vec::new() };
        for named in self.named.iter().rev().filter(|named| records.contains(&named.at)) {
            trail.before.retain(|name| *name != named.path);
            if named.from.is_some() && trail.today == named.from {
                trail.before.extend(trail.today.replace(named.path.clone()));
            } else if named.from.is_some() && trail.today.as_ref() == Some(&named.path) {
                trail.today = None;
            }
        }
        trail.before.reverse();
        trail
    }

    /// How many records are newer than one.
    fn read_up_to(&mut self, log: &Log<'_>, id: &RecordId) -> Result<usize, HistoryError> {
        while !self.read.contains_key(id) {
            let at = self.read.len();
            let Some(item) = log.nth(at)? else { break };
            self.read.insert(item.record.id.clone(), at);
            self.add(at, &item.record);
        }
        Ok(self.read.get(id).copied().unwrap_or_default())
    }

    fn add(&mut self, at: usize, record: &Record) {
        for file in record.files.iter().filter(|file| matches!(file.change, ChangeKind::Create | ChangeKind::Rename)) {
            self.named.push(Named { at, from: file.from.clone(), path: file.path.clone() });
        }
        for (n, file) in record.files.iter().enumerate() {
            for (later, path) in self.found.remove(&(record.id.clone(), n)).unwrap_or_default() {
                self.add_found(at, &file.path, (later, path));
            }
            // Several files may have exchanged their names by it.
            let is_only = record.files.len() == 1 && file.change == ChangeKind::Modify;
            for target in record.meta.targets.get(n).into_iter().flatten().filter(|_| is_only) {
                self.found.entry((target.id.clone(), target.file)).or_default().push((at, file.path.clone()));
            }
        }
    }

    /// A file that a record left as `path` was found by a later one under a name that no record gave it: somebody else did.
    fn add_found(&mut self, at: usize, path: &RepoPath, (later, found): (usize, RepoPath)) {
        let Some(was) = self.trail(path, later + 1..at).today.filter(|was| *was != found) else { return };
        let place = self.named.partition_point(|named| named.at <= later);
        // Before what the later record itself did to names.
        self.named.insert(place, Named { at: later, from: Some(was), path: found });
    }
}
