//! What is told of a hunk that cannot be taken back: its number, the lines as they are today, and who changed them.
//!
//! Owns that. Decides nothing about what is proven.
//! Invariant: a record is named only where the log has it write one of these lines, or take one of the hunk's own away.

use super::cancelled::Around;
use super::log::Known;
use super::markers::place;
use crate::history::error::UndoConflict;
use crate::history::query::hunks::{RecordHunk, file_hunks};
use crate::id::RecordId;
use crate::patch::take_back::{Judged, Refusal};
use crate::record::{RecordFile, RecordedTexts};
use crate::text::{Lines, split_lines, whole_lines};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// So many bytes of today's lines are told.
const MOST_SHOWN: usize = 2_000;

/// A file of a record, and its text today.
pub(super) struct Today<'a> {
    pub(super) file: &'a RecordFile,
    pub(super) texts: &'a RecordedTexts,
    pub(super) current: &'a [u8],
    /// What the log has of the file before the record and since.
    pub(super) around: Around<'a>,
}

impl Today<'_> {
    /// The conflict of a refused hunk; `conflict` is that of its file.
    pub(super) fn told(&self, conflict: UndoConflict, judged: &Judged, refusal: &Refusal) -> UndoConflict {
        let hunks = file_hunks(self.file, self.texts);
        let is_shown = |hunk: &RecordHunk| judged.changes.iter().any(|n| hunk.splices.contains(n));
        let lines = Lines::new(self.current);
        let near = place(refusal);
        let last = near.end.max(near.start + 1) - 1;
        let now = if near.is_empty() { near.clone() } else { whole_lines(self.current, near) };
        let now = self.current.get(now).unwrap_or_default();
        let own = self.texts.after().and_then(|after| after.get(own_lines(after, refusal))).unwrap_or_default();
        UndoConflict {
            hunk: hunks.iter().position(is_shown).map(|n| n + 1),
            why: (&refusal.reason).into(),
            lines: Some((lines.number_at(near.start), lines.number_at(last.min(self.current.len())))),
            text: Some(shown(now)),
            left: (!own.is_empty()).then(|| shown(own)),
            changed_by: self.changed_by(own, now),
            ..conflict
        }
    }

    /// The newest record since that wrote one of the lines there, or took one of the hunk's own away.
    fn changed_by(&self, own: &[u8], now: &[u8]) -> Option<RecordId> {
        let (mut own, now) = (lines(own), lines(now));
        // A line that the newest record left was changed by somebody else.
        let left = self.around.later.last().and_then(|known| known.texts.after()).map(lines).unwrap_or_default();
        own.retain(|line| !left.contains(line));
        let is_it = |known: &&Arc<Known>| {
            let Some((before, after)) = known.texts.both(&known.file) else { return false };
            let (before, after) = (lines(before), lines(after));
            now.iter().any(|line| after.contains(line) && !before.contains(line))
                || own.iter().any(|line| before.contains(line) && !after.contains(line))
        };
        self.around.later.iter().rev().find(is_it).map(|known| known.id.clone())
    }
}

/// The lines of the record that the hunk's own text lies in; none where it has none.
fn own_lines(after: &[u8], refusal: &Refusal) -> Range<usize> {
    let own = &refusal.own;
    if own.is_empty() || own.end > after.len() { own.clone() } else { whole_lines(after, own) }
}

/// As much of it as is told.
pub(super) fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text.get(..MOST_SHOWN).unwrap_or(text)).into_owned()
}

/// The lines that hold anything.
pub(super) fn lines(text: &[u8]) -> HashSet<&[u8]> {
    split_lines(text).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::take_back::Reason;

    #[test]
    fn the_lines_of_a_hunk_are_whole_where_the_record_left_any() {
        let after = b"one\ntwo\nthree\n";
        let of = |own: Range<usize>| {
            let refusal =
                Refusal { reason: Reason::PlaceTaken, own, place: 0..0, candidates: Vec::new(), wanted: Vec::new() };
            own_lines(after, &refusal)
        };
        assert_eq!((of(4..5), of(5..9), of(9..14)), (4..8, 4..14, 8..14));
        assert_eq!((of(5..5), of(14..14)), (5..5, 14..14), "none");
        assert_eq!(of(9..15), 9..15, "no text of the record");
    }

    #[test]
    fn blank_lines_hold_nothing() {
        assert_eq!(lines(b"  one\n\n \ntwo"), HashSet::from([&b"one"[..], b"two"]));
    }
}
