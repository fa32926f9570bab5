//! Lines that were deleted among equal ones, where somebody put others beside these: the text alone tells several places of what was deleted, the
//! request names one.
//!
//! Owns that reading of a hunk between neighbours that both stand. Looks nowhere else.
//! Invariant: one of the deleted lines is the only one of its kind; what was put stands, however it is read, not at the place where the request
//! deleted.

use super::edit::Change;
use super::guard::{Side, stands_nowhere};
use super::hunk::Hunk;
use super::units::Trio;
use super::whole::Whole;
use std::ops::Range;

/// Where the equal lines stand, of what is between the neighbours of a hunk today.
pub(super) fn beside_what_was_put(
    trio: &Trio<'_>,
    hunk: &Hunk,
    between: &Range<usize>,
    (changes, whole): (&[(Vec<usize>, Change)], &Whole<'_, '_>),
) -> Option<Range<usize>> {
    let (old, kept, today) =
        (trio.old.run(hunk.old.clone()), trio.new.run(hunk.new.clone()), trio.today.run(between.clone()));
    let can_slide = !kept.is_empty() && old.len() > kept.len() && old.starts_with(kept) && old.ends_with(kept);
    let put = today.len().checked_sub(kept.len()).filter(|put| can_slide && *put > 0)?;
    let at = deleted_at(trio, hunk, changes)?;
    let deleted = &old[at..at + old.len() - kept.len()];
    // Whatever was put there, behind so many of them, or any of these that stand there as well.
    let may_be_put_at = |at: usize| today.starts_with(&kept[..at]) && today.ends_with(&kept[at..]);
    if may_be_put_at(at) {
        return None;
    }
    let (others, place) = match (may_be_put_at(0), may_be_put_at(kept.len())) {
        (true, false) => (&today[..put], between.start + put..between.end),
        (false, true) => (&today[kept.len()..], between.start..between.start + kept.len()),
        _ => return None,
    };
    let is_nothing_of = others.iter().all(|id| !trio.has_word(*id) || !old.contains(id));
    let lines = hunk.old.start + at..hunk.old.start + at + deleted.len();
    let is_nowhere = || {
        stands_nowhere(trio, Side { with: &trio.old, without: &trio.new }, deleted)
            .and_then(|()| whole.strangers().hold_none_of(trio, &lines))
    };
    let is_own = |&id: &u32| trio.has_word(id) && (trio.old.count(id), trio.new.count(id)) == (1, 0);
    (deleted.iter().any(is_own) && is_nothing_of && is_nowhere().is_ok()).then_some(place)
}

/// Behind how many of the equal lines the request deleted; none where it did something else there.
fn deleted_at(trio: &Trio<'_>, hunk: &Hunk, changes: &[(Vec<usize>, Change)]) -> Option<usize> {
    let there = trio.new.span(&hunk.new);
    let is_there = |change: &&Change| there.start <= change.after.start && change.after.end <= there.end;
    let mut changes = changes.iter().map(|(_, change)| change).filter(is_there);
    let (change, None) = (changes.next()?, changes.next()) else { return None };
    let line = if change.after.start == there.end { hunk.new.end } else { trio.new.at_byte(change.after.start) };
    let is_line = change.after.is_empty() && trio.new.span(&(line..line)).start == change.after.start;
    line.checked_sub(hunk.new.start).filter(|_| is_line)
}

#[cfg(test)]
mod tests {
    use super::super::units::{Part, line_ends};
    use super::*;
    use crate::patch::Origin;
    use crate::strategy::Strategy;

    /// Letters, each a line; a dot is a bracket.
    fn lines(letters: &str) -> String {
        letters.chars().map(|letter| if letter == '.' { "}\n".to_owned() } else { format!("{letter}\n") }).collect()
    }

    /// Where the equal lines stand today after so many lines were deleted behind so many of a text, whose first and last lines are the neighbours.
    fn place(old: &str, (from, count): (usize, usize), today: &str) -> Option<Range<usize>> {
        let new: String = old.chars().take(from).chain(old.chars().skip(from + count)).collect();
        let [old, new, today] = [old, &new, today].map(lines);
        let trio = Trio::new([&old, &new, &today].map(|text| Part::whole(text.as_bytes())), line_ends);
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let changes = [(vec![0], Change { before: 2 * from..2 * (from + count), after: 2 * from..2 * from, origin })];
        let hunk = Hunk { old: 1..trio.old.len() - 1, new: 1..trio.new.len() - 1 };
        let between = 1..trio.today.len() - 1;
        beside_what_was_put(&trio, &hunk, &between, (&changes, &Whole::new(&trio)))
    }

    #[test]
    fn what_was_put_before_equal_lines_is_not_at_the_place_behind_them() {
        // x .k d.k y: `d.k` was deleted behind `.k`, or `.kd` before it.
        assert_eq!(place("x.kd.ky", (3, 3), "xm.ky"), Some(2..4));
        assert_eq!(place("x.kd.ky", (2, 3), "xm.ky"), Some(2..4), "behind the first of them");
        assert_eq!(place("x.kd.ky", (1, 3), "xm.ky"), None, "just there");
        assert_eq!(place("x.kd.ky", (1, 3), "x.kmy"), Some(1..3), "behind them");
        assert_eq!(place("x.kd.ky", (3, 3), "x.kmy"), None);
        assert_eq!(place("x.kd.ky", (3, 3), "x.kmny"), None);
    }

    #[test]
    fn what_may_as_well_have_been_put_farther_on_is_so() {
        // `.m` before `.k` is `m.` behind the bracket.
        assert_eq!(place("x.kd.ky", (2, 3), "x.m.ky"), None);
        assert_eq!(place("x.kd.ky", (3, 3), "x.m.ky"), Some(3..5));
        assert_eq!(place("x.d.y", (2, 2), "x.m.y"), None, "on either side");
        for (from, today) in [(1, "x....y"), (2, "x....y"), (3, "x....y"), (4, "x....y"), (4, "x.....y")] {
            assert_eq!(place("x...d...y", (from, 4), today), None, "brackets among brackets");
        }
    }

    #[test]
    fn nothing_is_told_where_what_was_put_has_some_of_the_lines_or_these_stand_elsewhere() {
        assert_eq!(place("x.kd.ky", (3, 3), "xmk.ky"), None);
        assert_eq!(place("x.kd.ky", (3, 3), "xd.ky"), None);
        assert_eq!(place("x.kd.ky", (3, 3), "x.ky"), None, "nothing was put");
        assert_eq!(place("x.kd.ky", (3, 3), "xmky"), None, "some are gone");
        assert_eq!(place("x...y", (1, 1), "xm..y"), None, "no word was deleted");
        assert_eq!(place("d.kd.ky", (3, 3), "dm.ky"), None, "none of its own was deleted");
        assert_eq!(place("xdy", (1, 1), "xmy"), None, "it cannot slide");
    }
}
