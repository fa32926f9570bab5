//! The strategies that can be asked for by name: seed 002's and the others of opencode's list. None of them is certain.
//!
//! Owns finding their candidates, one file each. Where the original takes the first of several candidates whose text is
//! unique, these report them all: that choice is what edits the wrong place. Invariant: the work is bounded.

mod block_anchor;
mod context_aware;
mod escape_normalized;
mod indentation_flexible;
mod line_trimmed;
mod simple;
mod trimmed_boundary;
mod whitespace_normalized;

pub use escape_normalized::unescape;

use super::found::{Found, Why};
use super::source::{Depth, Source};
use super::{elision, folded, one_line_off};
use crate::strategy::Strategy;
use std::ops::Range;

/// A place that a named strategy proposes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Candidate {
    /// Lines of the file, each with its line of the old text.
    Lines(Found),
    /// Whole lines of the file, from the first to the one before the last number; which is which is not known.
    Block(Range<usize>),
    /// Bytes of the file.
    Bytes(Range<usize>),
}

impl Candidate {
    /// The lines of the file that it touches.
    pub fn lines(&self, file: &Source<'_>) -> Range<usize> {
        match self {
            Self::Lines(found) => found.lines(),
            Self::Block(lines) => lines.clone(),
            Self::Bytes(bytes) => {
                let first = file.lines().partition_point(|line| line.next <= bytes.start);
                first
                    ..file.lines().partition_point(|line| line.start < bytes.end).max(first + 1).min(file.lines().len())
            }
        }
    }
}

/// The candidates of one strategy for `old` (with LF endings); `all` only matters where bytes are looked for.
///
/// # Errors
/// A tier's own [`Why`], or [`Why::TooLarge`] where the work budget is spent.
pub fn find(strategy: Strategy, file: &Source<'_>, old: &Source<'_>, all: bool) -> Result<Vec<Candidate>, Why> {
    let tier = |found: Result<Found, Why>| match found {
        Ok(found) => Ok(vec![Candidate::Lines(found)]),
        Err(Why::Nowhere) => Ok(Vec::new()),
        Err(why) => Err(why),
    };
    match strategy {
        Strategy::Exact | Strategy::Simple | Strategy::MultiOccurrence => Ok(simple::find(file, old.bytes(), all)),
        Strategy::Folded => tier(folded::find(file, old, Depth::Outer)),
        Strategy::FoldedInner => tier(folded::find(file, old, Depth::Inner)),
        Strategy::OneLineOff => tier(one_line_off::find(file, old)),
        Strategy::Elision => tier(elision::find(file, old)),
        Strategy::LineTrimmed => Ok(line_trimmed::find(file, old)),
        Strategy::BlockAnchor => block_anchor::find(file, old),
        Strategy::WhitespaceNormalized => Ok(whitespace_normalized::find(file, old)),
        Strategy::IndentationFlexible => indentation_flexible::find(file, old),
        Strategy::EscapeNormalized => Ok(escape_normalized::find(file, old)),
        Strategy::TrimmedBoundary => Ok(trimmed_boundary::find(file, old)),
        Strategy::ContextAware => context_aware::find(file, old),
    }
}

/// The pairs of a window that starts at line `start` of the file and has as many lines as `old`.
fn pairs(old: &Source<'_>, start: usize) -> Vec<(usize, usize)> {
    old.solid().iter().map(|&line| (line, start + line)).collect()
}

/// A window of whole lines, line by line.
fn window(strategy: Strategy, old: &Source<'_>, start: usize) -> Candidate {
    Candidate::Lines(Found { strategy, pairs: pairs(old, start), odd: None, marks: Vec::new() })
}

/// The hashes of the trimmed lines, blank ones included.
fn trimmed_keys(source: &Source<'_>) -> Vec<u64> {
    (0..source.lines().len()).map(|line| super::source::hash(super::fold::trim(source.text(line)))).collect()
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// Checks which lines (1-based, inclusive) a strategy proposes.
    pub fn check(strategy: Strategy, file: &str, old: &str, want: &[(usize, usize)]) {
        let (file, old) = (Source::new(file.as_bytes(), 0), Source::new(old.as_bytes(), 0));
        let found = find(strategy, &file, &old, false).expect("the work is small");
        let got: Vec<_> = found.iter().map(|c| c.lines(&file)).map(|lines| (lines.start + 1, lines.end)).collect();
        assert_eq!(got, want);
    }
}
