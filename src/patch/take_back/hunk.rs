//! Hunks: a record's changes in whole units, each as wide as it can be read.
//!
//! Owns their making: changes extended to whole lines, what stayed inside of them left out, runs in which a change can
//! slide taken in whole, and hunks joined that nothing keeps apart. Does not look at today's text.
//! Invariant: hunks are sorted and disjoint in both texts, and the units between them are equal, one to one.

use super::edit::Change;
use super::units::{Trio, Units};
use similar::{Algorithm, DiffTag};
use std::ops::Range;

/// The most units of one change that are compared one by one; a larger change is one hunk.
const MOST_COMPARED: usize = 4_000;

/// The units of `old` that the record replaced by those of `new`; not both are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hunk {
    /// In the text before.
    pub(super) old: Range<usize>,
    /// In the text after.
    pub(super) new: Range<usize>,
}

impl Hunk {
    fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    fn with(&self, other: &Self) -> Self {
        let join = |a: &Range<usize>, b: &Range<usize>| a.start.min(b.start)..a.end.max(b.end);
        Self { old: join(&self.old, &other.old), new: join(&self.new, &other.new) }
    }
}

/// The hunks of some changes, and for each the indexes of the changes that it is made of.
pub(super) fn of_changes(trio: &Trio<'_>, changes: &[(Vec<usize>, Change)]) -> Vec<(Hunk, Vec<usize>)> {
    let rows: Vec<Hunk> = changes.iter().map(|(_, change)| whole_lines(trio, change)).collect();
    let parts = apart(trio, &rows).iter().flat_map(|part| compared(trio, part)).collect();
    let belongs = |hunk: &Hunk, row: &Hunk| meet(&hunk.old, &row.old) || meet(&hunk.new, &row.new);
    let named = |hunk: Hunk| {
        let mine = changes
            .iter()
            .zip(&rows)
            .filter(|(_, row)| belongs(&hunk, row))
            .flat_map(|((which, _), _)| which.iter().copied());
        (hunk.clone(), mine.collect())
    };
    settled(trio, parts).into_iter().map(named).collect()
}

/// The hunks between two short texts, by comparing all of their units.
pub(super) fn of_texts(trio: &Trio<'_>) -> Vec<Hunk> {
    settled(trio, compared(trio, &Hunk { old: 0..trio.old.len(), new: 0..trio.new.len() }))
}

/// Whether two ranges share a unit, or one is a point in or beside the other.
fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    let touches = a.start <= b.end && b.start <= a.end;
    touches && (a.is_empty() || b.is_empty() || (a.start < b.end && b.start < a.end))
}

/// A change extended to whole lines.
fn whole_lines(trio: &Trio<'_>, change: &Change) -> Hunk {
    let (old, new) = (trio.old.bytes_in(&change.before), trio.new.bytes_in(&change.after));
    let are_lines = [old, new].iter().all(|bytes| bytes.is_empty() || bytes.ends_with(b"\n"));
    let made_of = if are_lines { MadeOf::Lines } else { MadeOf::Bytes };
    Hunk { old: rows(&trio.old, &change.before, made_of), new: rows(&trio.new, &change.after, made_of) }
}

/// What a change replaces, and what by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MadeOf {
    /// Whole lines, both.
    Lines,
    /// Anything.
    Bytes,
}

/// The line in which a range ends counts, unless only whole lines are before it.
fn rows(text: &Units<'_>, range: &Range<usize>, made_of: MadeOf) -> Range<usize> {
    let (first, last) = (line_of(text, range.start), line_of(text, range.end));
    let is_start = text.span(&(first..first)).start == range.start;
    let is_end = range.end == text.end() && text.ends_line();
    if is_start && (made_of == MadeOf::Lines || is_end) { first..last } else { first..(last + 1).min(text.len()) }
}

/// The line of an offset: the one that follows for the end of a text whose last line has its ending.
fn line_of(text: &Units<'_>, offset: usize) -> usize {
    let line = text.at_byte(offset);
    if line == text.len() && !text.ends_line() { line.saturating_sub(1) } else { line }
}

