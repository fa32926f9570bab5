//! Texts as lists of numbered units: lines at first, tokens inside of edited lines.
//!
//! Owns the numbering, the counts and the search for a run of units. Does not know what a hunk is.
//! Invariant: equal units have equal numbers in all texts of one [`Trio`]; a text's `starts` are the byte offsets of its
//! units and, at the end, of its end.

use crate::text::{PieceMap, has_word};
use std::ops::Range;

/// Numbers units in the order in which they are met.
struct Numbers<'a> {
    known: PieceMap<'a, u32>,
    kinds: Vec<Kind<'a>>,
}

/// What is known of a unit by its number.
struct Kind<'a> {
    unit: &'a [u8],
    has_word: bool,
    is_blank: bool,
}

impl<'a> Numbers<'a> {
    fn of(&mut self, unit: &'a [u8]) -> u32 {
        let next = self.kinds.len() as u32;
        let id = *self.known.entry(unit).or_insert(next);
        if id == next {
            let is_blank = unit.iter().all(u8::is_ascii_whitespace);
            self.kinds.push(Kind { unit, has_word: has_word(unit), is_blank });
        }
        id
    }
}

/// One text, or a run of its lines, as units.
pub(super) struct Units<'a> {
    bytes: &'a [u8],
    ids: Vec<u32>,
    starts: Vec<usize>,
    /// By number: how often it stands here, and where it stands last.
    counts: Vec<(u32, u32)>,
}

impl<'a> Units<'a> {
    /// Cuts a part into units; where its ends are those of `like`, they are known without being looked up.
    fn new(part: &Part<'a>, ends: Vec<usize>, like: Option<&Self>, numbers: &mut Numbers<'a>) -> Self {
        let from = part.range.start;
        let starts: Vec<usize> = std::iter::once(from).chain(ends.into_iter().map(|end| from + end)).collect();
        let mut text = Self { bytes: part.text, ids: Vec::new(), starts, counts: Vec::new() };
        let len = text.starts.len() - 1;
        let (mut head, mut tail) = (0, 0);
        if let Some(like) = like {
            let most = len.min(like.len());
            head = (0..most).take_while(|&n| text.unit(n) == like.unit(n)).count();
            tail = (1..=most - head).take_while(|n| text.unit(len - n) == like.unit(like.len() - n)).count();
            text.ids.extend(like.run(0..head));
        }
        text.ids.reserve(len - head);
        // Where the other text goes on as this one, its units need not be looked up; where it does not, one that stands there once tells where.
        let mut beside = head;
        for at in head..len - tail {
            let unit = text.unit(at);
            let same = like.filter(|like| beside < like.len() && like.unit(beside) == unit);
            let id = same.and_then(|like| like.id(beside)).unwrap_or_else(|| numbers.of(unit));
            text.ids.push(id);
            beside = match (same, like) {
                (Some(_), _) => beside + 1,
                (None, Some(like)) if like.count(id) == 1 => like.last(id).map_or(beside, |last| last + 1),
                (None, _) => beside,
            };
        }
        text.ids.extend(like.map_or(&[][..], |like| like.run(like.len() - tail..like.len())));
        text.count_all(numbers.kinds.len());
        text
    }

    fn count_all(&mut self, kinds: usize) {
        self.counts = vec![(0, 0); kinds];
        for (at, &id) in self.ids.iter().enumerate() {
            if let Some(entry) = self.counts.get_mut(id as usize) {
                *entry = (entry.0 + 1, at as u32);
            }
        }
    }

    /// How many units there are.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The number of a unit.
    pub(super) fn id(&self, at: usize) -> Option<u32> {
        self.ids.get(at).copied()
    }

    /// All numbers.
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The numbers of a run of units; what is outside of the text is left out.
    pub(super) fn run(&self, range: Range<usize>) -> &[u32] {
        let end = range.end.min(self.ids.len());
        self.ids.get(range.start.min(end)..end).unwrap_or_default()
    }

    /// How often a unit stands in this text.
    pub(super) fn count(&self, id: u32) -> u32 {
        self.counts.get(id as usize).map_or(0, |entry| entry.0)
    }

    /// Where a unit stands last.
    pub(super) fn last(&self, id: u32) -> Option<usize> {
        self.counts.get(id as usize).filter(|entry| entry.0 > 0).map(|entry| entry.1 as usize)
    }

