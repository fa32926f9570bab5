//! An edit on its way through later texts to today's, and its answer there.
//!
//! Owns the way from hunk to hunk's verdict to one patch, and an edit's way over what the log knows. Does not prove a hunk (that
//! is `judge`). Invariant: an edit that has moved on is in force as a whole where it is.

use super::commute::commuted;
use super::edit::{Change, Edit};
use super::judge::judged;
use super::last_line::Ended;
use super::proof::Purpose;
use super::reason::{Reason, Refusal};
use super::verdict::{Answer, Judged, Verdict, Write};
use crate::patch::{FilePatch, Splice};
use std::ops::Range;

/// The edit as it would have been made after everything that the log knows; none where a step is not proven.
pub(super) fn moved(edit: &Edit<'_>, later: &[Edit<'_>]) -> Option<Edit<'static>> {
    let mut near = edit.clone().into_owned();
    for step in later {
        near = found_in(near, step.before())?;
        near = match commuted(&near, step) {
            Some(both) => both.first,
            None => found_in(near, step.after())?,
        };
    }
    Some(near)
}

/// The edit as it is in force in a text; none where that is not proven.
pub(super) fn found_in(edit: Edit<'static>, text: &[u8]) -> Option<Edit<'static>> {
    if edit.after() == text { Some(edit) } else { found_on(text, &settled(&edit, &[], text, Purpose::TakeOut)) }
}

/// The edit as an answer has it in a text; none where it is not all in force there.
fn found_on(text: &[u8], answer: &Answer) -> Option<Edit<'static>> {
    let is_write = |hunk: &Judged| matches!(hunk.verdict, Verdict::Write(_));
    if !answer.hunks.iter().all(is_write) || are_joined(&answer.hunks) {
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

/// Whether nothing is left of what stood between two hunks: as one they would forget which of them was where.
fn are_joined(hunks: &[Judged]) -> bool {
    let ends = |hunk: &Judged| match &hunk.verdict {
        Verdict::Write(writes) => writes.first().zip(writes.last()).map(|(a, b)| (a.range.start, b.range.end)),
        Verdict::AlreadyDone | Verdict::Refused(_) => None,
    };
    let ends: Vec<(usize, usize)> = hunks.iter().filter_map(ends).collect();
    ends.windows(2).any(|pair| matches!(pair, [(_, end), (start, _)] if end == start))
}

/// The answer for an edit that is to be taken out of today's text; `between` are the texts that the file had meanwhile, before and after each step.
pub(super) fn settled(part: &Edit<'_>, between: &[&[u8]], today: &[u8], purpose: Purpose) -> Answer {
    let mut hunks = if part.before() == today {
        exactly(part, |_| Verdict::AlreadyDone)
    } else if part.after() == today {
        exactly(part, |change| {
            let replacement = part.before().get(change.before.clone()).unwrap_or_default().to_vec();
            Verdict::Write(vec![Write { range: change.after.clone(), replacement }])
        })
    } else if let Some(ended) = Ended::new(part, today) {
        ended.as_it_is(settled(&ended.edit, between, &ended.today, purpose).hunks)
    } else {
        judged(part, between, today, purpose)
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

/// The answer of some hunks, in the order of the text; none where what is to be written is in no order.
pub(super) fn of_hunks(edit: &Edit<'_>, hunks: Vec<Judged>, today: &[u8]) -> Option<Answer> {
    let fits = FilePatch::new(today.len(), splices(edit, &hunks)).ok()?;
    Some(Answer { hunks, fits })
}

/// The answer for an edit that is taken back already.
pub(super) fn already_done(edit: &Edit<'_>, today: &[u8]) -> Answer {
    Answer { hunks: exactly(edit, |_| Verdict::AlreadyDone), fits: nothing(today) }
}

fn nothing(today: &[u8]) -> FilePatch {
    FilePatch::new(today.len(), Vec::new()).unwrap_or_default()
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
