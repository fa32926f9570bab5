//! Splits a splice of several lines where lines in its middle stay as they are.
//!
//! An agent quotes whole passages; of those it changes some lines, and the ones between may be the user's. For placing the
//! change in another version of the text only the changed lines count.
//! Invariant: the pieces do to the text what the piece did.

use super::{Piece, trim};
use crate::patch::diff::changed_lines;
use std::ops::Range;

/// The piece in parts, one for each run of changed lines; the piece itself where there is one run only.
pub fn refine(text: &[u8], piece: &Piece) -> Vec<Piece> {
    let start = memchr::memrchr(b'\n', &text[..piece.range.start]).map_or(0, |n| n + 1);
    let is_whole = piece.range.end == start || text[..piece.range.end].ends_with(b"\n");
    let end = match memchr::memchr(b'\n', &text[piece.range.end..]) {
        _ if is_whole && piece.replacement.ends_with(b"\n") => piece.range.end,
        Some(n) => piece.range.end + n + 1,
        None => text.len(),
    };
    let old = &text[start..end];
    let new = [&text[start..piece.range.start], &piece.replacement, &text[piece.range.end..end]].concat();
    let (old_lines, new_lines) = (lines(old), lines(&new));
    let (old_text, new_text) = (slices(old, &old_lines), slices(&new, &new_lines));
    let parts: Vec<Piece> = changed_lines(&old_text, &new_text)
        .into_iter()
        .filter_map(|(from, to)| {
            let from = span(&old_lines, &from, old.len());
            let to = span(&new_lines, &to, new.len());
            trim(text, &(start + from.start..start + from.end), &new[to], piece.origin)
        })
        .collect();
    if parts.len() > 1 { parts } else { vec![piece.clone()] }
}

fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut at = 0;
    let ends = memchr::memchr_iter(b'\n', text).map(|n| n + 1).chain(std::iter::once(text.len()));
    let mut all = Vec::new();
    for end in ends.filter(|&end| end > 0) {
        if end > at {
            all.push(at..end);
        }
        at = end;
    }
    all
}

fn slices<'a>(text: &'a [u8], lines: &[Range<usize>]) -> Vec<&'a [u8]> {
    lines.iter().map(|line| &text[line.clone()]).collect()
}

/// The bytes of a run of lines, which may be empty.
fn span(lines: &[Range<usize>], run: &Range<usize>, len: usize) -> Range<usize> {
    let start = lines.get(run.start).map_or(len, |line| line.start);
    let end = if run.is_empty() { start } else { lines[run.end - 1].end };
    start..end
}

#[cfg(test)]
mod tests {
    use super::super::{FilePatch, Origin, Splice};
    use super::*;
    use crate::strategy::Strategy;
    use proptest::prelude::*;

    fn piece(range: Range<usize>, new: &str) -> Piece {
        Piece { range, replacement: new.into(), origin: Origin { edit: 0, strategy: Strategy::Exact } }
    }

    fn check(text: &str, range: Range<usize>, new: &str, want: &[(Range<usize>, &str)]) {
        let got = refine(text.as_bytes(), &piece(range, new));
        let got: Vec<_> =
            got.iter().map(|p| (p.range.clone(), std::str::from_utf8(&p.replacement).expect("UTF-8"))).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn lines_that_stay_are_no_part_of_a_change() {
        check("a\nb\nc\n", 0..5, "A\nb\nC", &[(0..1, "A"), (4..5, "C")]);
        check("a\nb\nc\n", 0..6, "b\nc\nd\n", &[(0..2, ""), (6..6, "d\n")]);
        check("a\nb\nc", 0..5, "A\nB\nc2", &[(0..5, "A\nB\nc2")]);
        check("x", 0..1, "y", &[(0..1, "y")]);
        check("", 0..0, "y\n", &[(0..0, "y\n")]);
    }

    proptest! {
        #[test]
        fn the_parts_do_what_the_whole_did(text in "([ab]{0,2}\n?){0,6}", new in "([ab]{0,2}\n?){0,6}", a in 0usize..20, b in 0usize..20) {
            let (a, b) = (a.min(text.len()), b.min(text.len()));
            let whole = piece(a.min(b)..a.max(b), &new);
            let apply = |pieces: &[Piece]| {
                let splices = pieces.iter().map(|p| Splice { range: p.range.clone(), replacement: p.replacement.clone(), origin: vec![p.origin] });
                FilePatch::new(text.len(), splices.collect()).expect("disjoint").apply(text.as_bytes())
            };
            let parts = refine(text.as_bytes(), &whole);
            prop_assert_eq!(apply(&parts), apply(&[whole]));
        }
    }
}
