//! Where the file of a record is that somebody moved to where others were, or exchanged with one of them, as all files together tell it.
//!
//! Owns when that is asked, and what of the log, of git and of the working tree is looked at. What it tells is `apart`'s affair.
//! Invariant: what is too much to look at tells nothing.

use super::apart::{Deed, Present, Scene, tell};
use super::found_apart::Apart;
use super::left::{FoundBy, Left};
use super::likeness::{are_partly_one, are_versions, has_own_line};
use super::log::Known;
use super::names::names_of_inverted;
use super::whereabouts::{CLOCK_STEP_MS, Evidence, Whereabouts};
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile, Target};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// So many files of the log's newest records are looked at.
const MOST_DEEDS: usize = 192;

/// So many bytes of texts.
const MOST_BYTES: usize = 16 << 20;

/// So many files of the working tree are read.
const MOST_READ: usize = 512;

/// So many names are looked at to find these.
const MOST_NAMES: usize = 8192;

impl Whereabouts<'_> {
    /// Where the file is; none where it is nowhere.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn on_disk(
        &self,
        left: &Left<'_>,
        evidence: Evidence,
    ) -> Result<Option<(RepoPath, FoundBy)>, HistoryError> {
        let found = self.by_names_and_likeness(left, evidence)?;
        let today = self.trail(left.item, &left.record.files[left.file].path)?.today;
        let is_settled = match &found {
            Some((_, FoundBy::Apart)) => true,
            Some((path, FoundBy::Git)) => !self.lacks_all(left, path),
            Some((path, FoundBy::Certain)) => today.as_ref() == Some(path) && !self.is_in_doubt(left, path),
            Some((_, FoundBy::Likeness | FoundBy::NameOnly | FoundBy::Copied)) | None => false,
        };
        // What is undone may be in a copy as well.
        if is_settled || evidence == Evidence::Index {
            return Ok(found);
        }
        let told = self.told_apart(left)?;
        // What stands at its name, and is another one by that, is not told by lines alone.
        let is_not = |path: &RepoPath| matches!(&found, Some((found, FoundBy::NameOnly)) if found == path);
        if let Some(path) = told.path.as_ref().filter(|path| !is_not(path)) {
            let by = if self.is_elsewhere_in_git(left, path)? { FoundBy::Copied } else { FoundBy::Apart };
            return Ok(Some((path.clone(), by)));
        }
        // One that is to be removed must be to the byte what was made, which its copy may be as well.
        let is_copied = |path: &RepoPath| {
            let is_edited = left.record.files[left.file].before.is_some();
            is_edited && today.as_ref() != Some(path) && told.is_one_of_several(path, self.files().is_tracked)
        };
        let found = match found {
            Some((path, FoundBy::Certain | FoundBy::Likeness)) if is_copied(&path) => Some((path, FoundBy::Copied)),
            Some((path, FoundBy::Certain | FoundBy::Likeness)) if self.is_others(left, &told, &path) => {
                Some((path, FoundBy::NameOnly))
            }
            None => told.copied().filter(is_copied).map(|path| (path, FoundBy::Copied)),
            found => found,
        };
        Ok(match found {
            Some((path, FoundBy::NameOnly)) => Some(match self.back_at_its_name(left, &path)? {
                Some(name) => (name, FoundBy::Apart),
                None => (path, FoundBy::NameOnly),
            }),
            Some((path, FoundBy::Likeness)) if self.is_as_well_at_its_name(left, &path)? => {
                Some((path, FoundBy::Copied))
            }
            found => found,
        })
    }

    /// Whether a file like the one that was found by likeness elsewhere stands at a name of its own: then that may be the one.
    fn is_as_well_at_its_name(&self, left: &Left<'_>, other: &RepoPath) -> Result<bool, HistoryError> {
        let Some(last) = self.last_left(left)? else { return Ok(false) };
        let read = |name: &RepoPath| (self.files().read)(name).ok().flatten();
        let is_alike = |name: &RepoPath| name != other && read(name).is_some_and(|text| are_partly_one(&last, &text));
        Ok(self.own_names(left)?.iter().any(is_alike))
    }

    /// Whether git has what records left in a file last under another name than this one, at which somebody went on: either may be its copy.
    fn is_elsewhere_in_git(&self, left: &Left<'_>, path: &RepoPath) -> Result<bool, HistoryError> {
        let Some(last) = self.last_left(left)? else { return Ok(false) };
        let id = blob_id(&last);
        let has_it = |other: &RepoPath| {
            let is_staged = || (self.files().staged)(other).is_some_and(|text| text == last);
            // What git had where the file is now is there instead: they were exchanged, and nobody went on there.
            let are_exchanged = || {
                let had = (self.files().had)(left.record, path);
                let now = (self.files().read)(other).ok().flatten();
                had.zip(now).is_some_and(|(had, now)| are_versions(&had, &now) && !are_partly_one(&last, &now))
            };
            other != path && ((self.files().in_head)(other) == Some(id) || is_staged()) && !are_exchanged()
        };
        Ok(self.new_to(left.record).take(MOST_READ).filter(|other| (self.files().is_tracked)(other)).any(has_it))
    }

    /// The text that records left in a file last; none where that is empty, or not known.
    fn last_left(&self, left: &Left<'_>) -> Result<Option<Vec<u8>>, HistoryError> {
        let known = self.known(left)?;
        let last = known.last().map_or(left.texts.after(), |known| known.texts.after());
        Ok(last.filter(|last| !last.is_empty()).map(<[u8]>::to_vec))
    }

    /// The names that a file had for records, whatever is there now.
    fn own_names(&self, left: &Left<'_>) -> Result<BTreeSet<RepoPath>, HistoryError> {
        let own = &left.record.files[left.file].path;
        let trail = self.trail(left.item, own)?;
        Ok(trail.before.into_iter().chain([own.clone()]).chain(names_of_inverted(self.log(), left)).collect())
    }

    /// The name that a file had before the one where another file is now, if it has that again, with just the text that records left in it last.
    fn back_at_its_name(&self, left: &Left<'_>, other: &RepoPath) -> Result<Option<RepoPath>, HistoryError> {
        let Some(last) = self.last_left(left)? else { return Ok(None) };
        let has_last = |name: &RepoPath| (self.files().read)(name).ok().flatten().as_deref() == Some(&last[..]);
        let is_it = |name: &RepoPath| name != other && has_last(name) && !self.is_copied(name, &last);
        Ok(self.own_names(left)?.into_iter().find(is_it))
    }

    /// Whether a file in which something is to be done again has what another one had, or is a copy of one: then somebody put that there.
    fn is_others(&self, left: &Left<'_>, told: &Apart, path: &RepoPath) -> bool {
        // Where files had their names exchanged by an undo, each has what another one had.
        let is_redo = left.record.kind == RecordClass::Undo && left.record.files.len() == 1;
        let last = left.texts.after().filter(|_| left.record.files[left.file].path == *path);
        is_redo && (told.others.contains(path) || last.is_some_and(|last| self.is_copied_from_another(path, last)))
    }

    /// Whether the file at the name of one may be another: it has none of the lines that the record put into that, or is not as an undo
    /// left it.
    fn is_in_doubt(&self, left: &Left<'_>, path: &RepoPath) -> bool {
        let is_as_left = || (self.files().read)(path).ok().flatten().as_deref() == left.texts.after();
        self.lacks_all(left, path) || (left.record.kind == RecordClass::Undo && !is_as_left())
    }

    /// Whether a file is no version of what a record left in its own.
    pub(super) fn is_no_version(&self, left: &Left<'_>, path: &RepoPath) -> bool {
        let now = || (self.files().read)(path).ok().flatten();
        left.texts.after().is_some_and(|after| now().is_some_and(|now| !are_versions(after, &now)))
    }

    /// Whether a file has none of the lines that a record put into its own, if it put any: then it may be another one.
    pub(super) fn lacks_all(&self, left: &Left<'_>, path: &RepoPath) -> bool {
        let (before, Some(after)) = (left.texts.before().unwrap_or_default(), left.texts.after()) else { return false };
        let has_put = has_own_line(before, after, after);
        let now = || (self.files().read)(path).ok().flatten();
        has_put && now().is_some_and(|now| !has_own_line(before, after, &now))
    }

    /// What all files together tell of the one of a record.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn told_apart(&self, left: &Left<'_>) -> Result<Rc<Apart>, HistoryError> {
        let key = (left.record.id.clone(), left.file);
        if let Some(told) = self.told().of(&key) {
            return Ok(told);
        }
        let trail = self.trail(left.item, &left.record.files[left.file].path)?;
        let name = trail.today.unwrap_or(trail.last);
        let told = if trail.is_removed { None } else { self.look(left, &name)? };
        let mut told = told.unwrap_or_default();
        let removes = left.record.files[left.file].before.is_none();
        let is_lost = removes && told.is_over;
        if told.path.as_ref().is_some_and(|path| is_lost || !self.may_be(left, path, &told.known)) {
            told.path = None;
        }
        let told = Rc::new(told);
        self.told().keep(key, &told);
        Ok(told)
    }

    /// Whether nothing else speaks against a file that was told by its lines.
    fn may_be(&self, left: &Left<'_>, path: &RepoPath, known: &[Arc<Known>]) -> bool {
        let Some(last) = known.last().and_then(|known| known.texts.after()) else { return false };
        let written_at = known.iter().filter_map(|known| known.written_at).max();
        let changed_at = || (self.files().changed_at)(path);
        let was_there = written_at.is_some_and(|at| changed_at().is_some_and(|changed| changed + CLOCK_STEP_MS < at));
        // What is to be removed must be just what was made.
        let removes = left.record.files[left.file].before.is_none();
        let is_as_left = || (self.files().read)(path).ok().flatten().as_deref() == Some(last);
        !was_there && !self.is_copied(path, last) && !self.was_copied(left, path) && (!removes || is_as_left())
    }

    /// Whether git had a file beside the one of a record, with lines that the record put: then it is a copy. Where HEAD has another one at
    /// the name of that, it was moved.
    fn was_copied(&self, left: &Left<'_>, path: &RepoPath) -> bool {
        let (before, after) = (left.texts.before().unwrap_or_default(), left.texts.after().unwrap_or_default());
        let has_mark = |id: BlobId| self.history().repo().blob(&id).ok().map(|had| has_own_line(before, after, &had));
        let is_marked = |path: &RepoPath| (self.files().in_head)(path).and_then(has_mark);
        let path = &self.staged_from(path).unwrap_or_else(|| path.clone());
        // It may have stood there beside it without these lines: then the file was moved over it.
        is_marked(path) == Some(true)
            && is_marked(&left.record.files[left.file].path) != Some(false)
            && self.is_beside_with(left, path, &|id| has_mark(id) != Some(false))
    }

    fn look(&self, left: &Left<'_>, name: &RepoPath) -> Result<Option<Apart>, HistoryError> {
        let Some(story) = self.story(left)? else { return Ok(None) };
        let names: BTreeSet<&RepoPath> = story.iter().flat_map(|one| names(&one.known.file)).chain([name]).collect();
        let changed = self.changed_since(left.record);
        let paths: BTreeSet<&RepoPath> = changed.iter().map(|(path, _)| path).chain(names).collect();
        let Some(present) = self.present(left, &paths) else { return Ok(None) };
        let had = paths.iter().filter_map(|path| Some((*path, (self.files().had)(left.record, path)?)));
        let had: Vec<(&RepoPath, Vec<u8>)> = had.collect();
        let Some(own) = story.iter().position(|one| one.known.id == left.record.id && one.file == left.file) else {
            return Ok(None);
        };
        let had = had.iter().map(|(path, text)| (*path, &text[..])).collect();
        let deeds = story.iter().map(|one| one.deed(&story)).collect();
        let scene = Scene { had, deeds, own, present, name };
        let path = |n: &usize| scene.present[*n].path.clone();
        Ok(tell(&scene).map(|told| Apart {
            path: told.own.as_ref().map(path),
            known: told.deeds.iter().map(|n| Arc::clone(&story[*n].known)).collect(),
            is_over: told.is_over,
            marked: told.marked.iter().map(path).collect(),
            others: told.others.iter().map(path).collect(),
        }))
    }

    /// What records did, oldest first; none where that is too much, or something is not kept.
    fn story(&self, left: &Left<'_>) -> Result<Option<Vec<Done>>, HistoryError> {
        let (mut story, mut bytes, mut is_met) = (Vec::new(), 0, false);
        for item in self.log().items() {
            let item = item?;
            if story.len() >= MOST_DEEDS || bytes >= MOST_BYTES {
                break;
            }
            is_met |= item.record.id == left.record.id;
            for file in (0..item.record.files.len()).rev() {
                let known = self.log().known(&item, file);
                let Some(known) = known.filter(|known| known.is_whole()) else { return Ok(None) };
                bytes += known.size();
                story.push(Done { known, file });
            }
        }
        story.reverse();
        Ok(is_met.then_some(story))
    }

    /// The files that are there, of those that git did not have and of these.
    fn present(&self, left: &Left<'_>, paths: &BTreeSet<&RepoPath>) -> Option<Vec<Present>> {
        let is_kept = |path: &RepoPath| {
            let own = &left.record.files[left.file].path;
            !(self.files().is_ignored)(path) || (self.files().is_ignored)(own)
        };
        let new = self.new_to(left.record).filter(|path| !paths.contains(path));
        let all: Vec<_> = new.take(MOST_NAMES + 1).collect();
        if all.len() > MOST_NAMES {
            return None;
        }
        let all: Vec<_> = all.into_iter().filter(|path| is_kept(path)).chain(paths.iter().copied()).collect();
        let read = |path: &RepoPath| Some(Present { path: path.clone(), text: (self.files().read)(path).ok()?? });
        (all.len() <= MOST_READ).then(|| all.into_iter().filter_map(read).collect())
    }
}

/// What a record did to one of its files, by its index.
struct Done {
    known: Arc<Known>,
    file: usize,
}

impl Done {
    fn deed<'t>(&'t self, story: &'t [Self]) -> Deed<'t> {
        let file = &self.known.file;
        let is_of = |one: &Self| {
            let is_it = |target: &Target| target.id == one.known.id && target.file == one.file;
            self.known.targets.iter().any(is_it)
        };
        Deed {
            names: [file.from.as_ref().unwrap_or(&file.path), &file.path],
            before: self.known.texts.before(),
            after: self.known.texts.after(),
            inverts: story.iter().enumerate().filter(|(_, one)| is_of(one)).map(|(n, _)| n).collect(),
        }
    }
}

/// The names that a record knew a file by.
fn names(file: &RecordFile) -> impl Iterator<Item = &RepoPath> {
    file.from.iter().chain([&file.path])
}
