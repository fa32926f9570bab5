//! Which tokens an edit took and put.
//!
//! Owns that reading of two texts. Does not judge the edit.
//! Invariant: pieces are in order, something is between any two of them, and all of that is equal in both texts.

use super::edit::Edit;
use crate::patch::diff::{between_same_lines, differing_lines};
use crate::text::{split_lines, token_ends, tokens};
use similar::{Algorithm, DiffTag};
use std::ops::Range;

/// The most tokens that are compared one by one, between two lines that only one of each text has: what has more is one piece.
const MOST_COMPARED: usize = 4_000;

/// What an edit took, and what it put there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
    /// Whether it is too large to be looked into: what was taken may stand in what was put.
    pub(super) is_large: bool,
}

/// What an edit took and put, in tokens, in order.
pub(super) fn pieces(edit: &Edit<'_>) -> Vec<Piece> {
    let mut found = Vec::new();
    for (_, change) in edit.changes() {
        let (old, new) = (&edit.before()[change.before.clone()], &edit.after()[change.after.clone()]);
        for (o, n) in differing_lines(old, new) {
            let (start_old, start_new) = (change.before.start + o.start, change.after.start + n.start);
            found.extend(differing_tokens(&old[o], &new[n]).into_iter().map(|piece| piece.at(start_old, start_new)));
        }
    }
    found
}

impl Piece {
    /// The same in texts that begin so much earlier.
    fn at(self, old: usize, new: usize) -> Self {
        let at = |of: Range<usize>, by: usize| of.start + by..of.end + by;
        Self { old: at(self.old, old), new: at(self.new, new), ..self }
    }

    /// With the one that follows, nothing between them.
    fn grow(&mut self, next: Self) {
        (self.old.end, self.new.end) = (next.old.end, next.new.end);
        self.is_large |= next.is_large;
    }
}

/// The tokens in which two texts differ, compared between the lines that are the same in both but for white space around them.
///
/// Such a line holds a word, stands once in each text, and changed places with no other. Without it a space that one line lost would be taken for one
/// that another line got.
pub(super) fn differing_tokens(old: &[u8], new: &[u8]) -> Vec<Piece> {
    if is_line(old) && is_line(new) {
        return tokens_between(old, new);
    }
    let [old_lines, new_lines] = [old, new].map(|text| split_lines(text).collect::<Vec<_>>());
    let mut found: Vec<Piece> = Vec::new();
    let (mut at_old, mut at_new) = (0, 0);
    let mut compared = |old_lines: &[&[u8]], new_lines: &[&[u8]]| {
        let (o, n) = (at_old..at_old + len_of(old_lines), at_new..at_new + len_of(new_lines));
        (at_old, at_new) = (o.end, n.end);
        for piece in tokens_between(&old[o.clone()], &new[n.clone()]) {
            let piece = piece.at(o.start, n.start);
            match found.last_mut() {
                Some(last) if last.old.end == piece.old.start && last.new.end == piece.new.start => last.grow(piece),
                _ => found.push(piece),
            }
        }
    };
    for (o, n) in between_same_lines(&trimmed(&old_lines), &trimmed(&new_lines)) {
        compared(&old_lines[o.clone()], &new_lines[n.clone()]);
        // White space may differ in the one that is the same.
        compared(old_lines.get(o.end..=o.end).unwrap_or_default(), new_lines.get(n.end..=n.end).unwrap_or_default());
    }
    found
}

/// Whether there is no second line in it.
fn is_line(text: &[u8]) -> bool {
    memchr::memchr(b'\n', text).is_none_or(|end| end + 1 == text.len())
}

/// Whether bytes are of too many tokens to compare them one by one.
fn has_many_tokens(bytes: &[u8]) -> bool {
    tokens(bytes).nth(MOST_COMPARED).is_some()
}

fn trimmed<'t>(lines: &[&'t [u8]]) -> Vec<&'t [u8]> {
    lines.iter().map(|line| line.trim_ascii()).collect()
}

