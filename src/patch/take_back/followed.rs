//! Lines followed step by step from the text that an edit left to today's, where the log has every step: their number says which
//! they are, whatever stands beside them and however often they stand there.
//!
//! Owns that count. Does not search (that is `proof`), and gives up where a step touches a line of the edit, or may have put one
//! where lines come back; and where lines were moved: what stood among them may have been meant to go with them.
//! Invariant: what goes are lines that the edit put and nobody touched since; what comes back comes to where it was.

use super::edit::Edit;
use super::hunk::{Hunk, of_changes};
use super::settled::splices;
use super::units::{Part, Trio, line_ends};
use super::verdict::{Answer, Judged, Verdict, Write};
use crate::patch::FilePatch;
use crate::text::{has_word, split_lines};
use std::collections::HashMap;
use std::ops::Range;

/// A hunk of the edit, on its way to today's text.
struct Followed<'e> {
    which: Vec<usize>,
    /// What comes back, in whole lines.
    took: &'e [u8],
    place: Place,
}

/// Where a hunk is in a text, in lines.
enum Place {
    /// The lines that the edit put.
    Lines(Vec<usize>),
    /// It put none: before this line it took some.
    Gap(usize),
}

/// What takes an edit back in today's text; none where a step is missing, or a hunk does not get there.
pub(super) fn followed(edit: &Edit<'_>, later: &[Edit<'_>], today: &[u8]) -> Option<Answer> {
    let first = Lines::of(edit).filter(|lines| !lines.moves_some())?;
    let mut hunks: Vec<Followed<'_>> = first.hunks.iter().map(|hunk| first.followed(hunk)).collect();
    let mut text = edit.after();
    for step in later {
        let lines = Lines::of(step).filter(|lines| step.before() == text && !lines.moves_some())?;
        for hunk in &mut hunks {
            hunk.go_over(&lines)?;
        }
        text = step.after();
    }
    if text != today {
        return None;
    }
    let starts: Vec<usize> = std::iter::once(0).chain(line_ends(today)).collect();
    let hunks = hunks.into_iter().map(|hunk| hunk.judged(&starts)).collect::<Option<Vec<_>>>()?;
    let fits = FilePatch::new(today.len(), splices(edit, &hunks)).ok()?;
    Some(Answer { hunks, fits })
}

/// An edit of texts whose last lines have their endings, in whole lines.
struct Lines<'e> {
    trio: Trio<'e>,
    hunks: Vec<(Hunk, Vec<usize>)>,
}

impl<'e> Lines<'e> {
    fn of(edit: &'e Edit<'_>) -> Option<Self> {
        let trio = Trio::new([edit.before(), edit.after(), &[]].map(Part::whole), line_ends);
        let hunks = of_changes(&trio, edit.changes());
        (trio.old.ends_line() && trio.new.ends_line()).then_some(Self { trio, hunks })
    }

    fn followed(&self, (Hunk { old, new }, which): &(Hunk, Vec<usize>)) -> Followed<'e> {
        let place = if new.is_empty() { Place::Gap(new.start) } else { Place::Lines(new.clone().collect()) };
        Followed { which: which.clone(), took: self.trio.old.text(old), place }
    }

    /// The lines with words, and how many more of each there are after the edit, hunk by hunk.
    fn differing(&self) -> impl Iterator<Item = (&'e [u8], isize)> + '_ {
        self.hunks.iter().flat_map(|(Hunk { old, new }, _)| {
            let mut counts: HashMap<&[u8], isize> = HashMap::new();
            for (text, by) in [(self.trio.old.text(old), -1), (self.trio.new.text(new), 1)] {
                let lines = split_lines(text).map(<[u8]>::trim_ascii).filter(|line| has_word(line));
                lines.for_each(|line| *counts.entry(line).or_default() += by);
            }
            counts.into_iter().filter(|(_, count)| *count != 0)
        })
    }

    /// Whether the edit took a line from one place and put it to another.
    fn moves_some(&self) -> bool {
        let mut took: HashMap<&[u8], bool> = HashMap::new();
        self.differing().any(|(line, count)| *took.entry(line).or_insert(count < 0) != (count < 0))
    }

    /// Whether the edit put one of these lines somewhere; then it may be the line itself that is there again.
    fn puts_one_of(&self, lines: &[u8]) -> bool {
        self.differing().any(|(put, count)| count > 0 && split_lines(lines).any(|line| line.trim_ascii() == put))
    }
}

