//! The text that a file had while just the edits were in force that would be: where records alone led from it to today's text, that is what it is to be.
//!
//! Owns that look at the log, which knows which edits were in force with each text. Looks at no line.
//! Invariant: where the file had two such texts, neither counts, and none does where somebody else may have done a part of it.

use super::log::Known;
use super::replayed::Replayed;
use crate::id::RecordId;
use crate::patch::diff::differing_lines;
use crate::patch::{FilePatch, Origin, Replacement, Splice};
use crate::record::{RecordClass, Target};
use crate::strategy::Strategy;
use crate::text::split_lines;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// What becomes of a file, of which this is known, when these targets are inverted, where the log has the text that it had so, and another one was found.
pub(super) fn as_it_was(
    (known, inverted): (&[Arc<Known>], &[Target]),
    current: &[u8],
    found: Option<&Replayed>,
) -> Option<Replayed> {
    let was = text_with_same_in_force(known, inverted, current)?;
    if found.is_some_and(|found| found.text.as_deref() == Some(was)) {
        return None;
    }
    let splice = |(before, after): (Range<usize>, Range<usize>)| {
        Replacement { range: before, bytes: was[after].to_vec() }.by(Origin { edit: 0, strategy: Strategy::Exact })
    };
    let splices: Vec<Splice> = differing_lines(current, was).into_iter().map(splice).collect();
    let already = || inverted.iter().map(|target| target.id.clone()).collect();
    let left = inverted.first().and_then(|target| known.iter().find(|known| known.id == target.id));
    Some(Replayed {
        text: Some(was.to_vec()),
        already: if splices.is_empty() { already() } else { Vec::new() },
        is_same_without: splices.is_empty(),
        patch: FilePatch::new(current.len(), splices).ok()?,
        kept_later: left.is_none_or(|left| left.texts.after() != Some(current)),
        ..Replayed::unchanged(Some(current))
    })
}

/// The text that a file, of which this is known, had when all was in force that is today, but for these targets, which are to be inverted; none where
/// somebody else came to the file since the oldest edit that these are about.
fn text_with_same_in_force<'k>(known: &'k [Arc<Known>], inverted: &[Target], current: &[u8]) -> Option<&'k [u8]> {
    let mut text = current;
    let mut from = known.len();
    for (n, known) in known.iter().enumerate().rev() {
        let Some((before, _)) = known.texts.both(&known.file).filter(|(_, after)| *after == text) else { break };
        (text, from) = (before, n);
    }
    let known = &known[from..];
    let mut log = InForce::default();
    let effects = known.iter().map(|known| log.pass(known)).collect::<Option<Vec<Effect>>>()?;
    // What is in force otherwise than it would be.
    let mut other: BTreeSet<Change> = log.effect(inverted)?.changes().cloned().collect();
    // Somebody else may have taken back a part of an edit, or done that again, before the texts that are looked at.
    let is_here = |change: &Change| known.iter().any(|known| known.id == change.0 && known.class == RecordClass::Edit);
    if other.is_empty() || !other.iter().all(is_here) {
        return None;
    }
    let mut found = None;
    for (known, effect) in known.iter().zip(&effects).rev() {
        for change in effect.changes() {
            if !other.remove(change) {
                other.insert(change.clone());
            }
        }
        if other.is_empty() {
            let text = known.texts.before()?;
            if found.is_some_and(|found| found != text) {
                return None;
            }
            found = Some(text);
        }
    }
    found
}

/// A change of an edit by its index, or all that a record did which is no edit, or that is not known.
type Change = (RecordId, Option<usize>);

/// What an undo or redo takes out of what is in force, and puts there.
#[derive(Clone, Default)]
struct Effect {
    took: BTreeSet<Change>,
    put: BTreeSet<Change>,
}

impl Effect {
    fn changes(&self) -> impl Iterator<Item = &Change> {
        self.took.iter().chain(&self.put)
    }
}

/// What is in force of what records did to a file, one after the other.
#[derive(Default)]
struct InForce {
    now: BTreeSet<Change>,
    edits: HashMap<RecordId, usize>,
    inverses: HashMap<RecordId, Effect>,
}

impl InForce {
    /// Goes on over a record, and gives what that did; none where it is not told what it inverted.
    fn pass(&mut self, known: &Known) -> Option<Effect> {
        let effect = match known.class {
            RecordClass::Edit => {
                let count = known.file.splices.count();
                self.edits.insert(known.id.clone(), count);
                Effect { took: BTreeSet::new(), put: (0..count).map(|n| (known.id.clone(), Some(n))).collect() }
            }
            RecordClass::External => Effect { took: BTreeSet::new(), put: BTreeSet::from([(known.id.clone(), None)]) },
            RecordClass::Undo | RecordClass::Redo => {
                let mut effect = self.effect(&known.targets)?;
                // What it put of markers is nobody's edit.
                let is_empty = effect.changes().next().is_none() && known.file.before != known.file.after;
                if is_empty
                    || known.texts.both(&known.file).is_some_and(|(before, after)| has_more_markers(before, after))
                {
                    effect.put.insert((known.id.clone(), None));
                }
                self.inverses.insert(known.id.clone(), effect.clone());
                effect
            }
        };
        self.now.retain(|change| !effect.took.contains(change));
        self.now.extend(effect.put.iter().cloned());
        Some(effect)
    }

