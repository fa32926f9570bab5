//! Where the other edits of a request go, for the hint of the one that fails.
//!
//! Owns that. Decides nothing.

use crate::matcher::likely::lines_of;
use crate::text::Text;
use std::ops::Range;

/// Where the other edits of the request have their places, in lines of the base.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// Of the nearest one before it in the request, and of the nearest behind it, where it starts.
    pub(super) beside: (Option<usize>, Option<usize>),
    /// The first and last lines of all, in order; of edits in sequence none, as one may work on what another wrote.
    pub(super) taken: Vec<(usize, usize)>,
}

impl Others {
    /// Of the edit with this index; `located` has the indexes of the others and their places in bytes, by index.
    pub(super) fn of(index: usize, base: &Text, located: &[(usize, Range<usize>)]) -> Self {
        let lines = base.lines();
        let mut taken: Vec<(usize, usize)> = located.iter().map(|(_, place)| lines_of(lines, place)).collect();
        let behind = located.partition_point(|&(other, _)| other < index);
        let start = |at: usize| taken.get(at).map(|&(start, _)| start);
        let beside = (behind.checked_sub(1).and_then(start), start(behind));
        taken.sort_unstable();
        Self { beside, taken }
    }

    /// The same, where each edit sees what those before it wrote.
    pub(super) fn in_sequence(index: usize, base: &Text, located: &[(usize, Range<usize>)]) -> Self {
        Self { taken: Vec::new(), ..Self::of(index, base, located) }
    }
}
