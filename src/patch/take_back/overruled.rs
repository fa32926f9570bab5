//! What the log knows to have become of lines that an edit put, where a look at the text takes others' lines like them for these.
//!
//! Owns that objection. Which of the later edits are in force is for the caller to say.
//! Invariant: a hunk is spoken against only where a later edit that is in force took lines of it, what that put in their place stands
//! today, and no equal line leaves open which ones it took; or where that came to it, too, and it stands as it was put.

use super::counted::{Since, Step, in_lines, reach};
use super::edit::{Change, Edit};
use super::reason::{Reason, Refusal};
use super::settled::of_hunks;
use super::slides::slides;
use super::verdict::{Answer, Judged, Verdict};
use crate::text::{has_word, split_lines, starts_line, whole_lines};
use std::ops::Range;

/// Who did what since, and what the file is now.
#[derive(Clone, Copy)]
pub struct Today<'s> {
    /// Each step, up to today's text.
    pub since: Since<'s>,
    /// Whether a step is an edit that is in force, not somebody taking others back.
    pub is_in_force: &'s dyn Fn(usize) -> bool,
    /// The text.
    pub text: &'s [u8],
}

/// An answer without what the log speaks against: lines that would be taken out, or are said to be taken back, and that a later edit
/// took, and lines that were written anew with such; none where it speaks against nothing.
pub fn overruled(edit: &Edit<'_>, first: &Answer, today: Today<'_>) -> Option<Answer> {
    let steps: Vec<Step<'_>> = today.since.in_lines();
    let own = in_lines(edit);
    let spoken = first.hunks().iter().map(|hunk| {
        let change = own.iter().find(|(which, _)| *which == hunk.changes).map(|(_, change)| change);
        let own = change.and_then(|change| Own::of(edit, change));
        let touch = own.as_ref().and_then(|own| own.touch(&steps));
        let step = touch.as_ref().map(|touch| touch.step);
        let verdict = own.as_ref().zip(touch).and_then(|(own, touch)| own.told(hunk, &touch, &steps, today));
        Spoken { hunk, own, step, verdict }
    });
    let spoken: Vec<Spoken<'_>> = spoken.collect();
    if spoken.iter().all(|one| one.verdict.is_none()) {
        return None;
    }
    let is_gone = |one: &&Spoken<'_>| one.verdict == Some(Verdict::AlreadyDone);
    let by: Vec<usize> = spoken.iter().filter(is_gone).filter_map(|one| one.step).collect();
    let hunks = spoken.into_iter().map(|one| {
        let verdict = one.verdict.clone().or_else(|| one.written_anew(&by, today.text));
        Judged { verdict: verdict.unwrap_or_else(|| one.hunk.verdict.clone()), ..one.hunk.clone() }
    });
    of_hunks(edit, hunks.collect(), today.text)
}

/// A hunk, its lines, the later edit that came to them first, and what is true of it where the log has something against what is said of it.
struct Spoken<'e> {
    hunk: &'e Judged,
    own: Option<Own<'e>>,
    step: Option<usize>,
    verdict: Option<Verdict>,
}

impl Spoken<'_> {
    /// The refusal of lines that stand as they were put, after one of these later edits had come to them, which took lines that stand there again: who
    /// wrote those anew wrote these as well.
    fn written_anew(&self, by: &[usize], today: &[u8]) -> Option<Verdict> {
        let Verdict::Write(writes) = &self.hunk.verdict else { return None };
        let own = self.own.as_ref().filter(|_| self.step.is_some_and(|step| by.contains(&step)))?;
        let place = whole_lines(today, &(writes.first()?.range.start..writes.last()?.range.end));
        (today.get(place.clone()) == Some(own.put)).then(|| own.refused_at(place, Reason::PutAnew))
    }
}

/// Whether no later edit came to the lines that an edit put, of which each change put some; `may_be_it` says which of them must not have come
/// beside them either.
pub fn pass_by(edit: &Edit<'_>, since: Since<'_>, may_be_it: &dyn Fn(usize) -> bool, today: &[u8]) -> bool {
    let steps: Vec<Step<'_>> = since.in_lines();
    let are_passed_by = |own: Own<'_>| own.are_passed_by(&steps, may_be_it, today);
    in_lines(edit).iter().all(|(_, change)| Own::of(edit, change).is_some_and(are_passed_by))
}

/// The whole lines of a change.
struct Own<'e> {
    /// Where it put them, in the text that the edit left.
    at: Range<usize>,
    put: &'e [u8],
    took: &'e [u8],
}

/// The first later edit that came to lines of a change.
struct Touch<'e> {
    step: usize,
    /// Those that it took.
    took: Vec<&'e [u8]>,
    /// What it put there.
    put: &'e [u8],
    /// Whether a whole line beside them went along.
    is_wider: bool,
}

/// What a step did to lines.
enum Led<'s> {
    To(Range<usize>),
    /// Where they were, and what came there.
    Touched(Range<usize>, &'s Change),
    Lost,
}

impl<'e> Own<'e> {
    fn of(edit: &'e Edit<'_>, change: &Change) -> Option<Self> {
        let [old, at] = edit.line_ranges(change);
        let put = edit.after().get(at.clone()).filter(|put| !put.is_empty())?;
        // What was written into an empty line took none.
        let is_other = |line: &&[u8]| !change.before.is_empty() || !line.trim_ascii().is_empty();
        let took = Some(edit.before().get(old)?).filter(is_other).unwrap_or_default();
        Some(Self { at, put, took })
    }

