//! Edits of one request that are in each other's way.
//!
//! Owns the two ways: places that share bytes, and a new text that holds another edit's old text. Does not find places.

use super::outcome::EditOutcome;
use super::plan::Plan;
use super::refusal::{CompileError, EditLines, EditRefusal};
use crate::matcher::exact;
use crate::request::Edit;
use crate::text::{Text, to_lf};
use std::borrow::Cow;
use std::ops::Range;

/// At most so many further failing edits are named.
pub(super) const ALSO_FAILED: usize = 20;

/// Of all pairs of clashing edits, tells the one whose later edit comes first.
pub(super) fn refuse_overlap(text: &Text, plans: &[Plan]) -> Result<(), CompileError> {
    if plans.len() == 1 {
        return Ok(());
    }
    let mut places: Vec<(Range<usize>, usize)> = plans
        .iter()
        .enumerate()
        .flat_map(|(index, plan)| plan.places.iter().map(move |place| (place.range(), index)))
        .collect();
    places.sort_unstable_by_key(|(place, index)| (place.start, place.end, *index));
    // A place may clash with several after it, so the one that reaches furthest is remembered.
    let mut furthest: Option<(&Range<usize>, usize)> = None;
    let mut clashes: Vec<[(usize, &Range<usize>); 2]> = Vec::new();
    for (place, index) in places.iter().map(|(place, index)| (place, *index)) {
        if let Some((other, other_index)) = furthest
            && place.start < other.end
            && index != other_index
        {
            let mut pair = [(other_index, other), (index, place)];
            pair.sort_unstable_by_key(|(index, _)| *index);
            clashes.push(pair);
        }
        if furthest.is_none_or(|(other, _)| place.end > other.end) {
            furthest = Some((place, index));
        }
    }
    clashes.sort_by_key(|[first, later]| (later.0, first.0));
    let Some([first, later]) = clashes.first() else { return Ok(()) };
    let mut also_failed: Vec<usize> = clashes.iter().map(|[_, also]| also.0).filter(|also| *also != later.0).collect();
    also_failed.dedup();
    also_failed.truncate(ALSO_FAILED);
    let edits = [lines_of(text, first.0, first.1), lines_of(text, later.0, later.1)];
    Err(CompileError { also_failed, ..CompileError::new(later.0, EditRefusal::Overlap(edits)) })
}

/// Tells the first pair of edits of which one's new text holds the other's old text.
pub(super) fn refuse_nested(text: &Text, edits: &[Edit], outcomes: &[EditOutcome]) -> Result<(), CompileError> {
    let olds: Vec<Cow<'_, [u8]>> = edits.iter().map(|edit| to_lf(edit.old())).collect();
    let news: Vec<Cow<'_, [u8]>> = edits.iter().map(|edit| to_lf(edit.new_text())).collect();
    let Some((new, old)) = exact::first_within(&news, &olds) else { return Ok(()) };
    let (first, later) = (new.min(old), new.max(old));
    let refusal =
        EditRefusal::NestedConflict([first, later].map(|index| lines_of(text, index, &outcomes[index].range)));
    Err(CompileError::new(later, refusal))
}

fn lines_of(text: &Text, index: usize, place: &Range<usize>) -> EditLines {
    let (start_line, end_line) = text.line_range(place);
    EditLines { index, start_line, end_line }
}
