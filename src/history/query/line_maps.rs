//! Which line of one text is which of another: through a record by its diff, else by alignment.
//!
//! Owns both maps, of whole lines. Whose a line is, who asks says.

use crate::patch::align::Alignment;
use crate::patch::diff::{differing_lines, lines_changed};
use crate::record::{RecordFile, RecordedTexts};
use crate::text::{next_line, starts_line};
use bstr::ByteSlice;
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
    from.split_inclusive(|&b| b == b'\n')
        .map(|line| {
            let range = at..at + line.len();
            at = range.end;
            let image = alignment.range(&range)?;
            let number = starts.binary_search(&image.start).ok()?;
            let end = starts.get(number + 1).copied().unwrap_or(to.len());
            (end == image.end).then_some(number)
        })
        .collect()
}
