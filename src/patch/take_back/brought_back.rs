//! Whose the bytes are that an undo, or a redo, brings back: of who had put them before they were taken.
//!
//! Owns that look, from what a step took to what a later one put. Knows nothing of records.

use super::put::{OWN, Put};
use memchr::memmem;
use std::ops::Range;

/// What a step took.
pub(super) struct Taken<'s> {
    bytes: &'s [u8],
    /// Whose which of these bytes were.
    put: Vec<Put>,
}

impl<'s> Taken<'s> {
    pub(super) fn of(text: &'s [u8], range: &Range<usize>, put: &[Put]) -> Option<Self> {
        let put: Vec<Put> = put.iter().filter_map(|put| put.within(range)).collect();
        (!range.is_empty()).then(|| Self { bytes: &text[range.clone()], put })
    }

    /// Whether some of it was the edit's own.
    pub(super) fn has_own(&self) -> bool {
        self.put.iter().any(|put| put.by == OWN)
    }

    /// Whose these bytes are where they come back, in order: what nobody put that is known is of who brought it back.
    fn owners(&self, by: Option<usize>) -> Vec<Put> {
        let mut found = Vec::new();
        let mut at = 0;
        let end = self.bytes.len();
        let last = Put { range: end..end, by: OWN };
        for put in self.put.iter().chain([&last]) {
            if let Some(by) = by.filter(|_| at < put.range.start) {
                found.push(Put { range: at..put.range.start, by });
            }
            at = put.range.end;
            found.push(Put { range: put.range.clone(), by: put.by });
        }
        found.retain(|put| !put.range.is_empty());
        found
    }
}

/// Whose the bytes are that an undo put: of who had put them before what it took back.
pub(super) fn owned_again(text: &[u8], new: &Range<usize>, brought_back: &[&Taken<'_>], by: Option<usize>) -> Vec<Put> {
    let bytes = &text[new.clone()];
    let of = |taken: &&Taken<'_>| -> Vec<Put> {
        let owners = taken.owners(by);
        if let Some(at) = memmem::find(bytes, taken.bytes) {
            return owners.iter().map(|put| put.moved(new.start + at)).collect();
        }
        let at = memmem::find(taken.bytes, bytes);
        at.iter()
            .flat_map(|at| owners.iter().filter_map(|put| put.within(&(*at..*at + bytes.len()))))
            .map(|put| put.moved(new.start))
            .collect()
    };
    let none = bytes.is_empty();
    brought_back.iter().map(of).find(|found| !none && !found.is_empty()).unwrap_or_default()
}
