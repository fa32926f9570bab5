//! Tries what is to become of a file on the file as it is: whether it would change, is so already, or does not fit.
//!
//! Owns that look, for one slot. Writes nothing.
//! Invariant: what is said to be so already is proven by the text of the file, or by that there is none.

use super::discarded::would_come_back;
use super::known::{inverted_by, inverted_in_turn, known_before, without_others};
use super::left::Left;
use super::log::Known;
use super::note::UndoNote;
use super::own_past::{is_kept_elsewhere, learn_past};
use super::replay::Slot;
use super::replayed::Replayed;
use super::request::Misfits;
use super::revived::writers;
use super::step::is_text;
use super::whereabouts::Whereabouts;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::{HistoryError, Nothing, Obstacle, UndoConflict};
use crate::history::reader::History;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};
use std::cmp::Ordering;
use std::sync::Arc;

/// What came of trying one file.
pub(super) enum Settled {
    /// It is to be changed.
    Change,
    /// There is nothing to change.
    Idle(Idle),
    /// It does not fit.
    Conflicts(Vec<UndoConflict>),
}

/// Why there is nothing to change in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Idle {
    /// It is as it would be.
    AsBefore(RepoPath),
    /// It is as it would be, and not because anything was taken back: others of the records took back what some did.
    CancelsOut(RepoPath),
    /// It is as it would be by the log, where other records did the same, or took back what was done.
    SameWithout(RepoPath),
    /// It is as it would be, but what is staged of it is not.
    Staged(RepoPath),
    /// It was taken back and done again by another record, whose it is.
    DoneAgain {
        /// The file.
        path: RepoPath,
        /// The record.
        by: RecordId,
    },
    /// It has got another name since than the one that is to go, and keeps it.
    RenamedAgain {
        /// The name that the record gave it.
        was: RepoPath,
        /// Today's.
        now: RepoPath,
    },
}

impl Idle {
    /// What is to be known of it, beside what is done elsewhere.
    pub(super) fn note(&self, class: RecordClass) -> UndoNote {
        match self.clone() {
            Self::AsBefore(path) | Self::CancelsOut(path) | Self::SameWithout(path) => {
                UndoNote::AsWanted { path, class }
            }
            Self::Staged(path) => UndoNote::Staged { path, class },
            Self::DoneAgain { path, by } => UndoNote::DoneAgain { path, by, class },
            Self::RenamedAgain { was, now } => UndoNote::RenamedAgain { was, now },
        }
    }
}

/// Why an undo that would change nothing is none.
pub(super) fn nothing_left(idle: Vec<Idle>, class: RecordClass) -> Nothing {
    let is_redo = class == RecordClass::Redo;
    let other = idle.iter().find_map(|idle| match idle {
        Idle::RenamedAgain { was, now } => {
            Some(Nothing::RenamedAgain { was: was.to_string_lossy(), now: now.to_string_lossy() })
        }
        Idle::DoneAgain { path, by } => {
            let (path, by) = (path.to_string_lossy(), by.clone());
            Some(if is_redo { Nothing::TakenOutAgain { path, by } } else { Nothing::DoneAgain { path, by } })
        }
        Idle::Staged(path) => {
            let path = path.to_string_lossy();
            Some(if is_redo { Nothing::StagedUndone(path) } else { Nothing::Staged(path) })
        }
        Idle::SameWithout(path) => Some(Nothing::SameWithout(path.to_string_lossy())),
        Idle::AsBefore(_) | Idle::CancelsOut(_) => None,
    });
    if let Some(other) = other {
        return other;
    }
    let cancels = |idle: &Idle| match idle {
        Idle::CancelsOut(path) => Some(path.to_string_lossy()),
        Idle::AsBefore(_)
        | Idle::SameWithout(_)
        | Idle::Staged(_)
        | Idle::RenamedAgain { .. }
        | Idle::DoneAgain { .. } => None,
    };
    let cancelled: Vec<String> = idle.iter().filter_map(cancels).collect();
    if !cancelled.is_empty() {
        return Nothing::CancelsOut(cancelled);
    }
    let paths = idle.iter().filter_map(|idle| match idle {
        Idle::AsBefore(path) => Some(path.to_string_lossy()),
        Idle::CancelsOut(_)
        | Idle::SameWithout(_)
        | Idle::Staged(_)
        | Idle::RenamedAgain { .. }
        | Idle::DoneAgain { .. } => None,
    });
    let nothing = if is_redo { Nothing::InPlace } else { Nothing::AsBefore };
    nothing(paths.collect())
}

