//! Plans an undo or redo: which records, and what is to become of which file.
//!
//! Owns the choice of records and the way from their splices to patches of the files as they are. Writes nothing: the plan
//! is a list of file changes for the transaction layer, each made again from the file's text at the last moment.
//! Invariant: a record is undone by its own trimmed splices, carried through whatever came later; never by copying an
//! old file back over later changes.

use super::select::{UndoRequest, choose, of_hunk};
use crate::change::ChangeKind;
use crate::history::Filter;
use crate::history::error::{HistoryError, Nothing, Obstacle, UndoConflict};
use crate::history::in_force::{Effect, FileEffect};
use crate::history::query::hunks::file_hunks;
use crate::history::reader::{History, Item, Scope};
use crate::history::undo::replay::{Known, Slot, Step};
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::record::{Record, RecordFile, Target};
use crate::request::RecordKind;
use std::collections::BTreeSet;

/// So many records of one file are read to find where its lines went.
const MOST_KNOWN: usize = 64;

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

/// The files of the working tree, as an undo looks at them.
pub struct Files<'a> {
    /// The text of a file as it is; none where there is no file.
    pub read: &'a dyn Fn(&RepoPath) -> Option<Vec<u8>>,
    /// The one file that has exactly this text, by blob id and length; none where there is none, or several.
    pub find: &'a dyn Fn(BlobId, usize) -> Option<RepoPath>,
    /// Whether git had a file at a path when a record was made.
    pub was_tracked: &'a dyn Fn(&Record, &RepoPath) -> bool,
}

/// Plans an undo.
///
/// # Errors
/// [`HistoryError::NoSuchRecord`], [`HistoryError::NothingToUndo`], [`HistoryError::UndoConflict`], or the system's.
pub fn plan_undo(history: &History<'_>, request: &UndoRequest, files: &Files<'_>) -> Result<UndoPlan, HistoryError> {
    let chosen = choose(history, request)?;
    let is_redo = chosen.iter().all(|(item, _)| item.record.kind == RecordClass::Undo);
    let class = if is_redo { RecordClass::Redo } else { RecordClass::Undo };
    let mut plan = UndoPlan { slots: Vec::new(), undone: Vec::new(), class, notes: Vec::new() };
    for (item, effect) in &chosen {
        let record = history.full(item)?;
        let wanted = wanted(history, request, item, &record, effect, &mut plan.notes)?;
        for (n, splices) in wanted.into_iter().rev() {
            add_steps(history, &mut plan.slots, item, &record, n, splices)?;
        }
        plan.undone.push(record);
    }
    settle(&mut plan, history, request, files)?;
    Ok(plan)
}

/// A file of a record by its index, and its splices to undo; none for all of the file.
type Wanted = (usize, Option<Vec<usize>>);