    /// What it does to what is in force to invert these; none where that is not told.
    fn effect(&self, targets: &[Target]) -> Option<Effect> {
        let mut effect = Effect::default();
        for target in targets {
            let is_meant = |n: &usize| target.splices.as_ref().is_none_or(|splices| splices.contains(n));
            if let Some(count) = self.edits.get(&target.id) {
                effect.took.extend((0..*count).filter(is_meant).map(|n| (target.id.clone(), Some(n))));
            } else if target.splices.is_some() {
                return None;
            } else if let Some(inverse) = self.inverses.get(&target.id) {
                effect.took.extend(inverse.put.iter().cloned());
                effect.put.extend(inverse.took.iter().cloned());
            } else {
                // Of what is older, only that it was inverted.
                let change = (target.id.clone(), None);
                if self.now.contains(&change) {
                    effect.took.insert(change)
                } else {
                    effect.put.insert(change)
                };
            }
        }
        effect.took.retain(|change| self.now.contains(change));
        effect.put.retain(|change| !self.now.contains(change));
        Some(effect)
    }
}

/// Whether a text has more conflict markers than the one before it.
fn has_more_markers(before: &[u8], after: &[u8]) -> bool {
    let [had, has] = [before, after].map(|text| split_lines(text).filter(|line| line.starts_with(b"<<<<<<< ")).count());
    has > had
}

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{id, known};
    use super::*;

    const TEXTS: [&str; 4] = ["0\n", "1\n", "2\n", "3\n"];

    fn step(n: u8, inverts: &[u8], [before, after]: [usize; 2]) -> Arc<Known> {
        let class = if inverts.is_empty() { RecordClass::Edit } else { RecordClass::Undo };
        known(n, class, inverts, [TEXTS[before], TEXTS[after]])
    }

    fn found(known: &[Arc<Known>], inverted: &[u8], today: usize) -> Option<usize> {
        let target = |n: &u8| Target { id: id(*n), file: 0, splices: None, is_cancelled: false, was_gone: false };
        let targets: Vec<Target> = inverted.iter().map(target).collect();
        let text = text_with_same_in_force(known, &targets, TEXTS[today].as_bytes())?;
        TEXTS.iter().position(|one| one.as_bytes() == text)
    }

    #[test]
    fn a_file_is_as_it_was_when_the_same_edits_were_in_force() {
        let edits = [step(1, &[], [0, 1]), step(2, &[], [1, 2])];
        assert_eq!([found(&edits, &[2], 2), found(&edits, &[1, 2], 2)], [Some(1), Some(0)]);
        assert_eq!(found(&edits, &[1], 2), None, "the second one never was in force alone");
        let undone = [&edits[..], &[step(3, &[1], [2, 3])]].concat();
        assert_eq!([found(&undone, &[2], 3), found(&undone, &[3], 3)], [Some(0), Some(2)]);
        let back = [&undone[..], &[step(4, &[3], [3, 2])]].concat();
        assert_eq!([found(&back, &[1], 2), found(&back, &[4], 2), found(&back, &[2], 2)], [Some(3), Some(3), Some(1)]);
    }

    #[test]
    fn a_text_does_not_count_where_somebody_else_came_to_the_file_since_or_it_was_not_always_the_same() {
        let edits = [step(1, &[], [0, 1]), step(2, &[], [3, 2])];
        assert_eq!([found(&edits, &[2], 2), found(&edits, &[1, 2], 2), found(&edits, &[2], 3)], [Some(3), None, None]);
        let twice = [step(1, &[], [0, 1]), step(2, &[1], [1, 2]), step(3, &[], [2, 3])];
        assert_eq!([found(&twice, &[3], 3), found(&twice[..2], &[9], 2)], [None, None]);
    }

    #[test]
    fn an_undo_that_inverted_nothing_and_changed_the_text_is_something_else() {
        let marked = known(3, RecordClass::Undo, &[], [TEXTS[1], TEXTS[2]]);
        let log = [step(1, &[], [0, 1]), marked, step(4, &[], [2, 3])];
        assert_eq!([found(&log, &[4], 3), found(&log, &[1, 4], 3)], [Some(2), None]);
    }

    #[test]
    fn what_is_inverted_in_part_is_not_told_of_what_is_no_edit() {
        let part = |n: u8, class| {
            let one = known(n, class, &[7], [TEXTS[0], TEXTS[1]]);
            let target = Target { id: id(n), file: 0, splices: Some(vec![0]), is_cancelled: false, was_gone: false };
            text_with_same_in_force(&[one], &[target], TEXTS[1].as_bytes()).map(<[u8]>::to_vec)
        };
        assert_eq!([part(1, RecordClass::Edit), part(1, RecordClass::Redo)], [Some(TEXTS[0].into()), None]);
    }
}
