//! An edit with its place, and what is written there.
//!
//! Invariant of [`Located`]: its replacements are disjoint, in order, and lie within its place.

use crate::matcher::source::Source;
use crate::patch::Replacement;
use crate::strategy::Strategy;
use std::ops::Range;

/// An edit with its place, and what is written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The whole located region, in bytes of the base.
    pub place: Range<usize>,
    /// How it was found.
    pub strategy: Strategy,
    /// What writes the merge: disjoint, in order, within `place`.
    pub replacements: Vec<Replacement>,
    /// What the caller should know, in sentences.
    pub warnings: Vec<String>,
}

impl Located {
    /// The place that covers the matched lines and every replacement.
    pub(super) fn around(
        file: &Source<'_>,
        lines: Range<usize>,
        strategy: Strategy,
        replacements: Vec<Replacement>,
    ) -> Self {
        let mut place = file.span(lines);
        for Replacement { range, .. } in &replacements {
            place = place.start.min(range.start)..place.end.max(range.end);
        }
        Self { place, strategy, replacements, warnings: Vec::new() }
    }

    /// One replacement that is its own place.
    pub(super) fn at(strategy: Strategy, replacement: Replacement) -> Self {
        let place = replacement.range.clone();
        Self { place, strategy, replacements: vec![replacement], warnings: Vec::new() }
    }
}