/// The files of a record to undo, each with its splices (none for all of the file).
fn wanted(
    history: &History<'_>,
    request: &UndoRequest,
    item: &Item,
    record: &Record,
    effect: &Effect,
    notes: &mut Vec<String>,
) -> Result<Vec<Wanted>, HistoryError> {
    let by_hunk = match request.hunk {
        None => None,
        Some(number) => Some(of_hunk(history, item, record, number, notes)?),
    };
    let mut out = Vec::new();
    for (n, file) in record.files.iter().enumerate() {
        if !request.paths.is_empty() && !request.paths.iter().any(|path| file.is_at(path)) {
            continue;
        }
        let left: Option<BTreeSet<usize>> = match &effect.files[n] {
            FileEffect::Undone(_) => continue,
            FileEffect::InForce => None,
            FileEffect::Partly(undone, _) => Some((0..file.splices.count()).filter(|i| !undone.contains(i)).collect()),
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
        out.push((n, splices));
    }
    if out.is_empty() {
        return Err(HistoryError::NothingToUndo(Nothing::InPaths(record.id.clone())));
    }
    Ok(out)
}

/// Adds what undoing one file of one record means to the file that it is now.
fn add_steps(
    history: &History<'_>,
    slots: &mut Vec<Slot>,
    item: &Item,
    record: &Record,
    n: usize,
    splices: Option<Vec<usize>>,
) -> Result<(), HistoryError> {
    let file = &record.files[n];
    let target = Target { id: record.id.clone(), file: n, splices: splices.clone() };
    let texts = history.texts(item, record, n)?;
    let at = slots.iter().position(|slot| slot.now.as_ref() == Some(&file.path));
    let taken = |path: &RepoPath, slots: &[Slot]| slots.iter().any(|slot| slot.now.as_ref() == Some(path));
    let conflict = |path: &RepoPath| {
        let why = Obstacle::Taken;
        let path = path.to_string_lossy();
        HistoryError::UndoConflict(vec![UndoConflict { record: record.id.clone(), path, hunk: None, why, lines: None }])
    };
    if file.change == ChangeKind::Delete {
        if at.is_some() {
            return Err(conflict(&file.path));
        }
        // A file that an earlier step takes away leaves its place on disk to this one.
        let free = slots.iter().position(|slot| slot.now.is_none() && slot.disk.as_ref() == Some(&file.path));
        let index = free.unwrap_or_else(|| {
            slots.push(Slot::absent());
            slots.len() - 1
        });
        let step = Step::restore(record, n, texts.into_before());
        slots[index].add(step, Some(file.path.clone()), target);
        return Ok(());
    }
    let index = at.unwrap_or_else(|| {
        slots.push(Slot::at(&file.path));
        slots.len() - 1
    });
    let inverted = |after: &[u8]| history.inverted(item, n, after);
    let whole = splices.is_none();
    let (step, now) = match (file.change, &file.from) {
        (ChangeKind::Create, _) => (Step::remove(record, n), None),
        (ChangeKind::Rename, Some(from)) if whole => {
            if taken(from, slots) {
                return Err(conflict(from));
            }
            (Step::carry(record, n, texts, splices, inverted), Some(from.clone()))
        }
        _ => (Step::carry(record, n, texts, splices, inverted), Some(file.path.clone())),
    };
    slots[index].add(step, now, target);
    Ok(())
}

/// Tries the plan on the files as they are: what would change nothing is left out, what does not fit is refused.
fn settle(
    plan: &mut UndoPlan,
    history: &History<'_>,
    request: &UndoRequest,
    files: &Files<'_>,
) -> Result<(), HistoryError> {
    let mut conflicts = Vec::new();
    let mut idle = Vec::new();
    for n in 0..plan.slots.len() {
        let mut text = plan.slots[n].disk.as_ref().and_then(files.read);
        let renamed = if text.is_none() { plan.renamed(n, files) } else { None };
        let slot = &mut plan.slots[n];
        if let Some(path) = renamed {
            plan.notes.push(format!("{path} was renamed since; it keeps its name"));
            text = (files.read)(&path);
            slot.was_renamed_to(path);
        }
        if let Some(path) =
            slot.now.as_ref().filter(|now| slot.disk.as_ref() != Some(now) && (files.read)(now).is_some())
        {
            let record = slot.targets.last().expect("a slot has steps").id.clone();
            let path = path.to_string_lossy();
            conflicts.push(UndoConflict { record, path, hunk: None, why: Obstacle::Taken, lines: None });
            continue;
        }
        slot.find_base(text.as_deref());
        if text.as_ref().is_some_and(|text| slot.is_changed(text)) {
            let known = slot.oldest().map(|(oldest, path)| known_since(history, oldest, path)).transpose()?;
            slot.learn(known.unwrap_or_default());
        }
        match slot.replay(text.as_deref(), request.markers) {
            Err(found) => conflicts.extend(found),
            Ok(outcome) => {
                slot.is_idle = slot.disk == slot.now && !slot.changes_mode() && outcome.text == text;
                if slot.is_idle {
                    idle.extend(slot.disk.clone());
                }
            }
        }
    }
    if !conflicts.is_empty() {
        plan.number(history, &mut conflicts);
        return Err(HistoryError::UndoConflict(conflicts));
    }
    plan.slots.retain(|slot| !slot.is_idle && (slot.disk.is_some() || slot.now.is_some()));
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

/// What the log has of a file from a record on, oldest first; nothing where that is too much to read.
fn known_since(history: &History<'_>, oldest: &RecordId, path: &RepoPath) -> Result<Vec<Known>, HistoryError> {
    let mut known = Vec::new();
    for item in history.items(Scope::Own, Filter::default())? {
        let item = item?;
        let is_it = |file: &RecordFile| file.path == *path && file.change == ChangeKind::Modify;
        if let Some(n) = item.record.files.iter().position(is_it) {
            if known.len() == MOST_KNOWN {
                return Ok(Vec::new());
            }
            // One that cannot be read is a gap, and what comes after it is not counted on.
            let Ok(record) = history.full(&item) else { return Ok(Vec::new()) };
            let Ok(texts) = history.texts(&item, &record, n) else { return Ok(Vec::new()) };
            known.push(Known { id: record.id.clone(), file: record.files[n].clone(), texts });
        }
        if item.record.id == *oldest {
            break;
        }
    }
    known.reverse();
    Ok(known)
}
