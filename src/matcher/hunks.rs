//! Where the hunks of a patch stand: whole lines, in a text with LF only.
//!
//! Owns what decides between several places that are equal: the lines that a hunk names as standing before it, the order of
//! hunks, the end of the file, and line numbers. Does not write, and matches nothing but the lines as they are.
//! Invariant: what is given is every place that nothing decides against; more than one is for nobody to choose from.

use super::exact;
use super::fold;
use crate::request::{Anchor, Last};
use crate::text::LfText;
use std::ops::Range;

/// A hunk to be placed.
#[derive(Debug, Clone, Copy)]
pub struct Hunk<'a> {
    /// Its lines before, with LF; empty for one that only adds.
    pub old: &'a [u8],
    /// How many lines it makes of them.
    pub new_lines: usize,
    /// What it says of its place.
    pub anchor: &'a Anchor,
}

/// The places of a hunk: one where it is decided.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spots {
    /// In bytes of the LF text, in order.
    pub places: Vec<Range<usize>>,
}

/// Of a hunk with more places than this none is chosen.
const MOST_PLACES: usize = 10_000;

/// The lines of a text.
struct Lines<'t> {
    bytes: &'t [u8],
    /// Where each starts, and the end of the text.
    starts: Vec<usize>,
    body_start: usize,
}

/// Places all hunks of one file.
pub fn places(text: &LfText<'_>, body_start: usize, hunks: &[Hunk<'_>]) -> Vec<Spots> {
    let lines = Lines::of(text.bytes(), body_start);
    let mut found: Vec<Spots> = hunks.iter().map(|hunk| lines.spots(text, hunk)).collect();
    for (spots, hunk) in found.iter_mut().zip(hunks) {
        lines.keep_behind(spots, &hunk.anchor.behind);
    }
    let mut from = 0;
    while from < hunks.len() {
        let section = hunks[from].anchor.section;
        let end = from + hunks[from..].iter().take_while(|hunk| hunk.anchor.section == section).count();
        lines.keep_numbered(&mut found[from..end], &hunks[from..end]);
        if hunks[from..end].iter().all(|hunk| hunk.anchor.in_order) {
            keep_in_order(&mut found[from..end]);
        }
        from = end;
    }
    found
}

