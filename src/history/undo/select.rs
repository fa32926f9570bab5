//! Which records an undo is about.
//!
//! Owns the choice. Does not know what becomes of files.

use super::note::UndoNote;
use super::redone::without_undone_again;
use super::request::{Misfits, Select, UndoRequest};
use super::settle::{Idle, nothing_left};
use super::standing::{InFiles, InForce};
use super::whereabouts::Whereabouts;
use crate::history::error::{HistoryError, Nothing, UndoConflict};
use crate::history::in_force::{Effect, FileEffect};
use crate::history::query::hunks::record_hunks;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::{Record, RecordClass, Target};
use std::collections::HashSet;

/// A record that was chosen, with what of it is in force.
pub(super) type Chosen = (Item, Effect);

/// The records that an undo is about.
#[derive(Clone)]
pub(super) struct Choice {
    /// Newest first.
    pub(super) records: Vec<Chosen>,
    /// What the caller should know.
    pub(super) notes: Vec<UndoNote>,
    /// What was stepped over because it does not fit.
    pub(super) skipped: Vec<UndoConflict>,
    /// Records that were named beside these, of which nothing is in force.
    pub(super) already: Vec<RecordId>,
}

impl Choice {
    pub(super) fn of(records: Vec<Chosen>) -> Self {
        Self { records, notes: Vec::new(), skipped: Vec::new(), already: Vec::new() }
    }
}

/// The records to undo.
pub(super) fn choose(request: &UndoRequest, whereabouts: &Whereabouts<'_>) -> Result<Choice, HistoryError> {
    let in_files = &InFiles::new(whereabouts);
    let chooser = Chooser { history: whereabouts.history(), request, whereabouts, in_files };
    let mut choice = match &request.select {
        Select::Newest | Select::NewestUndo => chooser.newest()?,
        Select::Matching(selection) => chooser.matching(selection)?,
        Select::Among(ids) => Choice::of(chooser.among(ids)?),
        Select::UndosMatching(selection) => chooser.undos_matching(selection)?,
        Select::Named(names) => chooser.named_beside(names)?,
        Select::Parts(parts) => Choice::of(chooser.named(&parts.keys().map(RecordId::to_string).collect::<Vec<_>>())?),
        Select::UndosOf(names) => Choice::of(chooser.undos_of(names)?),
    };
    choice.records.sort_by_key(|(item, _)| std::cmp::Reverse(item.record.time_ms));
    Ok(choice)
}

/// A choice that is being made.
pub(super) struct Chooser<'c, 'w, 'a> {
    pub(super) history: &'c History<'c>,
    request: &'c UndoRequest,
    whereabouts: &'w Whereabouts<'a>,
    pub(super) in_files: &'c InFiles<'w, 'a>,
}

