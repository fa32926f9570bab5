//! A hunk of a patch, and the places that it may have.

use super::line_index::{MOST_PLACES, Stands};
use crate::request::Anchor;
use std::ops::{Deref, Range};
use std::rc::Rc;

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
#[derive(Debug, Clone, Default)]
pub struct Spots {
    /// In bytes of the LF text, in order; the first of very many.
    pub places: PlacesOfLines,
    /// How many there are.
    pub count: usize,
    /// The line that it must stand behind, where it names one.
    pub head: Option<Head>,
}

/// Some of the places of the same lines. They are kept once for all the hunks that have these lines, so that very many hunks do
/// not take as many times the memory of the file.
#[derive(Debug, Clone, Default)]
pub struct PlacesOfLines {
    all: Rc<[Range<usize>]>,
    kept: Range<usize>,
}

impl PlacesOfLines {
    fn retain(&mut self, mut keep: impl FnMut(&Range<usize>) -> bool) {
        let is_kept: Vec<bool> = self.iter().map(&mut keep).collect();
        let count = is_kept.iter().filter(|&&kept| kept).count();
        let first = is_kept.iter().position(|&kept| kept).unwrap_or(0);
        *self = match is_kept[first..].iter().take(count).all(|&kept| kept) {
            true => {
                let from = self.kept.start + first;
                Self { all: Rc::clone(&self.all), kept: from..from + count }
            }
            false => self.iter().zip(is_kept).filter(|(_, kept)| *kept).map(|(place, _)| place.clone()).collect(),
        };
    }
}

impl Deref for PlacesOfLines {
    type Target = [Range<usize>];

    fn deref(&self) -> &Self::Target {
        &self.all[self.kept.clone()]
    }
}

impl FromIterator<Range<usize>> for PlacesOfLines {
    fn from_iter<I: IntoIterator<Item = Range<usize>>>(places: I) -> Self {
        let all: Rc<[Range<usize>]> = places.into_iter().collect();
        Self { kept: 0..all.len(), all }
    }
}

/// The last line that a hunk names as standing before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// As it was named.
    pub named: Vec<u8>,
    /// Where the hunk may begin at the earliest, and the first of the 0-based lines that are that line, as many as are
    /// told; none where it stands nowhere.
    pub found: Option<(usize, Vec<usize>)>,
}

impl Spots {
    /// All of these.
    pub fn of(places: Vec<Range<usize>>) -> Self {
        Self { count: places.len(), places: places.into_iter().collect(), head: None }
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
        Self { count: stands.count, places: stands.places.into_iter().collect(), head: None }
    }
}