impl<'t> Lines<'t> {
    fn of(bytes: &'t [u8], body_start: usize) -> Self {
        let mut starts = vec![body_start];
        starts.extend(
            memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).filter(|&at| at < bytes.len() && at > body_start),
        );
        Self { bytes, starts, body_start }
    }

    /// The line that starts at `offset`, or holds it.
    fn number(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    fn line(&self, number: usize) -> &'t [u8] {
        let end = self.starts.get(number + 1).map_or(self.bytes.len(), |&next| next);
        let line = &self.bytes[self.starts[number]..end];
        line.strip_suffix(b"\n").unwrap_or(line)
    }

    fn is_start(&self, offset: usize) -> bool {
        offset == 0 || offset == self.body_start || self.bytes[..offset].ends_with(b"\n")
    }

    /// All places whose lines are those of the hunk, and that its ends allow.
    fn spots(&self, text: &LfText<'_>, hunk: &Hunk<'_>) -> Spots {
        let len = self.bytes.len();
        if let Some(lines) = hunk.anchor.lines {
            return self.numbered(lines);
        }
        if hunk.old.is_empty() {
            return self.insertion(hunk);
        }
        let starts = exact::all_starts(text, hunk.old, MOST_PLACES).unwrap_or_default();
        let ends_line = |end: usize| self.bytes[..end].ends_with(b"\n") || end == len;
        let mut places: Vec<Range<usize>> = starts
            .into_iter()
            .map(|start| start..start + hunk.old.len())
            .filter(|place| self.is_start(place.start) && ends_line(place.end))
            .collect();
        // At the end of a file without a last newline, a hunk need not know of that.
        if let (Some(short), false) = (hunk.old.strip_suffix(b"\n"), hunk.anchor.ends_exactly)
            && self.bytes.ends_with(short)
            && !short.is_empty()
            && self.is_start(len - short.len())
        {
            places.push(len - short.len()..len);
        }
        if hunk.anchor.is_first {
            places.retain(|place| place.start <= self.body_start);
        }
        let is_last = |place: &Range<usize>| place.end == len;
        match hunk.anchor.last {
            Last::Anywhere => {}
            Last::Required => places.retain(is_last),
            Last::Preferred if places.iter().any(is_last) => {
                places.retain(is_last);
            }
            Last::Preferred => {}
        }
        Spots { places }
    }

    /// These lines, whatever they hold; the last number is behind the last line.
    fn numbered(&self, (first, last): (usize, usize)) -> Spots {
        let len = self.bytes.len();
        let count = if len == self.body_start { 0 } else { self.starts.len() };
        let start = |line: usize| self.starts.get(line).copied().filter(|_| line < count).unwrap_or(len);
        let is_there = if last < first { last <= count || first == usize::MAX } else { last <= count };
        let place = start(first.saturating_sub(1))..start(if last < first { first.saturating_sub(1) } else { last });
        Spots { places: if is_there { vec![place] } else { Vec::new() } }
    }

    /// A hunk that only adds lines: behind the line that it names, else at the end.
    fn insertion(&self, hunk: &Hunk<'_>) -> Spots {
        let len = self.bytes.len();
        let named = self.ends_of_context(&hunk.anchor.behind);
        let ends: Vec<usize> = match hunk.anchor.behind.is_empty() || hunk.anchor.last != Last::Anywhere {
            true => vec![len],
            false => named.into_iter().map(|line| self.starts.get(line + 1).copied().unwrap_or(len)).collect(),
        };
        let mut places: Vec<Range<usize>> = ends.into_iter().map(|at| at..at).collect();
        if hunk.anchor.is_first {
            places.retain(|place| place.start <= self.body_start);
        }
        Spots { places }
    }

    /// The lines that the last of some lines may be, where each stands behind the one before.
    fn ends_of_context(&self, behind: &[Vec<u8>]) -> Vec<usize> {
        let mut from = 0;
        let mut found = Vec::new();
        for wanted in behind {
            let same = |line: &usize| self.line(*line) == &wanted[..];
            let alike = |line: &usize| fold::outer(self.line(*line)) == fold::outer(wanted);
            found = (from..self.starts.len()).filter(same).collect();
            if found.is_empty() {
                found = (from..self.starts.len()).filter(alike).collect();
            }
            match found.first() {
                Some(first) => from = first + 1,
                None => return Vec::new(),
            }
        }
        found
    }

    /// Keeps those of several places that stand in the block which a named line opens; else those behind it.
    fn keep_behind(&self, spots: &mut Spots, behind: &[Vec<u8>]) {
        if behind.is_empty() || spots.places.len() < 2 {
            return;
        }
        let named = self.ends_of_context(behind);
        let in_block = |place: &Range<usize>| {
            let line = self.number(place.start);
            named.iter().any(|&head| head < line && line < self.end_of_block(head))
        };
        if spots.places.iter().any(in_block) {
            spots.places.retain(in_block);
        } else if let Some(&first) = named.first() {
            spots.places.retain(|place| self.number(place.start) > first);
        }
    }

    /// The first line behind `head` that is indented no deeper, and is no more than a closing bracket's.
    fn end_of_block(&self, head: usize) -> usize {
        let depth = |line: usize| fold::indent(self.line(line)).len();
        let is_blank = |line: usize| self.line(line).trim_ascii().is_empty();
        let own = depth(head);
        let is_outside = |&line: &usize| {
            let begins_inside = matches!(self.line(line).trim_ascii().first(), Some(b'{' | b'}' | b')' | b']'));
            !is_blank(line) && depth(line) <= own && !begins_inside
        };
        (head + 1..self.starts.len()).find(is_outside).unwrap_or(self.starts.len())
    }

    /// Keeps the place that is nearest to the number of each hunk, as `git apply` does: what stands behind hunks that are
    /// placed already is counted as they leave it, and none touches another.
    fn keep_numbered(&self, found: &mut [Spots], hunks: &[Hunk<'_>]) {
        let mut taken: Vec<(Range<usize>, isize)> = Vec::new();
        for (spots, hunk) in found.iter_mut().zip(hunks) {
            let Some(wanted) = hunk.anchor.line else { continue };
            spots
                .places
                .retain(|place| taken.iter().all(|(other, _)| place.end <= other.start || other.end <= place.start));
            let now = |place: &Range<usize>| {
                let grown: isize =
                    taken.iter().filter(|(other, _)| other.end <= place.start).map(|(_, grown)| grown).sum();
                (if place.start == self.bytes.len() && place.is_empty() {
                    self.starts.len()
                } else {
                    self.number(place.start)
                })
                .cast_signed()
                    + grown
            };
            let wanted = wanted.saturating_sub(1).cast_signed();
            let nearest = spots.places.iter().min_by_key(|place| {
                let away = now(place) - wanted;
                // Of two that are as near, the one behind.
                (away.abs(), away < 0)
            });
            if let Some(nearest) = nearest.cloned() {
                let old_lines = memchr::memchr_iter(b'\n', hunk.old).count()
                    + usize::from(!hunk.old.is_empty() && !hunk.old.ends_with(b"\n"));
                taken.push((nearest.clone(), hunk.new_lines.cast_signed() - old_lines.cast_signed()));
                spots.places = vec![nearest];
            }
        }
    }
}