/// Changes that share a line, or between which the lines are not equal, made one.
fn apart(trio: &Trio<'_>, rows: &[Hunk]) -> Vec<Hunk> {
    let mut parts: Vec<Hunk> = Vec::new();
    let whole = Hunk { old: trio.old.len()..trio.old.len(), new: trio.new.len()..trio.new.len() };
    let are_equal = |a: (usize, usize), b: (usize, usize)| {
        a.0 <= b.0 && a.1 <= b.1 && b.0 - a.0 == b.1 - a.1 && trio.old.run(a.0..b.0) == trio.new.run(a.1..b.1)
    };
    for row in rows {
        let mut row = row.clone();
        loop {
            let last = parts.last().map_or((0, 0), |last| (last.old.end, last.new.end));
            if are_equal(last, (row.old.start, row.new.start)) {
                break;
            }
            row = row.with(&parts.pop().unwrap_or(Hunk { old: 0..0, new: 0..0 }));
            if parts.is_empty() && (row.old.start, row.new.start) == (0, 0) {
                break;
            }
        }
        parts.push(row);
    }
    let end = parts.last().map_or((0, 0), |last| (last.old.end, last.new.end));
    if !are_equal(end, (whole.old.start, whole.new.start)) {
        let last = parts.pop().unwrap_or(Hunk { old: 0..0, new: 0..0 });
        parts.push(last.with(&whole));
    }
    parts
}

/// What is different inside of a part.
fn compared(trio: &Trio<'_>, part: &Hunk) -> Vec<Hunk> {
    let (old, new) = (trio.old.run(part.old.clone()), trio.new.run(part.new.clone()));
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let inner = Hunk {
        old: part.old.start + head..part.old.start + old.len() - tail,
        new: part.new.start + head..part.new.start + new.len() - tail,
    };
    let (old, new) = (trio.old.run(inner.old.clone()), trio.new.run(inner.new.clone()));
    if inner.is_empty() {
        return Vec::new();
    }
    if old.is_empty() || new.is_empty() || old.len().max(new.len()) > MOST_COMPARED {
        return vec![inner];
    }
    similar::capture_diff_slices(Algorithm::Patience, old, new)
        .into_iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .map(|op| (op.old_range(), op.new_range()))
        .map(|(old, new)| Hunk {
            old: inner.old.start + old.start..inner.old.start + old.end,
            new: inner.new.start + new.start..inner.new.start + new.end,
        })
        .collect()
}

/// Hunks as wide as they can be read, joined where no unit between them tells them apart.
fn settled(trio: &Trio<'_>, parts: Vec<Hunk>) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut rest = parts.into_iter().peekable();
    while let Some(part) = rest.next() {
        let floor = hunks.last().map_or((0, 0), |last| (last.old.end, last.new.end));
        let ceiling = rest.peek().map_or((trio.old.len(), trio.new.len()), |next| (next.old.start, next.new.start));
        let room = Hunk { old: floor.0..ceiling.0, new: floor.1..ceiling.1 };
        let hunk = widened(trio, &part, &room);
        match hunks.last_mut() {
            Some(last) if !are_told_apart(trio, last, &hunk) => *last = last.with(&hunk),
            _ => hunks.push(hunk),
        }
    }
    hunks
}

/// Units that were only added or only removed are known only with the whole run in which they can be shifted.
fn widened(trio: &Trio<'_>, hunk: &Hunk, room: &Hunk) -> Hunk {
    if hunk.old.is_empty() == hunk.new.is_empty() {
        return hunk.clone();
    }
    let (text, range) = if hunk.new.is_empty() { (&trio.old, &hunk.old) } else { (&trio.new, &hunk.new) };
    let ids = text.ids();
    let most_up = hunk.old.start.saturating_sub(room.old.start).min(hunk.new.start.saturating_sub(room.new.start));
    let up = (1..=most_up).take_while(|n| ids.get(range.start - n) == ids.get(range.end - n)).count();
    let most_down = room.old.end.saturating_sub(hunk.old.end).min(room.new.end.saturating_sub(hunk.new.end));
    let down = (0..most_down).take_while(|n| ids.get(range.start + n) == ids.get(range.end + n)).count();
    Hunk { old: hunk.old.start - up..hunk.old.end + down, new: hunk.new.start - up..hunk.new.end + down }
}

