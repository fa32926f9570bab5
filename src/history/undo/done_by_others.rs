//! Whether what an undo would take out, or bring back, is a later record's doing, by the log: somebody had taken the record back before.
//!
//! Owns that doubt, for what is proven to be in force in the text. How bytes are followed is `patch/take_back`'s affair.

use super::by_log::Steps;
use super::cancelled::Around;
use super::changed_lines::ChangedLines;
use super::log::Known;
use super::remade::{Later, maker, may_have_done_again};
use super::step::Carry;
use super::untouched::untouched_in;
use crate::id::RecordId;
use crate::patch::FilePatch;
use crate::patch::take_back::{Direction, Edit, Outcome, Putters, answer, taken_from};
use crate::record::RecordClass;
use std::collections::HashSet;
use std::sync::Arc;

/// In the texts that so many later records met it is looked for, the newest of them.
const MOST_TEXTS: usize = 32;

impl Carry {
    /// The later record that put what a patch would take away.
    pub(super) fn put_by_another(
        &self,
        edit: &Edit<'_>,
        patch: &FilePatch,
        around: Around<'_>,
        current: &[u8],
    ) -> Option<RecordId> {
        let others = self.others(edit, around, current).filter(|_| !patch.is_empty())?;
        let all: Vec<&Arc<Known>> = around.later.iter().collect();
        let steps = Steps::between(edit.after(), &all, current)?;
        let by = |n: usize| steps.by.get(n).copied().flatten().filter(|by| others.contains(&by.id));
        let putters = Putters { steps: &steps.edits, is_its_own: &|n| by(n).is_some(), told: &|n| steps.told(n) };
        taken_from(edit.after(), putters, patch, current).and_then(by).map(|by| by.id.clone())
    }

    /// Whether it was taken back as a whole, and what was done to its lines since is all of other records.
    pub(super) fn is_of_others_since(&self, edit: &Edit<'_>, around: Around<'_>, current: &[u8]) -> bool {
        let Some(others) = self.others(edit, around, current) else { return false };
        let later: Vec<&Arc<Known>> = around.later.iter().collect();
        let is_other = |(_, known): &(usize, &&Arc<Known>)| others.contains(&known.id);
        for (n, known) in later.iter().enumerate().rev().filter(is_other).take(MOST_TEXTS) {
            let Some(met) = known.texts.before() else { return false };
            match answer(edit.clone(), self.wanted(), Direction::TakeBack, &[], met).outcome() {
                Outcome::AlreadyDone => {
                    let steps = Steps::between(met, &later[n..], current);
                    return steps.is_some_and(|steps| is_done_by(&steps, edit, &others));
                }
                Outcome::Write(_) => return false,
                Outcome::Refused(_) => {}
            }
        }
        false
    }

    /// The later records that may have done what it did; none where it stands untouched.
    fn others(&self, edit: &Edit<'_>, around: Around<'_>, current: &[u8]) -> Option<HashSet<RecordId>> {
        let later = around.later;
        let last = later.last()?.texts.after();
        let left = self.record.files[self.file].after;
        if last == Some(current) && untouched_in(edit, left, later) == later.len() {
            return None;
        }
        let edits: HashSet<&RecordId> =
            later.iter().filter(|one| one.class == RecordClass::Edit).map(|one| &one.id).collect();
        let again = may_have_done_again((&self.record.id, self.file), Later { known: later, is_newer: &|_, _| true });
        // A damaged history may show the record itself once more.
        let others = again.filter(|known| known.id != self.record.id && edits.contains(maker(known, later)));
        let others: HashSet<RecordId> = others.map(|known| known.id.clone()).collect();
        (!others.is_empty()).then_some(others)
    }
}

/// Whether these records did to the lines of an edit what it did, some of them, and nobody else.
fn is_done_by(steps: &Steps<'_>, edit: &Edit<'_>, others: &HashSet<RecordId>) -> bool {
    let own = ChangedLines::of(edit);
    let some = |own: &[&[u8]], done: &[&[u8]]| own.iter().any(|line| done.contains(line));
    let does_some = |step: &Edit<'_>| {
        let done = ChangedLines::of(step);
        some(&own.put, &done.put) || some(&own.took, &done.took)
    };
    let mut doers = steps.edits.iter().zip(&steps.by).filter(|(step, _)| does_some(step)).map(|(_, by)| by).peekable();
    doers.peek().is_some() && doers.all(|by| by.is_some_and(|by| others.contains(&by.id)))
}