    /// What is true of a hunk that is this change; none where the log has nothing against what is said of it.
    fn told(&self, hunk: &Judged, touch: &Touch<'_>, steps: &[Step<'_>], today: Today<'_>) -> Option<Verdict> {
        let stands = |line: &[u8]| has_word(line) && split_lines(today.text).any(|other| other == line);
        let is_there = touch.put.is_empty() || split_lines(touch.put).any(stands);
        if !(today.is_in_force)(touch.step) || !is_there || touch.took.is_empty() {
            return None;
        }
        match &hunk.verdict {
            Verdict::Write(writes) => {
                let [write] = &writes[..] else { return None };
                let is_whole = self.took.is_empty() || today.text.get(write.range.clone()) == Some(self.put);
                let is_all = self.took.is_empty() && touch.took.len() == split_lines(self.put).count();
                let place = || whole_lines(today.text, &write.range);
                let refused = || self.refused_at(place(), Reason::PutAnew);
                is_whole.then(|| if is_all { Verdict::AlreadyDone } else { refused() })
            }
            Verdict::AlreadyDone => {
                let is_gone_with_others = !touch.put.is_empty() || touch.is_wider;
                (is_gone_with_others && self.was_not_brought_back(touch, steps, today))
                    .then(|| self.refused(touch.put, today.text))
            }
            Verdict::Refused(_) => None,
        }
    }

    /// Whether what the change took came since only by later edits of their own, at other times than these lines went.
    fn was_not_brought_back(&self, touch: &Touch<'_>, steps: &[Step<'_>], today: Today<'_>) -> bool {
        let is_of_it = |line: &[u8]| has_word(line) && holds(self.took, line);
        let puts = |step: &Step<'_>| {
            step.changes.iter().any(|(_, change)| {
                let [old, new] = step.edit.lines_of(change);
                split_lines(new).any(|line| is_of_it(line) && !holds(old, line))
            })
        };
        split_lines(self.took).any(has_word)
            && !split_lines(touch.put).any(is_of_it)
            && steps.iter().enumerate().all(|(n, step)| !puts(step) || (today.is_in_force)(n))
    }

    /// None where none came there, or equal lines leave open who did.
    fn touch(&self, steps: &[Step<'e>]) -> Option<Touch<'e>> {
        let mut at = self.at.clone();
        for (n, step) in steps.iter().enumerate() {
            match self.led(at, step) {
                Led::To(now) => at = now,
                Led::Lost => return None,
                Led::Touched(at, change) => {
                    let text = step.edit.before();
                    if reach(step.edit, change) != change.before || !slides(text, &at, self.put).is_empty() {
                        return None;
                    }
                    let [old, put] = step.edit.lines_of(change);
                    let [wide, _] = step.edit.line_ranges(change);
                    let met = &text[at.start.max(wide.start)..at.end.min(wide.end)];
                    // What it put elsewhere in turn may as well be what was there.
                    let goes = |line: &&[u8]| !holds(put, line) && is_fewer(line, [text, step.edit.after()]);
                    let took = split_lines(met).filter(goes).collect();
                    return Some(Touch { step: n, took, put, is_wider: old.len() > met.len() });
                }
            }
        }
        None
    }

    /// Whether no step came to the lines, nor to where one of them stands beside them and may be about them.
    fn are_passed_by(&self, steps: &[Step<'e>], may_be_it: &dyn Fn(usize) -> bool, today: &[u8]) -> bool {
        let passed = steps.iter().enumerate().try_fold(self.at.clone(), |at, (n, step)| {
            let is_beside = |change: &Change| change.before.start <= at.end && at.start <= change.before.end;
            if may_be_it(n) && step.changes.iter().any(|(_, change)| is_beside(change)) {
                return None;
            }
            match self.led(at, step) {
                Led::To(now) => Some(now),
                Led::Lost | Led::Touched(..) => None,
            }
        });
        passed.is_some_and(|at| today.get(at) == Some(self.put))
    }

    /// Where the lines that are at a place before a step are after it.
    fn led<'s>(&self, at: Range<usize>, step: &'s Step<'e>) -> Led<'s> {
        let mut now = at.start;
        for (_, change) in &step.changes {
            if change.before.end <= at.start {
                now = now + change.after.len() - change.before.len();
            } else if change.before.start < at.end {
                return Led::Touched(at, change);
            }
        }
        let end = now + at.len();
        // What was put right before it may be in its line.
        let is_whole = starts_line(step.edit.after(), now) && step.edit.after().get(now..end) == Some(self.put);
        if is_whole { Led::To(now..end) } else { Led::Lost }
    }

    fn refused(&self, instead: &[u8], today: &[u8]) -> Verdict {
        // Where what stands there instead is the only one of its kind.
        let only = |at: &usize| memchr::memmem::find_iter(today, instead).all(|other| other == *at);
        let found = Some(instead).filter(|instead| !instead.is_empty());
        let start = found.and_then(|instead| memchr::memmem::find(today, instead)).filter(only);
        self.refused_at(start.map_or(0..0, |start| start..start + instead.len()), Reason::LinesChanged)
    }

    fn refused_at(&self, place: Range<usize>, reason: Reason) -> Verdict {
        let (own, wanted) = (self.at.clone(), self.took.to_vec());
        Verdict::Refused(Refusal { reason, own, place, candidates: Vec::new(), wanted })
    }
}

/// Whether the second of two texts has fewer of a line.
fn is_fewer(line: &[u8], texts: [&[u8]; 2]) -> bool {
    let [before, after] = texts.map(|text| split_lines(text).filter(|other| *other == line).count());
    after < before
}

/// Whether a line is one of some lines, but for its indentation.
fn holds(lines: &[u8], line: &[u8]) -> bool {
    split_lines(lines).any(|other| other.trim_ascii() == line.trim_ascii())
}
