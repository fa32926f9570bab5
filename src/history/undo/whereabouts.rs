//! Which file of the working tree is the one that a record touched, whoever renamed it since.
//!
//! Owns the order of what is asked: the log, then the names that it had, then the files that came since, by their texts.
//! What is to become of the file is not its affair.
//! Invariant: a file that git had under its name when the record was made is another one, but for one that the record met under a new name
//! with just the text that git had there; and of two that could be meant neither is taken.

use super::files::{Files, Listed};
use super::found_apart::ToldApart;
use super::git_since::GitSince;
use super::known::known_since;
use super::left::{FoundBy, Left};
use super::likeness::{are_partly_one, are_versions, is_closer, is_mostly_in};
use super::lineage::Lineage;
use super::log::{Known, Log};
use super::moved::{Lost, Moved, MovedOn, only_one};
use super::names::{came_from, is_as_left_by_none, names, names_of_inverted, was_called};
use super::renames::{Renames, Trail};
use super::request::UndoRequest;
use super::step::is_text;
use super::strangers::{Last, Strangers, World};
use super::strays::Strays;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item};
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::Record;
use crate::worktree::WorktreeError;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::sync::Arc;

/// So many files are read in search of one that was renamed and edited.
pub(super) const MOST_READ: usize = 512;

/// So many files are looked for by their texts, to see whether they are at a path that was asked for.
const MOST_SEARCHES: usize = 16;

/// So far behind the clock a file system may be with the times that it gives its files: as long as its system's clock ticks.
pub(super) const CLOCK_STEP_MS: i64 = 10;

/// For so many files git is asked where they went.
const MOST_ASKED: usize = 8;

