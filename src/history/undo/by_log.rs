//! What the log alone tells of a record in one file, where equal lines leave a look at the texts in doubt.
//!
//! Owns which later records may be told to have left it alone. How places are counted is `patch/take_back`'s affair.
//! Invariant: it tells only where the log has every step up to the file as it is, or what it has not did nothing to lines like these.

use super::cancelled::{Around, Uncancelled};
use super::differing::more;
use super::line_balance::is_out_of_balance;
use super::log::Known;
use super::newest_word::{in_turn, is_undone_in_part};
use super::step::Carry;
use super::steps::Steps;
use crate::change::ChangeKind;
use crate::id::RecordId;
use crate::patch::FilePatch;
use crate::patch::take_back::{
    Answer, Counted, Direction, Edit, Outcome, Since, Told, Verdict, Wanted, answer, beside, counted, counted_in_part,
    is_passed_by_the_last, led_past, taken_back,
};
use crate::record::{RecordClass, Target};
use crate::text::{split_lines, starts_line};
use memchr::memmem;
use std::collections::HashSet;
use std::sync::Arc;

impl Carry {
    /// Where the log has what was done to the file since, and nobody touched the lines of this record but by taking others back or
    /// putting lines in, they are there, whatever equal ones beside them hide; and what a record in force took away is gone, whatever
    /// equal ones were written since.
    pub(super) fn by_the_log_alone(
        &self,
        edit: &Edit<'_>,
        first: &Answer,
        around: Around<'_>,
        current: &[u8],
    ) -> Option<Answer> {
        let later = without_last_round(without_rounds(around.later), current);
        // Nothing was done since, all of it led back, or the log was not asked.
        if later.is_empty() || self.remade.is_so() || self.is_inverted(around, &later) {
            return None;
        }
        let edit = &self.meant_of(edit.clone());
        let steps = Steps::between(edit.after(), &later, current)?;
        // Of several places one may hide behind what is told of the others.
        let is_in_doubt = |first: &Answer| {
            !matches!(first.outcome(), Outcome::Write(_))
                || first.hunks().iter().any(|hunk| hunk.verdict == Verdict::AlreadyDone)
        };
        let may_count = |edit: &Edit<'_>| !steps.may_have_moved(edit, current) && steps.leave_alone(edit, current);
        let has_stood = |answer: &Answer| have_stood_so(edit, around, answer.patch_of_what_fits(), current);
        match (steps.counted(edit, current), first.outcome()) {
            (Counted::InForce(answer), _) if is_in_doubt(first) => {
                (may_count(edit) && has_stood(&answer)).then_some(answer)
            }
            (Counted::TakenBy(n), Outcome::Write(_)) => {
                steps.is_in_force(n, edit, around).then(|| taken_back(edit, current))
            }
            // Who led it back to the text before may have meant that.
            (Counted::Unknown, _) if is_in_doubt(first) && edit.before() != current => {
                steps.since(|since| counted_in_part(edit, since, first, (current, &may_count))).filter(has_stood)
            }
            _ => None,
        }
        .or_else(|| steps.speak_against(edit, first, (around, current)))
    }

    /// Whether the log tells that lines which it put, and which look as if they were taken back, were only moved; or that it is not undone by an answer, as
    /// nobody put or took lines since.
    pub(super) fn was_moved_away(
        &self,
        edit: &Edit<'_>,
        answer: &Answer,
        (around, current): (Around<'_>, &[u8]),
    ) -> bool {
        let later = without_rounds(around.later);
        if self.is_inverted(around, &later) {
            return false;
        }
        let done = answer.hunks().iter().filter(|hunk| hunk.verdict == Verdict::AlreadyDone);
        let done: Vec<usize> = done.flat_map(|hunk| hunk.changes.iter().copied()).collect();
        let is_so = |steps: Steps<'_>| {
            let result = answer.patch_of_what_fits().apply(current);
            let is_other = || {
                let meant = self.meant_of(edit.clone());
                is_out_of_balance((&meant, self.record.kind), (&steps, around), [current, &result])
                    || (self.is_of_all() && steps.speak_for_other_lines(edit, &result))
            };
            (!done.is_empty() && steps.moved_away((edit, &done), around, current)) || is_other()
        };
        Steps::between(edit.after(), &later, current).is_some_and(is_so)
    }

