//! All hunks of an edit together: what each may not do because of the others.
//!
//! Owns the checks between hunks: order, moved lines, glued lines. Does not prove single hunks.
//! Invariant: the writes of hunks that are not refused are in order, and put no line behind one without its ending.

use super::anchors::{Anchors, Window};
use super::carry::insertion_point;
use super::edit::{Change, Edit};
use super::hunk::{self, Hunk};
use super::proof::{Level, Proven, Purpose, prove, window};
use super::reason::{Reason, Refusal};
use super::slid::beside_what_was_put;
use super::units::{Part, Places, Trio, Units, line_ends};
use super::verdict::{Judged, Verdict, Write};
use super::whole::Whole;
use super::within::within_lines;
use crate::text::split_lines;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// How many units are looked at, all hunks together: texts with thousands of hunks and nothing between them that tells
/// one place from another are refused, before that takes seconds.
const MOST_LOOKED_AT: usize = 20_000_000;

/// Judges every hunk of an edit that is to be taken out of today's text; `between` are the texts that the file had meanwhile, before and after each step.
pub(super) fn judged(edit: &Edit<'_>, between: &[&[u8]], today: &[u8], purpose: Purpose) -> Vec<Judged> {
    let trio = Trio::new([edit.before(), edit.after(), today].map(Part::whole), line_ends);
    let named = hunk::of_changes(&trio, edit.changes());
    let hunks: Vec<Hunk> = named.iter().map(|(hunk, _)| hunk.clone()).collect();
    let whole = Whole::new(&trio);
    let anchors = Anchors::new(&trio, &hunks);
    let search = Search { trio: &trio, anchors, whole: &whole, changes: edit.changes(), between, purpose };
    let mut left = MOST_LOOKED_AT;
    let affordable = |hunk: &Hunk| {
        left = left.checked_sub(search.anchors.distance(&trio, hunk)).ok_or(Reason::TooLarge)?;
        search.found(hunk)
    };
    let mut found: Vec<Found> = hunks.iter().map(affordable).collect();
    // What is refused may have been what another hunk stood on, so until nothing more is refused.
    loop {
        let objections = [
            (moved_in_part(&trio, &hunks, &found), Reason::MovedInPart),
            (bare_beside_what_is_done(&trio, &hunks, &found), Reason::NeighboursChanged),
            (ending_beside_what_is_done(&trio, &hunks, &found), Reason::NeighboursChanged),
            (beside_one_that_changed_sides(&trio, &hunks, &found, between), Reason::NeighboursChanged),
            (whole_again_beside_a_rest(&search, &hunks, &found), Reason::NeighboursChanged),
            (out_of_order(&found), Reason::OutOfOrder),
            (glued(today, &found), Reason::Glued),
        ];
        let Some((which, reason)) = objections.into_iter().find(|(which, _)| !which.is_empty()) else { break };
        refuse(&mut found, which, &reason);
    }
    named
        .into_iter()
        .zip(found)
        .map(|((hunk, changes), found)| Judged {
            changes,
            verdict: match found {
                Ok(Some(fit)) => Verdict::Write(fit.writes),
                Ok(None) => Verdict::AlreadyDone,
                Err(reason) => {
                    let place = search.window(&hunk).map(|window| window.today);
                    Verdict::Refused(refusal(&trio, &hunk, place.unwrap_or(0..0), reason))
                }
            },
        })
        .collect()
}

/// A hunk that is to be written.
struct Fit {
    /// The whole lines of it, and what becomes of them.
    lines: Write,
    /// The same with as few bytes as are proven.
    writes: Vec<Write>,
}

/// None where it is done already.
type Found = Result<Option<Fit>, Reason>;

/// What hunks are looked for in.
struct Search<'t> {
    trio: &'t Trio<'t>,
    anchors: Anchors,
    whole: &'t Whole<'t, 't>,
    changes: &'t [(Vec<usize>, Change)],
    between: &'t [&'t [u8]],
    purpose: Purpose,
}

impl<'t> Search<'t> {
    fn window(&self, hunk: &Hunk) -> Option<Window> {
        window(self.trio, &self.anchors, hunk, self.level())
    }

    fn level(&self) -> Level<'t, 't> {
        Level::Lines(self.whole, self.purpose)
    }

