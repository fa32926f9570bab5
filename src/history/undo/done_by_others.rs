//! Whether what an undo would take out, or bring back, is a later record's doing, by the log: somebody had taken the record back before.
//!
//! Owns that doubt, for what is proven to be in force in the text. How bytes are followed is `patch/take_back`'s affair.
//! Invariant: where the log does not tell, it is in doubt.

use super::by_log::without_rounds;
use super::cancelled::Around;
use super::changed_lines::ChangedLines;
use super::doubt::Doubt;
use super::log::Known;
use super::newest_word::{inverted, is_inverted};
use super::remade::{Later, is_redo_of, maker, may_have_done_again};
use super::step::Carry;
use super::steps::Steps;
use super::untouched::untouched_in;
use crate::id::RecordId;
use crate::patch::FilePatch;
use crate::patch::take_back::{Direction, Edit, Outcome, Putters, Wanted, answer, blanks_taken_by, taken_from};
use crate::record::RecordClass;
use std::collections::HashSet;
use std::sync::Arc;

/// In the texts that so many later records met it is looked for, the newest of those that did some of the same.
const MOST_TEXTS: usize = 256;

impl Carry {
    /// That no later record put what a patch would take away, or took white space that it would put.
    ///
    /// # Errors
    /// The doubt, where one did, or may have.
    pub(super) fn is_not_of_others(
        &self,
        edit: &Edit<'_>,
        patch: &FilePatch,
        around: Around<'_>,
        current: &[u8],
    ) -> Result<(), Doubt> {
        let Some(others) = self.others(edit, around, current).filter(|_| !patch.is_empty()) else { return Ok(()) };
        // An undo of others that was redone at once left whose each line is as it was.
        let all: Vec<&Arc<Known>> = around.later.iter().collect();
        let all = if self.is_inverted(around, &all) { all } else { without_rounds(around.later) };
        let redoes_earlier = |known: &Known| redoes_earlier(known, &self.record.id, &all);
        if others.is_empty() && !all.iter().any(|known| redoes_earlier(known)) {
            return Ok(());
        }
        let steps = match steps_between(edit.after(), &all, current) {
            // Undos and redos alone lead to and fro between texts that are proven.
            Err(_) if others.is_empty() => return Ok(()),
            steps => steps?,
        };
        let by = |n: usize| steps.by.get(n).copied().flatten();
        let putters = Putters {
            steps: &steps.edits,
            is_its_own: &|n| by(n).is_some_and(|by| others.contains(&by.id)),
            is_inverse: &|n| by(n).is_some_and(|by| matches!(by.class, RecordClass::Undo | RecordClass::Redo)),
            redoes_earlier: &|n| by(n).is_some_and(|by| redoes_earlier(by)),
            inverts: &|n| steps.given_up_by(n, &|known| others.contains(&known.id)),
            told: &|n| steps.told(n),
        };
        if let Some(by) = blanks_taken_by(edit.after(), putters, patch, current).and_then(by) {
            return Err(Doubt::TakenBy(by.id.clone()));
        }
        let put = taken_from(edit, putters, patch, current).and_then(by);
        put.map_or(Ok(()), |by| Err(Doubt::PutBy(by.id.clone())))
    }

    /// Whether these of its changes, the ones that are not done today, were all taken back once, and what was done to their lines since is of
    /// other records.
    ///
    /// # Errors
    /// The doubt, where the log does not tell, or others did some of it and somebody the rest.
    pub(super) fn is_of_others_since(
        &self,
        edit: &Edit<'_>,
        not_done: &[usize],
        around: Around<'_>,
        current: &[u8],
    ) -> Result<bool, Doubt> {
        let Some(mut others) = self.others(edit, around, current) else { return Ok(false) };
        let later: Vec<&Arc<Known>> = around.later.iter().collect();
        let own_id = &self.record.id;
        // One that did this again with others did it for this one.
        let is_redone = |known: &&&Arc<Known>| {
            let is_own = is_redo_of(own_id, known, around.later);
            redoes_earlier(known, own_id, &later) && !is_own && !is_inverted(known, around.later)
        };
        let redone = later.iter().filter(is_redone);
        others.extend(redone.map(|known| known.id.clone()));
        if others.is_empty() {
            return Ok(false);
        }
        let own = ChangedLines::of_these(edit, not_done);
        let is_doer = |known: &Known| others.contains(&known.id) && does_some_of(known, &own);
        // What others did before it was redone, they did to what that found.
        let is_own_redo =
            |known: &&Arc<Known>| is_redo_of(own_id, known, around.later) && !is_inverted(known, around.later);
        let since_redone = later.iter().rposition(is_own_redo).map_or(0, |at| at + 1);
        let doers = later.iter().enumerate().skip(since_redone).rev().filter(|(_, known)| is_doer(known));
        for (seen, (n, known)) in doers.enumerate() {
            if seen == MOST_TEXTS {
                return Err(Doubt::TooMany);
            }
            let Some(met) = known.texts.before() else { return Err(Doubt::NotKept(known.id.clone())) };
            match answer(edit.clone(), Wanted::Only(not_done), Direction::TakeBack, &[], met).outcome() {
                Outcome::AlreadyDone => {
                    let steps = steps_between(met, &later[n..], current)?;
                    return match doers_of(&steps, &own, &others) {
                        Doers::These => Ok(true),
                        Doers::Others => Ok(false),
                        Doers::Both => Err(in_part(known, &own)),
                    };
                }
                Outcome::Write(_) => return Ok(false),
                Outcome::Refused(_) => {}
            }
        }
        Ok(false)
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
        Some(others.map(|known| known.id.clone()).collect())
    }
}