fn len_of(lines: &[&[u8]]) -> usize {
    lines.iter().map(|line| line.len()).sum()
}

/// The tokens in which two texts differ; where they are many, all of both texts as one piece.
fn tokens_between(old: &[u8], new: &[u8]) -> Vec<Piece> {
    if old == new {
        return Vec::new();
    }
    let is_large = has_many_tokens(old) || has_many_tokens(new);
    if old.is_empty() || new.is_empty() || is_large {
        return vec![Piece { old: 0..old.len(), new: 0..new.len(), is_large }];
    }
    let (old_ends, new_ends) = (token_ends(old), token_ends(new));
    let tokens = |text: &[u8], ends: &[usize]| -> Vec<Vec<u8>> {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, end)| text[start..*end].to_vec()).collect()
    };
    let bytes = |ends: &[usize], of: Range<usize>| {
        let at = |n: usize| n.checked_sub(1).map_or(0, |n| ends[n]);
        at(of.start)..at(of.end)
    };
    similar::capture_diff_slices(Algorithm::Myers, &tokens(old, &old_ends), &tokens(new, &new_ends))
        .into_iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .map(|op| Piece { old: bytes(&old_ends, op.old_range()), new: bytes(&new_ends, op.new_range()), is_large })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_tokens_those_differ_that_lie_between_lines_which_only_one_of_each_has() {
        let line = |n: usize| format!("line {n};\n");
        let old: String = (0..MOST_COMPARED).map(line).collect();
        let indented: String = (0..MOST_COMPARED).map(|n| format!("  {}", line(n))).collect();
        let found = differing_tokens(old.as_bytes(), indented.as_bytes());
        assert_eq!(found.len(), MOST_COMPARED);
        assert!(found.iter().all(|piece| piece.old.is_empty() && piece.new.len() == 2 && !piece.is_large));
        let other = old.replace("line 7;", "line seven;").replace("line 9;\n", "");
        let texts = |text: &str, ranges: Vec<Range<usize>>| -> Vec<String> {
            ranges.into_iter().map(|range| text[range].to_owned()).collect()
        };
        let found = differing_tokens(old.as_bytes(), other.as_bytes());
        assert_eq!(texts(&old, found.iter().map(|piece| piece.old.clone()).collect()), ["7", "line 9;\n"]);
        assert_eq!(texts(&other, found.iter().map(|piece| piece.new.clone()).collect()), ["seven", ""]);
    }

    #[test]
    fn white_space_that_one_line_lost_is_none_that_another_one_got() {
        let check = |old: &str, new: &str, want: &[(&str, &str)]| {
            let found = differing_tokens(old.as_bytes(), new.as_bytes());
            let texts: Vec<(&str, &str)> = found.into_iter().map(|piece| (&old[piece.old], &new[piece.new])).collect();
            assert_eq!(texts, want, "{old:?} {new:?}");
        };
        check("// this is {\n#include \"m.h\"\n", "// this is { \n", &[("", " "), ("#include \"m.h\"\n", "")]);
        check("a b;\r\nold\r\n", "a b;\n", &[("\r\nold\r\n", "\n")]);
        check("if x\n  a b;\nend", "a b;\n", &[("if x\n  ", ""), ("end", "")]);
        check("gone\na b;", "  a b;", &[("gone\n", "  ")]);
    }

    #[test]
    fn what_has_many_tokens_and_no_line_that_is_the_same_is_one_piece() {
        let (old, new) = ("a ".repeat(MOST_COMPARED), "b ".repeat(MOST_COMPARED));
        let all = |is_large: bool, old: &str, new: &str| vec![Piece { old: 0..old.len(), new: 0..new.len(), is_large }];
        assert_eq!(differing_tokens(old.as_bytes(), new.as_bytes()), all(true, &old, &new));
        assert_eq!(differing_tokens(old.as_bytes(), old.as_bytes()), []);
        assert_eq!(differing_tokens(b"a", b"b"), all(false, "a", "b"));
    }
}
