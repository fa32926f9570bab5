//! The files that the log knows, by the names that its records left them, but for one: what each record left of them.
//!
//! Owns that one walk through the log. Whether such a file is meant is `strangers`' affair.
//! Invariant: a text that was the one file's, under whatever name, is never told as another one's.

use super::log::Log;
use crate::change::ChangeKind;
use crate::history::reader::Item;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::RecordFile;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// So many records are looked at.
const MOST_LOOKED_BACK: usize = 4096;

/// A file as the log has it.
pub(super) struct LoggedFile {
    /// Whether a record made it, and nobody else.
    pub(super) is_made: bool,
    /// The newest record that left something of it, and which of its files it is.
    pub(super) newest: (Rc<Item>, usize),
    /// What records left of it.
    left: Vec<BlobId>,
}

/// The files of the log but for one.
pub(super) struct LoggedFiles {
    /// By name.
    others: BTreeMap<RepoPath, LoggedFile>,
    /// The texts of the one.
    own: HashSet<BlobId>,
}

impl LoggedFiles {
    /// All but the one that has, or had, one of these names. Where a record met one of its texts under another name, it is that one.
    pub(super) fn but(own: [&RepoPath; 3], log: &Log<'_>) -> Self {
        let mut items: Vec<_> = log.items().take(MOST_LOOKED_BACK).map_while(Result::ok).collect();
        items.reverse();
        let mut files = Self { others: BTreeMap::new(), own: HashSet::new() };
        for item in &items {
            for (n, file) in item.record.files.iter().enumerate() {
                files.add(own, (item, n), file);
            }
        }
        files
    }

    fn add(&mut self, own: [&RepoPath; 3], (item, n): (&Rc<Item>, usize), file: &RecordFile) {
        let is_own = [Some(&file.path), file.from.as_ref()].into_iter().flatten().any(|name| own.contains(&name));
        let is_own = is_own || file.before.is_some_and(|before| self.own.contains(&before));
        if is_own {
            self.own.extend([file.before, file.after].into_iter().flatten());
        }
        let was = file.from.as_ref().and_then(|from| self.others.remove(from));
        let Some(after) = file.after.filter(|_| !is_own) else {
            // What a record removed is not moved.
            self.others.remove(&file.path);
            return;
        };
        let is_made = file.change == ChangeKind::Create;
        let newest = (Rc::clone(item), n);
        let known = was.or_else(|| self.others.remove(&file.path)).filter(|_| !is_made);
        let mut left = known.as_ref().map(|known| known.left.clone()).unwrap_or_default();
        left.push(after);
        let is_made = known.map_or(is_made, |known| known.is_made);
        self.others.insert(file.path.clone(), LoggedFile { is_made, newest, left });
    }

    /// The others whose last text is none of the one's, by name.
    pub(super) fn others(&self) -> impl Iterator<Item = (&RepoPath, &LoggedFile)> {
        self.others.iter().filter(|(_, file)| file.left.last().is_none_or(|last| !self.own.contains(last)))
    }

    /// The one of that name.
    pub(super) fn other(&self, name: &RepoPath) -> Option<&LoggedFile> {
        self.others.get(name)
    }

    /// The others in which a record left a text, which is none of the one's.
    pub(super) fn with(&self, text: BlobId) -> impl Iterator<Item = (&RepoPath, &LoggedFile)> {
        let is_own = self.own.contains(&text);
        self.others.iter().filter(move |(_, file)| !is_own && file.left.contains(&text))
    }
}
