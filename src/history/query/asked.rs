//! How far back records are asked of a commit: which of its files' stories are not told to their end.
//!
//! Owns that, for records that are met from the newest to the oldest. What of a record a commit holds is not its affair.
//! Invariant: what is older than the record that left a file as the commit found it is not new in the commit.

use crate::git::ChangedFile;
use crate::history::reader::Item;
use crate::history::store::index_file::Filter;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};
use bstr::ByteSlice;
use std::collections::{HashMap, HashSet};

/// What is still asked of older records.
pub(super) struct Asked {
    /// The paths whose story is not told to its end, with what the commit found there.
    open: HashMap<RepoPath, Vec<Option<BlobId>>>,
    /// Records that an undo or redo names: they may be in force again, however old they are.
    named: HashSet<RecordId>,
    /// What the commit makes of the paths that no record was met of yet.
    new: HashMap<RepoPath, Option<BlobId>>,
    /// The names that the commit gives to files that it found under others, and those others.
    renamed: HashSet<RepoPath>,
    left: HashSet<RepoPath>,
    /// Whether the newest record of each path left what the commit has.
    is_told: bool,
}

impl Asked {
    pub(super) fn about(changes: &[ChangedFile]) -> Self {
        let names = |file: &ChangedFile| std::iter::once(file.path.clone()).chain(file.from.clone());
        let open = changes.iter().flat_map(|file| names(file).map(|name| (name, file.old.clone()))).collect();
        let new = changes.iter().map(|file| (file.path.clone(), file.new)).collect();
        let renamed = changes.iter().filter(|file| file.from.is_some()).map(|file| file.path.clone()).collect();
        let left = changes.iter().filter_map(|file| file.from.clone()).collect();
        Self { open, named: HashSet::new(), new, renamed, left, is_told: true }
    }

    /// Whether the commit may give a file another name by way of this change of it: the whole way, or a part.
    fn renames(&self, from: &RepoPath, to: &RepoPath) -> bool {
        self.renamed.contains(to) || self.left.contains(from)
    }

    /// The records that may be asked.
    pub(super) fn filter(&self) -> Filter {
        Filter::of(self.open.keys().map(|path| path.as_bstr().as_bytes()))
    }

    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty() && self.named.is_empty()
    }

    /// Whether what is committed is what the newest records left.
    pub(super) fn is_told(&self) -> bool {
        self.is_told
    }

    /// Whether a record, older than all before, may be in the commit.
    pub(super) fn wants(&mut self, item: &Item) -> bool {
        let record = &item.record;
        let is_named = self.named.remove(&record.id);
        let is_open = |file: &RecordFile| self.open.contains_key(&file.path);
        let touches = record.files.iter().any(is_open);
        if matches!(record.kind, RecordClass::Undo | RecordClass::Redo) && (touches || is_named) {
            self.named.extend(record.meta.undoes.iter().cloned());
        }
        // Behind what gave a file an older text again, or is undone itself, older ones may be in force again.
        let brings_back = record.kind != RecordClass::Edit || is_named;
        for file in &record.files {
            let new = self.new.remove(&file.path);
            self.is_told &= new.is_none_or(|new| new == file.git_after.or(file.after));
        }
        let mut wants = is_named;
        for file in &record.files {
            let Some(old) = self.open.get(&file.path) else { continue };
            let found = |id: Option<BlobId>, git: Option<BlobId>| old.contains(&git.or(id));
            let (had, left) = (found(file.before, file.git_before), found(file.after, file.git_after));
            // The commit found what this record left: neither it nor what is older is new, but for the name.
            let is_renamed = file.from.as_ref().is_some_and(|from| self.renames(from, &file.path));
            wants |= !left || file.bit_alone().is_some() || is_renamed;
            if (had || left) && !brings_back {
                self.open.remove(&file.path);
            }
        }
        wants
    }
}
