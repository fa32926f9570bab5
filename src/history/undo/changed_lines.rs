//! The lines that an edit put and took, change by change: what one change took another one may have put.
//!
//! Owns that reading of an edit. Knows nothing of where the lines stand in any other text.

use super::differing::{differing, more};
use crate::patch::take_back::{Change, Edit};
use crate::text::split_lines;

/// Lines that an edit put and took, without the white space around them.
pub(super) struct ChangedLines<'e> {
    pub(super) put: Vec<&'e [u8]>,
    pub(super) took: Vec<&'e [u8]>,
}

impl<'e> ChangedLines<'e> {
    /// Those of all its changes.
    pub(super) fn of(edit: &'e Edit<'_>) -> Self {
        Self::of_some(edit, |_| true)
    }

    /// Those of the changes that some of the record's own with these numbers are part of.
    pub(super) fn of_these(edit: &'e Edit<'_>, these: &[usize]) -> Self {
        Self::of_some(edit, |which| which.iter().any(|n| these.contains(n)))
    }

    fn of_some(edit: &'e Edit<'_>, is_meant: impl Fn(&[usize]) -> bool) -> Self {
        let mut lines = Self { put: Vec::new(), took: Vec::new() };
        for (_, change) in edit.changes().iter().filter(|(which, _)| is_meant(which)) {
            let of_change = Self::of_change(edit, change);
            lines.put.extend(of_change.put);
            lines.took.extend(of_change.took);
        }
        lines
    }

    /// Those of one of its changes, each once.
    pub(super) fn of_change(edit: &'e Edit<'_>, change: &Change) -> Self {
        let [old, new] = edit.lines_of(change);
        Self { put: more(old, new), took: more(new, old) }
    }

    /// Whether a change does more than put and take lines: it puts or takes white space of lines that stay.
    pub(super) fn change_blanks_too(edit: &'e Edit<'_>, change: &Change) -> bool {
        let [old, new] = edit.lines_of(change);
        let raw = differing(split_lines(old), split_lines(new)).new.len();
        raw > more(old, new).len()
    }

    /// Whether another change did all of this, and nothing of a kind that this one did not: it may have done more of the same.
    pub(super) fn are_in(&self, other: &Self) -> bool {
        let is_done = |own: &[&[u8]], other: &[&[u8]]| {
            own.is_empty() == other.is_empty() && own.iter().all(|line| other.contains(line))
        };
        is_done(&self.put, &other.put) && is_done(&self.took, &other.took)
    }

    /// Whether a text has no more of the lines that were put, and no fewer of those that were taken, than the one from before.
    pub(super) fn are_as_before(&self, before: &[u8], text: &[u8]) -> bool {
        let has_none = |found: Vec<&[u8]>, own: &[&[u8]]| !found.iter().any(|line| own.contains(line));
        has_none(more(before, text), &self.put) && has_none(more(text, before), &self.took)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit<'e>(before: &'e str, after: &'e str) -> Edit<'e> {
        Edit::by_lines(before.as_bytes(), after.as_bytes()).expect("few lines")
    }

    #[test]
    fn a_line_that_one_change_took_and_another_put_is_in_both() {
        let moved = edit("mine\na\nb\nc\n", "a\nb\nc\nmine\n");
        let all = ChangedLines::of(&moved);
        assert_eq!((all.put, all.took), (vec![&b"mine"[..]], vec![&b"mine"[..]]));
        let of = |n: usize| {
            let lines = ChangedLines::of_change(&moved, &moved.changes()[n].1);
            (lines.put.len(), lines.took.len())
        };
        assert_eq!([of(0), of(1)], [(0, 1), (1, 0)]);
        let numbers: Vec<usize> = moved.changes().iter().flat_map(|(which, _)| which.clone()).collect();
        let of_these = |n: &[usize]| {
            let lines = ChangedLines::of_these(&moved, n);
            (lines.put.len(), lines.took.len())
        };
        assert_eq!([&numbers[..1], &numbers[1..], &numbers, &[]].map(of_these), [(0, 1), (1, 0), (1, 1), (0, 0)]);
    }

    #[test]
    fn a_change_of_white_space_beside_lines_that_come_is_told() {
        let is_so = |before: &str, after: &str| {
            let edit = edit(before, after);
            edit.changes().iter().any(|(_, change)| ChangedLines::change_blanks_too(&edit, change))
        };
        assert!(is_so("a\n    b\n", "a\nc\n  b\n") && is_so("  a\n", "a\n"));
        assert!(!is_so("a\n  b\n", "a\n  c\n  b\n") && !is_so("a\n  b\n", "a\n  c\n"));
    }

    #[test]
    fn one_change_is_in_another_that_did_the_same_or_more_of_it_and_nothing_else() {
        let is_in = |own: [&str; 2], other: [&str; 2]| {
            let (own, other) = (edit(own[0], own[1]), edit(other[0], other[1]));
            ChangedLines::of(&own).are_in(&ChangedLines::of(&other))
        };
        assert!(is_in(["a\n", "a\nb\n"], ["c\n", "c\nb\n"]));
        assert!(is_in(["a\n", "a\nb\n"], ["c\n", "c\nb\nd\n"]));
        assert!(is_in(["a\nb\n", "a\n"], ["c\nb\nd\n", "c\n"]));
        assert!(is_in(["b\n", "d\n"], ["b\n", "d\n"]));
        assert!(!is_in(["a\n", "a\nb\nd\n"], ["c\n", "c\nb\n"]), "less");
        assert!(!is_in(["a\n", "a\nb\n"], ["c\n", "b\n"]), "it took a line, too");
        assert!(!is_in(["a\nb\n", "a\n"], ["b\n", "d\n"]), "it put a line, too");
        assert!(!is_in(["b\n", "d\n"], ["a\n", "a\nd\n"]), "it took none");
        assert!(!is_in(["b\n", "d\n"], ["b\nd\n", "d\n"]), "it put none");
    }

    #[test]
    fn lines_are_as_before_where_none_is_there_that_was_put_and_all_that_were_taken() {
        let is_so = |own: [&str; 2], text: &str| {
            let own = edit(own[0], own[1]);
            ChangedLines::of(&own).are_as_before(own.before(), text.as_bytes())
        };
        let (put, took) = (["a\nb\n", "a\nb\nb\n"], ["a\nb\nb\n", "a\nb\n"]);
        assert!(is_so(put, "a\nb\n") && is_so(put, "other\n") && !is_so(put, "b\nb\n"));
        assert!(is_so(took, "a\nb\nb\n") && is_so(took, "b\nb\nb\n") && !is_so(took, "b\n"));
    }
}