/// For so many more, of which the log has what is at the name.
const MOST_ASKED_OF_KNOWN: usize = 8;

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
    /// How many may be compared with the files that were asked for by name.
    compared: Cell<usize>,
    /// For how many git may still be asked where they went.
    pub(super) asked: Cell<usize>,
    /// The same of files that seem to be where they were.
    pub(super) asked_of_known: Cell<usize>,
    pub(super) git_since: GitSince,
    told: ToldApart,
    strays: Strays,
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
            compared: Cell::new(MOST_READ),
            asked: Cell::new(MOST_ASKED),
            asked_of_known: Cell::new(MOST_ASKED_OF_KNOWN),
            git_since: GitSince::default(),
            told: ToldApart::default(),
            strays: Strays::default(),
        }
    }

    pub(super) fn history(&self) -> &'a History<'a> {
        self.history
    }

    pub(super) fn log(&self) -> &Log<'a> {
        &self.log
    }

    pub(super) fn told(&self) -> &ToldApart {
        &self.told
    }

    pub(super) fn strays(&self) -> &Strays {
        &self.strays
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
        let Some(today) = self.trail(left.item, path)?.today else { return Ok(Vec::new()) };
        self.known_since(&left.record.id, &today)
    }

    /// What the log has, from a record on, of the file that has a name today, oldest first.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn known_since(&self, oldest: &RecordId, today: &RepoPath) -> Result<Vec<Arc<Known>>, HistoryError> {
        known_since(&self.log, oldest, today, &|at, name| self.renames.found_from(at, name))
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
        let one_less = |left: &Cell<usize>| left.get().checked_sub(1).map(|less| left.set(less));
        if !is_gone || one_less(&self.compared).is_none() {
            return Ok(false);
        }
        let Some(record) = self.history.full_shared_if_whole(item) else { return Ok(false) };
        let texts = self.history.texts_if_whole(item, &record, n);
        // A file that is asked for by its own name must be a version of it.
        let may_be = |path: &RepoPath| match (self.files.read)(path) {
            Ok(Some(text)) => texts.after().is_none_or(|after| are_versions(after, &text)),
            _ => true,
        };
        if !paths.iter().any(may_be) || one_less(&self.searches).is_none() {
            return Ok(false);
        }
        let found = self.on_disk(&Left { item, record: &record, file: n, texts: &texts }, Evidence::Text)?;
        Ok(found.is_some_and(|(path, _)| is_asked(&path)))
    }

    /// Where the file is by its names, or by its text alone; none where these tell nothing.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn by_names_and_likeness(
        &self,
        left: &Left<'_>,
        evidence: Evidence,
    ) -> Result<Option<(RepoPath, FoundBy)>, HistoryError> {
        let file = &left.record.files[left.file];
        let trail = self.trail(left.item, &file.path)?;
        let known = self.known(left)?;
        let read = |path: &RepoPath| (self.files.read)(path).ok().flatten();
        let today = trail.today.as_ref().filter(|path| self.is_there(path));
        let strangers = self.beside(left, trail.today.as_ref());
        let was_another = |text: &[u8], last: Last<'_>| strangers.have(text, last);
        let met_another = |known: &Known, last: Last<'_>| strangers.was_met(known, last);
        let lineage = Lineage::of(left, &known, &was_another, &met_another);
        if let Some(name) = today {
            return self.at_its_name_or_before(&Lost { left, name, known: &known }, &lineage, &trail).map(Some);
        }
        let last = lineage.last;
        let is_it = |text: &[u8]| {
            is_text(text, file.before) || is_text(text, file.after) || last.is_some_and(|last| are_versions(last, text))
        };
        let names = trail.before.iter().chain(&file.from);
        if let Some(name) = names.into_iter().find(|name| read(name).is_some_and(|text| is_it(&text))) {
            let moved_on =
                trail.today.as_ref().and_then(|name| self.moved_on(&Lost { left, name, known: &known }, &self.asked));
            let found = moved_on.and_then(MovedOn::to).map(|path| (path, FoundBy::Git));
            return Ok(Some(found.unwrap_or_else(|| (name.clone(), FoundBy::Certain))));
        }
        let is_evident = |path: &RepoPath| match evidence {
            Evidence::Text => true,
            Evidence::Index => (self.files.is_tracked)(path) && !(self.files.is_tracked)(&file.path),
        };
        // What a record removed is nowhere, and one that was made at its name since is another.
        if trail.is_removed {
            return Ok(None);
        }
        let is_meant = |path: &RepoPath| {
            let is_back = || evidence == Evidence::Text && self.has_its_name_again(left, last, path);
            let may_be = (self.is_new(left, path) && is_evident(path)) || is_back();
            may_be && trail.taken.as_ref() != Some(path) && !self.was_there_before(&lineage, path)
        };
        let was_called = |path: &RepoPath| {
            self.was_called(left, path) || read(path).is_some_and(|text| self.came_from(left, path, &text))
        };
        let lost = Lost { left, name: &trail.last, known: &known };
        match self.moved(&lost, &lineage, &strangers)? {
            Moved::To(path, by) if self.is_there(&path) && (is_meant(&path) || was_called(&path)) => {
                return Ok(Some((path, by)));
            }
            Moved::Unclear => return Ok(None),
            Moved::To(..) | Moved::Nowhere => {}
        }
        let by_text = self.by_text(&lineage, left, (&strangers, &is_meant));
        let called = self.called_as_met(left)?.filter(|name| read(name).is_some_and(|text| is_it(&text)));
        match one_of_both(by_text, called) {
            None if evidence == Evidence::Text => self.went_home(&lost, &lineage),
            found => Ok(found),
        }
    }

    /// Whether a file was there, as it is, before redraft wrote the one that is meant: that one's status changed then, and with each new name.
    fn was_there_before(&self, lineage: &Lineage<'_>, path: &RepoPath) -> bool {
        let changed_at = || (self.files.changed_at)(path);
        lineage.written_at.is_some_and(|written_at| changed_at().is_some_and(|at| at + CLOCK_STEP_MS < written_at))
    }

    /// The name that what a record inverts knew the file by, where the record found it under another one: it may have that one again.
    pub(super) fn called_as_met(&self, left: &Left<'_>) -> Result<Option<RepoPath>, HistoryError> {
        for name in names_of_inverted(&self.log, left) {
            let is_free = self.trail(left.item, &name)?.today.as_ref() == Some(&name);
            if is_free && name != left.record.files[left.file].path && self.is_there(&name) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    pub(super) fn was_called(&self, left: &Left<'_>, path: &RepoPath) -> bool {
        was_called(&self.log, self.files, left, path)
    }

    pub(super) fn came_from(&self, left: &Left<'_>, path: &RepoPath, now: &[u8]) -> bool {
        came_from(&self.log, self.files, left, (path, now))
    }

    /// Whether a file has a name again that it had when git, or an older record, saw it: only there is what was left last, and no record
    /// left it there.
    fn has_its_name_again(&self, left: &Left<'_>, last: Option<&[u8]>, path: &RepoPath) -> bool {
        let Some(last) = last.filter(|last| !last.is_empty() && left.record.files[left.file].before.is_some()) else {
            return false;
        };
        (self.files.read)(path).ok().flatten().is_some_and(|text| text == last)
            && self.with_text(&[(blob_id(last), last.len())], &|_| true).len() == 1
            && ((self.files.in_head)(path) != Some(blob_id(last)) || !self.is_beside(left, path))
            && is_as_left_by_none(&self.log, self.files, left, (path, last))
            && self.came_from(left, path, last)
    }

    /// Whether there is a file. One that cannot be read is told where it is to be changed; where a folder is, the file is somewhere else.
    pub(super) fn is_there(&self, path: &RepoPath) -> bool {
        !matches!((self.files.read)(path), Ok(None) | Err(WorktreeError::Directory(_)))
    }

    /// The files beside the one of a record, which is called so today.
    fn beside<'w>(&'w self, left: &'w Left<'w>, today: Option<&RepoPath>) -> Strangers<'w, 'a> {
        let world = World {
            files: self.files,
            log: &self.log,
            renames: &self.renames,
            changed: Box::new(|| self.changed_since(left.record)),
            lost: Box::new(|| self.lost_since(left.record)),
            is_beside: Box::new(|path| self.is_beside(left, path)),
            is_with_git: Box::new(|path, file| self.is_with_git(path, file)),
            names: Box::new({
                let today = today.cloned();
                move || names(&self.log, self.files, left, today.as_ref())
            }),
            with_text: Box::new(|id, length| only_one(self.with_text(&[(id, length)], &|_| true))),
        };
        Strangers::beside(left, world)
    }

    /// Where a file may have got by its text alone: under a name that is new to git, and is no other file's.
    fn by_text(
        &self,
        lineage: &Lineage<'_>,
        left: &Left<'_>,
        (strangers, is_meant): (&Strangers<'_, '_>, &dyn Fn(&RepoPath) -> bool),
    ) -> Option<(RepoPath, FoundBy)> {
        let read = |path: &RepoPath| (self.files.read)(path).ok().flatten();
        let last = lineage.last.unwrap_or_default();
        let is_own = |path: &RepoPath, text: &[u8]| {
            let is_beside = || self.is_beside(left, path) && !self.has_its_name_again(left, lineage.last, path);
            is_meant(path) && !strangers.is_logged(path, text, last) && !is_beside()
        };
        // What removes a file asks more: it may be a copy of one that git has.
        let removes = left.record.files[left.file].before.is_none();
        let may_be = |path: &RepoPath| read(path).is_some_and(|text| removes || is_own(path, &text));
        match &self.with_text(&lineage.versions, &may_be)[..] {
            [exact] => {
                // Beside one that is like what was left last, one with an older version may be a copy of that.
                let is_older = |text: &[u8]| lineage.last.is_some_and(|last| text != last);
                let is_another = |path: &RepoPath| {
                    path != exact && read(path).is_some_and(|text| is_own(path, &text) && are_versions(last, &text))
                };
                let may_be_another = || self.new_to(left.record).take(MOST_READ).any(is_another);
                // One of git's that got just that text since may be it, home again, and this one its copy.
                let changed = if removes { Rc::default() } else { self.changed_since(left.record) };
                let is_home = |text: &[u8]| {
                    let has_it = |(path, _): &&(RepoPath, Vec<u8>)| read(path).is_some_and(|now| now == text);
                    let same = changed.iter().take(MOST_READ).filter(has_it);
                    same.into_iter().any(|(path, _)| path != exact && !strangers.is_logged(path, text, last))
                };
                // One that git had with just that text, and that is gone, may be what is there.
                let may_be_other =
                    |text: &[u8]| strangers.was_gone(text) || is_home(text) || (is_older(text) && may_be_another());
                let is_it = |text: &[u8]| is_own(exact, text) && !may_be_other(text);
                return read(exact).filter(|text| is_it(text)).map(|_| (exact.clone(), FoundBy::Certain));
            }
            [_, _, ..] if removes => return None,
            _ => {}
        }
        // Where it is one that may not be meant, one that is like it is not, either.
        if lineage.last.is_none() || self.with_text(&lineage.versions, &|_| true).len() == 1 {
            return None;
        }
        let alike = self.like(left.record, |now| are_versions(last, now))?;
        if self.has_rival(left, last, &alike)
            || self.is_copied(&alike, last)
            || self.may_be_copy_of_gits(left, &alike, last)
        {
            return None;
        }
        // One that git had, and that is gone, may be what is there.
        let is_another = |text: &[u8]| strangers.may_be_one_gone(text, last) || lineage.is_another(text);
        let is_it = read(&alike).is_some_and(|text| is_own(&alike, &text) && !is_another(&text));
        is_it.then_some((alike, FoundBy::Likeness))
    }

    /// Whether another file, new to git or with another text than git had there, may as well be the one that is alike: a part of its lines
    /// stand in it, and that is more than what it had.
    pub(super) fn has_rival(&self, left: &Left<'_>, last: &[u8], alike: &RepoPath) -> bool {
        let read = |path: &RepoPath| (self.files.read)(path).ok().flatten();
        let is_partly = |path: &RepoPath| *path != *alike && read(path).is_some_and(|now| are_partly_one(last, &now));
        let is_partly_new = |path: &RepoPath| is_partly(path) && self.is_new(left, path);
        let changed = self.changed_since(left.record);
        let is_closer_now = |(path, had): &(RepoPath, Vec<u8>)| {
            is_partly(path) && read(path).is_some_and(|now| is_closer(&now, last, had))
        };
        self.new_to(left.record).take(MOST_READ).any(is_partly_new) || changed.iter().take(MOST_READ).any(is_closer_now)
    }

    /// Where the file is that a later record met, and whether it is that one still: its name may have got to another one.
    pub(super) fn met(&self, item: &Item, n: usize) -> Result<Option<(RepoPath, FoundBy)>, HistoryError> {
        let Some(today) = self.trail(item, &item.record.files[n].path)?.today else { return Ok(None) };
        let Some(record) = self.history.full_shared_if_whole(item) else { return Ok(Some((today, FoundBy::Certain))) };
        let texts = self.history.texts_if_whole(item, &record, n);
        let found = self.on_disk(&Left { item, record: &record, file: n, texts: &texts }, Evidence::Text)?;
        Ok(found.filter(|(path, _)| *path == today).or(Some((today, FoundBy::Certain))))
    }

    /// A file into which most lines of one that a record made and that is gone may have got.
    pub(super) fn may_be_in(&self, left: &Left<'_>) -> Option<RepoPath> {
        let made = left.texts.after()?;
        let known = self.known(left).unwrap_or_default();
        let last = known.last().and_then(|known| known.texts.after()).unwrap_or(made);
        let own = &left.record.files[left.file];
        if self.trail(left.item, &own.path).is_ok_and(|trail| trail.is_removed) {
            return None;
        }
        let strangers = self.beside(left, None);
        let is_it = |path: &RepoPath| {
            let now = (self.files.read)(path).ok().flatten();
            // What is as the one was left may as well be the one.
            let was_gone = |now: &[u8]| now != made && now != last && strangers.was_gone(now);
            let is_another = now.is_none_or(|now| was_gone(&now) || strangers.is_logged(path, &now, made));
            *path != own.path && !is_another && self.is_new(left, path)
        };
        let is_like = |now: &[u8]| is_mostly_in(made, now) || is_mostly_in(last, now);
        let like = self.all_like(left.record, is_like).find(|path| is_it(path)).cloned();
        // Moved over one that git had: it has its very text.
        let is_over =
            |path: &RepoPath| (self.files.had)(left.record, path).is_some_and(|had| had != made && had != last);
        let over = || self.with_text(&[made, last].map(|text| (blob_id(text), text.len())), &is_over);
        like.or_else(|| over().into_iter().next())
    }

    /// Whether a version of a text is in a file that git did not have when a record was made.
    pub(super) fn is_somewhere(&self, record: &Record, text: &[u8]) -> bool {
        self.all_like(record, |now| now == text || are_versions(text, now)).next().is_some()
    }

    /// Whether git did not have the path when the record was made, and it is not another file of the record.
    pub(super) fn is_new(&self, left: &Left<'_>, path: &RepoPath) -> bool {
        let others = left.record.files.iter().enumerate().filter(|(n, _)| *n != left.file);
        let is_other = others.map(|(_, file)| file).any(|file| file.path == *path || file.from.as_ref() == Some(path));
        // Where git ignores it, and not the file, it is a copy for something else.
        let is_ignored = || {
            let own = &left.record.files[left.file].path;
            (self.files.is_ignored)(path) && !(self.files.is_ignored)(own)
        };
        !is_other && !(self.files.was_tracked)(left.record, path) && !is_ignored()
    }

    /// The files of the working tree, with their lengths; none where they are too many.
    pub(super) fn listed(&self) -> &[(RepoPath, u64)] {
        self.listed.get_or_init(|| (self.files.list)()).as_deref().unwrap_or_default()
    }

    /// The files, of those that are meant, that have exactly the first of these texts that any has, by blob id and length; two at most.
    pub(super) fn with_text(&self, texts: &[(BlobId, usize)], is_meant: &dyn Fn(&RepoPath) -> bool) -> Vec<RepoPath> {
        let with = |(id, length): &(BlobId, usize)| {
            let alike = self.listed().iter().filter(|(_, size)| *size == *length as u64).map(|(path, _)| path);
            let has_it =
                |path: &RepoPath| (self.files.read)(path).ok().flatten().is_some_and(|text| is_text(&text, Some(*id)));
            alike.filter(|path| has_it(path) && is_meant(path)).take(2).cloned().collect::<Vec<_>>()
        };
        let found = texts.iter().filter(|(_, length)| *length > 0).map(with);
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The one file that git did not have when the record was made and whose text passes; none where they are too many to look at.
    fn like(&self, record: &Record, is_it: impl Fn(&[u8]) -> bool) -> Option<RepoPath> {
        let mut found = self.all_like(record, is_it);
        match (found.next(), found.next()) {
            (Some(path), None) if self.new_to(record).nth(MOST_READ).is_none() => Some(path.clone()),
            _ => None,
        }
    }

    /// The files that git did not have when the record was made and whose text passes.
    fn all_like(&self, record: &Record, is_it: impl Fn(&[u8]) -> bool) -> impl Iterator<Item = &RepoPath> {
        let is_it = move |path: &RepoPath| (self.files.read)(path).ok().flatten().is_some_and(|now| is_it(&now));
        self.new_to(record).take(MOST_READ).filter(move |path| is_it(path))
    }

    /// The files that hold something and that git did not have when the record was made.
    pub(super) fn new_to(&self, record: &Record) -> impl Iterator<Item = &RepoPath> {
        self.new_to_with_sizes(record).map(|(path, _)| path)
    }

    /// The same with their lengths.
    pub(super) fn new_to_with_sizes(&self, record: &Record) -> impl Iterator<Item = (&RepoPath, u64)> {
        let is_new = |path: &RepoPath| !(self.files.was_tracked)(record, path);
        let listed = self.listed().iter().filter(|(_, size)| *size > 0).map(|(path, size)| (path, *size));
        listed.filter(move |(path, _)| is_new(path))
    }
}

/// What was found by its text, or by the name that it was called: a switch of branches may have brought back either, and then it is neither.
fn one_of_both(by_text: Option<(RepoPath, FoundBy)>, called: Option<RepoPath>) -> Option<(RepoPath, FoundBy)> {
    match (by_text, called) {
        (Some((path, FoundBy::Certain)), Some(called)) if path != called => None,
        (_, Some(called)) => Some((called, FoundBy::Certain)),
        (found, None) => found,
    }
}