/// Another file has the name that a slot's one is to get, or has.
fn taken(slot: &Slot, path: &RepoPath) -> Settled {
    in_the_way(slot, path, Obstacle::Taken)
}

fn in_the_way(slot: &Slot, path: &RepoPath, why: Obstacle) -> Settled {
    let record = slot.targets.last().expect("a slot has steps").id.clone();
    Settled::Conflicts(vec![UndoConflict::of_file(record, path.to_string_lossy(), why)])
}

/// Tries slot `n` of a plan; the others may make room for it.
///
/// # Errors
/// Where the file is there and cannot be read, or the log cannot.
pub(super) fn settle(
    whereabouts: &Whereabouts<'_>,
    slots: &mut [Slot],
    n: usize,
    misfits: Misfits,
) -> Result<Settled, HistoryError> {
    let read = |path: &RepoPath| (whereabouts.files().read)(path).map_err(HistoryError::from);
    let is_left = |path: &RepoPath| slots.iter().any(|slot| slot.leaves(path));
    let text = slots[n].disk.as_ref().map(read).transpose()?.flatten();
    let new_name = slots[n].now.clone().filter(|now| slots[n].disk.as_ref() != Some(now));
    let gone = slots[n].disk.clone().filter(|_| slots[n].now.is_none());
    let files = whereabouts.files();
    if let Some(path) = new_name.as_ref().or(gone.as_ref()).filter(|path| (files.leads_elsewhere)(path)) {
        return Ok(taken(&slots[n], path));
    }
    // A transaction exchanges files: what is a folder cannot become a file in it.
    if let Some(path) = new_name.as_ref().filter(|path| (files.is_of_other_kind)(path)) {
        return Ok(in_the_way(&slots[n], path, Obstacle::OtherKind));
    }
    if let Some(path) = new_name.filter(|path| !is_left(path))
        && let Some(found) = read(&path)?
    {
        let slot = &mut slots[n];
        if text.is_none() && slot.is_restored_as(&found) {
            slot.is_idle = true;
            return Ok(Settled::Idle(Idle::AsBefore(path)));
        }
        return Ok(taken(slot, &path));
    }
    let slot = &mut slots[n];
    if let (None, None, Some(other)) = (&text, &slot.now, &slot.merged_into) {
        let mut found = slot.conflict(Obstacle::MayBeMoved);
        found.iter_mut().for_each(|conflict| conflict.path = other.to_string_lossy());
        return Ok(Settled::Conflicts(found));
    }
    if let (None, None, Some(path)) = (&text, &slot.now, &slot.disk) {
        slot.is_idle = true;
        return Ok(Settled::Idle(Idle::AsBefore(path.clone())));
    }
    if let Some(why) = slot.is_not_told() {
        return Ok(Settled::Conflicts(slot.conflict(why)));
    }
    slot.find_base(text.as_deref(), whereabouts.history());
    learn(whereabouts, slot, text.as_deref())?;
    let outcome = match judged(whereabouts, slot, text.as_deref(), misfits)? {
        Err(found) => return Ok(Settled::Conflicts(with_what_is_there(whereabouts, slot, found))),
        Ok(outcome) => outcome,
    };
    if outcome.text == text && is_named_by_remaker(whereabouts.history(), slot) {
        slot.now.clone_from(&slot.disk);
    }
    slot.is_idle = slot.disk == slot.now && !slot.changes_mode() && outcome.text == text;
    (slot.already, slot.stays, slot.is_same_without) = (outcome.already, outcome.stays, outcome.is_same_without);
    slot.seen = text;
    slot.seen_mode = slot.disk.as_ref().and_then(|path| (whereabouts.files().mode)(path));
    if let Some(why) = why_in_doubt(whereabouts, slot) {
        return Ok(Settled::Conflicts(slot.conflict(why)));
    }
    Ok(idle(whereabouts, slot).map_or(Settled::Change, Settled::Idle))
}

