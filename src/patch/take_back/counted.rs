//! An edit where the log alone tells its place: its lines are counted through all that was done since.
//!
//! Owns that way, for lines that were put or taken whole and that nobody touched, where equal ones leave a look at the texts in
//! doubt. Which of the later edits may count is for the caller to say.
//! Invariant: each text leads to the next one, from the edit to today; what goes are bytes that the edit put, or equal ones beside them;
//! what comes back are those that it took, between the bytes that were beside them, or what the log has put there.

use super::edit::{Change, Edit};
use super::proof::Purpose;
use super::settled::{of_hunks, settled};
use super::slides::slides;
use super::stands_once::StandOnce;
use super::verdict::{Answer, Judged, Verdict};
use crate::text::{line_start, split_lines, starts_line};
use std::ops::Range;

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

/// What was done to a text after an edit, in order, up to today.
#[derive(Clone, Copy)]
pub struct Since<'s> {
    /// Each step.
    pub steps: &'s [Edit<'s>],
    /// Whether a step took others back, or did them again: what it puts is theirs.
    pub is_of_others: &'s dyn Fn(usize) -> bool,
    /// How it is known where a step was made.
    pub told: &'s dyn Fn(usize) -> Told,
}

impl<'s> Since<'s> {
    /// The steps, each as far as it can be said to be of whole lines.
    pub(super) fn in_lines(&self) -> Vec<Step<'s>> {
        let step = |(n, edit)| Step {
            edit,
            changes: in_lines(edit),
            is_of_others: (self.is_of_others)(n),
            anchors: ((self.told)(n) == Told::ByLines).then(|| StandOnce::of(edit)),
        };
        self.steps.iter().enumerate().map(step).collect()
    }
}