    fn found(&self, hunk: &Hunk) -> Found {
        let trio = self.trio;
        let proven = match (prove(trio, &self.anchors, hunk, self.level()), self.purpose) {
            (Err(Reason::PlaceTaken), Purpose::Carry) => {
                let window = self.window(hunk).ok_or(Reason::TwoReadings)?;
                let at = insertion_point(trio, hunk, &window, self.changes)?;
                Proven::InForce(at..at)
            }
            (Ok(Proven::Edited(now)), Purpose::TakeOut) => {
                let place = beside_what_was_put(trio, hunk, &now, (self.changes, self.whole));
                place.map_or(Proven::Edited(now), Proven::InForce)
            }
            (proven, _) => proven?,
        };
        let (lines, writes) = match proven {
            Proven::TakenBack => return Ok(None),
            Proven::Edited(now) => {
                let (text, writes) = within_lines(trio, hunk, &now, self.whole, self.between)?;
                (Write { range: trio.today.span(&now), replacement: text }, writes)
            }
            Proven::PutIn(place) => {
                let lines = Write { range: trio.today.span(&place), replacement: Vec::new() };
                (lines.clone(), vec![lines])
            }
            Proven::InForce(place) => {
                let lines = Write { range: trio.today.span(&place), replacement: trio.old.text(&hunk.old).to_vec() };
                (lines.clone(), vec![lines])
            }
        };
        Ok(Some(Fit { lines, writes }))
    }
}

fn refuse(found: &mut [Found], which: Vec<usize>, reason: &Reason) {
    for n in which {
        if let Some(one) = found.get_mut(n) {
            *one = Err(reason.clone());
        }
    }
}

/// The hunks that are to be written.
fn fits(found: &[Found]) -> impl Iterator<Item = (usize, &Fit)> {
    found.iter().enumerate().filter_map(|(n, found)| Some((n, found.as_ref().ok()?.as_ref()?)))
}

/// A line that the record moved is taken back at both of its places, or at none. A bracket is moved that is the only one of its kind.
fn moved_in_part(trio: &Trio<'_>, hunks: &[Hunk], found: &[Found]) -> Vec<usize> {
    let is_line =
        |id: u32| trio.has_word(id) || (!trio.is_blank(id) && (trio.old.count(id), trio.new.count(id)) == (1, 1));
    let lines = |text: &Units<'_>, range: &Range<usize>| {
        text.run(range.clone()).iter().copied().filter(|&id| is_line(id)).collect::<HashSet<u32>>()
    };
    let mut put: HashMap<u32, Vec<usize>> = HashMap::new();
    for (n, hunk) in hunks.iter().enumerate() {
        for id in lines(&trio.new, &hunk.new) {
            put.entry(id).or_default().push(n);
        }
    }
    let state = |n: usize| found.get(n).and_then(|found| found.as_ref().map(Option::is_some).ok());
    let mut refused = HashSet::new();
    for (n, hunk) in hunks.iter().enumerate() {
        let places = lines(&trio.old, &hunk.old).into_iter().filter_map(|id| put.get(&id)).flatten();
        for &other in places.filter(|&&other| state(other) != state(n)) {
            refused.extend([n, other]);
        }
    }
    refused.into_iter().filter(|&n| state(n).is_some()).collect()
}

/// Where a hunk of the edit is done already, lines without a word whose neighbour is gone may be others': a blank line, or a
/// bracket, that the neighbour became.
fn bare_beside_what_is_done(trio: &Trio<'_>, hunks: &[Hunk], found: &[Found]) -> Vec<usize> {
    if !found.iter().any(|found| matches!(found, Ok(None))) {
        return Vec::new();
    }
    let is_bare = |(n, fit): (usize, &Fit)| {
        let new = &hunks.get(n)?.new;
        let has_word = trio.new.run(new.clone()).iter().any(|&id| trio.has_word(id));
        let Range { start, end } = fit.lines.range;
        let place = trio.today.at_byte(start)..trio.today.at_byte(end);
        let is_alone = !new.is_empty() && !has_word && trio.new.beside(new) != trio.today.beside(&place);
        is_alone.then_some(n)
    };
    fits(found).filter_map(is_bare).collect()
}

