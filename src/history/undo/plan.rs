//! Plans an undo or redo: which records, and what is to become of which file.
//!
//! Owns the choice of records and the way from their splices to patches of the files as they are. Writes nothing: the plan
//! is a list of file changes for the transaction layer, each made again from the file's text at the last moment.
//! Invariant: a record is undone by its own trimmed splices, carried through whatever came later; never by copying an
//! old file back over later changes.

use super::known::known_since;
use super::request::{Misfits, UndoRequest};
use super::select::{choose, of_hunk};
use super::standing::{Files, InFiles};
use crate::change::ChangeKind;
use crate::history::error::{HistoryError, Nothing, Obstacle, UndoConflict};
use crate::history::in_force::{Effect, FileEffect};
use crate::history::query::hunks::file_hunks;
use crate::history::reader::{History, Item};
use crate::history::undo::replay::{OneFile, Slot};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::record::{Record, Target};
use crate::request::RecordKind;
use std::collections::BTreeSet;

/// What is to be done.
#[derive(Debug)]
pub struct UndoPlan {
    /// One per file on disk.
    pub slots: Vec<Slot>,
    /// The records, newest first.
    pub undone: Vec<Record>,
    /// Undo or redo.
    pub class: RecordClass,
    /// What the caller should know.
    pub notes: Vec<String>,
    /// What does not fit, and is left as it is.
    pub skipped: Vec<UndoConflict>,
}

impl UndoPlan {
    /// For the record of the undo: what each of its files inverts.
    pub fn targets(&self) -> Vec<Vec<Target>> {
        self.slots.iter().map(|slot| slot.targets.clone()).collect()
    }

    /// Gives the hunks of conflicts their numbers through all files of their records, as `show` has them.
    pub fn number(&self, history: &History<'_>, conflicts: &mut [UndoConflict]) {
        for conflict in conflicts {
            let Some(record) = self.undone.iter().find(|record| record.id == conflict.record) else { continue };
            let file = record.files.iter().position(|file| file.path.to_string_lossy() == conflict.path);
            let (Some(hunk), Some(file), Ok(item)) = (&mut conflict.hunk, file, history.find(record.id.as_str()))
            else {
                continue;
            };
            for (n, earlier) in record.files.iter().enumerate().take(file) {
                *hunk += file_hunks(earlier, &history.texts(&item, record, n).unwrap_or_default()).len();
            }
        }
    }

    /// Whether a record put entries into the index, and is undone as a whole: then they go back with it.
    pub fn is_in_index(&self) -> bool {
        let touches = |record: &Record| {
            record.meta.record == RecordKind::Commit
                || record.meta.git.as_ref().is_some_and(|git| !git.indexes.is_empty())
        };
        let mut targets = self.slots.iter().flat_map(|slot| &slot.targets);
        self.undone.iter().any(touches) && targets.all(|target| target.splices.is_none())
    }

    /// Where a file that is gone is today: at a path that was free when its records were made, and is none of their files.
    fn renamed(&self, slot: usize, files: &Files<'_>) -> Option<RepoPath> {
        if let Some(before) = self.slots[slot].before_rename()
            && matches!((files.read)(before), Ok(Some(text)) if self.slots[slot].was_before(&text))
        {
            return Some(before.clone());
        }
        let (id, length) = self.slots[slot].wanted()?;
        let path = (files.find)(id, length)?;
        let is_other = |slot: &Slot| slot.disk.as_ref() == Some(&path);
        let is_of_record = |target: &Target| {
            let Some(record) = self.undone.iter().find(|record| record.id == target.id) else { return false };
            let mut others = record.files.iter().enumerate().filter(|(n, _)| *n != target.file);
            others.any(|(_, file)| file.path == path || file.from.as_ref() == Some(&path))
                || (files.was_tracked)(record, &path)
        };
        let is_another = self.slots.iter().any(is_other) || self.slots[slot].targets.iter().any(is_of_record);
        (!is_another).then_some(path)
    }

    /// The ids of the records, newest first.
    pub fn ids(&self) -> Vec<RecordId> {
        self.undone.iter().map(|record| record.id.clone()).collect()
    }
}

