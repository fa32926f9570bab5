//! Anchors: units that surely are the same in the record's text and in today's.
//!
//! Owns their choice, and how far the text stands on either side of a hunk. Does not decide what is done there.
//! Invariant: an anchor holds a word, stands exactly once in each text, is no unit of any hunk, new or old, and is part of
//! every longest common order of such units; so what was moved is no anchor, and what stayed is one.

use super::hunk::Hunk;
use super::units::Trio;
use std::collections::HashSet;
use std::ops::Range;

/// Pairs of places, in order in both texts: in the record's text, and in today's.
pub(super) struct Anchors(Vec<(usize, usize)>);

/// What is between the texts that stand on both sides of a hunk. The ends of both texts stand, as ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Window {
    /// In the record's text; holds the hunk.
    pub(super) new: Range<usize>,
    /// In today's.
    pub(super) today: Range<usize>,
}

impl Anchors {
    /// Finds the anchors for all hunks at once.
    pub(super) fn new(trio: &Trio<'_>, hunks: &[Hunk]) -> Self {
        let mut pairs = Vec::new();
        // An old unit that stands today may have been put back by a hunk, wherever its like stood in the record's text.
        let old: HashSet<u32> = hunks.iter().flat_map(|hunk| trio.old.run(hunk.old.clone())).copied().collect();
        let mut from = 0;
        let end = trio.new.len();
        for hunk in hunks.iter().map(|hunk| hunk.new.clone()).chain(std::iter::once(end..end)) {
            for at in from..hunk.start {
                let Some(id) = trio.new.id(at) else { continue };
                let is_own = trio.new.count(id) == 1 && trio.today.count(id) == 1 && trio.has_word(id);
                if let Some(place) = trio.today.last(id).filter(|_| is_own && !old.contains(&id)) {
                    pairs.push((at, place));
                }
            }
            from = hunk.end;
        }
        Self(in_every_longest_order(&pairs))
    }

    /// How many units of both texts are between the anchors of a hunk: what it costs to look there.
    pub(super) fn distance(&self, trio: &Trio<'_>, hunk: &Hunk) -> usize {
        let (from, to) = self.around(trio, hunk);
        to.0.saturating_sub(from.0) + to.1.saturating_sub(from.1)
    }

    /// The places behind the last anchor before a hunk, and those of the first one behind it.
    fn around(&self, trio: &Trio<'_>, hunk: &Hunk) -> ((usize, usize), (usize, usize)) {
        let before = self.0.partition_point(|&(at, _)| at < hunk.new.start);
        let after = self.0.partition_point(|&(at, _)| at < hunk.new.end);
        let last = before.checked_sub(1).and_then(|n| self.0.get(n));
        let from = last.map_or((0, 0), |&(at, place)| (at + 1, place + 1));
        (from, self.0.get(after).copied().unwrap_or((trio.new.len(), trio.today.len())))
    }

    /// How far the text stands on both sides of a hunk; none where that can be read in two ways. `is_same` says whether a
    /// unit of the record's text is one of today's.
    pub(super) fn window(
        &self,
        trio: &Trio<'_>,
        hunk: &Hunk,
        is_same: impl Fn(usize, usize) -> bool,
    ) -> Option<Window> {
        let ((mut p, mut q), (mut r, mut s)) = self.around(trio, hunk);
        let (floor, ceiling) = (q, s);
        while p < hunk.new.start && q < ceiling && is_same(p, q) {
            (p, q) = (p + 1, q + 1);
        }
        while r > hunk.new.end && s > floor && is_same(r - 1, s - 1) {
            (r, s) = (r - 1, s - 1);
        }
        (q <= s).then_some(Window { new: p..r, today: q..s })
    }
}

/// The pairs, sorted by the first place, that are in every longest list of pairs in which the second place grows too.
fn in_every_longest_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let heads = longest_up_to(pairs.iter().map(|&(_, place)| place));
    let mut tails = longest_up_to(pairs.iter().rev().map(|&(_, place)| usize::MAX - place));
    tails.reverse();
    let longest = heads.iter().copied().max().unwrap_or(0);
    let mut by_rank = vec![0_u32; longest + 1];
    let ranked = |n: usize| {
        let (head, tail) = (heads.get(n).copied()?, tails.get(n).copied()?);
        (head + tail == longest + 1).then_some(head)
    };
    for rank in (0..pairs.len()).filter_map(ranked) {
        if let Some(count) = by_rank.get_mut(rank) {
            *count += 1;
        }
    }
    let is_only = |n: usize| ranked(n).is_some_and(|rank| by_rank.get(rank) == Some(&1));
    pairs.iter().enumerate().filter(|&(n, _)| is_only(n)).map(|(_, pair)| *pair).collect()
}

/// For each value the length of the longest growing list of values that ends with it.
fn longest_up_to(values: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut least: Vec<usize> = Vec::new();
    let mut lengths = Vec::new();
    for value in values {
        let spot = least.partition_point(|&end| end < value);
        match least.get_mut(spot) {
            Some(end) => *end = value,
            None => least.push(value),
        }
        lengths.push(spot + 1);
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(places: &[usize], want: &[usize]) {
        let pairs: Vec<(usize, usize)> = places.iter().copied().enumerate().collect();
        let got: Vec<usize> = in_every_longest_order(&pairs).into_iter().map(|(_, place)| place).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn what_was_moved_is_no_anchor_and_what_stayed_is() {
        check(&[0, 1, 2], &[0, 1, 2]);
        check(&[1, 2, 3, 0], &[1, 2, 3]);
        check(&[0, 2, 1, 3], &[0, 3]);
        check(&[1, 0], &[]);
        check(&[], &[]);
    }
}
