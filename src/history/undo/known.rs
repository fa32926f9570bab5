//! What the log has of a file since a record: where its lines went, and who changed them.
//!
//! Owns that look, and its bound. What cannot be read is a gap, and nothing is counted on.

use super::likeness::{are_versions, share_nothing};
use super::log::{Known, Log};
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{Record, RecordFile};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// So many records of one file are read.
const MOST_KNOWN: usize = 64;

/// So many that are older than it are read.
const MOST_BEFORE: usize = 32;

/// What a file was called before a record, which is so many steps back, by its name since, where somebody else had renamed it.
pub(super) type WasCalled<'a> = &'a dyn Fn(usize, &RepoPath) -> Option<RepoPath>;

/// What the log has of a file from a record on, oldest first, by the name that it has today and those that it had before;
/// nothing where that is too much to read.
pub(super) fn known_since(
    log: &Log<'_>,
    oldest: &RecordId,
    today: &RepoPath,
    was_called: WasCalled<'_>,
) -> Result<Vec<Arc<Known>>, HistoryError> {
    let mut known = Vec::new();
    let mut name = today.clone();
    for (at, item) in log.items().enumerate() {
        let item = item?;
        let is_oldest = item.record.id == *oldest;
        let goes_on = |file: &RecordFile| matches!(file.change, ChangeKind::Modify | ChangeKind::Rename);
        let is_it = |file: &RecordFile| file.path == name && (is_oldest || goes_on(file));
        if let Some(n) = item.record.files.iter().position(is_it) {
            if known.len() == MOST_KNOWN {
                return Ok(Vec::new());
            }
            // One that cannot be read is a gap, and what comes after it is not counted on.
            let Some(one) = log.known(&item, n) else { return Ok(Vec::new()) };
            name = one.file.from.clone().unwrap_or(name);
            known.push(one);
        }
        if is_oldest {
            break;
        }
        name = was_called(at, &name).unwrap_or(name);
    }
    known.reverse();
    Ok(known)
}

/// What the log has of a file, oldest first, without the records of another one that had its name for a while: what these met has nothing of
/// what was left of the file before them, nor of what is there now, and that is a version of what was left.
pub(super) fn without_others(known: &[Arc<Known>], now: &[u8]) -> Vec<Arc<Known>> {
    let is_other =
        |met: &[u8], last: &[u8]| share_nothing(met, last) && share_nothing(met, now) && are_versions(last, now);
    let (mut last, mut own) = (None, Vec::new());
    for one in known {
        let met = one.texts.before();
        if !met.zip(last).is_some_and(|(met, last)| is_other(met, last)) {
            last = one.texts.after().or(met).or(last);
            own.push(one.clone());
        }
    }
    own
}

/// What the log has of a file before a record, oldest first, as far back as `goes_on` wants it; `name` is what the file was
/// called when the record met it.
pub(super) fn known_before(
    log: &Log<'_>,
    record: &RecordId,
    name: &RepoPath,
    mut goes_on: impl FnMut(&Known) -> bool,
) -> Result<Vec<Arc<Known>>, HistoryError> {
    let mut known = Vec::new();
    let mut name = name.clone();
    for item in before(log, record) {
        let item = item?;
        let Some(n) = item.record.files.iter().position(|file| file.path == name) else { continue };
        let is_same = |one: &Known| matches!(one.file.change, ChangeKind::Modify | ChangeKind::Rename);
        let Some(one) = log.known(&item, n).filter(|one| is_same(one)) else { break };
        name = one.file.from.clone().unwrap_or(name);
        let is_last = !goes_on(&one) || known.len() + 1 == MOST_BEFORE;
        known.push(one);
        if is_last {
            break;
        }
    }
    known.reverse();
    Ok(known)
}

/// The records before one, the newest first.
fn before<'l>(log: &'l Log<'_>, record: &'l RecordId) -> impl Iterator<Item = Result<Rc<Item>, HistoryError>> + 'l {
    log.items().skip_while(|item| item.as_ref().is_ok_and(|item| item.record.id != *record)).skip(1)
}

/// Whether the file that a record found at a path is the one that an older one left there: those in between only went on in it.
pub(super) fn is_of(log: &Log<'_>, record: &RecordId, path: &RepoPath, older: &RecordId) -> Result<bool, HistoryError> {
    let is_it = |file: &&RecordFile| file.path == *path || file.from.as_ref() == Some(path);
    for item in before(log, record) {
        let item = item?;
        let mut files = item.record.files.iter().filter(is_it).peekable();
        if files.peek().is_some() && item.record.id == *older {
            return Ok(true);
        }
        if files.any(|file| file.change != ChangeKind::Modify) {
            return Ok(false);
        }
    }
    Ok(false)
}

