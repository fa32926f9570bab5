//! What a record did to one text: the texts before and after, and the changes between them.
//!
//! Owns the check that they belong together, and what is left of them where only some are wanted. Does not look at any
//! other text.
//! Invariant of [`Edit`]: its changes are sorted and disjoint in both texts, within them, and all bytes between them are
//! equal, so that the one text becomes the other by the changes alone.

use crate::patch::Origin;
use crate::patch::diff::differing_lines;
use crate::strategy::Strategy;
use crate::text::whole_lines;
use std::collections::BTreeSet;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// One splice of a record, in bytes of both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// In the text before; empty for an insertion.
    pub before: Range<usize>,
    /// In the text after; empty for a deletion.
    pub after: Range<usize>,
    /// Which edit asked for it.
    pub origin: Origin,
}

/// Why texts and changes are no edit; the number is the index of the change (for the end of the texts their number).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnEdit {
    /// It begins before the one before it ends.
    #[error("change {0} overlaps the one before it")]
    OutOfOrder(usize),
    /// It reaches past the end of a text, or ends before it starts.
    #[error("change {0} lies outside the texts")]
    OutOfBounds(usize),
    /// The bytes between it and the one before it are not the same in both texts.
    #[error("the texts differ before change {0}")]
    TextsDiffer(usize),
}

/// The bytes of a text: another one's, or shared, as an edit is copied often and a text may be of megabytes.
#[derive(Debug, Clone)]
enum Text<'a> {
    Borrowed(&'a [u8]),
    Shared(Arc<Vec<u8>>),
}

impl Deref for Text<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl From<Vec<u8>> for Text<'_> {
    fn from(text: Vec<u8>) -> Self {
        Self::Shared(Arc::new(text))
    }
}

impl Text<'_> {
    fn into_owned(self) -> Text<'static> {
        match self {
            Self::Borrowed(text) => text.to_vec().into(),
            Self::Shared(text) => Text::Shared(text),
        }
    }
}

/// A text, what became of it, and how.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    before: Text<'a>,
    after: Text<'a>,
    /// Each with the indexes of the record's own changes that it is made of.
    changes: Vec<(Vec<usize>, Change)>,
}

impl<'a> Edit<'a> {
    /// Checks that `changes`, in order, lead from one text to the other.
    ///
    /// # Errors
    /// [`NotAnEdit`], with the index of the first change that does not fit.
    pub fn new(before: &'a [u8], after: &'a [u8], changes: Vec<Change>) -> Result<Self, NotAnEdit> {
        let (mut b, mut a) = (0, 0);
        let ends = (before.len()..before.len(), after.len()..after.len());
        let ranges = changes.iter().map(|change| (change.before.clone(), change.after.clone()));
        for (n, (old, new)) in ranges.chain([ends]).enumerate() {
            if old.start < b || new.start < a {
                return Err(NotAnEdit::OutOfOrder(n));
            }
            let is_within = old.start <= old.end && new.start <= new.end;
            if !is_within || old.end > before.len() || new.end > after.len() {
                return Err(NotAnEdit::OutOfBounds(n));
            }
            if before.get(b..old.start) != after.get(a..new.start) {
                return Err(NotAnEdit::TextsDiffer(n));
            }
            (b, a) = (old.end, new.end);
        }
        let changes = changes.into_iter().enumerate().map(|(n, change)| (vec![n], change)).collect();
        Ok(Self { before: Text::Borrowed(before), after: Text::Borrowed(after), changes })
    }

    /// What somebody did of whom only the two texts are known: by the lines that differ.
    pub fn by_lines(before: &'a [u8], after: &'a [u8]) -> Option<Self> {
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let change = |(before, after)| Change { before, after, origin };
        Self::new(before, after, differing_lines(before, after).into_iter().map(change).collect()).ok()
    }

    /// The text that it was made on.
    pub fn before(&self) -> &[u8] {
        &self.before
    }

    /// The text that it left.
    pub fn after(&self) -> &[u8] {
        &self.after
    }

