//! A text with LF only, and the way back to the bytes it was made from.

use super::eol::Eol;
use std::borrow::Cow;
use std::ops::Range;

/// The bytes of a text with every `\r\n` as `\n`, so that CRLF and LF are searched alike.
///
/// Offsets of the LF text map to the original by [`Self::original`]: an `\n` that was a CRLF starts at its CR, so a
/// range that begins with it takes the CR along, and one that ends before it stops before the CR.
#[derive(Debug, Clone)]
pub struct LfText<'a> {
    bytes: Cow<'a, [u8]>,
    /// Where the `\n`s stand that lost a CR, in the LF text; sorted.
    joined: Vec<usize>,
}

impl<'a> LfText<'a> {
    /// Reads `original`; borrows where it has no CRLF.
    pub fn new(original: &'a [u8]) -> Self {
        let is_crlf = |&at: &usize| original.get(at + 1) == Some(&b'\n');
        let mut crs = memchr::memchr_iter(b'\r', original).filter(is_crlf).peekable();
        if crs.peek().is_none() {
            return Self { bytes: Cow::Borrowed(original), joined: Vec::new() };
        }
        let mut bytes = Vec::with_capacity(original.len());
        let mut joined = Vec::new();
        let mut from = 0;
        for at in crs {
            bytes.extend_from_slice(&original[from..at]);
            joined.push(bytes.len());
            from = at + 1;
        }
        bytes.extend_from_slice(&original[from..]);
        Self { bytes: Cow::Owned(bytes), joined }
    }

    /// The same, on its own.
    pub fn into_owned(self) -> LfText<'static> {
        LfText { bytes: Cow::Owned(self.bytes.into_owned()), joined: self.joined }
    }

    /// The LF text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether nothing was left out, so that both texts are the same.
    pub fn is_verbatim(&self) -> bool {
        self.joined.is_empty()
    }

    /// The original's offset of an offset of the LF text.
    pub fn original(&self, offset: usize) -> usize {
        offset + self.joined.partition_point(|&at| at < offset)
    }

    /// The original's range of a range of the LF text.
    pub fn original_range(&self, range: &Range<usize>) -> Range<usize> {
        self.original(range.start)..self.original(range.end)
    }

    /// The LF text's offset of an offset of the original; within a CRLF, that of its `\n`.
    pub fn offset_of(&self, original: usize) -> usize {
        // The CR of the k-th joined `\n` stands at `joined[k] + k` of the original.
        let (mut low, mut high) = (0, self.joined.len());
        while low < high {
            let mid = low + (high - low) / 2;
            if self.joined[mid] + mid < original {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        original - low
    }

    /// How the line ends whose `\n` stands at `offset` of the LF text.
    pub fn eol_at(&self, offset: usize) -> Eol {
        if self.joined.binary_search(&offset).is_ok() { Eol::CrLf } else { Eol::Lf }
    }

    /// Whether both kinds of endings occur within a range of the LF text.
    pub fn is_mixed(&self, range: &Range<usize>) -> bool {
        let first = self.joined.partition_point(|&at| at < range.start);
        let crlf = self.joined[first..].partition_point(|&at| at < range.end);
        crlf > 0 && memchr::memchr_iter(b'\n', &self.bytes[range.clone()]).count() > crlf
    }

    /// Replaces a range of the LF text by what `replacement` (with its own endings) reads as.
    pub fn splice(&mut self, range: Range<usize>, replacement: &[u8]) {
        let new = LfText::new(replacement);
        let first = self.joined.partition_point(|&at| at < range.start);
        let last = self.joined.partition_point(|&at| at < range.end);
        for at in &mut self.joined[last..] {
            *at = *at - range.len() + new.bytes.len();
        }
        self.joined.splice(first..last, new.joined.iter().map(|at| at + range.start));
        self.bytes.to_mut().splice(range, new.bytes.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newline_that_was_crlf_starts_at_its_cr() {
        let lf = LfText::new(b"a\r\nb\nc\r\n");
        assert_eq!(lf.bytes(), b"a\nb\nc\n");
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|at| lf.original(at)), [0, 1, 3, 4, 5, 6, 8]);
        assert_eq!([0, 1, 3, 4, 5, 6, 8].map(|at| lf.offset_of(at)), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!([1, 3, 5].map(|at| lf.eol_at(at)), [Eol::CrLf, Eol::Lf, Eol::CrLf]);
        assert!(lf.is_mixed(&(0..4)) && !lf.is_mixed(&(0..3)));
    }

    #[test]
    fn a_text_without_crlf_is_borrowed() {
        let lf = LfText::new(b"a\rb\n");
        assert!(lf.is_verbatim() && matches!(lf.bytes, Cow::Borrowed(_)));
    }

    #[test]
    fn a_splice_reads_as_the_spliced_original_would() {
        let mut lf = LfText::new(b"a\r\nb\nc\r\n");
        lf.splice(2..4, b"x\r\ny\nz\r\n");
        let want = LfText::new(b"a\r\nx\r\ny\nz\r\nc\r\n");
        assert_eq!((lf.bytes(), &lf.joined), (want.bytes(), &want.joined));
    }
}
