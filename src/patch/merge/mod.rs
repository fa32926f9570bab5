//! Where an edit goes that has no exact place, and the splices that write it.
//!
//! Owns [`locate`]: readings, ladder and three-way merge put together, and the refusals. Does not know of other
//! edits. Invariants: below level `loose` there is one certain result or a refusal; no byte outside the pieces changes;
//! the pieces are disjoint, in order, and lie within the place.

mod alignment;
mod change;
mod indent;
mod loose;
#[cfg(test)]
mod tests;
mod write;

use crate::code::Reason;
use crate::matcher::found::Why;
use crate::matcher::hint::{self, Nearest, Several};
use crate::matcher::ladder;
use crate::matcher::reading::{Mark, Reading, readings};
use crate::matcher::source::Source;
use crate::request::Edit;
use crate::strategy::{Level, Strategy};
use crate::text::Text;
use std::ops::Range;
use write::{Piece, Sides};

/// An edit with its place, and what is written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The whole located region, in bytes of the base.
    pub place: Range<usize>,
    /// How it was found.
    pub strategy: Strategy,
    /// The splices that write the merge: disjoint, in order, within `place`.
    pub pieces: Vec<(Range<usize>, Vec<u8>)>,
    /// What the caller should know, where the place is not certain.
    pub uncertain: Option<Uncertain>,
}

/// An edit that is not applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The cause.
    pub why: Why,
    /// What may be meant.
    pub near: Near,
}

/// What a refused edit may mean.
#[derive(Debug, Clone, PartialEq)]
pub enum Near {
    /// Nothing for certain; these are nearest.
    Nearest(Nearest),
    /// One of these.
    Several(Several),
}

impl Refusal {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self.why {
            Why::Several(_) | Why::Readings(_) => Reason::Ambiguous,
            Why::Applied(_) => Reason::AlreadyApplied,
            Why::Same(_) => Reason::SameText,
            Why::Placeholder(_) => Reason::OmissionPlaceholder,
            _ => Reason::NoMatch,
        }
    }
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

/// Finds the place of an edit that has none at level exact, and what is written there.
///
/// For [`Level::Only`] the whole search is done here, exact places included.
///
/// # Errors
/// [`Refusal`], with the nearest regions as a hint.
pub fn locate(text: &Text, edit: &Edit, level: Level) -> Result<Located, Refusal> {
    let file = Source::new(text.bytes(), text.body_start());
    let located = match level {
        Level::Exact => Err(Why::Nowhere),
        Level::Fuzzy => certain(&file, edit),
        Level::Loose => {
            certain(&file, edit).or_else(|why| if why.is_final() { Err(why) } else { loose::any(&file, edit, why) })
        }
        Level::Only(strategy) => loose::named(&file, edit, strategy),
    };
    located.map_err(|why| refuse(&file, edit, why))
}

/// The one result that the readings of an edit lead to.
fn certain(file: &Source<'_>, edit: &Edit) -> Result<Located, Why> {
    let (mut located, mut whys): (Vec<Located>, Vec<Why>) = (Vec::new(), Vec::new());
    let mut numbers_read = false;
    for reading in readings(edit.old(), edit.new_text()) {
        if reading.mark == Mark::Numbers && numbers_read {
            continue;
        }
        match attempt(file, &reading) {
            Ok(one) => {
                numbers_read |= reading.mark == Mark::Numbers;
                if !located.iter().any(|other| other.pieces == one.pieces) {
                    located.push(one);
                }
            }
            Err(why) => whys.push(why),
        }
    }
    // A reading that finds two places, or the new text, is evidence against the others.
    let against = whys.iter().position(|why| matches!(why, Why::Several(_) | Why::Applied(_) | Why::Same(_)));
    match (located.len(), against) {
        (1, None) => Ok(located.swap_remove(0)),
        (0, _) => Err(whys.into_iter().rev().max_by_key(telling).unwrap_or(Why::Nowhere)),
        (_, Some(why)) => Err(whys.swap_remove(why)),
        _ => {
            let lines = |place: &Range<usize>| file.line_at(place.start)..file.line_at(place.end.max(1) - 1) + 1;
            Err(Why::Readings(located.iter().map(|one| lines(&one.place)).collect()))
        }
    }
}

/// How much a cause tells; the first of the readings wins a draw.
fn telling(why: &Why) -> u8 {
    match why {
        Why::Nowhere => 0,
        Why::TooLittle => 1,
        Why::OneLine(_) => 2,
        _ => 3,
    }
}

/// What one reading leads to.
fn attempt(file: &Source<'_>, reading: &Reading) -> Result<Located, Why> {
    let (old, new) = (Source::new(&reading.old, 0), Source::new(&reading.new, 0));
    let place = ladder::find(file, &old);
    let usable = !matches!(place, Err(Why::Several(_)));
    if usable && let Some(at) = ladder::applied(file, &old, &new, place.as_ref().ok()) {
        return Err(Why::Applied(at));
    }
    let found = place?;
    let sides = Sides { file, old: &old, new: &new, found: &found, old_only: reading.old_only, certain: true };
    let pieces = write::write(sides)?;
    Ok(finish(file, found.lines(), found.strategy, pieces))
}

/// The place that covers the matched lines and every splice.
fn finish(file: &Source<'_>, lines: Range<usize>, strategy: Strategy, pieces: Vec<Piece>) -> Located {
    let mut place = file.span(lines);
    for (range, _) in &pieces {
        place = place.start.min(range.start)..place.end.max(range.end);
    }
    Located { place, strategy, pieces, uncertain: None }
}

/// The refusal for a cause, with what may be meant.
fn refuse(file: &Source<'_>, edit: &Edit, why: Why) -> Refusal {
    let near = match &why {
        Why::Several(places) | Why::Readings(places) => Near::Several(hint::several(file, edit.old(), places)),
        _ => Near::Nearest(hint::nearest_in(file, edit.old(), why == Why::Nowhere)),
    };
    Refusal { why, near }
}
