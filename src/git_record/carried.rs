//! An edit in another version of its text: in HEAD's, in the staged one, or in the working tree's.
//!
//! Owns how it is asked for there, and which lines of others are told where it is not proven. The proof is
//! `patch::take_back`'s. Reads and writes nothing.
//! Invariant: the other version changes in whole lines that were the edit's own; one that has the edit stays as it is.

use super::error::UserLines;
use crate::patch::take_back::{Change, Direction, Edit, Outcome, Refusal, Wanted, answer};
use crate::patch::{EditOutcome, FilePatch, Origin, Replacement, Splice, trim};
use crate::strategy::Strategy;
use crate::text::{BOM, Lines, whole_lines};
use std::ops::Range;

/// An edit of a text.
pub(super) struct Carry {
    before: Vec<u8>,
    after: Vec<u8>,
    changes: Vec<Change>,
}

/// What an edit comes to in another version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Carried {
    /// It fits.
    Fits(FilePatch),
    /// That version has it already.
    AlreadyThere,
}

impl Carry {
    /// A patch of a text, which `edits` asked for.
    pub(super) fn of_patch(before: &[u8], patch: &FilePatch, edits: &[EditOutcome]) -> Self {
        let after = patch.apply(before);
        Self { before: before.to_vec(), after, changes: changes_of(patch, edits) }
    }

    /// The same edit in git's form of both texts.
    pub(super) fn in_form(raw: [&[u8]; 2], patch: &FilePatch, edits: &[EditOutcome], form: [Vec<u8>; 2]) -> Self {
        let [before, after] = form;
        let mapped = || {
            let (in_before, in_after) = (offsets(raw[0], &before)?, offsets(raw[1], &after)?);
            let place = |map: &[usize], range: &Range<usize>| Some(*map.get(range.start)?..*map.get(range.end)?);
            let moved = changes_of(patch, edits).into_iter().map(|Change { before, after, origin }| {
                let (before, after) = (place(&in_before, &before)?, place(&in_after, &after)?);
                Some(Change { before, after, origin })
            });
            let changes = moved.collect::<Option<Vec<Change>>>()?;
            Edit::new(&before, &after, changes.clone()).ok().map(|_| changes)
        };
        let changes = mapped().unwrap_or_else(|| whole(&before, &after));
        Self { before, after, changes }
    }

    /// An edit of these changes.
    pub(super) fn of_changes(before: &[u8], after: &[u8], changes: Vec<Change>) -> Self {
        Self { before: before.to_vec(), after: after.to_vec(), changes }
    }

    /// The text that it left.
    pub(super) fn after(&self) -> &[u8] {
        &self.after
    }

    /// The edit in another version of the text.
    ///
    /// # Errors
    /// The lines that are in the way.
    pub(super) fn to(&self, other: &[u8]) -> Result<Carried, Vec<UserLines>> {
        // A rename, or a change of mode, fits whatever lines there are.
        if self.changes.is_empty() {
            return Ok(Carried::Fits(FilePatch::unchanged(other.len())));
        }
        // Not to be met: the changes are those of a patch.
        let Ok(edit) = Edit::new(&self.before, &self.after, self.changes.clone()) else { return Err(Vec::new()) };
        match answer(edit, Wanted::All, Direction::CarryTo, &[], other).outcome() {
            Outcome::Write(patch) => Ok(Carried::Fits(patch)),
            Outcome::AlreadyDone => match self.deleted_lines() {
                // That they are not there is no edit of theirs: they are the user's, and not committed.
                Some(lines) => Err(lines),
                None => Ok(Carried::AlreadyThere),
            },
            Outcome::Refused(refused) => {
                let lines = refused.iter().map(|(hunk, refusal)| self.refused_lines(&hunk.changes, refusal, other));
                Err(lines.collect())
            }
        }
    }

    /// The lines that the edit deletes, where that is all it does.
    fn deleted_lines(&self) -> Option<Vec<UserLines>> {
        let trimmed = self.changes.iter().filter_map(|Change { before, after, origin }| {
            let bytes = self.after.get(after.clone()).unwrap_or_default().to_vec();
            trim(&self.before, &Replacement { range: before.clone(), bytes }.by(*origin))
        });
        let lines = trimmed.map(|Splice { range, replacement, origin }| {
            let is_lines = replacement.is_empty() && whole_lines(&self.before, &range) == range;
            let edit = origin.first().map_or(0, |origin| origin.edit);
            is_lines.then(|| self.user_lines(edit, &range, &[]))
        });
        lines.collect()
    }

    /// The lines that a hunk needs.
    fn refused_lines(&self, changes: &[usize], refusal: &Refusal, other: &[u8]) -> UserLines {
        let edit = changes.iter().find_map(|&n| self.changes.get(n)).map_or(0, |change| change.origin.edit);
        let there = refusal.candidates.first().filter(|_| refusal.place == (0..0)).unwrap_or(&refusal.place);
        self.user_lines(edit, &refusal.own, other.get(there.clone()).unwrap_or_default())
    }

    /// Lines of the text before, and what is there in the other version.
    fn user_lines(&self, edit: usize, own: &Range<usize>, there: &[u8]) -> UserLines {
        let own = whole_lines(&self.before, own);
        let lines = Lines::new(&self.before);
        let start_line = lines.number_at(own.start);
        let end_line = lines.number_at(own.end.saturating_sub(1)).max(start_line);
        let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let text = shown(self.before.get(own).unwrap_or_default());
        UserLines { edit, start_line, end_line, text, committed: shown(there) }
    }
}

