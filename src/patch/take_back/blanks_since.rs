//! White space inside of lines that later steps took out: it does not come back for an earlier edit.
//!
//! Owns the way of such places through the steps since, by the token that stands beside each. Lines that were taken out are not its affair.
//! Invariant: where the token went, or white space came there again, nothing is told of the place.

use super::counted::Told;
use super::differing_tokens::{Piece, differing_tokens, pieces};
use super::edit::Edit;
use super::put::{Put, left_of};
use super::put_since::Putters;
use crate::patch::FilePatch;
use crate::text::{line_start, token_ends};

/// Where the white space was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

/// A token beside which a step took white space.
struct Gap {
    token: Put,
    side: Side,
}

/// The step that took white space which a patch of today's text would put there again.
///
/// `left` is the text that the edit left.
pub fn blanks_taken_by(left: &[u8], putters: Putters<'_>, patch: &FilePatch, today: &[u8]) -> Option<usize> {
    let places: Vec<(usize, Side)> = patch
        .splices()
        .iter()
        .flat_map(|splice| {
            let new = differing_tokens(&today[splice.range.clone()], &splice.replacement);
            let of = |piece: Piece| put_beside(&today[splice.range.clone()], &splice.replacement, piece);
            new.into_iter().flat_map(of).map(|(at, side)| (splice.range.start + at, side)).collect::<Vec<_>>()
        })
        .collect();
    if places.is_empty() {
        return None;
    }
    let gaps = open_gaps(left, putters);
    gaps.into_iter().find(|gap| places.contains(&(gap.at(), gap.side))).map(|gap| gap.token.by)
}

/// The gaps that steps made and that nobody filled since.
fn open_gaps(left: &[u8], Putters { steps, is_its_own, told, .. }: Putters<'_>) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        let pieces = pieces(step);
        let mut next: Vec<Gap> = gaps.iter().filter_map(|gap| gap.after(step, &pieces)).collect();
        if is_its_own(n) {
            next.extend(pieces.iter().filter_map(|piece| Gap::of(step, piece, n)));
        }
        // Who brings back all that the edit left does not keep what others did.
        gaps = if told(n) == Told::ByLines && step.after() == left { Vec::new() } else { next };
    }
    gaps
}

impl Gap {
    fn of(step: &Edit<'_>, piece: &Piece, by: usize) -> Option<Self> {
        if !is_blank(&step.before()[piece.old.clone()]) || !piece.new.is_empty() {
            return None;
        }
        let (text, at) = (step.after(), piece.new.start);
        let next = token_ends(&text[at..]).first().map(|end| at..at + end);
        if let Some(token) =
            next.filter(|token| !text[token.clone()].starts_with(b"\n") && !text[token.clone()].starts_with(b"\r"))
        {
            return Some(Self { token: Put { range: token, by }, side: Side::Before });
        }
        let line = line_start(text, at);
        let ends = token_ends(&text[line..at]);
        let start = ends.len().checked_sub(2).map_or(line, |n| line + ends[n]);
        (start < at).then_some(Self { token: Put { range: start..at, by }, side: Side::Behind })
    }

    /// Where the white space was, or where it would come again.
    fn at(&self) -> usize {
        match self.side {
            Side::Before => self.token.range.start,
            Side::Behind => self.token.range.end,
        }
    }

    /// The same after a step; none where that took the token, or put white space there.
    fn after(&self, step: &Edit<'_>, pieces: &[Piece]) -> Option<Self> {
        let is_filled = |piece: &Piece| {
            let new = &step.after()[piece.new.clone()];
            piece.old.start <= self.at()
                && self.at() <= piece.old.end
                && match self.side {
                    Side::Before => new.last().is_some_and(|byte| is_blank(&[*byte])),
                    Side::Behind => new.first().is_some_and(|byte| is_blank(&[*byte])),
                }
        };
        let token = <[Put; 1]>::try_from(left_of(&self.token, pieces)).ok().map(|[token]| token);
        let token = token.filter(|token| token.range.len() == self.token.range.len() && !pieces.iter().any(is_filled));
        token.map(|token| Self { token, side: self.side })
    }
}

/// Where a piece of a change puts white space beside a token, in bytes of the text before.
fn put_beside(text: &[u8], replacement: &[u8], Piece { old, new, .. }: Piece) -> Vec<(usize, Side)> {
    let took = &text[old.clone()];
    if !is_blank(&replacement[new]) || !(took.is_empty() || took.ends_with(b"\n")) {
        return Vec::new();
    }
    let behind = took.is_empty().then_some((old.start, Side::Behind));
    behind.into_iter().chain([(old.end, Side::Before)]).collect()
}

/// Whether some bytes are white space of a line.
fn is_blank(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::take_back::put_since::tests::asked;
    use std::ops::Range;

    /// The record that took what is put there.
    fn taken_by(texts: &[&str], at: Range<usize>, new: &str) -> Option<usize> {
        asked(texts, at, new, |edit, putters, patch, today| blanks_taken_by(edit.after(), putters, patch, today))
    }

    #[test]
    fn white_space_that_a_step_took_from_a_line_is_told_wherever_the_line_went() {
        assert_eq!(taken_by(&["  x;\n", "x;\n"], 0..0, "  "), Some(0));
        assert_eq!(taken_by(&["  x;\n", "x;\n"], 0..3, "  x;\n"), Some(0), "with its line");
        assert_eq!(taken_by(&["  x;\n", "x;\n", "a\nx;\n"], 2..2, "  "), Some(0));
        assert_eq!(taken_by(&["  x;\n", "x;\n", "a\nx;\n"], 0..2, "  "), Some(0), "in place of a line");
        assert_eq!(taken_by(&["x;  \n", "x;\n"], 2..2, " "), Some(0), "at the end of it");
        assert_eq!(taken_by(&["x y\n", "xy\n"], 1..1, " "), None, "two words became another one");
        assert_eq!(taken_by(&["f( x)\n", "f(x)\n"], 2..2, " "), Some(0));
    }

    #[test]
    fn nothing_is_told_where_white_space_came_again_or_the_word_went_or_another_place_is_meant() {
        assert_eq!(taken_by(&["  x;\n", "x;\n", "  x;\n"], 0..0, "  "), None);
        assert_eq!(taken_by(&["  x;\n", "x;\n", "y;\n"], 0..0, "  "), None);
        assert_eq!(taken_by(&["  x;\ny;\n", "x;\ny;\n"], 3..3, "  "), None);
        assert_eq!(taken_by(&["  x;\n", "x;\n"], 0..0, "a  "), None, "a word comes, too");
        assert_eq!(taken_by(&["x;\n", "x;\n", "  x;\n", "x;\n"], 0..0, "  "), Some(2));
        assert_eq!(taken_by(&["x;\n", "  x;\n"], 0..0, "  "), None, "it put some");
    }
}
