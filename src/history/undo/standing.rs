//! What of a record is in the files, whatever the log says: a checkout, another branch or an editor may have taken an edit
//! back, or an undo.
//!
//! Owns that look, one record and one file at a time, and what is asked of files. The log's word counts where the files
//! prove nothing. Writes nothing.
//! Invariant: what is said to be in force, or taken back, is proven by the text of the file as it is.

use super::as_logged::AsLogged;
use super::by_log::is_undo_in_force;
use super::differing::{Differing, differing};
use super::known::is_touched_since;
use super::log::Known;
use super::place::Part;
use super::remade::{Later, may_have_done_again};
use super::replay::Slot;
use super::request::Misfits;
use super::settle::{Idle, Settled, settle};
use super::whereabouts::{Evidence, Whereabouts};
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::{HistoryError, UndoConflict};
use crate::history::in_force::{Effect, FileEffect};
use crate::history::reader::Item;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::text::split_lines;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;

/// So many files of records are looked at; of more the log's word counts.
const MOST_LOOKS: usize = 64;

/// So many splices of one file are looked at one by one.
const MOST_SPLICES: usize = 8;

/// Whether lines are there that nothing else wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Traces {
    Some,
    None,
}

/// What is thought of what a later record met in force, and changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changed {
    /// It is in force, and to be told of.
    Counts,
    /// The log's word counts.
    IsLeft,
}

/// How much of what was undone is to be there again to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it: somebody who did a part of it again did not discard the undo.
    Whole,
    /// Any of it.
    Part,
}

/// How a record stands in the files that are meant.
pub(super) enum InForce {
    /// Some of it is in force, or that is not known.
    Perhaps,
    /// It is taken back in all of them, or superseded.
    Not(Vec<Idle>),
    /// None of it fits.
    Misfit(Vec<UndoConflict>),
}

/// How one file of a record stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Standing {
    /// What it did is there.
    InForce,
    /// What was before it is there, or it was superseded.
    TakenBack(Idle),
    /// Neither is proven.
    Unknown(Vec<UndoConflict>, Traces),
}

/// A part of a record as a slot, and what the log has of its file since, oldest first.
struct Since {
    slot: Slot,
    known: Vec<Arc<Known>>,
}

impl Since {
    /// Whether some of what the part would take back of a text is taken back, and some is there.
    fn is_done_in_part(&self, text: &[u8]) -> bool {
        self.slot.is_done_in_part(&self.known, text)
    }
}

/// The records, as the files have them.
pub(super) struct InFiles<'w, 'a> {
    whereabouts: &'w Whereabouts<'a>,
    looks: Cell<usize>,
    as_logged: AsLogged,
    /// Undos, and files in which something that they took back is there again.
    discarded: RefCell<HashSet<(RecordId, RepoPath)>>,
}

impl<'w, 'a> InFiles<'w, 'a> {
    /// Nothing is looked at yet.
    pub(super) fn new(whereabouts: &'w Whereabouts<'a>) -> Self {
        Self {
            whereabouts,
            looks: Cell::new(MOST_LOOKS),
            as_logged: AsLogged::default(),
            discarded: RefCell::default(),
        }
    }

    /// Whether an undo was found to be discarded.
    pub(super) fn has_discarded(&self) -> bool {
        !self.discarded.borrow().is_empty()
    }

    /// What of a record is in force where the log says `effect`: what was undone, and is there again, is in force.
    pub(super) fn corrected(&self, item: &Item, effect: Effect) -> Result<Effect, HistoryError> {
        self.where_it_is((item, effect), Changed::IsLeft, Extent::Whole, |standing, _| *standing == Standing::InForce)
    }

    /// As [`Self::corrected`], of one that is to be undone with newer ones, which were asked for before: also what lies
    /// under these counts, where they show that the undo of both was discarded.
    pub(super) fn corrected_under_newer(&self, item: &Item, effect: Effect) -> Result<Effect, HistoryError> {
        self.where_it_is((item, effect), Changed::Counts, Extent::Whole, |standing, undo| match standing {
            Standing::InForce => true,
            Standing::TakenBack(_) => false,
            Standing::Unknown(..) => self.discarded.borrow().contains(undo),
        })
    }

