//! What the log has of a file around a record, without what was undone meanwhile: an undo brings back the very lines that went, to
//! where they were, and what was done between was done beside them.
//!
//! Owns which records took which back, whether all that is left is in force up to today's text, and the bound of the work. How edits are left
//! out is `patch/take_back`'s affair. Invariant: a record counts as taken back only by an undo or redo that names it.

use super::log::Known;
use crate::id::RecordId;
use crate::patch::take_back::{Edit, without};
use crate::record::{RecordClass, Target};
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
        let chain = self.chain(own, edit);
        let all = chain.len();
        let chain = without_any(chain);
        if chain.len() == all { None } else { uncancelled(chain) }
    }

    /// The same where all that is left, from some record on, is in force, and leads to today's text with nothing between, each told by its
    /// record; none where that is not so, or it begins behind that record.
    pub(super) fn all_in_force(
        &self,
        (own, edit): (&RecordId, &Edit<'_>),
        today: &[u8],
        from: &RecordId,
    ) -> Option<Uncancelled> {
        let earlier = self.without_gap(edit, today)?;
        let from = if own == from || self.later.iter().any(|known| known.id == *from) {
            earlier.len()
        } else {
            earlier.iter().position(|known| known.id == *from)?
        };
        let of = |first: usize| {
            let around = Around { earlier: &earlier[first..], later: self.later };
            let chain = around.chain(own, edit);
            let is_whole = chain.len() == around.earlier.len() + 1 + around.later.len();
            let left = if is_whole { without_any(chain) } else { return None };
            if left.iter().all(|link| link.targets.is_empty()) { uncancelled(left) } else { None }
        };
        // What was taken back since may be older.
        of(from).or_else(|| if from > 0 { of(0) } else { None })
    }

    /// The records before an edit that lead to it with nothing between; none where those after it do not lead from it to today's text so.
    fn without_gap(&self, edit: &Edit<'_>, today: &[u8]) -> Option<&'k [Arc<Known>]> {
        let texts = |known: &'k Arc<Known>| {
            let is_told = known.class != RecordClass::External;
            known.texts.both(&known.file).filter(|_| is_told)
        };
        let mut last = edit.after();
        for known in self.later {
            (_, last) = texts(known).filter(|(before, _)| *before == last)?;
        }
        let mut first = edit.before();
        let leads_on = |known: &&'k Arc<Known>| {
            let Some((before, _)) = texts(known).filter(|(_, after)| *after == first) else { return false };
            first = before;
            true
        };
        let count = self.earlier.iter().rev().take_while(leads_on).count();
        (last == today).then(|| &self.earlier[self.earlier.len() - count..])
    }

    fn chain(&self, own: &'k RecordId, edit: &Edit<'_>) -> Vec<Link<'k>> {
        let link = |known: &'k Arc<Known>| {
            let edit = known.file.edit(&known.texts)?.into_owned();
            Some(Link { id: &known.id, targets: &known.targets, edit, is_own: false })
        };
        let own = Link { id: own, targets: &[], edit: edit.clone().into_owned(), is_own: true };
        let earlier = self.earlier.iter().filter_map(link);
        earlier.chain([own]).chain(self.later.iter().filter_map(link)).collect()
    }
}

fn uncancelled(mut chain: Vec<Link<'_>>) -> Option<Uncancelled> {
    let at = chain.iter().position(|link| link.is_own)?;
    let later = chain.split_off(at + 1).into_iter().map(|link| link.edit).collect();
    Some(Uncancelled { edit: chain.pop()?.edit, later })
}