    /// Whether nobody took what it put, nor put what it took, so that the file as it is, is not that without it.
    pub(super) fn cannot_be_taken_back(&self, edit: &Edit<'_>, around: Around<'_>, current: &[u8]) -> bool {
        let later = without_rounds(around.later);
        let meant = self.meant_of(edit.clone());
        let is_so =
            |steps: Steps<'_>| is_out_of_balance((&meant, self.record.kind), (&steps, around), [current, current]);
        // Also what led to a text and back again tells of it.
        let all: Vec<&Arc<Known>> = around.later.iter().collect();
        !self.is_inverted(around, &all) && Steps::between(edit.after(), &later, current).is_some_and(is_so)
    }

    /// Those of the splices that are to be taken back, as if they had been made last.
    fn meant_of<'e>(&self, edit: Edit<'e>) -> Edit<'e> {
        match &self.splices {
            Some(some) if !self.is_of_all() => edit.made_last(some),
            Some(_) | None => edit,
        }
    }

    /// Whether a record took back some of this one that is to be taken back, or did it again, or what this one took back; or the newest word
    /// of the log on it is that it was undone.
    pub(super) fn is_inverted(&self, around: Around<'_>, later: &[&Arc<Known>]) -> bool {
        let own = &self.record.id;
        let is_meant = |n: usize| self.splices.as_ref().is_none_or(|some| some.contains(&n));
        let is_of_it = |target: &Target| {
            let is_own =
                target.id == *own && target.splices.as_ref().is_none_or(|splices| splices.iter().any(|&n| is_meant(n)));
            is_own || self.inverted.contains(&target.id)
        };
        let all = around.earlier.iter().chain(around.later).map(Arc::as_ref);
        later.iter().any(|known| in_turn(&known.targets, all.clone()).into_iter().any(is_of_it))
            || is_undone_in_part(own, around.later, is_meant)
    }

    /// Whether the log tells that nobody came to where this record put or took lines, so that lines like these which others took are
    /// others.
    pub(super) fn is_left_alone_by_the_log(&self, around: Around<'_>, current: &[u8]) -> bool {
        let file = &self.record.files[self.file];
        let later = without_rounds(around.later);
        let may_be = file.encoding.is_none() && self.is_of_all() && !around.later.is_empty();
        let may_be = may_be && !self.is_inverted(around, &later);
        let own = file.edit(&self.texts).filter(|_| may_be);
        own.is_some_and(|edit| {
            let steps = Steps::between(edit.after(), &later, current);
            let is_so = |steps: Steps<'_>| {
                let is_there =
                    matches!(steps.counted(&edit, current), Counted::InForce(_)) || steps.pass_by(&edit, current);
                is_there && !steps.may_have_moved(&edit, current) && steps.leave_alone(&edit, current)
            };
            steps.is_some_and(is_so)
        })
    }

    /// What takes this record out of today's text, where the log, without all that cancels out in it, leads there from before some record, this or an
    /// earlier one, and nobody came to its lines: what comes back is what it found, whoever wrote or took lines like these.
    pub(super) fn patch_by_the_log(&self, around: Around<'_>, current: &[u8], from: &RecordId) -> Option<FilePatch> {
        let file = &self.record.files[self.file];
        // What is no text has no lines.
        let is_text = [self.texts.after()?, current].iter().all(|text| memchr::memchr(0, text).is_none());
        let is_told = is_text && self.record.kind != RecordClass::External && !self.remade.was_so();
        let edit = file.edit(&self.texts).filter(|_| is_told && file.encoding.is_none())?;
        let Uncancelled { edit, later } = around.all_in_force((&self.record.id, &edit), current, from)?;
        let here = led_past(self.meant_of(Some(edit).filter(|edit| self.is_told_apart_in(edit))?), &later)?;
        let answer = answer(here, Wanted::All, Direction::TakeBack, &[], current);
        match answer.outcome() {
            Outcome::Write(patch) if !self.would_mix(current, &patch.apply(current)) => Some(patch),
            Outcome::Write(_) | Outcome::AlreadyDone | Outcome::Refused(_) => None,
        }
    }

    /// Whether the log tells that what is to be taken back of this record took no line of an earlier one: that one's were gone before, or are
    /// elsewhere.
    pub(super) fn took_none_of(&self, earlier: &[Arc<Known>], id: &RecordId) -> bool {
        let file = &self.record.files[self.file];
        let Some(at) = earlier.iter().position(|known| known.id == *id).filter(|_| file.encoding.is_none()) else {
            return false;
        };
        let chain = earlier[at + 1..].iter().map(|known| known.file.edit(&known.texts)).collect::<Option<Vec<_>>>();
        let writer = earlier[at].file.edit(&earlier[at].texts);
        let (Some(writer), Some(mut chain), Some(own)) = (writer, chain, file.edit(&self.texts)) else { return false };
        let last = chain.len();
        let own = match &self.splices {
            Some(some) if !self.is_of_all() => own.made_first(some),
            Some(_) | None => own,
        };
        let met = own.before().to_vec();
        chain.push(own);
        let since = Since { steps: &chain[..last], is_of_others: &|_| false, told: &|_| Told::Exactly };
        // What was taken back may have brought the lines back.
        let inverted: HashSet<&RecordId> = earlier.iter().flat_map(|known| known.inverts()).collect();
        let is_for_good = |n: usize| earlier.get(at + 1 + n).is_some_and(|known| !inverted.contains(&known.id));
        match counted(&writer, since, &met) {
            Counted::TakenBy(n) => is_for_good(n),
            Counted::InForce(_) => !beside(&writer, &chain, |_| Told::Exactly).contains(&last),
            // Some of it may have been taken back before, and some not.
            Counted::Unknown => is_passed_by_the_last(&writer, &chain, is_for_good),
        }
    }

    /// Whether a file is as it was before the record only because others were taken back, with a line of the record for an equal one.
    pub(super) fn is_there_by_the_log(&self, around: Around<'_>, current: &[u8]) -> bool {
        let file = &self.record.files[self.file];
        let Some(edit) = file.edit(&self.texts).filter(|_| file.encoding.is_none() && !around.later.is_empty()) else {
            return false;
        };
        self.by_the_log_alone(&edit, &taken_back(&edit, current), around, current).is_some()
    }
}