impl Chooser<'_, '_, '_> {
    /// For each file of a record whether it is meant.
    pub(super) fn meant(&self, item: &Item) -> Result<Vec<bool>, HistoryError> {
        let files = 0..item.record.files.len();
        files.map(|n| self.whereabouts.is_meant(self.request, item, n)).collect()
    }

    /// The newest record, or undo, whose effect is in place: also where the log says something else.
    fn newest(&self) -> Result<Choice, HistoryError> {
        let want_undo = self.request.select == Select::NewestUndo;
        let class = if want_undo { RecordClass::Redo } else { RecordClass::Undo };
        let (mut passed, mut skipped): (Vec<Idle>, Vec<UndoConflict>) = (Vec::new(), Vec::new());
        for one in self.history.effects(Scope::Own, Filter::default())? {
            let (item, effect) = one?;
            if (item.record.kind == RecordClass::Undo) != want_undo {
                continue;
            }
            let meant = self.meant(&item)?;
            if !meant.contains(&true) {
                continue;
            }
            let effect = self.in_files.corrected(&item, effect)?;
            let effect = without_undone_again(self.history, self.in_files, (&item, effect))?;
            if !has_left(&meant, &effect) {
                continue;
            }
            match self.in_files.in_force(&item, &effect, &meant)? {
                InForce::Not(idle) => passed.extend(idle),
                InForce::Misfit(found) if self.request.misfits == Misfits::Skipped => skipped.extend(found),
                InForce::Perhaps | InForce::Misfit(_) => {
                    let notes = passed.iter().map(|idle| passed_over(idle, class)).collect();
                    return Ok(Choice { notes, skipped, ..Choice::of(vec![(item, effect)]) });
                }
            }
        }
        if !skipped.is_empty() {
            return Err(HistoryError::UndoConflict(skipped));
        }
        passed.dedup();
        Err(HistoryError::NothingToUndo(match (passed.is_empty(), want_undo) {
            (true, true) => Nothing::NoUndoInForce,
            (true, false) => Nothing::NoneFits,
            (false, _) => nothing_left(passed, class),
        }))
    }

    /// The records of these names, with what the log says of them.
    fn found(&self, names: &[String], mut newer: impl FnMut(Chosen)) -> Result<Vec<Chosen>, HistoryError> {
        let mut wanted: HashSet<RecordId> = HashSet::new();
        for name in names {
            wanted.insert(self.history.find(name)?.record.id);
        }
        // What is in force is known when all that is newer was seen.
        let mut found: Vec<Chosen> = Vec::new();
        let filter = Filter::of(wanted.iter().map(|id| id.as_str().as_bytes()));
        for one in self.history.effects(Scope::All, filter)? {
            let (item, effect) = one?;
            if !wanted.contains(&item.record.id) {
                newer((item, effect));
                continue;
            }
            found.push((item, effect));
            // Not one more: what is looked for next may be at the other end of the log.
            if found.len() == wanted.len() {
                break;
            }
        }
        Ok(found)
    }

    /// The records of these names; what is undone already is told, where others are not.
    fn named_beside(&self, names: &[String]) -> Result<Choice, HistoryError> {
        let mut choice = Choice::of(Vec::new());
        let mut undone = None;
        for (item, effect) in self.found(names, drop)? {
            let id = item.record.id.clone();
            match self.in_force(item, effect) {
                Ok(chosen) => choice.records.push(chosen),
                Err(HistoryError::NothingToUndo(why)) => {
                    choice.already.push(id);
                    choice.notes.push(UndoNote::NotInForce(why.clone()));
                    undone.get_or_insert(why);
                }
                Err(error) => return Err(error),
            }
        }
        match undone.filter(|_| choice.records.is_empty()) {
            Some(why) => Err(HistoryError::NothingToUndo(why)),
            None => Ok(choice),
        }
    }

    fn named(&self, names: &[String]) -> Result<Vec<Chosen>, HistoryError> {
        self.found(names, drop)?.into_iter().map(|(item, effect)| self.in_force(item, effect)).collect()
    }

    /// Undos of records, or undos themselves.
    fn undos_of(&self, names: &[String]) -> Result<Vec<Chosen>, HistoryError> {
        let mut undos: Vec<Chosen> = Vec::new();
        let found = self.found(names, |one| {
            if one.0.record.kind == RecordClass::Undo {
                undos.push(one);
            }
        })?;
        let mut chosen = Vec::new();
        let mut wanted: HashSet<RecordId> = HashSet::new();
        for (item, effect) in found {
            if item.record.kind == RecordClass::Undo {
                chosen.push(self.in_force(item, effect)?);
                continue;
            }
            let before = wanted.len();
            wanted.extend(effect.files.iter().filter_map(|file| match file {
                FileEffect::Undone(by) | FileEffect::Partly(_, by) => Some(by.clone()),
                FileEffect::InForce => None,
            }));
            if wanted.len() == before && effect.files.iter().all(|file| *file == FileEffect::InForce) {
                // A redo may have been discarded: then the newest undo is in force in the files.
                let newest = undos.iter().find(|(undo, _)| undo.record.meta.undoes.contains(&item.record.id));
                let again = newest.map(|(undo, effect)| self.in_force(undo.clone(), effect.clone())).transpose();
                match again {
                    Ok(Some((undo, _))) => drop(wanted.insert(undo.record.id)),
                    _ => return Err(HistoryError::NothingToUndo(Nothing::NotUndone(item.record.id.clone()))),
                }
            }
        }
        for (item, effect) in undos.into_iter().filter(|(item, _)| wanted.contains(&item.record.id)) {
            let effect = self.in_files.corrected_by_name(&item, effect)?;
            chosen.push((item, effect));
        }
        Ok(chosen)
    }

    /// A record of which something is in force.
    pub(super) fn in_force(&self, item: Item, effect: Effect) -> Result<Chosen, HistoryError> {
        let by = effect.undone_by().cloned();
        let effect = self.in_files.corrected_by_name(&item, effect)?;
        let effect = without_undone_again(self.history, self.in_files, (&item, effect))?;
        match (effect.undone_by(), by) {
            (Some(again), by) => {
                let by = by.unwrap_or_else(|| again.clone());
                let id = item.record.id.clone();
                Err(HistoryError::NothingToUndo(match (item.record.kind, self.undone_anew(&item, &by)?) {
                    (RecordClass::Undo, Some(anew)) => Nothing::UndoneAnew { id, by, anew },
                    (RecordClass::Undo, None) => Nothing::Redone { id, by },
                    (RecordClass::Edit | RecordClass::External | RecordClass::Redo, _) => Nothing::Undone { id, by },
                }))
            }
            _ => Ok((item, effect)),
        }
    }

    /// Who undid what an undo of a record is about, where nothing of that is left and one undo did it all.
    fn by_whom_undone<'e>(
        &self,
        effect: &'e Effect,
        targets: &[&Target],
    ) -> Result<Option<&'e RecordId>, HistoryError> {
        let by = targets.iter().map(|target| match effect.files.get(target.file)? {
            FileEffect::Undone(by) => Some(by),
            FileEffect::Partly(undone, by) => {
                let splices = target.splices.as_ref()?;
                splices.iter().all(|n| undone.contains(n)).then_some(by)
            }
            FileEffect::InForce => None,
        });
        let all: Option<Vec<&RecordId>> = by.collect();
        // Several undos together undid all of it.
        let in_turn = effect.undone_by().filter(|_| targets.iter().all(|target| target.splices.is_none()));
        let Some((by, others)) = all.as_deref().and_then(<[&RecordId]>::split_first) else { return Ok(in_turn) };
        let newest = self.history.full(&self.history.find(by.as_str())?)?;
        let did = |target: &&&Target| newest.meta.targets.iter().flatten().any(|own| own.covers(target));
        let is_all = others.iter().all(|other| other == by) && targets.iter().all(|target| did(&target));
        Ok(if is_all { Some(by) } else { in_turn })
    }

    /// The undo that took back what the redo of an undo had brought back: by the name of that, or by those of all that it had brought.
    fn undone_anew(&self, undo: &Item, redo: &RecordId) -> Result<Option<RecordId>, HistoryError> {
        if undo.record.kind != RecordClass::Undo {
            return Ok(None);
        }
        let found = |id: &RecordId| -> Result<Chosen, HistoryError> {
            let (item, effect) = self.history.find_with_effect(id.as_str())?;
            let effect = without_undone_again(self.history, self.in_files, (&item, effect))?;
            Ok((item, effect))
        };
        let (redo, effect) = found(redo)?;
        let is_newer = |id: &RecordId| -> Result<bool, HistoryError> {
            Ok(self.history.find(id.as_str())?.record.time_ms > redo.record.time_ms)
        };
        let undid = self.history.full(undo)?;
        // Of a part, another one may have been undone since.
        let is_of_parts = undid.meta.targets.iter().flatten().any(|target| target.splices.is_some());
        let mut by = effect.undone_by().filter(|_| !is_of_parts).cloned();
        if by.is_some() {
            return Ok(by);
        }
        for id in &undid.meta.undoes {
            let (item, effect) = found(id)?;
            let meant = vec![true; item.record.files.len()];
            let targets: Vec<&Target> = undid.meta.targets.iter().flatten().filter(|target| target.id == *id).collect();
            match self.by_whom_undone(&effect, &targets)? {
                Some(anew) if is_newer(anew)? => by = Some(anew.clone()),
                Some(_) => {}
                // Nothing of it was left.
                None if matches!(self.in_files.in_force(&item, &effect, &meant)?, InForce::Not(_)) => {}
                None => return Ok(None),
            }
        }
        Ok(by)
    }
}

