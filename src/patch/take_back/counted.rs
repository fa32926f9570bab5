//! An edit where the log alone tells its place: its lines are counted through all that was done since.
//!
//! Owns that way, for lines that were put whole and that nobody touched, where equal ones beside them leave a look at the texts in
//! doubt. Which of the later edits may count is for the caller to say.
//! Invariant: each text leads to the next one, from the edit to today; what goes are bytes that the edit put, or equal ones beside them.

use super::edit::{Change, Edit};
use super::proof::Purpose;
use super::settled::settled;
use super::verdict::Answer;
use crate::text::{split_lines, starts_line};
use std::ops::Range;

/// So many lines a block may be said to have been put further up or down, where equal lines hide it.
const MOST_SLIDES: usize = 16;

/// What the log tells of an edit.
#[derive(Debug)]
pub enum Counted {
    /// Its lines are there: what takes them out.
    InForce(Answer),
    /// The later edit with this index took its lines away.
    TakenBy(usize),
    /// Something of it was touched, or nobody knows.
    Unknown,
}

/// Where the lines of an edit are after `later`, which lead to today's text.
pub fn counted(edit: &Edit<'_>, later: &[Edit<'_>], today: &[u8]) -> Counted {
    let goes_on = |pair: &[Edit<'_>]| matches!(pair, [one, next] if one.after() == next.before());
    let is_whole = later.first().is_some_and(|first| first.before() == edit.after())
        && later.windows(2).all(goes_on)
        && later.last().is_some_and(|last| last.after() == today);
    if !is_whole {
        return Counted::Unknown;
    }
    let changes: Option<Vec<_>> =
        edit.changes().iter().map(|(which, change)| Some((which, change, Block::of(edit, change)?))).collect();
    let Some(changes) = changes.filter(|changes| !changes.is_empty()) else { return Counted::Unknown };
    let places = changes
        .iter()
        .map(|(_, change, block)| block.starts(edit, change).into_iter().find_map(|start| block.led(start, later)));
    let Some(places) = places.collect::<Option<Vec<_>>>() else {
        let [(_, change, block)] = &changes[..] else { return Counted::Unknown };
        return block.taken_by(change.after.start, later).map_or(Counted::Unknown, Counted::TakenBy);
    };
    let (mut before, mut at, mut moved) = (Vec::with_capacity(today.len()), 0, Vec::new());
    for ((which, change, block), start) in changes.into_iter().zip(places) {
        let after = start..start + block.0.len();
        if start < at || today.get(after.clone()) != Some(block.0) {
            return Counted::Unknown;
        }
        before.extend_from_slice(&today[at..start]);
        let old = before.len();
        before.extend_from_slice(&edit.before()[change.before.clone()]);
        at = after.end;
        moved.push((which.clone(), Change { before: old..before.len(), after, origin: change.origin }));
    }
    before.extend_from_slice(&today[at..]);
    Counted::InForce(settled(&Edit::made_of(before, today.to_vec(), moved), &[], today, Purpose::TakeOut))
}

/// Lines that an edit put.
struct Block<'e>(&'e [u8]);

impl<'e> Block<'e> {
    /// None where a change put none, or parts of lines.
    fn of(edit: &'e Edit<'_>, change: &Change) -> Option<Self> {
        let are_lines = |text: &[u8], range: &Range<usize>| {
            let bytes = text.get(range.clone()).unwrap_or_default();
            starts_line(text, range.start) && (bytes.is_empty() || bytes.ends_with(b"\n"))
        };
        let is_whole = !change.after.is_empty()
            && are_lines(edit.after(), &change.after)
            && are_lines(edit.before(), &change.before);
        is_whole.then(|| Self(&edit.after()[change.after.clone()]))
    }

    /// Where it may as well be said to have been put, in the text that the edit left: of an insertion, where the same bytes would be.
    fn starts(&self, edit: &Edit<'_>, change: &Change) -> Vec<usize> {
        let mut starts = vec![change.after.start];
        if !change.before.is_empty() || edit.changes().len() > 1 {
            return starts;
        }
        let (text, len) = (edit.after(), self.0.len());
        let is_it = |start: usize| text[start..start + len] == *self.0;
        let (mut up, mut down) = (Some(change.after.start), Some(change.after.start));
        for _ in 0..MOST_SLIDES {
            // The line that comes into it must be the one that gets out of it at the other end.
            up = up.and_then(|start| {
                let last = split_lines(&text[start..start + len]).last()?;
                text[..start].ends_with(last).then(|| start - last.len())
            });
            down = down.and_then(|start| {
                let first = split_lines(&text[start..start + len]).next()?;
                text[start + len..].starts_with(first).then(|| start + first.len())
            });
            starts.extend([up, down].into_iter().flatten().filter(|start| is_it(*start)));
        }
        starts
    }

    /// Where it is after later edits, none of which touched it.
    fn led(&self, start: usize, later: &[Edit<'_>]) -> Option<usize> {
        later.iter().try_fold(start, |start, step| {
            let end = start + self.0.len();
            let mut now = start;
            for (_, change) in step.changes() {
                if change.before.end <= start {
                    now = now + change.after.len() - change.before.len();
                } else if change.before.start < end {
                    return None;
                }
            }
            Some(now)
        })
    }

    /// The first later edit that touches it, where that took all of its lines, and put none like them.
    fn taken_by(&self, start: usize, later: &[Edit<'_>]) -> Option<usize> {
        let (mut at, mut n) = (start, 0);
        let step = loop {
            let step = later.get(n)?;
            match self.led(at, std::slice::from_ref(step)) {
                Some(now) => (at, n) = (now, n + 1),
                None => break step,
            }
        };
        let place = at..at + self.0.len();
        let took = |change: &Change| change.before.start <= place.start && place.end <= change.before.end;
        let (_, change) = step.changes().iter().find(|(_, change)| took(change))?;
        let put = &step.after()[change.after.clone()];
        let is_put = |line: &[u8]| split_lines(put).any(|other| other.trim_ascii() == line.trim_ascii());
        (!split_lines(self.0).any(is_put)).then_some(n)
    }
}