impl Followed<'_> {
    /// Counts on to the text after a step; none where the step touches the lines, or the place is open behind it.
    fn go_over(&mut self, step: &Lines<'_>) -> Option<()> {
        if step.puts_one_of(self.took) {
            return None;
        }
        let hunks = || step.hunks.iter().map(|(hunk, _)| hunk);
        match &mut self.place {
            Place::Lines(lines) => {
                for line in lines {
                    *line = line_after(*line, hunks())?;
                }
            }
            Place::Gap(line) => *line = gap_after(*line, hunks())?,
        }
        Some(())
    }

    /// What is to be written for it, in bytes of a text whose lines start there; none where other lines are between its own, and some
    /// come back.
    fn judged(self, starts: &[usize]) -> Option<Judged> {
        let span = |lines: &Range<usize>| Some(*starts.get(lines.start)?..*starts.get(lines.end)?);
        let runs = match self.place {
            Place::Lines(lines) => runs(lines),
            Place::Gap(line) => std::iter::once(line..line).collect(),
        };
        if runs.len() > 1 && !self.took.is_empty() {
            return None;
        }
        let write = |lines: &Range<usize>| Some(Write { range: span(lines)?, replacement: self.took.to_vec() });
        let writes = runs.iter().map(write).collect::<Option<Vec<_>>>()?;
        Some(Judged { changes: self.which, verdict: Verdict::Write(writes) })
    }
}

/// The number of a line after a step; none where the step has it.
fn line_after<'h>(line: usize, hunks: impl Iterator<Item = &'h Hunk>) -> Option<usize> {
    let mut after = line;
    for Hunk { old, new } in hunks.take_while(|hunk| hunk.old.start <= line) {
        if old.contains(&line) {
            return None;
        }
        after = line - old.end + new.end;
    }
    Some(after)
}

/// The number of the line before which the lines of a gap were; none where a step put lines that may be before or behind it.
fn gap_after<'h>(gap: usize, hunks: impl Iterator<Item = &'h Hunk>) -> Option<usize> {
    let mut after = gap;
    for Hunk { old, new } in hunks.take_while(|hunk| hunk.old.start <= gap) {
        if old.end < gap {
            after = gap - old.end + new.end;
        } else if new.len() > old.len() || (old.start < gap && gap < old.end && !new.is_empty()) {
            return None;
        } else {
            after = if gap == old.end { new.end } else { new.start };
        }
    }
    Some(after)
}

