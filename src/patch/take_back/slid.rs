//! Lines that were deleted among equal ones, where somebody put others beside these: the text alone tells several places of what was deleted, the
//! request names one.
//!
//! Owns that reading of a hunk between neighbours that both stand. Looks nowhere else.
//! Invariant: one of the deleted lines is the only one of its kind, and on either side all is as it was up to such a line; what was put stands,
//! however it is read, not at the place where the request deleted.

use super::edit::Change;
use super::guard::{Side, stands_nowhere};
use super::hunk::Hunk;
use super::units::{Trio, Units};
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
    if !neighbours_stand(trio, hunk, between) {
        return None;
    }
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

/// Whether all on either side is as it was, up to a line that is the only one of its kind, or to an end of the text. Equal lines without a word may
/// be any others: none of them may stand there twice, and that line is right beside them.
fn neighbours_stand(trio: &Trio<'_>, hunk: &Hunk, between: &Range<usize>) -> bool {
    let kept = trio.new.run(hunk.new.clone());
    let has_word = kept.iter().any(|&id| trio.has_word(id));
    let is_twice = |(at, id): (usize, &u32)| kept.iter().take(at).any(|before| before == id);
    if !has_word && kept.iter().enumerate().any(is_twice) {
        return false;
    }
    let is_own =
        |id: u32| trio.has_word(id) && [&trio.old, &trio.new, &trio.today].iter().all(|text| text.count(id) == 1);
    let sides = |text: &Units<'_>, place: &Range<usize>| {
        let (before, behind) = (text.run(0..place.start), text.run(place.end..text.len()));
        let is_last = |id: u32| !has_word || is_own(id);
        [up_to(before.iter().rev(), is_last), up_to(behind.iter(), is_last)]
    };
    let were = sides(&trio.new, &hunk.new);
    let is_told = |id: &u32| has_word || is_own(*id);
    were == sides(&trio.today, between) && were.iter().all(|side| side.last().is_none_or(is_told))
}

/// These up to one that is the last, with it.
fn up_to<'i>(ids: impl Iterator<Item = &'i u32>, is_last: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut was_last = false;
    ids.copied().take_while(|id| !std::mem::replace(&mut was_last, is_last(*id))).collect()
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

    /// Letters, each a line; a dot is a bracket, and so is a colon.
    fn lines(letters: &str) -> String {
        let line = |letter| match letter {
            '.' => "}\n".to_owned(),
            ':' => ")\n".to_owned(),
            letter => format!("{letter}\n"),
        };
        letters.chars().map(line).collect()
    }

    /// Where the equal lines stand today after so many lines were deleted behind so many of a text, whose first and last lines are the neighbours.
    fn place(old: &str, deleted: (usize, usize), today: &str) -> Option<Range<usize>> {
        place_in(old, deleted, today, [1, 1])
    }

    /// The same where so many lines at the start and the end of each text are outside.
    fn place_in(old: &str, (from, count): (usize, usize), today: &str, outside: [usize; 2]) -> Option<Range<usize>> {
        let new: String = old.chars().take(from).chain(old.chars().skip(from + count)).collect();
        let [old, new, today] = [old, &new, today].map(lines);
        let trio = Trio::new([&old, &new, &today].map(|text| Part::whole(text.as_bytes())), line_ends);
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let changes = [(vec![0], Change { before: 2 * from..2 * (from + count), after: 2 * from..2 * from, origin })];
        let inside = |text: &Units<'_>| outside[0]..text.len() - outside[1];
        let (hunk, between) = (Hunk { old: inside(&trio.old), new: inside(&trio.new) }, inside(&trio.today));
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

    #[test]
    fn brackets_are_told_by_the_only_lines_of_their_kind_right_beside_them_and_others_by_those_farther_off() {
        assert_eq!(place_in("x.d.y", (2, 2), "zm.y", [1, 1]), None, "not what stood there");
        assert_eq!(place_in("x.d.y", (2, 2), "xm.y", [1, 1]), Some(2..3));
        assert_eq!(place_in("x:.d.y", (3, 2), "x:m.y", [2, 1]), None, "a bracket, be it one that nothing else is like");
        assert_eq!(place_in("x.d.:y", (3, 1), "xm.:y", [1, 2]), None);
        assert_eq!(place_in("xx.d.y", (3, 2), "xxm.y", [2, 1]), None, "a line that stands twice");
        assert_eq!(
            place_in("xxk.dk.y", (4, 3), "xxmk.y", [2, 1]),
            Some(3..5),
            "with a word, all before it is as it was"
        );
        assert_eq!(place_in("xxk.dk.y", (4, 3), "xmk.y", [1, 1]), None, "or it is not");
        assert_eq!(place_in("x:.kd.ky", (4, 3), "x:m.ky", [2, 1]), Some(3..5), "with a word, up to one that has one");
        assert_eq!(place_in("x:.kd.k:y", (4, 3), "x:m.k:y", [2, 2]), Some(3..5));
        assert_eq!(place_in(".kd.ky", (2, 3), "m.ky", [0, 1]), Some(1..3), "or to an end of the text");
        assert_eq!(place_in("x:.kd.ky", (4, 3), "n:m.ky", [2, 1]), None, "another one");
        assert_eq!(place_in(".:.kd.ky", (4, 3), ":m.ky", [2, 1]), None, "nothing");
        assert_eq!(place_in("x..d..y", (3, 3), "xm..y", [1, 1]), None, "brackets of which one is as good as the other");
        assert_eq!(place_in("x.:d.:y", (3, 3), "xm.:y", [1, 1]), Some(2..4), "of two kinds");
    }
}