/// Where a hunk of the edit is done already, the ending of a last line that is not as the edit left it may be another one's: git's, say, which
/// brought back the whole text.
fn ending_beside_what_is_done(trio: &Trio<'_>, hunks: &[Hunk], found: &[Found]) -> Vec<usize> {
    if !found.iter().any(|found| matches!(found, Ok(None))) {
        return Vec::new();
    }
    let is_of_ending = |(n, fit): (usize, &Fit)| {
        let hunk = hunks.get(n)?;
        let [old, new] = [trio.old.text(&hunk.old), trio.new.text(&hunk.new)];
        let today = trio.today.at_byte(fit.lines.range.start)..trio.today.at_byte(fit.lines.range.end);
        let is_so = old.ends_with(b"\n") != new.ends_with(b"\n") && old.trim_ascii_end() == new.trim_ascii_end();
        (is_so && trio.today.text(&today) != new).then_some(n)
    };
    fits(found).filter_map(is_of_ending).collect()
}

/// Deleted lines of whose two neighbours one is gone, after the two had changed sides: which of them had moved, nobody knows.
fn beside_one_that_changed_sides(trio: &Trio<'_>, hunks: &[Hunk], found: &[Found], between: &[&[u8]]) -> Vec<usize> {
    let have_changed = |(n, _): (usize, &Fit)| {
        let new = hunks.get(n).map(|hunk| &hunk.new).filter(|new| new.is_empty())?;
        let [Some(left), Some(right)] = trio.new.beside(new) else { return None };
        let is_left_alone = (trio.today.count(left) == 0) != (trio.today.count(right) == 0);
        let are_own = [left, right].iter().all(|&id| trio.has_word(id) && trio.new.count(id) == 1);
        let lines = [new.start - 1, new.start].map(|at| trio.new.unit(at));
        let have_changed = || between.iter().any(|text| changed_sides(lines, text));
        (is_left_alone && are_own && have_changed()).then_some(n)
    };
    fits(found).filter_map(have_changed).collect()
}

/// Whether two lines stand in a text, once each, the second one first.
fn changed_sides([first, second]: [&[u8]; 2], text: &[u8]) -> bool {
    let only = |line: &[u8]| {
        let mut at = split_lines(text).enumerate().filter(|(_, other)| *other == line).map(|(at, _)| at);
        at.next().filter(|_| at.next().is_none())
    };
    only(first).zip(only(second)).is_some_and(|(first, second)| second < first)
}

/// Lines that were not all there meanwhile, and of which one that was stands once more between their neighbours than the record left it: that may be
/// the record's, and what is whole now somebody else's.
fn whole_again_beside_a_rest(search: &Search<'_>, hunks: &[Hunk], found: &[Found]) -> Vec<usize> {
    let trio = search.trio;
    let is_so = |(n, _): (usize, &Fit)| {
        let hunk = hunks.get(n).filter(|_| !search.between.is_empty())?;
        let window = search.window(hunk)?;
        let [were, are] = [trio.new.run(window.new), trio.today.run(window.today)];
        let count = |all: &[u32], id: u32| all.iter().filter(|other| **other == id).count();
        let is_more = |id: u32| trio.has_word(id) && count(are, id) > count(were, id);
        let ids = || hunk.new.clone().zip(trio.new.run(hunk.new.clone()).iter().copied());
        let more: Vec<&[u8]> = ids().filter(|(_, id)| is_more(*id)).map(|(at, _)| trio.new.unit(at)).collect();
        if more.is_empty() {
            return None;
        }
        // Each with how many the record left.
        let lines: HashMap<&[u8], usize> = ids()
            .filter(|(_, id)| trio.has_word(*id))
            .map(|(at, id)| (trio.new.unit(at), trio.new.count(id) as usize))
            .collect();
        let was_a_rest = |text: &&[u8]| {
            let mut counts: HashMap<&[u8], usize> = lines.keys().map(|line| (*line, 0)).collect();
            for line in split_lines(text) {
                counts.entry(line).and_modify(|count| *count += 1);
            }
            lines.iter().any(|(line, left)| counts[line] < *left) && more.iter().any(|line| counts[line] == lines[line])
        };
        search.between.iter().any(was_a_rest).then_some(n)
    };
    fits(found).filter_map(is_so).collect()
}

