//! Which bytes of one text are the same bytes in another: by lines, then by words inside changed lines.
//!
//! Owns the alignment of two versions of a file, for showing what became of what. Nothing is written by it: it is one
//! reading of several (that is proven in `take_back`).
//! Invariant of [`Alignment`]: its blocks are sorted, disjoint and not empty in both texts, two blocks never touch in
//! both texts at once, and the bytes of each block are equal.

use crate::text::{common_ends, common_prefix, common_suffix, line_start, next_line, split_lines, starts_line};
use similar::{Algorithm, DiffOp};
use std::collections::HashMap;
use std::ops::Range;

/// The largest changed region that is looked at word by word, in words of both texts; beyond it only whole lines count.
const MAX_WORDS: usize = 20_000;

/// A run of equal bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    from: usize,
    to: usize,
    len: usize,
}

/// The runs of bytes that two texts share, in order.
#[derive(Debug, Clone)]
pub struct Alignment {
    blocks: Vec<Block>,
}

impl Alignment {
    /// Aligns two texts.
    pub fn new(from: &[u8], to: &[u8]) -> Self {
        let mut blocks = Builder::default();
        let (prefix, suffix) = common_lines(from, to);
        blocks.push(0, 0, prefix);
        let both = Pair { from, to, at_from: 0, at_to: 0 };
        align_lines(both.part(prefix..from.len() - suffix, prefix..to.len() - suffix), &mut blocks);
        blocks.push(from.len() - suffix, to.len() - suffix, suffix);
        let mut blocks = blocks.0;
        slide(&mut blocks, from, to);
        Self { blocks }
    }

    /// Where the bytes of a range that is not empty are in the other text, if all of them are there, side by side.
    pub fn range(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let block = self.block_at(range.start)?;
        let start = block.to + (range.start - block.from);
        (range.end <= block.from + block.len).then(|| start..start + range.len())
    }

    /// The equal runs, as ranges of both texts.
    pub fn runs(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + '_ {
        self.blocks.iter().map(|b| (b.from..b.from + b.len, b.to..b.to + b.len))
    }

    fn block_at(&self, at: usize) -> Option<&Block> {
        let index = self.blocks.partition_point(|b| b.from + b.len <= at);
        self.blocks.get(index).filter(|b| b.from <= at)
    }
}

/// What a part of a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Bytes,
    Lines,
}

/// Collects blocks in order, and joins those that touch.
#[derive(Default)]
struct Builder(Vec<Block>);

impl Builder {
    fn push(&mut self, from: usize, to: usize, len: usize) {
        if len == 0 {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.from + last.len == from && last.to + last.len == to => last.len += len,
            _ => self.0.push(Block { from, to, len }),
        }
    }
}

/// The lengths of the equal lines at both ends, in whole lines.
fn common_lines(a: &[u8], b: &[u8]) -> (usize, usize) {
    let from_line = |len: usize| {
        let start = a.len() - len;
        // The suffix begins a line in both texts only where both have a line ending right before it.
        if start == 0 && len == b.len() { len } else { a.len() - next_line(a, start) }
    };
    let prefix_of = |limit: usize| {
        let len = common_prefix(&a[..limit], &b[..limit]);
        if len == a.len() && len == b.len() { len } else { line_start(a, len) }
    };
    let suffix_of = |limit: usize| from_line(common_suffix(&a[a.len() - limit..], &b[b.len() - limit..]));
    let shorter = a.len().min(b.len());
    let prefix = prefix_of(shorter);
    (prefix, suffix_of(shorter - prefix))
}

/// One step of a diff: equal parts, or parts of which at least one text has something.
enum Step {
    Same(usize, usize, usize),
    Other(Range<usize>, Range<usize>),
}

