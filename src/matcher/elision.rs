//! The tier of elision: `...` or `// ... existing code ...` stands for lines that were left out.
//!
//! Owns finding the pieces around the marks; which lines are marks is told by `omission.rs`. Invariant: each piece is found exactly once in
//! the file, and they come in order.

use super::found::{Found, Why};
use super::omission::{self, Omission};
use super::source::{Source, places};
use crate::strategy::Strategy;
use std::ops::Range;

/// Whether a line is nothing but an omission mark.
pub fn is_mark(line: &[u8]) -> bool {
    let line = std::str::from_utf8(line).ok().and_then(omission::of_line);
    matches!(line, Some(Omission::Dots | Omission::Line))
}

/// The places of the pieces between the omission marks of `old`.
///
/// # Errors
/// [`Why::Nowhere`] where there is no mark, or the file holds such a line itself, or a piece is not there or not in order;
/// [`Why::Several`] where a piece is there more than once, with the places of all of them.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Result<Found, Why> {
    let marked: Vec<usize> = (0..old.solid().len()).filter(|&i| is_mark(old.text(old.solid()[i]))).collect();
    let in_file = marked.iter().any(|&i| !places(&old.keys()[i..=i], file.keys()).is_empty());
    if marked.is_empty() || in_file {
        return Err(Why::Nowhere);
    }
    let mut pieces = Vec::with_capacity(marked.len() + 1);
    let mut from = 0;
    for until in marked.iter().copied().chain([old.solid().len()]) {
        let starts = places(&old.keys()[from..until], file.keys());
        if starts.is_empty() {
            return Err(Why::Nowhere);
        }
        pieces.push(Piece { lines: from..until, starts });
        from = until + 1;
    }
    if pieces.iter().any(|piece| piece.starts.len() > 1) {
        return Err(several(file, &pieces));
    }
    let pair = |piece: &Piece, i: usize| (old.solid()[i], file.solid()[piece.starts[0] + i - piece.lines.start]);
    let pairs: Vec<(usize, usize)> =
        pieces.iter().flat_map(|piece| piece.lines.clone().map(move |i| pair(piece, i))).collect();
    let agrees = pairs.iter().all(|&(o, f)| old.key(o) == file.key(f));
    let rises = pairs.windows(2).all(|pair| pair[0].1 < pair[1].1);
    if !agrees || !rises {
        return Err(Why::Nowhere);
    }
    let marks = marked.iter().map(|&i| old.solid()[i]).collect();
    Ok(Found { strategy: Strategy::Elision, pairs, odd: None, marks })
}

/// Lines of the old text between two marks.
struct Piece {
    /// Among its non-blank lines.
    lines: Range<usize>,
    /// Where they stand, among the non-blank lines of the file; not empty.
    starts: Vec<usize>,
}

/// The windows in which the pieces stand in order: from each place of the first one to the nearest of the last one behind
/// it, and to the next.
fn several(file: &Source<'_>, pieces: &[Piece]) -> Why {
    const MOST: usize = 64;
    let next =
        |piece: &Piece, from: usize| piece.starts.get(piece.starts.partition_point(|&start| start < from)).copied();
    let end = |start: usize| {
        let first = pieces.first().map(|piece| start + piece.lines.len());
        pieces.iter().skip(1).try_fold(first?, |from, piece| Some(next(piece, from)? + piece.lines.len()))
    };
    let first = pieces.first().map_or(&[][..], |piece| &piece.starts);
    let mut windows: Vec<Range<usize>> =
        first.iter().take(MOST).filter_map(|&start| Some(start..end(start)?)).collect();
    // Of those that end alike, the shortest.
    windows.reverse();
    windows.dedup_by_key(|window| window.end);
    windows.reverse();
    if let ([window], Some(last)) = (&windows[..], pieces.last())
        && let Some(further) = next(last, window.end)
    {
        windows.push(window.start..further + last.lines.len());
    }
    if windows.is_empty() {
        return Why::Nowhere;
    }
    Why::Several(windows.iter().map(|window| file.solid()[window.start]..file.solid()[window.end - 1] + 1).collect())
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
    fn where_a_piece_is_there_twice_the_places_are_those_of_all_pieces_in_order() {
        let windows = |file: &str, old: &str| {
            let (file, old) = (Source::new(file.as_bytes(), 0), Source::new(old.as_bytes(), 0));
            find(&file, &old).expect_err("it is refused").places().to_vec()
        };
        let file = "a\nx\nz\na\nhead\ny\nz\na\nz\n";
        assert_eq!(windows(file, "head\n...\nz"), [4..7, 4..9]);
        assert_eq!(windows(file, "a\n...\nz"), [0..3, 3..7, 7..9]);
        assert_eq!(windows(file, "a\n...\nhead\n...\nz"), [3..7, 3..9]);
        assert_eq!(windows("z\nz\nhead\n", "head\n...\nz"), [] as [Range<usize>; 0]);
    }

    #[test]
    fn a_file_that_holds_the_mark_itself_is_not_read_so() {
        check("a\n...\nx\nc\n", "a\n...\nc", Err("no place is near enough"));
        check("a\nb\n", "a\n...", Err("no place is near enough"));
    }
}
