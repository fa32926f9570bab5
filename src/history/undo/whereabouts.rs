//! Which file of the working tree is the one that a record touched, whoever renamed it since.
//!
//! Owns the order of what is asked: the log, then the names that it had, then the files that came since, by their texts.
//! What is to become of the file is not its affair.
//! Invariant: a file that git had under its name when the record was made is another one, and of two that could be meant
//! neither is taken.

use super::known::known_since;
use super::left::{FoundBy, Left};
use super::likeness::{are_versions, is_closer, is_mostly_in, share_a_change};
use super::lineage::Lineage;
use super::log::{Known, Log};
use super::moved::{Lost, met_elsewhere, moved_by_git};
use super::renames::{Renames, Trail};
use super::request::UndoRequest;
use super::step::is_text;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item};
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use crate::record::Record;
use crate::worktree::WorktreeError;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// So many files are read in search of one that was renamed and edited.
const MOST_READ: usize = 512;

/// So many files are looked for by their texts, to see whether they are at a path that was asked for.
const MOST_SEARCHES: usize = 16;

/// So many records are looked at for a text that was left in another file.
const MOST_LOOKED_BACK: usize = 4096;

/// For so many files git is asked where they went.
const MOST_ASKED: usize = 8;

/// What is in a file of the working tree; none where there is no file.
type Found = Result<Option<Vec<u8>>, WorktreeError>;

/// The regular files of the working tree with their lengths; none where they are too many to look at.
pub type Listed = Option<Vec<(RepoPath, u64)>>;

/// Files, with what git had of each.
pub type Had = Vec<(RepoPath, Vec<u8>)>;

/// The files of the working tree, as an undo looks at them.
pub struct Files<'a> {
    /// The text of a file as it is.
    pub read: &'a dyn Fn(&RepoPath) -> Found,
    /// Whether a symbolic link stands at a path, or on the way to it: then there is no file of that path, and no room for one.
    pub leads_elsewhere: &'a dyn Fn(&RepoPath) -> bool,
    /// The Unix permission bits of a file.
    pub mode: &'a dyn Fn(&RepoPath) -> Option<u32>,
    /// All files.
    pub list: &'a dyn Fn() -> Listed,
    /// Whether git had a file at a path when a record was made.
    pub was_tracked: &'a dyn Fn(&Record, &RepoPath) -> bool,
    /// What git had of a file when a record was made.
    pub had: &'a dyn Fn(&Record, &RepoPath) -> Option<Vec<u8>>,
    /// The files that git had when a record was made and that are otherwise now, or gone, with what it had.
    pub changed_since: &'a dyn Fn(&Record) -> Had,
    /// What HEAD has of a file.
    pub in_head: &'a dyn Fn(&RepoPath) -> Option<BlobId>,
    /// Whether git's index has a path now.
    pub is_tracked: &'a dyn Fn(&RepoPath) -> bool,
    /// What is staged of a file and is not in HEAD, where git stores the bytes of files as they are.
    pub staged: &'a dyn Fn(&RepoPath) -> Option<Vec<u8>>,
}

/// What is enough to take one file for another that was renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Its text: the record is in force, so the text is in the file, wherever that is.
    Text,
    /// Git has it under the new name and not under the old one: what the log calls undone may be in a copy as well.
    Index,
}

/// Where files of records are today.
pub(super) struct Whereabouts<'a> {
    history: &'a History<'a>,
    files: &'a Files<'a>,
    log: Log<'a>,
    renames: Renames,
    listed: OnceCell<Listed>,
    /// How many files may still be looked for, to see whether they are at a path that was asked for.
    searches: Cell<usize>,
    /// For how many git may still be asked where they went.
    asked: Cell<usize>,
    /// The files that are otherwise now than in one commit.
    changed: RefCell<Option<(Option<CommitId>, Rc<Had>)>>,
}

