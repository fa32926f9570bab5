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
use crate::record::{RecordClass, RecordFile};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// So many files that are gone are looked for, the ones recorded last.
const MOST_GONE: usize = 512;

/// What records did last at each path.
#[derive(Default)]
pub(super) struct Recorded {
    /// How many records were visited: the fewer there were before one, the newer it is.
    count: usize,
    /// Each path, with how many were visited before the newest one of it.
    seen: BTreeMap<RepoPath, usize>,
    /// Those that left a text there, the newest first, each with its file.
    last: Vec<(Rc<Item>, usize)>,
    /// Where edits made files, each with HEAD as it was then, the last time.
    pub(super) made: BTreeMap<RepoPath, Option<CommitId>>,
    /// What the oldest record of each path found there, and what git had for that.
    pub(super) found: BTreeMap<RepoPath, [Option<BlobId>; 2]>,
    /// The texts that records left at each path.
    left: HashMap<RepoPath, HashSet<BlobId>>,
    /// What the record found that was visited last of each path.
    open: HashMap<RepoPath, Met>,
    /// What records found that the one before them at the path had not left there.
    came: Vec<(RepoPath, Met)>,
    /// Where undos and redos found files of records whose names they left.
    inverted_at: HashMap<(RecordId, usize), RepoPath>,
    /// The same, by the names that these records have.
    pub(super) led: BTreeMap<RepoPath, RepoPath>,
}

/// What a record found at a path.
struct Met {
    id: BlobId,
    /// What git stores for it.
    git: Option<BlobId>,
    /// HEAD, as it was then.
    base: Option<CommitId>,
    /// How many records are newer.
    newer: usize,
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
            if !self.seen.contains_key(&file.path) && file.after.is_some() {
                self.last.push((Rc::clone(item), n));
            }
            self.seen.entry(file.path.clone()).or_insert(self.count);
            self.meets(file, item.record.meta.base);
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
        for from in item.record.files.iter().filter_map(|file| file.from.clone()) {
            self.seen.entry(from).or_insert(self.count);
        }
        self.count += 1;
    }

    fn meets(&mut self, file: &RecordFile, base: Option<CommitId>) {
        if let Some(later) = self.open.remove(&file.path).filter(|later| file.after != Some(later.id)) {
            self.came.push((file.path.clone(), later));
        }
        if let Some(id) = file.before {
            let met = Met { id, git: file.git_before, base, newer: self.count };
            self.open.insert(file.from.as_ref().unwrap_or(&file.path).clone(), met);
        }
        let text = file.after.filter(|_| file.splices.after_len() > 0);
        self.left.entry(file.path.clone()).or_default().extend(text);
    }

    /// The paths at which a record, newer than all of a file, found a text that one of these had left in it, and git had another one there.
    pub(super) fn where_found<'r>(
        &'r self,
        path: &RepoPath,
        had: impl Fn(&RepoPath, CommitId) -> Option<BlobId>,
    ) -> BTreeSet<&'r RepoPath> {
        let (Some(left), Some(newest)) = (self.left.get(path), self.seen.get(path)) else { return BTreeSet::new() };
        let is_it = |(there, met): &(&RepoPath, &Met)| {
            let may_be = *there != path && met.newer < *newest && left.contains(&met.id);
            may_be && met.base.and_then(|base| had(there, base)).is_none_or(|id| id != met.id && met.git != Some(id))
        };
        let all = self.came.iter().map(|(there, met)| (there, met)).chain(&self.open);
        all.filter(is_it).map(|(there, _)| there).collect()
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