/// The chain without all that cancels out in it.
fn without_any(mut chain: Vec<Link<'_>>) -> Vec<Link<'_>> {
    let mut moves = MOST_MOVES;
    while let Some(shorter) = without_one(&chain, &mut moves) {
        chain = shorter;
    }
    chain
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

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{edit_of, id};
    use super::*;
    use crate::record::{RecordClass, SpliceList};
    use crate::strategy::Strategy;
    use std::slice::from_ref;

    /// Record `n`, which leads from one text to another, and takes back some others.
    fn step(n: u8, inverts: &[u8], texts: [&str; 2]) -> Arc<Known> {
        let mut known = Arc::into_inner(edit_of(texts)).expect("one owner");
        let target = |n: &u8| Target { id: id(*n), file: 0, splices: None, is_cancelled: false, was_gone: false };
        known.targets = inverts.iter().map(target).collect();
        known.class = if inverts.is_empty() { RecordClass::Edit } else { RecordClass::Undo };
        known.id = id(n);
        Arc::new(known)
    }

    /// The texts of the edit of record 1, and of those after it, without what was taken back; none where nothing was.
    fn left(earlier: &[Arc<Known>], own: &Arc<Known>, later: &[Arc<Known>]) -> Option<Vec<[String; 2]>> {
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        let found = Around { earlier, later }.left(&id(1), &edit)?;
        let text = |text: &[u8]| String::from_utf8(text.to_vec()).expect("UTF-8");
        let all = [found.edit].into_iter().chain(found.later);
        Some(all.map(|edit| [text(edit.before()), text(edit.after())]).collect())
    }

    const OWN: [&str; 2] = ["a\nb\nc\n", "a\nB\nc\n"];

    #[test]
    fn what_was_undone_after_a_record_is_left_out_of_what_was_done_since() {
        let own = step(1, &[], OWN);
        let put = step(2, &[], [OWN[1], "x\na\nB\nc\n"]);
        assert_eq!(left(&[], &own, from_ref(&put)), None, "nothing was undone");
        let undo = step(3, &[2], ["x\na\nB\nc\n", OWN[1]]);
        assert_eq!(left(&[], &own, &[put.clone(), undo.clone()]), Some(vec![OWN.map(String::from)]));
        let between = [
            put.clone(),
            step(4, &[], ["x\na\nB\nc\n", "x\na\nB\nc\nw\n"]),
            step(3, &[2], ["x\na\nB\nc\nw\n", "a\nB\nc\nw\n"]),
        ];
        let since = [OWN[1], "a\nB\nc\nw\n"].map(String::from);
        assert_eq!(left(&[], &own, &between), Some(vec![OWN.map(String::from), since]));
        // What took the undo back comes first.
        let redo = step(5, &[3], [OWN[1], "x\na\nB\nc\n"]);
        let again = [OWN[1], "x\na\nB\nc\n"].map(String::from);
        assert_eq!(left(&[], &own, &[put, undo, redo]), Some(vec![OWN.map(String::from), again]));
        // Who took the record itself back leaves nothing of it.
        assert_eq!(left(&[], &own, &[step(3, &[1], [OWN[1], OWN[0]])]), None);
    }

    #[test]
    fn what_was_undone_before_a_record_or_after_it_is_left_out_of_what_it_met() {
        let met = "x\na\nb\nc\n";
        let earlier = [step(2, &[], [OWN[0], met])];
        let own = step(1, &[], [met, "x\na\nB\nc\n"]);
        let undo = step(3, &[2], ["x\na\nB\nc\n", OWN[1]]);
        assert_eq!(left(&earlier, &own, &[undo]), Some(vec![OWN.map(String::from)]));
        let earlier = [step(2, &[], [OWN[0], met]), step(3, &[2], [met, OWN[0]])];
        assert_eq!(left(&earlier, &step(1, &[], OWN), &[]), Some(vec![OWN.map(String::from)]));
    }

    #[test]
    fn of_a_record_of_which_a_part_was_undone_the_rest_is_left() {
        let (before, after) = ("a\nb\nc\nd\ne\n", "a\nB\nc\nD\ne\n");
        let mut own = Arc::into_inner(step(1, &[], [before, after])).expect("one owner");
        let rows = [(2, 2, 2, 0, Strategy::Exact), (6, 2, 2, 0, Strategy::Exact)];
        own.file.splices = SpliceList::new(before.len(), &rows).expect("in order");
        let mut undo = Arc::into_inner(step(3, &[1], [after, "a\nb\nc\nD\ne\n"])).expect("one owner");
        undo.targets[0].splices = Some(vec![0]);
        let rest = [before, "a\nb\nc\nD\ne\n"].map(String::from);
        assert_eq!(left(&[], &Arc::new(own), &[Arc::new(undo)]), Some(vec![rest]));
    }

    /// Of record 1 and those after it, where all that is left is in force; from a record on.
    fn in_force(earlier: &[Arc<Known>], later: &[Arc<Known>], today: &str, from: u8) -> Option<usize> {
        let own = step(1, &[], OWN);
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        let found = Around { earlier, later }.all_in_force((&id(1), &edit), today.as_bytes(), &id(from));
        found.map(|found| found.later.len())
    }

    #[test]
    fn all_that_is_left_is_in_force_where_the_log_leads_to_today_and_has_what_each_undo_took_back() {
        let below = "a\nB\nc\nd\n";
        let put = step(2, &[], [OWN[1], below]);
        assert_eq!(in_force(&[], from_ref(&put), below, 1), Some(1));
        assert_eq!(in_force(&[], from_ref(&put), "a\nB\nc\nx\n", 1), None, "somebody went on");
        let undone = [put, step(3, &[2], [below, OWN[1]])];
        assert_eq!(in_force(&[], &undone, OWN[1], 1), Some(0));
        assert_eq!(in_force(&[], &[undone[1].clone()], OWN[1], 1), None, "somebody did what was undone");
        let mut others = Arc::into_inner(step(2, &[], [OWN[1], below])).expect("one owner");
        others.class = RecordClass::External;
        assert_eq!(in_force(&[], &[Arc::new(others)], below, 1), None, "it does not say where it was made");
    }

    #[test]
    fn what_was_taken_back_since_may_be_older_and_no_gap_is_passed() {
        let (first, met) = ("b\nc\n", step(4, &[], ["b\nc\n", OWN[0]]));
        let undo = step(3, &[4], [OWN[1], "B\nc\n"]);
        assert_eq!(in_force(&[], from_ref(&undo), "B\nc\n", 1), None, "what it took back is not known");
        assert_eq!(in_force(from_ref(&met), from_ref(&undo), "B\nc\n", 1), Some(0));
        assert_eq!(in_force(from_ref(&met), from_ref(&undo), "B\nc\n", 4), Some(0));
        let before = [step(5, &[], ["x\n", first]), step(6, &[], ["other\n", first]), met];
        assert_eq!([4, 6, 5].map(|from| in_force(&before, &[], OWN[1], from)), [Some(0), Some(0), None]);
    }

    #[test]
    fn what_came_after_the_text_that_the_file_has_again_is_left_out() {
        let later = [
            step(2, &[], ["a\n", "b\n"]),
            step(3, &[], ["b\n", "c\n"]),
            step(4, &[], ["c\n", "b\n"]),
            step(5, &[], ["b\n", "d\n"]),
        ];
        let until = |current: &str| {
            Around { earlier: &[], later: &later }.until(current.as_bytes()).map(|around| around.later.len())
        };
        assert_eq!(until("c\n"), Some(2));
        assert_eq!(until("b\n"), Some(3), "the last of two");
        assert_eq!(until("d\n"), None, "nothing came after");
        assert_eq!(until("a\n"), None, "no record left it so");
    }

    #[test]
    fn what_later_records_took_back_is_older_where_it_is_not_among_them() {
        let (earlier, later) = ([step(2, &[], ["a\n", "b\n"])], [step(3, &[1, 2, 8], OWN), step(4, &[3, 9], OWN)]);
        assert_eq!(Around { earlier: &earlier, later: &later }.inverted_before(&id(1)), BTreeSet::from([id(8), id(9)]));
    }
}
