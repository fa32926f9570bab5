//! Where an edit goes that has no exact place, and the splices that write it.
//!
//! Owns [`locate`]: readings, ladder and three-way merge put together, and the refusals told. Does not know of other
//! edits. Invariants: below level `loose` there is one certain result or a refusal; no byte outside the pieces changes;
//! the pieces are disjoint, in order, and lie within the place.

mod indent;
mod write;

use crate::code::Reason;
use crate::matcher::found::{Found, Why};
use crate::matcher::hint;
use crate::matcher::ladder;
use crate::matcher::reading::{Mark, Reading, readings};
use crate::matcher::source::Source;
use crate::request::Edit;
use crate::strategy::{Level, Strategy};
use crate::text::Text;
use serde_json::{Map, Value};
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
    /// What the caller should know, in sentences.
    pub warnings: Vec<String>,
}

/// An edit that is not applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The cause.
    pub reason: Reason,
    /// Lower-case, without a final period; names the next action.
    pub message: String,
    /// `data.hint`.
    pub hint: Map<String, Value>,
}

/// Finds the place of an edit that has none at level exact, and what is written there.
///
/// # Errors
/// [`Refusal`], with the nearest regions as a hint.
pub fn locate(text: &Text, edit: &Edit, level: Level) -> Result<Located, Refusal> {
    let file = Source::new(text.bytes(), text.body_start());
    certain(&file, edit).map_err(|why| refuse(text, &file, edit, &why))
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
    // A reading that knows its place but not its result, or knows two places, is evidence against the others.
    let against = whys.iter().find(|why| matches!(why, Why::Several(_) | Why::Applied(_) | Why::Same(_))).cloned();
    match (located.pop(), located.is_empty(), against) {
        (Some(one), true, None) => Ok(one),
        (Some(_), true, Some(why)) => Err(why),
        (Some(_), false, _) => Err(Why::Readings(Vec::new())),
        (None, ..) => Err(whys.into_iter().max_by_key(telling).unwrap_or(Why::Nowhere)),
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
    let pieces = write::write(Sides { file, old: &old, new: &new, found: &found, old_only: reading.old_only })?;
    Ok(finish(file, &found, pieces))
}

fn finish(file: &Source<'_>, found: &Found, pieces: Vec<Piece>) -> Located {
    let mut place = file.span(found.lines());
    for (range, _) in &pieces {
        place = place.start.min(range.start)..place.end.max(range.end);
    }
    Located { place, strategy: found.strategy, pieces, warnings: Vec::new() }
}

fn refuse(text: &Text, _file: &Source<'_>, edit: &Edit, why: &Why) -> Refusal {
    let reason = match why {
        Why::Several(_) | Why::Readings(_) => Reason::Ambiguous,
        Why::Applied(_) => Reason::AlreadyApplied,
        Why::Same(_) => Reason::SameText,
        Why::Placeholder(_) => Reason::OmissionPlaceholder,
        _ => Reason::NoMatch,
    };
    let mut hint = hint::nearest(text, edit.old());
    hint.insert("why".into(), why.words().into());
    Refusal { reason, message: format!("old_string has no certain place: {}", why.words()), hint }
}
