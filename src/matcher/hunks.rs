//! Where the hunks of a patch stand: whole lines, in a text with LF only.
//!
//! Owns what decides between several places that are equal: the lines that a hunk names as standing before it, the order of
//! hunks, the end of the file, and line numbers. Does not write, and matches nothing but the lines as they are.
//! Invariant: what is given is every place that nothing decides against; more than one is for nobody to choose from.

use super::exact::KEPT;
use super::line_index::{LineIndex, MOST_PLACES};
use super::numbered::Numbered;
use super::spots::{Head, Hunk, Spots};
use crate::request::{Anchor, Last};
use crate::text::LfText;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

/// Places all hunks of one file.
pub fn places(text: &LfText<'_>, body_start: usize, hunks: &[Hunk<'_>]) -> Vec<Spots> {
    let lines = LineIndex::new(text, body_start, hunks.len());
    let known = Known { lines: &lines, spots: RefCell::default() };
    let mut found: Vec<Spots> = hunks.iter().map(|hunk| known.spots(hunk)).collect();
    keep_behind_heads(&lines, &mut found, hunks);
    let mut from = 0;
    while from < hunks.len() {
        let section = hunks[from].anchor.section;
        let end = from + hunks[from..].iter().take_while(|hunk| hunk.anchor.section == section).count();
        let mut numbered = Numbered::new(&lines);
        for (spots, hunk) in found[from..end].iter_mut().zip(&hunks[from..end]) {
            if let Some(line) = hunk.anchor.line {
                *spots = Spots::of(numbered.places(hunk, line, || known.spots_of_lines(hunk)));
            }
        }
        if hunks[from..end].iter().all(|hunk| hunk.anchor.in_order) {
            keep_in_order(&mut found[from..end]);
        }
        from = end;
    }
    found
}

/// Lines, whether a hunk's last newline is the file's, whether it stands at its beginning, and whether at its end.
type Sought<'h> = (&'h [u8], bool, bool, Last);

/// What is known of lines that were sought already: hunks of the same lines share their places.
struct Known<'l, 't, 'h> {
    lines: &'l LineIndex<'t>,
    /// By the lines, and by what a hunk says of its ends.
    spots: RefCell<HashMap<Sought<'h>, Spots>>,
}

impl<'h> Known<'_, '_, 'h> {
    /// All places whose lines are those of the hunk, and that its ends allow; none yet of one that has a number, or follows a line.
    fn spots(&self, hunk: &Hunk<'h>) -> Spots {
        if let Some(numbers) = hunk.anchor.lines {
            return Spots::of(of_numbers(self.lines, numbers));
        }
        if hunk.anchor.line.is_some() {
            return Spots::default();
        }
        if !hunk.old.is_empty() {
            return self.spots_of_lines(hunk);
        }
        let is_at_end = hunk.anchor.behind.is_empty() || hunk.anchor.last != Last::Anywhere;
        let len = self.lines.bytes().len();
        Spots::of(is_at_end.then_some(len..len).into_iter().collect())
    }

    fn spots_of_lines(&self, hunk: &Hunk<'h>) -> Spots {
        let ends = (hunk.old, hunk.anchor.ends_exactly, hunk.anchor.is_first, hunk.anchor.last);
        self.spots.borrow_mut().entry(ends).or_insert_with(|| spots_of_lines(self.lines, hunk)).clone()
    }
}

fn spots_of_lines(lines: &LineIndex<'_>, hunk: &Hunk<'_>) -> Spots {
    let len = lines.bytes().len();
    let mut stands = lines.stands(hunk.old);
    // At the end of a file without a last newline, a hunk need not know of that.
    if let (Some(short), false) = (hunk.old.strip_suffix(b"\n"), hunk.anchor.ends_exactly)
        && lines.bytes().ends_with(short)
        && !short.is_empty()
        && lines.is_start(len - short.len())
    {
        stands.places.push(len - short.len()..len);
        stands.count += 1;
    }
    let mut spots = Spots::from(stands);
    if hunk.anchor.is_first {
        spots.retain(|place| place.start <= lines.body_start());
    }
    if hunk.anchor.last == Last::Preferred && spots.places.iter().any(|place| place.end == len) {
        spots.retain(|place| place.end == len);
    }
    spots
}