    /// The bytes that a run of units takes in the whole text.
    pub(super) fn span(&self, range: &Range<usize>) -> Range<usize> {
        let end = self.end();
        let at = |n: usize| self.starts.get(n).copied().unwrap_or(end);
        at(range.start)..at(range.end.max(range.start))
    }

    /// The bytes of a run of units.
    pub(super) fn text(&self, range: &Range<usize>) -> &'a [u8] {
        self.bytes.get(self.span(range)).unwrap_or_default()
    }

    /// The bytes of one unit.
    pub(super) fn unit(&self, at: usize) -> &'a [u8] {
        self.text(&(at..at + 1))
    }

    /// The whole text.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Bytes of the whole text.
    pub(super) fn bytes_in(&self, range: &Range<usize>) -> &'a [u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// Where the last unit ends, in bytes of the whole text.
    pub(super) fn end(&self) -> usize {
        self.starts.last().copied().unwrap_or_default()
    }

    /// Whether the last line has its ending, if there is one.
    pub(super) fn ends_line(&self) -> bool {
        self.len() == 0 || self.unit(self.len() - 1).ends_with(b"\n")
    }

    /// The unit that holds the byte at `offset`; the number of units for the end of the text.
    pub(super) fn at_byte(&self, offset: usize) -> usize {
        let after = self.starts.partition_point(|&start| start <= offset);
        after.saturating_sub(1).min(self.len())
    }

    /// The units on both sides of a run; none at an end of the text.
    pub(super) fn beside(&self, range: &Range<usize>) -> [Option<u32>; 2] {
        [range.start.checked_sub(1).and_then(|at| self.id(at)), self.id(range.end)]
    }

    /// Where a run of units stands in this text.
    pub(super) fn places(&self, block: &[u32]) -> Places {
        let Some((rarest, offset, count)) =
            block.iter().enumerate().map(|(at, &id)| (id, at, self.count(id))).min_by_key(|&(_, _, count)| count)
        else {
            return Places::Nowhere;
        };
        match count {
            0 => Places::Nowhere,
            1 => {
                let start = self.last(rarest).and_then(|at| at.checked_sub(offset));
                match start.filter(|&start| self.run(start..start + block.len()) == block) {
                    Some(start) => Places::Once(start),
                    None => Places::Nowhere,
                }
            }
            _ => search(block, &self.ids),
        }
    }
}

/// How often a run of units stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Places {
    /// Not at all; an empty run stands nowhere.
    Nowhere,
    /// Exactly once, from this unit on.
    Once(usize),
    /// More than once: the first two.
    Often(usize, usize),
}

impl Places {
    /// The place, where there is one only.
    pub(super) fn only(self) -> Option<usize> {
        match self {
            Self::Once(at) => Some(at),
            Self::Nowhere | Self::Often(..) => None,
        }
    }
}

/// Where a run of numbers stands in a list, after Knuth, Morris and Pratt: linear also where many are equal. An empty one
/// stands nowhere.
pub(super) fn search(block: &[u32], text: &[u32]) -> Places {
    if block.is_empty() || block.len() > text.len() {
        return Places::Nowhere;
    }
    let mut borders = vec![0_usize; block.len()];
    let mut found = Places::Nowhere;
    let step = |mut matched: usize, id: u32, borders: &[usize]| {
        while matched > 0 && block.get(matched) != Some(&id) {
            matched = borders.get(matched - 1).copied().unwrap_or(0);
        }
        if block.get(matched) == Some(&id) { matched + 1 } else { 0 }
    };
    let mut matched = 0;
    for (at, &id) in block.iter().enumerate().skip(1) {
        matched = step(matched, id, &borders);
        if let Some(border) = borders.get_mut(at) {
            *border = matched;
        }
    }
    matched = 0;
    for (at, &id) in text.iter().enumerate() {
        matched = step(matched, id, &borders);
        if matched == block.len() {
            let start = at + 1 - matched;
            match found {
                Places::Once(first) => return Places::Often(first, start),
                _ => found = Places::Once(start),
            }
        }
    }
    found
}

