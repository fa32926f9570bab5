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
    let own = in_lines(edit);
    let later: Vec<Step<'_>> = later.iter().map(|edit| Step { edit, changes: in_lines(edit) }).collect();
    let changes: Option<Vec<_>> =
        own.iter().map(|(which, change)| Some((which, change, Block::of(edit, change)?))).collect();
    let Some(changes) = changes.filter(|changes| !changes.is_empty()) else { return Counted::Unknown };
    let places = changes
        .iter()
        .map(|(_, change, block)| block.starts(edit, change).into_iter().find_map(|start| block.led(start, &later)));
    let Some(places) = places.collect::<Option<Vec<_>>>() else {
        let [(_, change, block)] = &changes[..] else { return Counted::Unknown };
        return block.taken_by(change.after.start, &later).map_or(Counted::Unknown, Counted::TakenBy);
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
        moved.push((which.to_vec(), Change { before: old..before.len(), after, origin: change.origin }));
    }
    before.extend_from_slice(&today[at..]);
    Counted::InForce(settled(&Edit::made_of(before, today.to_vec(), moved), &[], today, Purpose::TakeOut))
}

/// One of the later edits, and its changes as far as they can be said to be of whole lines.
struct Step<'e> {
    edit: &'e Edit<'e>,
    changes: Vec<(&'e [usize], Change)>,
}

/// The changes of an edit: what was only put in, or only taken out, as whole lines, where the same bytes let it be said so.
fn in_lines<'e>(edit: &'e Edit<'_>) -> Vec<(&'e [usize], Change)> {
    let changes = edit.changes();
    let lines = |n: usize| {
        let (which, change) = &changes[n];
        let (text, range) = match (change.before.is_empty(), change.after.is_empty()) {
            (true, false) => (edit.after(), &change.after),
            (false, true) => (edit.before(), &change.before),
            _ => return (&which[..], change.clone()),
        };
        // Not past the changes beside it.
        let up = change.before.start - n.checked_sub(1).map_or(0, |n| changes[n].1.before.end);
        let down = changes.get(n + 1).map_or(edit.before().len(), |(_, next)| next.before.start) - change.before.end;
        let is_so = |start: usize| starts_line(text, start) && starts_line(text, start + range.len());
        let above = (0..up).take_while(|by| text[range.start - 1 - by] == text[range.end - 1 - by]);
        let below = (0..down).take_while(|by| text[range.start + by] == text[range.end + by]);
        let starts = above.map(|by| range.start - 1 - by).chain(below.map(|by| range.start + 1 + by));
        let start = std::iter::once(range.start).chain(starts).find(|start| is_so(*start)).unwrap_or(range.start);
        let moved = |one: &Range<usize>| {
            let start = start + one.start - range.start;
            start..start + one.len()
        };
        (&which[..], Change { before: moved(&change.before), after: moved(&change.after), origin: change.origin })
    };
    (0..changes.len()).map(lines).collect()
}

/// Lines that an edit put.
struct Block<'e>(&'e [u8]);

impl<'e> Block<'e> {
    /// None where a change put none, or parts of lines, or something would come back for them: that may be there already.
    fn of(edit: &'e Edit<'_>, change: &Change) -> Option<Self> {
        let (text, range) = (edit.after(), &change.after);
        let is_whole = starts_line(text, range.start) && starts_line(text, range.end);
        let is_put = change.before.is_empty() && !range.is_empty();
        (is_put && is_whole).then(|| Self(&text[range.clone()]))
    }

