//! The hunks of an edit in a text of many lines, by the lines near its changes alone.
//!
//! Owns which lines are enough, and the proof that they were: what is found is what a look at all lines finds. Does not know what becomes of
//! hunks. Invariant: no hunk ends where the lines that were looked at end, unless the text does, too; and what was kept apart is kept apart
//! by a line that stands once in the whole texts.

use super::edit::{Change, Edit};
use super::hunk::{Hunk, of_changes};
use super::stands_once::StandOnce;
use super::units::{Part, Trio, line_ends};
use crate::text::{line_start, next_line, split_lines};
use memchr::memchr_iter;
use std::ops::Range;

/// So many lines around a change are looked at.
const MARGIN: usize = 8;

/// For an edit of more changes all lines are looked at.
const MOST_CHANGES: usize = 24;

/// A hunk in whole lines of both texts, from 0, its bytes, and the indexes of the record's changes that it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LinesOf {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
    pub(super) which: Vec<usize>,
}

/// The hunks of an edit.
pub(super) fn hunks(edit: &Edit<'_>) -> Vec<LinesOf> {
    hunks_near(edit, MARGIN).unwrap_or_else(|| of_all_lines(edit))
}

fn of_all_lines(edit: &Edit<'_>) -> Vec<LinesOf> {
    let whole = Window { old: 0..edit.before().len(), new: 0..edit.after().len(), changes: edit.changes() };
    whole.hunks(edit, (0, 0)).0
}

/// The same by so many lines around each change; none where these are not enough.
fn hunks_near(edit: &Edit<'_>, margin: usize) -> Option<Vec<LinesOf>> {
    let changes = edit.changes();
    if changes.is_empty() || changes.len() > MOST_CHANGES {
        return None;
    }
    let (mut found, mut at): (Vec<LinesOf>, _) = (Vec::new(), Lines::default());
    let once = StandOnce::of(edit);
    for window in Window::around(edit, margin) {
        at.go_on(edit, (window.old.start, window.new.start));
        let (hunks, is_enough) = window.hunks(edit, at.numbers);
        if !is_enough {
            return None;
        }
        for hunk in hunks {
            let is_apart = found.last().is_none_or(|last| are_told_apart(edit, (last, &hunk), &once));
            if !is_apart {
                return None;
            }
            found.push(hunk);
        }
    }
    Some(found)
}

/// How many lines of the two texts were gone over.
#[derive(Default)]
struct Lines {
    bytes: (usize, usize),
    numbers: (usize, usize),
}

impl Lines {
    fn go_on(&mut self, edit: &Edit<'_>, to: (usize, usize)) {
        let count = |text: &[u8], range: Range<usize>| memchr_iter(b'\n', &text[range]).count();
        self.numbers.0 += count(edit.before(), self.bytes.0..to.0);
        self.numbers.1 += count(edit.after(), self.bytes.1..to.1);
        self.bytes = to;
    }
}

/// Some whole lines of both texts of an edit, with the changes in them: at its ends as many of them as there are around are the same in both.
struct Window<'e> {
    old: Range<usize>,
    new: Range<usize>,
    changes: &'e [(Vec<usize>, Change)],
}

impl<'e> Window<'e> {
    /// In order; changes that are near to each other are in one.
    fn around(edit: &'e Edit<'_>, margin: usize) -> Vec<Self> {
        let changes = edit.changes();
        let mut windows: Vec<Self> = Vec::new();
        let mut first = 0;
        for n in 1..=changes.len() {
            let end = &changes[n - 1].1;
            let is_near = changes.get(n).is_some_and(|(_, next)| {
                let between = &edit.before()[end.before.end..next.before.start];
                memchr_iter(b'\n', between).nth(2 * margin + 2).is_none()
            });
            if !is_near {
                let start = &changes[first].1;
                let up = start.before.start - lines_up(edit.before(), start.before.start, margin);
                let down = lines_down(edit.before(), end.before.end, margin) - end.before.end;
                windows.push(Self {
                    old: start.before.start - up..end.before.end + down,
                    new: start.after.start - up..end.after.end + down,
                    changes: &changes[first..n],
                });
                first = n;
            }
        }
        windows
    }

    /// The hunks of its changes, by its lines alone, of which so many are before it; and whether no hunk reaches its ends.
    fn hunks(&self, edit: &Edit<'_>, before: (usize, usize)) -> (Vec<LinesOf>, bool) {
        let parts = [(edit.before(), &self.old), (edit.after(), &self.new), (&[][..], &(0..0))];
        let trio = Trio::new(parts.map(|(text, range)| Part { text, range: range.clone() }), line_ends);
        let is_inside = |Hunk { old, new }: &Hunk| {
            let starts = self.old.start == 0 || (old.start > 0 && new.start > 0);
            let ends = self.old.end == edit.before().len() || (old.end < trio.old.len() && new.end < trio.new.len());
            starts && ends
        };
        let hunks = of_changes(&trio, self.changes);
        let is_enough = hunks.iter().all(|(hunk, _)| is_inside(hunk));
        let shifted = |range: &Range<usize>, by: usize| range.start + by..range.end + by;
        let lines_of = |(hunk, which): (Hunk, Vec<usize>)| LinesOf {
            old: shifted(&hunk.old, before.0),
            new: shifted(&hunk.new, before.1),
            before: trio.old.span(&hunk.old),
            after: trio.new.span(&hunk.new),
            which,
        };
        (hunks.into_iter().map(lines_of).collect(), is_enough)
    }
}

