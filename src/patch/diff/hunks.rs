//! The hunks of a patch: which lines it changes, with the lines around them.
//!
//! Owns where a hunk starts and ends, and its numbers. Does not print. Invariant: hunks are in order, and no two of them
//! share a line.

use super::blocks::{Changes, LineChange, line_end, line_start};
use crate::patch::FilePatch;
use std::ops::Range;

/// Lines of context on either side of a change.
const CONTEXT: usize = 3;

/// Changes so close to each other that their context meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// 1-based lines before, context included; an empty range begins at the line before it.
    pub before: Range<usize>,
    /// 1-based lines after, context included; an empty range begins at the line before it.
    pub after: Range<usize>,
    base: &'a [u8],
    /// In bytes of the base, context included.
    range: Range<usize>,
    changes: Vec<LineChange>,
}

/// Where a line of a hunk stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOrigin {
    /// On both sides.
    Context,
    /// Before only.
    Removed,
    /// After only.
    Added,
}

/// A line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HunkLine<'h> {
    /// Where it stands.
    pub origin: LineOrigin,
    /// Its bytes, with its ending, if it has one.
    pub text: &'h [u8],
}

impl Hunk<'_> {
    /// In bytes of the base, context included.
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Every line, in the order of a unified diff.
    pub fn lines(&self) -> impl Iterator<Item = HunkLine<'_>> {
        let starts = std::iter::once(self.range.start).chain(self.changes.iter().map(|change| change.old.end));
        let changes = self.changes.iter().map(Some).chain([None]);
        let parts = starts.zip(changes).flat_map(|(start, change)| match change {
            Some(LineChange { old, new }) => [
                (LineOrigin::Context, &self.base[start..old.start]),
                (LineOrigin::Removed, &self.base[old.clone()]),
                (LineOrigin::Added, &new[..]),
            ],
            None => [
                (LineOrigin::Context, &self.base[start..self.range.end]),
                (LineOrigin::Removed, &[]),
                (LineOrigin::Added, &[]),
            ],
        });
        parts.flat_map(|(origin, text)| {
            text.split_inclusive(|&byte| byte == b'\n').map(move |text| HunkLine { origin, text })
        })
    }
}

/// The hunks of one file, one after the other; those not asked for are not worked out.
pub struct Hunks<'a> {
    base: &'a [u8],
    changes: std::iter::Peekable<Changes<'a>>,
    /// Up to this offset of the base, lines were counted: so many before, so many after.
    counted: (usize, usize, usize),
}

impl<'a> Hunks<'a> {
    /// Of a patch against `base`.
    pub fn new(base: &'a [u8], patch: &'a FilePatch) -> Self {
        Self { base, changes: Changes::new(base, patch).peekable(), counted: (0, 0, 0) }
    }
}

impl<'a> Iterator for Hunks<'a> {
    type Item = Hunk<'a>;

    fn next(&mut self) -> Option<Hunk<'a>> {
        let mut changes = vec![self.changes.next()?];
        let mut end = changes[0].old.end;
        while let Some(next) = self.changes.next_if(|next| {
            memchr::memchr_iter(b'\n', &self.base[end..next.old.start]).take(2 * CONTEXT + 1).count() <= 2 * CONTEXT
        }) {
            end = next.old.end;
            changes.push(next);
        }
        let range = lines_back(self.base, changes[0].old.start, CONTEXT)..lines_on(self.base, end, CONTEXT);
        let (upto, mut old_line, mut new_line) = self.counted;
        let skipped = count_lines(&self.base[upto..range.start]);
        (old_line, new_line) = (old_line + skipped, new_line + skipped);
        let old_count = count_lines(&self.base[range.clone()]);
        let removed: usize = changes.iter().map(|change| count_lines(&self.base[change.old.clone()])).sum();
        let added: usize = changes.iter().map(|change| count_lines(&change.new)).sum();
        let new_count = old_count - removed + added;
        self.counted = (range.end, old_line + old_count, new_line + new_count);
        let (before, after) = (numbers(old_line, old_count), numbers(new_line, new_count));
        Some(Hunk { before, after, base: self.base, range, changes })
    }
}

/// The numbers of `count` lines after the first `line`.
fn numbers(line: usize, count: usize) -> Range<usize> {
    let first = line + usize::from(count > 0);
    first..first + count
}

/// The number of lines of a text that starts at a line; the last may lack its ending.
fn count_lines(text: &[u8]) -> usize {
    let ends = memchr::memchr_iter(b'\n', text).count();
    ends + usize::from(!text.is_empty() && !text.ends_with(b"\n"))
}

/// The start of the line that is `count` lines before the one that starts at `at`.
fn lines_back(text: &[u8], at: usize, count: usize) -> usize {
    (0..count).fold(at, |at, _| line_start(text, at.saturating_sub(1)))
}

/// The end of the line that is `count` lines after the one that ends at `at`.
fn lines_on(text: &[u8], at: usize, count: usize) -> usize {
    (0..count).fold(at, |at, _| line_end(text, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Origin, Splice};
    use crate::strategy::Strategy;

    /// Lines before, lines after, and each line with the mark of its origin.
    fn check(base: &str, splices: &[(Range<usize>, &str)], want: &[(Range<usize>, Range<usize>, &[&str])]) {
        let splices = splices.iter().map(|(range, new)| Splice {
            range: range.clone(),
            replacement: new.as_bytes().to_vec(),
            origin: vec![Origin { edit: 0, strategy: Strategy::Exact }],
        });
        let patch = FilePatch::new(base.len(), splices.collect()).expect("disjoint");
        let shown = |hunk: &Hunk<'_>| -> Vec<String> {
            let mark = |origin| match origin {
                LineOrigin::Context => ' ',
                LineOrigin::Removed => '-',
                LineOrigin::Added => '+',
            };
            hunk.lines().map(|line| format!("{}{}", mark(line.origin), String::from_utf8_lossy(line.text))).collect()
        };
        let got: Vec<_> = Hunks::new(base.as_bytes(), &patch)
            .map(|hunk| (hunk.before.clone(), hunk.after.clone(), shown(&hunk)))
            .collect();
        let want: Vec<_> = want
            .iter()
            .map(|(before, after, lines)| {
                (before.clone(), after.clone(), lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(got, want);
    }

    #[test]
    fn a_hunk_has_its_lines_with_their_endings_and_origins() {
        check(
            "a\nb\r\nc",
            &[(2..3, "B"), (5..6, "x\ny")],
            &[(1..4, 1..5, &[" a\n", "-b\r\n", "+B\r\n", "-c", "+x\n", "+y"])],
        );
        check("", &[(0..0, "@@ -1 +1 @@\n")], &[(0..0, 1..2, &["+@@ -1 +1 @@\n"])]);
        check("a\n", &[(0..2, "")], &[(1..2, 0..0, &["-a\n"])]);
        check("a\n", &[], &[]);
    }

    #[test]
    fn changes_far_from_each_other_are_hunks_of_their_own() {
        let base: String = (10..30).map(|n| format!("{n}\n")).collect();
        check(
            &base,
            &[(0..3, ""), (51..51, "new\n")],
            &[
                (1..5, 1..4, &["-10\n", " 11\n", " 12\n", " 13\n"]),
                (15..21, 14..21, &[" 24\n", " 25\n", " 26\n", "+new\n", " 27\n", " 28\n", " 29\n"]),
            ],
        );
    }
}
