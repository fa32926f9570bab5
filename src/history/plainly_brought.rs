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
