//! Plans an undo or redo: which records, and what is to become of which file.
//!
//! Owns the choice of records and the way from their splices to patches of the files as they are. Writes nothing: the plan
//! is a list of file changes for the transaction layer, each made again from the file's text at the last moment.
//! Invariant: a record is undone by its own trimmed splices, carried through whatever came later; never by copying an
//! old file back over later changes.

use super::as_brought_back::{as_brought_back, knows_order_better};
use super::commit_of::name_commits;
use super::crossing::{NameChange, changes, targets, unchanged};
use super::files::Files;
use super::note::UndoNote;
use super::place::Part as Placed;
use super::replay::Slot;
use super::request::{Misfits, Part, Select, UndoRequest};
use super::select::{Choice, choose, of_hunk};
use super::settle::{Idle, Settled, nothing_left, settle};
use super::whereabouts::{Evidence, Whereabouts};
use crate::change::ChangeKind;
use crate::history::error::{HistoryError, Nothing, UndoConflict, of_redo};
use crate::history::in_force::{Effect, FileEffect};
use crate::history::query::hunks::file_hunks;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::RecordClass;
use crate::record::{Record, RecordFile, Target};
use std::collections::{BTreeSet, HashSet};

/// What is to be done.
#[derive(Debug)]
pub struct UndoPlan {
    /// One per file on disk.
    pub slots: Vec<Slot>,
    /// The records, newest first.
    pub undone: Vec<Record>,
    /// Undo or redo.
    pub class: RecordClass,
    /// Records that an undo or redo of them since put into the index.
    pub(super) staged_since: HashSet<RecordId>,
    /// What the caller should know.
    pub notes: Vec<UndoNote>,
    /// Records among them of which nothing was left to be taken back.
    pub already: Vec<RecordId>,
    /// What does not fit, and is left as it is.
    pub skipped: Vec<UndoConflict>,
    /// What records did to files, and others of these took back, so that nothing is to change there.
    cancelled: Vec<Target>,
}

impl UndoPlan {
    /// What becomes of each name in the working tree.
    pub fn changes(&self) -> Vec<NameChange<'_>> {
        changes(&self.slots)
    }

    /// For the record of the undo: what each of its files inverts.
    pub fn targets(&self) -> Vec<Vec<Target>> {
        let mut targets = targets(&self.slots);
        if let Some(first) = targets.first_mut() {
            first.extend(self.cancelled.iter().cloned());
        }
        let of_all = targets.iter_mut().flatten();
        of_all.for_each(|target| target.was_gone = self.already.contains(&target.id));
        targets
    }

    /// Gives the hunks of conflicts their numbers through all files of their records, as `show` has them, and the commits
    /// that changed their lines.
    pub fn number(&self, history: &History<'_>, conflicts: &mut [UndoConflict]) {
        name_commits(history, &self.undone, conflicts);
        for conflict in conflicts {
            let Some(record) = self.undone.iter().find(|record| record.id == conflict.record) else { continue };
            let mut of_slots = self
                .slots
                .iter()
                .filter(|slot| slot.disk.as_ref().is_some_and(|disk| disk.to_string_lossy() == conflict.path));
            let target = of_slots.find_map(|slot| slot.targets.iter().find(|target| target.id == record.id));
            let by_name = || record.files.iter().position(|file| file.path.to_string_lossy() == conflict.path);
            let file = target.map(|target| target.file).or_else(by_name);
            let (Some(hunk), Some(file), Ok(item)) = (&mut conflict.hunk, file, history.find(record.id.as_str()))
            else {
                continue;
            };
            for (n, earlier) in record.files.iter().enumerate().take(file) {
                *hunk += file_hunks(earlier, &history.texts(&item, record, n).unwrap_or_default()).len();
            }
        }
    }

    /// Whether records put entries into the index, or an undo or redo of them since.
    pub fn is_in_index(&self) -> bool {
        self.undone.iter().any(|record| record.meta.is_in_index() || self.staged_since.contains(&record.id))
    }

    /// Whether a record put an entry of a file into the index, or an undo or redo of it since: then what is undone of it goes back there,
    /// too.
    pub fn is_file_in_index(&self, slot: &Slot) -> bool {
        let of_target =
            |target: &Target| self.undone.iter().find(|record| record.id == target.id).zip(Some(target.file));
        let mut of_slot = slot.targets.iter().filter_map(of_target);
        of_slot.any(|(record, n)| self.staged_since.contains(&record.id) || record.has_staged(n))
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
    let plan = planned(history, request, files);
    if !request.select.is_redo() {
        return plan;
    }
    let plan = plan.map_err(HistoryError::of_redo)?;
    Ok(UndoPlan { skipped: of_redo(plan.skipped), ..plan })
}

