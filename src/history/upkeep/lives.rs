//! A file through its names: what was called `a` before it was renamed to `b` is one file, and what is called `a` afterwards another.
//!
//! Owns that, as far as records tell. Renames that no record saw are not known.

use crate::change::ChangeKind;
use crate::history::reader::Item;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The texts of files, by the names that they had then, and those names.
#[derive(Debug, Default)]
pub(super) struct Life {
    pub texts: BTreeSet<(RepoPath, BlobId)>,
    pub names: BTreeSet<RepoPath>,
}

/// A name in one worktree.
type Name = (Arc<str>, RepoPath);

#[derive(Default)]
struct Lives {
    all: Vec<Life>,
    /// Which file has a name now.
    now: HashMap<Name, usize>,
    /// Which had it last, where none has it.
    last: HashMap<Name, usize>,
}

/// What is known of all files of which `is_sought` names one name; the records come oldest first.
pub(super) fn of_names(items: impl Iterator<Item = Item>, is_sought: impl Fn(&RepoPath) -> bool) -> Life {
    let mut lives = Lives::default();
    for item in items {
        // Those of other clones cannot be changed here.
        if let Some(worktree) = &item.worktree {
            lives.pass(worktree, item.record.kind, &item.record.files);
        }
    }
    let mut whole = Life::default();
    for life in lives.all.into_iter().filter(|life| life.names.iter().any(&is_sought)) {
        whole.texts.extend(life.texts);
        whole.names.extend(life.names);
    }
    whole
}

impl Lives {
    /// Goes on by one record, in which files may take each other's names.
    fn pass(&mut self, worktree: &Arc<str>, kind: RecordClass, files: &[RecordFile]) {
        let name = |path: &RepoPath| (Arc::clone(worktree), path.clone());
        let found: Vec<usize> =
            files.iter().map(|file| self.found(&name(file.from.as_ref().unwrap_or(&file.path)), kind, file)).collect();
        for file in files.iter().filter(|file| matches!(file.change, ChangeKind::Rename | ChangeKind::Delete)) {
            let left = name(file.from.as_ref().unwrap_or(&file.path));
            if let Some(life) = self.now.remove(&left) {
                self.last.insert(left, life);
            }
        }
        for (file, life) in files.iter().zip(found) {
            if file.change != ChangeKind::Delete {
                self.now.insert(name(&file.path), life);
            }
            let life = &mut self.all[life];
            life.texts.extend(texts_of(file));
            life.names.extend(file.from.iter().chain([&file.path]).cloned());
        }
    }

    /// The file that a record is about; a new one where it makes it, unless that brings one back.
    fn found(&mut self, name: &Name, kind: RecordClass, file: &RecordFile) -> usize {
        let is_new = file.change == ChangeKind::Create && matches!(kind, RecordClass::Edit | RecordClass::External);
        let known = self.now.get(name).or_else(|| self.last.get(name).filter(|_| !is_new)).copied();
        known.unwrap_or_else(|| {
            self.all.push(Life::default());
            self.all.len() - 1
        })
    }
}

/// Both texts of a file, each at its path.
pub(super) fn texts_of(file: &RecordFile) -> impl Iterator<Item = (RepoPath, BlobId)> {
    let before = file.before.map(|id| (file.from.as_ref().unwrap_or(&file.path).clone(), id));
    let after = file.after.map(|id| (file.path.clone(), id));
    before.into_iter().chain(after)
}
