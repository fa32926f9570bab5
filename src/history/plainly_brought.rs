//! Whether a commit brings a change in so plain a way that no proof is needed: the lines beside it tell its place.
//!
//! Owns that short way, for one change of one file. What is not plain, it leaves to `held`.

use super::versions::Versions;
use crate::patch::take_back::Change;
use crate::text::{line_start, next_line, starts_line};
use std::ops::Range;

/// Whether a change, with two lines on either side that the edit left as they were, stands once in the new version and in no old one, and
/// what it replaced, with the same lines, once in each of those: the proof would say the same, and takes a thousand times longer.
pub(super) fn is_plainly_brought(
    changes: &[Change],
    n: usize,
    (before, after): (&[u8], &[u8]),
    versions: Versions<'_>,
) -> bool {
    const BESIDE: usize = 2;
    let (old, Some(new)) = (versions.old, versions.new) else { return false };
    let Change { before: was, after: is, .. } = &changes[n];
    let up = |text: &[u8], at: usize| {
        let start = line_start(text, at);
        (0..BESIDE).try_fold(start, |at, _| (at > 0).then(|| line_start(text, at - 1)))
    };
    let down = |text: &[u8], at: usize| {
        let end = if starts_line(text, at) { at } else { next_line(text, at) };
        (0..BESIDE).try_fold(end, |at, _| (at < text.len()).then(|| next_line(text, at)))
    };
    let window = |text: &[u8], range: &Range<usize>| Some(up(text, range.start)?..down(text, range.end)?);
    let (Some(wide_before), Some(wide_after)) = (window(before, was), window(after, is)) else { return false };
    let is_beside = |other: &Change| other.before.start > wide_before.end || other.before.end < wide_before.start;
    let is_alone = changes.iter().enumerate().all(|(m, other)| m == n || is_beside(other));
    let count = |text: &[u8], part: &[u8]| memchr::memmem::find_iter(text, part).take(2).count();
    let (was, is) = (&before[wide_before], &after[wide_after]);
    is_alone
        && count(new, is) == 1
        && count(new, was) == 0
        && old.iter().all(|old| old.is_some_and(|old| count(old, was) == 1 && count(old, is) == 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Origin;
    use crate::patch::diff::differing_lines;
    use crate::strategy::Strategy;

    /// A word is a line; the last one of `...~` has no ending.
    fn text(words: &str) -> Vec<u8> {
        let lines: Vec<u8> = words.split_whitespace().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect();
        lines.strip_suffix(b"~\n").map_or(lines.clone(), <[u8]>::to_vec)
    }

    /// Which changes of a record a commit with these parents brings plainly.
    fn plain([before, after]: [&str; 2], old: &[&str], new: &str) -> Vec<bool> {
        let [before, after, new] = [before, after, new].map(text);
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let differing = differing_lines(&before, &after).into_iter();
        let changes: Vec<Change> = differing.map(|(before, after)| Change { before, after, origin }).collect();
        let old: Vec<Vec<u8>> = old.iter().map(|old| text(old)).collect();
        let old: Vec<Option<&[u8]>> = old.iter().map(|old| Some(&old[..])).collect();
        let versions = Versions { old: &old, new: Some(&new) };
        (0..changes.len()).map(|n| is_plainly_brought(&changes, n, (&before, &after), versions)).collect()
    }

    #[test]
    fn a_change_is_plainly_brought_where_the_two_lines_on_either_side_tell_its_place_in_all_versions() {
        let record = ["a b c d e", "a b x d e"];
        let rows: [(&[&str], &str, bool, &str); 10] = [
            (&["a b c d e"], "a b x d e", true, "as the record has it"),
            (&["o a b c d e"], "o a b x d e p", true, "others wrote farther off"),
            (&["a b c d e"], "a b x d E", false, "another line two lines off"),
            (&["a b c d e"], "A b x d e", false, "the same on the other side"),
            (&["a b c d E"], "a b x d e", false, "the parent had another one"),
            (&["a b c d e", "o a b c d e"], "a b x d e", true, "no parent of a merge has it"),
            (&["a b c d e", "a b x d e"], "a b x d e", false, "a parent of a merge has it"),
            (&["a b c d e a b x d e"], "a b x d e", false, "it stood elsewhere before"),
            (&["a b c d e"], "a b x d e a b x d e", false, "it stands twice"),
            (&["a b c d e"], "a b x d e a b c d e", false, "what it replaced stands, too"),
        ];
        for (old, new, want, why) in rows {
            assert_eq!(plain(record, old, new), [want], "{why}");
        }
        assert_eq!(plain(record, &["a b c d e a b c d e"], "a b x d e"), [false], "it replaced one of two");
    }

    #[test]
    fn a_change_with_fewer_than_two_lines_on_a_side_is_not_plain() {
        let rows = [
            (["a b c d", "a x c d"], false),
            (["a b c d", "a b x d"], false),
            (["a b c d e", "a b x d e"], true),
            (["a b c d", "a b x c d"], true),
            (["a b d e", "a b d x e"], false),
            (["a b d e", "a x b d e"], false),
            (["a b c d e", "a b d e"], true),
            (["a b c d", "a b c d x"], false),
            (["a b c d", "x a b c d"], false),
            // The last line is one with and without its ending.
            (["a b c d e~", "a b x d e~"], true),
        ];
        for ([before, after], want) in rows {
            assert_eq!(plain([before, after], &[before], after), [want], "{before}: {after}");
        }
    }

    #[test]
    fn changes_that_share_their_lines_are_not_plain_and_those_farther_apart_are() {
        let with = |between: &str| [format!("a b c {between} k l m"), format!("a b x {between} y l m")];
        for (between, want) in [("1", false), ("1 2", false), ("1 2 3 4 5", true)] {
            let [before, after] = with(between);
            assert_eq!(plain([&before, &after], &[&before], &after), [want; 2], "{between}");
        }
        // One that the commit has not is no matter of the other one's.
        let [before, after] = with("1 2 3 4 5");
        assert_eq!(plain([&before, &after], &[&before], &after.replace('y', "k")), [true, false]);
        let three = ["a b c 1 k l m 1 2 3 4 5 p q r", "a b x 1 y l m 1 2 3 4 5 p z r"];
        let three = three.map(|words| format!("{words} s"));
        assert_eq!(plain([&three[0], &three[1]], &[&three[0]], &three[1]), [false, false, true]);
    }

    #[test]
    fn where_a_version_is_not_there_nothing_is_plainly_brought() {
        let [before, after] = ["a b c d e", "a b x d e"].map(text);
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let changes = [Change { before: 4..6, after: 4..6, origin }];
        let is = |old: &[Option<&[u8]>], new: Option<&[u8]>| {
            is_plainly_brought(&changes, 0, (&before, &after), Versions { old, new })
        };
        assert!(is(&[Some(&before)], Some(&after)));
        assert!(!is(&[Some(&before)], None) && !is(&[None], Some(&after)) && !is(&[Some(&before), None], Some(&after)));
    }
}
