//! Whether a text that stands at the name of a record's file, or where that file may have got, is another file.
//!
//! Owns that question, asked of what git had of other files when the record was made, and of what the log left in others since.
//! Invariant: only a file that is not at its own name any more speaks against one; a copy beside it tells nothing. What the file
//! was already when the record was made, it is.

use super::files::{Files, Had};
use super::left::Left;
use super::likeness::{are_versions, is_closer, is_nearer, share_a_change};
use super::log::Log;
use super::logged_files::{LoggedFile, LoggedFiles};
use super::renames::Renames;
use crate::git::blob_id;
use crate::id::BlobId;
use crate::path::RepoPath;
use std::cell::OnceCell;
use std::rc::Rc;

/// So many files that git had are looked at.
const MOST_LOOKED_AT: usize = 512;

/// So many texts are read that the log left in files that are gone.
const MOST_GONE: usize = 16;

/// The working tree, git and the log.
pub(super) struct World<'a, 'l> {
    pub(super) files: &'a Files<'a>,
    pub(super) log: &'a Log<'l>,
    pub(super) renames: &'a Renames,
    /// The files that are otherwise now than git had them when the record was made, with what it had.
    pub(super) changed: &'a dyn Fn() -> Rc<Had>,
    /// The one file that has exactly a text of this id and length.
    pub(super) with_text: &'a dyn Fn(BlobId, usize) -> Option<RepoPath>,
}

/// The last that the log has of a record's file.
#[derive(Clone, Copy)]
pub(super) struct Last<'t> {
    /// What the last record met.
    pub(super) met: Option<&'t [u8]>,
    /// What it left.
    pub(super) left: &'t [u8],
}

/// The files beside the one of a record.
pub(super) struct Strangers<'a, 'l> {
    world: World<'a, 'l>,
    left: &'a Left<'a>,
    /// Its name today, the one that the record left it, and the one that the record met.
    own: [&'a RepoPath; 3],
    logged: OnceCell<LoggedFiles>,
    /// What the log left in files that are not at their names any more.
    gone: OnceCell<Vec<Vec<u8>>>,
}

impl<'a, 'l> Strangers<'a, 'l> {
    /// Those beside a record's file, with that one's names.
    pub(super) fn beside(left: &'a Left<'a>, own: [&'a RepoPath; 3], world: World<'a, 'l>) -> Self {
        Self { world, left, own, logged: OnceCell::new(), gone: OnceCell::new() }
    }

    /// Whether the text that is at the file's name is one of them.
    pub(super) fn have(&self, now: &[u8], last: Last<'_>) -> bool {
        self.came_over(now, last) || self.was_exchanged(now) || self.is_left_elsewhere(now)
    }

    /// Whether git had one of them with just this text when the record was made, which is not at its name any more.
    pub(super) fn was_gone(&self, text: &[u8]) -> bool {
        let changed = (self.world.changed)();
        let is_gone = |path: &RepoPath| self.read(path).is_none();
        changed.iter().any(|(path, had)| had == text && self.is_other(path) && is_gone(path))
    }

    /// Whether a file is one that a record made, as the log has it, and not the one with the text `last`.
    pub(super) fn was_made(&self, path: &RepoPath, now: &[u8], last: &[u8]) -> bool {
        let made = self.logged().other(path).filter(|file| file.is_made);
        let left = made.and_then(|made| self.left_in(made));
        left.is_some_and(|left| now == left || is_closer(now, &left, last))
    }

    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        (self.world.files.read)(path).ok().flatten()
    }

    fn is_other(&self, path: &RepoPath) -> bool {
        !self.own.contains(&path)
    }

    fn logged(&self) -> &LoggedFiles {
        self.logged.get_or_init(|| LoggedFiles::but(self.own, self.world.log))
    }