impl<'a> Whereabouts<'a> {
    /// Nothing is looked at yet.
    pub(super) fn new(history: &'a History<'a>, files: &'a Files<'a>) -> Self {
        Self {
            history,
            files,
            log: Log::new(history),
            renames: Renames::default(),
            listed: OnceCell::new(),
            searches: Cell::new(MOST_SEARCHES),
            asked: Cell::new(MOST_ASKED),
            changed: RefCell::default(),
        }
    }

    pub(super) fn history(&self) -> &'a History<'a> {
        self.history
    }

    pub(super) fn log(&self) -> &Log<'a> {
        &self.log
    }

    pub(super) fn files(&self) -> &'a Files<'a> {
        self.files
    }

    /// What became of a name that a record gave to a file, or met.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn trail(&self, item: &Item, path: &RepoPath) -> Result<Trail, HistoryError> {
        self.renames.trail(&self.log, item, path)
    }

    /// What the log has of a file from a record on, oldest first.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn known(&self, left: &Left<'_>) -> Result<Vec<Arc<Known>>, HistoryError> {
        let path = &left.record.files[left.file].path;
        let today = self.trail(left.item, path)?.today;
        today.map_or(Ok(Vec::new()), |today| known_since(&self.log, &left.record.id, &today))
    }

    /// Whether a file of a record is to be undone by its paths: those of a request are all where it names none.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn is_meant(&self, request: &UndoRequest, item: &Item, n: usize) -> Result<bool, HistoryError> {
        let is_asked = request.paths.is_empty() || self.is_at(&request.paths, item, n)?;
        Ok(is_asked && (request.except.is_empty() || !self.is_at(&request.except, item, n)?))
    }

    /// Whether a file of a record is, was or would have been at one of these paths, or below.
    fn is_at(&self, paths: &[RepoPath], item: &Item, n: usize) -> Result<bool, HistoryError> {
        let Some(file) = item.record.files.get(n) else { return Ok(false) };
        let is_asked = |name: &RepoPath| paths.iter().any(|path| name == path || name.is_below(path));
        if is_asked(&file.path) || file.from.as_ref().is_some_and(is_asked) {
            return Ok(true);
        }
        let Some(today) = self.trail(item, &file.path)?.today else { return Ok(false) };
        if is_asked(&today) {
            return Ok(true);
        }
        let is_gone = file.after.is_some() && matches!((self.files.read)(&today), Ok(None));
        let Some(left) = self.searches.get().checked_sub(1).filter(|_| is_gone) else { return Ok(false) };
        self.searches.set(left);
        let Some(record) = self.history.full_if_whole(item) else { return Ok(false) };
        let texts = self.history.texts_if_whole(item, &record, n);
        let found = self.on_disk(&Left { item, record: &record, file: n, texts: &texts }, Evidence::Text)?;
        Ok(found.is_some_and(|(path, _)| is_asked(&path)))
    }

    /// Where the file is; none where it is nowhere.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn on_disk(
        &self,
        left: &Left<'_>,
        evidence: Evidence,
    ) -> Result<Option<(RepoPath, FoundBy)>, HistoryError> {
        let file = &left.record.files[left.file];
        let trail = self.trail(left.item, &file.path)?;
        // What is there and cannot be read is told where it is to be changed.
        let is_there = |path: &RepoPath| !matches!((self.files.read)(path), Ok(None));
        let known = self.known(left)?;
        let read = |path: &RepoPath| (self.files.read)(path).ok().flatten();
        let today = trail.today.as_ref().filter(|path| is_there(path));
        let own = [trail.today.as_ref().unwrap_or(&file.path), &file.path, file.from.as_ref().unwrap_or(&file.path)];
        let was_another = |text: &[u8], last: &[u8]| {
            self.was_another(left, own, (text, last))
                || self.was_exchanged(left, own, text)
                || self.is_left_elsewhere(own, text)
        };
        let lineage = Lineage::of(left, &known, &was_another);
        if let Some(today) = today {
            let is_found = |text: &[u8]| is_text(text, file.before);
            let is_another = read(today).is_some_and(|text| !is_found(&text) && lineage.is_another(&text));
            return Ok(Some((today.clone(), if is_another { FoundBy::NameOnly } else { FoundBy::Certain })));
        }
        let last = lineage.last;
        let is_it = |text: &[u8]| {
            is_text(text, file.before) || is_text(text, file.after) || last.is_some_and(|last| are_versions(last, text))
        };
        let names = trail.before.iter().chain(&file.from);
        if let Some(name) = names.into_iter().find(|name| read(name).is_some_and(|text| is_it(&text))) {
            return Ok(Some((name.clone(), FoundBy::Certain)));
        }
        let is_evident = |path: &RepoPath| match evidence {
            Evidence::Text => true,
            Evidence::Index => (self.files.is_tracked)(path) && !(self.files.is_tracked)(&file.path),
        };
        let is_meant = |path: &RepoPath| self.is_new(left, path) && is_evident(path);
        let moved = trail.today.as_ref().map(|name| self.moved(&Lost { left, name, known: &known })).transpose()?;
        if let Some(found) = moved.flatten().filter(|(path, _)| is_there(path) && is_meant(path)) {
            return Ok(Some(found));
        }
        Ok(self.by_text(&lineage, (left.record, own), &is_meant))
    }

    /// Where a file may have got by its text alone: under a name that is new to git, and is no other file's.
    fn by_text(
        &self,
        lineage: &Lineage<'_>,
        (record, own): (&Record, [&RepoPath; 3]),
        is_meant: &dyn Fn(&RepoPath) -> bool,
    ) -> Option<(RepoPath, FoundBy)> {
        let read = |path: &RepoPath| (self.files.read)(path).ok().flatten();
        if let Some(exact) = self.with_text(&lineage.versions) {
            // One that git had with just that text, and that is gone, may be what is there.
            let was_another = |path: &RepoPath| read(path).is_some_and(|text| self.was_gone(record, own, &text));
            return Some((exact, FoundBy::Certain)).filter(|(path, _)| is_meant(path) && !was_another(path));
        }
        let last = lineage.last?;
        let alike = self.like(record, |now| are_versions(last, now)).filter(is_meant)?;
        let is_another = read(&alike).is_none_or(|text| lineage.is_another(&text));
        (!is_another).then_some((alike, FoundBy::Likeness))
    }

    /// Whether git had another file with just this text when a record was made that is not at its name any more.
    fn was_gone(&self, record: &Record, own: [&RepoPath; 3], text: &[u8]) -> bool {
        let changed = self.changed_since(record);
        let is_gone = |path: &RepoPath| matches!((self.files.read)(path), Ok(None));
        changed.iter().any(|(path, had)| had == text && !own.contains(&path) && is_gone(path))
    }

    /// Where a file went, by a later record or by git.
    fn moved(&self, lost: &Lost<'_>) -> Result<Option<(RepoPath, FoundBy)>, HistoryError> {
        let met = met_elsewhere(&self.log, lost)?;
        let met = met.map(|(item, n)| self.met(&item, n)).transpose()?.flatten();
        let Some(left) = self.asked.get().checked_sub(1).filter(|_| met.is_none()) else { return Ok(met) };
        self.asked.set(left);
        Ok(moved_by_git(self.history.repo(), lost))
    }

    /// Where the file is that a later record met, and whether it is that one still: its name may have got to another one.
    fn met(&self, item: &Item, n: usize) -> Result<Option<(RepoPath, FoundBy)>, HistoryError> {
        let Some(today) = self.trail(item, &item.record.files[n].path)?.today else { return Ok(None) };
        let Some(record) = self.history.full_if_whole(item) else { return Ok(Some((today, FoundBy::Certain))) };
        let texts = self.history.texts_if_whole(item, &record, n);
        let found = self.on_disk(&Left { item, record: &record, file: n, texts: &texts }, Evidence::Text)?;
        Ok(found.filter(|(path, _)| *path == today).or(Some((today, FoundBy::Certain))))
    }

    /// A file into which most lines of one that a record made and that is gone may have got.
    pub(super) fn may_be_in(&self, left: &Left<'_>) -> Option<RepoPath> {
        let made = left.texts.after()?;
        self.like(left.record, |now| is_mostly_in(made, now)).filter(|path| self.is_new(left, path))
    }

    /// Whether a version of a text is in a file that git did not have when a record was made.
    pub(super) fn is_somewhere(&self, record: &Record, text: &[u8]) -> bool {
        self.like(record, |now| now == text || are_versions(text, now)).is_some()
    }

    /// Whether git did not have the path when the record was made, and it is not another file of the record.
    pub(super) fn is_new(&self, left: &Left<'_>, path: &RepoPath) -> bool {
        let others = left.record.files.iter().enumerate().filter(|(n, _)| *n != left.file);
        let is_other = others.map(|(_, file)| file).any(|file| file.path == *path || file.from.as_ref() == Some(path));
        !is_other && !(self.files.was_tracked)(left.record, path)
    }

    fn listed(&self) -> &[(RepoPath, u64)] {
        self.listed.get_or_init(|| (self.files.list)()).as_deref().unwrap_or_default()
    }

    /// Whether the text that is at the file's name now was another file when the record was made, which is not at its own name any more:
    /// somebody gave that the name of this one. It must have more in common with it than with what the log left.
    fn was_another(&self, left: &Left<'_>, own: [&RepoPath; 3], (now, last): (&[u8], &[u8])) -> bool {
        let is_gone = |path: &RepoPath, had: &[u8]| {
            let there = (self.files.read)(path).ok().flatten();
            there.is_none_or(|there| there == last || !are_versions(had, &there) || is_closer(&there, last, had))
        };
        // Without a line of its own it has no more in common with anything, but it may be just that.
        let has_own = is_closer(now, now, last);
        let changed = self.changed_since(left.record);
        let others = || changed.iter().filter(|(path, _)| !own.contains(&path)).take(MOST_READ);
        // It may have been that one when the record was made. Where git did not have its name, it was renamed before: then it is
        // the one that it is most like, as long as something tells it from that one.
        let own_had = OnceCell::new();
        let was_it = |had: &[u8]| match own_had.get_or_init(|| (self.files.had)(left.record, own[2])) {
            Some(own) => is_closer(last, had, own),
            None => {
                left.texts.before().is_some()
                    && share_a_change(had, last, now)
                    && !others().any(|(_, other)| is_closer(last, other, had))
            }
        };
        others().any(|(path, had)| {
            let is_it = now == had || (has_own && are_versions(had, now) && is_closer(now, had, last));
            is_it && is_gone(path, had) && !was_it(had)
        })
    }

    /// Whether two files had each other's names when a record was made, and have their own again: the text at the file's name now is the
    /// one that git had there, and what the record met is where git had that.
    fn was_exchanged(&self, left: &Left<'_>, own: [&RepoPath; 3], now: &[u8]) -> bool {
        let Some(met) = left.texts.before() else { return false };
        let Some(had) = (self.files.had)(left.record, own[2]) else { return false };
        // What is left of it may be the file as git had it.
        if !is_closer(now, &had, met) || !are_versions(&had, now) || !is_closer(met, met, &had) {
            return false;
        }
        let is_it = |path: &RepoPath, git_had: &[u8]| {
            let there = (self.files.read)(path).ok().flatten();
            are_versions(git_had, met)
                && is_closer(met, git_had, &had)
                && there.is_some_and(|there| are_versions(&there, met) && is_closer(&there, met, now))
        };
        let changed = self.changed_since(left.record);
        let mut others = changed.iter().filter(|(path, _)| !own.contains(&path)).take(MOST_READ);
        // One that is as git had it is none of those that changed.
        let is_as_it_was = || {
            let same = left.record.files[left.file].before.and_then(|id| self.with_text(&[(id, met.len())]));
            same.and_then(|same| (self.files.had)(left.record, &same)).is_some_and(|had| had == met)
        };
        others.any(|(path, git_had)| is_it(path, git_had)) || is_as_it_was()
    }

    /// Whether the log left a text in another file, which is not at its name any more, and never had it of this one.
    fn is_left_elsewhere(&self, own: [&RepoPath; 3], text: &[u8]) -> bool {
        if text.is_empty() {
            return false;
        }
        let id = blob_id(text);
        let mut items: Vec<_> = self.log.items().take(MOST_LOOKED_BACK).map_while(Result::ok).collect();
        items.reverse();
        // Its own texts, also where a record met one of them under another name; and where the text was left else, the newest last.
        let (mut ours, mut elsewhere): (HashSet<BlobId>, Vec<&RepoPath>) = (HashSet::new(), Vec::new());
        for (item, file) in items.iter().flat_map(|item| item.record.files.iter().map(move |file| (item, file))) {
            let today = || self.trail(item, &file.path).ok().and_then(|trail| trail.today);
            let is_own = |name: &RepoPath| own.contains(&name);
            if [Some(&file.path), file.from.as_ref()].into_iter().flatten().any(is_own)
                || file.before.is_some_and(|before| ours.contains(&before))
                || (file.after == Some(id) && today().is_some_and(|name| is_own(&name)))
            {
                ours.extend([file.before, file.after].into_iter().flatten());
            } else if file.after == Some(id) {
                elsewhere.push(&file.path);
            } else if file.after.is_none() {
                // What a record removed is not moved.
                elsewhere.retain(|path| **path != file.path);
            }
        }
        let is_gone = |path: &RepoPath| matches!((self.files.read)(path), Ok(None));
        !ours.contains(&id) && elsewhere.into_iter().any(is_gone)
    }

    /// What git had of the files that are otherwise now; of the records that were made on one commit it is asked once.
    fn changed_since(&self, record: &Record) -> Rc<Had> {
        let mut kept = self.changed.borrow_mut();
        match &*kept {
            Some((base, had)) if *base == record.meta.base => Rc::clone(had),
            _ => Rc::clone(&kept.insert((record.meta.base, Rc::new((self.files.changed_since)(record)))).1),
        }
    }

    /// The one file that has exactly one of these texts, by blob id and length; those that come first count first.
    fn with_text(&self, texts: &[(BlobId, usize)]) -> Option<RepoPath> {
        for (id, length) in texts.iter().filter(|(_, length)| *length > 0) {
            let alike = self.listed().iter().filter(|(_, size)| *size == *length as u64);
            let is_it = |path: &RepoPath| {
                (self.files.read)(path).is_ok_and(|text| text.is_some_and(|text| is_text(&text, Some(*id))))
            };
            let mut found = alike.map(|(path, _)| path).filter(|path| is_it(path));
            match (found.next(), found.next()) {
                (None, _) => {}
                (Some(path), None) => return Some(path.clone()),
                (Some(_), Some(_)) => return None,
            }
        }
        None
    }

    /// The one file that git did not have when the record was made and whose text passes.
    fn like(&self, record: &Record, is_it: impl Fn(&[u8]) -> bool) -> Option<RepoPath> {
        let new = self.listed().iter().filter(|(path, size)| *size > 0 && !(self.files.was_tracked)(record, path));
        let mut found = None;
        for (n, (path, _)) in new.enumerate() {
            let is_it = |path| (self.files.read)(path).ok().flatten().is_some_and(|now| is_it(&now));
            if n == MOST_READ || (is_it(path) && found.replace(path).is_some()) {
                return None;
            }
        }
        found.cloned()
    }
}
