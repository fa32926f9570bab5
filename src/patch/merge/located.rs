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
    /// What the caller should know, where the place is not certain.
    pub uncertain: Option<Uncertain>,
}

/// What a place that is not certain was taken for. The caller should look at what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncertain {
    /// How the place was found.
    pub strategy: Strategy,
    /// 1-based, first and last.
    pub lines: (usize, usize),
    /// What was written there.
    pub written: Written,
    /// How many lines there read otherwise than they were sent, and are gone.
    pub overwritten: usize,
    /// Whether the old text has a line like each of them in its place.
    pub is_seen: bool,
    /// The one line of the old text that reads otherwise there, where nothing else is uncertain: it stays as the file has it.
    pub misquoted: Option<Vec<u8>>,
}

/// What was written at a place that is not certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// The new text, as it was sent.
    AsSent,
    /// The new text, without touching lines that the edit does not change.
    Merged,
    /// The new text in place of every line between two anchors.
    Block,
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
        Self { place, strategy, replacements, uncertain: None }
    }

    /// One replacement that is its own place.
    pub(super) fn at(strategy: Strategy, replacement: Replacement) -> Self {
        let place = replacement.range.clone();
        Self { place, strategy, replacements: vec![replacement], uncertain: None }
    }
}
