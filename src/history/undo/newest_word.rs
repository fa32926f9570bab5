//! Whether the log has a record undone, or an undo redone: its newest word counts.
//!
//! Owns that reading, of some changes of a record and of all. Looks at no text.

use super::log::Known;
use crate::id::RecordId;
use crate::record::{RecordClass, Target};
use std::sync::Arc;

/// Whether the newest word of the log on a record is that all of it was undone; on an undo, that it was redone; of a redo also, that all was
/// undone anew which it had brought back.
pub(super) fn is_inverted(known: &Known, later: &[Arc<Known>]) -> bool {
    let inverse = if known.class == RecordClass::Undo { RecordClass::Redo } else { RecordClass::Undo };
    if is_newest_word(inverse, &known.id, later) {
        return true;
    }
    let all: Vec<&Known> = later.iter().map(Arc::as_ref).collect();
    let is_inverse = |id: &&RecordId| {
        all.iter().any(|one| one.id == **id && matches!(one.class, RecordClass::Undo | RecordClass::Redo))
    };
    let mut brought_back =
        inverted(known.inverts().collect(), &all).into_iter().filter(|id| !is_inverse(id)).peekable();
    known.class == RecordClass::Redo
        && brought_back.peek().is_some()
        && brought_back.all(|id| is_newest_word(RecordClass::Undo, id, later))
}

/// Whether a record was undone or redone last, all of it.
fn is_newest_word(word: RecordClass, id: &RecordId, later: &[Arc<Known>]) -> bool {
    let is_part = |target: &Target| target.id == *id && target.splices.is_some();
    if !later.iter().any(|known| known.targets.iter().any(is_part)) {
        return newest_word(id, later, |_| true) == Some(word);
    }
    let splices = later.iter().find(|known| known.id == *id).map_or(0, |known| known.file.splices.count());
    splices > 0 && (0..splices).all(|n| newest_word(id, later, |other| other == n) == Some(word))
}

/// What undid a record last and the records after that, where that is the newest word on all of it.
pub(super) fn since_undone<'k>(id: &RecordId, later: &'k [Arc<Known>]) -> Option<&'k [Arc<Known>]> {
    let undo = speaks_last(id, later, |_| true).filter(|_| is_newest_word(RecordClass::Undo, id, later))?;
    later.iter().position(|known| known.id == undo.id).map(|at| &later[at..])
}

/// Whether the newest word of the log on those changes of an edit that are meant is that they were undone: an undo of others alone says
/// nothing of them.
pub(super) fn is_undone_in_part(id: &RecordId, later: &[Arc<Known>], is_meant: impl Fn(usize) -> bool) -> bool {
    newest_word(id, later, is_meant) == Some(RecordClass::Undo)
}

/// Whether a record was undone or redone last, or what did that; none where neither.
fn newest_word(id: &RecordId, later: &[Arc<Known>], is_meant: impl Fn(usize) -> bool) -> Option<RecordClass> {
    speaks_last(id, later, is_meant).map(|known| known.class)
}

/// What undid or redid a record last, or what did that.
fn speaks_last<'k>(id: &RecordId, later: &'k [Arc<Known>], is_meant: impl Fn(usize) -> bool) -> Option<&'k Known> {
    let mut by: Vec<&RecordId> = vec![id];
    let mut newest = None;
    for known in
        later.iter().map(Arc::as_ref).filter(|known| matches!(known.class, RecordClass::Undo | RecordClass::Redo))
    {
        let is_of_it = |target: &Target| {
            let is_meant = || target.splices.as_ref().is_none_or(|splices| splices.iter().any(|&n| is_meant(n)));
            by.contains(&&target.id) && (target.id != *id || is_meant())
        };
        if known.targets.iter().any(is_of_it) {
            newest = Some(known);
            by.push(&known.id);
        }
    }
    newest
}

/// What is inverted by some, and what that inverts in turn: an undo of an edit, and the redo of another undo of it, are both about the edit.
pub(super) fn in_turn<'k>(targets: &'k [Target], among: impl Iterator<Item = &'k Known> + Clone) -> Vec<&'k Target> {
    let mut found: Vec<&Target> = targets.iter().collect();
    let mut next = 0;
    while let Some(target) = found.get(next).copied() {
        let of_it = among.clone().filter(|known| known.id == target.id).flat_map(|known| &known.targets);
        let new: Vec<&Target> = of_it.filter(|target| !found.contains(target)).collect();
        found.extend(new);
        next += 1;
    }
    found
}

