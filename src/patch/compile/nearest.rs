//! What may be meant by the one failing edit that is told.
//!
//! Owns what is looked for once it is known that an edit fails. Does not decide whether it does.

use super::ambiguity;
use super::fragment::fragment;
use super::locate::{Failure, Sight};
use super::others::Others;
use super::part::{LONG, part};
use super::refusal::{CompileError, EditRefusal, Part};
use crate::matcher::exact;
use crate::matcher::hint::{self, Nearest};
use crate::matcher::likely::Evidence;
use crate::matcher::line_index::LineIndex;
use crate::patch::merge::{Near, Refusal};
use crate::request::Edit;
use crate::text::to_lf;
use std::ops::RangeInclusive;

/// Of a region that is as like the old text as this, an edit may speak that was not made.
const NEAR: f64 = 0.8;

/// An edit that fails.
pub(super) struct Failed<'a> {
    pub(super) index: usize,
    pub(super) edit: &'a Edit,
    /// Its old text, with LF only.
    pub(super) old: &'a [u8],
    pub(super) failure: Failure,
}

impl Sight<'_> {
    /// Works out what may be meant, for the one failure that is told.
    pub(super) fn refusal(&self, failed: Failed<'_>, others: &Others) -> CompileError {
        let Failed { index, edit, old, failure } = failed;
        let refusal = self.refusal_of(old, failure, self.evidence(edit, others));
        let parts = match &refusal {
            EditRefusal::NoMatch(nearest) | EditRefusal::Unplaced(Refusal { near: Near::Nearest(nearest), .. }) => {
                let (lf, new) = (self.lf.bytes(), to_lf(edit.new_text()));
                let region = nearest.regions.first();
                let lines = region.and_then(|region| part(lf, (old, &new), region)).map(Part::Lines);
                let as_sent = || fragment(lf, (old, &new), region).map(Part::AsSent);
                let is_long = region.is_none_or(|region| region.text.len() > LONG);
                lines.into_iter().chain(is_long.then(as_sent).flatten()).collect()
            }
            _ => Vec::new(),
        };
        CompileError { parts, ..CompileError::new(index, refusal) }
    }

    fn refusal_of(&self, old: &[u8], failure: Failure, evidence: Evidence<'_>) -> EditRefusal {
        match failure {
            Failure::Told(refusal) => refusal,
            Failure::NoMatch => EditRefusal::NoMatch(hint::nearest(&self.text(), old, evidence)),
            Failure::Applied(lines) => {
                let nearest = hint::nearest(&self.text(), old, evidence);
                if has_near_place_beside(&nearest, &lines) {
                    return EditRefusal::NoMatch(nearest);
                }
                EditRefusal::AlreadyApplied { lines: (*lines.start(), *lines.end()) }
            }
            Failure::Ambiguous(places) => {
                let starts = exact::all_starts(self.lf, old, ambiguity::MOST_PLACES);
                let place = |start: &usize| *start..*start + old.len();
                let all = starts.as_ref().map_or(places.first, |starts| starts.iter().map(place).collect());
                let hints = ambiguity::hints(&self.text(), self.lf, (&all, starts), evidence);
                EditRefusal::Ambiguous { count: places.count, places: hints }
            }
            Failure::AmbiguousHunk { places, count } => {
                let stands = LineIndex::new(self.lf, self.base.body_start(), 1).stands(old);
                let is_all = stands.count == stands.places.len();
                let starts = is_all.then(|| stands.places.iter().map(|place| place.start).collect());
                let hints = ambiguity::hints(&self.text(), self.lf, (&places, starts), evidence);
                EditRefusal::Ambiguous { count, places: hints }
            }
        }
    }
}

/// Whether a region that is offered, none of these lines, may well be what is to be edited.
fn has_near_place_beside(nearest: &Nearest, lines: &RangeInclusive<usize>) -> bool {
    nearest.regions.iter().any(|region| {
        region.similarity >= NEAR && (region.end_line < *lines.start() || *lines.end() < region.start_line)
    })
}
