//! What records did last at each path, and first.
//!
//! Owns that look through the records of a worktree. Where files are that are not there any more is `moved_files`'s affair.
//! Invariant: nothing but the log is read, and, of a file that may be gone, whether something is at its name.

use super::text_now::is_gone;
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::RecordClass;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// So many files that are gone are looked for, the ones recorded last.
const MOST_GONE: usize = 512;

/// What records did last at each path.
#[derive(Default)]
pub(super) struct Recorded {
    seen: BTreeSet<RepoPath>,
    /// Those that left a text there, the newest first, each with its file.
    last: Vec<(Rc<Item>, usize)>,
    /// Where edits made files, each with HEAD as it was then, the last time.
    pub(super) made: BTreeMap<RepoPath, Option<CommitId>>,
    /// What the oldest record of each path found there, and what git had for that.
    pub(super) found: BTreeMap<RepoPath, [Option<BlobId>; 2]>,
    /// Where undos and redos found files of records whose names they left.
    inverted_at: HashMap<(RecordId, usize), RepoPath>,
    /// The same, by the names that these records have.
    pub(super) led: BTreeMap<RepoPath, RepoPath>,
}

impl Recorded {
    /// What all records of this worktree did.
    ///
    /// # Errors
    /// Where the history cannot be read.
    pub(super) fn all_of(history: &History<'_>) -> Result<Self, HistoryError> {
        Self::of_newest(history, usize::MAX)
    }

    /// What the newest ones did, so many: for who must not take longer the more there are.
    ///
    /// # Errors
    /// As [`Self::all_of`].
    pub(super) fn of_newest(history: &History<'_>, most: usize) -> Result<Self, HistoryError> {
        let mut recorded = Self::default();
        for item in history.items(Scope::Own, Filter::default())?.take(most) {
            recorded.visit(&Rc::new(item?));
        }
        Ok(recorded)
    }

    /// Of records from the newest to the oldest.
    pub(super) fn visit(&mut self, item: &Rc<Item>) {
        for (n, file) in item.record.files.iter().enumerate() {
            if self.seen.insert(file.path.clone()) && file.after.is_some() {
                self.last.push((Rc::clone(item), n));
            }
            self.found.insert(file.path.clone(), [file.before, file.git_before]);
            if let Some(there) = self.inverted_at.get(&(item.record.id.clone(), n)).filter(|there| **there != file.path)
            {
                self.led.entry(file.path.clone()).or_insert_with(|| there.clone());
            }
            if file.change == ChangeKind::Modify {
                let inverted = item.record.meta.inverted_in(n).map(|target| (target.id.clone(), target.file));
                inverted.for_each(|of| _ = self.inverted_at.entry(of).or_insert_with(|| file.path.clone()));
            }
            if file.change == ChangeKind::Create && item.record.kind == RecordClass::Edit {
                self.made.entry(file.path.clone()).or_insert(item.record.meta.base);
            }
        }
        self.seen.extend(item.record.files.iter().filter_map(|file| file.from.clone()));
    }

    /// Those that left a text at a path at which nothing is any more, the newest first, each with its file.
    pub(super) fn gone(&self, history: &History<'_>) -> impl Iterator<Item = &(Rc<Item>, usize)> {
        self.last.iter().filter(|(item, n)| is_gone(history, &item.record.files[*n].path)).take(MOST_GONE)
    }

    /// Whether the oldest record of a path found one of these texts in its file.
    pub(super) fn was_found_as(&self, path: &RepoPath, texts: &[Option<BlobId>]) -> bool {
        self.found.get(path).is_some_and(|found| found.iter().any(|id| id.is_some() && texts.contains(id)))
    }
}
