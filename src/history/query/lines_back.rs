//! Which lines that a record took out of a file somebody brought back.
//!
//! Owns that question, of one record. Who wrote them is for who asks.
//! Invariant: a line is back only where more of it stand than the record left, between the lines between which it had stood; and one without a word
//! only with one of those that had stood beside it.

use super::line_maps::{line_map, lines_through};
use crate::record::{RecordFile, RecordedTexts};
use crate::text::has_word;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The lines of which a text has more than another one.
pub(super) fn came<'t>(now: &'t [u8], than: &[u8]) -> HashSet<&'t [u8]> {
    let mut left: HashMap<&[u8], usize> = HashMap::new();
    for line in lines(than) {
        *left.entry(line).or_default() += 1;
    }
    let is_more =
        |line: &&[u8]| left.get_mut(*line).is_none_or(|count| std::mem::replace(count, count.saturating_sub(1)) == 0);
    lines(now).filter(is_more).collect()
}

/// For every line of a text the line before a record that took it out of the file, if it is back in its place, and one of those that came.
pub(super) fn lines_back(
    came: &HashSet<&[u8]>,
    now: &[u8],
    (file, texts): (&RecordFile, &RecordedTexts),
) -> Vec<Option<usize>> {
    let Some(before) = texts.before().filter(|_| !came.is_empty()) else { return Vec::new() };
    let mut stayed: Vec<Option<usize>> = lines(before).map(|_| None).collect();
    for (after, at) in lines_through(file, texts).into_iter().enumerate() {
        if let Some(stayed) = at.and_then(|at| stayed.get_mut(at)) {
            *stayed = Some(after);
        }
    }
    let gaps = [&line_map(now, texts.after().unwrap_or_default()), &stayed].map(|map| gaps(map));
    let mut back: Vec<Option<usize>> = line_map(now, before)
        .into_iter()
        .zip(lines(now))
        .enumerate()
        .map(|(n, (at, line))| {
            at.filter(|&at| stayed[at].is_none() && came.contains(line) && meet(&gaps[0][n], &gaps[1][at]))
        })
        .collect();
    let old: Vec<&[u8]> = lines(before).collect();
    let are_back: HashSet<usize> = back.iter().copied().flatten().collect();
    let is_taken = |n: usize| stayed[n].is_none();
    back.iter_mut().for_each(|at| *at = at.filter(|at| is_in_company(*at, &old, &is_taken, &are_back)));
    back
}

/// Whether a line, one of a run of lines, has a word or stands with one of the run that has; or none of the run has. Braces and blank lines alone are
/// anybody's.
pub(super) fn is_in_company(
    at: usize,
    lines: &[&[u8]],
    is_of_run: &dyn Fn(usize) -> bool,
    there: &HashSet<usize>,
) -> bool {
    let is_of_run = |n: &usize| is_of_run(*n);
    let run = (0..at).rev().take_while(is_of_run).chain((at..lines.len()).take_while(is_of_run));
    let mut worded = run.filter(|&n| has_word(lines[n])).peekable();
    worded.peek().is_none() || worded.any(|n| there.contains(&n))
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
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
