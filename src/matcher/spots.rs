//! A hunk of a patch, and the places that it may have.

use super::line_index::{MOST_PLACES, Stands};
use crate::request::Anchor;
use std::ops::Range;

/// A hunk to be placed.
#[derive(Debug, Clone, Copy)]
pub struct Hunk<'a> {
    /// Its lines before, with LF; empty for one that only adds.
    pub old: &'a [u8],
    /// How many lines it makes of them.
    pub new_lines: usize,
    /// What it says of its place.
    pub anchor: &'a Anchor,
}

/// The places of a hunk: one where it is decided.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spots {
    /// In bytes of the LF text, in order; the first of very many.
    pub places: Vec<Range<usize>>,
    /// How many there are.
    pub count: usize,
    /// The line that it must stand behind, where it names one.
    pub head: Option<Head>,
}

/// The last line that a hunk names as standing before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// As it was named.
    pub named: Vec<u8>,
    /// Where the hunk may begin at the earliest, and the 0-based lines that are that line; none where it stands nowhere.
    pub found: Option<(usize, Vec<usize>)>,
}

impl Spots {
    /// All of these.
    pub fn of(places: Vec<Range<usize>>) -> Self {
        Self { count: places.len(), places, head: None }
    }

    /// Keeps some, unless there are very many.
    pub fn retain(&mut self, keep: impl FnMut(&Range<usize>) -> bool) {
        if self.count <= MOST_PLACES {
            self.places.retain(keep);
            self.count = self.places.len();
        }
    }

    /// Whether there is nothing to choose.
    pub fn is_decided(&self) -> bool {
        self.count < 2
    }
}

impl From<Stands> for Spots {
    fn from(stands: Stands) -> Self {
        Self { places: stands.places, count: stands.count, head: None }
    }
}
