//! A text as the matcher sees it: its lines, and the folded keys of those that are not blank.
//!
//! Owns the split into lines and the search for a sequence of keys. Does not decide whether a window is good enough.
//! Invariants: lines cover the text; `solid` lists the non-blank lines in order, `keys` their hashes in the same order.
//! Every search is linear in the number of lines.

use super::fold;
use std::cell::OnceCell;
use std::ops::Range;

/// One line: `start..end` is its text, `end..next` its line ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Where the text of the line starts, in bytes.
    pub start: usize,
    /// Where its text ends.
    pub end: usize,
    /// Where the next line starts.
    pub next: usize,
}

/// Which white space the keys fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// At the ends of a line.
    Outer,
    /// Inside a line too.
    Inner,
}

/// A text with its lines and keys.
#[derive(Debug)]
pub struct Source<'a> {
    bytes: &'a [u8],
    lines: Vec<Line>,
    solid: Vec<usize>,
    keys: Vec<u64>,
    inner: OnceCell<Vec<u64>>,
}

impl<'a> Source<'a> {
    /// Splits `bytes` from `body_start` on (behind a byte order mark) into lines.
    pub fn new(bytes: &'a [u8], body_start: usize) -> Self {
        let mut lines = Vec::with_capacity(bytes.len() / 32 + 1);
        let mut start = body_start;
        for lf in memchr::memchr_iter(b'\n', &bytes[body_start..]) {
            let next = body_start + lf + 1;
            let end = if next - start >= 2 && bytes[next - 2] == b'\r' { next - 2 } else { next - 1 };
            lines.push(Line { start, end, next });
            start = next;
        }
        if start < bytes.len() {
            lines.push(Line { start, end: bytes.len(), next: bytes.len() });
        }
        let (mut solid, mut keys) = (Vec::with_capacity(lines.len()), Vec::with_capacity(lines.len()));
        for (index, line) in lines.iter().enumerate() {
            let key = fold::outer(&bytes[line.start..line.end]);
            if !key.is_empty() {
                solid.push(index);
                keys.push(hash(&key));
            }
        }
        Self { bytes, lines, solid, keys, inner: OnceCell::new() }
    }

    /// The bytes of the text.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// All lines, in order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The indexes of the lines that are not blank.
    pub fn solid(&self) -> &[usize] {
        &self.solid
    }

    /// The text of a line, without its ending.
    pub fn text(&self, line: usize) -> &'a [u8] {
        let Line { start, end, .. } = self.lines[line];
        &self.bytes[start..end]
    }

    /// The line that holds the byte at `offset`.
    pub fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.next <= offset).min(self.lines.len().saturating_sub(1))
    }

    /// The folded key of a line.
    pub fn key(&self, line: usize) -> std::borrow::Cow<'a, [u8]> {
        fold::outer(self.text(line))
    }

    /// The hashes of the keys of the non-blank lines.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The hashes of the keys of the non-blank lines, at this depth; the inner ones are made at the first call.
    pub fn keys_at(&self, depth: Depth) -> &[u64] {
        match depth {
            Depth::Outer => &self.keys,
            Depth::Inner => {
                self.inner.get_or_init(|| self.solid.iter().map(|&line| hash(&fold::inner(self.text(line)))).collect())
            }
        }
    }

    /// Whether a line ending stands behind the last line.
    pub fn is_terminated(&self) -> bool {
        self.bytes.ends_with(b"\n")
    }

    /// The bytes of a range of lines, without the ending of the last.
    pub fn span(&self, lines: Range<usize>) -> Range<usize> {
        self.lines[lines.start].start..self.lines[lines.end - 1].end
    }

    /// How many characters of words the non-blank lines hold.
    pub fn word_chars(&self) -> usize {
        self.solid.iter().map(|&line| fold::word_chars(self.text(line))).sum()
    }
}

/// The hash of a key: eight bytes at a time, as most lines are short. Whoever relies on equal keys compares the lines
/// themselves in the end; a collision costs a match, never makes one.
pub fn hash(key: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| (hash.rotate_left(29) ^ word).wrapping_mul(ODD);
    let (words, rest) = key.as_chunks::<8>();
    let mut hash = words.iter().fold(key.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hash = mix(hash, u64::from_le_bytes(last));
    hash ^ (hash >> 32)
}

/// How many elements of `needle` stand at each place of `hay`, counted from the needle's start (the Z-algorithm).
pub fn prefix_lengths(needle: &[u64], hay: &[u64]) -> Vec<usize> {
    let own = z_of(needle);
    let mut out = vec![0; hay.len()];
    let (mut left, mut right) = (0, 0);
    for i in 0..hay.len() {
        let mut len = if i < right { own.get(i - left).copied().unwrap_or(0).min(right - i) } else { 0 };
        while len < needle.len() && i + len < hay.len() && needle[len] == hay[i + len] {
            len += 1;
        }
        if i + len > right {
            (left, right) = (i, i + len);
        }
        out[i] = len;
    }
    out
}

fn z_of(needle: &[u64]) -> Vec<usize> {
    let mut z = vec![0; needle.len()];
    if let Some(first) = z.first_mut() {
        *first = needle.len();
    }
    let (mut left, mut right) = (0, 0);
    for i in 1..needle.len() {
        let mut len = if i < right { z[i - left].min(right - i) } else { 0 };
        while i + len < needle.len() && needle[len] == needle[i + len] {
            len += 1;
        }
        if i + len > right {
            (left, right) = (i, i + len);
        }
        z[i] = len;
    }
    z
}

/// Where `needle` starts in `hay`; overlapping places count.
pub fn places(needle: &[u64], hay: &[u64]) -> Vec<usize> {
    if needle.is_empty() || needle.len() > hay.len() {
        return Vec::new();
    }
    if needle.len() == 1 {
        return hay.iter().enumerate().filter(|&(_, key)| *key == needle[0]).map(|(at, _)| at).collect();
    }
    prefix_lengths(needle, hay).iter().enumerate().filter(|&(_, &len)| len == needle.len()).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_endings_apart_and_blank_ones_have_no_key() {
        let source = Source::new(b"a\r\n \t\nb\rc\n\nd", 0);
        let texts: Vec<_> = (0..source.lines().len()).map(|i| source.text(i)).collect();
        assert_eq!(texts, [&b"a"[..], b" \t", b"b\rc", b"", b"d"]);
        assert_eq!(source.solid(), [0, 2, 4]);
    }

    #[test]
    fn a_sequence_is_found_wherever_it_starts() {
        assert_eq!(places(&[1, 1], &[1, 1, 1, 2, 1, 1]), [0, 1, 4]);
        assert_eq!(places(&[3], &[1, 3, 3]), [1, 2]);
        assert_eq!(places(&[1, 2, 3], &[1, 2]), [] as [usize; 0]);
    }

    #[test]
    fn prefix_lengths_agree_with_the_plain_definition() {
        let (needle, hay) = ([1, 2, 1, 2, 3], [1, 2, 1, 2, 1, 2, 3, 9, 1, 2, 1]);
        let plain: Vec<usize> =
            (0..hay.len()).map(|i| needle.iter().zip(&hay[i..]).take_while(|(a, b)| a == b).count()).collect();
        assert_eq!(prefix_lengths(&needle, &hay), plain);
    }
}
