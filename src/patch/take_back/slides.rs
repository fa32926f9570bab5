//! Where lines may as well be said to stand, or to have been taken: where equal ones beside them leave the same text.
//!
//! Owns that, for whole lines. Decides nothing.

use crate::text::{split_lines, starts_line};
use std::collections::VecDeque;
use std::ops::Range;

/// So many lines a block may be said to have been put further up or down, where equal lines hide it.
const MOST_SLIDES: usize = 16;

/// A place of some lines that leaves the text as it is.
pub(super) struct Slide {
    pub(super) start: usize,
    /// Whether the lines there are the same, not the same ones in another order.
    pub(super) is_same: bool,
}

/// Where `lines`, which stand at `range` or were taken there, may as well be said to be.
pub(super) fn slides(text: &[u8], range: &Range<usize>, lines: &[u8]) -> Vec<Slide> {
    let mut found = Vec::new();
    let own: VecDeque<&[u8]> = split_lines(lines).collect();
    let mut note = |start: usize, turned: &VecDeque<&[u8]>| found.push(Slide { start, is_same: *turned == own });
    // The line that comes in at one end must be the one that gets out at the other.
    let (mut turned, mut start) = (own.clone(), range.start);
    for _ in 0..MOST_SLIDES {
        let Some(last) = turned.pop_back().filter(|last| text[..start].ends_with(last)) else { break };
        if !starts_line(text, start - last.len()) {
            break;
        }
        start -= last.len();
        turned.push_front(last);
        note(start, &turned);
    }
    let (mut turned, mut end, mut start) = (own.clone(), range.end, range.start);
    for _ in 0..MOST_SLIDES {
        let Some(first) = turned.pop_front().filter(|first| text[end..].starts_with(first)) else { break };
        (start, end) = (start + first.len(), end + first.len());
        turned.push_back(first);
        note(start, &turned);
    }
    found
}
