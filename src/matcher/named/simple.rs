//! `simple` and `multi-occurrence`: the text as it is, CRLF and LF alike.
//!
//! Accepts every occurrence, overlapping ones too. Goes wrong where the same text stands twice and the wrong one is left.

use super::{Candidate, Source};
use crate::text::to_lf;
use std::ops::Range;

/// Every occurrence of `old` (with LF endings), overlapping ones too.
pub fn find(file: &Source<'_>, old: &[u8]) -> Vec<Candidate> {
    occurrences(file.bytes(), old).into_iter().map(Candidate::Bytes).collect()
}

/// The ranges of `bytes` that are `old` if CRLF counts as LF.
pub fn occurrences(bytes: &[u8], old: &[u8]) -> Vec<Range<usize>> {
    if old.is_empty() {
        return Vec::new();
    }
    let plain = to_lf(bytes);
    let finder = memchr::memmem::Finder::new(old);
    let mut starts = Vec::new();
    let mut from = 0;
    while let Some(at) = finder.find(&plain[from..]) {
        starts.push(from + at);
        from += at + 1;
        // Two places say that there are several; a run of equal bytes would have as many as it has bytes.
        if starts.len() == MOST {
            break;
        }
    }
    let dropped: Vec<usize> = if plain.len() == bytes.len() {
        Vec::new()
    } else {
        memchr::memmem::find_iter(bytes, b"\r\n").enumerate().map(|(i, at)| at - i).collect()
    };
    // `dropped` holds the offsets in the plain text of the line feeds that had a carriage return before them.
    let raw = |at: usize| at + dropped.partition_point(|&d| d < at);
    starts.into_iter().map(|at| raw(at)..raw(at + old.len())).collect()
}

/// The most occurrences that are listed.
const MOST: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, old: &str, want: &[&str]) {
        let got: Vec<_> = occurrences(file.as_bytes(), old.as_bytes()).into_iter().map(|range| &file[range]).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn occurrences_are_found_whatever_the_line_ending() {
        check("a\r\nb\r\nc", "a\nb", &["a\r\nb"]);
        check("a\r\nb\r\nc", "b\nc", &["b\r\nc"]);
        check("x\r\ny", "\ny", &["\r\ny"]);
        check("x\r\ny", "x\n", &["x\r\n"]);
        check("aaa", "aa", &["aa", "aa"]);
    }
}