/// Whether lines that would come back beside equal ones, which others brought back, have stood there as often at once: where they never have, each
/// of these found the other one's gone, and either is meant by what stands there.
fn have_stood_so(edit: &Edit<'_>, around: Around<'_>, patch: &FilePatch, current: &[u8]) -> bool {
    let own = before_in_turn(edit, around.earlier);
    let later = || around.later.iter().filter_map(|known| known.texts.both(&known.file));
    patch.splices().iter().filter(|splice| splice.range.is_empty() && !splice.replacement.is_empty()).all(|splice| {
        let lines = &splice.replacement[..];
        let (above, below) = current.split_at(splice.range.start);
        let is_line = |n: &usize| starts_line(current, splice.range.start - n * lines.len());
        let above = above.rchunks(lines.len()).take_while(|chunk| *chunk == lines);
        let above = above.zip(1..).map(|(_, n)| n).take_while(is_line).count();
        let below = below.chunks(lines.len()).take_while(|chunk| *chunk == lines).count();
        let run = lines.repeat(above + below + 1);
        let has_run = |text: &[u8]| {
            let mut starts = std::iter::successors(memmem::find(text, &run), |at| {
                Some(at + 1 + memmem::find(&text[at + 1..], &run)?)
            });
            starts.any(|at| starts_line(text, at))
        };
        above + below == 0
            || has_run(edit.before())
            || has_run(edit.after())
            || own.iter().take_while(|(one, _)| !took_for_good(one, around, lines)).any(|(_, before)| has_run(before))
            || later().any(|(before, after)| has_run(before) || has_run(after))
    })
}