fn planned(history: &History<'_>, request: &UndoRequest, files: &Files<'_>) -> Result<UndoPlan, HistoryError> {
    let whereabouts = Whereabouts::new(history, files);
    let chosen = choose(request, &whereabouts)?;
    let plan = planned_of(&whereabouts, request, chosen.clone());
    let is_of_texts = |error| matches!(error, &HistoryError::UndoConflict(_) | &HistoryError::NothingToUndo(_));
    let is_told = plan.as_ref().err().is_none_or(is_of_texts);
    if !is_told || !request.is_of_whole_records() {
        return plan;
    }
    let Some(records) = as_brought_back(&whereabouts, &chosen.records)? else { return plan };
    let other = planned_of(&whereabouts, request, Choice { records, ..chosen });
    let is_better = |other: &UndoPlan| match &plan {
        _ if !other.skipped.is_empty() => false,
        Ok(plan) => !plan.skipped.is_empty() || knows_order_better(&other.slots, &plan.slots),
        Err(_) => true,
    };
    if other.as_ref().is_ok_and(is_better) { other } else { plan }
}

fn planned_of(whereabouts: &Whereabouts<'_>, request: &UndoRequest, chosen: Choice) -> Result<UndoPlan, HistoryError> {
    let history = whereabouts.history();
    let is_redo = chosen.records.iter().all(|(item, _)| item.record.kind == RecordClass::Undo);
    let class = if is_redo { RecordClass::Redo } else { RecordClass::Undo };
    let plan = UndoPlan {
        slots: Vec::new(),
        undone: Vec::new(),
        class,
        staged_since: HashSet::new(),
        notes: chosen.notes,
        skipped: chosen.skipped,
        already: chosen.already,
        cancelled: Vec::new(),
    };
    let mut planner = Planner { history, request, whereabouts, plan };
    for (item, effect) in &chosen.records {
        let record = history.full_shared(item)?;
        for Wanted { file, splices } in planner.wanted(item, &record, effect)?.into_iter().rev() {
            let part = Placed { item, record: &record, file, splices };
            match whereabouts.add(&mut planner.plan.slots, part, Evidence::Text) {
                Err(HistoryError::UndoConflict(found)) if request.misfits == Misfits::Skipped => {
                    planner.plan.skipped.extend(found);
                }
                added => drop(added?),
            }
        }
        if effect.was_undone && was_staged_since(history, &record.id)? {
            planner.plan.staged_since.insert(record.id.clone());
        }
        planner.plan.undone.push(Record::clone(&record));
    }
    planner.settle()?;
    Ok(planner.plan)
}

/// Whether an undo or redo of a record, or of one of those, put entries into the index.
fn was_staged_since(history: &History<'_>, id: &RecordId) -> Result<bool, HistoryError> {
    let mut since = Vec::new();
    for item in history.items(Scope::All, Filter::of([id.as_str().as_bytes()]))? {
        let item = item?;
        if item.record.id == *id {
            break;
        }
        since.push(item);
    }
    let mut named = HashSet::from([id.clone()]);
    for item in since.iter().rev().filter(|item| !item.record.meta.undoes.is_empty()) {
        if item.record.meta.undoes.iter().any(|id| named.contains(id)) {
            if history.full_if_whole(item).is_some_and(|record| record.meta.is_in_index()) {
                return Ok(true);
            }
            named.insert(item.record.id.clone());
        }
    }
    Ok(false)
}

