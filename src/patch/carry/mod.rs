//! Carries splices from the text that they were made for to another version of it.
//!
//! The one rule behind undo, redo, undo of single hunks, committing only the agent's lines, and edits in the index: a
//! trimmed splice goes where its bytes stand untouched, whatever happened around it, and nowhere else.
//! Owns the decision whether a splice fits; does not read files and does not apply anything.
//! Invariant: a carried splice replaces, in the other text, exactly the bytes that it replaced in the first.
//!
//! 1. Splices are trimmed: what old and new text share at their ends is no part of them ([`trim`]).
//! 2. The texts are aligned twice, with ties broken both ways. Where the two disagree so that the results differ, the
//!    place is not certain, and that is a conflict.
//! 3. A splice that replaces bytes needs all of them, side by side. An insertion needs its neighbours.
//! 4. Inside a changed line, enough of the rest of the line must stand, else the equal bytes may be chance.

mod certain;
pub mod refine;

use super::{FilePatch, Splice};
use crate::patch::align::{Alignment, Lean};
use crate::text::{Lines, common_ends, line_end, line_start, lines_touched, starts_line};
use certain::{Images, Table};
use std::ops::Range;

/// How strict a place is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// Of undo and redo: bytes count. Where others have put text at the very place of a deletion, the place is unknown.
    Bytes,
    /// Of git commits: whole lines count, as the rest of a line may not be the user's uncommitted work. Where others
    /// have put text at the very place of an insertion, it goes before that text.
    Lines,
}

/// Why a splice does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// Some of its bytes are no longer there.
    Changed,
    /// It would be put between neighbours that are both gone.
    PlaceGone,
    /// Others have put text right there.
    PlaceTaken,
    /// The line around it is another.
    LineChanged,
    /// There are several equal places.
    Uncertain,
}

/// A splice that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Its index among the splices.
    pub splice: usize,
    /// Why.
    pub misfit: Misfit,
    /// Where it would have to be, in the other text.
    pub near: Range<usize>,
}

/// Leaves out of a splice of `text` what its old and new bytes share; `None` where it changes nothing.
///
/// What is left of a pure insertion or deletion is moved to the start of its line where it can be, because lines are
/// what people insert and delete.
pub fn trim(text: &[u8], splice: &Splice) -> Option<Splice> {
    let Splice { range, replacement, origin } = splice;
    let (prefix, suffix) = common_ends(&text[range.clone()], replacement);
    let (mut start, mut end) = (range.start + prefix, range.end - suffix);
    let mut wanted = replacement[prefix..replacement.len() - suffix].to_vec();
    if start == end && wanted.is_empty() {
        return None;
    }
    let most = start - range.start;
    if start == end && wanted.contains(&b'\n') {
        let by = (0..=most)
            .take_while(|&k| k == 0 || wanted[wanted.len() - 1 - (k - 1) % wanted.len()] == text[start - k])
            .find(|&k| starts_line(text, start - k));
        if let Some(by) = by {
            let turn = by % wanted.len();
            wanted.rotate_right(turn);
            (start, end) = (start - by, end - by);
        }
    } else if wanted.is_empty() && text[start..end].contains(&b'\n') {
        let by = (0..=most)
            .take_while(|&k| k == 0 || text[end - k] == text[start - k])
            .find(|&k| starts_line(text, start - k));
        if let Some(by) = by {
            (start, end) = (start - by, end - by);
        }
    }
    Some(Splice { range: start..end, replacement: wanted, origin: origin.clone() })
}