    /// The changes, each with the indexes of the record's own changes that it is made of.
    pub fn changes(&self) -> &[(Vec<usize>, Change)] {
        &self.changes
    }

    /// The whole lines of a change, before and after it; where a part of a line came or went at its start, that line is of both.
    pub fn lines_of(&self, change: &Change) -> [&[u8]; 2] {
        let [before, after] = self.line_ranges(change);
        [&self.before()[before], &self.after()[after]]
    }

    /// Where these lines are.
    pub(super) fn line_ranges(&self, change: &Change) -> [Range<usize>; 2] {
        let lines = |text: &[u8], own: &Range<usize>, other: &[u8]| {
            let is_part = own.is_empty() && !other.is_empty() && !other.ends_with(b"\n");
            let end = if is_part { (own.end + 1).min(text.len()) } else { own.end };
            whole_lines(text, &(own.start..end))
        };
        let (before, after) = (self.before(), self.after());
        [
            lines(before, &change.before, &after[change.after.clone()]),
            lines(after, &change.after, &before[change.before.clone()]),
        ]
    }

    /// An edit of texts that were made together with its changes.
    pub(super) fn made_of(before: Vec<u8>, after: Vec<u8>, changes: Vec<(Vec<usize>, Change)>) -> Self {
        Self { before: before.into(), after: after.into(), changes }
    }