/// Hunks whose places overlap, or changed their order.
fn out_of_order(found: &[Found]) -> Vec<usize> {
    let mut refused = Vec::new();
    let mut last: Option<(usize, usize)> = None;
    for (n, fit) in fits(found) {
        let Range { start, end } = fit.lines.range;
        match last {
            Some((other, before)) if before > start => {
                refused.extend([other, n]);
                last = Some((n, before.max(end)));
            }
            _ => last = Some((n, end)),
        }
    }
    refused
}

/// Hunks that would put a line behind one without its ending.
fn glued(today: &[u8], found: &[Found]) -> Vec<usize> {
    let mut refused = Vec::new();
    // The hunk that is to answer for a line without its ending, if something follows.
    let mut open: Option<usize> = None;
    let mut at = 0;
    let mut is_ended = true;
    for (n, fit) in fits(found) {
        let Range { start, end } = fit.lines.range;
        let kept = today.get(at..start).unwrap_or_default();
        if !kept.is_empty() {
            refused.extend(open.take());
            is_ended = kept.ends_with(b"\n");
        }
        if !fit.lines.replacement.is_empty() {
            refused.extend(open.take());
            refused.extend((!is_ended).then_some(n));
            is_ended = fit.lines.replacement.ends_with(b"\n");
        }
        open = (!is_ended).then_some(n);
        at = end;
    }
    let is_last = today.get(at..).unwrap_or_default().is_empty();
    refused.extend(open.filter(|_| !is_last));
    refused
}

