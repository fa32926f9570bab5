//! Files that somebody took back to what they had been before a record: then nothing of it is in force, whatever its lines tell.
//!
//! Owns that question, by the ids of texts that the log has. Reads a text only where one record did not go on from what the one before it left.
//! Invariant: what another file had, which had the name before, tells nothing of this one.

use super::cancelled::Around;
use super::likeness::are_partly_one;
use super::log::{Known, Log};
use super::newest_word::inverted;
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// So many records of a file are looked at.
const MOST_BEFORE: usize = 64;

/// The texts that a file had before a record.
#[derive(Debug, Clone, Default)]
pub(super) struct Had {
    texts: HashSet<BlobId>,
    /// The one that it has today, where that is HEAD's, too: then it is as git has it, and a line that the record wrote is one that
    /// stood there before.
    checked_out: Option<BlobId>,
}

impl Had {
    /// Notes what HEAD has, and what git had when the record was made, of a file that has the text `today`.
    pub(super) fn seen_from_git(mut self, today: BlobId, head: Option<BlobId>, at_record: Option<BlobId>) -> Self {
        self.checked_out = Some(today).filter(|_| head == Some(today));
        // Somebody may have changed it in between, which no log tells.
        self.texts.extend(at_record.filter(|text| Some(*text) == self.checked_out));
        self
    }

    /// Whether a text is today's and HEAD's.
    pub(super) fn is_checked_out(&self, text: BlobId) -> bool {
        self.checked_out == Some(text)
    }
}

/// The texts that a file had before a record, as far as the log tells; `name` is what it was called when the record met it, and `is_away`
/// tells of a text that it met whether that is of another file of git's, which is elsewhere now.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn had_before(
    log: &Log<'_>,
    record: &RecordId,
    name: &RepoPath,
    is_away: &dyn Fn(&[u8]) -> bool,
) -> Result<Had, HistoryError> {
    let mut had = Had::default();
    let mut newer = log.find(record).and_then(|item| {
        let n = item.record.files.iter().position(|file| file.from.as_ref().unwrap_or(&file.path) == name)?;
        Some((item, n))
    });
    let mut next = Some((record.clone(), name.clone()));
    while let Some((record, name)) = next.take() {
        for item in log.earlier(&record, &name)? {
            let item = Rc::new(item?);
            let Some(n) = item.record.files.iter().position(|file| file.path == name) else { continue };
            let file = &item.record.files[n];
            let is_of_other = || newer.as_ref().is_some_and(|newer| !goes_on(log, (&item, n), newer, is_away));
            let is_edit = matches!(file.change, ChangeKind::Modify | ChangeKind::Rename);
            if !is_edit || had.texts.len() == MOST_BEFORE || is_of_other() {
                return Ok(had);
            }
            had.texts.extend(file.before);
            if let Some(from) = &file.from {
                next = Some((item.record.id.clone(), from.clone()));
            }
            newer = Some((Rc::clone(&item), n));
            if next.is_some() {
                break;
            }
        }
    }
    Ok(had)
}

/// Whether a record met what an older one left, or what somebody else made of that: another file is known by its text.
fn goes_on(
    log: &Log<'_>,
    (older, left): (&Item, usize),
    (newer, met): &(Rc<Item>, usize),
    is_away: &dyn Fn(&[u8]) -> bool,
) -> bool {
    if older.record.files[left].after == newer.record.files[*met].before {
        return true;
    }
    let (Some(older), Some(newer)) = (log.known(older, left), log.known(newer, *met)) else { return true };
    let (Some(left), Some(met)) = (older.texts.after(), newer.texts.before()) else { return true };
    are_partly_one(left, met) || !is_away(met)
}

/// Whether nothing of an edit is in force as somebody took the file back to what it was before it: it is so today, or was since,
/// and only known records went on from there, none of which put the edit in force again. What the file was before and after
/// the edit alike tells nothing. `had` are its texts before all that is `around`.
pub(super) fn is_as_before(
    around: Around<'_>,
    had: &Had,
    (record, own): (&Record, &RecordFile),
    today: BlobId,
) -> bool {
    let was_had = |text: BlobId| {
        let is_before = |before: Option<BlobId>| before == Some(text);
        is_before(own.before)
            || had.texts.contains(&text)
            || around.earlier.iter().any(|known| is_before(known.file.before))
    };
    let is_had = |text: Option<BlobId>| text != own.after && text.is_some_and(was_had);
    let later: Vec<&Known> = around.later.iter().map(Arc::as_ref).collect();
    let is_about_it = |known: &Known| inverted(known.inverts().collect(), &later).contains(&&record.id);
    // Where a known record left the file so, nobody took it back.
    let mut left_by = later.iter().rev().map(|known| known.file.after).chain([own.after]);
    let mut text = Some(today);
    let mut is_next = true;
    let mut texts = std::iter::once(text).chain(later.iter().rev().map_while(|known| {
        is_next &= known.file.after == text && !is_about_it(known);
        text = known.file.before;
        is_next.then_some(text)
    }));
    record.kind == RecordClass::Edit && texts.any(|text| left_by.next() != Some(text) && is_had(text))
}
