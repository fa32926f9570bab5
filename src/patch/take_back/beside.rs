//! Which later edits come to the places of an edit, wherever its lines may be said to stand.
//!
//! Owns the way of these places from one text to the next. What is in force is counted elsewhere.
//! Invariant: where a place is lost sight of, whoever comes later is not said to be elsewhere.

use super::counted::{Block, Step, Told, in_lines, lead_on, reach};
use super::edit::{Change, Edit};
use super::slides::slides;
use super::stands_once::StandOnce;
use crate::text::split_lines;
use std::collections::BTreeSet;
use std::ops::Range;

/// The later edits that come to a place where something that the edit put or took may as well be said to be, or may be said to do so.
pub fn beside(edit: &Edit<'_>, later: &[Edit<'_>], told: impl Fn(usize) -> Told) -> BTreeSet<usize> {
    let steps: Vec<Step<'_>> = later.iter().map(Step::exactly).collect();
    let own = in_lines(edit);
    let blocks = own.iter().filter_map(|(_, change)| Some((change.after.start, Block::of(edit, change)?)));
    blocks.flat_map(|(start, block)| Way::of(&block, start, &steps, &told).met).collect()
}

/// Whether the last of these later edits, each of which is told exactly, comes to no place where something that the edit put or took is, or
/// may as well be said to be: all of that is elsewhere, or went by another one before, for good (`is_for_good`). Where something is missing between
/// them, that is not known.
pub fn is_passed_by_the_last(edit: &Edit<'_>, later: &[Edit<'_>], is_for_good: impl Fn(usize) -> bool) -> bool {
    let Some(last) = later.len().checked_sub(1).filter(|_| lead_on(edit, later)) else { return false };
    let steps: Vec<Step<'_>> = later.iter().map(Step::exactly).collect();
    in_lines(edit).iter().all(|(_, change)| {
        let (start, block) = Block::met(edit, change);
        let way = Way::of(&block, start, &steps, &|_| Told::Exactly);
        match way.ended {
            None => !way.met.contains(&last),
            Some(ended) => ended.has_taken && ended.by < last && is_for_good(ended.by),
        }
    })
}

/// What became of the places where a block may be said to be.
struct Way {
    /// The steps that came to one of them.
    met: BTreeSet<usize>,
    ended: Option<Ended>,
}

/// Where it ends: a step left none of the places.
struct Ended {
    by: usize,
    /// Whether it took all lines that were put there, wherever they may be said to have been, and put none like them.
    has_taken: bool,
}

impl Way {
    fn of(block: &Block<'_>, start: usize, steps: &[Step<'_>], told: &dyn Fn(usize) -> Told) -> Self {
        let mut way = Self { met: BTreeSet::new(), ended: None };
        let mut starts = BTreeSet::from([start]);
        for (n, step) in steps.iter().enumerate() {
            let text = step.edit.before();
            let as_well = |start: &usize| slides(text, &block.at(*start), block.lines);
            let all =
                starts.iter().flat_map(|start| as_well(start).into_iter().map(|place| place.start).chain([*start]));
            starts = all.collect();
            let anchors = if told(n) == Told::ByLines { Some(StandOnce::of(step.edit)) } else { None };
            let is_near = |place: &Range<usize>, reach: &Range<usize>| match gap(place, reach) {
                None => true,
                Some(gap) => {
                    anchors.as_ref().is_some_and(|anchors| !split_lines(&text[gap]).any(|line| anchors.has(line)))
                }
            };
            let reaches: Vec<Range<usize>> = step.changes.iter().map(|(_, change)| reach(step.edit, change)).collect();
            let mut places = starts.iter().map(|start| block.at(*start));
            if places.any(|place| reaches.iter().any(|reach| is_near(&place, reach))) {
                way.met.insert(n);
            }
            let led = |start: &usize| block.led(*start, std::slice::from_ref(step));
            let left: BTreeSet<usize> = starts.iter().filter_map(led).collect();
            if left.is_empty() {
                let has_taken = starts.iter().all(|start| block.is_taken_from(*start, step));
                way.ended = Some(Ended { by: n, has_taken });
                break;
            }
            starts = left;
        }
        way
    }
}

/// What lies between two ranges that do not meet.
fn gap(one: &Range<usize>, other: &Range<usize>) -> Option<Range<usize>> {
    if one.end < other.start {
        Some(one.end..other.start)
    } else {
        (other.end < one.start).then_some(other.end..one.start)
    }
}

impl<'e> Block<'e> {
    /// What can be met of a change, by whole lines, and where it stands: what was put, whatever went for it; else the place of what was taken.
    fn met(edit: &'e Edit<'_>, change: &Change) -> (usize, Self) {
        let [_, range] = edit.line_ranges(change);
        (range.start, Self { lines: &edit.after()[range], is_put: true })
    }