/// What is to be told of a refused hunk.
fn refusal(trio: &Trio<'_>, hunk: &Hunk, place: Range<usize>, reason: Reason) -> Refusal {
    let blocks = [trio.new.run(hunk.new.clone()), trio.old.run(hunk.old.clone())];
    let candidates = blocks.iter().flat_map(|block| {
        let places = match trio.today.places(block) {
            Places::Nowhere => [None, None],
            Places::Once(at) => [Some(at), None],
            Places::Often(one, two) => [Some(one), Some(two)],
        };
        places.into_iter().flatten().map(|at| trio.today.span(&(at..at + block.len())))
    });
    let wanted = trio.old.text(&hunk.old).to_vec();
    let own = trio.new.span(&hunk.new);
    Refusal { reason, own, candidates: candidates.collect(), place: trio.today.span(&place), wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(range: Range<usize>) -> Found {
        Ok(Some(Fit { lines: Write { range, replacement: Vec::new() }, writes: Vec::new() }))
    }

    #[test]
    fn two_lines_changed_sides_where_each_stands_once_and_the_second_one_first() {
        let rows = [
            ("b\na\n", true),
            ("x\nb\ny\na\n", true),
            ("a\nb\n", false),
            ("b\na\nb\n", false),
            ("a\nb\na\n", false),
            ("b\na\na\n", false),
            ("b\n", false),
            ("a\n", false),
        ];
        for (text, want) in rows {
            assert_eq!(changed_sides([b"a\n", b"b\n"], text.as_bytes()), want, "{text:?}");
        }
    }

    #[test]
    fn a_deleted_line_does_not_come_back_beside_one_of_two_that_had_changed_sides_where_the_other_is_gone() {
        // The texts before, after and today, one that the file had meanwhile, and whether that speaks against it.
        let rows = [
            (["l\nx\nr\n", "l\nr\n", "l\nz\n"], "r\nl\n", true),
            (["l\nx\nr\n", "l\nr\n", "z\nr\n"], "r\nl\n", true),
            (["l\nx\nr\n", "l\nr\n", "l\nz\n"], "l\nr\n", false),
            (["l\nx\nr\n", "l\nr\n", "l\nz\n"], "r\nx\n", false),
            // Both are there, or gone.
            (["l\nx\nr\n", "l\nr\n", "l\nr\n"], "r\nl\n", false),
            (["l\nx\nr\n", "l\nr\n", "z\n"], "r\nl\n", false),
            // It was replaced.
            (["l\nx\nr\n", "l\ny\nr\n", "l\ny\n"], "r\nl\n", false),
            // A bracket, or one of two, tells nothing; nor the end of a text.
            (["{\nx\nr\n", "{\nr\n", "{\n"], "r\n{\n", false),
            (["l\nx\n}\n", "l\n}\n", "l\n"], "}\nl\n", false),
            (["l\nx\nr\nz\nl\n", "l\nr\nz\nl\n", "l\nz\nl\n"], "r\nl\n", false),
            (["x\nr\n", "r\n", "z\n"], "r\nx\n", false),
            (["l\nx\n", "l\n", "z\n"], "x\nl\n", false),
        ];
        for (texts, between, want) in rows {
            let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
            let hunks = hunk::of_texts(&trio);
            let of = |found: Found, between: &[&[u8]]| beside_one_that_changed_sides(&trio, &hunks, &[found], between);
            assert_eq!(hunks.len(), 1, "{texts:?}");
            let wanted = if want { vec![0] } else { Vec::new() };
            assert_eq!(of(fit(0..0), &[b"other\n", between.as_bytes()]), wanted, "{texts:?}: {between:?}");
            assert!(of(fit(0..0), &[]).is_empty() && of(Ok(None), &[between.as_bytes()]).is_empty());
        }
    }

    #[test]
    fn lines_that_are_whole_again_are_not_the_record_s_where_one_of_them_stood_meanwhile_and_stands_once_more() {
        // Today's text, one that the file had meanwhile, and whether that speaks against it.
        let rows = [
            ("l\nb\na\na\nb\nr\n", "l\nb\nr\n", true),
            ("l\nb\na\na\nb\nr\n", "l\nb\na\nr\n", false),
            ("l\nb\na\na\nb\nr\n", "l\nr\n", false),
            ("l\na\nb\nr\n", "l\nb\nr\n", false),
            ("l\na\nb\nr\n}\n", "l\n}\nr\n", false),
            // Elsewhere it is another one.
            ("l\na\n}\nb\nr\nx\nb\n", "l\nb\nr\nx\n", false),
        ];
        for (today, meanwhile, want) in rows {
            let texts = ["l\nr\nx\n", "l\na\n}\nb\nr\nx\n", today];
            let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
            let hunks = hunk::of_texts(&trio);
            let of = |found: Found, between: &[&[u8]]| {
                let (anchors, whole) = (Anchors::new(&trio, &hunks), Whole::new(&trio));
                let search =
                    Search { trio: &trio, anchors, whole: &whole, changes: &[], between, purpose: Purpose::TakeOut };
                whole_again_beside_a_rest(&search, &hunks, &[found])
            };
            let wanted = if want { vec![0] } else { Vec::new() };
            let between = [texts[1].as_bytes(), meanwhile.as_bytes()];
            assert_eq!(of(fit(0..0), &between), wanted, "{today:?}: {meanwhile:?}");
            assert!(of(fit(0..0), &[]).is_empty() && of(Ok(None), &between).is_empty());
        }
    }

    #[test]
    fn hunks_whose_places_overlap_or_changed_their_order_are_refused_and_those_beside_each_other_are_not() {
        let refused = |places: &[Range<usize>]| {
            let mut found: Vec<Found> = places.iter().cloned().map(fit).collect();
            found.insert(1, Ok(None));
            out_of_order(&found).into_iter().collect::<std::collections::BTreeSet<usize>>()
        };
        let none: [usize; 0] = [];
        assert_eq!(refused(&[0..2, 2..3, 3..3, 5..6]), none.into());
        assert_eq!(refused(&[0..3, 2..4]), [0, 2].into());
        assert_eq!(refused(&[5..6, 1..2, 7..8]), [0, 2].into());
        assert_eq!(refused(&[0..9, 1..2, 3..4]), [0, 2, 3].into(), "the first one holds both");
        assert_eq!(refused(&[0..1, 4..6, 5..7, 8..9]), [2, 3].into());
    }

    #[test]
    fn a_last_ending_stays_beside_what_is_done_where_its_line_is_another_one() {
        let verdicts = |today: &str| {
            let (before, after) = ("a\nb\nc\n  end", "a\nx\nb\nc\n  end\n");
            let edit = Edit::by_lines(before.as_bytes(), after.as_bytes()).expect("few lines");
            let judged = judged(&edit, &[], today.as_bytes(), Purpose::TakeOut);
            judged.into_iter().map(|hunk| matches!(hunk.verdict, Verdict::Write(_))).collect::<Vec<_>>()
        };
        assert_eq!(verdicts("a\nb\nc\nend\n"), [false, false], "the line was never there");
        assert_eq!(verdicts("a\nb\nc\n  end\n"), [false, true], "its own line");
        assert_eq!(verdicts("a\nx\nb\nc\nend\n"), [true, true], "somebody indented the line");
    }
}
