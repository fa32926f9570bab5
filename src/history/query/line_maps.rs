//! Which line of one text is which of another: through a record by its diff, else by alignment.
//!
//! Owns both maps, of whole lines. Whose a line is, who asks says.

use crate::patch::align::Alignment;
use crate::patch::diff::{differing_lines, lines_changed};
use crate::record::{RecordFile, RecordedTexts};
use crate::text::{has_word, next_line, split_lines, starts_line};
use bstr::ByteSlice;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// For every line after a record its line before; none where the record wrote it.
///
/// What the record's diff shows as added is written by it: an edit is told with lines around it that it does not change.
pub(super) fn lines_through(file: &RecordFile, texts: &RecordedTexts) -> Vec<Option<usize>> {
    let (before, after) = (texts.before().unwrap_or_default(), texts.after().unwrap_or_default());
    let patch = file.patch(texts).filter(|patch| patch.result_len() == after.len());
    let changes = patch.map_or_else(|| differing_lines(before, after), |patch| lines_changed(before, &patch));
    let changes = slid_down(changes, after);
    let starts_before = line_starts(before);
    let mut shift = 0_isize;
    let mut next = changes.iter().peekable();
    let mut at = 0;
    let mut out = Vec::new();
    for line in after.split_inclusive(|&b| b == b'\n') {
        let range = at..at + line.len();
        at = range.end;
        while let Some((old, new)) = next.next_if(|(_, new)| new.end <= range.start) {
            shift += old.len() as isize - new.len() as isize;
        }
        let is_written = next.peek().is_some_and(|(_, new)| new.start < range.end && !new.is_empty());
        let start = range.start.checked_add_signed(shift).filter(|_| !is_written);
        out.push(start.and_then(|start| starts_before.binary_search(&start).ok()));
    }
    out
}

/// Changes, with lines that were only put in said to have come last of equal ones: two records that put the same line then say so of the same.
fn slid_down(mut changes: Vec<(Range<usize>, Range<usize>)>, after: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut end = after.len();
    for (old, new) in changes.iter_mut().rev() {
        while old.start == old.end && new.start < new.end {
            let len = next_line(after, new.start) - new.start;
            let is_same = new.end + len <= end && after[new.start..new.start + len] == after[new.end..new.end + len];
            if !(is_same && starts_line(after, new.end + len)) {
                break;
            }
            (*old, *new) = (old.start + len..old.end + len, new.start + len..new.end + len);
        }
        end = new.start;
    }
    changes
}

/// The lines that a record wrote.
pub(super) fn lines_written<'t>(file: &RecordFile, texts: &'t RecordedTexts) -> impl Iterator<Item = &'t [u8]> {
    let after = texts.after().unwrap_or_default().split_inclusive(|&byte| byte == b'\n');
    after.zip(lines_through(file, texts)).filter(|(_, from)| from.is_none()).map(|(line, _)| line)
}

/// Without its ending, which git may store otherwise.
pub(super) fn bare(line: &[u8]) -> &[u8] {
    line.trim_end_with(|c| matches!(c, '\r' | '\n'))
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let mut starts: Vec<usize> = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|n| n + 1)).collect();
    if starts.last() == Some(&text.len()) {
        starts.pop();
    }
    starts
}

/// For every line of one text the line of the other that is the same one, whole.
pub(super) fn line_map(from: &[u8], to: &[u8]) -> Vec<Option<usize>> {
    let starts = line_starts(to);
    let alignment = Alignment::new(from, to);
    let mut at = 0;
    let aligned = from.split_inclusive(|&b| b == b'\n').map(|line| {
        let range = at..at + line.len();
        at = range.end;
        let image = alignment.range(&range)?;
        let number = starts.binary_search(&image.start).ok()?;
        let end = starts.get(number + 1).copied().unwrap_or(to.len());
        (end == image.end).then_some(number)
    });
    words_first(aligned.collect(), from, to)
}

/// The same, where a line with a word that stands once in both texts, in its order among the others with words, counts for more than blank lines and brackets
/// that it changed sides with: as many of these may be the same, or a few more, and so an alignment takes them for it.
fn words_first(map: Vec<Option<usize>>, from: &[u8], to: &[u8]) -> Vec<Option<usize>> {
    let lines: Vec<&[u8]> = split_lines(from).collect();
    let open = |n: &usize| map.get(*n).is_some_and(Option::is_none) && has_word(lines[*n]);
    let open: Vec<usize> = (0..lines.len()).filter(open).collect();
    if open.is_empty() {
        return map;
    }
    let (had, has) = (places(from), places(to));
    let mut led: BTreeMap<usize, usize> = map.iter().enumerate().filter_map(|(at, now)| Some((at, (*now)?))).collect();
    for n in open {
        let (Some((1, _)), Some((1, there))) = (had.get(lines[n]), has.get(lines[n])) else { continue };
        let crosses = |(at, now): &(&usize, &usize)| (**at < n) != (*now < there);
        let crossed = led.range(..n).rev().take_while(crosses).chain(led.range(n..).take_while(crosses));
        let crossed: Vec<usize> = crossed.map(|(at, _)| *at).collect();
        if crossed.iter().all(|at| !has_word(lines[*at])) {
            for at in crossed {
                led.remove(&at);
            }
            led.insert(n, *there);
        }
    }
    (0..map.len()).map(|at| led.get(&at).copied()).collect()
}

/// Each line of a text, how often it stands there, and where it does first.
fn places(text: &[u8]) -> HashMap<&[u8], (usize, usize)> {
    let mut places: HashMap<&[u8], (usize, usize)> = HashMap::new();
    for (n, line) in split_lines(text).enumerate() {
        places.entry(line).and_modify(|(count, _)| *count += 1).or_insert((1, n));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(from: &str, to: &str) -> Vec<Option<usize>> {
        line_map(from.as_bytes(), to.as_bytes())
    }

    #[test]
    fn a_line_with_a_word_is_the_same_one_before_a_blank_line_that_it_changed_sides_with() {
        assert_eq!(map("a\nb\n\nz\n", "a\nx\ny\n\nb\nz\n"), [Some(0), Some(4), None, Some(5)]);
        assert_eq!(map("a\n\nb\nz\n", "a\nb\nx\n\nz\n"), [Some(0), None, Some(1), Some(4)]);
        assert_eq!(map("a\n}\n}\nb\nz\n", "a\nb\n}\n}\nz\n"), [Some(0), None, None, Some(1), Some(4)]);
    }

    #[test]
    fn a_line_that_changed_sides_with_one_that_has_a_word_or_stands_twice_is_not_told() {
        let moved = map("a\nb\nc\nz\n", "a\nc\nb\nz\n");
        assert_eq!(moved.iter().filter(|line| line.is_some()).count(), 3);
        // Which of two that stand there is the one, nobody knows.
        assert_eq!(words_first(vec![Some(0), None, Some(2)], b"a\nb\n\n", b"a\nb\n\nb\n"), [Some(0), None, Some(2)]);
    }
}