    /// Whether somebody gave one of them the name of the file: it must have more in common with it than with what the log left.
    fn came_over(&self, now: &[u8], last: Last<'_>) -> bool {
        // Without a line of its own it has no more in common with anything, but it may be just that.
        let has_own = is_closer(now, now, last.left);
        let is_it = |had: &[u8]| now == had || (has_own && are_versions(had, now) && is_closer(now, had, last.left));
        let changed = (self.world.changed)();
        let others = || changed.iter().filter(|(path, _)| self.is_other(path)).take(MOST_LOOKED_AT);
        // It may have been that one when the record was made. Where git did not have its name, it was renamed before: then it is
        // the one that it is most like, as long as something tells it from that one.
        let own_had = OnceCell::new();
        let was_it = |had: &[u8]| match own_had.get_or_init(|| (self.world.files.had)(self.left.record, self.own[2])) {
            Some(own) => is_closer(last.met.unwrap_or(last.left), had, own),
            None => {
                self.left.texts.before().is_some()
                    && share_a_change(had, last.left, now)
                    && !others().any(|(_, other)| is_closer(last.left, other, had))
            }
        };
        let is_of_git = others().any(|(path, had)| {
            let there = self.read(path);
            let is_last = |there: &[u8]| there == last.left || is_closer(there, last.left, had);
            let is_gone = there.as_ref().is_none_or(|there| is_last(there) || !are_versions(had, there));
            let is_exchanged = || {
                let is_there = there.as_ref().is_some_and(|there| is_last(there));
                is_there && are_versions(had, now) && is_nearer(now, had, last.left)
            };
            is_gone && (is_it(had) || is_exchanged()) && !was_it(had)
        });
        is_of_git || self.gone().iter().any(|left| is_it(left))
    }

    /// What the log left in others that are not at their names any more, but for what is the file's as well.
    fn gone(&self) -> &[Vec<u8>] {
        self.gone.get_or_init(|| {
            let gone = self.logged().others().filter(|(path, _)| self.read(path).is_none());
            let others = gone.filter(|(_, file)| self.is_others(file)).take(MOST_GONE);
            others.filter_map(|(_, file)| self.left_in(file)).filter(|left| !left.is_empty()).collect()
        })
    }

    /// What a record left last in a file of the log.
    fn left_in(&self, LoggedFile { newest: (item, n), .. }: &LoggedFile) -> Option<Vec<u8>> {
        self.world.log.known(item, *n).and_then(|known| known.texts.after().map(<[u8]>::to_vec))
    }

    /// Whether the log calls a file by another name than this one's.
    fn is_others(&self, LoggedFile { newest: (item, n), .. }: &LoggedFile) -> bool {
        let trail = self.world.renames.trail(self.world.log, item, &item.record.files[*n].path);
        trail.is_ok_and(|trail| trail.today.is_none_or(|today| self.is_other(&today)))
    }

    /// Whether two files had each other's names when the record was made, and have their own again: the text at the file's name now is the
    /// one that git had there, and what the record met is where git had that.
    fn was_exchanged(&self, now: &[u8]) -> bool {
        let Some(met) = self.left.texts.before() else { return false };
        let Some(had) = (self.world.files.had)(self.left.record, self.own[2]) else { return false };
        // What is left of it may be the file as git had it.
        if !is_closer(now, &had, met) || !are_versions(&had, now) || !is_closer(met, met, &had) {
            return false;
        }
        let is_it = |path: &RepoPath, git_had: &[u8]| {
            are_versions(git_had, met)
                && is_closer(met, git_had, &had)
                && self.read(path).is_some_and(|there| are_versions(&there, met) && is_closer(&there, met, now))
        };
        let changed = (self.world.changed)();
        let mut others = changed.iter().filter(|(path, _)| self.is_other(path)).take(MOST_LOOKED_AT);
        // One that is as git had it is none of those that changed.
        let is_as_it_was = || {
            let before = self.left.record.files[self.left.file].before;
            let same = before.and_then(|id| (self.world.with_text)(id, met.len()));
            same.and_then(|same| (self.world.files.had)(self.left.record, &same)).is_some_and(|had| had == met)
        };
        others.any(|(path, git_had)| is_it(path, git_had)) || is_as_it_was()
    }

    /// Whether the log left a text in one of them, which is not at its name any more.
    fn is_left_elsewhere(&self, text: &[u8]) -> bool {
        let mut others = self.logged().with(blob_id(text)).filter(|_| !text.is_empty());
        others.any(|(path, file)| self.read(path).is_none() && self.is_others(file))
    }
}