/// Why it is in doubt that nothing is to change in a file; none where something is to, or nothing is for certain.
fn why_in_doubt(whereabouts: &Whereabouts<'_>, slot: &Slot) -> Option<Obstacle> {
    let is_elsewhere = || slot.seen.as_ref().is_some_and(|now| is_kept_elsewhere(whereabouts, slot, now));
    match slot.is_idle {
        true if slot.is_alike => Some(Obstacle::Gone),
        true if is_elsewhere() => Some(Obstacle::Copied),
        true | false => None,
    }
}

/// Of a file that is gone it is told where a folder has its name.
fn with_what_is_there(whereabouts: &Whereabouts<'_>, slot: &Slot, mut found: Vec<UndoConflict>) -> Vec<UndoConflict> {
    let name = slot.disk.as_ref().or(slot.logged.as_ref()).or(slot.now.as_ref());
    if name.is_some_and(|name| (whereabouts.files().is_of_other_kind)(name)) {
        let gone = found.iter_mut().filter(|conflict| conflict.why == Obstacle::Gone);
        gone.for_each(|conflict| conflict.why = Obstacle::OtherKind);
    }
    found
}

/// What the log has of the file is noted, where there is one, or comes back first.
fn learn(whereabouts: &Whereabouts<'_>, slot: &mut Slot, text: Option<&[u8]>) -> Result<(), HistoryError> {
    let restored = slot.restored();
    if text.is_none() && restored.is_none() {
        return Ok(());
    }
    let mut known = known(whereabouts, slot, text)?;
    // A removal that is taken back first is as if it had never been.
    known.retain(|known| restored.as_ref().is_none_or(|(by, _)| known.id != *by));
    let log = whereabouts.log();
    slot.learn(known, &|one, other| log.is_newer(one, other), &|record| inverted_in_turn(log, record));
    let mut again = slot.done_again();
    if let Some(met) = text.filter(|_| !again.is_empty()).and_then(|text| slot.oldest_met(text)) {
        let older = known_before(log, &met.of.id, met.name, |known| {
            again.remove(&known.id);
            !again.is_empty()
        })?;
        slot.learn_older(older);
    }
    let is_checked_out = |text: &&[u8]| {
        let in_head = slot.disk.as_ref().and_then(|path| (whereabouts.files().in_head)(path));
        in_head == Some(blob_id(text))
    };
    if let Some(text) = text.filter(is_checked_out) {
        slot.forget_remade_if_checked_out(text);
    }
    Ok(())
}

/// Whether who did the lines of a renamed file again gave it its name again, too: then the name is that record's as well.
fn is_named_by_remaker(history: &History<'_>, slot: &Slot) -> bool {
    let (Some(disk), Some(by)) = (slot.disk.as_ref().filter(|_| slot.disk != slot.now), slot.remade_by()) else {
        return false;
    };
    let is_named = |file: &RecordFile| file.change == ChangeKind::Rename && file.path == *disk;
    history.find(by.as_str()).is_ok_and(|item| item.record.files.iter().any(is_named))
}