/// Whether a unit between two hunks could be an anchor: it holds a word and stands once in each text.
fn are_told_apart(trio: &Trio<'_>, one: &Hunk, two: &Hunk) -> bool {
    let is_own = |&id: &u32| trio.has_word(id) && trio.old.count(id) == 1 && trio.new.count(id) == 1;
    one.old.end < two.old.start
        && one.new.end < two.new.start
        && trio.old.run(one.old.end..two.old.start).iter().any(is_own)
}

#[cfg(test)]
mod tests {
    use super::super::units::{Part, line_ends};
    use super::*;
    use crate::patch::Origin;
    use crate::strategy::Strategy;

    fn trio<'a>(old: &'a str, new: &'a str) -> Trio<'a> {
        Trio::new([old, new, ""].map(|text| Part::whole(text.as_bytes())), line_ends)
    }

    /// Letters, each a line.
    fn lines(letters: &str) -> String {
        letters.chars().map(|letter| format!("{letter}\n")).collect()
    }

    /// The hunks of some changes, each in bytes of both texts, with the changes that they are made of.
    fn hunks(old: &str, new: &str, changes: &[(Range<usize>, Range<usize>)]) -> Vec<(Hunk, Vec<usize>)> {
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let change = |(before, after): &(Range<usize>, Range<usize>)| Change {
            before: before.clone(),
            after: after.clone(),
            origin,
        };
        let changes: Vec<_> = changes.iter().enumerate().map(|(n, ranges)| (vec![n], change(ranges))).collect();
        of_changes(&trio(old, new), &changes)
    }

    fn hunk(old: Range<usize>, new: Range<usize>) -> Hunk {
        Hunk { old, new }
    }

    #[test]
    fn what_can_slide_is_taken_with_its_run_in_both_directions() {
        for (old, new, at, want) in [
            ("xay", "xaay", 1, hunk(1..2, 1..3)),
            ("xay", "xaay", 2, hunk(1..2, 1..3)),
            ("xaay", "xaaay", 1, hunk(1..3, 1..4)),
            ("xaby", "xababy", 1, hunk(1..3, 1..5)),
            ("xaby", "xababy", 2, hunk(1..3, 1..5)),
            ("ab", "abab", 0, hunk(0..2, 0..4)),
            ("xy", "xay", 1, hunk(1..1, 1..2)),
        ] {
            let (before, after) = (lines(old), lines(new));
            let (from, added) = (2 * at, 2 * (new.len() - old.len()));
            let inserted = hunks(&before, &after, &[(from..from, from..from + added)]);
            assert_eq!(inserted, [(want.clone(), vec![0])], "{old} {new} {at}");
            let deleted = hunks(&after, &before, &[(from..from + added, from..from)]);
            assert_eq!(deleted, [(Hunk { old: want.new, new: want.old }, vec![0])], "{new} {old} {at}");
        }
    }

    #[test]
    fn a_run_slides_no_farther_than_the_next_change() {
        let (old, new) = (lines("xaay"), lines("xaaZ"));
        let both = hunks(&lines("xay"), &new, &[(2..2, 2..4), (4..6, 6..8)]);
        assert_eq!(both, [(hunk(1..3, 1..4), vec![0, 1])]);
        assert_eq!(hunks(&old, &new, &[(6..8, 6..8)]), [(hunk(3..4, 3..4), vec![0])]);
    }

    #[test]
    fn hunks_are_told_apart_by_a_line_with_a_word_that_stands_once() {
        let two = |between: &str| {
            let (old, new) = (format!("a\n{between}b\n"), format!("A\n{between}B\n"));
            let at = 2 + between.len();
            hunks(&old, &new, &[(0..2, 0..2), (at..at + 2, at..at + 2)])
        };
        assert_eq!(two("k\n"), [(hunk(0..1, 0..1), vec![0]), (hunk(2..3, 2..3), vec![1])]);
        for between in ["", "}\n", "k\nk\n"] {
            let end = 2 + between.lines().count();
            assert_eq!(two(between), [(hunk(0..end, 0..end), vec![0, 1])], "{between:?}");
        }
    }

