//! Records that another one brought back, taken back as that one: what it left is known to the byte, where each of them was made on what
//! is long gone. A redo brings edits back; an undo of that redo, the undo.
//!
//! Owns which records stand for which, and whether what they lead to is better known than what those lead to for which they stand. Whether they
//! fit the files is found out as of any other record.
//! Invariant: one stands for records only if it brought back nothing but of them, each file of theirs as a whole, and its files are to the byte
//! as it left them.

use super::replay::Slot;
use super::request::Misfits;
use super::select::Chosen;
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::in_force::{Effect, FileEffect};
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::{Record, RecordClass, Target};
use crate::text::split_lines;
use std::collections::{BTreeMap, HashSet};

/// A file of a record, by its place in it.
type FileOf = (RecordId, usize);

/// The same choice, newest first, with those in force that brought records back in the place of these; none where there is none.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn as_brought_back(
    whereabouts: &Whereabouts<'_>,
    chosen: &[Chosen],
) -> Result<Option<Vec<Chosen>>, HistoryError> {
    let history = whereabouts.history();
    let is_again = |(item, effect): &&Chosen| effect.was_undone && item.is_own;
    let again: HashSet<RecordId> = chosen.iter().filter(is_again).map(|(item, _)| item.record.id.clone()).collect();
    if again.is_empty() {
        return Ok(None);
    }
    let is_redo = chosen.iter().all(|(item, _)| item.record.kind == RecordClass::Undo);
    let class = if is_redo { RecordClass::Undo } else { RecordClass::Redo };
    let mut open = again.len();
    let (mut standing, mut covered): (Vec<Chosen>, BTreeMap<FileOf, RecordId>) = (Vec::new(), BTreeMap::new());
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
        if again.contains(&item.record.id) || item.record.kind != class || !is_whole {
            continue;
        }
        let whole = history.full_if_whole(&item);
        let Some(files) = whole.and_then(|record| brought_back(history, &record, &again)) else { continue };
        let is_meant = |(id, _): &FileOf| again.contains(id);
        let is_of_these = !files.is_empty() && files.iter().all(|file| is_meant(file) && !covered.contains_key(file));
        if is_of_these && is_as_left(whereabouts, &item) {
            covered.extend(files.into_iter().map(|file| (file, item.record.id.clone())));
            standing.push((item, effect));
        }
    }
    if standing.is_empty() {
        return Ok(None);
    }
    let left = chosen.iter().filter_map(|(item, effect)| {
        let of = |n: usize| covered.get(&(item.record.id.clone(), n)).cloned().map(FileEffect::Undone);
        let files: Vec<FileEffect> =
            effect.files.iter().enumerate().map(|(n, file)| of(n).unwrap_or_else(|| file.clone())).collect();
        let effect = Effect { files, was_undone: effect.was_undone };
        effect.is_in_force().then(|| (item.clone(), effect))
    });
    standing.extend(left.collect::<Vec<_>>());
    standing.sort_by_key(|(item, _)| std::cmp::Reverse(item.record.time_ms));
    Ok(Some(standing))
}

/// Whether a plan that takes back what brought records back leads to the lines of the one that takes back the records themselves, in another
/// order: it knows which order was there. What was there already, it did not bring back: then it knows nothing.
pub(super) fn knows_order_better(as_brought_back: &[Slot], by_records: &[Slot]) -> bool {
    let texts = by_records.iter().map(|slot| {
        let other = as_brought_back.iter().find(|other| other.disk == slot.disk && other.now == slot.now)?;
        let became = |slot: &Slot, text: Option<&[u8]>| slot.replay(text, Misfits::Refused).ok()?.text;
        let (brought, by_record) = (became(other, other.seen.as_deref())?, became(slot, slot.seen.as_deref())?);
        let is_whole = sorted_lines(&brought) == sorted_lines(&by_record)
            && became(slot, Some(&brought)).is_some_and(|again| again == brought);
        is_whole.then_some(brought != by_record)
    });
    let differ: Option<Vec<bool>> = texts.collect();
    differ.is_some_and(|differ| differ.contains(&true))
}

fn sorted_lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = split_lines(text).collect();
    lines.sort_unstable();
    lines
}

fn is_as_left(whereabouts: &Whereabouts<'_>, item: &Item) -> bool {
    item.record.files.iter().all(|file| {
        let text = (whereabouts.files().read)(&file.path);
        text.is_ok_and(|text| text.as_deref().map(blob_id) == file.after)
    })
}

/// The files that a record brought back, by way of undos and redos, of `again` or of edits; none where it is not all of such a file. One of which an
/// undo had found nothing is among them only if it is of `again`.
fn brought_back(history: &History<'_>, record: &Record, again: &HashSet<RecordId>) -> Option<Vec<FileOf>> {
    let mut found = Vec::new();
    // Who goes back and forth for hours makes a long way of it.
    let mut open: Vec<Target> = Vec::new();
    let mut targets: Vec<Target> = (0..record.files.len()).flat_map(|n| record.meta.inverted_in(n)).cloned().collect();
    loop {
        for target in targets {
            if target.splices.is_some() {
                return None;
            }
            open.push(target);
        }
        let Some(Target { id, file, was_gone, .. }) = open.pop() else { return Some(found) };
        let of = history.find(id.as_str()).ok().and_then(|item| history.full_if_whole(&item))?;
        let is_way = matches!(of.kind, RecordClass::Undo | RecordClass::Redo) && !again.contains(&id);
        targets = if is_way { of.meta.inverted_in(file).cloned().collect() } else { Vec::new() };
        if !is_way && (!was_gone || again.contains(&id)) {
            found.push((id, file));
        }
    }
}
