//! Taking an edit back, putting it in again, and making it in another version of the text: proven, or refused.
//!
//! The rules are those of docs: a hunk is written only where it is proven to be, and to be in force, in today's text. What
//! stands there already is told as done; everything else is refused with its reason. See [`answer`].
//! Owns the decision and what is to be written. Reads no files, knows no records, applies nothing.
//! Invariant: bytes outside of the written ranges stay; a second run of the same writes nothing.
//!
//! Reading order: `edit` (what goes in), `units` and `tokens` (what texts are made of), `hunk`, `anchors` (where to look),
//! `guard` (what speaks against it), `proof` (the rules), `within` (inside of edited lines), `judge` (all hunks together).

mod anchors;
mod edit;
mod guard;
mod hunk;
mod judge;
mod proof;
mod reason;
mod tokens;
mod units;
mod within;

pub use edit::{Change, Edit, NotAnEdit};
pub use reason::{Reason, Refusal};

use super::{FilePatch, Origin, Splice};
use crate::text::Lines;
use judge::judged;
use std::ops::Range;

/// What is to become of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Undo: today's text is to be without it.
    TakeBack,
    /// Redo: it is to be in force again.
    PutAgain,
    /// The edit is to be made in another version of the text that it was made on, such as HEAD's or the index's.
    CarryTo,
}

/// Which of the changes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// The whole edit.
    All,
    /// Those with these indexes; the others stay as they are.
    Only(&'a [usize]),
}

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
    /// The lines that it takes, 0-based, in the text that it is taken from: after the edit for an undo, before it else.
    pub lines: Range<usize>,
    /// What becomes of it.
    pub verdict: Verdict,
    origin: Vec<Origin>,
}

/// All hunks of an edit, judged, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    today_len: usize,
    hunks: Vec<Judged>,
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

/// Judges an edit against today's text: where each of its hunks goes, whether it is done already, or why it is refused.
pub fn answer(edit: Edit<'_>, wanted: Wanted<'_>, direction: Direction, today: &[u8]) -> Answer {
    let part = match (wanted, direction) {
        (Wanted::All, _) => edit,
        (Wanted::Only(which), Direction::TakeBack | Direction::PutAgain) => edit.made_last(which),
        (Wanted::Only(which), Direction::CarryTo) => edit.made_first(which),
    };
    let part = match direction {
        Direction::TakeBack => part,
        Direction::PutAgain | Direction::CarryTo => part.reversed(),
    };
    let hunks = if part.before() == today {
        exactly(&part, |_| Verdict::AlreadyDone)
    } else if part.after() == today {
        exactly(&part, |change| {
            let replacement = part.before().get(change.before.clone()).unwrap_or_default().to_vec();
            Verdict::Write(vec![Write { range: change.after.clone(), replacement }])
        })
    } else {
        judged(&part, today)
    };
    Answer { today_len: today.len(), hunks }
}

impl Answer {
    /// The hunks, in the order of the text.
    pub fn hunks(&self) -> &[Judged] {
        &self.hunks
    }

    /// What becomes of the edit as a whole: all of it, or nothing.
    pub fn outcome(&self) -> Outcome<'_> {
        let refused: Vec<_> = self
            .hunks
            .iter()
            .filter_map(|hunk| match &hunk.verdict {
                Verdict::Refused(refusal) => Some((hunk, refusal)),
                Verdict::Write(_) | Verdict::AlreadyDone => None,
            })
            .collect();
        let patch = self.patch_of_what_fits();
        match (refused.is_empty(), patch.is_empty()) {
            (false, _) => Outcome::Refused(refused),
            (true, true) => Outcome::AlreadyDone,
            (true, false) => Outcome::Write(patch),
        }
    }

    /// What can be written, whatever is refused.
    pub fn patch_of_what_fits(&self) -> FilePatch {
        let mut splices: Vec<Splice> = Vec::new();
        for hunk in &self.hunks {
            let Verdict::Write(writes) = &hunk.verdict else { continue };
            for Write { range, replacement } in writes {
                match splices.last_mut() {
                    // Two insertions at one point are one, in the order of the hunks.
                    Some(last) if range.is_empty() && last.range == *range => {
                        last.replacement.extend_from_slice(replacement);
                        last.origin.extend_from_slice(&hunk.origin);
                    }
                    _ => splices.push(Splice {
                        range: range.clone(),
                        replacement: replacement.clone(),
                        origin: hunk.origin.clone(),
                    }),
                }
            }
        }
        FilePatch::new(self.today_len, splices).unwrap_or_default()
    }
}

/// Today's text is one of the edit's own: every change is a hunk of itself.
fn exactly(edit: &Edit<'_>, verdict: impl Fn(&Change) -> Verdict) -> Vec<Judged> {
    let lines = Lines::new(edit.after());
    let row = |at: usize| {
        if at == edit.after().len() && edit.after().ends_with(b"\n") {
            lines.count()
        } else {
            lines.number_at(at).saturating_sub(1)
        }
    };
    let rows = |range: &Range<usize>| {
        let last = if range.is_empty() { row(range.start) } else { row(range.end - 1) + 1 };
        row(range.start)..last
    };
    let judged = |(n, change): &(usize, Change)| Judged {
        changes: vec![*n],
        lines: rows(&change.after),
        verdict: verdict(change),
        origin: vec![change.origin],
    };
    edit.changes().iter().map(judged).collect()
}