/// A file of a record by its index, and its splices to undo; none for all of the file.
struct Wanted {
    file: usize,
    splices: Option<Vec<usize>>,
}

/// Of these parts of a record what is in force.
fn of_parts(parts: &[Part], record: &Record, effect: &Effect) -> Result<Vec<Wanted>, HistoryError> {
    let mut out = Vec::new();
    for part in parts {
        let (Some(file), Some(effect)) = (record.files.get(part.file), effect.files.get(part.file)) else { continue };
        if matches!(effect, FileEffect::Undone(_)) {
            continue;
        }
        let left = left_of(file, effect);
        let splices = match &part.splices {
            None => rest_of(file, left),
            Some(splices) => {
                let is_left = |splice: &usize| left.as_ref().is_none_or(|left| left.contains(splice));
                Some(splices.iter().copied().filter(is_left).collect::<Vec<_>>())
            }
        };
        if splices.as_ref().is_none_or(|splices| !splices.is_empty()) {
            out.push(Wanted { file: part.file, splices });
        }
    }
    if out.is_empty() {
        return Err(HistoryError::NothingToUndo(Nothing::InPaths(record.id.clone())));
    }
    Ok(out)
}

/// The splices of a file that are in force; none where all of it is.
fn left_of(file: &RecordFile, effect: &FileEffect) -> Option<BTreeSet<usize>> {
    match effect {
        FileEffect::Partly(undone, _) => Some((0..file.splices.count()).filter(|i| !undone.contains(i)).collect()),
        FileEffect::InForce | FileEffect::Undone(_) => None,
    }
}

/// What is left of a file as what to undo: a name goes back with the whole of it.
fn rest_of(file: &RecordFile, left: Option<BTreeSet<usize>>) -> Option<Vec<usize>> {
    if file.change == ChangeKind::Rename { None } else { left.map(|left| left.into_iter().collect()) }
}

/// A plan that is being made.
struct Planner<'w, 'a> {
    history: &'a History<'a>,
    request: &'w UndoRequest,
    whereabouts: &'w Whereabouts<'a>,
    plan: UndoPlan,
}

