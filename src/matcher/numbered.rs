//! Hunks with line numbers, in their order.
//!
//! Owns which of several places a number means: the nearest, as `git apply` counts, where what stands behind hunks that are placed already
//! is counted as they leave it. Of two that are as near it means neither.

use super::line_index::LineIndex;
use super::spots::{Hunk, Spots};
use crate::request::Last;
use crate::text::split_lines;
use std::ops::Range;

/// A hunk that is placed.
struct Placed {
    place: Range<usize>,
    /// How many lines it, and those that stand before it, leave more than they take.
    grown: isize,
}

/// The hunks of one part of a patch that are placed already, in the order of the text.
pub struct Numbered<'l, 't> {
    lines: &'l LineIndex<'t>,
    placed: Vec<Placed>,
}

impl<'l, 't> Numbered<'l, 't> {
    /// None is placed yet.
    pub fn new(lines: &'l LineIndex<'t>) -> Self {
        Self { lines, placed: Vec::new() }
    }

    /// The places of the next hunk that its number (1-based) allows: one where it decides; `all` are those of its lines.
    pub fn places(&mut self, hunk: &Hunk<'_>, line: usize, all: impl FnOnce() -> Spots) -> Vec<Range<usize>> {
        let wanted = line.saturating_sub(1).cast_signed();
        let places = match self.exactly_at(hunk, wanted) {
            Some(place) => self.with_the_last(hunk, place, all),
            None if hunk.old.is_empty() => Vec::new(),
            None => self.nearest(wanted, self.allowed(hunk, all())),
        };
        if let [place] = &places[..] {
            let old_lines = split_lines(hunk.old).count();
            self.add(place.clone(), hunk.new_lines.cast_signed() - old_lines.cast_signed());
        }
        places
    }

    /// The place exactly at the number. Lines that are put in where none of the file's stand around them go only to its end.
    fn exactly_at(&self, hunk: &Hunk<'_>, wanted: isize) -> Option<Range<usize>> {
        let len = self.lines.bytes().len();
        let place = match hunk.old.is_empty() {
            true => len..len,
            false => {
                // Hunks come in the order of the text, so that all that are placed are mostly before.
                let grown = self.placed.last().map_or(0, |placed| placed.grown);
                self.lines.stand_at(hunk.old, usize::try_from(wanted - grown).ok()?)?
            }
        };
        let is_first = !hunk.anchor.is_first || place.start <= self.lines.body_start();
        (is_first && self.is_free(&place) && self.now(&place) == wanted).then_some(place)
    }

    /// A place exactly at the number, and that at the end, where a hunk that has lines before its change and none behind stands there as well: git takes
    /// that one, as a diff leaves such lines out only there.
    fn with_the_last(&self, hunk: &Hunk<'_>, place: Range<usize>, all: impl FnOnce() -> Spots) -> Vec<Range<usize>> {
        let is_last = |place: &Range<usize>| place.end == self.lines.bytes().len();
        if hunk.anchor.last != Last::UnlessNumberedAlone || is_last(&place) {
            return vec![place];
        }
        let last = self.allowed(hunk, all()).into_iter().find(is_last);
        std::iter::once(place).chain(last).collect()
    }

    /// Those of all places that touch no other hunk, and that the hunk's end allows.
    fn allowed(&self, hunk: &Hunk<'_>, all: Spots) -> Vec<Range<usize>> {
        let is_last = |place: &Range<usize>| place.end == self.lines.bytes().len();
        let is_bound = matches!(hunk.anchor.last, Last::UnlessNumbered | Last::UnlessNumberedAlone);
        let is_allowed = |place: &Range<usize>| !is_bound || is_last(place);
        all.places.iter().filter(|place| is_allowed(place) && self.is_free(place)).cloned().collect()
    }

    /// Those nearest to the number.
    fn nearest(&self, wanted: isize, places: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let away = |place: &Range<usize>| (self.now(place) - wanted).abs();
        let least = places.iter().map(away).min();
        places.into_iter().filter(|place| Some(away(place)) == least).collect()
    }

    /// The number of a place's first line, once the hunks before it are applied.
    fn now(&self, place: &Range<usize>) -> isize {
        let before = self.placed.partition_point(|placed| placed.place.end <= place.start);
        let grown = before.checked_sub(1).map_or(0, |last| self.placed[last].grown);
        self.lines.number(place.start).cast_signed() + grown
    }

    fn is_free(&self, place: &Range<usize>) -> bool {
        let before = self.placed.partition_point(|placed| placed.place.start < place.end);
        before.checked_sub(1).is_none_or(|last| self.placed[last].place.end <= place.start)
    }

    fn add(&mut self, place: Range<usize>, grown: isize) {
        let at = self.placed.partition_point(|placed| placed.place.end <= place.start);
        let before = at.checked_sub(1).map_or(0, |last| self.placed[last].grown);
        self.placed.insert(at, Placed { place, grown: before });
        self.placed[at..].iter_mut().for_each(|placed| placed.grown += grown);
    }
}