/// The changes of a patch, each as wide as the old text of the edit that asked for it: which lines the request named
/// says where they belong.
fn changes_of(patch: &FilePatch, edits: &[EditOutcome]) -> Vec<Change> {
    let splices = patch.splices();
    let named = |origin: &Origin| edits.iter().find(|edit| edit.index == origin.edit && edit.replacements == 1);
    let change = |(n, (splice, after)): (usize, (&Splice, Range<usize>))| {
        let origin = splice.origin.first().copied()?;
        let Range { start, end } = splice.range;
        let free = n.checked_sub(1).map_or(0, |n| splices[n].range.end)
            ..splices.get(n + 1).map_or(patch.base_len(), |next| next.range.start);
        let range = named(&origin).map_or(start..end, |edit| edit.range.clone());
        let (more_before, more_behind) =
            (start.saturating_sub(range.start.max(free.start)), range.end.min(free.end).saturating_sub(end));
        let before = start - more_before..end + more_behind;
        Some(Change { before, after: after.start - more_before..after.end + more_behind, origin })
    };
    splices.iter().zip(patch.result_ranges()).enumerate().filter_map(change).collect()
}

/// All of a text replaced.
fn whole(before: &[u8], after: &[u8]) -> Vec<Change> {
    let origin = Origin { edit: 0, strategy: Strategy::Exact };
    vec![Change { before: 0..before.len(), after: 0..after.len(), origin }]
}

/// Where each offset of a raw text is in git's form of it; none where more than line endings and a byte order mark differ.
pub(super) fn offsets(raw: &[u8], form: &[u8]) -> Option<Vec<usize>> {
    let mut map = Vec::with_capacity(raw.len() + 1);
    let mut at = 0;
    // A byte order mark is no part of what git has.
    let mark = if raw.starts_with(BOM) && !form.starts_with(BOM) { BOM.len() } else { 0 };
    map.resize(mark, 0);
    for (n, byte) in raw.iter().enumerate().skip(mark) {
        map.push(at);
        if form.get(at) == Some(byte) {
            at += 1;
        } else if *byte != b'\r' || raw.get(n + 1) != Some(&b'\n') {
            return None;
        }
    }
    map.push(at);
    (at == form.len()).then_some(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::diff::differing_lines;

    fn carry([before, after]: [&str; 2]) -> Carry {
        let (before, after) = (before.as_bytes(), after.as_bytes());
        let origin = Origin { edit: 3, strategy: Strategy::Exact };
        let differing = differing_lines(before, after).into_iter();
        Carry::of_changes(before, after, differing.map(|(before, after)| Change { before, after, origin }).collect())
    }

    #[test]
    fn lines_that_an_edit_only_deletes_and_that_were_never_committed_are_the_users() {
        let lines = |texts: [&str; 2], other: &str| {
            let told = carry(texts).to(other.as_bytes()).expect_err("the user's lines");
            told.into_iter().map(|one| (one.edit, one.start_line, one.end_line, one.text)).collect::<Vec<_>>()
        };
        let one = lines(["a\nb\nc\nd\n", "a\nb\nd\n"], "a\nb\nd\n");
        assert_eq!(one, [(3, 3, 3, "c\n".to_owned())]);
        let two = lines(["a\nb\nc\nd\ne\nf\n", "a\nd\nf\n"], "a\nd\nf\n");
        assert_eq!(two, [(3, 2, 3, "b\nc\n".to_owned()), (3, 5, 5, "e\n".to_owned())]);
    }

    #[test]
    fn an_edit_that_put_or_replaced_something_is_there_already_where_head_has_it() {
        let rows = [
            (["a\nb\nc\n", "a\nB\nc\n"], "a\nB\nc\n"),
            (["a\nc\n", "a\nb\nc\n"], "a\nb\nc\n"),
            // It deletes in one place, and puts in another one.
            (["a\nb\nc\nd\ne\n", "a\nc\nd\nx\ne\n"], "a\nc\nd\nx\ne\n"),
            // A part of a line is none.
            (["a\nb b\nc\n", "a\nb\nc\n"], "a\nb\nc\n"),
        ];
        for (texts, other) in rows {
            assert_eq!(carry(texts).to(other.as_bytes()), Ok(Carried::AlreadyThere), "{texts:?}");
        }
    }

    #[test]
    fn an_offset_is_found_where_only_line_endings_and_a_mark_differ() {
        type Row<'a> = (&'a [u8], &'a [u8], Option<&'a [usize]>);
        let rows: [Row<'_>; 9] = [
            (b"a\nb", b"a\nb", Some(&[0, 1, 2, 3])),
            (b"a\r\nb", b"a\nb", Some(&[0, 1, 1, 2, 3])),
            (b"\xef\xbb\xbfa\r\n", b"a\n", Some(&[0, 0, 0, 0, 1, 1, 2])),
            (b"\xef\xbb\xbfa\r\n", b"\xef\xbb\xbfa\n", Some(&[0, 1, 2, 3, 4, 4, 5])),
            (b"a", b"\xef\xbb\xbfa", None),
            (b"a\rb", b"ab", None),
            (b"ab", b"ac", None),
            (b"a", b"ab", None),
            (b"", b"", Some(&[0])),
        ];
        for (raw, form, want) in rows {
            assert_eq!(offsets(raw, form).as_deref(), want, "{raw:?} {form:?}");
        }
    }
}