/// These lines, whatever they hold; the last number is behind the last line.
fn of_numbers(lines: &LineIndex<'_>, (first, last): (usize, usize)) -> Vec<Range<usize>> {
    let before = first.saturating_sub(1);
    let is_there = last <= lines.count() || (last < first && first == usize::MAX);
    let place = lines.start(before)..lines.start(if last < first { before } else { last });
    if is_there { vec![place] } else { Vec::new() }
}

/// Keeps of each hunk's places those behind the line that it names.
fn keep_behind_heads(lines: &LineIndex<'_>, found: &mut [Spots], hunks: &[Hunk<'_>]) {
    if hunks.iter().all(|hunk| hunk.anchor.behind.is_empty()) {
        return;
    }
    let decided = found.iter().enumerate().filter(|(_, spots)| spots.count == 1 && !spots.places[0].is_empty());
    let mut taken: Vec<(Range<usize>, usize)> = decided.map(|(n, spots)| (spots.places[0].clone(), n)).collect();
    taken.sort_unstable_by_key(|(place, _)| place.start);
    let mut behind_others = 0;
    // What came of hunks that are alike and had several places, so that none is the one that another stands at.
    let mut known: HashMap<(&[u8], &Anchor, usize), Spots> = HashMap::new();
    for (n, hunk) in hunks.iter().enumerate() {
        let anchor = hunk.anchor;
        if n > 0 && hunks[n - 1].anchor.section != anchor.section {
            behind_others = 0;
        }
        let alike = (found[n].count != 1).then_some((hunk.old, anchor, behind_others));
        if let Some(spots) = alike.and_then(|alike| known.get(&alike)) {
            found[n] = spots.clone();
        } else if !anchor.behind.is_empty() {
            // A line that another hunk is about is not one that is there for this one.
            let is_free = |&line: &usize| {
                let at = lines.start(line);
                let before = &taken[..taken.partition_point(|(place, _)| place.start <= at)];
                before.last().is_none_or(|(place, other)| place.end <= at || *other == n)
            };
            let mut heads = ends_of_context(lines, &anchor.behind);
            if anchor.must_be_behind {
                heads.retain(is_free);
            }
            let later: Vec<usize> = heads.iter().copied().filter(|&line| lines.start(line) >= behind_others).collect();
            if anchor.in_order && !later.is_empty() {
                heads = later;
            }
            keep_behind(lines, &mut found[n], (hunk, heads));
            known.extend(alike.map(|alike| (alike, found[n].clone())));
        }
        if found[n].count == 1 {
            behind_others = behind_others.max(found[n].places[0].end);
        }
    }
}

/// Keeps those places that stand in the block which one of these lines opens; else those behind the first.
fn keep_behind(lines: &LineIndex<'_>, spots: &mut Spots, (hunk, heads): (&Hunk<'_>, Vec<usize>)) {
    let anchor = hunk.anchor;
    let is_behind = |place: &Range<usize>, head: usize| place.end > lines.start(head);
    if hunk.old.is_empty() && anchor.last == Last::Anywhere {
        *spots = Spots::of(heads.iter().map(|&head| lines.start(head + 1)).map(|at| at..at).collect());
        spots.retain(|place| !anchor.is_first || place.start <= lines.body_start());
    } else if let (Some(&first), true) = (heads.first(), anchor.must_be_behind || !spots.is_decided()) {
        let blocks = if spots.is_decided() { Vec::new() } else { lines.blocks(&heads) };
        let in_block = |place: &Range<usize>| {
            let line = lines.number(place.start);
            let at = blocks.partition_point(|block| block.end <= line);
            blocks.get(at).is_some_and(|block| block.contains(&line))
        };
        if !spots.is_decided() && spots.places.iter().any(in_block) {
            spots.retain(in_block);
        } else {
            spots.retain(|place| is_behind(place, first));
        }
    }
    if anchor.must_be_behind {
        let found = heads.first().map(|&first| (lines.start(first), heads.iter().copied().take(KEPT).collect()));
        if found.is_none() {
            *spots = Spots::default();
        }
        spots.head = Some(Head { named: anchor.behind.last().cloned().unwrap_or_default(), found });
    }
}

/// The lines that the last of some lines may be, where each stands behind the one before.
fn ends_of_context(lines: &LineIndex<'_>, behind: &[Vec<u8>]) -> Vec<usize> {
    let mut from = 0;
    let mut found = Vec::new();
    for wanted in behind {
        let later = |all: Vec<usize>| -> Vec<usize> { all.into_iter().filter(|&line| line >= from).collect() };
        found = later(lines.same(wanted));
        if found.is_empty() {
            found = later(lines.alike(wanted));
        }
        match found.first() {
            Some(first) => from = first + 1,
            None => return Vec::new(),
        }
    }
    found
}

