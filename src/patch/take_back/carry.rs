//! Insertions carried to a version that has lines where they go: lines which the edit's own text lacks.
//!
//! Such lines are those that the user deleted and did not commit, or the old form of those that were changed. What was
//! inserted goes beside the line that the request named with it, for that is the line it was written for; where the
//! request names the lines on both sides, or neither, either order could be meant.
//! Owns that one case, which is no case of an undo. Does not prove that the place is the place (that is `proof`).
//! Invariant: the point lies directly beside a line that stands, was named, and cannot be read as another.

use super::anchors::Window;
use super::edit::Change;
use super::guard::Beside;
use super::hunk::Hunk;
use super::reason::Reason;
use super::units::Trio;
use std::ops::Range;
use std::slice::from_ref;

/// On which side of an insertion the request's old text goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Above,
    Below,
}

/// The one line beside an insertion that its own changes reach into: those that wrote what is inserted. Another edit of the
/// same request may have named a line beside it for its own sake.
fn named(trio: &Trio<'_>, hunk: &Hunk, changes: &[(Vec<usize>, Change)]) -> Option<Named> {
    let inserted = trio.old.span(&hunk.old);
    let meet = |one: &Range<usize>, other: &Range<usize>| one.start < other.end && other.start < one.end;
    let own: Vec<&Change> =
        changes.iter().map(|(_, change)| change).filter(|own| meet(&own.before, &inserted)).collect();
    let reach_into = |line: Range<usize>| {
        let line = trio.new.span(&line);
        own.iter().any(|change| meet(&change.after, &line))
    };
    let at = hunk.new.start;
    match (reach_into(at.saturating_sub(1)..at), reach_into(at..at + 1)) {
        (true, false) => Some(Named::Above),
        (false, true) => Some(Named::Below),
        (true, true) | (false, false) => None,
    }
}

/// Where the lines of an insertion go among the lines of `window` that are there today.
///
/// # Errors
/// Where the neighbour that was named does not stand, one of the lines there is one of those to be inserted, or the
/// neighbour may be another line.
pub(super) fn insertion_point(
    trio: &Trio<'_>,
    hunk: &Hunk,
    window: &Window,
    changes: &[(Vec<usize>, Change)],
) -> Result<usize, Reason> {
    let named = named(trio, hunk, changes).ok_or(Reason::PlaceTaken)?;
    let stands = match named {
        Named::Above => window.new.start == hunk.new.start,
        Named::Below => window.new.end == hunk.new.end,
    };
    if !stands {
        return Err(Reason::PlaceTaken);
    }
    Beside::new(trio, &[], from_ref(&window.today)).is_nothing_at_all_of(trio, trio.old.run(hunk.old.clone()))?;
    let there = trio.today.run(window.today.clone());
    // What is gone may just as well begin with the neighbour and end before its like.
    let neighbour = |at: Option<usize>| at.and_then(|at| trio.today.id(at));
    let (point, is_another) = match named {
        Named::Above => {
            let start = window.today.start;
            (start, neighbour(start.checked_sub(1)).is_some_and(|above| there.last() == Some(&above)))
        }
        Named::Below => {
            let end = window.today.end;
            (end, neighbour(Some(end)).is_some_and(|below| there.first() == Some(&below)))
        }
    };
    if is_another { Err(Reason::TwoReadings) } else { Ok(point) }
}