impl Planner<'_, '_> {
    /// The files of a record to undo.
    fn wanted(&mut self, item: &Item, record: &Record, effect: &Effect) -> Result<Vec<Wanted>, HistoryError> {
        let request = self.request;
        if let Select::Parts(parts) = &request.select {
            return of_parts(parts.get(&record.id).map_or(&[], Vec::as_slice), record, effect);
        }
        let by_hunk = match request.hunk {
            None => None,
            Some(number) => Some(of_hunk(self.history, item, record, number, &mut self.plan.notes)?),
        };
        let mut out = Vec::new();
        for (n, file) in record.files.iter().enumerate() {
            if !self.whereabouts.is_meant(request, item, n)? {
                continue;
            }
            let left = match &effect.files[n] {
                FileEffect::Undone(_) => continue,
                effect => left_of(file, effect),
            };
            let splices = match &by_hunk {
                None => rest_of(file, left),
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

    /// Tries the plan on the files as they are: what would change nothing is left out, what does not fit is refused.
    fn settle(&mut self) -> Result<(), HistoryError> {
        let (mut conflicts, mut idle) = (Vec::new(), Vec::new());
        for n in 0..self.plan.slots.len() {
            if self.plan.slots[n].is_left_out() {
                continue;
            }
            match settle(self.whereabouts, &mut self.plan.slots, n, self.request.misfits)? {
                Settled::Change => {}
                Settled::Idle(why) => idle.push(why),
                Settled::Conflicts(found) if self.request.misfits == Misfits::Skipped => {
                    let left: Vec<UndoConflict> =
                        found.iter().flat_map(|conflict| self.plan.slots[n].leave_out(&conflict.record)).collect();
                    self.plan.skipped.extend(found.into_iter().chain(left));
                    // What stays may have been to make room for another.
                    return self.settle();
                }
                Settled::Conflicts(found) => conflicts.extend(found),
            }
        }
        let plan = &mut self.plan;
        if !conflicts.is_empty() {
            plan.number(self.history, &mut conflicts);
            return Err(HistoryError::UndoConflict(conflicts));
        }
        let is_kept = |slot: &Slot| !slot.is_idle && (slot.disk.is_some() || slot.now.is_some());
        plan.cancelled = plan.slots.iter().filter(|slot| !is_kept(slot)).flat_map(Slot::cancelled).collect();
        plan.slots.retain(is_kept);
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
        let is_cancelled = |id: &RecordId| plan.cancelled.iter().any(|target| target.id == *id);
        let is_done = |id: &RecordId| is_cancelled(id) || plan.slots.iter().any(|slot| slot.changes_for(id));
        plan.already.extend(plan.undone.iter().map(|record| record.id.clone()).filter(|id| !is_done(id)));
        plan.notes.extend(idle.iter().map(|idle| idle.note(plan.class)));
        let is_moved = |slot: &&Slot| {
            slot.logged.is_some() && slot.disk == slot.now && slot.disk != slot.logged && !slot.is_home(&plan.undone)
        };
        let moved: Vec<_> = plan.slots.iter().filter(is_moved).filter_map(|slot| slot.disk.clone()).collect();
        plan.notes.extend(moved.into_iter().map(UndoNote::Renamed));
        if plan.changes().is_empty() {
            idle.extend(unchanged(&plan.slots).into_iter().map(Idle::AsBefore));
            return Err(HistoryError::NothingToUndo(nothing_left(idle, plan.class)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::file_of_record::tests::record;

    /// The files and splices of some parts that are to be undone of a record of two files; none where nothing is.
    fn left(
        parts: &[(usize, Option<&[usize]>)],
        effects: [FileEffect; 2],
        change: ChangeKind,
    ) -> Option<Vec<(usize, Option<Vec<usize>>)>> {
        let mut record = record(1, "f");
        record.files[0].change = change;
        record.files.push(record.files[0].clone());
        let part = |(file, splices): &(usize, Option<&[usize]>)| Part {
            file: *file,
            splices: splices.map(|some| some.iter().copied().collect()),
        };
        let parts: Vec<Part> = parts.iter().map(part).collect();
        let found = of_parts(&parts, &record, &Effect { files: effects.into(), was_undone: false });
        found.ok().map(|found| found.into_iter().map(|Wanted { file, splices }| (file, splices)).collect())
    }

    #[test]
    fn of_the_parts_that_are_meant_those_are_undone_that_are_in_force() {
        let by = || RecordId::from_random([9; 8]);
        let partly = || FileEffect::Partly(BTreeSet::from([0]), by());
        let undone = || FileEffect::Undone(by());
        let left = |parts: &[(usize, Option<&[usize]>)], effects| left(parts, effects, ChangeKind::Modify);
        let both = [(0, None), (1, None)];
        assert_eq!(left(&both, [FileEffect::InForce, FileEffect::InForce]), Some(vec![(0, None), (1, None)]));
        assert_eq!(left(&both, [undone(), partly()]), Some(vec![(1, Some(vec![1]))]));
        assert_eq!(left(&both, [undone(), undone()]), None);
        let some = [(0, Some(&[0, 1][..])), (1, Some(&[0][..]))];
        assert_eq!(left(&some, [FileEffect::InForce, undone()]), Some(vec![(0, Some(vec![0, 1]))]));
        assert_eq!(left(&some, [partly(), partly()]), Some(vec![(0, Some(vec![1]))]));
        assert_eq!(left(&some[1..], [FileEffect::InForce, partly()]), None);
    }

    #[test]
    fn a_name_goes_back_with_the_whole_of_what_is_left_of_the_file() {
        let partly = FileEffect::Partly(BTreeSet::from([0]), RecordId::from_random([9; 8]));
        assert_eq!(left(&[(0, None)], [partly, FileEffect::InForce], ChangeKind::Rename), Some(vec![(0, None)]));
    }
}