    /// As [`Self::corrected`], where it is asked for by name: also what is there in part counts, to be told what is in its way.
    pub(super) fn corrected_by_name(&self, item: &Item, effect: Effect) -> Result<Effect, HistoryError> {
        self.where_it_is((item, effect), Changed::Counts, Extent::Part, |standing, _| {
            matches!(standing, Standing::InForce | Standing::Unknown(_, Traces::Some))
        })
    }

    fn where_it_is(
        &self,
        (item, effect): (&Item, Effect),
        changed: Changed,
        extent: Extent,
        is_there: impl Fn(&Standing, &(RecordId, RepoPath)) -> bool,
    ) -> Result<Effect, HistoryError> {
        if effect.files.iter().all(|file| *file == FileEffect::InForce) {
            return Ok(effect);
        }
        let Some(record) = self.whereabouts.history().full_shared_if_whole(item) else { return Ok(effect) };
        let was_undone = effect.was_undone;
        let (mut files, mut unproven) = (Vec::with_capacity(effect.files.len()), Vec::new());
        for (file, effect) in effect.files.into_iter().enumerate() {
            let (splices, by) = match &effect {
                FileEffect::InForce => {
                    files.push(effect);
                    continue;
                }
                FileEffect::Undone(by) => (None, by),
                FileEffect::Partly(undone, by) => (Some(undone.iter().copied().collect()), by),
            };
            if self.as_logged.is_so(self.whereabouts, item, file)? {
                files.push(effect);
                continue;
            }
            let part = || Part { item, record: &record, file, splices: splices.clone() };
            if self.looks.get() > 0 && self.is_left_alone(part(), by)? {
                files.push(effect);
                continue;
            }
            let undo = (by.clone(), record.files[file].path.clone());
            let standing = self.standing(part(), Evidence::Index)?;
            let was_met = changed == Changed::Counts
                && matches!(standing, Standing::Unknown(..))
                && self.looks.get() > 0
                && self.was_met_since(part(), by)?;
            let is_told = is_there(&standing, &undo)
                && (standing != Standing::InForce
                    || !self.is_lacked_for_another_reason(part(), by)?
                    || self.was_met_since(part(), by)?);
            let is_back = (was_met || is_told)
                && (extent == Extent::Part || !self.is_partly_taken_back(part())?)
                && !self.was_made_again(part(), by)?;
            if is_back {
                self.discarded.borrow_mut().insert(undo);
            } else if matches!(&standing, Standing::Unknown(found, _) if !found.is_empty()) {
                unproven.push((file, by.clone()));
            }
            files.push(if is_back { FileEffect::InForce } else { effect });
        }
        // An undo that is discarded in one file is believed in no other that proves nothing: that is told.
        for (file, by) in unproven {
            if self.discarded.borrow().iter().any(|(undo, _)| *undo == by) {
                files[file] = FileEffect::InForce;
            }
        }
        Ok(Effect { files, was_undone })
    }

