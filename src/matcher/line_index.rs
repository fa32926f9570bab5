//! The lines of a text, and where each of them stands.
//!
//! Owns how lines are found: one by one where few are asked for, else by tables that are made once. Does not choose.

use super::exact;
use super::fold;
use crate::text::{BOM, LfText, split_lines};
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::ops::Range;

/// For so many questions it is as well to look at every line.
const FEW: usize = 8;

/// Old texts that are longer, in bytes, are searched in the text itself: comparing them at each place of one line would take too long.
const LONG: usize = 4096;

/// Of lines with more places than this, no more are kept.
pub const MOST_PLACES: usize = 10_000;

/// The lines of a text that has LF only; numbers are 0-based.
pub struct LineIndex<'t> {
    text: &'t LfText<'t>,
    bytes: &'t [u8],
    /// Where each starts.
    starts: Vec<usize>,
    body_start: usize,
    is_few: bool,
    same: OnceCell<HashMap<&'t [u8], Vec<usize>>>,
    alike: OnceCell<HashMap<Vec<u8>, Vec<usize>>>,
    /// Of each line, where its block ends, once that was asked for; [`UNKNOWN`] before.
    ends: OnceCell<Vec<Cell<usize>>>,
}

/// No line has this number.
const UNKNOWN: usize = usize::MAX;

/// Where some lines stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stands {
    /// The first [`MOST_PLACES`], in bytes, in order.
    pub places: Vec<Range<usize>>,
    /// How many there are, or one more than are kept.
    pub count: usize,
}

