//! What the log has of a file around a record, without what was undone meanwhile: an undo brings back the very lines that went, to
//! where they were, and what was done between was done beside them.
//!
//! Owns which records took which back, and the bound of the work. How edits are left out is `patch/take_back`'s affair.
//! Invariant: a record counts as taken back only by an undo or redo that names it.

use super::log::Known;
use crate::id::RecordId;
use crate::patch::take_back::{Edit, without};
use crate::record::Target;
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many times an edit is led past another one.
const MOST_MOVES: usize = 300;

/// What the log has of a file before a record and after it, each oldest first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'k> {
    pub(super) earlier: &'k [Arc<Known>],
    pub(super) later: &'k [Arc<Known>],
}

/// An edit, and those after it, as they would have been made without what is taken back.
pub(super) struct Uncancelled {
    pub(super) edit: Edit<'static>,
    pub(super) later: Vec<Edit<'static>>,
}

/// One edit of the chain, or the part of one that was taken back.
#[derive(Clone)]
struct Link<'k> {
    id: &'k RecordId,
    targets: &'k [Target],
    edit: Edit<'static>,
    is_own: bool,
}

impl<'k> Around<'k> {
    /// The records that the later ones invert and that neither has.
    pub(super) fn inverted_before(&self, own: &RecordId) -> BTreeSet<RecordId> {
        let is_known = |id: &RecordId| id == own || self.earlier.iter().chain(self.later).any(|known| known.id == *id);
        let inverted = self.later.iter().flat_map(|known| known.inverts());
        inverted.filter(|id| !is_known(id)).cloned().collect()
    }

    /// What was done up to when a record left the text that the file has again; none where no older one did.
    pub(super) fn until(self, current: &[u8]) -> Option<Self> {
        let last = self.later.iter().rposition(|known| known.texts.after() == Some(current))?;
        (last + 1 < self.later.len()).then(|| Self { later: &self.later[..=last], ..self })
    }

    /// The edit of a record without what was taken back around it; none where nothing was, or that is not proven.
    pub(super) fn left(&self, own: &RecordId, edit: &Edit<'_>) -> Option<Uncancelled> {
        let link = |known: &'k Arc<Known>| {
            let edit = known.file.edit(&known.texts)?.into_owned();
            Some(Link { id: &known.id, targets: &known.targets, edit, is_own: false })
        };
        let own = Link { id: own, targets: &[], edit: edit.clone().into_owned(), is_own: true };
        let mut chain: Vec<Link<'_>> = self.earlier.iter().filter_map(link).collect();
        chain.push(own);
        chain.extend(self.later.iter().filter_map(link));
        let all = chain.len();
        let mut moves = MOST_MOVES;
        while let Some(shorter) = without_one(&chain, &mut moves) {
            chain = shorter;
        }
        let at = chain.iter().position(|link| link.is_own)?;
        if chain.len() == all {
            return None;
        }
        let later = chain.split_off(at + 1).into_iter().map(|link| link.edit).collect();
        Some(Uncancelled { edit: chain.pop()?.edit, later })
    }
}

/// The chain without one undo, and what it took back: of those that can be left out one that is in force itself, and of these the one that
/// is nearest to what it took back.
fn without_one<'k>(chain: &[Link<'k>], moves: &mut usize) -> Option<Vec<Link<'k>>> {
    let is_inverted = |at: usize| {
        let later = chain.get(at + 1..).unwrap_or_default();
        chain.get(at).is_some_and(|link| later.iter().any(|by| by.targets.iter().any(|target| target.id == *link.id)))
    };
    let pair = |by: usize| cancelling(chain, by).map(|pair| (is_inverted(by), pair));
    let mut pairs: Vec<(bool, Cancelling<'k>)> = (0..chain.len()).filter_map(pair).collect();
    // What took back an undo comes before that undo, which is in force no more.
    pairs.sort_by_key(|(is_inverted, pair)| (*is_inverted, pair.moves()));
    pairs.into_iter().find_map(|(_, pair)| {
        *moves = moves.checked_sub(pair.moves())?;
        pair.left()
    })
}

/// A chain, and what cancels out in it.
struct Cancelling<'k> {
    chain: Vec<Link<'k>>,
    gone: Vec<usize>,
    by: usize,
}

/// What the undo at `by` took back of what is in the chain; none where it is no undo, or took back all of the edit itself.
fn cancelling<'k>(chain: &[Link<'k>], by: usize) -> Option<Cancelling<'k>> {
    let undo = chain.get(by).filter(|undo| !undo.targets.is_empty() && !undo.is_own)?;
    let (mut parts, mut gone) = (Vec::with_capacity(chain.len()), Vec::new());
    for link in chain.get(..by)? {
        let mut wanted = BTreeSet::new();
        for target in undo.targets.iter().filter(|target| target.id == *link.id) {
            match &target.splices {
                None => wanted.extend(link.edit.parts()),
                Some(splices) => wanted.extend(splices.iter().copied().filter(|n| link.edit.parts().contains(n))),
            }
        }
        if wanted.is_empty() {
            parts.push(link.clone());
        } else if wanted == link.edit.parts() {
            if link.is_own {
                return None;
            }
            gone.push(parts.len());
            parts.push(link.clone());
        } else {
            let [rest, part] = link.edit.clone().split(&wanted)?;
            parts.push(Link { edit: rest, ..link.clone() });
            gone.push(parts.len());
            parts.push(Link { edit: part, is_own: false, ..link.clone() });
        }
    }
    let at = parts.len();
    parts.extend(chain.get(by..)?.iter().cloned());
    (!gone.is_empty()).then_some(Cancelling { chain: parts, gone, by: at })
}

impl<'k> Cancelling<'k> {
    /// So many times an edit is led past another one to leave it out.
    fn moves(&self) -> usize {
        self.gone.iter().rev().enumerate().map(|(n, at)| self.by - at - n).sum()
    }

    fn left(self) -> Option<Vec<Link<'k>>> {
        let edits: Vec<Edit<'static>> = self.chain.iter().map(|link| link.edit.clone()).collect();
        let left = without(&edits, &self.gone, self.by)?;
        let is_left = |n: &usize| *n != self.by && !self.gone.contains(n);
        let links = self.chain.into_iter().enumerate().filter(|(n, _)| is_left(n)).map(|(_, link)| link);
        Some(links.zip(left).map(|(link, edit)| Link { edit, ..link }).collect())
    }
}