    /// Whether some of the splices of a part are taken back, or some hunks of one.
    fn is_partly_taken_back(&self, part: Part<'_>) -> Result<bool, HistoryError> {
        let Some(file) = part.record.files.get(part.file) else { return Ok(false) };
        let whole = Part { splices: part.splices.clone(), ..part };
        if self
            .since(whole)?
            .is_some_and(|since| self.text_of(&since.slot).is_some_and(|text| since.is_done_in_part(&text)))
        {
            return Ok(true);
        }
        let all = part.splices.unwrap_or_else(|| (0..file.splices.count()).collect());
        if all.len() < 2 {
            return Ok(false);
        }
        for splice in all.into_iter().take(MOST_SPLICES) {
            let one = Part { splices: Some(vec![splice]), ..part };
            if matches!(self.standing(one, Evidence::Index)?, Standing::TakenBack(_)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What of a record that the log calls in force is so in the files that are meant.
    pub(super) fn in_force(&self, item: &Item, effect: &Effect, meant: &[bool]) -> Result<InForce, HistoryError> {
        let Some(record) = self.whereabouts.history().full_shared_if_whole(item) else { return Ok(InForce::Perhaps) };
        let (mut idle, mut misfits) = (Vec::new(), Vec::new());
        for (file, effect) in effect.files.iter().enumerate() {
            if meant.get(file) != Some(&true) || matches!(effect, FileEffect::Undone(_)) {
                continue;
            }
            match self.standing(Part { item, record: &record, file, splices: None }, Evidence::Text)? {
                Standing::TakenBack(why) => idle.push(why),
                Standing::Unknown(found, _) if !found.is_empty() => misfits.extend(found),
                Standing::InForce | Standing::Unknown(..) => return Ok(InForce::Perhaps),
            }
        }
        Ok(match (misfits.is_empty(), idle.is_empty()) {
            (false, _) => InForce::Misfit(misfits),
            (true, false) => InForce::Not(idle),
            (true, true) => InForce::Perhaps,
        })
    }

    /// Whether a record that is newer than the undo did the same: then it is that record's, and not to be undone by the
    /// name of this one.
    fn was_made_again(&self, part: Part<'_>, undo: &RecordId) -> Result<bool, HistoryError> {
        let log = self.whereabouts.log();
        let Some(file) = part.record.files.get(part.file) else { return Ok(false) };
        if file.change != ChangeKind::Modify {
            // Of names there is nothing that tells one time from another; a file that was created is told by its text.
            return is_touched_since(log, undo, file);
        }
        let (own, of_record) = (part.record.id.clone(), part.file);
        let Some(Since { slot, known: since }) = self.since(part)? else { return Ok(false) };
        let is_there = |text: &[u8]| match slot.replay(Some(text), Misfits::Refused) {
            Ok(found) => found.text.as_deref() != Some(text),
            Err(_) => slot.has_traces(text),
        };
        let made = since.iter().find(|known| known.id == own).and_then(|known| known.texts.both(&known.file));
        // As HEAD has it and this record left it, and none after it: what those did is gone with the rest.
        let in_head = slot.disk.as_ref().and_then(|path| (self.whereabouts.files().in_head)(path));
        let text = self.text_of(&slot);
        let is_checked_out = text.as_ref().is_some_and(|text| in_head == Some(blob_id(text)));
        let is_left_so = |known: &Arc<Known>| known.texts.after() == text.as_deref();
        if is_checked_out && since.iter().rfind(|known| is_left_so(known)).is_some_and(|last| last.id == own) {
            return Ok(false);
        }
        // What is only not proven there is not known to have been taken back, but where all of its lines are gone.
        let is_gone = |text: &[u8]| {
            slot.replay(Some(text), Misfits::Refused).is_ok_and(|found| found.text.as_deref() == Some(text))
                || made.is_some_and(|made| has_none_of(text, made))
        };
        let Some(of_undo) = since.iter().position(|known| known.id == *undo) else { return Ok(false) };
        let is_later = |known: &&Known| since.iter().skip(of_undo + 1).any(|later| later.id == known.id);
        let is_newer = |one: &RecordId, other: &RecordId| log.is_newer(one, other);
        let mut others =
            may_have_done_again((&own, of_record), Later { known: &since, is_newer: &is_newer }).filter(is_later);
        Ok(others.any(|known| known.texts.after().is_some_and(is_there) && known.texts.before().is_some_and(is_gone)))
    }

    /// Whether lines that a part deleted, and that its undo put back, may be gone by somebody else, or be there, edited: then that the
    /// file lacks them is no proof that the undo was discarded.
    fn is_lacked_for_another_reason(&self, part: Part<'_>, undo: &RecordId) -> Result<bool, HistoryError> {
        let Some(Since { slot, known: since }) = self.since(part)? else { return Ok(false) };
        let text = self.text_of(&slot);
        let Some(text) = text else { return Ok(false) };
        // As it was left before the undo, or as that met it.
        let mut until = since.iter().take_while(|known| known.id != *undo);
        let has_met = |known: &Arc<Known>| known.id == *undo && known.texts.before() == Some(&text);
        let is_as_before = until.any(|known| known.texts.after() == Some(&text)) || since.iter().any(has_met);
        Ok(!is_as_before && slot.is_lacked_for_another_reason(&text))
    }

    /// Whether the log tells that nobody came since to where an undo took something out, or brought it back.
    fn is_left_alone(&self, part: Part<'_>, undo: &RecordId) -> Result<bool, HistoryError> {
        let Some(Since { slot, known: since }) = self.since(part)? else { return Ok(false) };
        let Some(mut of_undo) = since.iter().position(|known| known.id == *undo) else { return Ok(false) };
        // One that was redone is in force where the redo was undone in turn: it is done anew then.
        while let Some(anew) = undone_anew(&since, of_undo) {
            of_undo = anew;
        }
        let text = self.text_of(&slot);
        let (undo, later) = (&since[of_undo], since.get(of_undo + 1..).unwrap_or_default());
        Ok(text.is_some_and(|text| is_undo_in_force(undo, later, &text)))
    }

    /// Whether a record that is newer than the undo found it in force: then somebody had discarded the undo.
    fn was_met_since(&self, part: Part<'_>, undo: &RecordId) -> Result<bool, HistoryError> {
        let Some(Since { slot, known: since }) = self.since(part)? else { return Ok(false) };
        let Some(of_undo) = since.iter().position(|known| known.id == *undo) else { return Ok(false) };
        let is_in_force = |text: &[u8]| {
            slot.replay(Some(text), Misfits::Refused).is_ok_and(|found| found.text.as_deref() != Some(text))
                && !slot.is_lacked_for_another_reason(text)
        };
        let mut met = since.iter().skip(of_undo + 1).filter_map(|known| known.texts.before());
        Ok(met.any(is_in_force))
    }

    fn text_of(&self, slot: &Slot) -> Option<Vec<u8>> {
        slot.disk.as_ref().and_then(|path| (self.whereabouts.files().read)(path).ok().flatten())
    }

    /// A part as a slot, and what the log has of its file since; none where there is no such file.
    fn since(&self, part: Part<'_>) -> Result<Option<Since>, HistoryError> {
        let own = part.record.id.clone();
        let Some(file) = part.record.files.get(part.file) else { return Ok(None) };
        let trail = self.whereabouts.trail(part.item, &file.path)?;
        let mut slots = Vec::new();
        let n = match self.whereabouts.add(&mut slots, part, Evidence::Index) {
            Err(HistoryError::UndoConflict(_)) => return Ok(None),
            added => added?,
        };
        let Some(today) = trail.today else { return Ok(None) };
        let since = self.whereabouts.known_since(&own, &today)?;
        Ok(Some(Since { slot: slots.swap_remove(n), known: since }))
    }

    fn standing(&self, part: Part<'_>, evidence: Evidence) -> Result<Standing, HistoryError> {
        let Some(left) = self.looks.get().checked_sub(1) else {
            return Ok(Standing::Unknown(Vec::new(), Traces::None));
        };
        self.looks.set(left);
        if part.record.files.get(part.file).is_none() {
            return Ok(Standing::Unknown(Vec::new(), Traces::None));
        }
        let mut slots = Vec::new();
        let part_record = part.record;
        let n = match self.whereabouts.add(&mut slots, part, evidence) {
            Err(HistoryError::UndoConflict(found)) => return Ok(Standing::Unknown(found, Traces::None)),
            added => added?,
        };
        let settled = match settle(self.whereabouts, &mut slots, n, Misfits::Refused) {
            // What cannot be read is told where it is to be changed.
            Err(HistoryError::Worktree(_)) => return Ok(Standing::Unknown(Vec::new(), Traces::None)),
            settled => settled?,
        };
        let slot = &slots[n];
        // A file that came back and is gone again may have been moved.
        let is_moved = || {
            let before = slot.would_restore().filter(|_| evidence == Evidence::Index);
            before.is_some_and(|text| self.whereabouts.is_somewhere(part_record, text))
        };
        let text = || {
            let read = |path| (self.whereabouts.files().read)(path).ok().flatten();
            slot.disk.as_ref().and_then(read)
        };
        Ok(match settled {
            Settled::Idle(why) => Standing::TakenBack(why),
            // Permission bits tell nothing of who set them.
            Settled::Change if is_moved() => Standing::Unknown(Vec::new(), Traces::None),
            Settled::Change if slot.changes_only_mode() => Standing::Unknown(Vec::new(), Traces::None),
            Settled::Change => Standing::InForce,
            Settled::Conflicts(found) => {
                let has_traces = !slot.is_other && text().is_some_and(|text| slot.has_traces(&text));
                Standing::Unknown(found, if has_traces { Traces::Some } else { Traces::None })
            }
        })
    }
}

/// The record that took back, as a whole, the only one that took an undo back; none where there is no such.
fn undone_anew(since: &[Arc<Known>], undo: usize) -> Option<usize> {
    let inverts_all = |of: usize| {
        let id = &since[of].id;
        let mut by = (of + 1..since.len()).filter(|n| since[*n].inverts().any(|one| one == id));
        let only = by.next().filter(|_| by.next().is_none())?;
        let is_whole = since[only].targets.iter().all(|target| target.id == *id && target.splices.is_none());
        is_whole.then_some(only)
    };
    inverts_all(undo).and_then(inverts_all)
}

/// Whether a text has none of the lines that an edit put, and all that it took: told of lines that stand in no other place.
fn has_none_of(text: &[u8], (before, after): (&[u8], &[u8])) -> bool {
    let count = |text: &[u8], line: &[u8]| split_lines(text).filter(|other| *other == line).take(2).count();
    let Differing { gone: took, new: put } = differing(split_lines(before), split_lines(after));
    let counts = |line: &[u8]| [before, after, text].map(|text| count(text, line));
    !(put.is_empty() && took.is_empty())
        && put.iter().all(|line| counts(line) == [0, 1, 0])
        && took.iter().all(|line| counts(line) == [1, 0, 1])
}

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{id, known};
    use super::*;
    use crate::record::RecordClass;

    #[test]
    fn an_undo_is_done_anew_by_who_took_its_only_redo_back_as_a_whole() {
        let step = |n, class, inverts: &[u8]| known(n, class, inverts, ["a\n", "b\n"]);
        let (undo, anew) = (step(2, RecordClass::Undo, &[1]), step(4, RecordClass::Undo, &[3]));
        let anew_by = |between: &[&Arc<Known>]| {
            let since: Vec<Arc<Known>> =
                [&undo].into_iter().chain(between.iter().copied()).chain([&anew]).cloned().collect();
            undone_anew(&since, 0).map(|n| since[n].id.clone())
        };
        let redo = step(3, RecordClass::Redo, &[2]);
        assert_eq!(anew_by(&[&redo]), Some(id(4)));
        assert_eq!(anew_by(&[]), None);
        assert_eq!(anew_by(&[&redo, &step(5, RecordClass::Redo, &[2])]), None, "it was redone twice");
        assert_eq!(anew_by(&[&step(3, RecordClass::Redo, &[2, 8])]), None, "with another one");
        let mut in_part = Arc::into_inner(step(3, RecordClass::Redo, &[2])).expect("one owner");
        in_part.targets[0].splices = Some(vec![0]);
        assert_eq!(anew_by(&[&Arc::new(in_part)]), None, "a part of it");
    }

    #[test]
    fn a_text_lacks_an_edit_where_it_has_all_that_was_before_and_nothing_of_what_came() {
        let lacks =
            |text: &str, before: &str, after: &str| has_none_of(text.as_bytes(), (before.as_bytes(), after.as_bytes()));
        assert!(lacks("a\nold\nb\nmore\n", "a\nold\nb\n", "a\nnew\nb\n"));
        assert!(!lacks("a\nnew\nb\n", "a\nold\nb\n", "a\nnew\nb\n"));
        assert!(!lacks("a\nb\n", "a\nold\nb\n", "a\nnew\nb\n"));
        assert!(lacks("a\n", "a\n", "a\none\ntwo\n") && lacks("a\none\ntwo\n", "a\none\ntwo\n", "a\n"));
        // Some of it is not enough.
        assert!(!lacks("a\ntwo\n", "a\n", "a\none\ntwo\n") && !lacks("a\none\n", "a\none\ntwo\n", "a\n"));
        // Of lines that stand in several places nothing is told, nor of an edit without any.
        assert!(!lacks("a\n", "a\n", "one\none\na\n") && !lacks("a\n", "a\n", "a\n"));
    }
}