/// Keeps those of several places from which all hunks can stand in their order. One that has one place stays there, whatever
/// the order.
fn keep_in_order(found: &mut [Spots]) {
    let is_decided = |spots: &Spots| spots.places.len() < 2;
    if found.iter().all(is_decided) {
        return;
    }
    let decided: Vec<bool> = found.iter().map(is_decided).collect();
    // The earliest end that those before leave, and the latest start that those behind leave.
    let mut least = 0;
    for (spots, decided) in found.iter_mut().zip(&decided) {
        if !decided {
            let kept: Vec<_> = spots.places.iter().filter(|place| place.start >= least).cloned().collect();
            if !kept.is_empty() {
                spots.places = kept;
            }
        }
        least = spots.places.iter().map(|place| place.end).min().map_or(least, |end| end.max(least));
    }
    let mut most = usize::MAX;
    for (spots, decided) in found.iter_mut().zip(&decided).rev() {
        if !decided {
            let kept: Vec<_> = spots.places.iter().filter(|place| place.end <= most).cloned().collect();
            if !kept.is_empty() {
                spots.places = kept;
            }
        }
        most = spots.places.iter().map(|place| place.start).max().map_or(most, |start| start.min(most));
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
            .map(|spots| spots.places.into_iter().map(|place| 1 + text[..place.start].matches('\n').count()).collect())
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
        check(text, &[("x\n", at(2))], &[&[3]]);
        check(text, &[("x\n", at(9))], &[&[5]]);
        check(text, &[("x\n", at(1)), ("x\n", at(1))], &[&[1], &[3]]);
        check(text, &[("x\n", Anchor { last: Last::Required, ..at(1) })], &[&[5]]);
        check(text, &[("x\n", Anchor { is_first: true, ..at(5) })], &[&[1]]);
    }

    #[test]
    fn what_only_adds_goes_to_the_end_or_behind_the_line_that_is_named() {
        check("a\nb\n", &[("", Anchor::in_order())], &[&[3]]);
        check("a\nb\n", &[("", behind(&["a"]))], &[&[2]]);
        check("a\na\n", &[("", behind(&["a"]))], &[&[2, 3]]);
    }
}
