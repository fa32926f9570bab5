//! The strategies that can be asked for by name: seed 002's and the others of opencode's list. None of them is certain.
//!
//! Owns finding their candidates, one file each. Where the original takes the first of several candidates whose text is
//! unique, these report them all: that choice is what edits the wrong place. Invariant: the work is bounded.

mod block_anchor;
mod candidate;
mod context_aware;
mod escape_normalized;
mod indentation_flexible;
mod line_trimmed;
mod simple;
mod trimmed_boundary;
mod whitespace_normalized;

pub use candidate::Candidate;
pub use escape_normalized::unescape;

use super::exact::Want;
use super::found::{Found, Why};
use super::source::{Depth, Source};
use super::{elision, folded, one_line_off};
use crate::strategy::Strategy;

/// The candidates of one strategy for `old` (with LF endings); `want` only matters where bytes are looked for.
///
/// # Errors
/// A tier's own [`Why`], or [`Why::TooLarge`] where the work budget is spent.
pub fn find(strategy: Strategy, file: &Source<'_>, old: &Source<'_>, want: Want) -> Result<Vec<Candidate>, Why> {
    let tier = |found: Result<Found, Why>| match found {
        Ok(found) => Ok(vec![Candidate::Lines(found)]),
        Err(Why::Nowhere) => Ok(Vec::new()),
        Err(why) => Err(why),
    };
    match strategy {
        Strategy::Exact | Strategy::Simple | Strategy::MultiOccurrence => Ok(simple::find(file, old.bytes(), want)),
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

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// Checks which lines (1-based, inclusive) a strategy proposes.
    pub fn check(strategy: Strategy, file: &str, old: &str, want: &[(usize, usize)]) {
        let (file, old) = (Source::new(file.as_bytes(), 0), Source::new(old.as_bytes(), 0));
        let found = find(strategy, &file, &old, Want::One).expect("the work is small");
        let got: Vec<_> = found.iter().map(|c| c.lines(&file)).map(|lines| (lines.start + 1, lines.end)).collect();
        assert_eq!(got, want);
    }
}