    /// The same, with texts of its own.
    pub fn into_owned(self) -> Edit<'static> {
        Edit { before: self.before.into_owned(), after: self.after.into_owned(), changes: self.changes }
    }

    /// The origins of some changes, each once.
    pub(super) fn origins(&self, which: &[usize]) -> Vec<Origin> {
        let mut origins: Vec<Origin> = Vec::new();
        for (_, change) in self.changes.iter().filter(|(mine, _)| mine.iter().any(|n| which.contains(n))) {
            if !origins.contains(&change.origin) {
                origins.push(change.origin);
            }
        }
        origins
    }

    /// The edit that leads back.
    pub(super) fn reversed(self) -> Self {
        let turn = |(n, change): (Vec<usize>, Change)| {
            (n, Change { before: change.after, after: change.before, origin: change.origin })
        };
        Self { before: self.after, after: self.before, changes: self.changes.into_iter().map(turn).collect() }
    }

    /// The indexes of the record's changes that it is made of.
    pub fn parts(&self) -> BTreeSet<usize> {
        self.changes.iter().flat_map(|(which, _)| which.iter().copied()).collect()
    }

    /// Whether none of its changes is of these and of others of the record's: what was led past another edit may have become one.
    pub fn tells_apart(&self, wanted: &[usize]) -> bool {
        self.changes.iter().all(|(which, _)| {
            let of_these = which.iter().filter(|n| wanted.contains(n)).count();
            of_these == 0 || of_these == which.len()
        })
    }

    /// The other changes, and these, made on their result; none where one change is of both.
    pub fn split(self, wanted: &BTreeSet<usize>) -> Option<[Self; 2]> {
        let (wanted, others): (Vec<usize>, Vec<usize>) = self.parts().into_iter().partition(|n| wanted.contains(n));
        let (rest, part) = (self.clone().made_first(&others), self.made_last(&wanted));
        (rest.after() == part.before()).then_some([rest, part])
    }

    /// Only these changes, made last: in the text before, the others are in force.
    pub fn made_last(self, wanted: &[usize]) -> Self {
        self.reversed().made_first(wanted).reversed()
    }

    /// Only these changes: the text after lacks the others.
    pub fn made_first(self, wanted: &[usize]) -> Self {
        let mut after = Vec::with_capacity(self.after.len());
        let mut changes = Vec::new();
        let mut at = 0;
        for (n, change) in self.changes.into_iter().filter(|(which, _)| which.iter().any(|n| wanted.contains(n))) {
            after.extend_from_slice(self.before.get(at..change.before.start).unwrap_or_default());
            let start = after.len();
            after.extend_from_slice(self.after.get(change.after).unwrap_or_default());
            at = change.before.end;
            changes.push((n, Change { before: change.before, after: start..after.len(), origin: change.origin }));
        }
        after.extend_from_slice(self.before.get(at..).unwrap_or_default());
        Self { before: self.before, after: after.into(), changes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Strategy;

    const ORIGIN: Origin = Origin { edit: 0, strategy: Strategy::Exact };

    fn edit(changes: &[(Range<usize>, Range<usize>)]) -> Result<Edit<'static>, NotAnEdit> {
        let change = |(before, after): &(Range<usize>, Range<usize>)| Change {
            before: before.clone(),
            after: after.clone(),
            origin: ORIGIN,
        };
        Edit::new(b"abcdef", b"aXcdYYf", changes.iter().map(change).collect())
    }

    #[test]
    fn changes_that_do_not_lead_from_one_text_to_the_other_are_no_edit() {
        assert!(edit(&[(1..2, 1..2), (4..5, 4..6)]).is_ok());
        assert_eq!(edit(&[(1..2, 1..2)]).err(), Some(NotAnEdit::TextsDiffer(1)));
        assert_eq!(edit(&[(4..5, 4..6), (1..2, 1..2)]).err(), Some(NotAnEdit::TextsDiffer(0)));
        assert_eq!(edit(&[(1..2, 1..2), (1..5, 2..6)]).err(), Some(NotAnEdit::OutOfOrder(1)));
        assert_eq!(edit(&[(1..9, 1..7)]).err(), Some(NotAnEdit::OutOfBounds(0)));
    }

    #[test]
    fn some_of_the_changes_are_an_edit_too() {
        let all = || edit(&[(1..2, 1..2), (4..5, 4..6)]).expect("an edit");
        let last = all().made_last(&[0]);
        assert_eq!((last.before(), last.after()), (&b"abcdYYf"[..], &b"aXcdYYf"[..]));
        let first = all().made_first(&[1]);
        assert_eq!((first.before(), first.after()), (&b"abcdef"[..], &b"abcdYYf"[..]));
        assert_eq!(first.changes().iter().map(|(n, _)| n.clone()).collect::<Vec<_>>(), [[1]]);
    }

    #[test]
    fn an_edit_is_split_into_the_other_changes_and_those_that_are_wanted_made_on_their_result() {
        let changes = [(0..2, 0..2), (2..4, 2..2), (6..6, 4..6)];
        let changes = changes.map(|(before, after)| Change { before, after, origin: ORIGIN });
        let edit = Edit::new(b"a\nb\nc\n", b"A\nc\nd\n", changes.to_vec()).expect("an edit");
        let rows: [(&[usize], &str); 4] =
            [(&[], "A\nc\nd\n"), (&[0], "a\nc\nd\n"), (&[1, 2], "A\nb\nc\n"), (&[0, 1, 2], "a\nb\nc\n")];
        for (wanted, between) in rows {
            let [rest, part] = edit.clone().split(&wanted.iter().copied().collect()).expect("no change is of both");
            let texts = [rest.before(), rest.after(), part.before(), part.after()].map(String::from_utf8_lossy);
            assert_eq!(texts, ["a\nb\nc\n", between, between, "A\nc\nd\n"], "{wanted:?}");
        }
    }

    #[test]
    fn a_change_that_is_of_some_that_are_wanted_and_of_others_does_not_tell_them_apart() {
        let change = |at: usize| Change { before: at..at + 1, after: at..at + 1, origin: ORIGIN };
        let changes = vec![(vec![0, 1], change(0)), (vec![2], change(2))];
        let edit = Edit::made_of(b"abc".to_vec(), b"AbC".to_vec(), changes);
        assert!([&[0, 1][..], &[2], &[0, 1, 2], &[7], &[]].iter().all(|wanted| edit.tells_apart(wanted)));
        assert!(!edit.tells_apart(&[0]) && !edit.tells_apart(&[1, 2]));
    }
}