/// Why nothing is to change in a file; none where something is.
fn idle(whereabouts: &Whereabouts<'_>, slot: &mut Slot) -> Option<Idle> {
    if slot.is_idle {
        slot.forget_remade_if_gone();
    }
    let slot = &*slot;
    // What was made and removed again has no place on disk.
    let path = slot.disk.as_ref().or(slot.logged.as_ref()).filter(|_| slot.is_idle)?;
    Some(match (&slot.renamed_again, slot.remade_by()) {
        (Some(was), _) => Idle::RenamedAgain { was: was.clone(), now: path.clone() },
        (None, Some(by)) => Idle::DoneAgain { path: path.clone(), by: by.clone() },
        (None, None) if is_staged(whereabouts, slot, path) => Idle::Staged(path.clone()),
        (None, None) if slot.disk.is_some() && slot.cancelled().next().is_some() => Idle::CancelsOut(path.clone()),
        (None, None) if slot.is_same_without => Idle::SameWithout(path.clone()),
        (None, None) => Idle::AsBefore(path.clone()),
    })
}

/// The steps run on a text, by its lines and by what the whole file was before.
fn judged(
    whereabouts: &Whereabouts<'_>,
    slot: &mut Slot,
    text: Option<&[u8]>,
    misfits: Misfits,
) -> Result<Result<Replayed, Vec<UndoConflict>>, HistoryError> {
    let outcome = replayed(whereabouts, slot, text, misfits)?;
    let restored = slot.restored();
    let now = text.or(restored.as_ref().map(|(_, text)| &text[..]));
    // What lines tell of other records is told before what the whole file tells.
    let Some(now) = now.filter(|_| !is_of_others(&outcome)) else { return Ok(outcome) };
    Ok(if learn_past(whereabouts, slot, now)? { slot.replay(text, misfits) } else { outcome })
}

/// Whether steps do not fit as lines of other records would come back.
fn is_of_others(outcome: &Result<Replayed, Vec<UndoConflict>>) -> bool {
    let is_of_other = |conflict: &UndoConflict| matches!(conflict.why, Obstacle::OfOther | Obstacle::TakenAway);
    outcome.as_ref().is_err_and(|found| found.iter().any(is_of_other))
}

/// The steps run on a text; what would bring lines back is tried again with what the log has of those who wrote them.
fn replayed(
    whereabouts: &Whereabouts<'_>,
    slot: &mut Slot,
    text: Option<&[u8]>,
    misfits: Misfits,
) -> Result<Result<Replayed, Vec<UndoConflict>>, HistoryError> {
    let mut first = slot.replay(text, misfits);
    let restored = slot.restored();
    let now = text.or(restored.as_ref().map(|(_, text)| &text[..]));
    if let (Err(_), Some(met)) = (&first, now.and_then(|now| slot.oldest_met(now))) {
        let mut inverted = slot.inverted_before();
        if !inverted.is_empty() {
            let earlier = known_before(whereabouts.log(), &met.of.id, met.name, |known| {
                inverted.remove(&known.id);
                !inverted.is_empty()
            })?;
            slot.learn_earlier(earlier);
            first = slot.replay(text, misfits);
        }
    }
    let (Ok(outcome), Some(now)) = (&first, now) else { return Ok(first) };
    let (Some(result), Some(met)) = (&outcome.text, slot.oldest_met(now)) else { return Ok(first) };
    let by_name = writers(whereabouts.log(), &met, (now, result))?;
    let is_discarded = would_come_back(whereabouts, slot, &by_name, (now, result));
    let mut earlier = inverted_by(whereabouts.log(), slot.since_oldest(), &met.of.id)?;
    earlier.retain(|known| by_name.iter().all(|other| other.id != known.id));
    earlier.extend(by_name);
    let again = if earlier.is_empty() {
        first
    } else {
        slot.learn_earlier(earlier);
        slot.replay(text, misfits)
    };
    Ok(if is_discarded && again.is_ok() { Err(slot.conflict(Obstacle::Discarded)) } else { again })
}

