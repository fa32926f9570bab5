//! Whether what later records met at a file's name, and what is there now, is the file of a record: its name may have got to
//! another one, which was edited under it.
//!
//! Owns that story, told from the record on. Whether a text was another file is asked of who can see git.
//! Invariant: what no record left, and nobody tells of another file, is the file: somebody edited it.

use super::left::Left;
use super::likeness::is_closer;
use super::log::{Known, written_at};
use super::step::is_text;
use super::strangers::Last;
use crate::id::BlobId;
use std::sync::Arc;

/// Whether a text that stands where another one was left reads as another file that git had.
pub(super) type WasAnother<'a> = &'a dyn Fn(&[u8], Last<'_>) -> bool;

/// The same of what a record met there once.
pub(super) type MetAnother<'a> = &'a dyn Fn(&Known, Last<'_>) -> bool;

/// The versions of one file, as far as the log has them.
pub(super) struct Lineage<'k> {
    /// Its texts by id, with their lengths, the newest first.
    pub(super) versions: Vec<(BlobId, usize)>,
    /// The last one that a record left.
    pub(super) last: Option<&'k [u8]>,
    /// What that one met.
    met: Option<&'k [u8]>,
    /// When redraft wrote it last, in ms since 1970; none where no clock of this clone tells it.
    pub(super) written_at: Option<i64>,
    /// The last one that a record left of another file that has the name.
    other: Option<&'k [u8]>,
    was_another: WasAnother<'k>,
}

impl<'k> Lineage<'k> {
    /// From what a record left, and what the log has of the name since.
    pub(super) fn of(
        left: &Left<'k>,
        known: &'k [Arc<Known>],
        was_another: WasAnother<'k>,
        met_another: MetAnother<'_>,
    ) -> Self {
        let file = &left.record.files[left.file];
        let mut it = Self {
            versions: Vec::new(),
            last: left.texts.after(),
            met: left.texts.before(),
            written_at: written_at(left.item, left.record),
            other: None,
            was_another,
        };
        it.versions.extend(file.after.map(|id| (id, file.splices.after_len())));
        for known in known.iter().filter(|known| known.id != left.record.id) {
            let (before, after) = (known.texts.before(), known.texts.after());
            let last = Last { met: it.met, left: it.last.unwrap_or_default() };
            let is_its = before.is_none_or(|before| it.has(before));
            if !is_its && (before.is_some_and(|before| it.reads_as_another(before)) || met_another(known, last)) {
                it.other = after.or(before);
                continue;
            }
            it.other = None;
            (it.last, it.met) = (after.or(it.last), before.or(it.met));
            it.written_at = it.written_at.max(known.written_at);
            it.versions.extend(known.file.after.map(|id| (id, known.file.splices.after_len())));
        }
        it.versions.reverse();
        it
    }

    /// Whether a record left just this text of it.
    pub(super) fn has(&self, text: &[u8]) -> bool {
        self.versions.iter().any(|(id, length)| *length == text.len() && is_text(text, Some(*id)))
    }

    /// Whether a text is one of another file that has the name now.
    pub(super) fn is_another(&self, text: &[u8]) -> bool {
        !self.has(text) && self.reads_as_another(text)
    }

    fn reads_as_another(&self, text: &[u8]) -> bool {
        let last = self.last.unwrap_or_default();
        self.other.is_some_and(|other| text == other || is_closer(text, other, last))
            || (self.was_another)(text, Last { met: self.met, left: last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::blob_id;

    const OWN: &[u8] = b"one\ntwo\nthree\n";
    const OTHER: &[u8] = b"red\ngreen\nblue\n";

    fn lineage<'k>(other: Option<&'k [u8]>, was_another: WasAnother<'k>) -> Lineage<'k> {
        Lineage {
            versions: vec![(blob_id(OWN), OWN.len())],
            last: Some(OWN),
            met: None,
            written_at: None,
            other,
            was_another,
        }
    }

    #[test]
    fn what_a_record_left_is_the_file_whatever_else_speaks_against_it() {
        assert!(!lineage(Some(OWN), &|_, _| true).is_another(OWN));
    }

    #[test]
    fn a_text_is_another_file_s_that_is_the_one_left_of_it_or_closer_to_that() {
        let it = lineage(Some(OTHER), &|_, _| false);
        assert!(it.is_another(OTHER) && it.is_another(b"red\ngreen\nmine\n"));
        assert!(!it.is_another(b"one\ntwo\nmine\n") && !it.is_another(b"red\none\n") && !it.is_another(b"mine\n"));
        // Nothing in it can be closer.
        assert!(lineage(Some(b"{\n}\n"), &|_, _| false).is_another(b"{\n}\n"));
    }

    #[test]
    fn a_text_that_git_had_as_another_file_is_that_one_s_whatever_the_log_has() {
        assert!(lineage(None, &|_, _| true).is_another(b"mine\n"));
        assert!(lineage(Some(OTHER), &|_, _| true).is_another(b"mine\n"));
        assert!(!lineage(None, &|_, _| false).is_another(b"mine\n"));
    }
}
