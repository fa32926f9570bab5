//! Plans an undo or redo: which records, and what is to become of which file.
//!
//! Owns the choice of records and the way from their splices to patches of the files as they are. Writes nothing: the plan
//! is a list of file changes for the transaction layer, each made again from the file's text at the last moment.
//! Invariant: a record is undone by its own trimmed splices, carried through whatever came later; never by copying an
//! old file back over later changes.

use super::effects::{Effect, FileEffect};
use super::error::{HistoryError, Obstacle, UndoConflict};
use super::hunks::{file_hunks, record_hunks};
use super::reader::{History, Item, Scope};
use super::record::{Record, Target};
use super::replay::{Slot, Step};
use crate::envelope::ChangeKind;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::repo::blob_id;
use crate::transaction::{LANDING, RecordClass};
use std::collections::{BTreeSet, HashSet};

/// Which records are to be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Select {
    /// The newest whose effect is in place, but no undo.
    Newest,
    /// The newest undo in force: a redo.
    NewestUndo,
    /// These, by name.
    Named(Vec<String>),
    /// The undos of these, or these undos: a redo.
    UndosOf(Vec<String>),
    /// Every edit of this worktree in force that fits all of these.
    Matching {
        /// Of this session.
        session: Option<String>,
        /// By this agent.
        agent: Option<String>,
        /// Not older, milliseconds since 1970-01-01 UTC.
        since_ms: Option<i64>,
    },
}

/// What is to be undone, and how.
#[derive(Debug, Clone)]
pub struct UndoRequest {
    /// Which records.
    pub select: Select,
    /// Only these files, or what is below these directories; all where empty.
    pub paths: Vec<RepoPath>,
    /// Only this hunk, 1-based, of the one record.
    pub hunk: Option<usize>,
    /// Put conflict markers where something does not fit, instead of refusing.
    pub markers: bool,
}

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
        let touches =
            |record: &Record| {
                record.meta.record == "commit"
                    || record.meta.extra.get(LANDING).is_some_and(|landing| {
                        !landing["indexes"].is_null() && landing["indexes"] != serde_json::json!([])
                    })
            };
        let mut targets = self.slots.iter().flat_map(|slot| &slot.targets);
        self.undone.iter().any(touches) && targets.all(|target| target.splices.is_none())
    }

    /// The ids of the records, newest first.
    pub fn ids(&self) -> Vec<RecordId> {
        self.undone.iter().map(|record| record.id.clone()).collect()
    }
}

/// A record that was chosen, with what of it is in force.
type Chosen = (Item, Effect);

/// The files of the working tree, as an undo looks at them.
pub struct Files<'a> {
    /// The text of a file as it is; none where there is no file.
    pub read: &'a dyn Fn(&RepoPath) -> Option<Vec<u8>>,
    /// The one file that has exactly this text, by blob id and length; none where there is none, or several.
    pub find: &'a dyn Fn(BlobId, usize) -> Option<RepoPath>,
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

/// The records to undo, newest first.
fn choose(history: &History<'_>, request: &UndoRequest) -> Result<Vec<Chosen>, HistoryError> {
    let touches = |item: &Item| {
        let mut files = item.record.files.iter();
        request.paths.is_empty() || files.any(|file| request.paths.iter().any(|path| file.is_at(path)))
    };
    let sieve = match &request.select {
        Select::Matching { session: Some(name), .. } | Select::Matching { agent: Some(name), .. } => {
            super::Sieve::of([name.as_bytes()])
        }
        _ => super::Sieve::default(),
    };
    let mut chosen = match &request.select {
        Select::Newest | Select::NewestUndo => {
            let want_undo = request.select == Select::NewestUndo;
            let found = history.effects(Scope::Own, sieve)?.find(|found| match found {
                Err(_) => true,
                Ok((item, effect)) => {
                    (item.record.kind == RecordClass::Undo) == want_undo
                        && touches(item)
                        && has_left(item, effect, &request.paths)
                }
            });
            found.into_iter().collect::<Result<Vec<_>, _>>()?
        }
        Select::Matching { session, agent, since_ms } => {
            let mut found = Vec::new();
            for one in history.effects(Scope::Own, sieve)? {
                let (item, effect) = one?;
                if since_ms.is_some_and(|since| item.record.time_ms < since) {
                    continue;
                }
                let meta = &item.record.meta;
                let fits = session.as_ref().is_none_or(|s| meta.session.as_ref() == Some(s))
                    && agent.as_ref().is_none_or(|a| meta.agent.as_ref() == Some(a));
                let is_edit = matches!(item.record.kind, RecordClass::Edit | RecordClass::External);
                if is_edit && fits && touches(&item) && has_left(&item, &effect, &request.paths) {
                    found.push((item, effect));
                }
            }
            found
        }
        Select::Named(names) => named(history, names, false)?,
        Select::UndosOf(names) => named(history, names, true)?,
    };
    chosen.sort_by_key(|(item, _)| std::cmp::Reverse(item.record.time_ms));
    if chosen.is_empty() {
        let what = match request.select {
            Select::NewestUndo => "no undo is in force; `redraft log --kind undo` lists what was undone",
            _ => "no record in force fits; `redraft log` lists what was done, and what is undone already",
        };
        return Err(HistoryError::NothingToUndo(what.to_owned()));
    }
    Ok(chosen)
}

