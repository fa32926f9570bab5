//! Taking an edit back, putting it in again, and making it in another version of the text: proven, or refused.
//!
//! The rules are those of docs/history.md (Proof): a hunk is written only where it is proven to be, and to be in force, in today's text. What
//! stands there already is told as done; everything else is refused with its reason. See [`answer`].
//! Owns the decision and what is to be written. Reads no files, knows no records, applies nothing.
//! Invariant: bytes outside of the written ranges stay; a second run of the same writes nothing.
//!
//! Reading order: `edit` (what goes in), `units` (what texts are made of), `hunk`, `anchors` (where to look),
//! `whole` and `guard` (what speaks against it), `proof` (the rules), `within` (inside of edited lines), `carry` (what
//! another version allows), `judge` (all hunks together).

mod anchors;
mod carry;
mod edit;
mod guard;
mod hunk;
mod judge;
mod known;
mod proof;
mod reason;
mod units;
mod verdict;
mod whole;
mod within;

pub use edit::{Change, Edit};
pub use reason::{Reason, Refusal};
pub use verdict::{Judged, Verdict, Write};

use super::{FilePatch, Splice};
use judge::judged;
use known::moved_over;
use proof::Purpose;
use std::ops::Range;

/// What is to become of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Undo: today's text is to be without it.
    TakeBack,
    /// Redo: it is to be in force again.
    PutAgain,
    /// The edit is to be made in another version of the text that it was made on, such as HEAD's or the index's. Lines
    /// count as wholes there: the rest of a line that others edited is not theirs to publish.
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

/// All hunks of an edit, judged, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    hunks: Vec<Judged>,
    fits: FilePatch,
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
///
/// `later` is what the log knows to have been done to the text since, in order; it may have gaps, and be empty. Where it
/// leads from the text of the edit to today's without a gap, places are counted instead of searched.
pub fn answer(edit: Edit<'_>, wanted: Wanted<'_>, direction: Direction, later: &[Edit<'_>], today: &[u8]) -> Answer {
    let part = match (wanted, direction) {
        (Wanted::All, _) => edit,
        (Wanted::Only(which), Direction::TakeBack | Direction::PutAgain) => edit.made_last(which),
        (Wanted::Only(which), Direction::CarryTo) => edit.made_first(which),
    };
    let part = match direction {
        Direction::TakeBack => part,
        Direction::PutAgain | Direction::CarryTo => part.reversed(),
    };
    let purpose = match direction {
        Direction::TakeBack | Direction::PutAgain => Purpose::TakeOut,
        Direction::CarryTo => Purpose::Carry,
    };
    let near =
        if later.is_empty() || part.before() == today || part.after() == today { None } else { moved(&part, later) };
    let counted = near.map(|near| settled(&near, today, purpose)).filter(|answer| answer.refusals().next().is_none());
    counted.unwrap_or_else(|| settled(&part, today, purpose))
}

/// The edit as it would have been made after everything that the log knows; none where a step is not proven.
fn moved(edit: &Edit<'_>, later: &[Edit<'_>]) -> Option<Edit<'static>> {
    let mut near = edit.clone().into_owned();
    for step in later {
        for text in [step.before(), step.after()] {
            if near.after() == text {
                continue;
            }
            near = match moved_over(&near, step) {
                Some(moved) => moved,
                None => found_on(text, &settled(&near, text, Purpose::TakeOut))?,
            };
        }
    }
    Some(near)
}

/// The edit as an answer has it in a text; none where it is not all in force there.
fn found_on(text: &[u8], answer: &Answer) -> Option<Edit<'static>> {
    let is_write = |hunk: &Judged| matches!(hunk.verdict, Verdict::Write(_));
    if !answer.hunks.iter().all(is_write) {
        return None;
    }
    let which = |at: &Range<usize>| {
        let is_here = |hunk: &&Judged| match &hunk.verdict {
            Verdict::Write(writes) => writes.iter().any(|write| write.range == *at),
            Verdict::AlreadyDone | Verdict::Refused(_) => false,
        };
        answer.hunks.iter().filter(is_here).flat_map(|hunk| hunk.changes.iter().copied()).collect()
    };
    let ranges = answer.fits.splices().iter().zip(answer.fits.result_ranges());
    let changes = ranges.map(|(splice, before)| {
        let origin = splice.origin.first().copied()?;
        Some((which(&splice.range), Change { before, after: splice.range.clone(), origin }))
    });
    let changes = changes.collect::<Option<Vec<_>>>()?;
    Some(Edit::made_of(answer.fits.apply(text), text.to_vec(), changes))
}

/// The answer for an edit that is to be taken out of today's text.
fn settled(part: &Edit<'_>, today: &[u8], purpose: Purpose) -> Answer {
    let mut hunks = if part.before() == today {
        exactly(part, |_| Verdict::AlreadyDone)
    } else if part.after() == today {
        exactly(part, |change| {
            let replacement = part.before().get(change.before.clone()).unwrap_or_default().to_vec();
            Verdict::Write(vec![Write { range: change.after.clone(), replacement }])
        })
    } else {
        judged(part, today, purpose)
    };
    let fits = FilePatch::new(today.len(), splices(part, &hunks)).unwrap_or_else(|_| {
        // Not to be met: the places were checked to be in order.
        let refusal =
            Refusal { reason: Reason::OutOfOrder, own: 0..0, place: 0..0, candidates: Vec::new(), wanted: Vec::new() };
        for hunk in &mut hunks {
            hunk.verdict = Verdict::Refused(refusal.clone());
        }
        nothing(today)
    });
    if fits.apply(today) == today {
        // What comes back is what goes: it is done.
        let is_write = |hunk: &&mut Judged| matches!(hunk.verdict, Verdict::Write(_));
        hunks.iter_mut().filter(is_write).for_each(|hunk| hunk.verdict = Verdict::AlreadyDone);
        return Answer { hunks, fits: nothing(today) };
    }
    Answer { hunks, fits }
}

fn nothing(today: &[u8]) -> FilePatch {
    FilePatch::new(today.len(), Vec::new()).unwrap_or_default()
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

/// The splices of the hunks that are to be written.
fn splices(part: &Edit<'_>, hunks: &[Judged]) -> Vec<Splice> {
    let mut splices: Vec<Splice> = Vec::new();
    for hunk in hunks {
        let Verdict::Write(writes) = &hunk.verdict else { continue };
        let origin = part.origins(&hunk.changes);
        for Write { range, replacement } in writes {
            match splices.last_mut() {
                // Two insertions at one point are one, in the order of the hunks.
                Some(last) if range.is_empty() && last.range == *range => {
                    last.replacement.extend_from_slice(replacement);
                    last.origin.extend(
                        origin.iter().filter(|origin| !last.origin.contains(origin)).copied().collect::<Vec<_>>(),
                    );
                }
                _ => splices.push(Splice {
                    range: range.clone(),
                    replacement: replacement.clone(),
                    origin: origin.clone(),
                }),
            }
        }
    }
    splices
}

/// Today's text is one of the edit's own: every change is a hunk of itself.
fn exactly(edit: &Edit<'_>, verdict: impl Fn(&Change) -> Verdict) -> Vec<Judged> {
    edit.changes().iter().map(|(which, change)| Judged { changes: which.clone(), verdict: verdict(change) }).collect()
}

#[cfg(test)]
mod tests;