/// Keeps those of several places from which all hunks can stand in their order. One that has one place stays there, whatever
/// the order.
fn keep_in_order(found: &mut [Spots]) {
    if found.iter().all(Spots::is_decided) {
        return;
    }
    let decided: Vec<bool> = found.iter().map(Spots::is_decided).collect();
    // The earliest end that those before leave, and the latest start that those behind leave.
    let mut least = 0;
    for (spots, decided) in found.iter_mut().zip(&decided) {
        if !decided && spots.places.iter().any(|place| place.start >= least) {
            spots.retain(|place| place.start >= least);
        }
        least = spots.places.iter().map(|place| place.end).min().map_or(least, |end| end.max(least));
    }
    let mut most = usize::MAX;
    for (spots, decided) in found.iter_mut().zip(&decided).rev() {
        if !decided && spots.places.iter().any(|place| place.end <= most) {
            spots.retain(|place| place.end <= most);
        }
        // Of very many places the last is not known.
        let latest = spots.places.iter().map(|place| place.start).max().filter(|_| spots.count <= MOST_PLACES);
        most = latest.map_or(most, |start| start.min(most));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, hunks: &[(&str, Anchor)], want: &[&[usize]]) {
        let lf = LfText::new(text.as_bytes());
        let hunks: Vec<Hunk<'_>> =
            hunks.iter().map(|(old, anchor)| Hunk { old: old.as_bytes(), new_lines: 1, anchor }).collect();
        let got: Vec<Vec<usize>> = places(&lf, 0, &hunks)
            .into_iter()
            .map(|spots| spots.places.iter().map(|place| 1 + text[..place.start].matches('\n').count()).collect())
            .collect();
        assert_eq!(got, want, "{text:?}");
    }

    fn plain() -> Anchor {
        Anchor::default()
    }

    fn behind(lines: &[&str]) -> Anchor {
        Anchor { behind: lines.iter().map(|line| line.as_bytes().to_vec()).collect(), ..Anchor::in_order() }
    }

    fn at(line: usize) -> Anchor {
        Anchor { line: Some(line), ..Anchor::default() }
    }

    #[test]
    fn only_whole_lines_count() {
        check("xa\na\nab\n", &[("a\n", plain())], &[&[2]]);
        check("xa\nab\n", &[("a\n", plain())], &[&[]]);
        check("x\na", &[("a\n", plain())], &[&[2]]);
        check("x\na", &[("a\n", Anchor { ends_exactly: true, ..plain() })], &[&[]]);
    }

    #[test]
    fn a_named_line_decides_for_its_own_block() {
        let text = "def f():\n    return 1\n\ndef g():\n    return 1\n";
        check(text, &[("    return 1\n", Anchor::in_order())], &[&[2, 5]]);
        check(text, &[("    return 1\n", behind(&["def g():"]))], &[&[5]]);
        check(text, &[("    return 1\n", behind(&["def f():"]))], &[&[2]]);
        let text = "class A:\n  def f():\n    x\nclass B:\n  def f():\n    x\n    x\n";
        check(text, &[("    x\n", behind(&["class A:", "def f():"]))], &[&[3, 6, 7]]);
        check(text, &[("    x\n", behind(&["class B:", "  def f():"]))], &[&[6, 7]]);
    }

    #[test]
    fn order_decides_and_what_is_certain_needs_none() {
        let text = "x\na\nx\nb\nx\n";
        check(
            text,
            &[("a\n", Anchor::in_order()), ("x\n", Anchor::in_order()), ("b\n", Anchor::in_order())],
            &[&[2], &[3], &[4]],
        );
        check(text, &[("b\n", Anchor::in_order()), ("a\n", Anchor::in_order())], &[&[4], &[2]]);
        check(text, &[("a\n", Anchor::in_order()), ("x\n", Anchor::in_order())], &[&[2], &[3, 5]]);
        check(text, &[("x\n", Anchor { last: Last::Preferred, ..Anchor::in_order() })], &[&[5]]);
    }

    #[test]
    fn a_number_chooses_the_nearest_as_git_does() {
        let text = "x\na\nx\nb\nx\n";
        check(text, &[("x\n", at(1))], &[&[1]]);
        check(text, &[("x\n", at(2))], &[&[1, 3]]);
        check(text, &[("x\n", at(4))], &[&[3, 5]]);
        check(text, &[("x\n", at(9))], &[&[5]]);
        check(text, &[("x\n", at(1)), ("x\n", at(1))], &[&[1], &[3]]);
        check(text, &[("x\n", Anchor { last: Last::UnlessNumbered, ..at(1) })], &[&[1]]);
        // At its number, and at the end, where git takes it.
        check(text, &[("x\n", Anchor { last: Last::UnlessNumberedAlone, ..at(1) })], &[&[1, 5]]);
        check(text, &[("a\n", Anchor { last: Last::UnlessNumberedAlone, ..at(2) })], &[&[2]]);
        check(text, &[("x\n", Anchor { last: Last::UnlessNumberedAlone, ..at(2) })], &[&[5]]);
        check(text, &[("x\n", Anchor { last: Last::UnlessNumbered, ..at(2) })], &[&[5]]);
        check(text, &[("", Anchor { last: Last::UnlessNumbered, ..at(3) })], &[&[]]);
        check(text, &[("", Anchor { last: Last::UnlessNumbered, ..at(6) })], &[&[6]]);
        check(text, &[("x\n", Anchor { is_first: true, ..at(5) })], &[&[1]]);
    }

    #[test]
    fn a_number_counts_lines_as_the_hunks_before_leave_them_and_side_by_side_hunks_are_two() {
        let numbered = |line| Anchor { last: Last::UnlessNumbered, ..at(line) };
        let text = "a\nb\nx\nc\nx\nd\n";
        // The first leaves one line less.
        check(text, &[("a\nb\n", at(1)), ("x\n", numbered(2))], &[&[1], &[3]]);
        check(text, &[("a\nb\n", at(1)), ("x\n", numbered(4))], &[&[1], &[5]]);
        check(text, &[("a\nb\n", at(1)), ("x\n", numbered(3))], &[&[1], &[]]);
        check(text, &[("a\nb\n", at(1)), ("x\n", numbered(2)), ("d\n", numbered(5))], &[&[1], &[3], &[6]]);
        // One behind the other, in either order.
        check(text, &[("a\n", numbered(1)), ("b\n", numbered(2))], &[&[1], &[2]]);
        check(text, &[("c\n", numbered(4)), ("x\n", numbered(3))], &[&[4], &[3]]);
    }

    #[test]
    fn a_hunk_of_the_first_line_or_of_the_last_one_is_at_its_number_there() {
        let first = |line| Anchor { is_first: true, last: Last::UnlessNumbered, ..at(line) };
        check("x\na\n", &[("x\n", first(1))], &[&[1]]);
        check("a\nx\nb\n", &[("x\n", first(2))], &[&[]]);
        check("x\na\nx\n", &[("x\n", Anchor { last: Last::UnlessNumberedAlone, ..at(3) })], &[&[3]]);
    }

    #[test]
    fn a_line_that_must_stand_before_is_there_or_the_hunk_has_no_place() {
        let must = |lines: &[&str]| Anchor { must_be_behind: true, ..behind(lines) };
        let text = "def f():\n    pass\nx = 1\ndef g():\n    y = 1\n";
        check(text, &[("x = 1\n", must(&["def g():"]))], &[&[]]);
        check(text, &[("x = 1\n", must(&["def h():"]))], &[&[]]);
        check(text, &[("x = 1\n", must(&["def f():"]))], &[&[3]]);
        // The line may be the hunk's own first one.
        check(text, &[("x = 1\n", must(&["x = 1"]))], &[&[3]]);
        // What another hunk takes away is not there, and of two that are alike the one behind it is meant.
        let text = "q\na\nq\nb\n";
        check(text, &[("q\na\n", Anchor::in_order()), ("", must(&["q"]))], &[&[1], &[4]]);
        check("q\na\nb\n", &[("q\na\n", Anchor::in_order()), ("", must(&["q"]))], &[&[1], &[]]);
        // Of two alike none is taken because something is indented behind it.
        check("a\nx\na\n  y\n", &[("", must(&["a"]))], &[&[2, 4]]);
    }

    #[test]
    fn what_only_adds_goes_to_the_end_or_behind_the_line_that_is_named() {
        check("a\nb\n", &[("", Anchor::in_order())], &[&[3]]);
        check("a\nb\n", &[("", behind(&["a"]))], &[&[2]]);
        check("a\na\n", &[("", behind(&["a"]))], &[&[2, 3]]);
    }
}
