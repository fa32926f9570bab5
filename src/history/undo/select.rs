//! Which records an undo is about.
//!
//! Owns the choice. Does not know what becomes of files.

use crate::history::error::{HistoryError, Nothing};
use crate::history::in_force::{Effect, FileEffect};
use crate::history::query::hunks::record_hunks;
use crate::history::reader::{History, Item, Scope};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{Record, RecordClass};
use std::collections::HashSet;

/// Which records are to be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
#[non_exhaustive]
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

impl UndoRequest {
    /// Of the newest edit in force, in all its files.
    pub fn newest() -> Self {
        Self { select: Select::Newest, paths: Vec::new(), hunk: None, markers: false }
    }

    /// Of these records, by name: an id, the unique beginning of one, `@` (the newest), `@-`, `@-2`.
    pub fn records<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Self {
        let names = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        Self { select: Select::Named(names), ..Self::newest() }
    }
}

/// A record that was chosen, with what of it is in force.
pub(super) type Chosen = (Item, Effect);

/// The records to undo, newest first.
pub(super) fn choose(history: &History<'_>, request: &UndoRequest) -> Result<Vec<Chosen>, HistoryError> {
    let touches = |item: &Item| {
        let mut files = item.record.files.iter();
        request.paths.is_empty() || files.any(|file| request.paths.iter().any(|path| file.is_at(path)))
    };
    let filter = match &request.select {
        Select::Matching { session: Some(name), .. } | Select::Matching { agent: Some(name), .. } => {
            crate::history::Filter::of([name.as_bytes()])
        }
        _ => crate::history::Filter::default(),
    };
    let mut chosen = match &request.select {
        Select::Newest | Select::NewestUndo => {
            let want_undo = request.select == Select::NewestUndo;
            let found = history.effects(Scope::Own, filter)?.find(|found| match found {
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
            for one in history.effects(Scope::Own, filter)? {
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
            Select::NewestUndo => Nothing::NoUndoInForce,
            _ => Nothing::NoneFits,
        };
        return Err(HistoryError::NothingToUndo(what));
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
    let filter = crate::history::Filter::of(wanted.iter().map(|id| id.as_str().as_bytes()));
    for one in history.effects(Scope::All, filter)? {
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
            return Err(HistoryError::NothingToUndo(Nothing::NotUndone(item.record.id.clone())));
        }
    }
    chosen.extend(newer.into_iter().filter(|(item, _)| undos_wanted.contains(&item.record.id)));
    Ok(chosen)
}

fn in_force(item: Item, effect: Effect) -> Result<Chosen, HistoryError> {
    match effect.undone_by() {
        None => Ok((item, effect)),
        Some(by) => {
            let (id, by) = (item.record.id.clone(), by.clone());
            Err(HistoryError::NothingToUndo(Nothing::Undone { id, by }))
        }
    }
}

/// The file of a hunk, and all splices that it shows, with those that go with them.
pub(super) fn of_hunk(
    history: &History<'_>,
    item: &Item,
    record: &Record,
    number: usize,
    notes: &mut Vec<String>,
) -> Result<(usize, Vec<usize>), HistoryError> {
    if matches!(record.kind, RecordClass::Undo | RecordClass::Redo) {
        return Err(HistoryError::NothingToUndo(Nothing::HunkOfUndo(record.id.clone())));
    }
    let hunks = record_hunks(record, |n| history.texts(item, record, n).unwrap_or_default());
    let Some((file, hunk)) = number.checked_sub(1).and_then(|n| hunks.get(n)) else {
        let (id, hunks) = (record.id.clone(), hunks.len());
        return Err(HistoryError::NothingToUndo(Nothing::NoSuchHunk { id, hunks }));
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