/// Lines in order, as runs of those that follow each other.
fn runs(lines: Vec<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some(run) if run.end == line => run.end += 1,
            _ => runs.push(line..line + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Origin;
    use crate::patch::take_back::Change;
    use crate::strategy::Strategy;
    use proptest::prelude::*;

    const ORIGIN: Origin = Origin { edit: 0, strategy: Strategy::Exact };

    /// Replaces lines of a text; the change is in whole lines.
    fn edit(before: &str, lines: Range<usize>, put: &[&str]) -> Edit<'static> {
        let old: Vec<&str> = before.split_inclusive('\n').collect();
        let at = |n: usize| old[..n].concat().len();
        let new = put.concat();
        let after = [&before[..at(lines.start)], &new, &before[at(lines.end)..]].concat();
        let change = Change {
            before: at(lines.start)..at(lines.end),
            after: at(lines.start)..at(lines.start) + new.len(),
            origin: ORIGIN,
        };
        let (before, after): (&'static str, &'static str) = (before.to_owned().leak(), after.leak());
        Edit::new(before.as_bytes(), after.as_bytes(), vec![change]).expect("an edit")
    }

    fn taken_back(first: &Edit<'_>, later: &[Edit<'_>]) -> Option<String> {
        let today = later.last().unwrap_or(first).after();
        let answer = followed(first, later, today)?;
        Some(String::from_utf8(answer.fits.apply(today)).expect("text"))
    }

    #[test]
    fn lines_go_from_where_they_are_now() {
        let first = edit("a\nz\n", 1..1, &["}\n", "b\n", "c\n"]);
        let inside = edit("a\n}\nb\nc\nz\n", 3..3, &["bc\n"]);
        assert_eq!(taken_back(&first, std::slice::from_ref(&inside)).as_deref(), Some("a\nbc\nz\n"));
        let above = edit("a\n}\nb\nbc\nc\nz\n", 0..1, &["x\n", "}\n", "y\n"]);
        assert_eq!(taken_back(&first, &[inside, above]).as_deref(), Some("x\n}\ny\nbc\nz\n"));
    }

    #[test]
    fn lines_come_back_where_they_were_or_not_at_all() {
        let first = edit("a\nb\nc\nd\n", 1..2, &[]);
        let row = |lines, put: &[&str]| taken_back(&first, &[edit("a\nc\nd\n", lines, put)]);
        // The lines around it went, or others took their place.
        assert_eq!(row(0..2, &[]).as_deref(), Some("b\nd\n"));
        assert_eq!(row(0..1, &["x\n"]).as_deref(), Some("x\nb\nc\nd\n"));
        assert_eq!(row(1..2, &["x\n"]).as_deref(), Some("a\nb\nx\nd\n"));
        // Before or behind it, nobody knows; or it is the line itself.
        assert_eq!(row(1..1, &["x\n"]), None);
        assert_eq!(row(1..2, &["x\n", "y\n"]), None);
        assert_eq!(row(0..2, &["x\n"]), None);
        assert_eq!(row(3..3, &["b\n"]), None);
        // Another one that went is not one that came.
        let first = edit("a\nb\nc\nb\nb\nz\n", 1..2, &[]);
        let answer = taken_back(&first, &[edit("a\nc\nb\nb\nz\n", 2..3, &[])]);
        assert_eq!(answer.as_deref(), Some("a\nb\nc\nb\nz\n"));
        // A bracket elsewhere is another one.
        let first = edit("a\n}\nc\nd\n", 1..2, &[]);
        assert_eq!(taken_back(&first, &[edit("a\nc\nd\n", 3..3, &["}\n"])]).as_deref(), Some("a\n}\nc\nd\n}\n"));
    }

    #[test]
    fn a_touched_line_or_a_missing_step_is_no_place() {
        let first = edit("a\nz\n", 1..1, &["b\n", "c\n"]);
        assert_eq!(taken_back(&first, &[edit("a\nb\nc\nz\n", 2..3, &["C\n"])]), None);
        assert_eq!(taken_back(&first, &[edit("a\nb\nc\ny\n", 0..1, &["A\n"])]), None);
        // Which of two equal lines went is not known.
        let first = edit("a\n}\nz\n", 2..2, &["}\n"]);
        assert_eq!(taken_back(&first, &[edit("a\n}\n}\nz\n", 1..2, &[])]), None);
        // Lines that moved may take others with them.
        let first = edit("a\nb\nc\nz\n", 1..1, &["x\n"]);
        let moved = edit("a\nx\nb\nc\nz\n", 0..4, &["b\n", "c\n", "a\n", "x\n"]);
        assert_eq!(taken_back(&first, &[moved]), None);
        // Lines of others between those that give way to lines that come back.
        let first = edit("a\nold\nz\n", 1..2, &["b\n", "c\n"]);
        assert_eq!(taken_back(&first, &[edit("a\nb\nc\nz\n", 2..2, &["x\n"])]), None);
        assert_eq!(taken_back(&first, &[edit("a\nb\nc\nz\n", 3..4, &["x\n"])]).as_deref(), Some("a\nold\nx\n"));
    }

    /// A line with who put it: 0 is nobody, 1 the edit.
    type Line = (String, usize);

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn what_is_followed_is_what_was_put(
            start in prop::collection::vec("[ab}]", 1..6),
            steps in prop::collection::vec((0..8usize, 0..3usize, prop::collection::vec("[ab}]", 0..3)), 1..5),
        ) {
            let mut lines: Vec<Line> = start.into_iter().map(|line| (line + "\n", 0)).collect();
            let mut edits: Vec<Edit<'static>> = Vec::new();
            let mut took = Vec::new();
            for (n, (from, count, put)) in steps.into_iter().enumerate() {
                let from = from.min(lines.len());
                let mut range = from..(from + count).min(lines.len());
                // A line that is put where its like goes stays.
                if lines[range.clone()].iter().any(|line| put.contains(&line.0.trim_end().to_owned())) {
                    range.end = from;
                }
                let put: Vec<Line> = put.into_iter().map(|line| (line + "\n", n + 1)).collect();
                let before: String = lines.iter().map(|line| &line.0[..]).collect();
                let new: Vec<&str> = put.iter().map(|line| &line.0[..]).collect();
                edits.push(edit(&before, range.clone(), &new));
                let gone: Vec<Line> = lines.splice(range, put).collect();
                if n == 0 {
                    took = gone;
                }
            }
            let Some((first, later)) = edits.split_first() else { return Ok(()) };
            let Some(result) = taken_back(first, later) else { return Ok(()) };
            // Each line of the others stays, in order; the edit's are gone, and what it took is there, in one place.
            let others: Vec<&str> = lines.iter().filter(|line| line.1 != 1).map(|line| &line.0[..]).collect();
            let (took, result): (Vec<&str>, Vec<&str>) =
                (took.iter().map(|line| &line.0[..]).collect(), result.split_inclusive('\n').collect());
            let is_there = |at: usize| [&others[..at], &took, &others[at..]].concat() == result;
            prop_assert!((0..=others.len()).any(is_there), "{lines:?} {result:?}");
        }
    }
}
