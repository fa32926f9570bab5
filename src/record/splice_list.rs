//! Where the splices of an edit are, in the text before and in the text after.
//!
//! Owns the check of such numbers, which come from disk. Does not know the texts.
//! Invariant of [`SpliceList`]: its ranges are in order, disjoint and inside both texts, every length fits into an `isize`,
//! and the splices alone make the difference of the two lengths.

use crate::strategy::Strategy;
use std::ops::Range;

/// Where a splice is in both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpliceRange {
    /// In bytes of the text before.
    pub before: Range<usize>,
    /// In bytes of the text after.
    pub after: Range<usize>,
    /// The 0-based index of the edit within its file.
    pub edit: usize,
    /// How the place was found.
    pub strategy: Strategy,
}

/// One splice as it is stored: start before, length before, length after, edit, strategy; starts after follow by addition.
pub type Row = (usize, usize, usize, usize, Strategy);

/// All splices of one file, and the lengths of its two texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpliceList {
    before_len: usize,
    after_len: usize,
    count: usize,
    ranges: Vec<SpliceRange>,
}

/// Why numbers are no splices of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadSplices {
    /// A length is beyond what memory can hold.
    #[error("a length of {0} bytes is beyond all memory")]
    TooLong(usize),
    /// A splice begins before the one in front of it ends.
    #[error("splice {0} begins before the one in front of it ends")]
    OutOfOrder(usize),
    /// A splice reaches past the end of the text.
    #[error("splice {0} lies outside of its text")]
    OutOfBounds(usize),
    /// The splices do not make the text after as long as it is said to be.
    #[error("the splices make a text of {made} bytes, and {told} are told")]
    Length {
        /// By the splices.
        made: usize,
        /// By the record.
        told: usize,
    },
    /// There are more or fewer splices than are told.
    #[error("there are {found} splices, and {told} are told")]
    Count {
        /// In the list.
        found: usize,
        /// By the record.
        told: usize,
    },
}

impl SpliceList {
    /// The splices of a text of `before_len` bytes; the length of the text after follows.
    ///
    /// # Errors
    /// [`BadSplices`]: they overlap, are out of order, or lie outside of the text.
    pub fn new(before_len: usize, rows: &[Row]) -> Result<Self, BadSplices> {
        fits(before_len)?;
        let mut ranges = Vec::with_capacity(rows.len());
        // Of the text after, up to the end of the text before that was looked at.
        let (mut before, mut after) = (0_usize, 0_usize);
        for (n, &(start, old, new, edit, strategy)) in rows.iter().enumerate() {
            let gap = start.checked_sub(before).ok_or(BadSplices::OutOfOrder(n))?;
            let end = start.checked_add(old).filter(|&end| end <= before_len).ok_or(BadSplices::OutOfBounds(n))?;
            let at = fits(after.saturating_add(gap))?;
            after = fits(at.saturating_add(new))?;
            before = end;
            ranges.push(SpliceRange { before: start..end, after: at..after, edit, strategy });
        }
        let after_len = fits(after.saturating_add(before_len - before))?;
        Ok(Self { before_len, after_len, count: ranges.len(), ranges })
    }

    /// Splices of which only the number is told: in the log index, and of a text that is too large for the record.
    ///
    /// # Errors
    /// [`BadSplices::TooLong`].
    pub fn unlisted(before_len: usize, after_len: usize, count: usize) -> Result<Self, BadSplices> {
        Ok(Self { before_len: fits(before_len)?, after_len: fits(after_len)?, count, ranges: Vec::new() })
    }

    /// Of the text before, in bytes.
    pub fn before_len(&self) -> usize {
        self.before_len
    }

    /// Of the text after, in bytes.
    pub fn after_len(&self) -> usize {
        self.after_len
    }

    /// The number of splices, also where they are not listed.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The splices, in order; none where only their number is told.
    pub fn ranges(&self) -> &[SpliceRange] {
        &self.ranges
    }

    /// The splices as they are stored.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.ranges.iter().map(|s| (s.before.start, s.before.len(), s.after.len(), s.edit, s.strategy))
    }

    /// Forgets where the splices are, as the log index does.
    #[cfg(test)]
    pub fn clear(&mut self) {
        self.ranges.clear();
    }
}

/// A sum of several lengths that pass never overflows.
fn fits(length: usize) -> Result<usize, BadSplices> {
    if length > isize::MAX as usize / 2 { Err(BadSplices::TooLong(length)) } else { Ok(length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(before_len: usize, rows: &[(usize, usize, usize)]) -> Result<SpliceList, BadSplices> {
        let rows: Vec<Row> = rows.iter().map(|&(at, old, new)| (at, old, new, 0, Strategy::Exact)).collect();
        SpliceList::new(before_len, &rows)
    }

    #[test]
    fn starts_after_follow_by_addition() {
        let list = list(10, &[(1, 1, 3), (5, 2, 2), (9, 1, 0)]).expect("in order");
        let after: Vec<_> = list.ranges().iter().map(|s| s.after.clone()).collect();
        assert_eq!((after, list.after_len(), list.count()), (vec![1..4, 7..9, 11..11], 11, 3));
    }

    #[test]
    fn a_length_is_at_most_what_two_of_can_be_added() {
        let most = isize::MAX as usize / 2;
        assert_eq!(list(most, &[]).map(|list| list.after_len()), Ok(most));
        assert_eq!(list(most + 1, &[]), Err(BadSplices::TooLong(most + 1)));
        assert_eq!(list(most, &[(0, 0, 1)]), Err(BadSplices::TooLong(most + 1)));
    }

    #[test]
    fn what_is_no_list_of_splices_is_refused() {
        let huge = usize::MAX;
        for (before_len, rows, bad) in [
            (10, &[(5, 1, 1), (2, 1, 1)][..], BadSplices::OutOfOrder(1)),
            (10, &[(5, 3, 1), (7, 1, 1)], BadSplices::OutOfOrder(1)),
            (10, &[(9, 2, 0)], BadSplices::OutOfBounds(0)),
            (10, &[(huge, 2, 0)], BadSplices::OutOfBounds(0)),
            (10, &[(1, huge, 0)], BadSplices::OutOfBounds(0)),
            (10, &[(1, 1, huge)], BadSplices::TooLong(huge)),
            (huge, &[], BadSplices::TooLong(huge)),
        ] {
            assert_eq!(list(before_len, rows), Err(bad), "{rows:?}");
        }
    }
}
