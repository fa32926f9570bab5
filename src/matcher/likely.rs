//! Which of several places an edit most likely means: what is told first of them, never what is written.
//!
//! Owns the order of the places in a hint. Chooses none: that is refused.
//! Invariants: places of which nothing tells one from another keep their order; the work is linear in the text.

use crate::text::{Lines, is_of_word};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The shortest word that says anything.
const SHORTEST: usize = 3;
/// So many lines around a place count as near.
const NEAR: usize = 40;
/// A word that stands more often than this in the file says nothing.
const MOST: usize = 64;
/// So many words are asked of each place, the rarest.
const MOST_WORDS: usize = 40;
/// The longest file whose words are looked at, in bytes.
const LONGEST: usize = 4 << 20;

/// What is known of an edit beside its old text. Lines are 1-based.
#[derive(Debug, Clone, Copy, Default)]
pub struct Evidence<'a> {
    /// The old text.
    pub old: &'a [u8],
    /// The new one.
    pub new: &'a [u8],
    /// The line that the request names.
    pub line: Option<usize>,
    /// The first and last of the lines that the session was shown last.
    pub shown: Option<(usize, usize)>,
    /// Where the edits before it in the request, and behind it, have their places: the line of the nearest one in the request.
    pub beside: (Option<usize>, Option<usize>),
    /// The first and last lines of all places of other edits, in order: two edits do not change the same text.
    pub taken: &'a [(usize, usize)],
    /// Whether a line of the old text that the file lacks stood there before: what was meant may be gone.
    pub may_be_gone: bool,
}

/// The order of places in one text.
#[derive(Debug)]
pub struct Likely<'a> {
    evidence: Evidence<'a>,
    /// For each word that only the new text has, the lines on which it stands.
    words: Vec<Vec<usize>>,
}

impl<'a> Likely<'a> {
    /// What `evidence` says of the places in `text`.
    pub fn new(text: &[u8], evidence: Evidence<'a>) -> Self {
        let words = if text.len() <= LONGEST { near_words(text, evidence) } else { Vec::new() };
        Self { evidence, words }
    }

    /// The indexes of `places`, first and last lines, the likeliest first: those nearest to the line that was named, to the
    /// lines that were shown last, between the other edits of the request, near words that the new text brings.
    pub fn order(&self, places: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
        let places: Vec<(usize, usize)> = places.collect();
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_cached_key(|&n| self.key(places[n]));
        order
    }

    fn key(&self, (first, last): (usize, usize)) -> (usize, bool, usize, bool, Reverse<u64>, usize) {
        let Evidence { line, shown, beside: (before, behind), taken, .. } = self.evidence;
        let from = |(start, end): (usize, usize)| first.saturating_sub(end).max(start.saturating_sub(last));
        let is_outside = before.is_some_and(|line| last < line) || behind.is_some_and(|line| line < first);
        let nearest = [before, behind].into_iter().flatten().map(|line| from((line, line))).min();
        (
            line.map_or(0, |line| from((line, line))),
            taken[..taken.partition_point(|&(start, _)| start <= last)].last().is_some_and(|&(_, end)| first <= end),
            shown.map_or(0, from),
            is_outside,
            Reverse(self.words.iter().map(|lines| speaks_for(lines, (first, last))).sum()),
            nearest.unwrap_or(0),
        )
    }
}

/// How much a word on these lines, sorted, speaks for a place: the rarer and the nearer, the more.
fn speaks_for(lines: &[usize], (first, last): (usize, usize)) -> u64 {
    let behind = lines.partition_point(|&line| line <= last);
    let before = lines.partition_point(|&line| line < first);
    let above = before.checked_sub(1).map(|at| first - lines[at]);
    let below = lines.get(behind).map(|line| line - last);
    let distance = [above, below].into_iter().flatten().min().filter(|&distance| distance <= NEAR);
    distance.map_or(0, |distance| 10_000 / (lines.len() * (distance + 4)) as u64)
}

fn near_words(text: &[u8], evidence: Evidence<'_>) -> Vec<Vec<usize>> {
    let old: HashSet<&[u8]> = words(evidence.old).map(|(_, word)| word).collect();
    let mut known: HashMap<&[u8], Vec<usize>> = words(evidence.new)
        .map(|(_, word)| word)
        .filter(|word| word.len() >= SHORTEST && !old.contains(word))
        .map(|word| (word, Vec::new()))
        .collect();
    if known.is_empty() {
        return Vec::new();
    }
    let lines = Lines::new(text);
    for (at, word) in words(text) {
        if let Some(found) = known.get_mut(word).filter(|found| found.len() <= MOST) {
            found.push(lines.number_at(at));
        }
    }
    let mut found: Vec<Vec<usize>> = known.into_values().filter(|found| (1..=MOST).contains(&found.len())).collect();
    found.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    found.truncate(MOST_WORDS);
    found
}

/// The words of a text, with where they start.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split(|&byte| !is_of_word(byte)).filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((start, word))
    })
}

/// The first and last lines of ranges of bytes of a text.
pub fn lines_of(lines: &Lines, place: &Range<usize>) -> (usize, usize) {
    (lines.number_at(place.start), lines.number_at(place.end.max(place.start + 1) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, evidence: Evidence<'_>, want: &[usize]) {
        let old = std::str::from_utf8(evidence.old).expect("UTF-8");
        let lines = Lines::new(text.as_bytes());
        let places = text.match_indices(old).map(|(at, found)| lines_of(&lines, &(at..at + found.len())));
        assert_eq!(Likely::new(text.as_bytes(), evidence).order(places), want);
    }

    #[test]
    fn places_are_told_in_the_order_of_the_file_unless_something_speaks_for_one() {
        let gap = "\n".repeat(60);
        let text = format!("fn a(alpha: u8) {{\n    done();\n}}\n{gap}fn b(beta: u8) {{\n    done();\n}}\n");
        let evidence = Evidence { old: b"done();", new: b"done(1);", ..Evidence::default() };
        check(&text, evidence, &[0, 1]);
        check(&text, Evidence { new: b"done(beta);", ..evidence }, &[1, 0]);
        check(&text, Evidence { new: b"done(alpha);", ..evidence }, &[0, 1]);
        check(&text, Evidence { new: b"done(alpha);", line: Some(60), ..evidence }, &[1, 0]);
        check(&text, Evidence { new: b"done(alpha);", shown: Some((60, 70)), ..evidence }, &[1, 0]);
        check(&text, Evidence { shown: Some((10, 20)), ..evidence }, &[0, 1]);
        check(&text, Evidence { beside: (Some(50), None), ..evidence }, &[1, 0]);
        check(&text, Evidence { beside: (None, Some(50)), ..evidence }, &[0, 1]);
        check(&text, Evidence { beside: (Some(1), Some(63)), ..evidence }, &[0, 1]);
        check(&text, Evidence { taken: &[(1, 2)], shown: Some((1, 9)), ..evidence }, &[1, 0]);
    }

    #[test]
    fn a_word_beside_a_place_says_more_than_one_far_away_and_a_rare_one_more_than_a_common_one() {
        let text = "beta\n\n\n\n\n\n\n\nx\n\n\n\nx\nbeta\n";
        check(text, Evidence { old: b"x", new: b"x(beta)", ..Evidence::default() }, &[1, 0]);
        let text = "many\nx\nmany\n\n\n\n\n\nrare\nx\n";
        check(text, Evidence { old: b"x", new: b"x(rare, many)", ..Evidence::default() }, &[1, 0]);
    }
}
