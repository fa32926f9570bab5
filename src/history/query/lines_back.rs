//! Which lines that a record took out of a file somebody brought back.
//!
//! Owns that question, of one record. Who wrote them is for who asks.
//! Invariant: a line is back only where more of it stand than the record left, between the lines between which it had stood; and one without a word
//! only with one of those that had stood beside it.

use super::line_maps::{line_map, lines_through};
use crate::record::{RecordFile, RecordedTexts};
use crate::text::{has_word, split_lines};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The lines of which a text has more than another one.
pub(super) fn came<'t>(now: &'t [u8], than: &[u8]) -> HashSet<&'t [u8]> {
    let mut left: HashMap<&[u8], usize> = HashMap::new();
    for line in split_lines(than) {
        *left.entry(line).or_default() += 1;
    }
    let is_more =
        |line: &&[u8]| left.get_mut(*line).is_none_or(|count| std::mem::replace(count, count.saturating_sub(1)) == 0);
    split_lines(now).filter(is_more).collect()
}

/// For every line of a text the line before a record that took it out of the file, if it is back in its place, and one of those that came.
pub(super) fn lines_back(
    came: &HashSet<&[u8]>,
    now: &[u8],
    (file, texts): (&RecordFile, &RecordedTexts),
) -> Vec<Option<usize>> {
    let Some(before) = texts.before().filter(|_| !came.is_empty()) else { return Vec::new() };
    let mut stayed: Vec<Option<usize>> = split_lines(before).map(|_| None).collect();
    for (after, at) in lines_through(file, texts).into_iter().enumerate() {
        if let Some(stayed) = at.and_then(|at| stayed.get_mut(at)) {
            *stayed = Some(after);
        }
    }
    let gaps = [&line_map(now, texts.after().unwrap_or_default()), &stayed].map(|map| gaps(map));
    let mut back: Vec<Option<usize>> = line_map(now, before)
        .into_iter()
        .zip(split_lines(now))
        .enumerate()
        .map(|(n, (at, line))| {
            at.filter(|&at| stayed[at].is_none() && came.contains(line) && meet(&gaps[0][n], &gaps[1][at]))
        })
        .collect();
    let old: Vec<&[u8]> = split_lines(before).collect();
    let are_back: HashSet<usize> = back.iter().copied().flatten().collect();
    let company = in_company(&old, |n| stayed[n].is_none(), &are_back);
    back.iter_mut().for_each(|at| *at = at.filter(|at| company[*at]));
    back
}

/// For every line of a text the line of HEAD's that is the same one; of those that the log's last text has not, one without a word only with one of
/// those that stand with it there.
pub(super) fn lines_of_head(now: &[u8], head: &[u8], last: &[u8]) -> Vec<Option<usize>> {
    let (map, stayed) = (line_map(now, head), line_map(head, last));
    let lines: Vec<&[u8]> = split_lines(head).collect();
    let company = in_company(&lines, |n| stayed[n].is_none(), &map.iter().copied().flatten().collect());
    map.into_iter().map(|at| at.filter(|at| company[*at])).collect()
}

/// For each line, as far as it is of a run of such, whether the run has one with a word that is there, or none with a word at all: brackets and blank lines alone
/// are anybody's.
pub(super) fn in_company(lines: &[&[u8]], is_of_run: impl Fn(usize) -> bool, there: &HashSet<usize>) -> Vec<bool> {
    let mut company = vec![true; lines.len()];
    let mut from = 0;
    while from < lines.len() {
        let to = (from..lines.len()).find(|n| !is_of_run(*n)).unwrap_or(lines.len());
        let mut worded = (from..to).filter(|&n| has_word(lines[n])).peekable();
        let is_told = worded.peek().is_none() || worded.any(|n| there.contains(&n));
        company[from..to].fill(is_told);
        from = to + 1;
    }
    company
}

/// For every line of a text, that a map leads to another one, whether the next line with a word above it was led to the next one above there: else somebody
/// wrote right above it, or took something.
pub(super) fn are_below_the_same(now: &[u8], after: &[u8], map: &[Option<usize>]) -> Vec<bool> {
    let above = |text: &[u8]| {
        let mut last = None;
        let above = |(n, line): (usize, &[u8])| if has_word(line) { last.replace(n) } else { last };
        split_lines(text).enumerate().map(above).collect::<Vec<Option<usize>>>()
    };
    let (here, there) = (above(now), above(after));
    let is_same = |(n, at): (usize, &Option<usize>)| {
        let led = here.get(n).copied().flatten().and_then(|above| map.get(above).copied().flatten());
        let is_first = here.get(n).copied().flatten().is_none();
        at.is_some_and(|at| there.get(at).is_some_and(|above| *above == led && (led.is_some() || is_first)))
    };
    map.iter().enumerate().map(is_same).collect()
}

/// For every line the lines of the other text between which it is: from behind the last one above that is there, to the first one below.
fn gaps(map: &[Option<usize>]) -> Vec<Range<usize>> {
    let mut last = 0;
    let mut gaps: Vec<Range<usize>> = map
        .iter()
        .map(|at| {
            let start = last;
            last = at.map_or(last, |at| at + 1);
            start..usize::MAX
        })
        .collect();
    let mut next = usize::MAX;
    for (gap, at) in gaps.iter_mut().zip(map).rev() {
        gap.end = next;
        next = at.unwrap_or(next);
    }
    gaps
}

/// Whether two places may be the same, each from behind one line to before another.
fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start.max(other.start) <= one.end.min(other.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_below_the_same_one_where_nobody_wrote_above_it() {
        let is_so = |now: &str, after: &str| {
            let (now, after) = (now.as_bytes(), after.as_bytes());
            are_below_the_same(now, after, &line_map(now, after))
        };
        assert_eq!(is_so("a\nb\n}\n", "a\nb\n}\n"), [true; 3], "the first line too");
        assert_eq!(is_so("a\nx\n}\n", "a\n}\n"), [true, false, false]);
        assert_eq!(is_so("x\n}\n", "}\n"), [false, false], "there was none above it");
        assert_eq!(is_so("}\n", "x\n}\n"), [false], "that one went");
    }

    #[test]
    fn of_a_run_of_lines_brackets_count_with_one_that_has_a_word() {
        let lines: Vec<&[u8]> = vec![b"a\n", b"f {\n", b"}\n", b"b\n", b"}\n"];
        let of_run = |n: usize| n == 1 || n == 2 || n == 4;
        let company = |there: &[usize]| in_company(&lines, of_run, &there.iter().copied().collect());
        assert_eq!(company(&[2]), [true, false, false, true, true], "without a word in all the run it is told");
        assert_eq!(company(&[1, 2]), [true; 5]);
    }
}
