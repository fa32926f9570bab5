//! The tier of elision: `...` or `// ... existing code ...` stands for lines that were left out.
//!
//! Owns finding the pieces around the marks; which lines are marks is told by `omission.rs`. Invariant: each piece is found exactly once in
//! the file, and they come in order.

use super::found::{Found, Why};
use super::omission::{self, Omission};
use super::source::{Source, places};
use crate::strategy::Strategy;

/// Whether a line is nothing but an omission mark.
pub fn is_mark(line: &[u8]) -> bool {
    let line = std::str::from_utf8(line).ok().and_then(omission::of_line);
    matches!(line, Some(Omission::Dots | Omission::Line))
}

/// The places of the pieces between the omission marks of `old`.
///
/// # Errors
/// [`Why::Nowhere`] where there is no mark, or the file holds such a line itself, or a piece is not there or not in order;
/// [`Why::Several`] where a piece is there more than once.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Result<Found, Why> {
    let marked: Vec<usize> = (0..old.solid().len()).filter(|&i| is_mark(old.text(old.solid()[i]))).collect();
    let in_file = marked.iter().any(|&i| !places(&old.keys()[i..=i], file.keys()).is_empty());
    if marked.is_empty() || in_file {
        return Err(Why::Nowhere);
    }
    let mut pairs = Vec::with_capacity(old.solid().len());
    let mut from = 0;
    for until in marked.iter().copied().chain([old.solid().len()]) {
        let piece = &old.keys()[from..until];
        let starts = places(piece, file.keys());
        let start = match starts[..] {
            [start] => start,
            [] => return Err(Why::Nowhere),
            _ => return Err(several(file, piece.len(), &starts)),
        };
        pairs.extend((from..until).map(|i| (old.solid()[i], file.solid()[start + i - from])));
        from = until + 1;
    }
    let agrees = pairs.iter().all(|&(o, f)| old.key(o) == file.key(f));
    let rises = pairs.windows(2).all(|pair| pair[0].1 < pair[1].1);
    if !agrees || !rises {
        return Err(Why::Nowhere);
    }
    let marks = marked.iter().map(|&i| old.solid()[i]).collect();
    Ok(Found { strategy: Strategy::Elision, pairs, odd: None, marks })
}

fn several(file: &Source<'_>, len: usize, starts: &[usize]) -> Why {
    Why::Several(starts.iter().take(64).map(|&s| file.solid()[s]..file.solid()[s + len - 1] + 1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, old: &str, want: Result<Vec<usize>, &str>) {
        let (file, old) = (Source::new(file.as_bytes(), 0), Source::new(old.as_bytes(), 0));
        let got = find(&file, &old).map(|f| f.pairs.iter().map(|p| p.1 + 1).collect()).map_err(|why| why.words());
        assert_eq!(got, want);
    }

    #[test]
    fn omission_marks_are_told_from_code_and_prose() {
        for mark in [
            "...",
            "  // ...",
            "# ... existing code ...",
            "/* rest of the code unchanged ... */",
            "<!-- ... -->",
            "\u{2026}",
        ] {
            assert!(is_mark(mark.as_bytes()), "{mark}");
        }
        for other in ["..", "...args", "// and so on...", "f(...)", "foo: ...", "x...", "// TODO ... fix", "#"] {
            assert!(!is_mark(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn head_and_tail_are_each_found_once_and_in_order() {
        check("a\nb\nx\ny\nc\nd\n", "a\nb\n...\nc\nd", Ok(vec![1, 2, 5, 6]));
        check("c\nd\nx\na\nb\n", "a\nb\n...\nc\nd", Err("no place is near enough"));
        check("a\nb\nx\nc\nd\nc\nd\n", "a\nb\n...\nc\nd", Err("two places"));
    }

    #[test]
    fn a_file_that_holds_the_mark_itself_is_not_read_so() {
        check("a\n...\nx\nc\n", "a\n...\nc", Err("no place is near enough"));
        check("a\nb\n", "a\n...", Err("no place is near enough"));
    }
}