/// Plans an undo.
///
/// # Errors
/// [`HistoryError::NoSuchRecord`], [`HistoryError::NothingToUndo`], [`HistoryError::UndoConflict`], or the system's.
pub fn plan_undo(history: &History<'_>, request: &UndoRequest, files: &Files<'_>) -> Result<UndoPlan, HistoryError> {
    let chosen = choose(history, request, &InFiles::new(history, files))?;
    let is_redo = chosen.records.iter().all(|(item, _)| item.record.kind == RecordClass::Undo);
    let class = if is_redo { RecordClass::Redo } else { RecordClass::Undo };
    let plan = UndoPlan { slots: Vec::new(), undone: Vec::new(), class, notes: chosen.notes, skipped: Vec::new() };
    let mut planner = Planner { history, request, files, plan };
    for (item, effect) in &chosen.records {
        let record = history.full(item)?;
        for wanted in planner.wanted(item, &record, effect)?.into_iter().rev() {
            match planner.add(item, &record, wanted) {
                Err(HistoryError::UndoConflict(found)) if request.misfits == Misfits::Skipped => {
                    planner.plan.skipped.extend(found);
                }
                added => added?,
            }
        }
        planner.plan.undone.push(record);
    }
    planner.settle()?;
    Ok(planner.plan)
}

/// A file of a record by its index, and its splices to undo; none for all of the file.
struct Wanted {
    file: usize,
    splices: Option<Vec<usize>>,
}

/// A plan that is being made.
struct Planner<'a> {
    history: &'a History<'a>,
    request: &'a UndoRequest,
    files: &'a Files<'a>,
    plan: UndoPlan,
}

