//! What the log knows of names: how a file that a record touched is called today.
//!
//! Owns that way through the log, read only as far back as is asked. What was renamed without redraft is not known here.
//! Invariant: a name leads on only over records that are newer, in their order, so that two files whose names were swapped
//! are told apart.

use crate::change::ChangeKind;
use crate::history::Filter;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::RecordFile;
use std::cell::RefCell;
use std::collections::HashMap;

/// The records of the log, as a reader meets them.
type Items<'a> = Box<dyn Iterator<Item = Result<Item, HistoryError>> + 'a>;

/// A file got a name.
struct Named {
    /// The one that it had; none where it was made.
    from: Option<RepoPath>,
    path: RepoPath,
}

/// The names that this worktree's records gave to files, newest first.
pub(super) struct Renames<'a> {
    history: &'a History<'a>,
    log: RefCell<Log<'a>>,
}

#[derive(Default)]
struct Log<'a> {
    /// None before the first look.
    unread: Option<Items<'a>>,
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

impl<'a> Renames<'a> {
    /// Nothing is read yet.
    pub(super) fn new(history: &'a History<'a>) -> Self {
        Self { history, log: RefCell::default() }
    }

    /// What became of the name that a file had when a record was made.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn trail(&self, item: &Item, path: &RepoPath) -> Result<Trail, HistoryError> {
        let newer = if item.is_own { self.read_up_to(&item.record.id)? } else { 0 };
        let log = self.log.borrow();
        let newer = log.named.get(..newer).unwrap_or_default();
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
    fn read_up_to(&self, id: &RecordId) -> Result<usize, HistoryError> {
        let mut log = self.log.borrow_mut();
        let Log { unread, named, newer } = &mut *log;
        let unread = match unread {
            Some(unread) => unread,
            None => unread.insert(self.history.items(Scope::Own, Filter::default())?),
        };
        while !newer.contains_key(id) {
            let Some(item) = unread.next().transpose()? else { break };
            newer.insert(item.record.id.clone(), named.len());
            let is_name = |file: &RecordFile| matches!(file.change, ChangeKind::Create | ChangeKind::Rename);
            let files = item.record.files.into_iter().filter(is_name);
            named.extend(files.map(|file| Named { from: file.from, path: file.path }));
        }
        Ok(newer.get(id).copied().unwrap_or_default())
    }
}
