//! The lines of a region that hold all that an edit changes: a smaller edit of these alone does the same.
//!
//! Owns how the lines of the old text are put beside those of the region that is offered for it. Places nothing.
//! Invariant: what is given occurs once in the file, and is less than the region.

use crate::matcher::exact::find_once;
use crate::matcher::hint::Region;
use crate::text::to_lf;
use std::ops::Range;

/// Only a region that is longer than this, in bytes, is worth a smaller edit.
pub(super) const LONG: usize = 600;
/// So many pairs of lines are compared.
const MOST_PAIRS: usize = 250_000;
/// So many lines are added on both sides to be unique.
const MOST_MORE: usize = 8;

/// The part of `region` that an edit from `old` to `new` changes, in the text `lf`, all with LF endings.
pub(super) fn part(lf: &[u8], (old, new): (&[u8], &[u8]), region: &Region) -> Option<Region> {
    if region.text.len() <= LONG {
        return None;
    }
    let shown = to_lf(region.text.as_bytes());
    let theirs: Vec<&[u8]> = shown.split_inclusive(|&byte| byte == b'\n').collect();
    let ours: Vec<&[u8]> = lines(old);
    let changed = changed(&ours, &lines(new));
    let pairs = pairs(&ours, &theirs)?;
    // From the last line before the change that stands in both to the first one behind it.
    let is_silent = |range: Range<usize>| ours[range].iter().all(|line| key(line).is_empty());
    let before = pairs.iter().rev().find(|pair| pair.0 < changed.start).map(|pair| pair.1);
    let first = before.or_else(|| is_silent(0..changed.start).then_some(0))?;
    let after = pairs.iter().find(|pair| pair.0 >= changed.end).map(|pair| pair.1 + 1);
    let end = after.or_else(|| is_silent(changed.end..ours.len()).then_some(theirs.len()))?;
    (0..=MOST_MORE).find_map(|more| {
        let lines = first.saturating_sub(more)..(end + more).min(theirs.len());
        let text = theirs.get(lines.clone())?.concat();
        (lines.len() < theirs.len() && find_once(lf, &text).is_some()).then_some(())?;
        Some(Region {
            text: String::from_utf8(text).ok()?,
            start_line: region.start_line + lines.start,
            end_line: region.start_line + lines.end - 1,
            ..region.clone()
        })
    })
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').collect()
}

/// The lines of the old text that the new one does not have at its start or end.
fn changed(old: &[&[u8]], new: &[&[u8]]) -> Range<usize> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    head..old.len() - tail
}

/// What of a line counts: neither white space nor punctuation, which is what most often differs.
fn key(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Lines that stand in both, in both orders: the longest such list.
fn pairs(ours: &[&[u8]], theirs: &[&[u8]]) -> Option<Vec<(usize, usize)>> {
    if ours.len().saturating_mul(theirs.len()) > MOST_PAIRS {
        return None;
    }
    let (a, b): (Vec<_>, Vec<_>) = (ours.iter().map(|l| key(l)).collect(), theirs.iter().map(|l| key(l)).collect());
    let is_same = |i: usize, j: usize| !a[i].is_empty() && a[i] == b[j];
    let width = b.len() + 1;
    let mut longest = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if is_same(i, j) {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if is_same(i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of forty lines, of which the edit changes one in the middle; its old text has another indentation.
    fn check(old_line: &str, new_line: &str, want: Option<&str>) {
        let body: Vec<String> = (0..40).map(|n| format!("    let value_{n} = compute({n});\n")).collect();
        let file = body.concat();
        let old: String = body.iter().map(|line| line.replacen("    ", "\t", 1)).collect();
        let old = old.replace("\tlet value_20 = compute(20);\n", old_line);
        let new = old.replace(old_line, new_line);
        let region = Region { text: file.clone(), start_line: 1, end_line: 40, similarity: 1.0, strategy: None };
        let got = part(file.as_bytes(), (old.as_bytes(), new.as_bytes()), &region);
        assert_eq!(got.as_ref().map(|part| part.text.as_str()), want);
        assert!(got.is_none_or(|part| (part.start_line, part.end_line) == (20, 22)));
    }

    #[test]
    fn the_lines_beside_a_change_are_those_of_the_file() {
        let want =
            "    let value_19 = compute(19);\n    let value_20 = compute(20);\n    let value_21 = compute(21);\n";
        check("\tlet value_20 = compute(20);\n", "\tlet value_20 = 7;\n", Some(want));
        check("\tlet value_20 = computed(20);\n", "\tlet value_20 = 7;\n", Some(want));
    }

    #[test]
    fn an_edit_that_changes_all_has_no_part() {
        let file: String = (0..40).map(|n| format!("    let value_{n} = compute({n});\n")).collect();
        let region = Region { text: file.clone(), start_line: 1, end_line: 40, similarity: 1.0, strategy: None };
        assert_eq!(part(file.as_bytes(), (b"a\nb", b"c"), &region), None);
    }
}