/// The diff of two lists of parts.
fn diff_parts(a: &[&[u8]], b: &[&[u8]]) -> Vec<Step> {
    let mut names = HashMap::new();
    let mut number = |part| {
        let next = names.len();
        *names.entry(part).or_insert(next)
    };
    let x: Vec<usize> = a.iter().map(|part| number(*part)).collect();
    let y: Vec<usize> = b.iter().map(|part| number(*part)).collect();
    similar::capture_diff_slices(Algorithm::Myers, &x, &y)
        .into_iter()
        .map(|op| match op {
            DiffOp::Equal { old_index, new_index, len } => Step::Same(old_index, new_index, len),
            op => Step::Other(op.old_range(), op.new_range()),
        })
        .collect()
}

/// Where each part starts, and where the last one ends.
fn starts(parts: &[&[u8]]) -> Vec<usize> {
    let mut at = 0;
    let mut out = Vec::with_capacity(parts.len() + 1);
    out.push(0);
    for part in parts {
        at += part.len();
        out.push(at);
    }
    out
}

/// A part of both texts, and where it starts in them.
#[derive(Debug, Clone, Copy)]
struct Pair<'t> {
    from: &'t [u8],
    to: &'t [u8],
    at_from: usize,
    at_to: usize,
}

impl<'t> Pair<'t> {
    fn part(&self, from: Range<usize>, to: Range<usize>) -> Self {
        let (at_from, at_to) = (self.at_from + from.start, self.at_to + to.start);
        Self { from: &self.from[from], to: &self.to[to], at_from, at_to }
    }
}

/// The parts that a text is compared by.
type Parts<'t> = Vec<&'t [u8]>;

/// Aligns a pair by the parts that `split` makes of its texts, if it does; what differs is handed to `finer`.
fn align_parts<'t>(
    pair: Pair<'t>,
    blocks: &mut Builder,
    split: fn(&Pair<'t>) -> Option<(Parts<'t>, Parts<'t>)>,
    finer: fn(Pair<'t>, &mut Builder),
) {
    let Some((parts_from, parts_to)) = split(&pair) else { return };
    let (from, to) = (starts(&parts_from), starts(&parts_to));
    for step in diff_parts(&parts_from, &parts_to) {
        match step {
            Step::Same(i, j, len) => blocks.push(pair.at_from + from[i], pair.at_to + to[j], from[i + len] - from[i]),
            Step::Other(i, j) => {
                finer(pair.part(from[i.start]..from[i.end], to[j.start]..to[j.end]), blocks);
            }
        }
    }
}

fn align_lines(pair: Pair<'_>, blocks: &mut Builder) {
    align_parts(pair, blocks, both_lines, align_words);
}

fn align_words(pair: Pair<'_>, blocks: &mut Builder) {
    align_parts(pair, blocks, both_words, align_ends);
}

fn both_lines<'t>(pair: &Pair<'t>) -> Option<(Parts<'t>, Parts<'t>)> {
    Some((split_lines(pair.from).collect(), split_lines(pair.to).collect()))
}

/// The words of both texts; `None` where one of them has none, or they are too many.
fn both_words<'t>(pair: &Pair<'t>) -> Option<(Parts<'t>, Parts<'t>)> {
    if pair.from.is_empty() || pair.to.is_empty() {
        return None;
    }
    let (from, to) = (words(pair.from), words(pair.to));
    (from.len() + to.len() <= MAX_WORDS).then_some((from, to))
}

/// Inside changed words only what is equal at their ends counts: anything else would be chance.
fn align_ends(Pair { from: a, to: b, at_from, at_to }: Pair<'_>, blocks: &mut Builder) {
    let (prefix, suffix) = common_ends(a, b);
    blocks.push(at_from, at_to, prefix);
    blocks.push(at_from + a.len() - suffix, at_to + b.len() - suffix, suffix);
}

/// Runs of letters and digits, runs of blanks, line endings, and every other byte by itself.
fn words(text: &[u8]) -> Vec<&[u8]> {
    fn class(byte: u8) -> u8 {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80.. => 1,
            b' ' | b'\t' => 2,
            _ => 0,
        }
    }
    text.chunk_by(|&a, &b| class(a) == class(b) && class(a) != 0).collect()
}

