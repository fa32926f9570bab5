//! The files that the log knows, by the names that its records left them, but for one: what each record left of them.
//!
//! Owns that one walk through the log. Whether such a file is meant is `strangers`' affair.
//! Invariant: a text that was the one file's, under whatever name, is never told as another one's.

use super::log::Log;
use crate::change::ChangeKind;
use crate::history::reader::Item;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// So many records are looked at for what the log knows of files.
pub(super) const MOST_LOOKED_BACK: usize = 4096;

/// A file as the log has it.
pub(super) struct LoggedFile {
    /// Whether it is another one for certain: a record made it, or it was there under another name when the one was.
    pub(super) is_another: bool,
    /// The newest record that left something of it, and which of its files it is.
    pub(super) newest: (Rc<Item>, usize),
    /// The same of the oldest, of those that are newer than the one of which the one is meant.
    pub(super) first: Option<(Rc<Item>, usize)>,
    /// How many records are older than that one, of those that were looked at.
    pub(super) age: usize,
    /// What records left of it, the newest last.
    pub(super) left: Vec<BlobId>,
}

/// The files of the log but for one.
#[derive(Default)]
pub(super) struct LoggedFiles {
    /// By name.
    others: BTreeMap<RepoPath, LoggedFile>,
    /// Those that were taken for the one, as they had its text: a record that meets the one under its own name shows that they are copies.
    taken: BTreeMap<RepoPath, LoggedFile>,
    /// The texts of the one.
    own: HashSet<BlobId>,
    /// Those of them that the record, or an older one, met or left.
    own_until: HashSet<BlobId>,
    /// What an older record left last under one of the names of the one.
    left_last: Option<BlobId>,
    /// Whether that is what the record met.
    is_as_left: bool,
    /// What records left in the one since one of them made it, as long as none of them met anything else there.
    as_made: Option<BlobId>,
    /// Whether the one was, as the record met it, what records had made of nothing.
    is_made: bool,
    /// What git had of other files, and what records left of these under a name of the one; none before it is asked for.
    elsewhere: Option<HashSet<BlobId>>,
    /// The names at which there is none by the log, as a record removed it.
    gone: HashSet<RepoPath>,
}

impl LoggedFiles {
    /// All but the one of a record, which has, or had, one of these names. Where a later record met one of its texts under another
    /// name, it is that one; where it met, under a name of the one, one of the texts that git `had` elsewhere, it is another.
    pub(super) fn but(own: &[RepoPath], record: &RecordId, log: &Log<'_>, had: &dyn Fn() -> HashSet<BlobId>) -> Self {
        let mut items: Vec<_> = log.items().take(MOST_LOOKED_BACK).map_while(Result::ok).collect();
        items.reverse();
        let mut files = Self::default();
        let since = items.iter().position(|item| item.record.id == *record).map_or(0, |at| at + 1);
        for (age, item) in items.iter().enumerate() {
            let is_there = |file: &RecordFile| file.before.is_some() && is_one_of(own, file);
            let is_beside = age < since || item.record.files.iter().any(is_there);
            for (n, file) in item.record.files.iter().enumerate() {
                if file.after.is_none() {
                    files.gone.insert(file.path.clone());
                } else {
                    files.gone.remove(&file.path);
                }
                let has_name = is_one_of(own, file);
                if has_name && age < since {
                    files.make(&item.record, file);
                }
                if has_name && age >= since && files.passes_by(file, had) {
                    continue;
                }
                let newest = (Rc::clone(item), n);
                let first = (age >= since).then(|| newest.clone());
                if has_name {
                    files.give_back(file);
                }
                let is_another = files.others.get(&file.path).is_some_and(|known| known.is_another);
                let may_be = !is_beside && !is_another;
                if has_name || (may_be && file.before.is_some_and(|before| files.own.contains(&before))) {
                    files.own.extend([file.before, file.after].into_iter().flatten());
                    files.others.remove(&file.path);
                    if let Some(after) = file.after.filter(|_| !has_name) {
                        let mut left = files.taken.remove(&file.path).map(|taken| taken.left).unwrap_or_default();
                        left.push(after);
                        files
                            .taken
                            .insert(file.path.clone(), LoggedFile { is_another: true, newest, first, age, left });
                    }
                } else {
                    files.add(file, LoggedFile { is_another: is_beside, newest, first, age, left: Vec::new() });
                }
            }
        }
        files
    }