/// Carries trimmed splices of `from`, sorted and disjoint, to `to`.
///
/// # Errors
/// All splices that do not fit; then none is to be applied.
pub fn carry(splices: &[Splice], from: &[u8], to: &[u8], fit: Fit) -> Result<FilePatch, Vec<Conflict>> {
    if from == to {
        return patch_of(splices, splices.iter().map(|p| p.range.clone()), to);
    }
    let table = Table::new(from, to);
    let carrier = |lean| Carrier { alignment: Alignment::new(from, to, lean), table: table.as_ref(), from, to, fit };
    let (early, late) = (carrier(Lean::Early), carrier(Lean::Late));
    let mut conflicts = Vec::new();
    let (mut places, mut others) = (Vec::new(), Vec::new());
    for (index, splice) in splices.iter().enumerate() {
        match (early.place(splice), late.place(splice)) {
            (Ok(a), Ok(b)) => {
                places.push(a);
                others.push(b);
            }
            (Err(misfit), other) => {
                let misfit = if other.is_ok() { Misfit::Uncertain } else { misfit };
                conflicts.push(Conflict { splice: index, misfit, near: late.near(splice) });
            }
            (Ok(_), Err(_)) => {
                conflicts.push(Conflict { splice: index, misfit: Misfit::Uncertain, near: early.near(splice) });
            }
        }
    }
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    let differing: Vec<usize> = (0..splices.len()).filter(|&i| places[i] != others[i]).collect();
    let patch = patch_of(splices, places.into_iter(), to)?;
    if differing.is_empty() {
        return Ok(patch);
    }
    let other = patch_of(splices, others.into_iter(), to)?;
    if patch.apply(to) == other.apply(to) {
        return Ok(patch);
    }
    let uncertain = |i: usize| Conflict { splice: i, misfit: Misfit::Uncertain, near: early.near(&splices[i]) };
    Err(differing.into_iter().map(uncertain).collect())
}

fn patch_of(
    splices: &[Splice],
    places: impl Iterator<Item = Range<usize>>,
    to: &[u8],
) -> Result<FilePatch, Vec<Conflict>> {
    let moved = splices.iter().zip(places).map(|(splice, range)| Splice { range, ..splice.clone() });
    let splices: Vec<Splice> = moved.collect();
    let near: Vec<Range<usize>> = splices.iter().map(|s| s.range.clone()).collect();
    FilePatch::new(to.len(), splices).map_err(|err| {
        let index = match err {
            super::SpliceError::Overlap(_, i)
            | super::SpliceError::OutOfBounds(i)
            | super::SpliceError::NoOrigin(i) => i,
        };
        vec![Conflict { splice: index, misfit: Misfit::Uncertain, near: near[index].clone() }]
    })
}

/// One alignment, and the texts that it aligns.
struct Carrier<'a> {
    alignment: Alignment,
    table: Option<&'a Table>,
    from: &'a [u8],
    to: &'a [u8],
    fit: Fit,
}

