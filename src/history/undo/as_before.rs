//! Files that somebody took back to what they had been before a record: then nothing of it is in force, whatever its lines tell.
//!
//! Owns that question, by the ids of texts that the log has. Reads a text only where one record did not go on from what the one before it left.
//! Invariant: what another file had, which had the name before, tells nothing of this one.

use super::cancelled::Around;
use super::likeness::are_versions;
use super::log::{Known, Log};
use super::newest_word::inverted;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile};
use std::collections::{HashMap, HashSet};
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
    /// What edits met whose texts are in other files today, by what they left.
    away: HashMap<BlobId, Vec<u8>>,
}

impl Had {
    /// Notes what HEAD has, and what git had when the record was made, of a file that has the text `today`.
    pub(super) fn seen_from_git(mut self, today: BlobId, head: Option<BlobId>, at_record: Option<BlobId>) -> Self {
        self.checked_out = Some(today).filter(|_| head == Some(today));
        // Somebody may have changed it in between, which no log tells.
        self.texts.extend(at_record.filter(|text| Some(*text) == self.checked_out));
        self
    }

    /// Notes what edits met, and left, whose texts are in other files today: what was at the name before may be another file's.
    pub(super) fn without_others<'t>(mut self, away: impl Iterator<Item = [&'t [u8]; 2]>) -> Self {
        self.away.extend(away.map(|[before, after]| (blob_id(after), before.to_vec())));
        self
    }

    /// Whether a text is today's and HEAD's.
    pub(super) fn is_checked_out(&self, text: BlobId) -> bool {
        self.checked_out == Some(text)
    }
}

/// How far back a name is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Whoever had it.
    Name,
    /// As long as each record met a version of what the one before it left.
    Versions,
}

/// The texts that a file had before a record, as far as the log tells; `name` is what it was called when the record met it.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn had_before(log: &Log<'_>, record: &RecordId, name: &RepoPath, reach: Reach) -> Result<Had, HistoryError> {
    let mut had = Had::default();
    let find = |is_it: &dyn Fn(&RecordFile) -> bool, item: &Item| {
        let n = item.record.files.iter().position(is_it).filter(|_| reach == Reach::Versions)?;
        log.known(item, n)
    };
    let is_met = |file: &RecordFile| file.from.as_ref().unwrap_or(&file.path) == name;
    let mut newer = log.find(record).and_then(|item| find(&is_met, &item));
    let mut next = Some((record.clone(), name.clone()));
    while let Some((record, name)) = next.take() {
        for item in log.earlier(&record, &name)? {
            let item = item?;
            let Some(file) = item.record.files.iter().find(|file| file.path == name) else { continue };
            let older = find(&|file| file.path == name, &item);
            let is_of_other = older.as_ref().zip(newer.as_ref()).is_some_and(|(older, newer)| {
                !is_next((older.file.after, older.texts.after()), (newer.file.before, newer.texts.before()))
            });
            let is_edit = matches!(file.change, ChangeKind::Modify | ChangeKind::Rename);
            if !is_edit || had.texts.len() == MOST_BEFORE || is_of_other {
                return Ok(had);
            }
            had.texts.extend(file.before);
            newer = older;
            if let Some(from) = &file.from {
                next = Some((item.record.id.clone(), from.clone()));
                break;
            }
        }
    }
    Ok(had)
}

/// Whether what a record met is what an older one left, or a version of that.
fn is_next((left_id, left): (Option<BlobId>, Option<&[u8]>), (met_id, met): (Option<BlobId>, Option<&[u8]>)) -> bool {
    left_id == met_id || left.zip(met).is_none_or(|(left, met)| are_versions(left, met))
}

/// Those of them that one record after the other went on from, up to the one that met this text.
fn versions<'k>(earlier: &'k [Arc<Known>], met: (Option<BlobId>, Option<&'k [u8]>)) -> &'k [Arc<Known>] {
    let mut met = met;
    let goes_on = |known: &&'k Arc<Known>| {
        let is_it = is_next((known.file.after, known.texts.after()), met);
        met = (known.file.before, known.texts.before());
        is_it
    };
    let count = earlier.iter().rev().take_while(goes_on).count();
    &earlier[earlier.len() - count..]
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
    let met = own.after.and_then(|after| had.away.get(&after));
    let earlier = met.map_or(around.earlier, |met| versions(around.earlier, (own.before, Some(met))));
    let was_had = |text: BlobId| {
        let is_before = |before: Option<BlobId>| before == Some(text);
        is_before(own.before) || had.texts.contains(&text) || earlier.iter().any(|known| is_before(known.file.before))
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
