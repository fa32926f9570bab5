//! Lines that were never committed, and went with the rest of it when a checkout or another branch took the file back to git's.
//!
//! Owns that question. The log knows nothing of them, as somebody beside it wrote them; git knows that it never had them.
//! Invariant: lines count as discarded only where the file is just as git has it, and nothing else is left of what was not committed.

use super::differing::more;
use super::replay::Slot;
use super::whereabouts::Whereabouts;
use crate::record::RecordClass;
use crate::text::has_word;
use std::collections::HashSet;

/// Whether steps that make `result` of today's text would bring such lines back.
pub(super) fn would_come_back(whereabouts: &Whereabouts<'_>, slot: &Slot, (today, result): (&[u8], &[u8])) -> bool {
    let Some((met, [before, after])) = slot.oldest_met(today).zip(slot.oldest_texts()) else { return false };
    // What an undo took, a record had put.
    if met.of.kind == RecordClass::Undo {
        return false;
    }
    let back = more(today, result);
    if back.is_empty() {
        return false;
    }
    let Some(had) = (whereabouts.files().had_if_clean)(met.of, met.name, today) else { return false };
    // What a later record took, and none put back since, is not discarded.
    let mut took: HashSet<&[u8]> = HashSet::new();
    for (old, new) in slot.since_oldest().iter().filter_map(|known| known.texts.both(&known.file)) {
        took.extend(more(new, old));
        for line in more(old, new) {
            took.remove(line);
        }
    }
    took.extend(more(after, before));
    let own = more(&had, before);
    let gone = more(today, before);
    let mut others = own.iter().filter(|line| has_word(line) && !took.contains(*line)).peekable();
    others.peek().is_some() && others.all(|line| gone.contains(line)) && back.iter().any(|line| own.contains(line))
}