/// The records before an edit, the newest first, each with the text that it met: as far as each left what the next one met.
fn before_in_turn<'k>(edit: &'k Edit<'_>, earlier: &'k [Arc<Known>]) -> Vec<(&'k Known, &'k [u8])> {
    let mut met = edit.before();
    let in_turn = earlier.iter().rev().map_while(|known| {
        let (before, _) = known.texts.both(&known.file).filter(|(_, after)| *after == met)?;
        met = before;
        Some((known.as_ref(), before))
    });
    in_turn.collect()
}

/// Whether a record took some of these lines, and nobody undid that: what was there before it tells nothing of what may stand there.
fn took_for_good(known: &Known, around: Around<'_>, lines: &[u8]) -> bool {
    let taken = || known.texts.both(&known.file).map(|(before, after)| more(after, before)).unwrap_or_default();
    let is_undone = || {
        let all: Vec<Arc<Known>> = around.earlier.iter().chain(around.later).cloned().collect();
        is_undone_in_part(&known.id, &all, |_| true)
    };
    known.targets.is_empty() && split_lines(lines).any(|line| taken().contains(&line.trim_ascii())) && !is_undone()
}

/// What was done to a file, without undos and redos that led back to the text from which they came.
pub(super) fn without_rounds(later: &[Arc<Known>]) -> Vec<&Arc<Known>> {
    let mut left: Vec<&Arc<Known>> = Vec::with_capacity(later.len());
    for known in later {
        left.push(known);
        let round = left.iter().rev().take_while(|known| !known.targets.is_empty());
        if let Some(from) =
            round.enumerate().filter(|(_, one)| one.file.before == known.file.after).map(|(n, _)| n).last()
        {
            left.truncate(left.len() - from - 1);
        }
    }
    left
}

/// The same without what led from today's text back to it: that tells nothing of what was done before.
fn without_last_round<'k>(mut later: Vec<&'k Arc<Known>>, today: &[u8]) -> Vec<&'k Arc<Known>> {
    let leads_back = later.last().is_some_and(|last| last.texts.after() == Some(today));
    let began = later.iter().position(|known| known.texts.before() == Some(today));
    later.truncate(began.filter(|_| leads_back).unwrap_or(later.len()));
    later
}

/// Whether the log tells that what an undo did to a file is as it was done, after `later`, so that nobody discarded it.
pub(super) fn is_undo_in_force(undo: &Known, later: &[Arc<Known>], current: &[u8]) -> bool {
    let all = later.iter().map(Arc::as_ref);
    let later = without_rounds(later);
    let is_own = |target: &Target| undo.targets.iter().any(|own| own.meets(target));
    let is_of_it = |target: &Target| target.id == undo.id || is_own(target);
    let is_inverted = later.iter().any(|known| in_turn(&known.targets, all.clone()).into_iter().any(is_of_it));
    let edit = undo.file.edit(&undo.texts).filter(|_| undo.file.encoding.is_none() && !is_inverted);
    edit.is_some_and(|edit| {
        let steps = Steps::between(edit.after(), &later, current);
        // Nothing was done to it since, or all of that led back; but a name alone proves nothing.
        let is_as_left = |steps: &Steps<'_>| {
            steps.edits.is_empty() && undo.file.change == ChangeKind::Modify && edit.before() != edit.after()
        };
        let is_there =
            |steps: &Steps<'_>| is_as_left(steps) || matches!(steps.counted(&edit, current), Counted::InForce(_));
        steps.is_some_and(|steps| is_there(&steps) && steps.leave_alone(&edit, current))
    })
}

#[cfg(test)]
mod tests {
    use super::super::answered::Answered;
    use super::super::remade::DoneAgain;
    use super::super::remade::tests::{edit_of, id, known};
    use super::*;
    use crate::record::file_of_record::tests::record;
    use crate::record::{Record, RecordedTexts};
    use crate::text::Encoding;
    use std::collections::HashSet;
    use std::rc::Rc;
    use std::slice::from_ref;

