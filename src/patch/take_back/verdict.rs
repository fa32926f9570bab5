//! What becomes of one hunk, and of an edit.
//!
//! Owns the form of the answer. Decides nothing.
//! Invariant: the ranges of writes are in bytes of today's text.

use super::reason::Refusal;
use crate::patch::FilePatch;
use std::collections::BTreeSet;
use std::ops::Range;

/// Bytes of today's text, and what takes their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// In bytes of today's text; empty for an insertion.
    pub range: Range<usize>,
    /// Empty for a deletion.
    pub replacement: Vec<u8>,
}

/// What becomes of one hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is there: this is to be written.
    Write(Vec<Write>),
    /// Nothing is to be done: what would be written stands there already.
    AlreadyDone,
    /// It is not proven.
    Refused(Refusal),
}

/// One hunk, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The indexes of the changes that it is made of; a change may be part of several hunks.
    pub changes: Vec<usize>,
    /// What becomes of it.
    pub verdict: Verdict,
}

/// All hunks of an edit, judged, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub(super) hunks: Vec<Judged>,
    pub(super) fits: FilePatch,
}

/// What becomes of an edit as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// Every hunk is proven, and at least one is to be written.
    Write(FilePatch),
    /// Every hunk is done already.
    AlreadyDone,
    /// These hunks are not proven.
    Refused(Vec<(&'a Judged, &'a Refusal)>),
}

impl Answer {
    /// The hunks, in the order of the text.
    pub fn hunks(&self) -> &[Judged] {
        &self.hunks
    }

    /// The hunks that are refused.
    pub fn refusals(&self) -> impl Iterator<Item = (&Judged, &Refusal)> {
        self.hunks.iter().filter_map(|hunk| match &hunk.verdict {
            Verdict::Refused(refusal) => Some((hunk, refusal)),
            Verdict::Write(_) | Verdict::AlreadyDone => None,
        })
    }

    /// The indexes of the changes that are not done as a whole, in order.
    pub fn not_done(&self) -> Vec<usize> {
        let is_open = |hunk: &&Judged| hunk.verdict != Verdict::AlreadyDone;
        let open: BTreeSet<usize> = self.hunks.iter().filter(is_open).flat_map(|hunk| &hunk.changes).copied().collect();
        open.into_iter().collect()
    }

    /// What becomes of the edit as a whole: all of it, or nothing.
    pub fn outcome(&self) -> Outcome<'_> {
        let refused: Vec<_> = self.refusals().collect();
        if !refused.is_empty() {
            return Outcome::Refused(refused);
        }
        if self.fits.is_empty() { Outcome::AlreadyDone } else { Outcome::Write(self.fits.clone()) }
    }

    /// What can be written, whatever is refused.
    pub fn patch_of_what_fits(&self) -> &FilePatch {
        &self.fits
    }
}
