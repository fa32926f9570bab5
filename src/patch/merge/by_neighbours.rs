//! The merge where no rule explains the indentation, for whoever takes the risk: each line by the lines around it.
//!
//! Owns that guess, for a window of as many lines as were sent. Proves nothing: it is for level `loose` and the strategies
//! by name, and its results come with a warning. Invariant: lines equal in old and new keep the file's bytes.

use super::change::{Hunk, changes};
use super::opens::opens;
use super::sides::Sides;
use crate::matcher::fold;
use crate::matcher::found::Why;
use crate::matcher::source::Source;
use crate::patch::Replacement;
use std::ops::Range;

/// Writes old -> new onto the lines of the file from `start` on, line for line.
///
/// # Errors
/// [`Why`] it cannot be done line by line, or changes nothing.
pub(super) fn write(sides: Sides<'_>, start: usize) -> Result<Vec<Replacement>, Why> {
    let at = start..start + sides.old.lines().len();
    let lines = |source: &Source<'_>| -> Vec<Vec<u8>> {
        (0..source.lines().len()).map(|line| fold::trim_end(source.text(line)).to_vec()).collect()
    };
    let (old, new) = (lines(sides.old), lines(sides.new));
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) =
        (old.iter().map(Vec::as_slice).collect(), new.iter().map(Vec::as_slice).collect());
    let hunks = changes(&old, &new).ok_or_else(|| Why::TooLarge(at.clone()))?;
    let window = Window { sides, old: &old, new: &new, start };
    let mut replacements = Vec::new();
    for hunk in &hunks {
        let range = start + hunk.old.start..start + hunk.old.end;
        replacements.extend(sides.replacement(range, &window.lines(hunk))?);
    }
    if replacements.is_empty() { Err(Why::Same(at)) } else { Ok(replacements) }
}

/// The lines that are compared; those of old stand in the file from `start` on.
struct Window<'w, 's> {
    sides: Sides<'s>,
    old: &'w [&'w [u8]],
    new: &'w [&'w [u8]],
    start: usize,
}

impl Window<'_, '_> {
    /// The new lines of a change, with the indentation of the lines that they replace, or of a neighbour.
    fn lines(&self, hunk: &Hunk) -> Vec<Vec<u8>> {
        hunk.new.clone().map(|n| self.line(hunk, n)).collect()
    }

    fn line(&self, hunk: &Hunk, n: usize) -> Vec<u8> {
        let line = self.new[n];
        let text = &line[fold::indent(line).len()..];
        if text.is_empty() {
            return Vec::new();
        }
        let own = hunk.old.start + (n - hunk.new.start);
        let is_own = hunk.old.len() == hunk.new.len() && !fold::trim(self.old[own]).is_empty();
        let reference = if is_own { Some(own) } else { self.neighbour(&hunk.old, line) };
        let Some(reference) = reference else { return line.to_vec() };
        let (sent, ours) = (fold::indent(self.old[reference]), fold::indent(self.ours(reference)));
        [&moved(fold::indent(line), sent, ours)[..], text].concat()
    }

    /// The line of old whose depth tells that of a line at the place of `old`: the first that goes, or else the one above; where
    /// that opens a block and the one below stands deeper in the file, the one below.
    fn neighbour(&self, old: &Range<usize>, line: &[u8]) -> Option<usize> {
        let is_solid = |&n: &usize| !fold::trim(self.old[n]).is_empty();
        if let Some(first) = old.clone().find(is_solid) {
            return Some(first);
        }
        let (above, below) = ((0..old.start).rev().find(is_solid), (old.end..self.old.len()).find(is_solid));
        match (above, below) {
            (Some(above), Some(below)) => {
                let depth = |n: usize| fold::indent(self.ours(n)).len();
                let is_sent_alike = fold::indent(self.old[below]) == fold::indent(line);
                let is_below = opens(self.old[above]) && depth(below) > depth(above) && is_sent_alike;
                Some(if is_below { below } else { above })
            }
            (one, other) => one.or(other),
        }
    }

    fn ours(&self, n: usize) -> &[u8] {
        self.sides.file.text(self.start + n)
    }
}

/// An indentation moved as far as that of another line was: `sent` became `ours`.
pub(super) fn moved(indent: &[u8], sent: &[u8], ours: &[u8]) -> Vec<u8> {
    if let Some(deeper) = indent.strip_prefix(sent) {
        return [ours, deeper].concat();
    }
    let less = sent.strip_prefix(indent).map_or(0, <[u8]>::len);
    ours[..ours.len().saturating_sub(less)].to_vec()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{apply, edit, text};
    use super::super::{Level, locate};
    use crate::matcher::likely::Evidence;

    fn check([file, old, new]: [&str; 3], want: &str) {
        let located = locate(&text(file), &edit(old, new), Level::Loose, Evidence::default()).expect("loose takes it");
        assert_eq!(apply(file, &located), want);
    }

    #[test]
    fn a_text_without_indentation_does_not_flatten_a_body_of_two_depths() {
        let file = "class A:\n    def total(self):\n        first = 1\n        return first\n";
        let old = "def total(self):\nfirst = 1\nreturn first";
        check([file, old, "def total(self):\nfirst = 2\nreturn first"], &file.replace("= 1", "= 2"));
        check(
            [file, old, "def total(self, more):\nfirst = 2\nreturn first + more"],
            &file.replace("self", "self, more").replace("= 1", "= 2").replace("return first", "return first + more"),
        );
        check(
            [file, old, "def total(self):\nfirst = 1\nsecond = 2\nreturn first"],
            &file.replace("= 1\n", "= 1\n        second = 2\n"),
        );
        check(
            [file, old, "def total(self):\nzero = 0\nfirst = 1\nreturn first"],
            &file.replace("        first", "        zero = 0\n        first"),
        );
        check([file, old, "def total(self):\nreturn first"], &file.replace("        first = 1\n", ""));
    }

    #[test]
    fn a_deeper_line_stays_deeper_than_its_neighbour() {
        let file = "if a {\n\t\tone_call();\n\ttwo_calls();\n}\n";
        let old = "if a {\none_call();\ntwo_calls();\n}";
        check(
            [file, old, "if a {\none_call();\ntwo_calls();\nif b {\n  three();\n}\n}"],
            "if a {\n\t\tone_call();\n\ttwo_calls();\n\tif b {\n\t  three();\n\t}\n}\n",
        );
    }
}