impl Planner<'_> {
    /// The files of a record to undo.
    fn wanted(&mut self, item: &Item, record: &Record, effect: &Effect) -> Result<Vec<Wanted>, HistoryError> {
        let request = self.request;
        let by_hunk = match request.hunk {
            None => None,
            Some(number) => Some(of_hunk(self.history, item, record, number, &mut self.plan.notes)?),
        };
        let mut out = Vec::new();
        for (n, file) in record.files.iter().enumerate() {
            if !request.paths.is_empty() && !request.paths.iter().any(|path| file.is_at(path)) {
                continue;
            }
            let left: Option<BTreeSet<usize>> = match &effect.files[n] {
                FileEffect::Undone(_) => continue,
                FileEffect::InForce => None,
                FileEffect::Partly(undone, _) => {
                    Some((0..file.splices.count()).filter(|i| !undone.contains(i)).collect())
                }
            };
            let splices = match &by_hunk {
                None => left.map(|left| left.into_iter().collect()),
                Some((of_file, _)) if *of_file != n => continue,
                Some(_) if matches!(file.change, ChangeKind::Create | ChangeKind::Delete) => None,
                Some((_, splices)) => {
                    let chosen = splices.iter().copied().filter(|i| left.as_ref().is_none_or(|left| left.contains(i)));
                    Some(chosen.collect::<Vec<_>>())
                }
            };
            if splices.as_ref().is_some_and(Vec::is_empty) {
                let (hunk, id) = (request.hunk.unwrap_or_default(), record.id.clone());
                return Err(HistoryError::NothingToUndo(Nothing::HunkUndone { hunk, id }));
            }
            out.push(Wanted { file: n, splices });
        }
        if out.is_empty() {
            return Err(HistoryError::NothingToUndo(Nothing::InPaths(record.id.clone())));
        }
        Ok(out)
    }

    /// Adds what undoing one file of one record means to the file that it is now.
    fn add(&mut self, item: &Item, record: &Record, wanted: Wanted) -> Result<(), HistoryError> {
        let Wanted { file: n, splices } = wanted;
        let slots = &mut self.plan.slots;
        let path = &record.files[n].path;
        let target = Target { id: record.id.clone(), file: n, splices: splices.clone() };
        let OneFile { step, disk, now } = OneFile::new(self.history, item, record, n, splices)?;
        let at = slots.iter().position(|slot| slot.now.as_ref() == Some(path));
        let is_taken = |path: &RepoPath| slots.iter().any(|slot| slot.now.as_ref() == Some(path));
        if let Some(now) = now.as_ref().filter(|now| disk.as_ref() != Some(now) && is_taken(now)) {
            let (record, path) = (record.id.clone(), now.to_string_lossy());
            let taken = UndoConflict::of_file(record, path, Obstacle::Taken);
            return Err(HistoryError::UndoConflict(vec![taken]));
        }
        let index = match &disk {
            Some(disk) => at.unwrap_or_else(|| {
                slots.push(Slot::at(disk));
                slots.len() - 1
            }),
            // A file that an earlier step takes away leaves its place on disk to this one.
            None => {
                let free = slots.iter().position(|slot| slot.now.is_none() && slot.disk.as_ref() == Some(path));
                free.unwrap_or_else(|| {
                    slots.push(Slot::absent());
                    slots.len() - 1
                })
            }
        };
        slots[index].add(step, now, target);
        Ok(())
    }

    /// Tries the plan on the files as they are: what would change nothing is left out, what does not fit is refused.
    fn settle(&mut self) -> Result<(), HistoryError> {
        let mut conflicts = Vec::new();
        let mut idle = Vec::new();
        for n in 0..self.plan.slots.len() {
            loop {
                match self.settle_one(n)? {
                    Settled::Change => {}
                    Settled::Idle(path) => idle.push(path),
                    Settled::Conflicts(found) if self.request.misfits == Misfits::Skipped => {
                        found.iter().for_each(|conflict| self.plan.slots[n].leave_out(&conflict.record));
                        self.plan.skipped.extend(found);
                        continue;
                    }
                    Settled::Conflicts(found) => conflicts.extend(found),
                }
                break;
            }
        }
        let plan = &mut self.plan;
        if !conflicts.is_empty() {
            plan.number(self.history, &mut conflicts);
            return Err(HistoryError::UndoConflict(conflicts));
        }
        plan.slots.retain(|slot| !slot.is_idle && (slot.disk.is_some() || slot.now.is_some()));
        let mut skipped = std::mem::take(&mut plan.skipped);
        if !skipped.is_empty() {
            plan.number(self.history, &mut skipped);
            if plan.slots.is_empty() {
                return Err(HistoryError::UndoConflict(skipped));
            }
            let is_left = |id: &RecordId| plan.slots.iter().any(|slot| slot.targets.iter().any(|one| one.id == *id));
            plan.undone.retain(|record| is_left(&record.id));
            plan.skipped = skipped;
        }
        for path in &idle {
            let there = if plan.class == RecordClass::Redo { "in place again" } else { "taken back" };
            plan.notes.push(format!("what was done to {path} is {there} already"));
        }
        if plan.slots.is_empty() {
            let paths: Vec<String> = idle.iter().map(ToString::to_string).collect();
            let nothing = if plan.class == RecordClass::Redo { Nothing::InPlace } else { Nothing::AsBefore };
            return Err(HistoryError::NothingToUndo(nothing(paths)));
        }
        Ok(())
    }

    /// Tries one file.
    fn settle_one(&mut self, n: usize) -> Result<Settled, HistoryError> {
        let files = self.files;
        let read = |path: &RepoPath| (files.read)(path).map_err(HistoryError::from);
        let mut text = self.plan.slots[n].disk.as_ref().map(read).transpose()?.flatten();
        if text.is_none()
            && let Some(path) = self.plan.renamed(n, files)
        {
            text = read(&path)?;
            self.plan.slots[n].was_renamed_to(path);
            if let Some(path) = &self.plan.slots[n].now {
                self.plan.notes.push(format!("{path} was renamed since; it keeps its name"));
            }
        }
        let slot = &mut self.plan.slots[n];
        let target = slot.now.as_ref().filter(|now| slot.disk.as_ref() != Some(now));
        if let Some(path) = target
            && let Some(found) = read(path)?
        {
            if text.is_none() && slot.is_restored_as(&found) {
                slot.is_idle = true;
                return Ok(Settled::Idle(path.clone()));
            }
            let record = slot.targets.last().expect("a slot has steps").id.clone();
            let path = path.to_string_lossy();
            let taken = UndoConflict::of_file(record, path, Obstacle::Taken);
            return Ok(Settled::Conflicts(vec![taken]));
        }
        if let (None, None, Some(path)) = (&text, &slot.now, &slot.disk) {
            slot.is_idle = true;
            return Ok(Settled::Idle(path.clone()));
        }
        slot.find_base(text.as_deref());
        if text.as_ref().is_some_and(|text| slot.is_changed(text)) {
            let known = slot.oldest().map(|(oldest, path)| known_since(self.history, oldest, path)).transpose()?;
            slot.learn(known.unwrap_or_default());
        }
        let outcome = match slot.replay(text.as_deref(), self.request.misfits) {
            Err(found) => return Ok(Settled::Conflicts(found)),
            Ok(outcome) => outcome,
        };
        slot.is_idle = slot.disk == slot.now && !slot.changes_mode() && outcome.text == text;
        Ok(match &slot.disk {
            Some(path) if slot.is_idle => Settled::Idle(path.clone()),
            _ => Settled::Change,
        })
    }
}

/// What came of trying one file.
enum Settled {
    /// It is to be changed.
    Change,
    /// It is as it would be.
    Idle(RepoPath),
    /// It does not fit.
    Conflicts(Vec<UndoConflict>),
}