/// The record's two texts and today's, numbered alike.
pub(super) struct Trio<'a> {
    /// What the record began with.
    pub(super) old: Units<'a>,
    /// What it left.
    pub(super) new: Units<'a>,
    /// What there is now.
    pub(super) today: Units<'a>,
    kinds: Vec<Kind<'a>>,
}

/// A run of bytes of a whole text.
#[derive(Clone)]
pub(super) struct Part<'a> {
    /// The whole text.
    pub(super) text: &'a [u8],
    /// The bytes of it that count.
    pub(super) range: Range<usize>,
}

impl<'a> Part<'a> {
    /// All of a text.
    pub(super) fn whole(text: &'a [u8]) -> Self {
        Self { text, range: 0..text.len() }
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.get(self.range.clone()).unwrap_or_default()
    }
}

impl<'a> Trio<'a> {
    /// Cuts each part into units with `cut`, which gives the ends of the units of some bytes, in order.
    pub(super) fn new(parts: [Part<'a>; 3], cut: impl Fn(&[u8]) -> Vec<usize>) -> Self {
        let [old, new, today] = parts;
        let ends = cut(new.bytes());
        let known = PieceMap::with_capacity_and_hasher(ends.len(), Default::default());
        let mut numbers = Numbers { known, kinds: Vec::with_capacity(ends.len()) };
        let new = Units::new(&new, ends, None, &mut numbers);
        let old = Units::new(&old, cut(old.bytes()), Some(&new), &mut numbers);
        let today = Units::new(&today, cut(today.bytes()), Some(&new), &mut numbers);
        Self { old, new, today, kinds: numbers.kinds }
    }

    /// All units, each once, by number.
    pub(super) fn units(&self) -> impl Iterator<Item = (u32, &'a [u8])> + '_ {
        self.kinds.iter().enumerate().map(|(id, kind)| (id as u32, kind.unit))
    }

    /// Whether a unit holds a letter or a digit.
    pub(super) fn has_word(&self, id: u32) -> bool {
        self.kinds.get(id as usize).is_some_and(|kind| kind.has_word)
    }

    /// Whether a unit is white space only.
    pub(super) fn is_blank(&self, id: u32) -> bool {
        self.kinds.get(id as usize).is_none_or(|kind| kind.is_blank)
    }
}

/// The ends of the lines of some bytes: `\n` ends a line; the last may lack it.
pub(super) fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends: Vec<usize> = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).collect();
    if ends.last().copied().unwrap_or(0) < bytes.len() {
        ends.push(bytes.len());
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(block: &[u32], text: &[u32], want: Places) {
        assert_eq!(search(block, text), want);
    }

    #[test]
    fn a_run_is_found_once_or_often() {
        check(&[1, 1], &[2, 1, 1], Places::Once(1));
        check(&[1, 1], &[1, 1, 1], Places::Often(0, 1));
        check(&[1, 2, 1, 3], &[1, 2, 1, 2, 1, 3], Places::Once(2));
        check(&[1, 2], &[2, 1], Places::Nowhere);
    }

    #[test]
    fn a_text_is_its_units() {
        let text = b"a\nb\r\n\nlast";
        let trio = Trio::new([Part::whole(text), Part::whole(b""), Part { text, range: 2..5 }], line_ends);
        assert_eq!((trio.old.len(), trio.new.len(), trio.today.len()), (4, 0, 1));
        assert_eq!((trio.old.text(&(1..3)), trio.today.unit(0)), (&b"b\r\n\n"[..], &b"b\r\n"[..]));
        assert_eq!(trio.today.span(&(0..1)), 2..5);
        assert_eq!([0, 1, 2, 5, 6, 10].map(|at| trio.old.at_byte(at)), [0, 0, 1, 2, 3, 4]);
        assert_eq!(trio.old.places(trio.today.ids()), Places::Once(1));
    }

    #[test]
    fn a_unit_of_white_space_is_blank_and_one_of_signs_has_no_word() {
        let text = b"a\n \t\r\n\n}\n";
        let trio = Trio::new([Part::whole(text), Part::whole(b""), Part::whole(b"")], line_ends);
        let of = |at: usize| trio.old.id(at).map(|id| (trio.is_blank(id), trio.has_word(id)));
        let [word, blank, sign] = [(false, true), (true, false), (false, false)].map(Some);
        assert_eq!([of(0), of(1), of(2), of(3)], [word, blank, blank, sign]);
    }
}
