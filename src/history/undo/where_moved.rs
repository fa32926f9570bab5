//! Where a file went that is not at its name any more, or that commits moved on from there.
//!
//! Owns what counts of that: what later records met, and what git tells, and which of both. Where these looks are made is `moved`'s affair.

use super::left::FoundBy;
use super::lineage::Lineage;
use super::moved::{Had, Lost, Moved, MovedOn, brought_from, met_elsewhere, moved_by_git, only_one};
use super::names::names;
use super::strangers::Strangers;
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::path::RepoPath;
use std::cell::Cell;
use std::rc::Rc;

impl Whereabouts<'_> {
    /// Where git moved a file, by the commits since and by what is staged.
    fn by_git(
        &self,
        lost: &Lost<'_>,
        lineage: &Lineage<'_>,
        strangers: &Strangers<'_, '_>,
    ) -> Option<(RepoPath, FoundBy)> {
        self.ask()?;
        let touching = |names: &[RepoPath]| self.touching(lost.left.record, names);
        let (path, by) = moved_by_git(self.history().repo(), lost, (&touching, &self.staged()))?;
        let text = (self.files().read)(&path).ok().flatten();
        let last = lineage.last.unwrap_or_default();
        // Of two like files git takes one that a record made beside the lost one.
        if text.as_ref().is_some_and(|text| strangers.is_logged(&path, text, last)) {
            return None;
        }
        // What is there may be another file, which got its name since.
        let is_another = text.is_some_and(|text| !lineage.has(&text) && lineage.is_another(&text));
        Some((path, if is_another { FoundBy::NameOnly } else { by }))
    }

    /// Where a file went, by a later record or by git.
    pub(super) fn moved(
        &self,
        lost: &Lost<'_>,
        lineage: &Lineage<'_>,
        strangers: &Strangers<'_, '_>,
    ) -> Result<Moved, HistoryError> {
        let mut there = Vec::new();
        for (item, n, had) in met_elsewhere(self.log(), lost)? {
            // Over a file that a record knew somebody may have put a copy.
            let may_be_copy = |path: &RepoPath| {
                had == Had::Another && lineage.last.is_none_or(|last| self.has_rival(lost.left, last, path))
            };
            let found = self.met(&item, n)?.filter(|(path, _)| !may_be_copy(path));
            there.extend(found.filter(|(path, _)| !matches!((self.files().read)(path), Ok(None))));
        }
        there.dedup_by(|one, other| one.0 == other.0);
        let are_several = there.len() > 1;
        let met = only_one(there);
        let text_of = |path: &RepoPath| (self.files().read)(path).ok().flatten();
        let last = lineage.last.unwrap_or_default();
        let by_git = self.by_git(lost, lineage, strangers);
        let is_left_elsewhere = |path: &RepoPath| {
            let is_rival = |rival: &RepoPath| rival != path && self.is_new(lost.left, rival);
            !last.is_empty() && !self.with_text(&[(blob_id(last), last.len())], &is_rival).is_empty()
        };
        Ok(match (met, by_git) {
            // What a record met may be a copy of it.
            (met, Some((path, FoundBy::Certain))) if met.as_ref().is_none_or(|(met, _)| *met != path) => {
                Moved::To(path, FoundBy::Git)
            }
            // Git takes the one that is most like it: that one, or what the record met.
            (Some((met, _)), Some((path, FoundBy::Likeness))) if met != path => Moved::Unclear,
            (Some((path, by)), _) => {
                let newest = lineage.versions.first().into_iter().copied().collect::<Vec<_>>();
                let is_rival = |rival: &RepoPath| *rival != path && self.is_new(lost.left, rival);
                let was_gone = lineage.last.is_some_and(|last| strangers.was_gone(last));
                let is_as_left =
                    (self.files().read)(&path).ok().flatten().is_some_and(|text| lineage.last == Some(&text));
                if was_gone || (!is_as_left && !self.with_text(&newest, &is_rival).is_empty()) {
                    Moved::Unclear
                } else {
                    Moved::To(path, by)
                }
            }
            // Git takes one with an older version for it, and what was left last is elsewhere.
            (None, Some((path, _))) if text_of(&path).as_deref() != lineage.last && is_left_elsewhere(&path) => {
                Moved::Unclear
            }
            (None, Some((path, by))) => Moved::To(path, by),
            (None, None) if are_several => Moved::Unclear,
            (None, None) => Moved::Nowhere,
        })
    }

    /// Whether git may be asked once more where a file went.
    pub(super) fn ask(&self) -> Option<()> {
        self.asked.set(self.asked.get().checked_sub(1)?);
        Some(())
    }

    /// Where commits, or what is staged, moved a file at whose name there is one: they may have put another one there.
    pub(super) fn moved_on(&self, lost: &Lost<'_>, asked: &Cell<usize>) -> Option<MovedOn> {
        let repo = self.history().repo();
        let is_behind = repo.head_id().ok().flatten() != lost.left.record.meta.base;
        let is_staged = (self.files().in_head)(lost.name).is_some() != (self.files().is_tracked)(lost.name);
        if !is_behind && !is_staged {
            return None;
        }
        asked.set(asked.get().checked_sub(1)?);
        let staged = if is_staged { self.staged() } else { Rc::default() };
        let touching = |names: &[RepoPath]| self.touching(lost.left.record, names);
        let is_it = |(path, by): &(RepoPath, FoundBy)| {
            path != lost.name && *by == FoundBy::Certain && self.is_there(path) && self.is_new(lost.left, path)
        };
        let moved = moved_by_git(repo, lost, (&touching, &staged)).filter(is_it);
        if let Some((path, _)) = moved {
            return Some(MovedOn::To(path));
        }
        // One that the record met under a name that git did not have may have been brought there before.
        let file = &lost.left.record.files[lost.left.file];
        let met = file.from.as_ref().unwrap_or(&file.path);
        if file.before.is_some() && !(self.files().was_tracked)(lost.left.record, met) {
            return None;
        }
        let own = || names(self.log(), self.files(), lost.left, Some(lost.name));
        let brought = brought_from(lost.name, (&touching, &staged));
        brought.filter(|from| !own().contains(from)).map(|_| MovedOn::ForAnother)
    }
}
