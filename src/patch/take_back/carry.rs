//! Insertions carried to a version that has lines where they go: lines which the edit's own text lacks.
//!
//! Such lines are those that the user deleted and did not commit, or the old form of those that were changed. The
//! line above the insertion stands, else the one below: no order between the insertion and what is deleted anyway can be
//! wrong, as long as they are not the same lines.
//! Owns that one case, which is no case of an undo. Does not prove that the place is the place (that is `proof`).
//! Invariant: the point lies directly beside a line that stands, and the line cannot be read as another.

use super::anchors::Window;
use super::guard::Beside;
use super::hunk::Hunk;
use super::reason::Reason;
use super::units::Trio;
use std::slice::from_ref;

/// Where the lines of an insertion go among the lines of `window` that are there today.
///
/// # Errors
/// Where no neighbour stands, one of the lines there is one of those to be inserted, or a neighbour may be another line.
pub(super) fn insertion_point(trio: &Trio<'_>, hunk: &Hunk, window: &Window) -> Result<usize, Reason> {
    let is_above = window.new.start == hunk.new.start;
    if !is_above && window.new.end != hunk.new.end {
        return Err(Reason::PlaceTaken);
    }
    Beside::new(trio, &[], from_ref(&window.today)).is_nothing_at_all_of(trio, trio.old.run(hunk.old.clone()))?;
    let there = trio.today.run(window.today.clone());
    // What is gone may just as well begin with the neighbour and end before its like.
    let neighbour = |at: Option<usize>| at.and_then(|at| trio.today.id(at));
    let (point, is_another) = if is_above {
        let start = window.today.start;
        (start, neighbour(start.checked_sub(1)).is_some_and(|above| there.last() == Some(&above)))
    } else {
        let end = window.today.end;
        (end, neighbour(Some(end)).is_some_and(|below| there.first() == Some(&below)))
    };
    if is_another { Err(Reason::TwoReadings) } else { Ok(point) }
}