/// Whether a record did again what was done before another one, of which these are the later ones.
fn redoes_earlier(known: &Known, own: &RecordId, later: &[&Arc<Known>]) -> bool {
    let later: Vec<&Known> = later.iter().map(|known| &***known).collect();
    let is_earlier = |id: &RecordId| id != own && later.iter().all(|known| known.id != *id);
    known.class == RecordClass::Redo && inverted(known.inverts().collect(), &later).into_iter().any(is_earlier)
}

/// What was done from one text to today's, or the record since of which a text is not kept.
fn steps_between<'k>(from: &'k [u8], later: &[&'k Arc<Known>], today: &'k [u8]) -> Result<Steps<'k>, Doubt> {
    Steps::between(from, later, today).ok_or_else(|| {
        let is_lost = |known: &&&Arc<Known>| known.texts.both(&known.file).is_none();
        later.iter().find(is_lost).map_or(Doubt::TooMany, |known| Doubt::NotKept(known.id.clone()))
    })
}

/// Whether a record did some of the same; where its texts are not kept, it may have.
fn does_some_of(known: &Known, own: &ChangedLines<'_>) -> bool {
    known.file.edit(&known.texts).is_none_or(|edit| does_some_of_these(&ChangedLines::of(&edit), own))
}

/// Whether some of the same lines were put, or some of the same taken.
fn does_some_of_these(done: &ChangedLines<'_>, own: &ChangedLines<'_>) -> bool {
    let some = |own: &[&[u8]], done: &[&[u8]]| own.iter().any(|line| done.contains(line));
    some(&own.put, &done.put) || some(&own.took, &done.took)
}

/// Who did to the lines of an edit some of what it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doers {
    /// Records of some, and nobody else.
    These,
    /// Some of these did, and somebody else did some, and not all.
    Both,
    /// Nobody, somebody else, or somebody else all of it at once.
    Others,
}

fn doers_of(steps: &Steps<'_>, own: &ChangedLines<'_>, these: &HashSet<RecordId>) -> Doers {
    let (mut did, mut others) = (false, false);
    for (step, by) in steps.edits.iter().zip(&steps.by) {
        let done = ChangedLines::of(step);
        if !does_some_of_these(&done, own) {
            continue;
        }
        match by {
            Some(by) if these.contains(&by.id) => did = true,
            // A branch, say, brought it back.
            _ if own.put.iter().all(|line| done.put.contains(line))
                && own.took.iter().all(|line| done.took.contains(line)) =>
            {
                return Doers::Others;
            }
            _ => others = true,
        }
    }
    match (did, others) {
        (true, true) => Doers::Both,
        (true, false) => Doers::These,
        (false, _) => Doers::Others,
    }
}

