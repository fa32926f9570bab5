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
struct Around<'t> {
    above: Option<&'t [u8]>,
    below: Option<&'t [u8]>,
}

/// The line that an edit put, where that is all that it did, and equal ones stood beside it.
pub fn doubled<'e>(edit: &'e Edit<'_>) -> Option<&'e [u8]> {
    let by_lines = Edit::by_lines(edit.before(), edit.after())?;
    let [(_, Change { before, after, .. })] = by_lines.changes() else { return None };
    let mut put = split_lines(&edit.after()[after.clone()]);
    let line = put.next().filter(|line| before.is_empty() && line.ends_with(b"\n"))?;
    let is_doubled = put.all(|other| other == line) && split_lines(edit.before()).any(|other| other == line);
    is_doubled.then(|| &edit.after()[after.start..after.start + line.len()])
}

/// The answer where more such lines stand in the run than the edit left, and elsewhere as many as then; none else.
pub fn in_longer_run(edit: &Edit<'_>, today: &[u8]) -> Option<Answer> {
    let line = doubled(edit)?;
    let count = |text: &[u8]| split_lines(text).filter(|other| *other == line).count();
    let put = count(edit.after()) - count(edit.before());
    let (had, now) = (runs(edit.after(), line), runs(today, line));
    let by_lines = Edit::by_lines(edit.before(), edit.after())?;
    let at = by_lines.changes().first()?.1.after.start;
    let (own, around) = had.iter().find(|(run, _)| run.start <= at && at < run.end)?;
    let mut same = now.iter().filter(|(_, other)| other == around);
    let (Some((run, _)), None) = (same.next(), same.next()) else { return None };
    let is_longer = run.len() > own.len() && put * line.len() < own.len();
    if !is_longer || count(today) - run.len() / line.len() != count(edit.after()) - own.len() / line.len() {
        return None;
    }
    let range = run.end - put * line.len()..run.end;
    let which: Vec<usize> = edit.parts().into_iter().collect();
    let (_, change) = edit.changes().first()?;
    let before = [&today[..range.start], &today[range.end..]].concat();
    let change = Change { before: range.start..range.start, after: range, origin: change.origin };
    Some(settled(&Edit::made_of(before, today.to_vec(), vec![(which, change)]), &[], today, Purpose::TakeOut))
}

/// The runs of a line in a text.
fn runs<'t>(text: &'t [u8], line: &[u8]) -> Vec<(Range<usize>, Around<'t>)> {
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
            runs.push((start..at, Around { above, below: lines.peek().copied() }));
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
