//! A decoded text, and where each of its characters stands in the bytes that it was decoded from.
//!
//! Owns the way between both. Invariant: both ends of both are bounds, and between two neighbouring bounds of the one lies
//! what lies between those of the other.

use std::ops::Range;

/// Which way an offset between two bounds goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// To the bound before it.
    Before,
    /// To the bound behind it.
    Behind,
}

/// A text in UTF-8 that was decoded from other bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    text: String,
    /// Of the bytes that it was decoded from.
    raw_len: usize,
    runs: Vec<Run>,
}

/// Characters in a row that are as wide in the text and in the bytes; up to the next run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    text: usize,
    raw: usize,
    text_width: usize,
    raw_width: usize,
}

impl Decoded {
    /// Bytes that are UTF-8 already.
    pub(super) fn verbatim(bytes: &[u8]) -> Option<Self> {
        let mut out = Builder::with_capacity(bytes.len());
        std::str::from_utf8(bytes).ok()?.chars().for_each(|c| out.push(c, c.len_utf8()));
        Some(out.build())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Gives the text away.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Gives the text's bytes away.
    pub fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    /// A bound of the text: `offset`, if it is one.
    pub fn bound(&self, offset: usize, side: Side) -> usize {
        self.bounds(offset, side, |run| (run.text, run.text_width), self.text.len()).0
    }

    /// Where a bound of the text stands in the bytes; of another offset, the bound on that side of it.
    pub fn to_raw(&self, offset: usize, side: Side) -> usize {
        self.bounds(offset, side, |run| (run.text, run.text_width), self.text.len()).1
    }

    /// Where an offset of the bytes stands in the text; between two bounds, the one on that side.
    pub fn of_raw(&self, offset: usize, side: Side) -> usize {
        self.bounds(offset, side, |run| (run.raw, run.raw_width), self.raw_len).0
    }

    /// The range of the bytes that holds a range of the text.
    pub fn raw_range(&self, range: &Range<usize>) -> Range<usize> {
        self.to_raw(range.start, Side::Before)..self.to_raw(range.end, Side::Behind)
    }

    /// The range of the text that holds a range of the bytes.
    pub fn range_of_raw(&self, range: &Range<usize>) -> Range<usize> {
        self.of_raw(range.start, Side::Before)..self.of_raw(range.end, Side::Behind)
    }

    /// The bound of the text and of the bytes at an offset, by what `key` tells of a run.
    fn bounds(&self, at: usize, side: Side, key: impl Fn(&Run) -> (usize, usize), end: usize) -> (usize, usize) {
        let next = self.runs.partition_point(|run| key(run).0 <= at);
        let Some(run) = next.checked_sub(1).map(|n| self.runs[n]).filter(|_| at < end) else {
            return if at == 0 { (0, 0) } else { (self.text.len(), self.raw_len) };
        };
        let (start, width) = key(&run);
        let units = match side {
            Side::Before => (at - start) / width,
            Side::Behind => (at - start).div_ceil(width),
        };
        (run.text + units * run.text_width, run.raw + units * run.raw_width)
    }
}

/// Makes a [`Decoded`], unit by unit.
pub(super) struct Builder {
    text: String,
    raw_len: usize,
    runs: Vec<Run>,
}

impl Builder {
    pub(super) fn with_capacity(raw_len: usize) -> Self {
        Self { text: String::with_capacity(raw_len), raw_len: 0, runs: Vec::new() }
    }

    /// Adds a character that has so many bytes.
    pub(super) fn push(&mut self, c: char, raw_width: usize) {
        self.push_str(c.encode_utf8(&mut [0; 4]), raw_width);
    }

    /// Adds characters that have so many bytes together.
    pub(super) fn push_str(&mut self, unit: &str, raw_width: usize) {
        self.count(unit.len(), raw_width);
        self.text.push_str(unit);
        self.raw_len += raw_width;
    }

    /// Adds ASCII that has one byte for each character.
    pub(super) fn push_ascii(&mut self, ascii: &str) {
        if !ascii.is_empty() {
            self.count(1, 1);
            self.text.push_str(ascii);
            self.raw_len += ascii.len();
        }
    }

    fn count(&mut self, text_width: usize, raw_width: usize) {
        let goes_on = self.runs.last().is_some_and(|run| (run.text_width, run.raw_width) == (text_width, raw_width));
        if !goes_on {
            self.runs.push(Run { text: self.text.len(), raw: self.raw_len, text_width, raw_width });
        }
    }

    pub(super) fn build(self) -> Decoded {
        let Self { text, raw_len, runs } = self;
        Decoded { text, raw_len, runs }
    }
}