    /// Whether a step took all lines that stand at a place, and put none like them.
    fn is_taken_from(&self, start: usize, step: &Step<'_>) -> bool {
        let (place, edit) = (self.at(start), step.edit);
        let put = |change: &Change| split_lines(edit.lines_of(change)[1]);
        let is_put = |line: &[u8], change: &Change| put(change).any(|other| other.trim_ascii() == line.trim_ascii());
        let took = |change: &&Change| {
            let [range, _] = edit.line_ranges(change);
            range.start <= place.start && place.end <= range.end
        };
        let change = edit.changes().iter().map(|(_, change)| change).find(took).filter(|_| !place.is_empty());
        change.is_some_and(|change| !split_lines(self.lines).any(|line| is_put(line, change)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::counted::tests::edit;
    use super::*;

    /// The later edits that come beside the first one.
    fn near(texts: &[&str]) -> Vec<Vec<usize>> {
        let each = |at_end: bool| {
            let steps: Vec<Edit<'_>> = texts.windows(2).map(|pair| edit(pair[0], pair[1], at_end)).collect();
            beside(&steps[0], &steps[1..], |_| Told::Exactly).into_iter().collect()
        };
        let mut near = vec![each(true), each(false)];
        near.dedup();
        near
    }

    #[test]
    fn an_edit_is_beside_another_one_where_either_may_be_said_to_be_at_the_other() {
        const NONE: [Vec<usize>; 1] = [Vec::new()];
        // Another line like it, far from it.
        assert_eq!(near(&["a\nb\nx\nv\n", "x\na\nb\nx\nv\n", "x\na\nb\n"]), NONE);
        // One of several like it in a row.
        assert_eq!(near(&["a\nx\nx\nb\n", "a\nx\nx\nx\nb\n", "a\nx\nx\nb\n"]), [[0]]);
        // The line before it is its own first one.
        assert_eq!(near(&["y\nx\nb\n", "y\nx\nx\ny\nb\n", "y\nx\ny\nb\n"]), [[0]]);
        // They came together since.
        let texts = ["a\nm\nx\nb\n", "a\nx\nm\nx\nb\n", "a\nx\nx\nb\n", "a\nx\nb\n"];
        assert_eq!(near(&texts), [[0, 1]]);
        // Where a line was taken: one is put there, or elsewhere.
        assert_eq!(near(&["a\nx\nb\nc\n", "a\nb\nc\n", "a\nx\nb\nc\n"]), [[0]]);
        assert_eq!(near(&["a\nx\nb\nc\n", "a\nb\nc\n", "a\nb\nc\nx\n"]), NONE);
        assert_eq!(near(&["a\nx\nx\nb\n", "a\nx\nb\n", "a\nx\nx\nb\n"]), [[0]]);
    }

    #[test]
    fn who_is_told_by_lines_is_elsewhere_only_beyond_a_line_that_stands_once() {
        let near = |texts: [&str; 3]| {
            let steps: Vec<Edit<'_>> = texts.windows(2).map(|pair| edit(pair[0], pair[1], true)).collect();
            !beside(&steps[0], &steps[1..], |_| Told::ByLines).is_empty()
        };
        assert!(!near(["a\nb\nc\n", "x\na\nb\nc\n", "x\na\nb\nx\nc\n"]));
        assert!(!near(["a\nb\nx\nc\n", "a\nb\nc\n", "x\na\nb\nc\n"]));
        // It stands twice, before or since, or has no word.
        assert!(near(["a\na\nx\nc\n", "x\na\na\nx\nc\n", "x\na\na\nc\n"]));
        assert!(near(["a\nc\n", "x\na\nc\n", "x\na\nx\na\nc\n"]));
        assert!(near(["}\nc\nx\n", "x\n}\nc\nx\n", "x\n}\nx\nc\nx\n"]));
    }

    #[test]
    fn the_last_step_passes_by_what_is_elsewhere_or_went_before_and_nothing_else() {
        let passes = |texts: &[&str]| {
            let steps: Vec<Edit<'_>> = texts.windows(2).map(|pair| edit(pair[0], pair[1], true)).collect();
            is_passed_by_the_last(&steps[0], &steps[1..], |_| true)
        };
        let (before, put) = ("a\nold\nb\nc\nd\n", "a\nmine\nb\nc\nd\n");
        assert!(passes(&[before, put, "a\nmine\nb\nc\n"]), "it took a line elsewhere");
        assert!(!passes(&[before, put]), "nothing was done since");
        let (first, shorter) = (edit(before, put, true), edit("b\nc\nd\n", "b\nd\n", true));
        assert!(!is_passed_by_the_last(&first, &[shorter], |_| true), "what led there is not known");
        assert!(!passes(&[before, put, "a\nb\nc\nd\n"]), "it took the line");
        assert!(!passes(&[before, put, "a\nmine\nc\nd\n"]), "it came to the line below");
        // The line went before, whatever else stands in its place now.
        assert!(passes(&[before, put, before, "a\nb\nc\nd\n"]));
        let again = [before, put, before, "a\nb\nc\nd\n"];
        let steps: Vec<Edit<'_>> = again.windows(2).map(|pair| edit(pair[0], pair[1], true)).collect();
        assert!(!is_passed_by_the_last(&steps[0], &steps[1..], |n| n != 0), "it came back since");
        // It may be the other one of two equal lines.
        let two = ["a\nx\nb\nc\n", "a\nx\nx\nb\nc\n"];
        assert!(!passes(&[two[0], two[1], two[0]]));
        assert!(!passes(&[two[0], two[1], "a\nx\nx\nB\nc\n", "a\nx\nB\nc\n"]), "it is not followed any more");
        // It only moved within the step that met it.
        assert!(!passes(&[before, put, "a\nb\nmine\nc\nd\n", "a\nb\nc\nd\n"]));
    }
}