/// That a record did some of what an edit did.
fn in_part(known: &Known, own: &ChangedLines<'_>) -> Doubt {
    let took = known.file.edit(&known.texts).is_some_and(|edit| {
        let done = ChangedLines::of(&edit);
        own.took.iter().any(|line| done.took.contains(line))
    });
    if took { Doubt::TakenBy(known.id.clone()) } else { Doubt::PutBy(known.id.clone()) }
}

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{edit_of, id, known};
    use super::super::step::tests::edited;
    use super::super::step::{Step, What};
    use super::*;
    use crate::patch::{Origin, Replacement};
    use crate::record::RecordedTexts;
    use crate::strategy::Strategy;

    fn carry(step: &Step) -> (&Carry, Edit<'_>) {
        let What::Carry(carry) = &step.what else { panic!("an edit") };
        (carry, carry.record.files[0].edit(&carry.texts).expect("its texts are kept"))
    }

    fn without_line(text: &str, line: &str) -> FilePatch {
        let start = text.find(line).expect("a line of it");
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let splice = Replacement { range: start..start + line.len(), bytes: Vec::new() }.by(origin);
        FilePatch::new(text.len(), vec![splice]).expect("in the text")
    }

    #[test]
    fn a_later_record_that_is_not_kept_may_have_done_it_again() {
        let own = edited(1, ["a\nb\n", "a\nmine\nb\n"], (0o644, 0o644));
        let (carry, edit) = carry(&own);
        let today = "a\nmine\nb\nc\n";
        let patch = without_line(today, "mine\n");
        let doubts = |later: &Arc<Known>| {
            let around = Around { earlier: &[], later: std::slice::from_ref(later) };
            let goes = carry.is_not_of_others(&edit, &patch, around, today.as_bytes());
            (goes, carry.is_of_others_since(&edit, &[0], around, today.as_bytes()))
        };
        let later = |class: RecordClass| {
            let texts = if class == RecordClass::Edit { ["a\nb\nc\n", today] } else { ["a\nmine\nb\n", today] };
            Arc::into_inner(known(2, class, &[], texts)).expect("one owner")
        };
        let kept = later(RecordClass::Edit);
        assert_eq!(doubts(&Arc::new(kept)), (Err(Doubt::PutBy(id(2))), Ok(true)));
        let purged = Known { texts: RecordedTexts::default(), ..later(RecordClass::Edit) };
        assert_eq!(doubts(&Arc::new(purged)), (Err(Doubt::NotKept(id(2))), Err(Doubt::NotKept(id(2)))));
        let no_edit = Known { texts: RecordedTexts::default(), ..later(RecordClass::External) };
        assert_eq!(doubts(&Arc::new(no_edit)), (Ok(()), Ok(false)), "no record did anything again");
    }

    #[test]
    fn who_did_all_of_it_at_once_did_it_and_of_parts_nobody_knows() {
        let own = edit_of(["a\nb\nc\n", "a\nx\nb\ny\nc\n"]);
        let own = own.file.edit(&own.texts).expect("its texts are kept");
        let doers = |texts: &[&'static str]| {
            let later = Arc::into_inner(edit_of([texts[0], texts[1]])).expect("one owner");
            let later = [Arc::new(Known { id: id(2), ..later })];
            let known: Vec<&Arc<Known>> = later.iter().collect();
            let today = texts.last().expect("today's text").as_bytes();
            let steps = Steps::between(texts[0].as_bytes(), &known, today).expect("few lines");
            doers_of(&steps, &ChangedLines::of(&own), &HashSet::from([id(2)]))
        };
        assert_eq!(doers(&["a\nb\nc\n", "a\nx\nb\nc\n"]), Doers::These);
        assert_eq!(doers(&["a\nb\nc\n", "a\nx\nb\nc\n", "a\nx\nb\ny\nc\n"]), Doers::Both);
        assert_eq!(doers(&["a\nb\nc\nd\n", "a\nb\nc\nd\nx\n", "a\nx\nb\ny\nc\nD\n"]), Doers::Others, "a branch");
        assert_eq!(doers(&["a\nb\nc\n", "a\nb\nc\nd\n", "a\nx\nb\nc\nd\n"]), Doers::Others);
    }

    #[test]
    fn of_very_many_records_that_did_some_of_the_same_it_is_not_known_which_met_it_taken_back() {
        let own = edited(1, ["top\nold\nend\n", "top\nmine\nend\n"], (0o644, 0o644));
        let (carry, edit) = carry(&own);
        let again = Arc::into_inner(edit_of(["top\nelse\nend\n", "top\nmine\nend\n"])).expect("one owner");
        let again = Arc::new(Known { id: id(2), ..again });
        let is_so = |times: usize| {
            let later = vec![again.clone(); times];
            carry.is_of_others_since(&edit, &[0], Around { earlier: &[], later: &later }, b"top\nmine\nend\nmore\n")
        };
        assert_eq!([is_so(MOST_TEXTS), is_so(MOST_TEXTS + 1)], [Ok(false), Err(Doubt::TooMany)]);
    }

    #[test]
    fn a_redo_does_an_earlier_record_again_where_that_is_neither_this_one_nor_a_later_one() {
        let texts = ["a\n", "a\nb\n"];
        let is_so =
            |later: &[Arc<Known>]| redoes_earlier(&later[later.len() - 1], &id(1), &later.iter().collect::<Vec<_>>());
        let of = |n: u8, class: RecordClass, inverts: &[u8]| known(n, class, inverts, texts);
        let redone = |edit: u8| [of(4, RecordClass::Undo, &[edit]), of(5, RecordClass::Redo, &[4])];
        assert!(is_so(&redone(9)) && !is_so(&redone(1)));
        assert!(!is_so(&[&[of(2, RecordClass::Edit, &[])], &redone(2)[..]].concat()));
        assert!(is_so(&[of(5, RecordClass::Redo, &[8])]), "an undo from before");
        assert!(!is_so(&[of(4, RecordClass::Undo, &[9])]) && !is_so(&[of(2, RecordClass::Edit, &[])]));
    }
}