    #[test]
    fn a_hunk_is_made_of_the_changes_that_it_lies_in() {
        // The second change begins with a line that stays.
        let made = hunks("a\nk\nb\n", "A\nk\nB\n", &[(0..2, 0..2), (2..6, 2..6)]);
        assert_eq!(made, [(hunk(0..1, 0..1), vec![0]), (hunk(2..3, 2..3), vec![1])]);
        // The first ends with one.
        let made = hunks("a\nk\nb\n", "A\nk\nB\n", &[(0..4, 0..4), (4..6, 4..6)]);
        assert_eq!(made, [(hunk(0..1, 0..1), vec![0]), (hunk(2..3, 2..3), vec![1])]);
        // Nothing is changed.
        assert_eq!(hunks("a\nk\n", "a\nk\n", &[(0..2, 0..2)]), []);
        assert_eq!(hunks("", "", &[(0..0, 0..0)]), []);
    }

    #[test]
    fn a_change_inside_of_a_line_is_one_of_the_line() {
        // Half of a line, the ending of a line, and a last line without one.
        assert_eq!(hunks("a 1\nk\n", "a 2\nk\n", &[(2..3, 2..3)]), [(hunk(0..1, 0..1), vec![0])]);
        assert_eq!(hunks("k\na\nb\n", "k\nab\n", &[(3..4, 3..3)]), [(hunk(1..3, 1..2), vec![0])]);
        assert_eq!(hunks("k\na", "k\nb", &[(2..3, 2..3)]), [(hunk(1..2, 1..2), vec![0])]);
        assert_eq!(hunks("k\na", "k\na\n", &[(3..3, 3..4)]), [(hunk(1..2, 1..2), vec![0])]);
        // Whole lines are themselves: what is put before a line is none of it.
        assert_eq!(hunks("k\na", "k\nb\na", &[(2..2, 2..4)]), [(hunk(1..1, 1..2), vec![0])]);
        assert_eq!(hunks("k\na", "k\nb\nc", &[(2..3, 2..5)]), [(hunk(1..2, 1..3), vec![0])]);
    }

    #[test]
    fn changes_with_equal_lines_between_them_are_compared_apart() {
        let (old, new) = (lines("dae"), lines("dea"));
        let apart = hunks(&old, &new, &[(2..2, 2..4), (4..6, 6..6)]);
        assert_eq!(apart, [(hunk(1..1, 1..2), vec![0]), (hunk(2..3, 3..3), vec![1])]);
        // Of one change the moved line is the other one.
        let one = hunks(&old, &new, &[(2..6, 2..6)]);
        assert_eq!(one.iter().map(|(hunk, _)| hunk).cloned().collect::<Vec<_>>(), of_texts(&trio(&old, &new)));
    }

    #[test]
    fn changes_inside_of_lines_are_compared_apart_too() {
        let made = hunks("d\na\ne\nz\n", "d\ne\na\nz\n", &[(1..1, 1..3), (3..5, 5..5)]);
        let made: Vec<Hunk> = made.into_iter().map(|(hunk, _)| hunk).collect();
        assert_eq!(made, [hunk(1..1, 1..2), hunk(2..3, 3..3)]);
    }

    #[test]
    fn a_change_of_more_lines_than_are_compared_is_one_hunk() {
        let count = |lines: usize| {
            let new: String = (1..lines - 1).map(|n| format!("n{n}\n")).collect();
            let (old, new) = ("o\nk\np\n", format!("m\nk\n{new}"));
            hunks(old, &new, &[(0..6, 0..new.len())]).len()
        };
        assert_eq!([count(MOST_COMPARED), count(MOST_COMPARED + 1)], [2, 1]);
    }
}