/// Whether anything of the record is in force, in one of these paths.
fn has_left(item: &Item, effect: &Effect, paths: &[RepoPath]) -> bool {
    let files = item.record.files.iter().zip(&effect.files);
    files
        .filter(|(file, _)| paths.is_empty() || paths.iter().any(|path| file.is_at(path)))
        .any(|(_, effect)| !matches!(effect, FileEffect::Undone(_)))
}

fn named(history: &History<'_>, names: &[String], undos: bool) -> Result<Vec<Chosen>, HistoryError> {
    let mut wanted: HashSet<RecordId> = HashSet::new();
    let mut order = Vec::new();
    for name in names {
        let item = history.find(name)?;
        if wanted.insert(item.record.id.clone()) {
            order.push(item);
        }
    }
    // What is in force is known when all that is newer was seen.
    let mut found: Vec<Chosen> = Vec::new();
    let mut undos_wanted: HashSet<RecordId> = HashSet::new();
    let mut newer: Vec<Chosen> = Vec::new();
    let sieve = super::Sieve::of(wanted.iter().map(|id| id.as_str().as_bytes()));
    for one in history.effects(Scope::All, sieve)? {
        if found.len() == wanted.len() {
            break;
        }
        let (item, effect) = one?;
        if wanted.contains(&item.record.id) {
            found.push((item, effect));
        } else if undos && item.record.kind == RecordClass::Undo {
            newer.push((item, effect));
        }
    }
    if !undos {
        return found.into_iter().map(|(item, effect)| in_force(item, effect)).collect();
    }
    let mut chosen = Vec::new();
    for (item, effect) in found {
        if item.record.kind == RecordClass::Undo {
            chosen.push(in_force(item, effect)?);
            continue;
        }
        let by = effect.files.iter().filter_map(|file| match file {
            FileEffect::Undone(by) | FileEffect::Partly(_, by) => Some(by.clone()),
            FileEffect::InForce => None,
        });
        let before = undos_wanted.len();
        undos_wanted.extend(by);
        if undos_wanted.len() == before && !effect.files.iter().any(|file| !matches!(file, FileEffect::InForce)) {
            let id = &item.record.id;
            return Err(HistoryError::NothingToUndo(format!("record {id} is not undone, so there is nothing to redo")));
        }
    }
    chosen.extend(newer.into_iter().filter(|(item, _)| undos_wanted.contains(&item.record.id)));
    Ok(chosen)
}

fn in_force(item: Item, effect: Effect) -> Result<Chosen, HistoryError> {
    match effect.undone_by() {
        None => Ok((item, effect)),
        Some(by) => {
            let id = &item.record.id;
            let what = format!("record {id} is undone already, by {by}; `redraft redo {by}` brings it back");
            Err(HistoryError::NothingToUndo(what))
        }
    }
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
            FileEffect::Partly(undone, _) => Some((0..file.splice_count).filter(|i| !undone.contains(i)).collect()),
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
            let id = &record.id;
            let number = request.hunk.unwrap_or_default();
            return Err(HistoryError::NothingToUndo(format!("hunk {number} of record {id} is undone already")));
        }
        out.push((n, splices));
    }
    if out.is_empty() {
        let what = format!("record {} has nothing in force in these paths", record.id);
        return Err(HistoryError::NothingToUndo(what));
    }
    Ok(out)
}

/// The file of a hunk, and all splices that it shows, with those that go with them.
fn of_hunk(
    history: &History<'_>,
    item: &Item,
    record: &Record,
    number: usize,
    notes: &mut Vec<String>,
) -> Result<(usize, Vec<usize>), HistoryError> {
    if matches!(record.kind, RecordClass::Undo | RecordClass::Redo) {
        let what = format!("{} is itself an undo or redo; name a hunk of the edit instead", record.id);
        return Err(HistoryError::NothingToUndo(what));
    }
    let hunks = record_hunks(record, |n| history.texts(item, record, n).unwrap_or_default());
    let Some((file, hunk)) = number.checked_sub(1).and_then(|n| hunks.get(n)) else {
        let what = format!("record {} has {} hunks; `redraft show {}` numbers them", record.id, hunks.len(), record.id);
        return Err(HistoryError::NothingToUndo(what));
    };
    let together: Vec<String> = hunks
        .iter()
        .enumerate()
        .filter(|(n, (f, other))| {
            n + 1 != number && f == file && other.splices.iter().any(|i| hunk.splices.contains(i))
        })
        .map(|(n, _)| (n + 1).to_string())
        .collect();
    if !together.is_empty() {
        notes.push(format!("hunk {} shows the same edit as hunk {number}, so both go together", together.join(", ")));
    }
    Ok((*file, hunk.splices.clone()))
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
        let step = Step::restore(record, n, texts.before);
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
    for slot in &mut plan.slots {
        let mut text = slot.disk.as_ref().and_then(files.read);
        if text.is_none()
            && let Some((id, length)) = slot.wanted()
            && let Some(path) = (files.find)(id, length)
        {
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
        plan.notes.push(format!("{path} is already as it was before"));
    }
    if plan.slots.is_empty() {
        let paths: Vec<String> = idle.iter().map(ToString::to_string).collect();
        return Err(HistoryError::NothingToUndo(format!("{} is already as it was before", paths.join(", "))));
    }
    Ok(())
}

/// Whether bytes are the ones that an id names.
pub(super) fn is_text(bytes: &[u8], id: Option<BlobId>) -> bool {
    id.is_some_and(|id| blob_id(bytes) == id)
}