    /// Passes by what a record did under a name of the one, where it met what git had elsewhere, or what came of that.
    fn passes_by(&mut self, met: &RecordFile, had: &dyn Fn() -> HashSet<BlobId>) -> bool {
        let Some(text) = met.before.filter(|text| !self.own.contains(text)) else { return false };
        let elsewhere = self.elsewhere.get_or_insert_with(had);
        let is_so = elsewhere.contains(&text);
        elsewhere.extend(met.after.filter(|_| is_so));
        is_so
    }

    /// A record met the one under its own name: what has its text under others, and was not found as this, is a copy.
    fn give_back(&mut self, met: &RecordFile) {
        let is_copy = |file: &LoggedFile| met.before.is_some() && file.left.last() != met.before.as_ref();
        let taken = std::mem::take(&mut self.taken);
        for (path, copy) in taken.into_iter().filter(|(_, file)| is_copy(file)) {
            // What records left in it was never the one's.
            self.own.retain(|text| !copy.left.contains(text) || self.own_until.contains(text));
            self.others.insert(path, copy);
        }
    }

    /// What a record did to the one, up to that record of which the one is meant.
    fn make(&mut self, record: &Record, file: &RecordFile) {
        let is_new = file.change == ChangeKind::Create && record.kind == RecordClass::Edit;
        self.is_made = file.before.is_some() && self.as_made == file.before;
        self.as_made = file.after.filter(|_| is_new || self.is_made);
        self.is_as_left = file.before.is_some() && self.left_last == file.before;
        self.left_last = file.after;
        self.own_until.extend([file.before, file.after].into_iter().flatten());
    }

    /// What a record did to another one.
    fn add(&mut self, file: &RecordFile, mut logged: LoggedFile) {
        let was = file.from.as_ref().and_then(|from| self.others.remove(from));
        let known = self.others.remove(&file.path);
        // What a record removed is not moved.
        let Some(after) = file.after else { return };
        if file.change == ChangeKind::Create {
            logged.is_another = true;
        } else if let Some(known) = was.or(known) {
            let first = known.first.or(logged.first);
            logged = LoggedFile { is_another: known.is_another, left: known.left, first, ..logged };
        }
        logged.left.push(after);
        self.others.insert(file.path.clone(), logged);
    }

    /// The others whose last text is none of the one's, by name.
    pub(super) fn others(&self) -> impl Iterator<Item = (&RepoPath, &LoggedFile)> {
        self.others.iter().filter(|(_, file)| file.left.last().is_none_or(|last| !self.own.contains(last)))
    }

    /// All others, by name.
    pub(super) fn all(&self) -> impl Iterator<Item = (&RepoPath, &LoggedFile)> {
        self.others.iter()
    }

    /// Whether the log tells that no file has a name.
    pub(super) fn is_gone(&self, name: &RepoPath) -> bool {
        self.gone.contains(name)
    }

    /// Whether the one was, as the record met it, what records had made of nothing.
    pub(super) fn is_made(&self) -> bool {
        self.is_made
    }

    /// Whether the record, or an older one, left the one with a text, or met it so.
    pub(super) fn was_own(&self, text: BlobId) -> bool {
        self.own_until.contains(&text)
    }

    /// Whether the record met the one as an older record had left it under one of its names.
    pub(super) fn is_as_left(&self) -> bool {
        self.is_as_left
    }

    /// The others, for certain, in which a record left a text, also where the one had it when the record met it.
    pub(super) fn others_with(&self, text: BlobId) -> impl Iterator<Item = &RepoPath> {
        let has_it = move |file: &LoggedFile| file.is_another && file.left.contains(&text);
        self.others.iter().filter(move |(_, file)| has_it(file)).map(|(path, _)| path)
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

/// Whether a record knows its file by one of these names.
fn is_one_of(names: &[RepoPath], file: &RecordFile) -> bool {
    names.contains(&file.path) || file.from.as_ref().is_some_and(|from| names.contains(from))
}
