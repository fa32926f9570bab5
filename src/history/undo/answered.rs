//! What a step was found to do to a text, kept for when it is asked again: a plan is looked at several times, and once more under the lock.
//!
//! Owns when two questions are one. Invariant: an answer is given again only where all that it depends on is the same: who gives a step other texts
//! forgets its answers.

use super::cancelled::Around;
use super::carried::Found;
use super::log::Known;
use super::remade::DoneAgain;
use super::request::Misfits;
use crate::git::blob_id;
use crate::id::{BlobId, RecordId};
use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// So many answers are kept, the newest.
const MOST_KEPT: usize = 4;

/// What a step is asked.
#[derive(Debug)]
pub(super) struct Asked {
    current: BlobId,
    earlier: Vec<Arc<Known>>,
    later: Vec<Arc<Known>>,
    /// What the run did before: each time it is another record of the same.
    done: BlobId,
    misfits: Misfits,
    remade: DoneAgain,
    inverted: HashSet<RecordId>,
}

impl Asked {
    /// About a text, of a step that is known so.
    pub(super) fn of(
        (current, misfits): (&[u8], Misfits),
        around: Around<'_>,
        (remade, inverted): (&DoneAgain, &HashSet<RecordId>),
    ) -> Self {
        Self {
            current: blob_id(current),
            earlier: around.earlier.to_vec(),
            later: around.later.to_vec(),
            done: digest_of(&[]),
            misfits,
            remade: remade.clone(),
            inverted: inverted.clone(),
        }
    }

    /// The same behind what the run did before, which is the end of what came later.
    pub(super) fn behind(mut self, done: &[Arc<Known>]) -> Self {
        self.later.truncate(self.later.len().saturating_sub(done.len()));
        self.done = digest_of(done);
        self
    }

    fn is(&self, other: &Self) -> bool {
        self.current == other.current
            && self.done == other.done
            && self.misfits == other.misfits
            && self.remade == other.remade
            && self.inverted == other.inverted
            && are_same(&self.earlier, &other.earlier)
            && are_same(&self.later, &other.later)
    }
}

/// What records took back, and from which texts that led to which.
fn digest_of(done: &[Arc<Known>]) -> BlobId {
    let told = |known: &Arc<Known>| format!("{:?} {:?} {:?}", known.targets, known.file.before, known.file.after);
    blob_id(done.iter().map(told).collect::<Vec<String>>().join("\n").as_bytes())
}

fn are_same(one: &[Arc<Known>], other: &[Arc<Known>]) -> bool {
    let is_same = |(one, other): (&Arc<Known>, &Arc<Known>)| Arc::ptr_eq(one, other);
    one.len() == other.len() && one.iter().zip(other).all(is_same)
}

/// The answers that a step gave.
#[derive(Debug, Default)]
pub(super) struct Answered(RefCell<VecDeque<(Asked, Found)>>);

impl Answered {
    /// The answer of the last time, if this was asked; else it is found now.
    pub(super) fn or_find(&self, asked: Asked, find: impl FnOnce() -> Found) -> Found {
        if let Some((_, done)) = self.0.borrow().iter().find(|(other, _)| other.is(&asked)) {
            return done.clone();
        }
        let done = find();
        let mut kept = self.0.borrow_mut();
        kept.truncate(MOST_KEPT - 1);
        kept.push_front((asked, done.clone()));
        done
    }
}

#[cfg(test)]
mod tests {
    use super::super::carried::Carried;
    use super::super::remade::tests::edit_of;
    use super::*;
    use crate::patch::FilePatch;
    use std::cell::Cell;

    #[test]
    fn an_answer_is_given_again_for_the_same_question_only() {
        let (answered, found) = (Answered::default(), Cell::new(0));
        let known = || vec![edit_of(["a\n", "b\n"])];
        let (one, other) = (known(), known());
        let (own, ids) = (DoneAgain::Never, HashSet::new());
        let asked = |text: &str, earlier: &[Arc<Known>], later: &[Arc<Known>]| {
            Asked::of((text.as_bytes(), Misfits::Refused), Around { earlier, later }, (&own, &ids))
        };
        let found_by = |asked: Asked| {
            let find = || {
                found.set(found.get() + 1);
                Ok(Carried { patch: FilePatch::unchanged(found.get()), conflicts: Vec::new(), stays: Vec::new() })
            };
            answered.or_find(asked, find).expect("it is done").patch.base_len()
        };
        assert_eq!([found_by(asked("x\n", &[], &one)), found_by(asked("x\n", &[], &one))], [1, 1]);
        assert_eq!(found_by(asked("y\n", &[], &one)), 2);
        assert_eq!([found_by(asked("x\n", &[], &other)), found_by(asked("x\n", &one, &[]))], [3, 4]);
        assert_eq!([found_by(asked("x\n", &[], &one)), found_by(asked("x\n", &one, &[]))], [1, 4]);
        let around = Around { earlier: &[], later: &one };
        let marked = Asked::of((b"x\n", Misfits::Marked), around, (&own, &ids));
        let gone = Asked::of((b"x\n", Misfits::Refused), around, (&DoneAgain::Gone, &ids));
        assert_eq!([found_by(marked), found_by(gone)], [5, 6]);
        assert_eq!(found_by(asked("x\n", &[], &one)), 7, "so many are kept");
        // What the run did is the same by what it is.
        let behind = |texts: [&str; 2]| {
            let done = vec![edit_of(texts)];
            let all = [one.clone(), done.clone()].concat();
            Asked::of((b"x\n", Misfits::Refused), Around { earlier: &[], later: &all }, (&own, &ids)).behind(&done)
        };
        assert_eq!([found_by(behind(["b\n", "c\n"])), found_by(behind(["b\n", "c\n"]))], [8, 8]);
        assert_eq!(found_by(behind(["b\n", "d\n"])), 9);
    }
}
