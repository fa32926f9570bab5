//! Files that somebody took back to what they had been before a record: then nothing of it is in force, whatever its lines tell.
//!
//! Owns that question, by the ids of texts that the log has, and which of them are of versions of one file.

use super::cancelled::Around;
use super::likeness::are_versions;
use super::log::{Known, Log};
use super::newest_word::inverted;
use super::step::Carry;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::RecordClass;
use std::collections::HashSet;
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
    /// What edits left of which only versions of what they met are meant, and not whatever had their file's name before.
    own_only: HashSet<BlobId>,
}

impl Had {
    /// The texts that records met.
    pub(super) fn of(known: &[Arc<Known>]) -> Self {
        Self { texts: known.iter().filter_map(|known| known.file.before).collect(), ..Self::default() }
    }

    /// The same with only the own past of edits that left these texts.
    pub(super) fn own_of<'t>(mut self, left: impl Iterator<Item = &'t [u8]>) -> Self {
        self.own_only.extend(left.map(blob_id));
        self
    }

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

/// The texts that a file had before a record, as far as the log tells; `name` is what it was called when the record met it.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn had_before(log: &Log<'_>, record: &RecordId, name: &RepoPath) -> Result<Had, HistoryError> {
    let mut had = Had::default();
    let mut next = Some((record.clone(), name.clone()));
    while let Some((record, name)) = next.take() {
        for item in log.earlier(&record, &name)? {
            let item = item?;
            let Some(file) = item.record.files.iter().find(|file| file.path == name) else { continue };
            if !matches!(file.change, ChangeKind::Modify | ChangeKind::Rename) || had.texts.len() == MOST_BEFORE {
                return Ok(had);
            }
            had.texts.extend(file.before);
            if let Some(from) = &file.from {
                next = Some((item.record.id.clone(), from.clone()));
                break;
            }
        }
    }
    Ok(had)
}

/// Those of a name's records, oldest first, that one after the other went on from, up to an edit which met this text: each met what the one before
/// it left, or a version of that.
pub(super) fn versions<'k>(
    earlier: &'k [Arc<Known>],
    (met_id, met): (Option<BlobId>, Option<&'k [u8]>),
) -> &'k [Arc<Known>] {
    let (mut met_id, mut met) = (met_id, met);
    let goes_on = |known: &&'k Arc<Known>| {
        let left = known.texts.after();
        let is_it = known.file.after == met_id || left.zip(met).is_none_or(|(left, met)| are_versions(left, met));
        (met_id, met) = (known.file.before, known.texts.before());
        is_it
    };
    let count = earlier.iter().rev().take_while(goes_on).count();
    &earlier[earlier.len() - count..]
}

/// Whether nothing of an edit is in force as somebody took the file back to what it was before it: it is so today, or was since,
/// and only known records went on from there, none of which put the edit in force again. What the file was before and after
/// the edit alike tells nothing. `had` are its texts before all that is `around`.
pub(super) fn is_as_before(around: Around<'_>, had: &Had, carry: &Carry, today: BlobId) -> bool {
    let (record, own) = (&carry.record, &carry.record.files[carry.file]);
    let is_own_only = own.after.is_some_and(|after| had.own_only.contains(&after));
    let met = (own.before, carry.texts.before());
    let earlier = if is_own_only { versions(around.earlier, met) } else { around.earlier };
    let was_had = |text: BlobId| {
        let is_before = |before: Option<BlobId>| before == Some(text);
        // Where another file had the name meanwhile, what was there before is of that one.
        let is_whole = earlier.len() == around.earlier.len();
        is_before(own.before)
            || (is_whole && had.texts.contains(&text))
            || earlier.iter().any(|known| is_before(known.file.before))
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
