//! What an edit did to its two texts, as splices of the one or of the other.
//!
//! Owns the way from stored numbers to splices. Takes texts only as [`RecordedTexts`], so that no number leads outside of them.

use super::{RecordFile, RecordedTexts, SpliceRange};
use crate::patch::take_back::{Change, Edit};
use crate::patch::{FilePatch, Origin, Replacement, Splice, trim};
use std::ops::Range;

impl RecordFile {
    /// The edit as a patch of the text before; none where a text is not to be had.
    pub fn patch(&self, texts: &RecordedTexts) -> Option<FilePatch> {
        let (_, after) = texts.both(self)?;
        let splices = self.splices.ranges().iter().map(|s| {
            let bytes = after.get(s.after.clone())?;
            Some(s.replacing(s.before.clone(), bytes))
        });
        FilePatch::new(self.splices.before_len(), splices.collect::<Option<_>>()?).ok()
    }

    /// The edit with both of its texts; none where one is not to be had.
    pub fn edit<'a>(&self, texts: &'a RecordedTexts) -> Option<Edit<'a>> {
        let (before, after) = texts.both(self)?;
        let change = |splice: &SpliceRange| Change {
            before: splice.before.clone(),
            after: splice.after.clone(),
            origin: Origin { edit: splice.edit, strategy: splice.strategy },
        };
        Edit::new(before, after, self.splices.ranges().iter().map(change).collect()).ok()
    }

    /// What must be done to the text after to get these splices out of it (all where `which` is none), trimmed; with the
    /// index of the splice that each comes from. None where a text is not to be had.
    pub fn undo_pieces(&self, texts: &RecordedTexts, which: Option<&[usize]>) -> Option<Vec<(usize, Splice)>> {
        let (before, after) = texts.both(self)?;
        self.trimmed(which, |s| Some(trim(after, &s.replacing(s.after.clone(), before.get(s.before.clone())?))))
    }

    /// What must be done to the text before to get these splices into it, trimmed. None where a text is not to be had.
    pub fn redo_pieces(&self, texts: &RecordedTexts, which: Option<&[usize]>) -> Option<Vec<(usize, Splice)>> {
        let (before, after) = texts.both(self)?;
        self.trimmed(which, |s| Some(trim(before, &s.replacing(s.before.clone(), after.get(s.after.clone())?))))
    }

    /// `make` gives none inside for a splice that changes nothing, and none outside where the texts are not the record's.
    fn trimmed(
        &self,
        which: Option<&[usize]>,
        make: impl Fn(&SpliceRange) -> Option<Option<Splice>>,
    ) -> Option<Vec<(usize, Splice)>> {
        let wanted = |n: &usize| which.is_none_or(|which| which.contains(n));
        let numbered = self.splices.ranges().iter().enumerate().filter(|(n, _)| wanted(n));
        let made = numbered.map(|(n, splice)| Some(make(splice)?.map(|splice| (n, splice))));
        Some(made.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }
}

impl SpliceRange {
    /// The splice of the same edit that puts `bytes` in the place of `range`.
    fn replacing(&self, range: Range<usize>, bytes: &[u8]) -> Splice {
        Replacement { range, bytes: bytes.to_vec() }.by(Origin { edit: self.edit, strategy: self.strategy })
    }
}
