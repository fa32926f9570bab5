//! Which lines of two whole texts differ, in bytes of both.

use super::changed_lines::changed_lines;
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
}