impl Carrier<'_> {
    fn near(&self, splice: &Splice) -> Range<usize> {
        self.alignment.region(&splice.range, self.to.len())
    }

    fn place(&self, splice: &Splice) -> Result<Range<usize>, Misfit> {
        let place = if splice.range.is_empty() {
            let at = self.insertion_point(splice)?;
            at..at
        } else {
            self.alignment.range(&splice.range).ok_or(Misfit::Changed)?
        };
        if !self.is_certain(splice, &place) {
            return Err(Misfit::Uncertain);
        }
        let removes_lines = starts_line(self.from, splice.range.start)
            && (self.from[splice.range.clone()].ends_with(b"\n") || is_lines(splice));
        if removes_lines && !starts_line(self.to, place.start) {
            return Err(Misfit::LineChanged);
        }
        let stands = self.words_stand(splice, &place) && self.line_stands(splice, &place);
        if stands { Ok(place) } else { Err(Misfit::LineChanged) }
    }

    /// Whether no other place is as good.
    fn is_certain(&self, splice: &Splice, place: &Range<usize>) -> bool {
        let Some(table) = self.table else {
            return splice.range.is_empty() || !self.alignment.is_chance(&splice.range, self.from, self.to);
        };
        let (start, end) = (splice.range.start, splice.range.end.max(splice.range.start + 1));
        let between_lines = splice.range.is_empty() && starts_line(self.from, start) && is_lines(splice);
        let lines = if between_lines || self.from.is_empty() {
            let line = lines_touched(self.from, &(start..start)).start;
            line.saturating_sub(1)..(line + 1).min(table.line_count())
        } else {
            let start = start.min(self.from.len() - 1);
            lines_touched(self.from, &(start..end.min(self.from.len()).max(start + 1)))
        };
        let images: Vec<Images> = lines.clone().map(|i| table.images(i)).collect();
        let is_one = |line: &Images| line.lines.len() == 1 && !line.may_be_gone;
        if between_lines {
            // One neighbour that is certain is enough.
            if images.iter().any(is_one) || images.iter().all(|line| line.lines.is_empty()) {
                return true;
            }
        } else if images.iter().any(|line| line.lines.is_empty()) {
            // Inside changed lines the words decide.
            return splice.range.is_empty() || !self.alignment.is_chance(&splice.range, self.from, self.to);
        } else if images.iter().any(|line| line.may_be_gone) {
            return false;
        } else if images.iter().all(is_one) {
            return true;
        }
        // Several places: they must all give the same text.
        let lines_of_to = Lines::new(self.to);
        let result = |at: usize| [&self.to[..at], &splice.replacement, &self.to[at + place.len()..]].concat();
        let want = result(place.start);
        let start_of = |line: usize| lines_of_to.range(line + 1).start;
        let places: Vec<usize> = if between_lines {
            let first = lines_touched(self.from, &(start..start)).start;
            let shift = |line: usize| usize::from(line < first);
            lines
                .zip(&images)
                .flat_map(|(i, image)| image.lines.iter().map(move |&j| j + shift(i)))
                .map(start_of)
                .collect()
        } else {
            let column = start - line_head(self.from, start).start;
            images[0].lines.iter().map(|&line| start_of(line) + column).collect()
        };
        places
            .into_iter()
            .all(|at| self.to.get(at..at + place.len()) == Some(&self.from[splice.range.clone()]) && result(at) == want)
    }

    /// Where an insertion goes: between its neighbours, or beside the one that is left.
    fn insertion_point(&self, splice: &Splice) -> Result<usize, Misfit> {
        let at = splice.range.start;
        let mut left = at.checked_sub(1).and_then(|at| self.alignment.byte(at)).map(|at| at + 1);
        let right = if at < self.from.len() { self.alignment.byte(at) } else { None };
        if let Some(image) = left
            && starts_line(self.from, at)
        {
            // The ending of the line before stands even where that line was rewritten; that is no neighbour.
            let line = line_head(self.from, at - 1);
            let window = line_head(self.to, image - 1);
            left = left.filter(|_| self.stands(line, &window));
        }
        match (left, right) {
            (Some(left), Some(right)) if left == right => Ok(left),
            (Some(left), Some(right)) => self.between(splice, left, right),
            (Some(left), None) if at == self.from.len() || !self.is_same_line_as_right(splice) => Ok(left),
            (None, Some(right)) if at == 0 || !self.is_same_line_as_left(splice) => Ok(self.line_start(splice, right)),
            (Some(_), None) | (None, Some(_)) => Err(Misfit::PlaceGone),
            (None, None) if self.from.is_empty() && self.to.is_empty() => Ok(0),
            (None, None) => Err(Misfit::PlaceGone),
        }
    }

    /// Both neighbours stand, but others have put text between them.
    fn between(&self, splice: &Splice, left: usize, right: usize) -> Result<usize, Misfit> {
        if self.is_same_line_as_right(splice) && starts_line(self.from, splice.range.start) {
            return Ok(right);
        }
        if self.is_same_line_as_left(splice)
            && self.from.get(splice.range.start).is_none_or(|&b| b == b'\n' || b == b'\r')
        {
            return Ok(left);
        }
        match self.fit {
            Fit::Lines if is_lines(splice) && starts_line(self.to, left) => Ok(left),
            Fit::Bytes | Fit::Lines => Err(Misfit::PlaceTaken),
        }
    }

    /// Whether the inserted text is part of the line that its right neighbour stands in.
    fn is_same_line_as_right(&self, splice: &Splice) -> bool {
        !splice.replacement.ends_with(b"\n")
            && self.from.get(splice.range.start).is_some_and(|&b| b != b'\n' && b != b'\r')
    }

    /// Whether the inserted text is part of the line that its left neighbour stands in.
    fn is_same_line_as_left(&self, splice: &Splice) -> bool {
        let starts_new = splice.replacement.starts_with(b"\n") || splice.replacement.starts_with(b"\r\n");
        !starts_new && !starts_line(self.from, splice.range.start)
    }

    /// Whole lines go in front of the line of their right neighbour, even if that was indented since.
    fn line_start(&self, splice: &Splice, right: usize) -> usize {
        if !is_lines(splice) || !starts_line(self.from, splice.range.start) {
            return right;
        }
        let blanks = self.to[..right].iter().rev().take_while(|b| matches!(b, b' ' | b'\t')).count();
        if starts_line(self.to, right - blanks) { right - blanks } else { right }
    }

    /// Whether a word of which the splice is a part is still the same up to the splice: trimming may cut words in two, and
    /// half of one must not be put to half of another.
    fn words_stand(&self, splice: &Splice, place: &Range<usize>) -> bool {
        let present = &self.from[splice.range.clone()];
        let new = &splice.replacement;
        let (first, last) = ([present.first(), new.first()], [present.last(), new.last()]);
        let is_part = |bytes: [Option<&u8>; 2]| bytes.into_iter().flatten().any(|&byte| is_word(byte));
        let (before, after) = (&self.from[..splice.range.start], &self.from[splice.range.end..]);
        let head = before.iter().rev().take_while(|&&byte| is_word(byte)).count();
        let tail = after.iter().take_while(|&&byte| is_word(byte)).count();
        let stands = |range: Range<usize>, at: Option<usize>| {
            range.is_empty() || self.alignment.range(&range).is_some_and(|image| Some(image.start) == at)
        };
        let (start, end) = (splice.range.start, splice.range.end);
        (!is_part(first) || stands(start - head..start, place.start.checked_sub(head)))
            && (!is_part(last) || stands(end..end + tail, Some(place.end)))
    }

    /// Whether the line around the place is still the line around the splice.
    fn line_stands(&self, splice: &Splice, place: &Range<usize>) -> bool {
        let present = &self.from[splice.range.clone()];
        let text = if present.is_empty() { &splice.replacement[..] } else { present };
        let whole_before = text.starts_with(b"\n") || text.starts_with(b"\r\n");
        let whole_after = text.ends_with(b"\n") && (!present.is_empty() || starts_line(self.from, splice.range.start));
        let outside_before = if whole_before { 0..0 } else { line_head(self.from, splice.range.start) };
        let outside_after = if whole_after { 0..0 } else { line_tail(self.from, splice.range.end) };
        if self.fit == Fit::Lines {
            let before = if whole_before { 0..0 } else { line_head(self.to, place.start) };
            let after = if whole_after { 0..0 } else { line_tail(self.to, place.end) };
            return self.from[outside_before] == self.to[before] && self.from[outside_after] == self.to[after];
        }
        const ENOUGH: usize = 16;
        if present.iter().filter(|b| !b.is_ascii_whitespace()).count() >= ENOUGH {
            return true;
        }
        let window = line_head(self.to, place.start).start..line_tail(self.to, place.end).end;
        self.stands(outside_before.chain(outside_after), &window)
    }

    /// Whether at least a third of these bytes of the first text, blanks aside, are in `window` of the other.
    fn stands(&self, bytes: impl Iterator<Item = usize>, window: &Range<usize>) -> bool {
        let (mut all, mut standing) = (0, 0);
        for index in bytes.filter(|&i| !self.from[i].is_ascii_whitespace()) {
            all += 1;
            standing += usize::from(self.alignment.byte(index).is_some_and(|at| window.contains(&at)));
        }
        standing * 3 >= all
    }
}

/// Whether the splice inserts whole lines.
fn is_lines(splice: &Splice) -> bool {
    splice.range.is_empty() && splice.replacement.ends_with(b"\n")
}

/// Letters, digits, the underscore, and whatever is not ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The bytes of the line before `at`.
fn line_head(text: &[u8], at: usize) -> Range<usize> {
    line_start(text, at)..at
}

/// The bytes of the line from `at` on, without its ending.
fn line_tail(text: &[u8], at: usize) -> Range<usize> {
    at..line_end(text, at)
}

#[cfg(test)]
mod tests;
