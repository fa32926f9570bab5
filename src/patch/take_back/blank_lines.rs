//! Blank lines that a record put beside others, or took from among them: which of them goes, or comes back, leaves the same text.
//!
//! Owns the proof by the lines above and below all of them. Decides nothing of lines with something in them.

use super::anchors::Window;
use super::hunk::Hunk;
use super::units::{Trio, Units};
use std::ops::Range;

/// Where the lines of a hunk stand, all of which are blank and equal: in its window as many as the record left stand together today, between the
/// lines that were above and below them, one of which is the only one of its kind in each text, or an end of it.
pub(super) fn among_blank_lines(trio: &Trio<'_>, hunk: &Hunk, window: &Window) -> Option<Range<usize>> {
    let (new, old) = (trio.new.run(hunk.new.clone()), trio.old.run(hunk.old.clone()));
    let unit = *new.iter().chain(old).next()?;
    if !trio.is_blank(unit) || new.len() == old.len() || new.iter().chain(old).any(|id| *id != unit) {
        return None;
    }
    let were = run_about(&trio.new, unit, hunk.new.clone())?;
    let [above, below] = beside(&trio.new, &were);
    let is_own = |at: usize| {
        let id = trio.new.id(at).filter(|id| trio.has_word(*id))?;
        let is_only = [&trio.old, &trio.new, &trio.today].iter().all(|text| text.count(id) == 1);
        if is_only { trio.today.last(id) } else { None }
    };
    // Where nothing above stands, all of it may be others' text.
    let has_rest = window.today.start > 0;
    let at_end = || (below.is_none() && has_rest && stands_as_often(trio, window, above?)).then(|| trio.today.len());
    let at = below.and_then(is_own).or_else(|| above.and_then(is_own).map(|at| at + 1)).or_else(at_end)?;
    let are = run_about(&trio.today, unit, at..at)?;
    let is_same = |was: Option<usize>, is: Option<usize>| match (was, is) {
        (Some(was), Some(is)) => {
            let [was, is] = [trio.new.unit(was), trio.today.unit(is)].map(<[u8]>::trim_ascii);
            !was.is_empty() && was == is
        }
        (was, is) => was == is,
    };
    // A line that somebody moved stands beside others.
    let is_inside = window.today.start <= are.start && are.end <= window.today.end;
    let [over, under] = beside(&trio.today, &are);
    let is_whole = is_inside && are.len() == were.len() && is_same(above, over) && is_same(below, under);
    let start = are.start + hunk.new.start - were.start;
    is_whole.then_some(start..start + new.len())
}

/// The equal units about a place, where there are some.
fn run_about(text: &Units<'_>, unit: u32, place: Range<usize>) -> Option<Range<usize>> {
    let up = text.run(0..place.start).iter().rev().take_while(|id| **id == unit).count();
    let down = text.run(place.end..text.len()).iter().take_while(|id| **id == unit).count();
    let run = place.start - up..place.end + down;
    (!run.is_empty()).then_some(run)
}

/// The places above and below a run; none at an end of the text.
fn beside(text: &Units<'_>, run: &Range<usize>) -> [Option<usize>; 2] {
    [run.start.checked_sub(1), Some(run.end).filter(|at| *at < text.len())]
}

/// Whether a window has as many lines like the one at a place as it had, however they are indented.
fn stands_as_often(trio: &Trio<'_>, window: &Window, at: usize) -> bool {
    let bare = trio.new.unit(at).trim_ascii();
    let count =
        |text: &Units<'_>, range: &Range<usize>| range.clone().filter(|at| text.unit(*at).trim_ascii() == bare).count();
    count(&trio.new, &window.new) == count(&trio.today, &window.today)
}

#[cfg(test)]
mod tests {
    use super::super::anchors::Anchors;
    use super::super::hunk::of_texts;
    use super::super::units::{Part, line_ends};
    use super::*;