/// The start of the line that is so many lines before the one of an offset.
fn lines_up(text: &[u8], offset: usize, lines: usize) -> usize {
    let own = line_start(text, offset);
    (0..lines).fold(own, |at, _| line_start(text, at.saturating_sub(1)))
}

/// The end of the line that is so many lines after the one of an offset.
fn lines_down(text: &[u8], offset: usize, lines: usize) -> usize {
    (0..=lines).fold(offset, |at, _| next_line(text, at))
}

/// Whether a line between two hunks holds a word and stands once in each of the texts, as [`of_changes`] wants it.
fn are_told_apart(edit: &Edit<'_>, (one, two): (&LinesOf, &LinesOf), once: &StandOnce<'_>) -> bool {
    split_lines(&edit.before()[one.before.end..two.before.start]).any(|line| once.has(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Origin;
    use crate::strategy::Strategy;
    use proptest::prelude::*;

    const ORIGIN: Origin = Origin { edit: 0, strategy: Strategy::Exact };

    /// An edit of a text that replaces bytes at these places, in order, where they fit.
    fn edit_at(before: &str, places: &[(usize, usize, &str)]) -> Edit<'static> {
        let (mut after, mut changes, mut from) = (Vec::new(), Vec::new(), 0);
        for (n, (skip, len, new)) in places.iter().enumerate() {
            let start = (from + skip).min(before.len());
            let end = (start + len).min(before.len());
            after.extend_from_slice(&before.as_bytes()[from..start]);
            let at = after.len();
            after.extend_from_slice(new.as_bytes());
            changes.push((vec![n], Change { before: start..end, after: at..after.len(), origin: ORIGIN }));
            from = end;
        }
        after.extend_from_slice(&before.as_bytes()[from..]);
        Edit::made_of(before.as_bytes().to_vec(), after, changes)
    }

    #[test]
    fn the_lines_around_a_change_tell_its_hunk_with_its_place_in_the_whole_texts() {
        let before: String = (0..40).map(|n| format!("line {n}\n")).collect();
        let at = before.find("line 20").expect("a line");
        let edit = edit_at(&before, &[(at, 7, "new\nlines")]);
        let found = hunks_near(&edit, 2).expect("they are enough");
        assert_eq!(
            found,
            [LinesOf { old: 20..21, new: 20..22, before: at..at + 8, after: at..at + 10, which: vec![0] }]
        );
    }

    #[test]
    fn lines_that_slide_to_the_end_of_what_is_looked_at_are_looked_for_in_the_whole_text() {
        let before = format!("a\n{}b\n", "same\n".repeat(20));
        let edit = edit_at(&before, &[(2 + 5 * 10, 0, "same\n")]);
        assert_eq!(hunks_near(&edit, 3), None);
        assert_eq!(hunks(&edit), of_all_lines(&edit));
        assert_eq!(hunks(&edit)[0].old, 1..21);
    }

    #[test]
    fn hunks_between_which_no_line_stands_once_in_the_whole_texts_are_looked_for_there() {
        let (between, rest) = ("one\ntwo\n".repeat(9), "x\n".repeat(20));
        let before = format!("{rest}{between}{rest}");
        let edit = edit_at(&before, &[(rest.len(), 0, "new\n"), (between.len(), 0, "new, too\n")]);
        assert_eq!(hunks_near(&edit, 2), None);
        assert_eq!(hunks(&edit).len(), 1);
        let told = before.replacen("one\n", "once\n", 5).replacen("once\n", "one\n", 4);
        let edit = edit_at(&told, &[(rest.len(), 0, "new\n"), (between.len(), 0, "new, too\n")]);
        assert_eq!(hunks_near(&edit, 2).map(|hunks| hunks.len()), Some(2));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn what_is_found_near_changes_is_what_all_lines_tell(
            before in "(a\n|b\n|}\n|\n|c1\n|c2\n|c3\n|d d\n){0,60}(e)?",
            places in prop::collection::vec((0_usize..60, 0_usize..9, "(a\n|b\n|x|}\n|\n){0,3}"), 1..4),
            margin in 1_usize..5,
        ) {
            let places: Vec<(usize, usize, &str)> = places.iter().map(|(a, b, new)| (*a, *b, new.as_str())).collect();
            let edit = edit_at(&before, &places);
            if let Some(found) = hunks_near(&edit, margin) {
                prop_assert_eq!(found, of_all_lines(&edit));
            }
        }
    }
}