/// Whether later edits lead on from an edit, each from the text that the one before it left.
pub(super) fn lead_on(edit: &Edit<'_>, later: &[Edit<'_>]) -> bool {
    let goes_on = |pair: &[Edit<'_>]| matches!(pair, [one, next] if one.after() == next.before());
    later.first().is_none_or(|first| first.before() == edit.after()) && later.windows(2).all(goes_on)
}

/// Where the lines of an edit are after what was done since, which leads to today's text.
pub fn counted(edit: &Edit<'_>, since: Since<'_>, today: &[u8]) -> Counted {
    let later = since.steps;
    if !(lead_on(edit, later) && later.last().is_some_and(|last| last.after() == today)) {
        return Counted::Unknown;
    }
    let own = in_lines(edit);
    let later = since.in_lines();
    let changes: Option<Vec<_>> =
        own.iter().map(|(which, change)| Some((which, change, Block::of(edit, change)?))).collect();
    let Some(changes) = changes.filter(|changes| !changes.is_empty()) else { return Counted::Unknown };
    // Not past the changes beside it.
    let room = |n: usize| {
        let from = n.checked_sub(1).and_then(|n| own.get(n)).map_or(0, |(_, before)| before.after.end);
        from..own.get(n + 1).map_or(edit.after().len(), |(_, behind)| behind.after.start)
    };
    let places = changes.iter().enumerate().map(|(n, (_, change, block))| {
        let starts = block.starts(edit, (change, room(n))).into_iter();
        let starts = starts
            .take_while(|start| *start == change.after.start || !block.is_filled_by_others(change.after.start, &later));
        starts.filter_map(|start| Some((start, block.led(start, &later)?))).next()
    });
    let places: Vec<Option<(usize, usize)>> = places.collect();
    // Where it is by the first of them is not sure, another one is no better.
    let is_sure = |(place, (_, _, block)): (&Option<(usize, usize)>, &(_, _, Block<'_>))| {
        place.is_none_or(|(start, _)| block.is_surely_led(start, &later))
    };
    if !places.iter().zip(&changes).all(is_sure) {
        return Counted::Unknown;
    }
    let places = places.into_iter().map(|place| place.map(|(_, now)| now));
    let Some(places) = places.collect::<Option<Vec<_>>>() else {
        let [(_, change, block)] = &changes[..] else { return Counted::Unknown };
        return block.taken_by(change.after.start, &later).map_or(Counted::Unknown, Counted::TakenBy);
    };
    let (mut before, mut at, mut moved) = (Vec::with_capacity(today.len()), 0, Vec::new());
    for ((which, change, block), start) in changes.into_iter().zip(places) {
        let after = block.at(start);
        if start < at || today.get(after.clone()) != Some(block.standing()) {
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

/// Whether what the log alone tells of an edit counts.
type MayCount<'a> = &'a dyn Fn(&Edit<'_>) -> bool;

/// An answer with what the log alone tells of those hunks that are not to be written by it, each as if it had been made last; none where it
/// tells nothing more. `may_count` says whether it does of a part.
pub fn counted_in_part(
    edit: &Edit<'_>,
    since: Since<'_>,
    first: &Answer,
    (today, may_count): (&[u8], MayCount<'_>),
) -> Option<Answer> {
    let is_told = |hunk: &Judged| {
        let is_alone = |other: &Judged| other == hunk || !other.changes.iter().any(|n| hunk.changes.contains(n));
        if matches!(hunk.verdict, Verdict::Write(_)) || !first.hunks().iter().all(is_alone) {
            return None;
        }
        let part = edit.clone().made_last(&hunk.changes);
        let Counted::InForce(answer) = counted(&part, since, today) else { return None };
        let is_write = |hunk: &Judged| matches!(hunk.verdict, Verdict::Write(_));
        (answer.hunks().iter().all(is_write) && may_count(&part)).then_some(answer.hunks)
    };
    let mut is_more = false;
    let hunks = first.hunks().iter().flat_map(|hunk| match is_told(hunk) {
        Some(told) => {
            is_more = true;
            told
        }
        None => vec![hunk.clone()],
    });
    let hunks = hunks.collect();
    if is_more { of_hunks(edit, hunks, today) } else { None }
}

/// How it is known where a later edit was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// It was written down.
    Exactly,
    /// By the lines that differ: it is surely elsewhere only beyond a line that stands once in both texts.
    ByLines,
}

/// Where a change may be said to be, in the text that it was made on.
pub(super) fn reach(edit: &Edit<'_>, change: &Change) -> Range<usize> {
    let Some(block) = Block::of(edit, change) else { return change.before.clone() };
    let starts = slides(edit.before(), &change.before, block.lines).into_iter().map(|place| place.start);
    let (first, last) = starts
        .fold((change.before.start, change.before.start), |(first, last), start| (first.min(start), last.max(start)));
    first..last + change.before.len()
}

/// One of the later edits, and its changes as far as they can be said to be of whole lines.
pub(super) struct Step<'e> {
    pub(super) edit: &'e Edit<'e>,
    pub(super) changes: Vec<(&'e [usize], Change)>,
    is_of_others: bool,
    /// The lines that stand once in both texts, where only those that differ tell what was done.
    anchors: Option<StandOnce<'e>>,
}

impl<'e> Step<'e> {
    /// One of which it is known where it was made.
    pub(super) fn exactly(edit: &'e Edit<'e>) -> Self {
        Self { edit, changes: in_lines(edit), is_of_others: false, anchors: None }
    }
}

impl Step<'_> {
    /// Where lines went for others by a change: of several that begin alike the first one went with its indentation.
    fn replaces_from(&self, change: &Change) -> usize {
        let (text, start) = (self.edit.before(), change.before.start);
        let is_of_several = memchr::memchr(b'\n', &text[change.before.clone()]).is_some();
        if is_of_several { line_start(text, start) } else { start }
    }

    /// Whether lines stayed where they are said to have stayed: where only the lines that differ tell what was done, an equal one may be
    /// another one, but not beside a line that stands once in both texts and stayed with them.
    fn surely_left(&self, place: &Range<usize>) -> bool {
        let Some(anchors) = &self.anchors else { return true };
        let ends = self.changes.iter().map(|(_, change)| change.before.end);
        let starts = self.changes.iter().map(|(_, change)| change.before.start);
        let from = ends.filter(|end| *end <= place.start).max().unwrap_or(0);
        let to = starts.filter(|start| *start >= place.end).min().unwrap_or(self.edit.before().len());
        split_lines(&self.edit.before()[from..to]).any(|line| anchors.has(line))
    }
}

/// The changes of an edit: what was only put in, or only taken out, as whole lines, where the same bytes let it be said so.
pub(super) fn in_lines<'e>(edit: &'e Edit<'_>) -> Vec<(&'e [usize], Change)> {
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

/// Lines that an edit put, or took.
pub(super) struct Block<'e> {
    pub(super) lines: &'e [u8],
    pub(super) is_put: bool,
}

impl<'e> Block<'e> {
    /// None of parts of lines, and where something would come back for lines that were put: that may be there already.
    pub(super) fn of(edit: &'e Edit<'_>, change: &Change) -> Option<Self> {
        let is_put = change.before.is_empty();
        let (text, range) = if is_put { (edit.after(), &change.after) } else { (edit.before(), &change.before) };
        let is_one = is_put != change.after.is_empty();
        let is_whole = starts_line(text, range.start) && starts_line(text, range.end);
        (is_one && is_whole).then(|| Self { lines: &text[range.clone()], is_put })
    }

    /// What of it stands in a text while the edit is in force.
    fn standing(&self) -> &'e [u8] {
        if self.is_put { self.lines } else { b"" }
    }

    pub(super) fn at(&self, start: usize) -> Range<usize> {
        start..start + self.standing().len()
    }

    /// Where it may as well be said to have been put or taken, in the text that the edit left: where the same bytes would be.
    fn starts(&self, edit: &Edit<'_>, (change, room): (&Change, Range<usize>)) -> Vec<usize> {
        let is_within = |start: &usize| room.start <= *start && self.at(*start).end <= room.end;
        let places = slides(edit.after(), &change.after, self.lines);
        let same = places.into_iter().filter(|place| place.is_same).map(|place| place.start);
        std::iter::once(change.after.start).chain(same.filter(is_within)).collect()
    }

    /// Where it is after later edits, none of which touched it.
    pub(super) fn led(&self, start: usize, later: &[Step<'_>]) -> Option<usize> {
        later.iter().try_fold(start, |start, step| {
            let place = self.at(start);
            let mut now = start;
            for (_, change) in &step.changes {
                // What is put where something was taken may be that, but not what comes back of others: of equal lines any is any.
                let comes_back = || step.is_of_others && self.is_all_one_with(&step.edit.after()[change.after.clone()]);
                let is_put_there = place.is_empty() && !change.after.is_empty() && !comes_back();
                let is_before = change.before.end < start || (change.before.end == start && !is_put_there);
                if is_before {
                    now = now + change.after.len() - change.before.len();
                } else if change.before.start < place.end || (is_put_there && step.replaces_from(change) == start) {
                    return None;
                }
            }
            // What was put right before it may be in its line.
            starts_line(step.edit.after(), now).then_some(now)
        })
    }

    /// Whether somebody who wrote nothing down put lines just where it was taken: whether before or behind it is not told, and
    /// they may be what stood there once, before it.
    fn is_filled_by_others(&self, start: usize, later: &[Step<'_>]) -> bool {
        let touching = || self.touched_by(start, later).and_then(|(n, _)| later.get(n));
        !self.is_put && touching().is_some_and(|step| step.anchors.is_some())
    }

    /// The first later edit that touches it, and where it is for that one.
    fn touched_by(&self, start: usize, later: &[Step<'_>]) -> Option<(usize, usize)> {
        let mut at = start;
        let n = later.iter().position(|step| match self.led(at, std::slice::from_ref(step)) {
            Some(now) => {
                at = now;
                false
            }
            None => true,
        })?;
        Some((n, at))
    }

    /// Whether what is said to have stayed around it surely did, all the way.
    fn is_surely_led(&self, start: usize, later: &[Step<'_>]) -> bool {
        let mut at = start;
        later.iter().all(|step| {
            let is_sure = step.surely_left(&self.at(at));
            self.led(at, std::slice::from_ref(step)).is_some_and(|now| {
                at = now;
                is_sure
            })
        })
    }

    /// Whether its lines and others are all the same line.
    fn is_all_one_with(&self, others: &[u8]) -> bool {
        let mut all = split_lines(self.lines).chain(split_lines(others));
        let first = all.next();
        all.all(|line| Some(line) == first)
    }

    /// The first later edit that touches it, where that took all of its lines, and put none like them.
    fn taken_by(&self, start: usize, later: &[Step<'_>]) -> Option<usize> {
        let (n, at) = self.touched_by(start, later)?;
        let step = later.get(n)?;
        let place = Some(self.at(at)).filter(|place| !place.is_empty())?;
        let took = |change: &Change| change.before.start <= place.start && place.end <= change.before.end;
        let (_, change) = step.changes.iter().find(|(_, change)| took(change))?;
        let put = &step.edit.after()[change.after.clone()];
        let is_put = |line: &[u8]| split_lines(put).any(|other| other.trim_ascii() == line.trim_ascii());
        (!split_lines(self.lines).any(is_put)).then_some(n)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::patch::Origin;
    use crate::patch::take_back::Outcome;
    use crate::strategy::Strategy;

    const ORIGIN: Origin = Origin { edit: 0, strategy: Strategy::Exact };

    /// The one change between two texts, of as few bytes as can be, as far at the end, or else at the start, as it can be said to be.
    pub(in super::super) fn edit<'a>(before: &'a str, after: &'a str, at_end: bool) -> Edit<'a> {
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

    fn by_records<'s>(steps: &'s [Edit<'s>]) -> Since<'s> {
        Since { steps, is_of_others: &|_| false, told: &|_| Told::Exactly }
    }

    /// What becomes of the last text when the first edit is taken out: `None` where the log does not tell; and who took its lines.
    fn told(texts: &[&str]) -> Vec<Result<Option<String>, usize>> {
        let each = |at_end: bool| {
            let steps: Vec<Edit<'_>> = texts.windows(2).map(|pair| edit(pair[0], pair[1], at_end)).collect();
            let today = texts.last().expect("a text").as_bytes();
            match counted(&steps[0], by_records(&steps[1..]), today) {
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
        assert!(matches!(counted(&one, by_records(&[other]), b"x\ny\n"), Counted::Unknown));
        assert!(matches!(counted(&one, by_records(&[]), b"a\nn\n"), Counted::Unknown));
        // What leads from one to the next, or to the file as it is, is missing.
        let one = || edit("a\nb\n", "a\nn\nb\n", true);
        let above = || edit("a\nn\nb\n", "z\na\nn\nb\n", true);
        let last = edit("z\na\nn\nb\nc\n", "z\na\nn\nb\nd\n", true);
        assert!(matches!(counted(&one(), by_records(&[above()]), b"z\na\nn\nb\ny\n"), Counted::Unknown));
        assert!(matches!(counted(&one(), by_records(&[above(), last]), b"z\na\nn\nb\nd\n"), Counted::Unknown));
        assert!(matches!(counted(&one(), by_records(&[above()]), b"z\na\nn\nb\n"), Counted::InForce(_)));
    }

    #[test]
    fn who_took_all_lines_is_told() {
        assert_eq!(told(&["x\nb\nw\n", "x\nw\nb\nw\n", "x\nb\nw\n", "x\nw\n", "x\nw\nw\n"]), [Err(0)]);
        assert_eq!(told(&["x\nb\n", "x\nw\nb\n", "y\nx\nw\nb\n", "y\nx\nb\n"]), [Err(1)]);
        // Some of it is left.
        assert_eq!(told(&["x\nb\n", "x\nw\nv\nb\n", "x\nv\nb\n"]), [Ok(None)]);
    }

    #[test]
    fn what_was_deleted_comes_back_where_it_was() {
        in_force(&["a\n}\nb\n", "a\nb\n", "a\nb\n}\n", "z\na\nb\n}\n"], "z\na\n}\nb\n}\n");
        // What was beside it is gone.
        in_force(&["a\nx\nb\nc\n", "a\nb\nc\n", "a\nc\n"], "a\nx\nc\n");
        in_force(&["a\nx\nb\nc\n", "a\nb\nc\n", "b\nc\n"], "x\nb\nc\n");
        for texts in [
            // Something was put there.
            &["a\nx\nb\n", "a\nb\n", "a\ny\nb\n"][..],
            &["a\nx\nb\n", "a\nb\n", "a\nc\n"],
            // It was within what went.
            &["a\nx\nb\nc\n", "a\nb\nc\n", "c\n"],
            // Or before it, and the lines that came begin with the same white space.
            &["  a\n  }\n  }\n  b\n  c\n", "  a\n  }\n  b\n  c\n", "  a\n  d\n  c\n"],
        ] {
            assert_eq!(told(texts), [Ok(None)], "{texts:?}");
        }
    }

    #[test]
    fn lines_that_were_replaced_are_taken_but_for_those_that_were_put_again() {
        assert_eq!(told(&["x\n", "x\nw\n", "x\nv"]), [Err(0)]);
        assert_eq!(told(&["x\n", "x\nw\n", "x\n w"]), [Ok(None)]);
    }

    fn insertions<'a>(before: &'a str, after: &'a str, put: &[(usize, Range<usize>)]) -> Edit<'a> {
        let change =
            |(at, after): &(usize, Range<usize>)| Change { before: *at..*at, after: after.clone(), origin: ORIGIN };
        Edit::new(before.as_bytes(), after.as_bytes(), put.iter().map(change).collect()).expect("an edit")
    }

    fn places(changes: &[(&[usize], Change)]) -> Vec<(Range<usize>, Range<usize>)> {
        changes.iter().map(|(_, change)| (change.before.clone(), change.after.clone())).collect()
    }

    #[test]
    fn what_was_put_or_taken_is_said_of_whole_lines_further_up_or_down() {
        // Of `1 w` and a newline the line before it is meant.
        let up = insertions("  w2\n", "  w1\n  w2\n", &[(3, 3..8)]);
        assert_eq!(places(&in_lines(&up)), [(0..0, 0..5)]);
        assert_eq!(places(&in_lines(&up.reversed())), [(0..5, 0..0)]);
        // It starts a line, and does not end one.
        let down = insertions("a\nxq\n", "a\nxq\nyxq\n", &[(2, 2..6)]);
        assert_eq!(places(&in_lines(&down)), [(5..5, 5..9)]);
        assert_eq!(places(&in_lines(&down.reversed())), [(5..9, 5..5)]);
    }

    #[test]
    fn no_change_is_said_to_be_past_the_one_beside_it() {
        let both = insertions("a\nz\n", "a\nn\nn\nz\n", &[(1, 1..3), (1, 3..5)]);
        assert_eq!(places(&in_lines(&both)), [(1..1, 1..3), (2..2, 4..6)]);
    }

    #[test]
    fn lines_may_be_said_to_be_beside_equal_ones_up_to_the_next_change() {
        let several = insertions("a\nn\nb\n", "a\nn\nn\nn\nb\n", &[(2, 2..4), (4, 6..8)]);
        let changes = in_lines(&several);
        let starts = |n: usize, room: Range<usize>| {
            let change = &changes[n].1;
            Block::of(&several, change).expect("lines").starts(&several, (change, room))
        };
        assert_eq!((starts(0, 0..6), starts(0, 0..4)), (vec![2, 4], vec![2]));
        assert_eq!((starts(1, 4..10), starts(1, 6..10), starts(1, 0..10)), (vec![6, 4], vec![6], vec![6, 4, 2]));
    }

    #[test]
    fn where_only_the_lines_that_differ_tell_what_was_done_brackets_alone_do_not_tell_a_place() {
        let told = |texts: [&str; 3], told: Told| {
            let steps = [
                edit(texts[0], texts[1], true),
                Edit::by_lines(texts[1].as_bytes(), texts[2].as_bytes()).expect("few"),
            ];
            let since = Since { steps: &steps[1..], is_of_others: &|_| false, told: &|_| told };
            matches!(counted(&steps[0], since, texts[2].as_bytes()), Counted::InForce(_))
        };
        let deleted = ["a\n }\nx\n b\n}\nc\n", "a\n }\n b\n}\nc\n", "a\n  }\n  b\n }\nc\n"];
        let put = ["a\n b\n}\nc\n", "a\n }\n b\n}\nc\n", "a\n  }\n  b\n }\nc\n"];
        for texts in [deleted, put] {
            assert!(told(texts, Told::Exactly) && !told(texts, Told::ByLines), "{texts:?}");
        }
        // Seen: of two blank lines, between which somebody wrote, the other one went.
        let doubled = ["a\n\n", "a\n\n\n", "a\n\nb\n\n"];
        assert!(told(doubled, Told::Exactly) && !told(doubled, Told::ByLines));
        // A line that stands once in both texts stayed beside it: before it, behind it, or it is one.
        for texts in [
            ["a\nx\n}\nc\n", "a\n}\nc\n", "a\n}\nd\n"],
            ["{\nx\na\nc\n", "{\na\nc\n", "\n{\na\nd\n"],
            ["{\n}\nc\n", "{\na\n}\nc\n", "b\n{\na\n}\nd\n"],
        ] {
            assert!(told(texts, Told::ByLines), "{texts:?}");
        }
        // It stands beyond what was changed, or twice since.
        for texts in [
            ["a\n{\nx\n}\nb\n", "a\n{\n}\nb\n", "a\n[\n{\n}\n]\nb\n"],
            ["a\nx\n}\nc\n", "a\n}\nc\n", "a\n}\na\n"],
            ["1\na\n2\n}\nx\n}\n", "1\na\n2\n}\n}\n", "one\na\ntwo\n}\n}\n"],
            ["}\nx\n}\n1\na\n2\n", "}\n}\n1\na\n2\n", "}\n}\none\na\ntwo\n"],
        ] {
            assert!(!told(texts, Told::ByLines), "{texts:?}");
        }
    }
}
