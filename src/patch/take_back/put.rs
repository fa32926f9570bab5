//! Bytes that somebody put into a text, and where a step leaves them.
//!
//! Owns that step. Who put them is the affair of who asks.

use super::differing_tokens::Piece;
use std::ops::Range;

/// Stands for the edit itself among those that put something.
pub(super) const OWN: usize = usize::MAX;

/// Bytes that a step put.
#[derive(Clone)]
pub(super) struct Put {
    pub(super) range: Range<usize>,
    pub(super) by: usize,
}

impl Put {
    /// What of it is in a range, counted from the start of that.
    pub(super) fn within(&self, range: &Range<usize>) -> Option<Self> {
        let (start, end) = (self.range.start.max(range.start), self.range.end.min(range.end));
        (start < end).then(|| Self { range: start - range.start..end - range.start, by: self.by })
    }

    pub(super) fn moved(&self, by: usize) -> Self {
        Self { range: self.range.start + by..self.range.end + by, by: self.by }
    }
}

/// What is left of some bytes after a step, where that leaves them.
pub(super) fn left_of(put: &Put, pieces: &[Piece]) -> Vec<Put> {
    let mut found = Vec::new();
    let first = pieces.partition_point(|piece| piece.old.end <= put.range.start);
    let (mut before, mut after) = first.checked_sub(1).map_or((0, 0), |n| (pieces[n].old.end, pieces[n].new.end));
    for piece in pieces[first..].iter().map(Some).chain([None]) {
        let end = piece.map_or(put.range.end, |piece| piece.old.start);
        let (start, stop) = (put.range.start.max(before), put.range.end.min(end));
        if start < stop {
            found.push(Put { range: start - before + after..stop - before + after, by: put.by });
        }
        let Some(piece) = piece.filter(|piece| piece.old.start < put.range.end) else { break };
        (before, after) = (piece.old.end, piece.new.end);
    }
    found
}
