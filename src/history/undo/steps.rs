//! What was done to a file from one text to today's, by records and by others between them.
//!
//! Owns what the log alone tells of these. Whose each is, is asked of who asks.
//! Invariant: a step goes on from the text that the one before it left.

use super::cancelled::Around;
use super::changed_lines::ChangedLines;
use super::differing::more;
use super::log::Known;
use super::undone_lines::{Places, are_undone};
use crate::patch::take_back::{
    Answer, Counted, Direction, Edit, Outcome, Since, Today, Told, Wanted, answer, beside, counted, overruled, pass_by,
};
use crate::record::RecordClass;
use crate::text::has_word;
use std::sync::Arc;

/// What was done to a file from one text to today's.
pub(super) struct Steps<'k> {
    pub(super) edits: Vec<Edit<'k>>,
    /// The records that did it; none where nobody wrote it down.
    pub(super) by: Vec<Option<&'k Arc<Known>>>,
}

impl<'k> Steps<'k> {
    /// What records did, and between them others, as far as the texts tell; none where something is not kept.
    pub(super) fn between(from: &'k [u8], later: &[&'k Arc<Known>], today: &'k [u8]) -> Option<Self> {
        let mut steps = Self { edits: Vec::new(), by: Vec::new() };
        let mut last = from;
        for known in later {
            let (before, after) = known.texts.both(&known.file)?;
            steps.bridge(last, before)?;
            steps.edits.push(known.file.edit(&known.texts)?);
            steps.by.push(Some(known));
            last = after;
        }
        steps.bridge(last, today)?;
        Some(steps)
    }

    fn bridge(&mut self, before: &'k [u8], after: &'k [u8]) -> Option<()> {
        if before != after {
            self.edits.push(Edit::by_lines(before, after)?);
            self.by.push(None);
        }
        Some(())
    }

    /// Whether a step took others back, or did them again.
    pub(super) fn is_of_others(&self, n: usize) -> bool {
        self.by.get(n).copied().flatten().is_some_and(|by| !by.targets.is_empty())
    }

    /// The earlier steps that one took back.
    pub(super) fn taken_back_by(&self, n: usize) -> Vec<usize> {
        let known = |n: usize| self.by.get(n).copied().flatten();
        let is_inverted =
            |m: &usize| known(*m).is_some_and(|one| known(n).is_some_and(|by| by.inverts().any(|id| *id == one.id)));
        (0..n).filter(is_inverted).collect()
    }

    /// Those of some earlier records that a step took back, be it by hand.
    pub(super) fn given_up_by(&self, n: usize, some: &dyn Fn(&Known) -> bool) -> Vec<usize> {
        let is_one = |m: &usize| self.by[*m].is_some_and(|by| some(by));
        match self.by.get(n) {
            Some(None) => (0..n).filter(|m| is_one(m) && self.takes_back(n, *m)).collect(),
            Some(Some(_)) | None => self.taken_back_by(n),
        }
    }

    /// Whether a step took an earlier one back, as the texts tell it.
    fn takes_back(&self, n: usize, earlier: usize) -> bool {
        let (step, taken) = (&self.edits[n], &self.edits[earlier]);
        is_taken_back(taken, step.after()) && !is_taken_back(taken, step.before())
    }

    pub(super) fn counted(&self, edit: &Edit<'_>, current: &[u8]) -> Counted {
        self.since(|since| counted(edit, since, current))
    }

    pub(super) fn told(&self, n: usize) -> Told {
        if self.by.get(n).is_some_and(Option::is_some) { Told::Exactly } else { Told::ByLines }
    }

    pub(super) fn since<T>(&self, asked: impl FnOnce(Since<'_>) -> T) -> T {
        let (is_of_others, told) = (|n: usize| self.is_of_others(n), |n: usize| self.told(n));
        asked(Since { steps: &self.edits, is_of_others: &is_of_others, told: &told })
    }

    /// The answer where records in force took lines that look as if they were there, or taken back.
    pub(super) fn speak_against(
        &self,
        edit: &Edit<'_>,
        first: &Answer,
        (around, text): (Around<'_>, &[u8]),
    ) -> Option<Answer> {
        if edit.before() == text || edit.after() == text {
            return None;
        }
        let is_in_force = |n: usize| {
            self.by.get(n).copied().flatten().is_some_and(|by| by.class == RecordClass::Edit)
                && self.is_in_force(n, edit, around)
        };
        self.since(|since| overruled(edit, first, Today { since, is_in_force: &is_in_force, text }))
    }

    /// Whether a step is a record's own, and what that did to the lines of an edit was neither undone nor given up.
    pub(super) fn is_in_force(&self, n: usize, edit: &Edit<'_>, around: Around<'_>) -> bool {
        let own = Places::of(edit);
        let by = self.by.get(n).copied().flatten().filter(|by| by.targets.is_empty());
        by.is_some_and(|by| !are_undone(by, around.later, |places| places.meet(&own))) && !self.was_given_up(n)
    }

    /// Whether the log has every step, and none came to the lines that an edit put.
    pub(super) fn pass_by(&self, edit: &Edit<'_>, text: &[u8]) -> bool {
        let may_be_it = |n: usize| inverts_some_of(&self.edits[n], edit);
        self.by.iter().all(Option::is_some) && self.since(|since| pass_by(edit, since, &may_be_it, text))
    }

    /// Whether lines that an edit took may stand elsewhere since, where it was not others that came back.
    pub(super) fn may_have_moved(&self, edit: &Edit<'_>, current: &[u8]) -> bool {
        let again = more(edit.after(), current);
        let took = ChangedLines::of(edit).took;
        let came = |line: &&[u8]| {
            let others = self.edits.iter().enumerate().filter(|(n, _)| !self.is_of_others(*n));
            others.map(|(_, step)| step).any(|step| ChangedLines::of(step).put.contains(line))
        };
        took.iter().any(|line| has_word(line) && again.contains(line) && came(line))
    }

    /// Whether somebody only moved lines where these changes of an edit had put some, and none of these, of which there are more than before it, went
    /// since.
    pub(super) fn moved_away(&self, (edit, these): (&Edit<'_>, &[usize]), around: Around<'_>, current: &[u8]) -> bool {
        let again = more(edit.before(), current);
        let mut put = ChangedLines::of_these(edit, these).put;
        put.retain(|line| again.contains(line));
        for step in &self.edits {
            let went = more(step.after(), step.before());
            put.retain(|line| !went.contains(line));
        }
        if put.is_empty() {
            return false;
        }
        // One change may be of all that is between the lines that were put.
        let Some(by_lines) = Edit::by_lines(edit.before(), edit.after()) else { return false };
        let near = beside(&by_lines, &self.edits, |n| self.told(n));
        let is_move = |n: usize, step: &Edit<'_>| {
            let is_same = more(step.before(), step.after()).is_empty() && more(step.after(), step.before()).is_empty();
            is_same && (self.by[n].is_none() || self.is_in_force(n, edit, around))
        };
        self.edits.iter().enumerate().any(|(n, step)| near.contains(&n) && is_move(n, step))
    }

    /// Whether nobody put or took a line since but by moving it, and a text has other lines, white space apart, than the one from before an edit: it is
    /// not that without the edit.
    pub(super) fn speak_for_other_lines(&self, edit: &Edit<'_>, result: &[u8]) -> bool {
        let are_same = |one: &[u8], other: &[u8]| more(one, other).is_empty() && more(other, one).is_empty();
        self.edits.iter().all(|step| are_same(step.before(), step.after())) && !are_same(edit.before(), result)
    }

    /// Whether somebody else took back later what a step did, as all texts since tell it.
    pub(super) fn was_given_up(&self, n: usize) -> bool {
        let Some(step) = self.edits.get(n) else { return false };
        let others = self.edits.iter().zip(&self.by).skip(n + 1).filter(|(_, by)| by.is_none());
        others.map(|(other, _)| other).any(|other| inverts_some_of(other, step) && is_taken_back(step, other.after()))
    }

    /// Whether none of this can have meant to take an edit back: it is the undo or redo of others, or does not come to where the edit
    /// is, or does nothing like it. One that leads to the text before may have meant that.
    pub(super) fn leave_alone(&self, edit: &Edit<'_>, current: &[u8]) -> bool {
        let may_be_edits = edit.before() != current;
        let near = beside(edit, &self.edits, |n| self.told(n));
        let is_so = |(n, (step, by)): (usize, (&Edit<'_>, &Option<&Arc<Known>>))| {
            by.is_some_and(|by| !by.targets.is_empty())
                || (may_be_edits && !(near.contains(&n) && inverts_some_of(step, edit)))
        };
        self.edits.iter().zip(&self.by).enumerate().all(is_so)
    }
}

/// Whether nothing of an edit is left in a text.
fn is_taken_back(edit: &Edit<'_>, text: &[u8]) -> bool {
    let answer = answer(edit.clone(), Wanted::All, Direction::TakeBack, &[], text);
    matches!(answer.outcome(), Outcome::AlreadyDone)
}

/// Whether a step has fewer of the lines that an edit put, or more of those that it took.
fn inverts_some_of(step: &Edit<'_>, edit: &Edit<'_>) -> bool {
    let has_some = |found: &[&[u8]], wanted: &[&[u8]]| found.iter().any(|line| wanted.contains(line));
    let (by_step, own) = (ChangedLines::of(step), ChangedLines::of(edit));
    has_some(&by_step.took, &own.put) || has_some(&by_step.put, &own.took)
}

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{edit_of, id};
    use super::*;

    /// A text of letters, each a line.
    fn text(letters: &str) -> String {
        letters.chars().map(|letter| format!("{letter}\n")).collect()
    }

    /// Record `n`, which leads from one text to another.
    fn step(n: u8, texts: [&str; 2]) -> Arc<Known> {
        let step = Arc::into_inner(edit_of([&text(texts[0]), &text(texts[1])])).expect("one owner");
        Arc::new(Known { id: id(n), ..step })
    }

    #[test]
    fn a_line_was_only_moved_where_a_step_beside_it_took_none_and_put_none() {
        let own = ["abcdefghi", "axbcdefghi"].map(text);
        let edit = Edit::by_lines(own[0].as_bytes(), own[1].as_bytes()).expect("few lines");
        let is_so = |later: &[Arc<Known>], today: &str| {
            let today = text(today);
            let known: Vec<&Arc<Known>> = later.iter().collect();
            let steps = Steps::between(edit.after(), &known, today.as_bytes()).expect("all is kept");
            steps.moved_away((&edit, &[0]), Around { earlier: &[], later }, today.as_bytes())
        };
        assert!(is_so(&[step(2, ["axbcdefghi", "abxcdefghi"])], "abxcdefghi"), "a record did");
        assert!(is_so(&[], "abxcdefghi"), "somebody did");
        assert!(!is_so(&[step(2, ["axbcdefghi", "axbcdefgih"])], "axbcdefgih"), "far from it");
        assert!(!is_so(&[step(2, ["axbcdefghi", "abcdefghi"]), step(3, ["abcdefghi", "abxcdefghi"])], "abxcdefghi"));
        assert!(!is_so(&[step(2, ["axbcdefghi", "bacdefghi"])], "bacdefghi"), "it is gone");
    }

    #[test]
    fn what_somebody_took_back_by_hand_of_some_records_is_given_up() {
        let later = [step(2, ["ab", "axb"]), step(3, ["axb", "axby"])];
        let known: Vec<&Arc<Known>> = later.iter().collect();
        let (from, today) = (text("ab"), text("aby"));
        let steps = Steps::between(from.as_bytes(), &known, today.as_bytes()).expect("all is kept");
        assert_eq!(steps.given_up_by(2, &|_| true), [0]);
        assert_eq!(steps.given_up_by(2, &|known| known.id == id(3)), [0; 0]);
        assert_eq!(steps.given_up_by(1, &|_| true), [0; 0], "that one took none back");
        assert_eq!(steps.given_up_by(7, &|_| true), [0; 0]);
    }
}
