//! Lines that were never committed, and went with the rest of it when a checkout or another branch took the file back to git's.
//!
//! Owns that question. The log knows nothing of them, as somebody beside it wrote them; git knows that it never had them.
//! Invariant: lines count as discarded only where, today or when a later record met the file, it was as git has it wherever it
//! had not been, nothing else is left of what was not committed, and some of that had stood right beside them.

use super::differing::more;
use super::log::Known;
use super::replay::Slot;
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::patch::diff::differing_lines;
use crate::record::RecordClass;
use crate::text::{has_word, split_lines};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Whether steps that make `result` of today's text would bring such lines back; `writers` are the records before that may have
/// written some of those that come back.
pub(super) fn would_come_back(
    whereabouts: &Whereabouts<'_>,
    slot: &Slot,
    writers: &[Arc<Known>],
    (today, result): (&[u8], &[u8]),
) -> bool {
    let Some((met, [before, after])) = slot.oldest_met(today).zip(slot.oldest_texts()) else { return false };
    // What an undo took, a record had put.
    if met.of.kind == RecordClass::Undo {
        return false;
    }
    let mut back = more(today, result);
    // Whether those of a record come back is told by the record.
    let is_of_log = |line: &[u8]| has_word(line) && writers.iter().any(|known| wrote(known, line));
    back.retain(|line| !is_of_log(line));
    if back.is_empty() {
        return false;
    }
    let files = whereabouts.files();
    let Some(had) = (files.had)(met.of, met.name) else { return false };
    let own = more(&had, before);
    // Of braces and blank lines git had some of its own: it is one of those, unless there would be more than git had.
    let is_of_git = |line: &[u8]| !has_word(line) && !more(&had, result).contains(&line);
    if !back.iter().any(|line| own.contains(line) && !is_of_git(line)) {
        return false;
    }
    let took = taken(slot, (before, after));
    let others: Vec<&[u8]> = own.into_iter().filter(|line| has_word(line) && !took.contains(line)).collect();
    let are_gone = |text: &[u8]| {
        let gone = more(text, before);
        others.iter().all(|line| gone.contains(line))
    };
    // What was discarded farther off tells nothing of these lines.
    let sets = [&back, &others].map(|lines| lines.iter().copied().collect::<HashSet<&[u8]>>());
    let are_beside = || runs(&had, before).into_iter().any(|run| sets.iter().all(|lines| holds_one(run, lines)));
    if others.is_empty() || !are_gone(today) || !are_beside() {
        return false;
    }
    let is_clean = (files.in_head)(met.name) == Some(blob_id(today));
    let met_later = slot.since_oldest().iter().filter_map(|known| known.texts.before());
    is_clean
        || is_gits(&had, before, today)
        || met_later.into_iter().any(|text| are_gone(text) && is_gits(&had, before, text))
}

/// Whether a record wrote a line: what an undo or redo put back somebody had written before.
fn wrote(known: &Known, line: &[u8]) -> bool {
    let is_back = matches!(known.class, RecordClass::Undo | RecordClass::Redo);
    !is_back && known.texts.both(&known.file).is_some_and(|(before, after)| more(before, after).contains(&line))
}

/// What the oldest record or a later one took, and none put back since: that is not discarded.
fn taken<'s>(slot: &'s Slot, (before, after): (&'s [u8], &'s [u8])) -> HashSet<&'s [u8]> {
    let mut took: HashSet<&[u8]> = HashSet::new();
    for (old, new) in slot.since_oldest().iter().filter_map(|known| known.texts.both(&known.file)) {
        took.extend(more(new, old));
        for line in more(old, new) {
            took.remove(line);
        }
    }
    took.extend(more(after, before));
    took
}

/// The lines of a text that git did not have, together with what has no word between them.
fn runs<'a>(had: &[u8], before: &'a [u8]) -> Vec<&'a [u8]> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (_, own) in differing_lines(had, before) {
        let is_next = |last: &&mut Range<usize>| before.get(last.end..own.start).is_some_and(|text| !has_word(text));
        match runs.last_mut().filter(is_next) {
            Some(last) => last.end = own.end,
            None => runs.push(own),
        }
    }
    runs.into_iter().filter_map(|run| before.get(run)).collect()
}

/// Whether one of these lines is in a text, but for the white space around it.
fn holds_one(text: &[u8], lines: &HashSet<&[u8]>) -> bool {
    split_lines(text).any(|line| lines.contains(line.trim_ascii()))
}

/// Whether a text is as git had it wherever the one before was not.
fn is_gits(had: &[u8], before: &[u8], text: &[u8]) -> bool {
    let changed = differing_lines(had, text);
    let own = differing_lines(had, before);
    let meets = |a: &Range<usize>, b: &Range<usize>| a.start <= b.end && b.start <= a.end;
    own.iter().all(|(own, _)| changed.iter().all(|(changed, _)| !meets(own, changed)))
}
