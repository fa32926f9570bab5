//! An edit moved over what is known to have been done after it.
//!
//! Owns the exact way: where the log has every step from the record's text to a later one, positions are counted, not
//! searched. Does not prove anything (that is `proof`), and gives up where two edits share a line or a point.
//! Invariant: the moved edit's text after is the later edit's text after, and its text before is that without the edit.

use super::edit::{Change, Edit};
use std::ops::Range;

/// The edit as it would have been made after `later`, which was made on its result; none where the two meet.
///
/// Two insertions at one point meet too: in which order they stood is not known from the ranges.
pub(super) fn moved_over(edit: &Edit<'_>, later: &Edit<'_>) -> Option<Edit<'static>> {
    if edit.after() != later.before() {
        return None;
    }
    let mut made = Made::default();
    let (mut mine, mut theirs) = (edit.changes().iter().peekable(), later.changes().iter().peekable());
    loop {
        let is_mine = match (mine.peek(), theirs.peek()) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some((_, mine)), Some((_, theirs))) => is_first(edit, mine, later, theirs)?,
        };
        if is_mine {
            let (n, change) = mine.next()?;
            made.keep(edit.after(), change.after.start);
            made.put(n, edit, change)?;
        } else {
            let (_, change) = theirs.next()?;
            made.keep(edit.after(), change.before.start);
            made.copy(later.after().get(change.after.clone())?);
            made.at = change.before.end;
        }
    }
    made.keep(edit.after(), edit.after().len());
    made.edit(later)
}

/// The texts so far.
#[derive(Default)]
struct Made {
    before: Vec<u8>,
    after: Vec<u8>,
    changes: Vec<(Vec<usize>, Change)>,
    /// How far the text between the two edits is copied.
    at: usize,
    /// Where both texts must end, as a line without its ending was put there.
    end: Option<(usize, usize)>,
}

impl Made {
    fn copy(&mut self, bytes: &[u8]) {
        self.before.extend_from_slice(bytes);
        self.after.extend_from_slice(bytes);
    }

    fn keep(&mut self, text: &[u8], until: usize) {
        self.copy(text.get(self.at..until).unwrap_or_default());
        self.at = until;
    }

    /// Makes a change; none where it would glue lines.
    fn put(&mut self, which: &[usize], edit: &Edit<'_>, change: &Change) -> Option<()> {
        let is_start = starts_line(edit.before(), change.before.start);
        if is_start != starts_line(&self.before, self.before.len()) {
            return None;
        }
        let start = (self.before.len(), self.after.len());
        self.before.extend_from_slice(edit.before().get(change.before.clone())?);
        self.after.extend_from_slice(edit.after().get(change.after.clone())?);
        self.at = change.after.end;
        let ranges = (start.0..self.before.len(), start.1..self.after.len());
        if change.after.end == edit.after().len() {
            self.end = Some((ranges.0.end, ranges.1.end));
        }
        self.changes.push((which.to_vec(), Change { before: ranges.0, after: ranges.1, origin: change.origin }));
        Some(())
    }

    /// The edit, if its last change is still at the end where it was at the end; whole lines may have come behind it.
    fn edit(self, later: &Edit<'_>) -> Option<Edit<'static>> {
        let is_open = |text: &[u8], end: usize| end < text.len() && !starts_line(text, end);
        let is_glued = self.end.is_some_and(|(b, a)| is_open(&self.before, b) || is_open(&self.after, a));
        let is_whole = self.after == later.after();
        (is_whole && !is_glued).then(|| Edit::made_of(self.before, self.after, self.changes))
    }
}

/// Whether a change of the edit stands before one of the later edit; none where they meet.
fn is_first(edit: &Edit<'_>, mine: &Change, later: &Edit<'_>, theirs: &Change) -> Option<bool> {
    let of = |edit: &Edit<'_>, change: &Change| {
        [edit.before().get(change.before.clone()), edit.after().get(change.after.clone())]
            .iter()
            .all(|bytes| bytes.is_some_and(|bytes| bytes.is_empty() || bytes.ends_with(b"\n")))
    };
    let a = lines(edit.after(), &mine.after, of(edit, mine));
    let b = lines(later.before(), &theirs.before, of(later, theirs));
    match (a.end <= b.start, b.end <= a.start) {
        (true, true) => None,
        (false, false) => None,
        (is_first, _) => Some(is_first),
    }
}

/// The whole lines of a change; itself where it is made of whole lines.
fn lines(text: &[u8], range: &Range<usize>, are_lines: bool) -> Range<usize> {
    let head = text.get(..range.start).unwrap_or(text);
    let start = memchr::memrchr(b'\n', head).map_or(0, |at| at + 1);
    if start == range.start && are_lines {
        return range.clone();
    }
    let last = range.end.max(range.start + 1) - 1;
    let tail = text.get(last..).unwrap_or_default();
    start..memchr::memchr(b'\n', tail).map_or(text.len(), |at| last + at + 1)
}

fn starts_line(text: &[u8], at: usize) -> bool {
    at == 0 || text.get(at - 1) == Some(&b'\n')
}