    /// Where it may as well be said to have been put, in the text that the edit left: of an insertion, where the same bytes would be.
    fn starts(&self, edit: &Edit<'_>, change: &Change) -> Vec<usize> {
        let mut starts = vec![change.after.start];
        if edit.changes().len() > 1 {
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
    fn led(&self, start: usize, later: &[Step<'_>]) -> Option<usize> {
        later.iter().try_fold(start, |start, step| {
            let end = start + self.0.len();
            let mut now = start;
            for (_, change) in &step.changes {
                if change.before.end <= start {
                    now = now + change.after.len() - change.before.len();
                } else if change.before.start < end {
                    return None;
                }
            }
            // What was put right before it may be in its line.
            starts_line(step.edit.after(), now).then_some(now)
        })
    }

    /// The first later edit that touches it, where that took all of its lines, and put none like them.
    fn taken_by(&self, start: usize, later: &[Step<'_>]) -> Option<usize> {
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
        let (_, change) = step.changes.iter().find(|(_, change)| took(change))?;
        let put = &step.edit.after()[change.after.clone()];
        let is_put = |line: &[u8]| split_lines(put).any(|other| other.trim_ascii() == line.trim_ascii());
        (!split_lines(self.0).any(is_put)).then_some(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Origin;
    use crate::patch::take_back::Outcome;
    use crate::strategy::Strategy;

    const ORIGIN: Origin = Origin { edit: 0, strategy: Strategy::Exact };

    /// The one change between two texts, of as few bytes as can be, as far at the end, or else at the start, as it can be said to be.
    fn edit<'a>(before: &'a str, after: &'a str, at_end: bool) -> Edit<'a> {
        let (before, after) = (before.as_bytes(), after.as_bytes());
        let least = before.len().min(after.len());
        let count = |most: usize, is_same: &dyn Fn(usize) -> bool| (0..most).take_while(|n| is_same(*n)).count();
        let head = |most| count(most, &|n| before[n] == after[n]);
        let tail = |most| count(most, &|n| before[before.len() - 1 - n] == after[after.len() - 1 - n]);
        let (head, tail) =
            if at_end { (head(least), tail(least - head(least))) } else { (head(least - tail(least)), tail(least)) };
        let change = Change { before: head..before.len() - tail, after: head..after.len() - tail, origin: ORIGIN };
        Edit::new(before, after, vec![change]).expect("an edit")
    }

    /// What becomes of the last text when the first edit is taken out: `None` where the log does not tell; and who took its lines.
    fn told(texts: &[&str]) -> Vec<Result<Option<String>, usize>> {
        let each = |at_end: bool| {
            let steps: Vec<Edit<'_>> = texts.windows(2).map(|pair| edit(pair[0], pair[1], at_end)).collect();
            let today = texts.last().expect("a text").as_bytes();
            match counted(&steps[0], &steps[1..], today) {
                Counted::InForce(answer) => match answer.outcome() {
                    Outcome::Write(patch) => Ok(Some(String::from_utf8(patch.apply(today)).expect("UTF-8"))),
                    other => panic!("{other:?}"),
                },
                Counted::TakenBy(n) => Err(n),
                Counted::Unknown => Ok(None),
            }
        };
        let mut told = vec![each(true), each(false)];
        told.dedup();
        told
    }

    #[track_caller]
    fn in_force(texts: &[&str], want: &str) {
        assert_eq!(told(texts), [Ok(Some(want.to_owned()))]);
    }

    #[test]
    fn a_line_is_counted_through_what_was_done_beside_it() {
        in_force(&["a\nx\n}\nb\n", "a\nx\n}\n}\nb\n", "a\n}\nb\n"], "a\nb\n");
        in_force(&["a\nb\n", "a\nn\nb\n", "z\na\nn\nb\n", "z\na\nn\nb\ny\n", "a\nn\nb\ny\n"], "a\nb\ny\n");
        in_force(&["a\nb\n", "n\na\nb\n", "n\nb\n"], "b\n");
    }

    #[test]
    fn a_line_that_begins_as_the_one_behind_it_is_a_whole_line() {
        in_force(&["a\n  w1\n  w2\n", "a\n  w1\n  w1\n  w2\n", "a\n  w1\n  w2\n"], "a\n  w2\n");
    }

    #[test]
    fn what_was_touched_or_has_a_gap_is_not_known() {
        for texts in [
            &["a\nb\n", "a\nnew\nb\n", "a\nnewer\nb\n"][..],
            &["a\nb\n", "a\nb\nc", "a\nz\nb\nc"],
            &["a b\n", "a new b\n", "z\na new b\n"],
            &["b\n", "new\nb\n", "  new\nb\n"],
            &["a\nb\n", "new\nb\n", "new\na\nb\n"],
        ] {
            assert_eq!(told(texts), [Ok(None)], "{texts:?}");
        }
        let (one, other) = (edit("a\n", "a\nn\n", true), edit("x\n", "x\ny\n", true));
        assert!(matches!(counted(&one, &[other], b"x\ny\n"), Counted::Unknown));
        assert!(matches!(counted(&one, &[], b"a\nn\n"), Counted::Unknown));
        // What leads from one to the next, or to the file as it is, is missing.
        let one = || edit("a\nb\n", "a\nn\nb\n", true);
        let above = || edit("a\nn\nb\n", "z\na\nn\nb\n", true);
        let last = edit("z\na\nn\nb\nc\n", "z\na\nn\nb\nd\n", true);
        assert!(matches!(counted(&one(), &[above()], b"z\na\nn\nb\ny\n"), Counted::Unknown));
        assert!(matches!(counted(&one(), &[above(), last], b"z\na\nn\nb\nd\n"), Counted::Unknown));
        assert!(matches!(counted(&one(), &[above()], b"z\na\nn\nb\n"), Counted::InForce(_)));
    }

    #[test]
    fn who_took_all_lines_is_told() {
        assert_eq!(told(&["x\nb\nw\n", "x\nw\nb\nw\n", "x\nb\nw\n", "x\nw\n", "x\nw\nw\n"]), [Err(0)]);
        assert_eq!(told(&["x\nb\n", "x\nw\nb\n", "y\nx\nw\nb\n", "y\nx\nb\n"]), [Err(1)]);
        // Some of it is left.
        assert_eq!(told(&["x\nb\n", "x\nw\nv\nb\n", "x\nv\nb\n"]), [Ok(None)]);
    }
}
