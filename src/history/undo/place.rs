//! From a record's file to the file that it is today: its slot in a plan, and what the step does to its name.
//!
//! Owns what an undo means for names. What becomes of texts is the step's own affair (`replay`).
//! Invariant: a name that a file got after the record stays, unless what gave it that name is undone too.

use super::known::{is_first, is_of, went_on};
use super::left::{FoundBy, Left};
use super::renames::Trail;
use super::replay::Slot;
use super::step::Step;
use super::whereabouts::{Evidence, Whereabouts};
use crate::history::error::{HistoryError, Obstacle, UndoConflict};
use crate::history::reader::Item;
use crate::path::RepoPath;
use crate::record::{Record, Target};
use std::rc::Rc;

/// One file of a record, or some of its splices.
pub(super) struct Part<'a> {
    pub(super) item: &'a Item,
    pub(super) record: &'a Rc<Record>,
    pub(super) file: usize,
    pub(super) splices: Option<Vec<usize>>,
}

impl Whereabouts<'_> {
    /// Adds what undoing a part of a record means to the slot of the file that it is today; gives its index. The records that
    /// are undone come from the newest to the oldest.
    ///
    /// # Errors
    /// Where two files would have one name, texts are damaged, or the log cannot be read.
    pub(super) fn add(&self, slots: &mut Vec<Slot>, part: Part<'_>, evidence: Evidence) -> Result<usize, HistoryError> {
        let Part { item, record, file, ref splices } = part;
        let path = &record.files[file].path;
        let mut step = Step::new(self.history(), item, record, file, splices.clone())?;
        if step.restores() && went_on(self.log(), (&record.id, step.removed()), path)? {
            step = step.of_file_that_came_back();
        }
        let trail = self.trail(item, path)?;
        let today = trail.today.clone();
        let mut known = self.known_slot(slots, &part, (&step, &trail))?;
        let new = match (known, step.left()) {
            (Some(_), _) => None,
            (None, None) => Some(Slot::absent(trail.today)),
            (None, Some(texts)) => {
                let left = Left { item, record, file, texts };
                match self.found(slots, (&left, &step), trail, evidence)? {
                    Ok(n) => {
                        known = Some(n);
                        None
                    }
                    Err(slot) => Some(slot),
                }
            }
        };
        let slot = new.as_ref().or(known.and_then(|n| slots.get(n)));
        let now = slot.and_then(|slot| named(slot, &step, path));
        let is_new_name = slot.is_some_and(|slot| slot.now != now);
        if let Some(now) = now.as_ref().filter(|_| is_new_name)
            && slots.iter().any(|slot| slot.now.as_ref() == Some(now))
        {
            let taken = UndoConflict::of_file(record.id.clone(), now.to_string_lossy(), Obstacle::Taken);
            return Err(HistoryError::UndoConflict(vec![taken]));
        }
        let left = step.left().filter(|_| step.removes()).map(|texts| Left { item, record, file, texts });
        if let Some((slot, left)) = slot.zip(left).filter(|_| new.is_none())
            && let Some(over) = self.moved_over(slot, &left, (today.as_ref(), evidence))?
        {
            let moved = UndoConflict::of_file(record.id.clone(), over.to_string_lossy(), Obstacle::MayBeMoved);
            return Err(HistoryError::UndoConflict(vec![moved]));
        }
        slots.extend(new);
        let index = known.unwrap_or(slots.len() - 1);
        let slot = &mut slots[index];
        if let Some(old) = step.old_name()
            && now.as_ref() != Some(old)
        {
            slot.renamed_again = Some(path.clone());
        }
        slot.add(
            step,
            now,
            Target { id: record.id.clone(), file, splices: part.splices, is_cancelled: false, was_gone: false },
        );
        Ok(index)
    }

    /// The slot of a file that newer records have already, by what is told of names.
    fn known_slot(
        &self,
        slots: &[Slot],
        part: &Part<'_>,
        (step, trail): (&Step, &Trail),
    ) -> Result<Option<usize>, HistoryError> {
        let &Part { item, record, file, .. } = part;
        let path = &record.files[file].path;
        if let Some(n) = self.brought_back(slots, (record, path))? {
            return Ok(Some(n));
        }
        let left = step.left().map(|texts| Left { item, record, file, texts });
        if let Some(left) = left.as_ref().filter(|_| step.removes())
            && let Some(n) = self.brought_back_elsewhere(slots, left)?
        {
            return Ok(Some(n));
        }
        let is_it = |slot: &Slot| match &trail.today {
            Some(_) => slot.logged == trail.today,
            None => slot.logged.is_none() && slot.now.as_ref() == Some(path),
        };
        for (n, slot) in slots.iter().enumerate().filter(|(_, slot)| is_it(slot)) {
            let is_another = left.as_ref().map_or(Ok(false), |left| self.is_another_of_its_name(left, slot))?;
            if !is_another {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// The file of git over which somebody moved one that a record made: it is no less that one.
    fn moved_over<'s>(
        &self,
        slot: &'s Slot,
        left: &Left<'_>,
        (today, evidence): (Option<&RepoPath>, Evidence),
    ) -> Result<Option<&'s RepoPath>, HistoryError> {
        let path = &left.record.files[left.file].path;
        let is_over = |is: &&RepoPath| *is != path && today != Some(*is) && !self.is_new(left, is);
        let Some(is) = slot.now.as_ref().filter(|now| slot.disk.as_ref() == Some(*now)).filter(is_over) else {
            return Ok(None);
        };
        let found = self.on_disk(left, evidence)?;
        Ok(Some(is).filter(|is| found.is_none_or(|(path, _)| path != **is)))
    }

    /// The slot of the file that comes back because a newer record which removed it is undone with this one: whatever has its name today
    /// is another.
    fn brought_back(
        &self,
        slots: &[Slot],
        (record, path): (&Record, &RepoPath),
    ) -> Result<Option<usize>, HistoryError> {
        let is_back = |slot: &Slot| slot.disk.is_none() && slot.now.as_ref() == Some(path);
        for (n, slot) in slots.iter().enumerate().filter(|(_, slot)| is_back(slot)) {
            let Some(newer) = slot.oldest() else { continue };
            if is_of(self.log(), newer, path, &record.id)? {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// The same of a file that the record made, and that somebody moved, so that the newer one found it under a name which nothing had before.
    fn brought_back_elsewhere(&self, slots: &[Slot], left: &Left<'_>) -> Result<Option<usize>, HistoryError> {
        let mut found = None;
        // One that is where it was made was not moved: that one was a copy.
        if !matches!((self.files().read)(&left.record.files[left.file].path), Ok(None)) {
            return Ok(None);
        }
        for (n, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.disk.is_none()) {
            let (Some(now), Some((newer, text))) = (&slot.now, slot.restored()) else { continue };
            let is_it = left.texts.after() == Some(&text[..]) && !text.is_empty() && self.is_new(left, now);
            if is_it && is_first(self.log(), &newer, now)? {
                if found.is_some() {
                    return Ok(None);
                }
                found = Some(n);
            }
        }
        Ok(found)
    }

    /// The slot of the file where one was found: one that there is, by its index, or a new one.
    fn found(
        &self,
        slots: &mut [Slot],
        (left, step): (&Left<'_>, &Step),
        trail: Trail,
        evidence: Evidence,
    ) -> Result<Result<usize, Slot>, HistoryError> {
        // Two files of one record are not one.
        let is_other = |slot: &Slot| slot.targets.iter().any(|one| one.id == left.record.id && one.file != left.file);
        let is_others = |path: &RepoPath| slots.iter().any(|slot| is_other(slot) && slot.disk.as_ref() == Some(path));
        let found = self.on_disk(left, evidence)?.filter(|(path, _)| !is_others(path));
        // Somebody renamed it between two of the records: it is one file all the same.
        let is_found = |slot: &Slot| match &found {
            Some((path, _)) => slot.disk.as_ref() == Some(path),
            None => !is_other(slot) && self.goes_on_in(left, slot),
        };
        let is_apart = matches!(found, Some((_, FoundBy::Apart)));
        // Of two that it may be, it is neither.
        let is_one_of_two = found.is_none() && slots.iter().filter(|slot| is_found(slot)).nth(1).is_some();
        if let Some(n) = slots.iter().position(is_found).filter(|_| !is_one_of_two) {
            slots[n].is_apart |= is_apart;
            slots[n].is_copied |= matches!(found, Some((_, FoundBy::Copied)));
            slots[n].only_named.extend(matches!(found, Some((_, FoundBy::NameOnly))).then(|| left.record.id.clone()));
            slots[n].logged_before.extend(trail.today);
            return Ok(Ok(n));
        }
        // Somebody removed it, and another one was made at its name since.
        if step.removes() && found.is_none() && trail.is_made_anew {
            let mut slot = Slot::absent(None);
            slot.merged_into = self.may_be_in(left);
            return Ok(Err(slot));
        }
        let mut slot = self.slot_of(left, step, (trail.today, found), evidence);
        let is_there = |path: &RepoPath| matches!((self.files().read)(path), Ok(Some(_)));
        // By the log another file has its name.
        slot.is_other |= !is_apart && trail.taken.filter(is_there).is_some_and(|taken| slot.disk == Some(taken));
        slot.logged_before.extend(trail.before);
        Ok(Err(slot))
    }

    /// Whether the log calls the file of a record as that of a slot, but it is another one: they had the name one after the other.
    fn is_another_of_its_name(&self, left: &Left<'_>, slot: &Slot) -> Result<bool, HistoryError> {
        let Some(disk) = &slot.disk else { return Ok(false) };
        if !self.lacks_all(left, disk) {
            // Another file may have got the same line.
            let found = if self.is_no_version(left, disk) { self.on_disk(left, Evidence::Text)? } else { None };
            return Ok(found.is_some_and(|(path, by)| path != *disk || by == FoundBy::NameOnly));
        }
        let told = self.told_apart(left)?;
        Ok(told.path.as_ref().map_or(slot.is_apart, |path| path != disk))
    }

    /// Whether a file went on, under another name, as the one of a slot.
    fn goes_on_in(&self, left: &Left<'_>, slot: &Slot) -> bool {
        let is_new = slot.disk.as_ref().is_some_and(|path| self.is_new(left, path));
        is_new && left.texts.after().is_some_and(|text| slot.began_as(text))
    }

    /// A slot of its own for a file that the log calls so, and that was found there.
    fn slot_of(
        &self,
        left: &Left<'_>,
        step: &Step,
        (logged, found): (Option<RepoPath>, Option<(RepoPath, FoundBy)>),
        evidence: Evidence,
    ) -> Slot {
        let is_lost = step.removes() && evidence == Evidence::Text && found.is_none();
        let by = found.as_ref().map(|(_, by)| *by);
        let path = || left.record.files[left.file].path.clone();
        let disk = found.map(|(path, _)| path).or(logged.clone()).unwrap_or_else(path);
        let mut slot = Slot::at(disk, logged);
        slot.is_alike = by == Some(FoundBy::Likeness);
        slot.is_other = by == Some(FoundBy::NameOnly);
        slot.is_apart = by == Some(FoundBy::Apart);
        slot.is_copied = by == Some(FoundBy::Copied);
        slot.merged_into = if is_lost { self.may_be_in(left) } else { None };
        slot
    }
}

/// What the file of a slot is called after a step; none where it goes.
fn named(slot: &Slot, step: &Step, path: &RepoPath) -> Option<RepoPath> {
    if step.removes() {
        return None;
    }
    if step.restores() {
        return Some(path.clone());
    }
    match step.old_name() {
        Some(old) if slot.now.as_ref() == Some(path) => Some(old.clone()),
        _ => slot.now.clone(),
    }
}
