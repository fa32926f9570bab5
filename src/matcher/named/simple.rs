//! `simple` and `multi-occurrence`: the text as it is, CRLF and LF alike.
//!
//! Accepts every occurrence, overlapping ones too. Goes wrong where the same text stands twice and the wrong one is left.

use super::candidate::Candidate;
use crate::matcher::exact::{self, Needle, Want};
use crate::matcher::source::Source;
use crate::text::LfText;
use std::ops::Range;

/// The first occurrences of `old` (with LF endings), overlapping ones too; or for [`Want::All`] all of them, from the left without overlap.
pub fn find(file: &Source<'_>, old: &[u8], want: Want) -> Vec<Candidate> {
    occurrences(file.bytes(), old, want).into_iter().map(Candidate::Bytes).collect()
}

fn occurrences(bytes: &[u8], old: &[u8], want: Want) -> Vec<Range<usize>> {
    if old.is_empty() {
        return Vec::new();
    }
    let text = LfText::new(bytes);
    let places = exact::find(&text, &[Needle { text: old, want }]).remove(0);
    places.first.iter().map(|range| text.original_range(range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, old: &str, want: &[&str]) {
        let got: Vec<_> =
            occurrences(file.as_bytes(), old.as_bytes(), Want::One).into_iter().map(|range| &file[range]).collect();
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