    /// Where they stand in today's text, in lines; none where that is not proven.
    fn check(texts: [&str; 3], want: Option<Range<usize>>) {
        let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
        let hunks = of_texts(&trio);
        let anchors = Anchors::new(&trio, &hunks);
        let window = anchors.window(&trio, &hunks[0], |was, is| trio.new.id(was) == trio.today.id(is));
        let found = window.and_then(|window| among_blank_lines(&trio, &hunks[0], &window));
        assert_eq!((hunks.len(), found), (1, want), "{texts:?}");
    }

    #[test]
    fn a_doubled_blank_line_stands_where_as_many_are_between_the_lines_that_were_about_them() {
        let doubled = ["a\n}\n\nlow\nz\n", "a\n}\n\n\nlow\nz\n"];
        let rows = [
            ("a\n}\n\n\nlow\nz\n", Some(2..4)),
            // What is farther off was edited, with blank lines of its own; and what is beside them, only indented.
            ("b\n\n\nc\n}\n\n\nlow\nz\n", Some(5..7)),
            ("a\n  }\n\n\nlow\n", Some(2..4)),
            ("a\n}\n\nlow\nz\n", None),
            ("a\n}\n\n\n\nlow\nz\n", None),
            ("a\n)\n\n\nlow\nz\n", None),
            ("a\n}\n\n\nlow\nz\nlow\n", None),
            ("\n\nlow\nz\n", None),
            ("a\n}\n\n\n", None),
        ];
        for (today, want) in rows {
            check([doubled[0], doubled[1], today], want);
        }
        // The line above tells it as well.
        check(["low\n\n}\na\n", "low\n\n\n}\na\n", "low\n\n\n}\nb\n"], Some(1..3));
        check(["}\n\n}\na\n", "}\n\n\n}\na\n", "}\n\n\n}\nb\n"], None);
    }

    #[test]
    fn an_end_of_the_text_tells_it_where_the_line_above_stands_as_often_as_it_did() {
        let doubled = ["a\nb\n}\n\n", "a\nb\n}\n\n\n"];
        let rows = [
            ("a\nb\n  }\n\n\n", Some(3..5)),
            ("a\nx\ny\n  }\n\n\n", Some(4..6)),
            ("x\ny\n  }\n\n\n", None),
            ("a\n}\n\n  }\n\n\n", None),
            ("a\n  }\n\n", None),
            ("a\n  }\n\n\nlow\n", None),
            ("a\n)\n\n\n", None),
            ("\n\n", None),
        ];
        for (today, want) in rows {
            check([doubled[0], doubled[1], today], want);
        }
        check(["\n", "\n\n", "\n\n\n"], None);
    }

    #[test]
    fn blank_lines_beside_a_line_that_somebody_moved_are_others() {
        let before = "b\n  q\n}\n\nlow\nz\nc\n  r\n}\n\n\nend\n";
        let after = "b\n  q\n}\n\n\nlow\nz\nc\n  r\n}\n\n\nend\n";
        for blank in ["\n", ""] {
            check([before, after, &format!("b\n  q\n}}\n\n{blank}hi\nz\nc\n  r\n}}\n\n\nlow\nend\n")], None);
        }
    }

    #[test]
    fn one_of_several_that_was_taken_is_missing_where_as_many_are_left() {
        let taken = ["a\n}\n\n\nlow\n", "a\n}\n\nlow\n"];
        check([taken[0], taken[1], "b\n}\n\nlow\n"], Some(2..3));
        check([taken[0], taken[1], "b\n}\n\n\nlow\n"], None);
        check(["a\n}\n\nlow\n", "a\n}\nlow\n", "b\n}\nlow\n"], None);
        // Not where something with it was changed, or the lines are not equal.
        check(["a\n}\n\nlow\n", "a\n}\n\nk\nlow\n", "b\n}\n\nk\nlow\n"], None);
        check(["a\n}\n\nlow\n", "a\n}\n \n\nlow\n", "b\n}\n \n\nlow\n"], None);
    }
}
