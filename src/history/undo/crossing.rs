//! The files that a plan changes on disk, also where files exchange their names: no name is free then at any time.
//!
//! Owns the way from slots, each a file with the name it has and the one it gets, to one change for each name. Where the file
//! that has a name leaves it to another, its text is replaced by that of the other, and the transaction needs no order.
//! Invariant: each name is changed once, and each slot's targets are told once.

use super::replay::{Replayed, Slot};
use super::request::Misfits;
use crate::path::RepoPath;
use crate::record::Target;

/// What becomes of one name.
#[derive(Debug, Clone, Copy)]
pub enum NameChange<'p> {
    /// The file itself is changed, renamed, removed or put back.
    Own(&'p Slot),
    /// The name goes from one file to another.
    Taken {
        /// The one that gets it.
        by: &'p Slot,
        /// The one that had it.
        from: &'p Slot,
    },
    /// The file goes; it gets a name that another one had.
    Left(&'p Slot),
    /// The file comes; its old name got another one.
    Got(&'p Slot),
}

/// One change for each name of these files.
pub(super) fn changes(slots: &[Slot]) -> Vec<NameChange<'_>> {
    let had_by = |name: Option<&RepoPath>| name.and_then(|name| slots.iter().find(|slot| slot.leaves(name)));
    let taken_by = |slot: &Slot| slots.iter().find(|other| other.now != other.disk && other.now == slot.disk);
    let mut changes = Vec::new();
    for slot in slots {
        let is_moved = slot.now != slot.disk;
        let from = had_by(slot.now.as_ref()).filter(|_| is_moved);
        let by = taken_by(slot).filter(|_| is_moved && slot.disk.is_some());
        changes.extend(match (from, by) {
            (Some(from), _) => Some(NameChange::Taken { by: slot, from }),
            (None, None) => Some(NameChange::Own(slot)),
            (None, Some(_)) => slot.now.is_some().then_some(NameChange::Got(slot)),
        });
        if from.is_some() && by.is_none() && slot.disk.is_some() {
            changes.push(NameChange::Left(slot));
        }
    }
    changes.retain(|change| !change.is_nothing());
    changes
}

impl<'p> NameChange<'p> {
    /// The name; none where a plan has a file without any.
    pub fn path(&self) -> Option<&'p RepoPath> {
        match self {
            Self::Own(slot) => slot.now.as_ref().or(slot.disk.as_ref()),
            Self::Taken { by, .. } => by.now.as_ref(),
            Self::Left(slot) => slot.disk.as_ref(),
            Self::Got(slot) => slot.now.as_ref(),
        }
    }

    /// The file whose text is there afterwards; for one that goes, the file itself.
    pub fn slot(&self) -> &'p Slot {
        match self {
            Self::Own(slot) | Self::Taken { by: slot, .. } | Self::Left(slot) | Self::Got(slot) => slot,
        }
    }

    /// What of records it inverts.
    pub(super) fn targets(&self) -> Vec<Target> {
        match self {
            Self::Own(slot) | Self::Got(slot) => slot.targets.clone(),
            // One that goes for good leaves no other trace.
            Self::Taken { by, from } if from.now.is_none() => [&by.targets[..], &from.targets].concat(),
            Self::Taken { by, .. } => by.targets.clone(),
            Self::Left(_) => Vec::new(),
        }
    }

    /// What becomes of the text that is found under the name (none where there is none); none where it does not fit any more.
    pub fn replayed(&self, found: Option<&[u8]>, misfits: Misfits) -> Option<Replayed> {
        match self {
            Self::Own(slot) => slot.replay(found, misfits).ok(),
            Self::Taken { by: slot, .. } | Self::Got(slot) => slot.replay(slot.seen.as_deref(), misfits).ok(),
            Self::Left(_) => None,
        }
    }

    /// Whether the file that is taken for another has its very text.
    fn is_nothing(&self) -> bool {
        let Self::Taken { from, .. } = self else { return false };
        self.replayed(None, Misfits::Marked).is_some_and(|outcome| outcome.text == from.seen)
    }
}
