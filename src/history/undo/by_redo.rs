//! Records that are in force again by a redo, taken back as that redo: what it left is known to the byte, where each of them was made on
//! what is long gone.
//!
//! Owns which redos stand for which records. Whether they fit the files is found out as of any other record.
//! Invariant: a redo stands for records only if it brought back nothing but of them, each file of theirs as a whole, and its files are to the byte
//! as it left them.

use super::select::Chosen;
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::in_force::{Effect, FileEffect};
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::{Record, RecordClass};
use std::collections::{BTreeMap, HashSet};

/// A file of a record, by its place in it.
type FileOf = (RecordId, usize);

/// The same choice, newest first, with the redos in force in the place of what they brought back; none where there is no such redo.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn by_redos(whereabouts: &Whereabouts<'_>, chosen: &[Chosen]) -> Result<Option<Vec<Chosen>>, HistoryError> {
    let history = whereabouts.history();
    let is_again = |(item, effect): &&Chosen| effect.was_undone && item.is_own;
    let again: HashSet<RecordId> = chosen.iter().filter(is_again).map(|(item, _)| item.record.id.clone()).collect();
    if again.is_empty() {
        return Ok(None);
    }
    let mut open = again.len();
    let (mut redos, mut covered): (Vec<Chosen>, BTreeMap<FileOf, RecordId>) = (Vec::new(), BTreeMap::new());
    for one in history.effects(Scope::Own, Filter::default())? {
        let (item, effect) = one?;
        if again.contains(&item.record.id) {
            open -= 1;
            // What is older brought none of them back.
            if open == 0 {
                break;
            }
        }
        let is_whole = effect.files.iter().all(|file| *file == FileEffect::InForce);
        if item.record.kind != RecordClass::Redo || !is_whole || !is_as_left(whereabouts, &item) {
            continue;
        }
        let Some(files) = history.full_if_whole(&item).and_then(|record| brought_back(history, &record)) else {
            continue;
        };
        let is_meant = |(id, _): &FileOf| again.contains(id);
        if !files.is_empty() && files.iter().all(|file| is_meant(file) && !covered.contains_key(file)) {
            covered.extend(files.into_iter().map(|file| (file, item.record.id.clone())));
            redos.push((item, effect));
        }
    }
    if redos.is_empty() {
        return Ok(None);
    }
    let left = chosen.iter().filter_map(|(item, effect)| {
        let of = |n: usize| covered.get(&(item.record.id.clone(), n)).cloned().map(FileEffect::Undone);
        let files: Vec<FileEffect> =
            effect.files.iter().enumerate().map(|(n, file)| of(n).unwrap_or_else(|| file.clone())).collect();
        let effect = Effect { files, was_undone: effect.was_undone };
        effect.is_in_force().then(|| (item.clone(), effect))
    });
    redos.extend(left.collect::<Vec<_>>());
    redos.sort_by_key(|(item, _)| std::cmp::Reverse(item.record.time_ms));
    Ok(Some(redos))
}

fn is_as_left(whereabouts: &Whereabouts<'_>, item: &Item) -> bool {
    item.record.files.iter().all(|file| {
        let text = (whereabouts.files().read)(&file.path);
        text.is_ok_and(|text| text.as_deref().map(blob_id) == file.after)
    })
}

/// The files of edits that a redo brought back, by way of undos and other redos; none where it is not all of such a file.
fn brought_back(history: &History<'_>, redo: &Record) -> Option<Vec<FileOf>> {
    let mut found = Vec::new();
    for n in 0..redo.files.len() {
        edits_of(history, (redo, n), &mut found)?;
    }
    Some(found)
}

fn edits_of(history: &History<'_>, (record, n): (&Record, usize), found: &mut Vec<FileOf>) -> Option<()> {
    for target in record.meta.inverted_in(n) {
        if target.splices.is_some() {
            return None;
        }
        let of = history.find(target.id.as_str()).ok().and_then(|item| history.full_if_whole(&item))?;
        match of.kind {
            RecordClass::Undo | RecordClass::Redo => edits_of(history, (&of, target.file), found)?,
            RecordClass::Edit | RecordClass::External => found.push((target.id.clone(), target.file)),
        }
    }
    Some(())
}
