//! What differs between two lists of lines, and whether it could as well be read otherwise.
//!
//! Owns the line diff of old and new. Knows nothing of the file. Invariant: the changes are in order and apart; the work
//! is bounded, and lists that are too long have no answer.

use crate::text::common_ends;
use similar::DiffOp;
use std::collections::HashMap;
use std::ops::Range;

/// The most lines of old and new together that are compared line by line, beside what they have in common at their ends.
const MOST_LINES: usize = 4_000;

/// One change: these lines of old become those lines of new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Empty for an insertion.
    pub old: Range<usize>,
    /// Empty for a deletion.
    pub new: Range<usize>,
}

/// What differs between two lists of lines; `None` where they are too long.
pub fn changes(old: &[&[u8]], new: &[&[u8]]) -> Option<Vec<Hunk>> {
    let (head, tail) = common_ends(old, new);
    let (old, new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    if old.is_empty() || new.is_empty() {
        let hunk = Hunk { old: head..head + old.len(), new: head..head + new.len() };
        return Some(if old.is_empty() && new.is_empty() { Vec::new() } else { vec![hunk] });
    }
    if old.len() + new.len() > MOST_LINES {
        return None;
    }
    let (a, b) = numbered(old, new);
    let mut hunks: Vec<Hunk> = Vec::new();
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, &a, &b) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (o, n) = (op.old_range(), op.new_range());
        let (o, n) = (o.start + head..o.end + head, n.start + head..n.end + head);
        match hunks.last_mut() {
            Some(last) if last.old.end == o.start && last.new.end == n.start => {
                (last.old.end, last.new.end) = (o.end, n.end);
            }
            _ => hunks.push(Hunk { old: o, new: n }),
        }
    }
    Some(hunks)
}

/// The lines that two lists have in common by a key, in order: where each stands in both. Of blank lines nothing is told.
pub fn shared<'l>(a: &[&'l [u8]], b: &[&'l [u8]], key: impl Fn(&'l [u8]) -> &'l [u8]) -> Vec<(usize, usize)> {
    let [left, right] = [a, b].map(|lines| lines.iter().map(|line| key(line)).collect::<Vec<&[u8]>>());
    let Some(hunks) = changes(&left, &right) else { return Vec::new() };
    let end = Hunk { old: left.len()..left.len(), new: right.len()..right.len() };
    let (mut pairs, mut at) = (Vec::new(), (0, 0));
    for hunk in hunks.into_iter().chain([end]) {
        pairs.extend((at.0..hunk.old.start).zip(at.1..hunk.new.start));
        at = (hunk.old.end, hunk.new.end);
    }
    pairs.retain(|&(n, _)| !left[n].trim_ascii().is_empty());
    pairs
}

/// Each line as a number; equal lines have equal numbers.
fn numbered(old: &[&[u8]], new: &[&[u8]]) -> (Vec<u32>, Vec<u32>) {
    let mut known: HashMap<&[u8], u32> = HashMap::with_capacity(old.len() + new.len());
    let mut numbers = Vec::with_capacity(old.len() + new.len());
    for line in old.iter().chain(new) {
        let next = known.len() as u32;
        numbers.push(*known.entry(line).or_insert(next));
    }
    let news = numbers.split_off(old.len());
    (numbers, news)
}

/// Which lines of old and new belong together in some shortest change, though perhaps not in the one that was chosen.
#[derive(Debug)]
pub struct Readings {
    width: usize,
    /// The most equal lines before a pair of lines, and from it on.
    before: Vec<u16>,
    after: Vec<u16>,
}

impl Readings {
    /// Compares all lines with all; `None` where they are too many.
    pub fn new(old: &[&[u8]], new: &[&[u8]]) -> Option<Self> {
        const MOST_PAIRS: usize = 4_000_000;
        let (rows, width) = (old.len() + 1, new.len() + 1);
        if rows.checked_mul(width)? > MOST_PAIRS || rows > usize::from(u16::MAX) {
            return None;
        }
        let (a, b) = numbered(old, new);
        let (mut before, mut after) = (vec![0u16; rows * width], vec![0u16; rows * width]);
        for i in 1..rows {
            for j in 1..width {
                let longest = before[(i - 1) * width + j].max(before[i * width + j - 1]);
                let with = before[(i - 1) * width + j - 1] + u16::from(a[i - 1] == b[j - 1]);
                before[i * width + j] = longest.max(with);
            }
        }
        for i in (0..rows - 1).rev() {
            for j in (0..width - 1).rev() {
                let longest = after[(i + 1) * width + j].max(after[i * width + j + 1]);
                let with = after[(i + 1) * width + j + 1] + u16::from(a[i] == b[j]);
                after[i * width + j] = longest.max(with);
            }
        }
        Some(Self { width, before, after })
    }

    /// Whether these two (equal) lines may be one line that stays.
    pub fn may_stay(&self, old: usize, new: usize) -> bool {
        let around = self.before[old * self.width + new] + self.after[(old + 1) * self.width + new + 1];
        around + 1 == self.after[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&[u8]> {
        text.split(' ').filter(|line| !line.is_empty()).map(str::as_bytes).collect()
    }

    fn check(old: &str, new: &str, want: &[(Range<usize>, Range<usize>)]) {
        let got = changes(&lines(old), &lines(new)).expect("few lines");
        assert_eq!(got.into_iter().map(|h| (h.old, h.new)).collect::<Vec<_>>(), want, "{old} -> {new}");
    }

    #[test]
    fn changes_are_told_apart_by_what_stays() {
        check("a b c", "a b c", &[]);
        check("a b c", "a x c", &[(1..2, 1..2)]);
        check("a b c", "a c", &[(1..2, 1..1)]);
        check("a c", "a b c", &[(1..1, 1..2)]);
        check("a b c d", "x b c y", &[(0..1, 0..1), (3..4, 3..4)]);
    }

    #[test]
    fn a_line_may_stay_where_another_shortest_change_keeps_it() {
        let (old, new) = (lines("k }"), lines("k } x }"));
        let readings = Readings::new(&old, &new).expect("few lines");
        assert_eq!([readings.may_stay(1, 1), readings.may_stay(1, 3)], [true, true]);
        let (old, new) = (lines("k s z"), lines("s k s z"));
        let readings = Readings::new(&old, &new).expect("few lines");
        assert_eq!([readings.may_stay(1, 0), readings.may_stay(1, 2)], [false, true]);
    }

    #[test]
    fn what_is_too_long_is_not_compared() {
        let (old, new): (Vec<_>, Vec<_>) =
            ((0..3_000).map(|i| format!("a{i}")).collect(), (0..3_000).map(|i| format!("b{i}")).collect());
        let refs = |lines: &'_ [String]| lines.iter().map(|line| line.as_bytes().to_vec()).collect::<Vec<_>>();
        let (old, new) = (refs(&old), refs(&new));
        let (old, new): (Vec<&[u8]>, Vec<&[u8]>) =
            (old.iter().map(|l| &l[..]).collect(), new.iter().map(|l| &l[..]).collect());
        assert!(changes(&old, &new).is_none() && Readings::new(&old, &new).is_none());
    }
}