/// Whether anything of a record is in force, in the files that are meant.
pub(super) fn has_left(meant: &[bool], effect: &Effect) -> bool {
    meant.iter().zip(&effect.files).any(|(is_meant, effect)| *is_meant && !matches!(effect, FileEffect::Undone(_)))
}

/// What is to be known of what a plain undo stepped over.
fn passed_over(idle: &Idle, class: RecordClass) -> UndoNote {
    match idle {
        Idle::AsBefore(path) | Idle::CancelsOut(path) | Idle::SameWithout(path) => {
            UndoNote::Passed { path: path.clone(), class }
        }
        Idle::Staged(_) | Idle::RenamedAgain { .. } | Idle::DoneAgain { .. } => idle.note(class),
    }
}

/// The file of a hunk, and all splices that it shows, with those that go with them.
pub(super) fn of_hunk(
    history: &History<'_>,
    item: &Item,
    record: &Record,
    number: usize,
    notes: &mut Vec<UndoNote>,
) -> Result<(usize, Vec<usize>), HistoryError> {
    if matches!(record.kind, RecordClass::Undo | RecordClass::Redo) {
        return Err(HistoryError::NothingToUndo(Nothing::HunkOfUndo(record.id.clone())));
    }
    let hunks = record_hunks(record, |n| history.texts(item, record, n).unwrap_or_default());
    let Some((file, hunk)) = number.checked_sub(1).and_then(|n| hunks.get(n)) else {
        let (id, hunks) = (record.id.clone(), hunks.len());
        return Err(HistoryError::NothingToUndo(Nothing::NoSuchHunk { id, hunks }));
    };
    let others: Vec<usize> = hunks
        .iter()
        .enumerate()
        .filter(|(n, (f, other))| {
            n + 1 != number && f == file && other.splices.iter().any(|i| hunk.splices.contains(i))
        })
        .map(|(n, _)| n + 1)
        .collect();
    if !others.is_empty() {
        notes.push(UndoNote::HunksTogether { hunk: number, others });
    }
    Ok((*file, hunk.splices.clone()))
}
