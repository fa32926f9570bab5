//! One range replacement, and the ordered list of them that is a patch.

use crate::strategy::Strategy;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Which edit asked for a splice, and how its place was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The 0-based index of the edit within its file.
    pub edit: usize,
    /// How the place was found.
    pub strategy: Strategy,
}

/// One byte range of a text, and what takes its place; no edit's yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// In bytes of the text; empty for an insertion.
    pub range: Range<usize>,
    /// The new bytes; empty for a deletion.
    pub bytes: Vec<u8>,
}

impl Replacement {
    /// Whether it makes another text of this one.
    pub fn changes(&self, text: &[u8]) -> bool {
        text[self.range.clone()] != self.bytes[..]
    }

    /// The splice that an edit asks for.
    pub fn by(self, origin: Origin) -> Splice {
        Splice { range: self.range, replacement: self.bytes, origin: vec![origin] }
    }
}

/// One byte range of the base, and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// In bytes of the base; empty for an insertion.
    pub range: Range<usize>,
    /// The new bytes; empty for a deletion.
    pub replacement: Vec<u8>,
    /// The edits that asked for it, in order; not empty.
    pub origin: Vec<Origin>,
}

/// All splices of one text against one base.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilePatch {
    base_len: usize,
    splices: Vec<Splice>,
}

/// Why splices are no patch. Overlap is the caller's error, never a panic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum SpliceError {
    /// Two splices share a byte, or both insert at one point; their positions in the list that was given, in base order.
    #[error("splices {0} and {1} overlap")]
    Overlap(usize, usize),
    /// A splice reaches past the end of the base, or ends before it starts.
    #[error("splice {0} lies outside the base")]
    OutOfBounds(usize),
    /// A splice has no origin.
    #[error("splice {0} has no origin")]
    NoOrigin(usize),
}

impl FilePatch {
    /// Sorts splices of a base of `base_len` bytes into a patch.
    ///
    /// # Errors
    /// [`SpliceError`], with the indexes of the splices as given.
    pub fn new(base_len: usize, splices: Vec<Splice>) -> Result<Self, SpliceError> {
        let mut order: Vec<usize> = (0..splices.len()).collect();
        order.sort_by_key(|&i| (splices[i].range.start, splices[i].range.end));
        for &i in &order {
            let Splice { range, origin, .. } = &splices[i];
            if range.start > range.end || range.end > base_len {
                return Err(SpliceError::OutOfBounds(i));
            }
            if origin.is_empty() {
                return Err(SpliceError::NoOrigin(i));
            }
        }
        for pair in order.windows(2) {
            let (a, b) = (&splices[pair[0]].range, &splices[pair[1]].range);
            if b.start < a.end || (a.is_empty() && b.is_empty() && a.start == b.start) {
                return Err(SpliceError::Overlap(pair[0], pair[1]));
            }
        }
        let mut slots: Vec<Option<Splice>> = splices.into_iter().map(Some).collect();
        let splices = order.into_iter().filter_map(|i| slots[i].take()).collect();
        Ok(Self { base_len, splices })
    }

    /// The patch of a text of `base_len` bytes that changes nothing.
    pub fn unchanged(base_len: usize) -> Self {
        Self { base_len, splices: Vec::new() }
    }

    /// The patch that makes `content` of a text of `base_len` bytes, whatever that is: one splice, of the first edit.
    pub fn whole(base_len: usize, content: Vec<u8>) -> Self {
        if base_len == 0 && content.is_empty() {
            return Self::unchanged(0);
        }
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        Self { base_len, splices: vec![Replacement { range: 0..base_len, bytes: content }.by(origin)] }
    }

    /// Takes splices that are a patch by the way they were made: in the order of the base, disjoint, with origins.
    pub(super) fn from_sorted(base_len: usize, splices: Vec<Splice>) -> Self {
        debug_assert_eq!(Self::new(base_len, splices.clone()).map(|patch| patch.splices), Ok(splices.clone()));
        Self { base_len, splices }
    }

    /// Gives the splices away.
    pub(super) fn into_splices(self) -> Vec<Splice> {
        self.splices
    }

    /// The splices, in the order of the base.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// The length of the base, in bytes.
    pub fn base_len(&self) -> usize {
        self.base_len
    }

    /// The length of the text after the patch, in bytes.
    pub fn result_len(&self) -> usize {
        let removed: usize = self.splices.iter().map(|s| s.range.len()).sum();
        let added: usize = self.splices.iter().map(|s| s.replacement.len()).sum();
        self.base_len - removed + added
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// The text after the patch.
    ///
    /// # Panics
    /// Where `base` is not of [`Self::base_len`] bytes.
    pub fn apply(&self, base: &[u8]) -> Vec<u8> {
        assert_eq!(base.len(), self.base_len, "a patch is applied to its own base");
        let mut out = Vec::with_capacity(self.result_len());
        let mut from = 0;
        for splice in &self.splices {
            out.extend_from_slice(&base[from..splice.range.start]);
            out.extend_from_slice(&splice.replacement);
            from = splice.range.end;
        }
        out.extend_from_slice(&base[from..]);
        out
    }

    /// The range that each splice takes in the text after the patch, in order.
    pub fn result_ranges(&self) -> Vec<Range<usize>> {
        let mut shift: isize = 0;
        self.splices
            .iter()
            .map(|s| {
                let start = s
                    .range
                    .start
                    .checked_add_signed(shift)
                    .expect("splices are sorted, so earlier ones removed no more than precedes this");
                shift += s.replacement.len() as isize - s.range.len() as isize;
                start..start + s.replacement.len()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(range: Range<usize>, text: &str) -> Splice {
        Replacement { range, bytes: text.into() }.by(Origin { edit: 0, strategy: Strategy::Exact })
    }

    #[test]
    fn a_whole_text_is_replaced_by_one_splice_and_nothing_by_nothing_by_none() {
        let check = |old: &str, new: &str, splices: usize| {
            let patch = FilePatch::whole(old.len(), new.into());
            assert_eq!(FilePatch::new(old.len(), patch.splices().to_vec()).as_ref(), Ok(&patch));
            assert_eq!((patch.apply(old.as_bytes()), patch.splices().len()), (new.into(), splices));
        };
        check("a\n", "b", 1);
        check("a\n", "", 1);
        check("", "b", 1);
        check("", "", 0);
        assert_eq!(FilePatch::unchanged(2).apply(b"ab"), b"ab");
    }

    #[test]
    fn splices_are_applied_in_base_order_whatever_order_they_came_in() {
        let patch = FilePatch::new(6, vec![splice(4..6, "EF!"), splice(0..1, "")]).expect("disjoint");
        assert_eq!(patch.apply(b"abcdef"), b"bcdEF!");
        assert_eq!(patch.result_ranges(), [0..0, 3..6]);
        assert_eq!(patch.result_len(), 6);
    }

    #[test]
    fn touching_splices_are_fine_and_overlapping_ones_are_told() {
        assert!(FilePatch::new(4, vec![splice(0..2, "x"), splice(2..4, "y"), splice(2..2, "z")]).is_ok());
        assert_eq!(FilePatch::new(4, vec![splice(1..3, "x"), splice(0..2, "y")]), Err(SpliceError::Overlap(1, 0)));
        assert_eq!(FilePatch::new(4, vec![splice(1..1, "x"), splice(1..1, "y")]), Err(SpliceError::Overlap(0, 1)));
        assert_eq!(FilePatch::new(4, vec![splice(3..5, "x")]), Err(SpliceError::OutOfBounds(0)));
    }
}