/// Records that are inverted, and those that these invert in turn.
pub(super) fn inverted<'k>(mut found: Vec<&'k RecordId>, among: &[&'k Known]) -> Vec<&'k RecordId> {
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        let of_it = among.iter().filter(|known| known.id == *id).flat_map(|known| known.inverts());
        let new: Vec<&RecordId> = of_it.filter(|id| !found.contains(id)).collect();
        found.extend(new);
        next += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{id, known};
    use super::*;
    use crate::record::SpliceList;
    use crate::strategy::Strategy;

    fn is_undone(id: &RecordId, later: &[Arc<Known>]) -> bool {
        is_undone_in_part(id, later, |_| true)
    }

    const OUT: [&str; 2] = ["a\nmine\nb\n", "a\nb\n"];
    const IN: [&str; 2] = ["a\nb\n", "a\nmine\nb\n"];

    #[test]
    fn a_record_is_undone_by_the_newest_word_on_it_or_on_what_undid_it() {
        let (undo, redo) = (RecordClass::Undo, RecordClass::Redo);
        let log = [known(2, undo, &[1, 9], OUT), known(3, redo, &[2], IN), known(4, undo, &[3], OUT)];
        assert_eq!([0, 1, 2, 3].map(|n| is_undone(&id(1), &log[..n])), [false, true, false, true]);
        assert!(!is_undone(&id(8), &log));
    }

    #[test]
    fn what_redoes_another_undo_of_an_edit_is_about_that_edit_too() {
        let all = [
            known(2, RecordClass::Undo, &[1], OUT),
            known(3, RecordClass::Redo, &[2], IN),
            known(4, RecordClass::Undo, &[3], OUT),
        ];
        let ids = |of: usize| -> Vec<RecordId> {
            in_turn(&all[of].targets, all.iter().map(Arc::as_ref)).iter().map(|target| target.id.clone()).collect()
        };
        assert_eq!([ids(0), ids(2)], [vec![id(1)], vec![id(3), id(2), id(1)]]);
    }

    #[test]
    fn a_record_that_is_undone_in_part_is_in_force() {
        let mut made = Arc::into_inner(known(2, RecordClass::Edit, &[], ["a\nb\n", "A\nB\n"])).expect("one owner");
        let rows = [(0, 1, 1, 0, Strategy::Exact), (2, 1, 1, 0, Strategy::Exact)];
        made.file.splices = SpliceList::new(4, &rows).expect("in order");
        let made = Arc::new(made);
        let of_part = |n: u8, splice: usize, class: RecordClass, of: u8| {
            let mut known = Arc::into_inner(known(n, class, &[of], ["x\n", "y\n"])).expect("one owner");
            known.targets[0].splices = Some(vec![splice]);
            Arc::new(known)
        };
        let is_so = |later: &[Arc<Known>]| is_inverted(&made, &[std::slice::from_ref(&made), later].concat());
        let [one, other] = [of_part(3, 0, RecordClass::Undo, 2), of_part(4, 1, RecordClass::Undo, 2)];
        assert!(!is_so(&[]) && !is_so(std::slice::from_ref(&one)) && !is_so(std::slice::from_ref(&other)));
        assert!(is_so(&[one.clone(), other.clone()]));
        let back = known(5, RecordClass::Redo, &[3], ["x\n", "y\n"]);
        assert!(!is_so(&[one, other.clone(), back]));
        assert!(is_so(&[other.clone(), known(6, RecordClass::Undo, &[2], ["x\n", "y\n"])]));
        // Of one of which the splices are not known it is not told.
        assert!(!is_newest_word(RecordClass::Undo, &id(2), &[other]));
    }

    #[test]
    fn a_redo_is_in_force_no_more_where_all_is_undone_anew_that_it_brought_back() {
        let edit = |n: u8| known(n, RecordClass::Edit, &[], IN);
        let undo = |n: u8, of: &[u8]| known(n, RecordClass::Undo, of, OUT);
        let redo = known(5, RecordClass::Redo, &[4], IN);
        let is_so = |log: &[Arc<Known>]| is_inverted(&redo, log);
        let one = [edit(1), undo(4, &[1]), redo.clone()];
        assert!(!is_so(&one));
        assert!(is_so(&[&one[..], &[undo(6, &[1])]].concat()));
        assert!(is_so(&[&one[..], &[undo(6, &[5])]].concat()));
        assert!(!is_so(&[&one[..], &[undo(6, &[1]), known(7, RecordClass::Redo, &[6], IN)]].concat()));
        let two = [edit(1), edit(2), undo(4, &[2, 1]), redo.clone()];
        assert!(!is_so(&[&two[..], &[undo(6, &[2])]].concat()), "the first one is in force");
        assert!(is_so(&[&two[..], &[undo(6, &[2]), undo(7, &[1])]].concat()));
        assert!(is_so(&[undo(4, &[1]), redo.clone(), undo(6, &[1])]), "the edit is not among these");
    }
}
