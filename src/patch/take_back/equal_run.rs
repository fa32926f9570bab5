//! A line that an edit put beside equal ones, of which more stand there today: which of them goes makes no difference.
//!
//! Owns that place. Whether none of these went since is for the caller to say: the text does not tell.
//! Invariant: what goes are lines like those that were put, from the one run of them between the lines that were around it.

use super::edit::{Change, Edit};
use super::proof::Purpose;
use super::settled::settled;
use super::verdict::Answer;
use crate::text::split_lines;
use std::ops::Range;

/// The lines around a run of equal ones.
#[derive(PartialEq, Eq)]
struct Sides<'t> {
    above: Option<&'t [u8]>,
    below: Option<&'t [u8]>,
}

/// The run in which an edit put its line, with the lines around it.
pub struct Doubled<'e> {
    line: &'e [u8],
    sides: Sides<'e>,
    /// So many stood there when the edit was done, and so many of these it had put.
    len: usize,
    put: usize,
    /// So many stood elsewhere.
    elsewhere: usize,
}

impl<'e> Doubled<'e> {
    /// None where an edit did something else than to put a line beside equal ones.
    pub fn of(edit: &'e Edit<'_>) -> Option<Self> {
        let by_lines = Edit::by_lines(edit.before(), edit.after())?;
        let [(_, Change { before, after, .. })] = by_lines.changes() else { return None };
        let mut lines = split_lines(&edit.after()[after.clone()]);
        let len = lines.next().filter(|line| before.is_empty() && line.ends_with(b"\n"))?.len();
        let line = &edit.after()[after.start..after.start + len];
        let put = after.len() / len;
        let (run, sides) = runs(edit.after(), line).into_iter().find(|(run, _)| run.contains(&after.start))?;
        let len = run.len() / line.len();
        let elsewhere = count(edit.after(), line) - len;
        (lines.all(|other| other == line) && put < len).then_some(Self { line, sides, len, put, elsewhere })
    }

    /// Where the run is in another text, in which as many of the lines stand elsewhere, and no fewer in the run; none where that is not so, or
    /// not sure.
    fn run_in(&self, text: &[u8]) -> Option<Range<usize>> {
        let runs = runs(text, self.line);
        let mut same = runs.iter().filter(|(_, sides)| *sides == self.sides);
        let (Some((run, _)), None) = (same.next(), same.next()) else { return None };
        let len = run.len() / self.line.len();
        (len >= self.len && count(text, self.line) == self.elsewhere + len).then(|| run.clone())
    }

    /// How many stand in the run in another text.
    pub fn len_in(&self, text: &[u8]) -> Option<usize> {
        self.run_in(text).map(|run| run.len() / self.line.len())
    }
}

/// The answer where more lines like the one that an edit doubled stand in the run than it left, and elsewhere as many as then; none else. Those go that it
/// had put, if all others came behind them.
pub fn in_longer_run(edit: &Edit<'_>, today: &[u8]) -> Option<Answer> {
    let own = Doubled::of(edit)?;
    let run = own.run_in(today).filter(|run| run.len() / own.line.len() > own.len)?;
    let start = run.start + (own.len - own.put) * own.line.len();
    let range = start..start + own.put * own.line.len();
    let which: Vec<usize> = edit.parts().into_iter().collect();
    let (_, change) = edit.changes().first()?;
    let before = [&today[..range.start], &today[range.end..]].concat();
    let change = Change { before: range.start..range.start, after: range, origin: change.origin };
    Some(settled(&Edit::made_of(before, today.to_vec(), vec![(which, change)]), &[], today, Purpose::TakeOut))
}

fn count(text: &[u8], line: &[u8]) -> usize {
    split_lines(text).filter(|other| *other == line).count()
}

/// The runs of a line in a text.
fn runs<'t>(text: &'t [u8], line: &[u8]) -> Vec<(Range<usize>, Sides<'t>)> {
    let mut runs = Vec::new();
    let (mut at, mut above) = (0, None);
    let mut lines = split_lines(text).peekable();
    while let Some(first) = lines.next() {
        let start = at;
        at += first.len();
        if first == line {
            while lines.next_if(|next| *next == line).is_some() {
                at += line.len();
            }
            runs.push((start..at, Sides { above, below: lines.peek().copied() }));
        }
        above = Some(first);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Outcome;
    use super::*;

    fn without(texts: [&str; 2], today: &str) -> Option<String> {
        let edit = Edit::by_lines(texts[0].as_bytes(), texts[1].as_bytes()).expect("few lines");
        let Outcome::Write(patch) = in_longer_run(&edit, today.as_bytes())?.outcome() else { return None };
        Some(String::from_utf8(patch.apply(today.as_bytes())).expect("UTF-8"))
    }

    #[test]
    fn one_of_equal_lines_goes_where_there_are_more_of_them() {
        let own = ["a\nx\nb\n", "a\nx\nx\nb\n"];
        assert_eq!(without(own, "a\nx\nx\nx\nb\n").as_deref(), Some("a\nx\nx\nb\n"));
        assert_eq!(without(own, "new\na\nx\nx\nx\nx\nb\n").as_deref(), Some("new\na\nx\nx\nx\nb\n"));
        assert_eq!(without(["x\n", "x\nx\nx\n"], "x\nx\nx\nx\n").as_deref(), Some("x\nx\n"), "a whole file");
    }

    #[test]
    fn what_the_run_does_not_tell_is_not_answered() {
        let own = ["a\nx\nb\n", "a\nx\nx\nb\n"];
        assert_eq!(without(own, "a\nx\nx\nb\n"), None, "there are no more");
        assert_eq!(without(own, "a\nx\nx\nx\nc\n"), None, "another neighbour");
        assert_eq!(without(own, "a\nx\nx\nx\nb\na\nx\nb\n"), None, "a second one elsewhere");
        assert_eq!(without(own, "a\nx\nx\nx\nb\nx\n"), None, "it may have been moved there");
        assert_eq!(without(["a\nb\n", "a\nx\nb\n"], "a\nx\nx\nb\n"), None, "the first of its kind");
        assert_eq!(without(["a\nx\n", "a\nx\nx\nc\n"], "a\nx\nx\nx\nc\n"), None, "it did more");
        assert_eq!(without(["a\nx", "a\nx\nx"], "a\nx\nx\nx"), None, "no whole lines");
    }
}