/// Whether no record before one knew a path.
pub(super) fn is_first(log: &Log<'_>, record: &RecordId, path: &RepoPath) -> Result<bool, HistoryError> {
    let is_it = |file: &RecordFile| file.path == *path || file.from.as_ref() == Some(path);
    for item in before(log, record) {
        if item?.record.files.iter().any(is_it) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What later ones inverted in the same file of records before one, oldest first: also under a name that git has changed since.
pub(super) fn inverted_by(
    log: &Log<'_>,
    later: &[Arc<Known>],
    record: &RecordId,
) -> Result<Vec<Arc<Known>>, HistoryError> {
    let targets = later.iter().flat_map(|known| &known.targets).filter(|target| !target.is_cancelled);
    let mut wanted: HashMap<&RecordId, usize> = targets.map(|target| (&target.id, target.file)).collect();
    wanted.retain(|id, _| *id != record && later.iter().all(|known| known.id != **id));
    let mut known = Vec::new();
    if wanted.is_empty() {
        return Ok(known);
    }
    for item in before(log, record) {
        let item = item?;
        known.extend(wanted.remove(&item.record.id).and_then(|n| log.known(&item, n)));
        if wanted.is_empty() || known.len() == MOST_BEFORE {
            break;
        }
    }
    known.reverse();
    Ok(known)
}

/// The records that a record inverts, those that these invert, and so on, as far as the log tells.
pub(super) fn inverted_in_turn(log: &Log<'_>, record: &Record) -> HashSet<RecordId> {
    let mut open: HashSet<RecordId> = record.meta.undoes.iter().cloned().collect();
    let mut found = HashSet::new();
    let mut items = log.items().map_while(Result::ok);
    while let Some(item) = (!open.is_empty()).then(|| items.next()).flatten() {
        if open.remove(&item.record.id) {
            open.extend(item.record.meta.undoes.iter().cloned());
            found.insert(item.record.id.clone());
        }
    }
    found.extend(open);
    found
}

/// Whether a file that a record removed went on: a later record met a version of the text `removed` at its path, where no
/// other record had put a file, and no redo of the removal took it away again. A text that is not kept may be any.
pub(super) fn went_on(
    log: &Log<'_>,
    (removal, removed): (&RecordId, Option<&[u8]>),
    path: &RepoPath,
) -> Result<bool, HistoryError> {
    let mut later: Vec<Rc<Item>> = Vec::new();
    for item in log.items() {
        let item = item?;
        if item.record.id == *removal {
            break;
        }
        later.push(item);
    }
    let may_be_met = |item: &Item, n: usize| {
        let known = log.known(item, n);
        let before = known.as_ref().and_then(|known| known.texts.before());
        removed.zip(before).is_none_or(|(removed, before)| removed == before || are_versions(removed, before))
    };
    let (mut own, mut has_gone_on, mut is_other) = (vec![removal], false, false);
    for item in later.iter().rev() {
        let record = &item.record;
        let is_own = record.meta.undoes.iter().any(|id| own.contains(&id));
        if is_own {
            own.push(&record.id);
            has_gone_on = false;
        }
        for (n, file) in record.files.iter().enumerate().filter(|_| !is_own) {
            let (is_at, was_at) = (file.path == *path, file.from.as_ref() == Some(path));
            match file.change {
                ChangeKind::Modify => has_gone_on |= is_at && !is_other && may_be_met(item, n),
                ChangeKind::Rename if was_at => {
                    has_gone_on |= !std::mem::take(&mut is_other) && may_be_met(item, n);
                }
                ChangeKind::Create | ChangeKind::Rename => is_other |= is_at,
                ChangeKind::Delete => is_other &= !is_at,
            }
        }
    }
    Ok(has_gone_on)
}

/// Whether a record that is newer than `undo` touched a file of a record, under either of its names: then the log tells
/// how the file came to be as it is, and not that the undo was discarded.
pub(crate) fn is_touched_since(log: &Log<'_>, undo: &RecordId, file: &RecordFile) -> Result<bool, HistoryError> {
    for item in log.items() {
        let item = item?;
        if item.record.id == *undo {
            break;
        }
        let is_name = |path: &RepoPath| *path == file.path || file.from.as_ref() == Some(path);
        // A file that was created is as it was only by one that left this text.
        let may_be = |other: &RecordFile| file.change != ChangeKind::Create || other.after == file.after;
        let touches =
            |other: &RecordFile| (is_name(&other.path) || other.from.as_ref().is_some_and(is_name)) && may_be(other);
        if item.record.files.iter().any(touches) {
            return Ok(true);
        }
    }
    Ok(false)
}