/// What the log has of the file, under each of the names that it had.
fn known(whereabouts: &Whereabouts<'_>, slot: &Slot, text: Option<&[u8]>) -> Result<Vec<Arc<Known>>, HistoryError> {
    let mut known = Vec::new();
    let Some(oldest) = slot.oldest() else { return Ok(known) };
    if let Some(apart) = known_apart(whereabouts, slot)? {
        return Ok(apart);
    }
    // Where the log leads from its name of today to all that is undone, it tells of the older names itself.
    if let Some(name) = slot.logged.as_ref().filter(|_| slot.logged == slot.disk) {
        let known = whereabouts.known_since(oldest, name)?;
        let has_all =
            |known: &[Arc<Known>]| slot.targets.iter().all(|target| known.iter().any(|known| known.id == target.id));
        if has_all(&known) {
            let own = text.map(|now| without_others(&known, now)).filter(|own| has_all(own));
            return Ok(own.unwrap_or(known));
        }
    }
    // Where git renamed it, the log has it under that name as well.
    // Where it comes back, it has the name that it gets.
    let named = slot.disk.as_ref().or(slot.now.as_ref());
    let given = named.filter(|name| slot.logged.as_ref() != Some(*name));
    for name in slot.logged_before.iter().rev().chain(&slot.logged).chain(given) {
        for one in whereabouts.known_since(oldest, name)? {
            // One that came back to an older name of its own is met twice.
            if !met_another(whereabouts, slot, &one) && !known.iter().any(|known: &Arc<Known>| known.id == one.id) {
                known.push(one);
            }
        }
    }
    if slot.logged_before.is_empty() {
        return Ok(known);
    }
    // One that has an older name of its own again is not told in their order.
    known.sort_by(|one, other| match one.id == other.id {
        true => Ordering::Equal,
        false if whereabouts.log().is_newer(&one.id, &other.id) => Ordering::Greater,
        false => Ordering::Less,
    });
    Ok(known)
}

/// The same of one that was told against its names; none where it was not.
fn known_apart(whereabouts: &Whereabouts<'_>, slot: &Slot) -> Result<Option<Vec<Arc<Known>>>, HistoryError> {
    let Some(oldest) = slot.targets.last().filter(|_| slot.is_apart) else { return Ok(None) };
    let Some(item) = whereabouts.log().find(&oldest.id) else { return Ok(None) };
    let Some(record) = whereabouts.history().full_shared_if_whole(&item) else { return Ok(None) };
    let texts = whereabouts.history().texts_if_whole(&item, &record, oldest.file);
    let apart = whereabouts.told_apart(&Left { item: &item, record: &record, file: oldest.file, texts: &texts })?;
    Ok(apart.path.is_some().then(|| apart.known.clone()))
}

/// Whether git had what a record met beside the file of a slot when the record was made: then it is another one, though the one has, or had,
/// the other's name.
fn met_another(whereabouts: &Whereabouts<'_>, slot: &Slot, known: &Known) -> bool {
    let (Some(disk), Some(logged)) = (&slot.disk, &slot.logged) else { return false };
    if disk == logged {
        return false;
    }
    let Some(item) = whereabouts.log().find(&known.id) else { return false };
    let had = |path: &RepoPath| (whereabouts.files().had)(&item.record, path);
    let met = known.file.from.as_ref().unwrap_or(&known.file.path);
    let Some(there) = had(met) else { return false };
    if met == disk {
        had(logged).is_some() && is_text(&there, known.file.before)
    } else {
        // Another one may have been there, and this one be moved over it.
        had(disk).is_some_and(|there| slot.oldest_texts().is_some_and(|[_, left]| there == left))
    }
}

/// Whether the staged version of a file still has what the file has not.
fn is_staged(whereabouts: &Whereabouts<'_>, slot: &Slot, path: &RepoPath) -> bool {
    let Some(staged) = (whereabouts.files().staged)(path) else { return false };
    let outcome = slot.replay(Some(&staged), Misfits::Refused);
    outcome.is_ok_and(|outcome| outcome.text.as_ref() != Some(&staged))
}
