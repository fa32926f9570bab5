//! Which lines of two whole texts differ, in bytes of both: by comparing them, or by the patch between them.

use super::blocks::Changes;
use super::changed_lines::changed_lines;
use crate::patch::FilePatch;
use std::ops::Range;

/// The bytes of whole lines that differ: of the text before and of the text after, in order; all between them is equal.
pub fn differing_lines(before: &[u8], after: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let (old, new) = (split(before), split(after));
    let prefix = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - prefix;
    let suffix = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    if prefix == old_end && prefix == new_end {
        return Vec::new();
    }
    let (starts_old, starts_new) = (starts(&old), starts(&new));
    let bytes = |starts: &[usize], lines: &Range<usize>| starts[prefix + lines.start]..starts[prefix + lines.end];
    let changed = changed_lines(&old[prefix..old_end], &new[prefix..new_end]);
    changed.iter().map(|(old, new)| (bytes(&starts_old, old), bytes(&starts_new, new))).collect()
}

/// The bytes of whole lines that a patch of `base` changes, of it and of what it becomes, in order: those that the diff of it shows as
/// removed and added.
pub(crate) fn lines_changed(base: &[u8], patch: &FilePatch) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut before, mut after) = (0, 0);
    let changes = Changes::new(base, patch).map(|change| {
        let start = after + (change.old.start - before);
        (before, after) = (change.old.end, start + change.new.len());
        (change.old, start..after)
    });
    changes.collect()
}

fn split(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Where each line starts, and where the last one ends.
fn starts(lines: &[&[u8]]) -> Vec<usize> {
    let mut at = 0;
    let ends = lines.iter().map(|line| {
        at += line.len();
        at
    });
    std::iter::once(0).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Origin, Replacement};
    use crate::strategy::Strategy;

    #[test]
    fn differing_lines_are_told_in_bytes_of_both_texts() {
        let check = |before: &str, after: &str, want: &[(Range<usize>, Range<usize>)]| {
            assert_eq!(differing_lines(before.as_bytes(), after.as_bytes()), want, "{before:?} {after:?}");
        };
        check("", "", &[]);
        check("a\n", "a\n", &[]);
        check("", "a", &[(0..0, 0..1)]);
        check("a\nb\nc\n", "a\nB\nc\n", &[(2..4, 2..4)]);
        check("a\nb\nc\nd\n", "A\nb\nc\n", &[(0..2, 0..2), (6..8, 6..6)]);
        check("a\na\n", "a\n", &[(2..4, 2..2)]);
    }

    #[test]
    fn of_a_patch_only_the_lines_count_that_its_diff_shows() {
        let check = |before: &str, (range, new): (Range<usize>, &str), want: &[(Range<usize>, Range<usize>)]| {
            let splice = Replacement { range, bytes: new.into() }.by(Origin { edit: 0, strategy: Strategy::Exact });
            let patch = FilePatch::new(before.len(), vec![splice]).expect("one splice");
            assert_eq!(lines_changed(before.as_bytes(), &patch), want, "{before:?} {new:?}");
        };
        check("a\nb\nc\nd\n", (0..8, "A\nb\nc\nD!\n"), &[(0..2, 0..2), (6..8, 6..9)]);
        check("a\nb\nc\n", (2..3, "x\nb"), &[(2..2, 2..4)]);
        check("a\nb\nc\n", (1..4, "\n"), &[(2..4, 2..2)]);
        check("a\nb", (3..3, "\n"), &[(2..3, 2..4)]);
        check("a\n", (0..1, "a"), &[]);
    }
}
