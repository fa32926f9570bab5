//! Which bytes of one text are the same bytes in another: by lines, then by words inside changed lines.
//!
//! Owns the alignment of two versions of a file. Does not decide what may be done with it (that is `carry/`).
//! Invariant of [`Alignment`]: its blocks are sorted, disjoint and not empty in both texts, two blocks never touch in
//! both texts at once, and the bytes of each block are equal.

use crate::text::{common_ends, common_prefix, common_suffix, line_start, next_line, split_lines, starts_line};
use similar::{Algorithm, DiffOp};
use std::collections::HashMap;
use std::ops::Range;

/// The largest changed region that is looked at word by word, in words of both texts; beyond it only whole lines count.
const MAX_WORDS: usize = 20_000;

/// Which way ties are broken: equal lines that stand next to each other can be told apart in more than one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lean {
    /// Changes lie as early in the text as they can.
    Early,
    /// Changes lie as late in the text as they can.
    Late,
}

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
    pub fn new(from: &[u8], to: &[u8], lean: Lean) -> Self {
        let mut blocks = Builder::default();
        let (prefix, suffix) = common_lines(from, to, lean);
        blocks.push(0, 0, prefix);
        let both = Pair { from, to, at_from: 0, at_to: 0 };
        align_lines(both.part(prefix..from.len() - suffix, prefix..to.len() - suffix), lean, &mut blocks);
        blocks.push(from.len() - suffix, to.len() - suffix, suffix);
        let mut blocks = blocks.0;
        slide(&mut blocks, from, to, lean);
        Self { blocks }
    }

    /// Where the byte at `at` is in the other text.
    pub fn byte(&self, at: usize) -> Option<usize> {
        let block = self.block_at(at)?;
        Some(block.to + (at - block.from))
    }

    /// Where the bytes of a range that is not empty are in the other text, if all of them are there, side by side.
    pub fn range(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let block = self.block_at(range.start)?;
        let start = block.to + (range.start - block.from);
        (range.end <= block.from + block.len).then(|| start..start + range.len())
    }

    /// Whether the bytes of `range`, which stand in both texts, could just as well be others: what stands between them
    /// and the next change occurs once more in that change.
    pub fn is_chance(&self, range: &Range<usize>, from: &[u8], to: &[u8]) -> bool {
        let index = self.blocks.partition_point(|b| b.from + b.len <= range.start);
        let Some(block) = self.blocks.get(index) else { return false };
        let line = line_start(from, range.start);
        let start = line.max(block.from);
        let line_end = next_line(from, range.end);
        let ends_line = range.end > range.start && starts_line(from, range.end);
        let end = if ends_line { range.end } else { line_end.min(block.from + block.len) };
        let (tail, head) = (&from[start..block.from + block.len], &from[block.from..end]);
        let next = self.blocks.get(index + 1).map_or((from.len(), to.len()), |b| (b.from, b.to));
        let last = index.checked_sub(1).map_or((0, 0), |i| {
            let b = self.blocks[i];
            (b.from + b.len, b.to + b.len)
        });
        let of_tail = if start == line { Unit::Lines } else { Unit::Bytes };
        let of_head = if end == line_end || ends_line { Unit::Lines } else { Unit::Bytes };
        occurs(tail, &from[block.from + block.len..next.0], of_tail)
            || occurs(tail, &to[block.to + block.len..next.1], of_tail)
            || occurs(head, &from[last.0..block.from], of_head)
            || occurs(head, &to[last.1..block.to], of_head)
    }

    /// The smallest region of the other text that what became of `range` must lie in.
    pub fn region(&self, range: &Range<usize>, to_len: usize) -> Range<usize> {
        let before = self.blocks.partition_point(|b| b.from < range.start).checked_sub(1).map(|i| self.blocks[i]);
        let start = before.map_or(0, |b| b.to + b.len.min(range.start - b.from));
        let after = self.blocks.iter().find(|b| b.from + b.len > range.end);
        let end = after.map_or(to_len, |b| b.to + range.end.saturating_sub(b.from));
        start..end.max(start)
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

/// Whether `part` occurs in `text`; where it is made of whole lines, only as such.
fn occurs(part: &[u8], text: &[u8], unit: Unit) -> bool {
    if part.is_empty() {
        return false;
    }
    let mut found = memchr::memmem::find_iter(text, part);
    match unit {
        Unit::Lines => found.any(|at| starts_line(text, at)),
        Unit::Bytes => found.next().is_some(),
    }
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
fn common_lines(a: &[u8], b: &[u8], lean: Lean) -> (usize, usize) {
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
    match lean {
        Lean::Late => {
            let prefix = prefix_of(shorter);
            (prefix, suffix_of(shorter - prefix))
        }
        Lean::Early => {
            let suffix = suffix_of(shorter);
            (prefix_of(shorter - suffix), suffix)
        }
    }
}

/// One step of a diff: equal parts, or parts of which at least one text has something.
enum Step {
    Same(usize, usize, usize),
    Other(Range<usize>, Range<usize>),
}

/// The diff of two lists of parts; leaning late is the mirror image of leaning early, so ties break the other way.
fn diff_parts(a: &[&[u8]], b: &[&[u8]], lean: Lean) -> Vec<Step> {
    let mut names = HashMap::new();
    let mut number = |part| {
        let next = names.len();
        *names.entry(part).or_insert(next)
    };
    let mut x: Vec<usize> = a.iter().map(|part| number(*part)).collect();
    let mut y: Vec<usize> = b.iter().map(|part| number(*part)).collect();
    let mirrored = lean == Lean::Early;
    if mirrored {
        x.reverse();
        y.reverse();
    }
    let algorithm = if mirrored { Algorithm::Histogram } else { Algorithm::Myers };
    let mut steps = Vec::new();
    for op in similar::capture_diff_slices(algorithm, &x, &y) {
        let (mut old, mut new) = (op.old_range(), op.new_range());
        if mirrored {
            old = a.len() - old.end..a.len() - old.start;
            new = b.len() - new.end..b.len() - new.start;
        }
        steps.push(match op {
            DiffOp::Equal { len, .. } => Step::Same(old.start, new.start, len),
            _ => Step::Other(old, new),
        });
    }
    if mirrored {
        steps.reverse();
    }
    steps
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
    lean: Lean,
    blocks: &mut Builder,
    split: fn(&Pair<'t>) -> Option<(Parts<'t>, Parts<'t>)>,
    finer: fn(Pair<'t>, Lean, &mut Builder),
) {
    let Some((parts_from, parts_to)) = split(&pair) else { return };
    let (from, to) = (starts(&parts_from), starts(&parts_to));
    for step in diff_parts(&parts_from, &parts_to, lean) {
        match step {
            Step::Same(i, j, len) => blocks.push(pair.at_from + from[i], pair.at_to + to[j], from[i + len] - from[i]),
            Step::Other(i, j) => {
                finer(pair.part(from[i.start]..from[i.end], to[j.start]..to[j.end]), lean, blocks);
            }
        }
    }
}

fn align_lines(pair: Pair<'_>, lean: Lean, blocks: &mut Builder) {
    align_parts(pair, lean, blocks, both_lines, align_words);
}

fn align_words(pair: Pair<'_>, lean: Lean, blocks: &mut Builder) {
    align_parts(pair, lean, blocks, both_words, align_ends);
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
fn align_ends(Pair { from: a, to: b, at_from, at_to }: Pair<'_>, lean: Lean, blocks: &mut Builder) {
    let shorter = a.len().min(b.len());
    let (prefix, suffix) = match lean {
        Lean::Late => common_ends(a, b),
        Lean::Early => {
            let suffix = common_suffix(a, b);
            (common_prefix(&a[..shorter - suffix], &b[..shorter - suffix]), suffix)
        }
    };
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

/// Moves every pure insertion or deletion as far as it goes to one side.
fn slide(blocks: &mut Vec<Block>, from: &[u8], to: &[u8], lean: Lean) {
    let pairs = blocks.len().saturating_sub(1);
    for step in 0..pairs {
        let i = if lean == Lean::Early { step } else { pairs - 1 - step };
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
        match lean {
            Lean::Early => {
                let by = back(text, &gap, left.len.min(gap.start), unit);
                blocks[i].len -= by;
                let right = &mut blocks[i + 1];
                (right.from, right.to, right.len) = (right.from - by, right.to - by, right.len + by);
            }
            Lean::Late => {
                let by = on(text, &gap, right.len, unit);
                blocks[i].len += by;
                let right = &mut blocks[i + 1];
                (right.from, right.to, right.len) = (right.from + by, right.to + by, right.len - by);
            }
        }
    }
    blocks.retain(|block| block.len > 0);
    let mut joined = Builder::default();
    blocks.drain(..).for_each(|block| joined.push(block.from, block.to, block.len));
    *blocks = joined.0;
}

/// How far a gap can move towards the start: while the bytes that it takes in equal those that it gives up.
fn back(text: &[u8], gap: &Range<usize>, most: usize, unit: Unit) -> usize {
    let alike = |k: &usize| text[gap.start - 1 - k] == text[gap.end - 1 - k];
    match unit {
        Unit::Lines => {
            let reach = (0..most).take_while(alike).count();
            (1..=reach).rev().find(|&k| gap.start == k || text[gap.start - 1 - k] == b'\n').unwrap_or(0)
        }
        Unit::Bytes => (0..most).take_while(|k| text[gap.start - 1 - k] != b'\n' && alike(k)).count(),
    }
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

    fn shown(from: &str, to: &str, lean: Lean) -> Vec<String> {
        Alignment::new(from.as_bytes(), to.as_bytes(), lean).runs().map(|(a, _)| from[a].to_owned()).collect()
    }

    #[test]
    fn lines_are_aligned_first_and_words_inside_changed_lines() {
        for lean in [Lean::Early, Lean::Late] {
            assert_eq!(shown("a\nlet x = 1;\nb\n", "a\nlet y = 1;\nb\n", lean), ["a\nlet ", " = 1;\nb\n"]);
            assert_eq!(shown("counts\n", "my_counts\n", lean), ["counts\n"]);
        }
    }

    #[test]
    fn ties_are_broken_both_ways() {
        let places = |lean| Alignment::new(b"a\na\nb\n", b"a\nb\n", lean).runs().collect::<Vec<_>>();
        assert_eq!(places(Lean::Early), [(2..6, 0..4)]);
        assert_eq!(places(Lean::Late), [(0..2, 0..2), (4..6, 2..4)]);
    }

    #[test]
    fn a_range_is_found_only_where_all_of_it_stands_together() {
        let alignment = Alignment::new(b"one two three\n", b"one 2 two three\n", Lean::Late);
        assert_eq!(alignment.range(&(4..7)), Some(6..9));
        assert_eq!(alignment.range(&(0..7)), None);
        assert_eq!(alignment.region(&(0..7), 16), 0..9);
    }

    proptest! {
        #[test]
        fn blocks_are_equal_in_both_texts_sorted_and_disjoint(
            from in "[ab\n ]{0,40}", to in "[ab\n ]{0,40}", late: bool,
        ) {
            let lean = if late { Lean::Late } else { Lean::Early };
            let (mut at_from, mut at_to) = (0, 0);
            for (a, b) in Alignment::new(from.as_bytes(), to.as_bytes(), lean).runs() {
                prop_assert!(a.start >= at_from && b.start >= at_to && !a.is_empty());
                prop_assert_eq!(&from[a.clone()], &to[b.clone()]);
                (at_from, at_to) = (a.end, b.end);
            }
        }

        #[test]
        fn equal_texts_are_one_block(text in "[ab\n ]{1,40}") {
            let alignment = Alignment::new(text.as_bytes(), text.as_bytes(), Lean::Early);
            prop_assert_eq!(alignment.range(&(0..text.len())), Some(0..text.len()));
        }
    }
}
