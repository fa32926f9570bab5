//! Which lines of two texts differ.
//!
//! Owns the line diff for what a splice touches, and the one for what was changed between two records.

use crate::text::{PieceMap, has_word, lines_between_ends, split_lines};
use std::ops::Range;

/// Of more lines than this, on either side, only common ends are left out.
const MOST_REFINED: usize = 4000;

/// Where two lists of lines differ: ranges of both, in order; similar lines between them are not listed.
pub(crate) fn changed_lines(old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
    if old.is_empty() || new.is_empty() || old.len().max(new.len()) > MOST_REFINED {
        return vec![(0..old.len(), 0..new.len())];
    }
    similar::capture_diff_slices(similar::Algorithm::Myers, old, new)
        .into_iter()
        .filter(|op| op.tag() != similar::DiffTag::Equal)
        .map(|op| (op.old_range(), op.new_range()))
        .collect()
}

/// The lines that may not be the same in two texts: all but those that lie, in equal runs, between lines that surely are.
pub(crate) fn lines_that_may_differ<'t>(before: &'t [u8], after: &'t [u8]) -> [Vec<&'t [u8]>; 2] {
    let [old, new] = lines_between_ends([before, after]).map(|text| split_lines(text).collect::<Vec<_>>());
    let mut changed = [Vec::new(), Vec::new()];
    for (from, to) in between_same_lines(&old, &new) {
        if old[from.clone()] != new[to.clone()] {
            changed[0].extend_from_slice(&old[from]);
            changed[1].extend_from_slice(&new[to]);
        }
    }
    changed
}

/// What lies before, between and after lines that surely are the same in two lists, one of them between each two: ranges of both, in order,
/// that may be empty.
///
/// Those hold a word, stand once in both lists, and changed places with no other such line.
pub(crate) fn between_same_lines(old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
    let (old_places, new_places) = (single_lines(old), single_lines(new));
    let place = |line: &&[u8]| old_places.get(line)?.and(*new_places.get(line)?);
    let pairs: Vec<(usize, usize)> = old.iter().enumerate().filter_map(|(at, line)| Some((at, place(line)?))).collect();
    // For each the first of those that stand behind it.
    let mut first_behind = vec![new.len(); pairs.len() + 1];
    for (n, (_, place)) in pairs.iter().enumerate().rev() {
        first_behind[n] = first_behind[n + 1].min(*place);
    }
    let (mut between, mut from, mut last) = (Vec::new(), (0, 0), 0);
    let ends = std::iter::once((old.len(), new.len()));
    for (n, (at, place)) in pairs.into_iter().chain(ends).enumerate() {
        let stays = last <= place && first_behind.get(n + 1).is_none_or(|first| place < *first);
        last = last.max(place + 1);
        if stays {
            between.push((from.0..at, from.1..place));
            from = (at + 1, place + 1);
        }
    }
    between
}

/// Where each line with a word is; none of one that stands there more than once.
fn single_lines<'t>(lines: &[&'t [u8]]) -> PieceMap<'t, Option<usize>> {
    let mut places: PieceMap<'_, Option<usize>> = PieceMap::default();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| has_word(line)) {
        places.entry(line).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_each_two_ranges_is_a_line_that_is_the_same() {
        let between = |old: &str, new: &str| {
            let lines = |text: &'static str| text.split(' ').map(str::as_bytes).collect::<Vec<_>>();
            let leak = |text: &str| &*String::leak(text.to_owned());
            between_same_lines(&lines(leak(old)), &lines(leak(new)))
        };
        assert_eq!(between("a", "a"), [(0..0, 0..0), (1..1, 1..1)]);
        assert_eq!(between("a } b", "a b }"), [(0..0, 0..0), (1..2, 1..1), (3..3, 2..3)]);
        assert_eq!(between("a a b", "a b"), [(0..2, 0..1), (3..3, 2..2)], "one stands there twice");
        assert_eq!(between("a b", "b a"), [(0..2, 0..2)], "they changed places");
    }

    #[test]
    fn an_equal_line_at_another_place_may_differ() {
        let differ = |before: &'static str, after: &'static str| {
            lines_that_may_differ(before.as_bytes(), after.as_bytes()).map(|lines| {
                lines.iter().map(|line| String::from_utf8_lossy(line).trim_end().to_owned()).collect::<Vec<_>>()
            })
        };
        assert_eq!(differ("a\nb\nc\n", "a\nx\nc\n"), [["b"], ["x"]]);
        assert_eq!(differ("a\n}\nb\nc\n", "a\nb\n}\nc\n"), [["}"], ["}"]]);
        assert_eq!(differ("a\nx\nb\ny\nc\n", "a\nb\nx\nz\nc\n"), [["x", "b", "y"], ["b", "x", "z"]]);
        // What holds no line of its own may be another one.
        assert_eq!(differ("1\n}\n2\n}\n", "3\n}\n4\n}\n"), [["1", "}", "2"], ["3", "}", "4"]]);
        assert_eq!(differ("1\nown\n}\n2\n", "3\nown\n}\n4\n"), [["1", "}", "2"], ["3", "}", "4"]]);
    }
}