    fn texts_of<'k>(texts: [&'k str; 2]) -> Edit<'k> {
        Edit::by_lines(texts[0].as_bytes(), texts[1].as_bytes()).expect("few lines")
    }

    /// Record `n`, which leads from one text to another; one that takes back another has its number.
    fn step(n: u8, inverts: &[u8], texts: [&str; 2]) -> Arc<Known> {
        let class = if inverts.is_empty() { RecordClass::Edit } else { RecordClass::Undo };
        let targets = known(n, class, inverts, texts).targets.clone();
        let step = Arc::into_inner(edit_of(texts)).expect("one owner");
        Arc::new(Known { id: id(n), class, targets, ..step })
    }

    #[test]
    fn undos_and_redos_that_led_back_to_the_text_from_which_they_came_count_for_nothing() {
        let left =
            |later: &[Arc<Known>]| without_rounds(later).iter().map(|known| known.id.clone()).collect::<Vec<_>>();
        let [edit, undo, redo] =
            [step(1, &[], ["a\n", "b\n"]), step(2, &[1], ["b\n", "a\n"]), step(3, &[2], ["a\n", "b\n"])];
        assert_eq!(left(&[edit.clone(), undo.clone()]), [id(1), id(2)]);
        assert_eq!(left(&[edit.clone(), undo.clone(), redo.clone()]), [id(1)]);
        let again = step(4, &[3], ["b\n", "a\n"]);
        assert_eq!(left(&[edit.clone(), undo.clone(), redo.clone(), again]), [id(1), id(4)]);
        // An edit between them is no round.
        let between = step(5, &[], ["a\n", "c\n"]);
        assert_eq!(left(&[edit, undo, between, step(3, &[2], ["c\n", "b\n"])]), [id(1), id(2), id(5), id(3)]);
    }

    #[test]
    fn a_line_that_only_came_back_by_an_undo_of_others_did_not_move() {
        let (own, today) = (["top\nword\nlow\n", "top\nlow\n"], "top\nnew\nlow\nword\n");
        let moved = |back: Arc<Known>| {
            let put = step(2, &[], [own[1], "top\nnew\nlow\n"]);
            let later = [put, back];
            let later: Vec<&Arc<Known>> = later.iter().collect();
            let steps = Steps::between(own[1].as_bytes(), &later, today.as_bytes()).expect("all is kept");
            steps.may_have_moved(&texts_of(own), today.as_bytes())
        };
        assert!(!moved(step(4, &[9], ["top\nnew\nlow\n", today])));
        assert!(moved(step(4, &[9], ["top\nnew\nlow\n", "top\nnew\nlow\n"])), "nobody knows who did");
        assert!(moved(step(4, &[], ["top\nnew\nlow\n", today])));
    }

    #[test]
    fn a_step_is_given_up_where_somebody_else_took_it_back_and_not_where_it_was_so_before() {
        let is_given_up = |later: &[Arc<Known>], today: &str| {
            let later: Vec<&Arc<Known>> = later.iter().collect();
            Steps::between(b"a\nb\n", &later, today.as_bytes()).expect("all is kept").was_given_up(0)
        };
        let put = step(1, &[], ["a\nb\n", "a\nput\nb\n"]);
        assert!(!is_given_up(from_ref(&put), "a\nput\nb\n"));
        assert!(is_given_up(from_ref(&put), "a\nb\n"));
        assert!(!is_given_up(from_ref(&put), "a\nput\nb\nc\n"), "something else was done");
        // A record took it back, and somebody did something else.
        let taken = step(2, &[], ["a\nput\nb\n", "a\nb\n"]);
        assert!(!is_given_up(&[put, taken], "a\nb\nc\n"));
    }

    #[test]
    fn steps_pass_by_an_edit_only_where_the_log_has_all_of_them() {
        let own = ["a\nold\nb\nc\nd\n", "a\nmine\nb\nc\nd\n"];
        let passes = |later: &[Arc<Known>], today: &str| {
            let later: Vec<&Arc<Known>> = later.iter().collect();
            let steps = Steps::between(own[1].as_bytes(), &later, today.as_bytes()).expect("all is kept");
            steps.pass_by(&texts_of(own), today.as_bytes())
        };
        let elsewhere = step(2, &[], [own[1], "a\nmine\nb\nc\nD\n"]);
        assert!(passes(from_ref(&elsewhere), "a\nmine\nb\nc\nD\n"));
        assert!(!passes(&[elsewhere], "a\nmine\nb\nc\nD\ne\n"), "somebody else was at it");
        let beside = |put: &str| format!("a\nmine\n{put}\nb\nc\nd\n");
        let is_passed = |put: &str| passes(&[step(2, &[], [own[1], &beside(put)])], &beside(put));
        assert!(is_passed("new") && !is_passed("old"), "what was there before may be meant to be back");
        let at_it = step(2, &[], [own[1], "a\nother\nb\nc\nd\n"]);
        assert!(!passes(&[at_it], "a\nother\nb\nc\nd\n"));
    }

    #[test]
    fn what_led_from_today_s_text_back_to_it_counts_for_nothing() {
        let steps = [["a\n", "b\n"], ["b\n", "c\n"], ["c\n", "b\n"], ["b\n", "d\n"], ["d\n", "b\n"]];
        let steps: Vec<Arc<Known>> = (1..).zip(steps).map(|(n, texts)| step(n, &[], texts)).collect();
        let left = |of: usize, today: &str| without_last_round(steps[..of].iter().collect(), today.as_bytes()).len();
        assert_eq!([left(5, "b\n"), left(3, "b\n"), left(1, "b\n"), left(0, "b\n")], [1, 1, 1, 0]);
        assert_eq!(left(3, "c\n"), 3, "today's text is another one");
    }

    /// What record 1 did, as it is to be taken back.
    fn carry(texts: [&str; 2]) -> Carry {
        let done = edit_of(texts);
        let record = Rc::new(Record { id: id(1), files: vec![done.file.clone()], ..record(1, "f") });
        let texts = done.texts.clone();
        Carry {
            record,
            file: 0,
            texts,
            splices: None,
            needs_base: false,
            remade: DoneAgain::default(),
            inverted: HashSet::new(),
            answered: Answered::default(),
        }
    }

    fn in_an_encoding(mut own: Carry) -> Carry {
        Rc::make_mut(&mut own.record).files[0].encoding = Encoding::named("windows-1252");
        own
    }

    fn is_left_alone(own: &Carry, later: &[Arc<Known>], today: &str) -> bool {
        own.is_left_alone_by_the_log(Around { earlier: &[], later }, today.as_bytes())
    }

    #[test]
    fn a_record_is_left_alone_by_who_wrote_elsewhere_and_where_the_log_does_not_tell_it_is_not() {
        let (before, after, today) = ("a\nb\nc\n", "a\nmine\nb\nc\n", "a\nmine\nb\nC\n");
        let (own, elsewhere) = (|| carry([before, after]), |inverts: &[u8]| step(2, inverts, [after, today]));
        assert!(is_left_alone(&own(), &[elsewhere(&[])], today) && is_left_alone(&own(), &[elsewhere(&[9])], today));
        assert!(!is_left_alone(&own(), &[elsewhere(&[1])], today), "it was undone");
        assert!(!is_left_alone(&own(), &[], after), "nothing was done since");
        let part = Carry { splices: Some(Vec::new()), ..own() };
        assert!(!is_left_alone(&part, &[elsewhere(&[])], today), "none of it is asked for");
        assert!(!is_left_alone(&in_an_encoding(own()), &[elsewhere(&[])], today));
        let mut purged = Arc::into_inner(elsewhere(&[])).expect("one owner");
        purged.texts = RecordedTexts::default();
        assert!(!is_left_alone(&own(), &[Arc::new(purged)], today), "what was done is not kept");
    }

    #[test]
    fn a_record_is_not_left_alone_where_its_lines_went_or_may_be_others() {
        let (before, after) = ("a\nb\n", "a\nmine\nb\n");
        assert!(!is_left_alone(&carry([before, after]), &[step(2, &[9], [after, before])], before));
        // A line that it took stands elsewhere since.
        let (before, after, today) = ("a\nword\nb\n", "a\nb\n", "a\nb\nword\n");
        assert!(!is_left_alone(&carry([before, after]), &[step(2, &[], [after, today])], today));
        // Somebody took a bracket, and no line between tells that it was another one.
        let (after, next) = ("top\n}\n{\n}\nend\n", "top\n}\n{\n}\nEND\n");
        let own = carry(["top\n{\n}\nend\n", after]);
        assert!(!is_left_alone(&own, &[step(2, &[], [after, next])], "top\n}\n{\nEND\n"));
    }

    #[test]
    fn an_undo_is_in_force_where_nobody_came_to_it_and_nobody_redid_it() {
        let (with, without, today) = ("a\nx\nb\nc\n", "a\nb\nc\n", "a\nb\nC\n");
        let undo = || step(2, &[1], [with, without]);
        let is = |undo: &Known, later: &[Arc<Known>], today: &str| is_undo_in_force(undo, later, today.as_bytes());
        let elsewhere = |inverts: &[u8]| step(3, inverts, [without, today]);
        assert!(is(&undo(), &[], without) && is(&undo(), &[elsewhere(&[])], today));
        assert!(is(&undo(), &[elsewhere(&[9])], today), "another one was undone");
        assert!(!is(&undo(), &[elsewhere(&[2])], today), "it was redone");
        assert!(!is(&step(2, &[1], [without, without]), &[], without), "it changed no text");
        let mut made = Arc::into_inner(undo()).expect("one owner");
        made.file.change = ChangeKind::Create;
        assert!(!is(&made, &[], without), "it may be another file");
        let mut other = Arc::into_inner(undo()).expect("one owner");
        other.file.encoding = Encoding::named("windows-1252");
        assert!(!is(&other, &[elsewhere(&[])], today));
        let mut purged = Arc::into_inner(elsewhere(&[])).expect("one owner");
        purged.texts = RecordedTexts::default();
        assert!(!is(&undo(), &[Arc::new(purged)], today), "what was done is not kept");
    }

    #[test]
    fn what_nobody_wrote_down_comes_to_all_that_no_line_alone_parts_from_it() {
        let own = ["{\n{\n}\n", "}\n{\n{\n}\n"];
        let is_left_alone = |later: &[&Arc<Known>]| {
            let today = b"}\n{\n{\n";
            let steps = Steps::between(own[1].as_bytes(), later, today).expect("all is kept");
            steps.leave_alone(&texts_of(own), today)
        };
        assert!(!is_left_alone(&[]));
        assert!(is_left_alone(&[&step(2, &[], [own[1], "}\n{\n{\n"])]));
    }

    #[test]
    fn a_text_that_is_as_it_was_before_an_edit_was_not_left_alone() {
        let own = ["a\nc\n", "a\nb\nc\n"];
        let later = [step(2, &[], [own[1], "a\nb\nd\n"]), step(3, &[9], ["a\nb\nd\n", "a\nd\n"])];
        let later: Vec<&Arc<Known>> = later.iter().collect();
        let is_left_alone = |today: &str| {
            let steps = Steps::between(own[1].as_bytes(), &later, today.as_bytes()).expect("all is kept");
            steps.leave_alone(&texts_of(own), today.as_bytes())
        };
        assert!(is_left_alone("a\nd\n") && !is_left_alone(own[0]));
    }

    #[test]
    fn an_equal_line_in_the_place_of_one_that_was_taken_may_be_that_one_unless_an_undo_of_others_brought_it_back() {
        let (own, today) = (["a\nx\nb\n", "a\nb\n"], "a\nx\nb\n");
        let is_gone = |later: &[&Arc<Known>]| {
            let steps = Steps::between(own[1].as_bytes(), later, today.as_bytes()).expect("all is kept");
            matches!(steps.counted(&texts_of(own), today.as_bytes()), Counted::InForce(_))
        };
        assert!(is_gone(&[&step(2, &[9], [own[1], today])]));
        assert!(!is_gone(&[&step(2, &[], [own[1], today])]) && !is_gone(&[]));
    }

    /// The text without what record 1 did, where the log alone tells it.
    fn without(own: &Carry, later: &[Arc<Known>], today: &str) -> Option<String> {
        let (today, edit) = (today.as_bytes(), own.record.files[0].edit(&own.texts).expect("its texts are kept"));
        let first = answer(edit.clone(), Wanted::All, Direction::TakeBack, &[], today);
        let found = own.by_the_log_alone(&edit, &first, Around { earlier: &[], later }, today)?;
        let Outcome::Write(patch) = found.outcome() else { return None };
        Some(String::from_utf8(patch.apply(today)).expect("UTF-8"))
    }

    #[test]
    fn a_doubled_line_is_there_where_the_log_tells_it_and_the_newest_word_on_it_is_not_that_it_was_undone() {
        let (after, today) = ("a\nfn x\n}\n}\nb\n", "a\n}\nb\n");
        let own = carry(["a\nfn x\n}\nb\n", after]);
        assert_eq!(without(&own, &[step(2, &[9], [after, today])], today).as_deref(), Some("a\nb\n"));
        assert_eq!(without(&own, &[step(2, &[1], [after, today])], today), None);
        let elsewhere = step(3, &[], [after, "a\nfn x\n}\n}\nB\n"]);
        let undone = step(2, &[1], ["a\nfn x\n}\n}\nB\n", "a\n}\nB\n"]);
        assert_eq!(without(&own, &[elsewhere, undone], "a\n}\nB\n"), None);
        // It was undone and redone, each time with something else.
        let far = ["a\nfn x\n}\n}\nB\n", "a\n}\nB\n"];
        let [undone, redone] = [step(2, &[1], [after, far[0]]), step(3, &[2], far)];
        assert_eq!(without(&own, &[undone, redone], far[1]), None);
        // What it took back itself was done again.
        let undo = Carry { inverted: HashSet::from([id(5)]), ..carry(["a\nfn x\n}\nb\n", after]) };
        let later = [step(3, &[], [after, far[0]]), step(4, &[5], far)];
        assert_eq!(without(&undo, &later, far[1]), None);
        assert!(without(&own, &later, far[1]).is_some());
        // It was undone, and others were redone that look like it.
        let undone = step(2, &[1], [after, "a\nfn x\n}\nb\n"]);
        let like_it = step(3, &[8], ["a\nfn x\n}\nb\n", after]);
        assert_eq!(without(&own, &[undone, like_it, step(4, &[9], [after, today])], today), None);
    }

    #[test]
    fn a_file_is_as_before_by_an_undo_of_others_with_a_line_of_the_record_for_an_equal_one() {
        let own = || carry(["a\n}\nb\n", "a\n}\n}\nb\n"]);
        let later = [step(2, &[9], ["a\n}\n}\nb\n", "a\n}\nb\n"])];
        let is_there = |own: &Carry| own.is_there_by_the_log(Around { earlier: &[], later: &later }, b"a\n}\nb\n");
        assert!(is_there(&own()) && !is_there(&in_an_encoding(own())));
    }

    #[test]
    fn a_record_took_no_line_of_one_whose_lines_were_gone_before() {
        let (base, with) = ("a\nb\n", "a\nx\nb\n");
        let [wrote, took] = [step(8, &[], [base, with]), step(9, &[], [with, base])];
        let again = step(7, &[], [base, with]);
        let own = || carry([with, base]);
        let earlier = [wrote, took, again];
        assert!(
            own().took_none_of(&earlier, &id(8)) && !own().took_none_of(&earlier, &id(7)),
            "its own is the last one's"
        );
        assert!(!own().took_none_of(&earlier, &id(6)), "the log does not have it");
        assert!(!in_an_encoding(own()).took_none_of(&earlier, &id(8)));
    }

    #[test]
    fn lines_that_an_undo_of_others_took_are_not_told_as_gone_where_they_stand_again() {
        let (before, after) = ("a\nb\n", "a\nx\nb\n");
        let again = step(3, &[], [before, "a\nx\nb\nc\n"]);
        let is_gone = |inverts: &[u8]| {
            let (own, today) = (carry([before, after]), b"a\nx\nb\nc\n");
            let edit = own.record.files[0].edit(&own.texts).expect("its texts are kept");
            let first = answer(edit.clone(), Wanted::All, Direction::TakeBack, &[], today);
            let later = [step(2, inverts, [after, before]), again.clone()];
            own.by_the_log_alone(&edit, &first, Around { earlier: &[], later: &later }, today).is_some()
        };
        assert!(is_gone(&[]) && !is_gone(&[9]));
    }
}