/// Moves every pure insertion or deletion as far down as it goes: where equal lines stand next to each other, a change can
/// be read in more than one way.
fn slide(blocks: &mut Vec<Block>, from: &[u8], to: &[u8]) {
    for i in (0..blocks.len().saturating_sub(1)).rev() {
        let (left, right) = (blocks[i], blocks[i + 1]);
        let gap_from = left.from + left.len..right.from;
        let gap_to = left.to + left.len..right.to;
        let (text, gap) = match (gap_from.is_empty(), gap_to.is_empty()) {
            (true, false) => (to, gap_to),
            (false, true) => (from, gap_from),
            _ => continue,
        };
        // Whole lines move by whole lines, anything else within its line: a line's ending belongs to that line.
        let unit = if starts_line(text, gap.start) && text[gap.end - 1] == b'\n' { Unit::Lines } else { Unit::Bytes };
        let by = on(text, &gap, right.len, unit);
        blocks[i].len += by;
        let right = &mut blocks[i + 1];
        (right.from, right.to, right.len) = (right.from + by, right.to + by, right.len - by);
    }
    blocks.retain(|block| block.len > 0);
    let mut joined = Builder::default();
    blocks.drain(..).for_each(|block| joined.push(block.from, block.to, block.len));
    *blocks = joined.0;
}

/// How far a gap can move towards the end.
fn on(text: &[u8], gap: &Range<usize>, most: usize, unit: Unit) -> usize {
    let alike = |k: &usize| text[gap.start + k] == text[gap.end + k];
    match unit {
        Unit::Lines => {
            let reach = (0..most).take_while(alike).count();
            (1..=reach).rev().find(|&k| text[gap.end + k - 1] == b'\n').unwrap_or(0)
        }
        Unit::Bytes => (0..most).take_while(|k| text[gap.start + k] != b'\n' && alike(k)).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(from: &str, to: &str) -> Vec<String> {
        Alignment::new(from.as_bytes(), to.as_bytes()).runs().map(|(a, _)| from[a].to_owned()).collect()
    }

    #[test]
    fn lines_are_aligned_first_and_words_inside_changed_lines() {
        assert_eq!(shown("a\nlet x = 1;\nb\n", "a\nlet y = 1;\nb\n"), ["a\nlet ", " = 1;\nb\n"]);
        assert_eq!(shown("counts\n", "my_counts\n"), ["counts\n"]);
    }

    #[test]
    fn of_equal_lines_the_last_is_the_one_that_changed() {
        let places = |a: &[u8], b: &[u8]| Alignment::new(a, b).runs().collect::<Vec<_>>();
        assert_eq!(places(b"a\na\nb\n", b"a\nb\n"), [(0..2, 0..2), (4..6, 2..4)]);
    }

    #[test]
    fn a_range_is_found_only_where_all_of_it_stands_together() {
        let alignment = Alignment::new(b"one two three\n", b"one 2 two three\n");
        assert_eq!(alignment.range(&(4..7)), Some(6..9));
        assert_eq!(alignment.range(&(0..7)), None);
    }

    proptest! {
        #[test]
        fn blocks_are_equal_in_both_texts_sorted_and_disjoint(
            from in "[ab\n ]{0,40}", to in "[ab\n ]{0,40}",
        ) {
            let (mut at_from, mut at_to) = (0, 0);
            for (a, b) in Alignment::new(from.as_bytes(), to.as_bytes()).runs() {
                prop_assert!(a.start >= at_from && b.start >= at_to && !a.is_empty());
                prop_assert_eq!(&from[a.clone()], &to[b.clone()]);
                (at_from, at_to) = (a.end, b.end);
            }
        }

        #[test]
        fn equal_texts_are_one_block(text in "[ab\n ]{1,40}") {
            let alignment = Alignment::new(text.as_bytes(), text.as_bytes());
            prop_assert_eq!(alignment.range(&(0..text.len())), Some(0..text.len()));
        }
    }
}
