//! What a named strategy proposes.

use crate::matcher::fold;
use crate::matcher::found::Found;
use crate::matcher::source::{Source, hash};
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

/// The pairs of a window that starts at line `start` of the file and has as many lines as `old`.
fn pairs(old: &Source<'_>, start: usize) -> Vec<(usize, usize)> {
    old.solid().iter().map(|&line| (line, start + line)).collect()
}

/// A window of whole lines, line by line.
pub(super) fn window(strategy: Strategy, old: &Source<'_>, start: usize) -> Candidate {
    Candidate::Lines(Found { strategy, pairs: pairs(old, start), odd: None, marks: Vec::new() })
}

/// The hashes of the trimmed lines, blank ones included.
pub(super) fn trimmed_keys(source: &Source<'_>) -> Vec<u64> {
    (0..source.lines().len()).map(|line| hash(fold::trim(source.text(line)))).collect()
}
