//! Lines: where they start and end around an offset, and the index of all of a text, offsets to numbers and back.
//!
//! Owns what a line is: it ends with its `\n` or at the end of the text. Knows neither CRLF (that is `lf.rs`) nor blank lines.

use std::ops::Range;

/// Where every line of a text starts. A text of `n` line endings has `n` lines, and one more if bytes follow the last.
#[derive(Debug, Clone)]
pub struct Lines {
    starts: Vec<usize>,
    len: usize,
}

impl Lines {
    /// Indexes `bytes`, in one pass.
    pub fn new(bytes: &[u8]) -> Self {
        let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        if starts.last() == Some(&bytes.len()) {
            starts.pop();
        }
        Self { starts, len: bytes.len() }
    }

    /// The number of lines; 0 for an empty text.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The 1-based number of the line that holds the byte at `offset`; the last line for the end of the text.
    pub fn number_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).max(1)
    }

    /// The byte range of the line with this 1-based number, its ending included; empty past the last line.
    pub fn range(&self, number: usize) -> Range<usize> {
        let start = self.starts.get(number.wrapping_sub(1)).copied().unwrap_or(self.len);
        let end = self.starts.get(number).copied().unwrap_or(self.len);
        start..end
    }
}

/// Whether a line starts at `at`.
pub fn starts_line(text: &[u8], at: usize) -> bool {
    at == 0 || text[at - 1] == b'\n'
}

/// Where the line starts that holds the byte at `at`.
pub fn line_start(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1)
}

/// Where the line that holds the byte at `at` has its `\n`; the end of the text where it has none.
pub fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline)
}

/// Where the line after the one that holds the byte at `at` starts.
pub fn next_line(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline + 1)
}

/// The lines of a text, each with its ending.
pub fn split_lines(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> + Clone {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// A line without its `\n`: the last one of a text may have none.
pub fn bare_line(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

/// A line without its `\n` or `\r\n`.
pub fn without_eol(line: &[u8]) -> &[u8] {
    let line = bare_line(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The whole lines that a range touches; a point between two lines touches none.
pub fn whole_lines(text: &[u8], range: &Range<usize>) -> Range<usize> {
    let start = line_start(text, range.start);
    let is_whole = range.end == start || (!range.is_empty() && starts_line(text, range.end));
    start..if is_whole { range.end } else { next_line(text, range.end) }
}

/// What [`Lines::number_at`] says for each of a few offsets, without an index.
pub fn line_numbers(bytes: &[u8], offsets: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_unstable_by_key(|&n| offsets[n]);
    let mut numbers = vec![1; offsets.len()];
    let (mut counted, mut endings) = (0, 0);
    for n in order {
        let at = offsets[n].min(bytes.len());
        endings += memchr::memchr_iter(b'\n', &bytes[counted..at]).count();
        counted = at;
        // Behind the ending of the last line there is no other.
        let is_past = at == bytes.len() && bytes.ends_with(b"\n");
        numbers[n] = if is_past { endings } else { endings + 1 };
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, count: usize) {
        let lines = Lines::new(text.as_bytes());
        assert_eq!(lines.count(), count, "{text:?}");
        let whole: String = (1..=lines.count()).map(|number| &text[lines.range(number)]).collect();
        assert_eq!(whole, text);
    }

    #[test]
    fn lines_cover_the_text() {
        check("", 0);
        check("a", 1);
        check("a\n", 1);
        check("a\nb", 2);
        check("\n\n", 2);
        check("a\r\n\r\nb\r\n", 3);
    }

    #[test]
    fn the_ends_of_a_line_are_found_around_an_offset() {
        let text = b"a\nbb\nc";
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|at| line_start(text, at)), [0, 0, 2, 2, 2, 5, 5]);
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|at| line_end(text, at)), [1, 1, 4, 4, 4, 6, 6]);
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|at| next_line(text, at)), [2, 2, 5, 5, 5, 6, 6]);
        assert_eq!([0, 1, 2, 5].map(|at| starts_line(text, at)), [true, false, true, true]);
        assert_eq!(split_lines(text).collect::<Vec<_>>(), [&b"a\n"[..], b"bb\n", b"c"]);
    }

    #[test]
    fn whole_lines_hold_a_range_and_a_point_between_two_lines_is_none() {
        let text = b"a\nbb\nc";
        assert_eq!(
            [0..1, 0..2, 1..3, 2..5, 5..6].map(|range| whole_lines(text, &range)),
            [0..2, 0..2, 0..5, 2..5, 5..6]
        );
        assert_eq!([2..2, 3..3, 6..6].map(|range| whole_lines(text, &range)), [2..2, 2..5, 5..6]);
    }

    #[test]
    fn a_line_number_is_found_by_offset() {
        let lines = Lines::new(b"a\nbb\n");
        assert_eq!([0, 1, 2, 4, 5].map(|at| lines.number_at(at)), [1, 1, 2, 2, 2]);
        assert_eq!(line_numbers(b"a\nbb\n", &[5, 0, 4, 2, 1]), [2, 1, 2, 2, 1]);
        assert_eq!((line_numbers(b"", &[0, 1]), line_numbers(b"a\n", &[9])), (vec![1, 1], vec![1]));
        assert_eq!(lines.range(2), 2..5);
        assert_eq!(lines.range(3), 5..5);
    }
}
