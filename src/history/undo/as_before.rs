//! Files that somebody took back to what they had been before a record: then nothing of it is in force, whatever its lines tell.
//!
//! Owns that question, by the ids of texts that the log has. Reads no text.

use super::cancelled::Around;
use crate::id::{BlobId, RecordId};
use crate::record::RecordFile;

/// Whether the file is what it was before a record, or was so since and only known records went on from there, none of which put
/// it in force again. What it was before and after the record alike tells nothing.
pub(super) fn is_as_before(around: Around<'_>, id: &RecordId, own: &RecordFile, today: BlobId) -> bool {
    let had = |text: Option<BlobId>| {
        let was_had = text == own.before || around.earlier.iter().any(|known| known.file.before == text);
        text.is_some() && text != own.after && was_had
    };
    let mut text = Some(today);
    let steps_back = around.later.iter().rev().map_while(|known| {
        let is_step = known.file.after == text && known.targets.iter().all(|target| target.id != *id);
        text = known.file.before;
        is_step.then_some(text)
    });
    had(Some(today)) || steps_back.into_iter().any(had)
}