impl<'t> LineIndex<'t> {
    /// The lines behind `body_start`, for so many questions.
    pub fn new(text: &'t LfText<'t>, body_start: usize, questions: usize) -> Self {
        let bytes = text.bytes();
        let mut starts = vec![body_start];
        starts.extend(
            memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).filter(|&at| at < bytes.len() && at > body_start),
        );
        let is_few = questions <= FEW;
        Self {
            text,
            bytes,
            starts,
            body_start,
            is_few,
            same: OnceCell::new(),
            alike: OnceCell::new(),
            ends: OnceCell::new(),
        }
    }

    /// The text.
    pub fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// Where the first line begins.
    pub fn body_start(&self) -> usize {
        self.body_start
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        if self.bytes.len() == self.body_start { 0 } else { self.starts.len() }
    }

    /// The line that starts at `offset`, or holds it; behind the last one's newline, the number of lines.
    pub fn number(&self, offset: usize) -> usize {
        let is_behind = offset == self.bytes.len() && (offset == self.body_start || self.bytes.ends_with(b"\n"));
        if is_behind { self.count() } else { self.starts.partition_point(|&start| start <= offset).saturating_sub(1) }
    }

    /// Where a line starts; the end of the text, for those behind the last.
    pub fn start(&self, number: usize) -> usize {
        self.starts.get(number).copied().filter(|_| number < self.count()).unwrap_or(self.bytes.len())
    }

    /// A line without its newline.
    pub fn line(&self, number: usize) -> &'t [u8] {
        let line = &self.bytes[self.starts[number]..self.start(number + 1)];
        line.strip_suffix(b"\n").unwrap_or(line)
    }

    /// Whether a line starts here.
    pub fn is_start(&self, offset: usize) -> bool {
        offset == 0 || offset == self.body_start || self.bytes[..offset].ends_with(b"\n")
    }

    /// The lines that read so.
    pub fn same(&self, wanted: &[u8]) -> Vec<usize> {
        if self.is_few {
            return (0..self.count()).filter(|&line| self.line(line) == wanted).collect();
        }
        self.table().get(wanted).cloned().unwrap_or_default()
    }

    /// The lines that read so but for white space around and typography.
    pub fn alike(&self, wanted: &[u8]) -> Vec<usize> {
        let wanted = fold::outer(wanted);
        if self.is_few {
            return (0..self.count()).filter(|&line| fold::outer(self.line(line)) == wanted).collect();
        }
        let all = || {
            let mut all: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
            (0..self.count())
                .for_each(|line| all.entry(fold::outer(self.line(line)).into_owned()).or_default().push(line));
            all
        };
        self.alike.get_or_init(all).get(&*wanted).cloned().unwrap_or_default()
    }

    fn table(&self) -> &HashMap<&'t [u8], Vec<usize>> {
        self.same.get_or_init(|| {
            let mut all: HashMap<&[u8], Vec<usize>> = HashMap::new();
            (0..self.count()).for_each(|line| all.entry(self.line(line)).or_default().push(line));
            all
        })
    }

    /// These lines, where they stand at the line with this number.
    pub fn stand_at(&self, lines: &[u8], number: usize) -> Option<Range<usize>> {
        self.start_at(lines, self.start(number)).filter(|_| number < self.count())
    }

    fn start_at(&self, lines: &[u8], start: usize) -> Option<Range<usize>> {
        let end = start + lines.len();
        let is_there = self.bytes[start..].starts_with(lines);
        (is_there && (end == self.bytes.len() || self.bytes[..end].ends_with(b"\n"))).then_some(start..end)
    }

    /// All places of these lines, whole ones.
    pub fn stands(&self, lines: &[u8]) -> Stands {
        let mut found = Stands::default();
        let mut add = |place: Option<Range<usize>>| {
            if let Some(place) = place {
                found.count += 1;
                found.places.extend(Some(place).filter(|_| found.count <= MOST_PLACES));
            }
            found.count <= MOST_PLACES
        };
        if self.is_few || lines.len() > LONG || lines.starts_with(BOM) {
            let at = |start: usize| self.start_at(lines, start).filter(|_| self.is_start(start));
            exact::each_start(self.text, lines, |start| add(at(start)));
            return found;
        }
        let all = split_lines(lines).enumerate().map(|(n, line)| {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            (n, self.table().get(line).map_or(&[][..], |numbers| &numbers[..]))
        });
        let (n, rarest) = all.min_by_key(|(_, numbers)| numbers.len()).unwrap_or((0, &[]));
        let mut firsts = rarest.iter().filter_map(|number| number.checked_sub(n));
        let _ = firsts.all(|number| add(self.stand_at(lines, number)));
        found
    }

    /// The lines that stand in a block which one of `heads` opens, in order; `heads` are in order, too.
    pub fn blocks(&self, heads: &[usize]) -> Vec<Range<usize>> {
        let mut blocks: Vec<Range<usize>> = Vec::new();
        // How deep the line is indented that opens the block which reaches furthest.
        let mut outer = 0;
        for &head in heads {
            let inside = blocks.last().is_some_and(|block| head < block.end);
            // A block within one that is indented no deeper ends no later.
            if inside && self.depth(head) >= outer {
                continue;
            }
            outer = self.depth(head);
            let end = self.end_of_block(head);
            match blocks.last_mut().filter(|block| head < block.end) {
                Some(block) => block.end = block.end.max(end),
                None => blocks.push(head + 1..end),
            }
        }
        blocks
    }

    fn depth(&self, line: usize) -> usize {
        fold::indent(self.line(line)).len()
    }

    /// The first line behind `head` that is indented no deeper, and is no more than a closing bracket's.
    fn end_of_block(&self, head: usize) -> usize {
        let known = &self.ends.get_or_init(|| vec![Cell::new(UNKNOWN); self.count()])[head];
        if known.get() != UNKNOWN {
            return known.get();
        }
        let is_blank = |line: usize| self.line(line).trim_ascii().is_empty();
        let own = self.depth(head);
        let is_outside = |&line: &usize| {
            let begins_inside = matches!(self.line(line).trim_ascii().first(), Some(b'{' | b'}' | b')' | b']'));
            !is_blank(line) && self.depth(line) <= own && !begins_inside
        };
        known.set((head + 1..self.count()).find(is_outside).unwrap_or(self.count()));
        known.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tables_find_what_looking_at_every_line_finds(
            text in "[ab ]{0,2}(\n[ab ]{0,2}){0,12}",
            wanted in "([ab ]{0,2}\n){1,3}",
        ) {
            let text = LfText::new(text.as_bytes());
            let (one, other) = (LineIndex::new(&text, 0, 1), LineIndex::new(&text, 0, 100));
            prop_assert_eq!(one.stands(wanted.as_bytes()), other.stands(wanted.as_bytes()));
            let line = wanted.lines().next().unwrap_or_default().as_bytes();
            prop_assert_eq!(one.same(line), other.same(line));
            prop_assert_eq!(one.alike(line), other.alike(line));
        }
    }

    proptest! {
        #[test]
        fn a_line_is_in_the_blocks_where_it_is_in_one_of_them(
            text in "( {0,3}[ab}{]?\n){0,14}",
            wanted in "[ab}]",
        ) {
            let text = LfText::new(text.as_bytes());
            let lines = LineIndex::new(&text, 0, 1);
            let heads = lines.alike(wanted.as_bytes());
            let blocks = lines.blocks(&heads);
            prop_assert!(blocks.is_sorted_by_key(|block| block.start));
            for line in 0..lines.count() {
                let one_by_one = heads.iter().any(|&head| head < line && line < lines.end_of_block(head));
                prop_assert_eq!(blocks.iter().any(|block| block.contains(&line)), one_by_one, "line {}", line);
            }
        }
    }

    #[test]
    fn the_number_of_an_offset_is_that_of_its_line() {
        for (text, want) in [("a\nb\n", vec![0, 0, 1, 1, 2]), ("a\nb", vec![0, 0, 1, 1]), ("", vec![0])] {
            let text = LfText::new(text.as_bytes());
            let lines = LineIndex::new(&text, 0, 1);
            assert_eq!((0..=text.bytes().len()).map(|at| lines.number(at)).collect::<Vec<_>>(), want);
        }
    }

    #[test]
    fn a_blank_line_and_a_bracket_end_no_block() {
        let check = |text: &str, want: Range<usize>| {
            let text = LfText::new(text.as_bytes());
            assert_eq!(LineIndex::new(&text, 0, 1).blocks(&[0]), [want]);
        };
        check("def a():\n  x\n\n  y\ndef b():\n  y\n", 1..4);
        check("a()\n{\n  x\n}\n\nb()\n", 1..5);
        check("def a():\n\n  \n", 1..3);
    }
}
