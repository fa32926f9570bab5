//! Edits to a patch: every edit is located, and becomes splices of the text that was given.
//!
//! Owns both modes and the checks that an edit must pass. Does not know how places are found (`matcher/`,
//! [`crate::patch::merge`]) nor which bytes an exact match writes (`rewrite`).
//! Invariant: whatever the mode, the patch is against the text that was given.

mod at_once;

mod ambiguity;
mod placeholder;
pub mod refusal;
mod rewrite;

pub use placeholder::omission;

use crate::matcher::exact::{self, Needle, Places, Want};
use crate::matcher::fold;
use crate::matcher::hint::{self, Nearest};
use crate::patch::merge::{self, Uncertain};
use crate::patch::{FilePatch, Origin, Splice, algebra};
use crate::request::{Edit, Mode};
use crate::strategy::{Level, Strategy};
use crate::text::{BOM, LfText, Text, to_lf};
use refusal::{CompileError, EditLines, EditRefusal};
use rewrite::Rewrite;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// So many characters of words a new text must have in whole lines to prove that it was written: a brace stands anywhere.
const LEAST_PROOF: usize = 1;

/// Of a region that is as like the old text as this, an edit may speak that was not made.
const NEAR: f64 = 0.8;

/// Up to so many edits in sequence, each is as well located by itself.
const FEW: usize = 16;

/// At most so many further failing edits are named.
const ALSO_FAILED: usize = 20;

/// How edits are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompileOptions {
    /// How edits see each other.
    pub mode: Mode,
    /// How loosely old texts are matched.
    pub level: Level,
    /// Refuse edits whose new text contains another edit's old text, either way.
    pub refuse_nested: bool,
}

/// What the edits of one file come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compiled {
    /// Against the text that was given.
    pub patch: FilePatch,
    /// One per edit, in the order of the request.
    pub edits: Vec<EditOutcome>,
    /// The edits whose place is not certain, by index.
    pub uncertain: Vec<(usize, Uncertain)>,
}

/// What one edit does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditOutcome {
    /// 0-based, within its file.
    pub index: usize,
    /// How its place was found.
    pub strategy: Strategy,
    /// In bytes of the base: from the start of its first place to the end of its last.
    pub range: Range<usize>,
    /// How often it replaces.
    pub replacements: usize,
}

/// Locates every edit and gives the patch against `text`. No edits are a patch that changes nothing.
///
/// # Errors
/// [`CompileError`], which names the first edit that failed.
pub fn compile(text: &Text, edits: &[Edit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    match options.mode {
        Mode::Original => original(text, edits, options),
        Mode::Sequence => sequence(text, edits, options),
    }
}

/// An edit that was located.
struct Plan {
    strategy: Strategy,
    /// In the order of the text that the edit sees; not empty.
    places: Vec<Place>,
    uncertain: Option<Uncertain>,
}

/// One place of an edit, in bytes of the text that the edit sees.
struct Place {
    range: Range<usize>,
    /// What changes, within the range; in order.
    pieces: Vec<(Range<usize>, Vec<u8>)>,
}

impl Plan {
    fn outcome(&self, index: usize) -> EditOutcome {
        let (first, last) = (&self.places[0].range, &self.places[self.places.len() - 1].range);
        EditOutcome { index, strategy: self.strategy, range: first.start..last.end, replacements: self.places.len() }
    }
}

/// What plans (with their edits' indexes) write, in the order of the text.
///
/// Places are disjoint, so their order is that of the splices, also where two insert at the point where they touch.
/// Those of one edit that touch become one.
fn splices(plans: impl Iterator<Item = (usize, Plan)>) -> Vec<Splice> {
    let mut places: Vec<(Origin, Place)> = plans
        .flat_map(|(edit, plan)| {
            let origin = Origin { edit, strategy: plan.strategy };
            plan.places.into_iter().map(move |place| (origin, place))
        })
        .collect();
    places.sort_by_key(|(_, place)| place.range.start);
    let mut splices: Vec<Splice> = Vec::with_capacity(places.len());
    for (origin, place) in places {
        for (range, replacement) in place.pieces {
            match splices.last_mut() {
                // A replace_all of every character is one splice, not a million that nothing tells apart.
                Some(last) if last.range.end == range.start && last.origin[..] == [origin] => {
                    last.range.end = range.end;
                    last.replacement.extend_from_slice(&replacement);
                }
                _ => splices.push(Splice { range, replacement, origin: vec![origin] }),
            }
        }
    }
    algebra::joined(splices)
}

/// Why an edit failed, before its hint is worked out: that is done for one edit only.
enum Failure {
    Told(EditRefusal),
    NoMatch,
    /// The new text stands at these lines, unless another place of the text is near enough to the old one.
    Applied(RangeInclusive<usize>),
    Ambiguous(Places),
}

impl From<EditRefusal> for Failure {
    fn from(refusal: EditRefusal) -> Self {
        Self::Told(refusal)
    }
}

/// The text that an edit sees.
struct Seen<'a> {
    base: &'a Text,
    /// What the edits before did to the base.
    patch: &'a FilePatch,
    /// The text after that patch, with LF only.
    lf: &'a LfText<'a>,
    rewrite: Rewrite<'a>,
    is_utf8: bool,
    level: Level,
}

fn original(text: &Text, edits: &[Edit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    let plans = locate_all(text, edits, options.level)?;
    compiled(text, edits, options, plans)
}

/// The patch of plans that are all against the base.
fn compiled(text: &Text, edits: &[Edit], options: &CompileOptions, plans: Vec<Plan>) -> Result<Compiled, CompileError> {
    refuse_overlap(text, &plans)?;
    let outcomes: Vec<_> = plans.iter().enumerate().map(|(index, plan)| plan.outcome(index)).collect();
    if options.refuse_nested {
        refuse_nested(text, edits, &outcomes)?;
    }
    let uncertain =
        plans.iter().enumerate().filter_map(|(index, plan)| Some((index, plan.uncertain.clone()?))).collect();
    let patch = FilePatch::from_sorted(text.bytes().len(), splices(plans.into_iter().enumerate()));
    Ok(Compiled { patch, edits: outcomes, uncertain })
}

/// Locates every edit in the base.
fn locate_all(text: &Text, edits: &[Edit], level: Level) -> Result<Vec<Plan>, CompileError> {
    let (lf, untouched) = (LfText::new(text.bytes()), FilePatch::from_sorted(text.bytes().len(), Vec::new()));
    let is_utf8 = is_utf8_if_it_matters(text, edits);
    let rewrite = Rewrite::new(text, &lf);
    let seen = Seen { base: text, patch: &untouched, lf: &lf, rewrite, is_utf8, level };
    let olds: Vec<Cow<'_, [u8]>> = edits.iter().map(|edit| to_lf(edit.old())).collect();
    let needles: Vec<Needle<'_>> = edits.iter().zip(&olds).map(|(edit, old)| seen.needle(edit, old)).collect();

    let mut plans = Vec::with_capacity(edits.len());
    let mut failed: Option<(usize, Failure)> = None;
    let mut also_failed = Vec::new();
    for ((index, edit), places) in edits.iter().enumerate().zip(exact::find(&lf, &needles)) {
        match seen.locate(edit, places) {
            Ok(plan) => plans.push(plan),
            Err(failure) if failed.is_none() => failed = Some((index, failure)),
            Err(_) => also_failed.push(index),
        }
        if also_failed.len() == ALSO_FAILED {
            break;
        }
    }
    if let Some((index, failure)) = failed {
        return Err(CompileError { index, refusal: Box::new(seen.refusal(&olds[index], failure)), also_failed });
    }
    Ok(plans)
}

fn sequence(text: &Text, edits: &[Edit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    if edits.len() > FEW
        && let Some(plans) = at_once::plans(text, edits)
    {
        return compiled(text, edits, options, plans);
    }
    let is_utf8 = is_utf8_if_it_matters(text, edits);
    let mut lf = LfText::new(text.bytes());
    let mut patch = FilePatch::from_sorted(text.bytes().len(), Vec::new());
    let (mut outcomes, mut uncertain) = (Vec::with_capacity(edits.len()), Vec::new());
    for (index, edit) in edits.iter().enumerate() {
        let old = to_lf(edit.old());
        let rewrite = Rewrite::new(text, &lf);
        let seen = Seen { base: text, patch: &patch, lf: &lf, rewrite, is_utf8, level: options.level };
        let places = exact::find(&lf, &[seen.needle(edit, &old)]).remove(0);
        let plan = seen.locate(edit, places).map_err(|failure| CompileError {
            index,
            refusal: Box::new(seen.refusal(&old, failure)),
            also_failed: Vec::new(),
        })?;
        let outcome = plan.outcome(index);
        outcomes.push(EditOutcome { range: algebra::base_range(&patch, &outcome.range), ..outcome });
        uncertain.extend(plan.uncertain.clone().map(|one| (index, one)));
        let is_exact = plan.strategy == Strategy::Exact;
        let step = FilePatch::from_sorted(patch.result_len(), splices(std::iter::once((index, plan))));
        if is_exact {
            // From the last to the first, so that the offsets of the others stay true.
            for splice in step.splices().iter().rev() {
                lf.splice(lf.offset_of(splice.range.start)..lf.offset_of(splice.range.end), &splice.replacement);
            }
            patch = algebra::then(patch, step);
        } else {
            // Only exact places are sure not to cut a CRLF in two.
            patch = algebra::then(patch, step);
            lf = LfText::new(&patch.apply(text.bytes())).into_owned();
        }
        debug_assert_eq!(lf.original(lf.bytes().len()), patch.result_len(), "the LF reading is that of the patch");
    }
    if options.refuse_nested {
        refuse_nested(text, edits, &outcomes)?;
    }
    Ok(Compiled { patch, edits: outcomes, uncertain })
}

/// A long file is looked through only where a new text is not ASCII.
fn is_utf8_if_it_matters(text: &Text, edits: &[Edit]) -> bool {
    edits.iter().all(|edit| edit.new_text().is_ascii()) || text.is_utf8()
}

fn check_count(edit: &Edit, found: usize) -> Result<(), EditRefusal> {
    match edit.expected_replacements {
        Some(expected) if expected != found => Err(EditRefusal::CountMismatch { expected, found }),
        _ => Ok(()),
    }
}

impl Seen<'_> {
    /// For what looks at more than the LF reading.
    fn text(&self) -> Cow<'_, Text> {
        if self.patch.is_empty() {
            return Cow::Borrowed(self.base);
        }
        Cow::Owned(Text::new(self.patch.apply(self.base.bytes())).expect("a new text with a NUL was refused"))
    }

    /// The range of the line with this 1-based number, in the LF text; empty past the last.
    fn line(&self, number: usize) -> Range<usize> {
        if self.patch.is_empty() {
            let line = self.base.lines().range(number);
            return self.lf.offset_of(line.start)..self.lf.offset_of(line.end);
        }
        let hay = self.lf.bytes();
        let mut newlines = memchr::memchr_iter(b'\n', hay).map(|at| at + 1);
        let start = match number {
            0 => hay.len(),
            1 => 0,
            _ => newlines.nth(number - 2).unwrap_or(hay.len()),
        };
        start..newlines.next().unwrap_or(hay.len())
    }

    fn needle<'n>(&self, edit: &Edit, old: &'n [u8]) -> Needle<'n> {
        let want = match edit.line {
            _ if edit.replace_all => Want::All,
            Some(number) => Want::OnLine(self.line(number)),
            None => Want::One,
        };
        Needle { text: old, want }
    }

    /// Decides where the edit goes and what it writes there; `places` are the exact ones of its old text.
    fn locate(&self, edit: &Edit, places: Places) -> Result<Plan, Failure> {
        self.check_new_text(edit)?;
        let ranges = match (places.count, &places.on_line[..]) {
            (0, _) => return self.locate_inexact(edit),
            (1, _) => places.first,
            _ if edit.replace_all => places.first,
            (_, [only]) => vec![only.clone()],
            _ => return Err(Failure::Ambiguous(places)),
        };
        check_count(edit, ranges.len())?;
        if let [only] = &ranges[..]
            && self.behind_bom(edit, only).is_some_and(|(_, new)| edit.old()[BOM.len()..] == *new)
        {
            return Err(EditRefusal::SameText.into());
        }
        let original = |range: &Range<usize>| self.lf.original_range(range);
        let place = |range: &Range<usize>, new: &[u8]| Place {
            range: original(range),
            pieces: self.rewrite.pieces(range, new).into_iter().map(|(range, new)| (original(&range), new)).collect(),
        };
        let places = ranges.iter().map(|range| match self.behind_bom(edit, range) {
            Some((range, new)) => place(&range, new),
            None => place(range, edit.new_text()),
        });
        Ok(Plan { strategy: Strategy::Exact, places: places.collect(), uncertain: None })
    }

    /// The place and the new text of an edit whose old text begins with the byte order mark of the file, which stays.
    /// An old text that is nothing else means the mark itself.
    fn behind_bom<'e>(&self, edit: &'e Edit, range: &Range<usize>) -> Option<(Range<usize>, &'e [u8])> {
        let is_behind = range.start == 0 && range.end > BOM.len() && self.lf.bytes().starts_with(BOM);
        let new = edit.new_text();
        is_behind.then(|| (BOM.len()..range.end, new.strip_prefix(BOM).unwrap_or(new)))
    }

    fn check_new_text(&self, edit: &Edit) -> Result<(), EditRefusal> {
        if memchr::memchr(0, edit.new_text()).is_some() {
            return Err(EditRefusal::NulByte);
        }
        if !self.is_utf8 && !edit.new_text().is_ascii() {
            return Err(EditRefusal::UnsupportedEncoding);
        }
        match placeholder::omission(edit.old(), edit.new_text()) {
            Some(line) => Err(EditRefusal::OmissionPlaceholder(line)),
            None => Ok(()),
        }
    }

    /// What to do with an edit that has no exact place.
    fn locate_inexact(&self, edit: &Edit) -> Result<Plan, Failure> {
        if let Some(lines) = self.already_applied(edit) {
            return Err(Failure::Applied(lines));
        }
        if self.level == Level::Exact || edit.replace_all {
            return Err(Failure::NoMatch);
        }
        let text = self.text();
        let located = merge::locate(&text, edit, self.level).map_err(EditRefusal::Unplaced)?;
        let mut pieces = located.pieces;
        pieces.retain(|(range, new)| text.bytes()[range.clone()] != new[..]);
        if pieces.is_empty() {
            return Err(EditRefusal::SameText.into());
        }
        check_count(edit, 1)?;
        let places = vec![Place { range: located.place, pieces }];
        Ok(Plan { strategy: located.strategy, places, uncertain: located.uncertain })
    }

    /// The lines where the new text of an edit without place stands, if it is likely that the edit made it: whole lines
    /// that are new and say enough, and once only (once or more for `replace_all`).
    fn already_applied(&self, edit: &Edit) -> Option<RangeInclusive<usize>> {
        let (old, new) = (to_lf(edit.old()), to_lf(edit.new_text()));
        let is_new =
            |line: &[u8]| !line.is_empty() && !old.split(|&byte| byte == b'\n').any(|old| old.trim_ascii() == line);
        if !new.split(|&byte| byte == b'\n').any(|line| is_new(line.trim_ascii())) {
            return None;
        }
        let found = exact::find(self.lf, &[Needle { text: &new, want: Want::One }]).remove(0);
        let place = found.first.first().filter(|_| found.count == 1 || edit.replace_all)?;
        // The first and the last line of the new text may be parts of lines; such a line proves nothing.
        let hay = self.lf.bytes();
        let before = hay[..place.start].iter().rev().take_while(|&&byte| byte != b'\n');
        let after = hay[place.end..].iter().take_while(|&&byte| byte != b'\n');
        let starts_line = before.clone().all(u8::is_ascii_whitespace);
        let ends_line = new.ends_with(b"\n") || after.clone().all(u8::is_ascii_whitespace);
        let count = new.split(|&byte| byte == b'\n').count();
        let whole = |at: usize| (at > 0 || starts_line) && (at + 1 < count || ends_line);
        let lines = new.split(|&byte| byte == b'\n').enumerate();
        let proof = lines.filter(|(at, line)| whole(*at) && is_new(line.trim_ascii()));
        let proven = proof.map(|(_, line)| fold::word_chars(line)).sum::<usize>() >= LEAST_PROOF;
        let (first, last) = proven.then(|| self.text().line_range(&self.lf.original_range(place)))?;
        Some(first..=last)
    }

    /// Works out what may be meant, for the one failure that is told.
    fn refusal(&self, old: &[u8], failure: Failure) -> EditRefusal {
        match failure {
            Failure::Told(refusal) => refusal,
            Failure::NoMatch => EditRefusal::NoMatch(hint::nearest(&self.text(), old)),
            Failure::Applied(lines) => {
                let nearest = hint::nearest(&self.text(), old);
                if has_near_place_beside(&nearest, &lines) {
                    return EditRefusal::NoMatch(nearest);
                }
                EditRefusal::AlreadyApplied { lines: (*lines.start(), *lines.end()) }
            }
            Failure::Ambiguous(places) => {
                let hints = ambiguity::hints(&self.text(), self.lf, old, &places.first);
                EditRefusal::Ambiguous { count: places.count, places: hints }
            }
        }
    }
}

/// Whether a region that is offered, none of these lines, may well be what is to be edited.
fn has_near_place_beside(nearest: &Nearest, lines: &RangeInclusive<usize>) -> bool {
    nearest.regions.iter().any(|region| {
        region.similarity >= NEAR && (region.end_line < *lines.start() || *lines.end() < region.start_line)
    })
}

fn lines_of(text: &Text, index: usize, place: &Range<usize>) -> EditLines {
    let (start_line, end_line) = text.line_range(place);
    EditLines { index, start_line, end_line }
}

/// Of all pairs of clashing edits, tells the one whose later edit comes first.
fn refuse_overlap(text: &Text, plans: &[Plan]) -> Result<(), CompileError> {
    let mut places: Vec<(&Range<usize>, usize)> = plans
        .iter()
        .enumerate()
        .flat_map(|(index, plan)| plan.places.iter().map(move |place| (&place.range, index)))
        .collect();
    places.sort_unstable_by_key(|(place, index)| (place.start, place.end, *index));
    // A place may clash with several after it, so the one that reaches furthest is remembered.
    let mut furthest: Option<(&Range<usize>, usize)> = None;
    let mut clashes: Vec<[(usize, &Range<usize>); 2]> = Vec::new();
    for (place, index) in places {
        if let Some((other, other_index)) = furthest
            && place.start < other.end
            && index != other_index
        {
            let mut pair = [(other_index, other), (index, place)];
            pair.sort_unstable_by_key(|(index, _)| *index);
            clashes.push(pair);
        }
        if furthest.is_none_or(|(other, _)| place.end > other.end) {
            furthest = Some((place, index));
        }
    }
    clashes.sort_by_key(|[first, later]| (later.0, first.0));
    let Some([first, later]) = clashes.first() else { return Ok(()) };
    let mut also_failed: Vec<usize> = clashes.iter().map(|[_, also]| also.0).filter(|also| *also != later.0).collect();
    also_failed.dedup();
    also_failed.truncate(ALSO_FAILED);
    let edits = [lines_of(text, first.0, first.1), lines_of(text, later.0, later.1)];
    Err(CompileError { index: later.0, refusal: Box::new(EditRefusal::Overlap(edits)), also_failed })
}

/// Tells the first pair of edits of which one's new text holds the other's old text.
fn refuse_nested(text: &Text, edits: &[Edit], outcomes: &[EditOutcome]) -> Result<(), CompileError> {
    let olds: Vec<Cow<'_, [u8]>> = edits.iter().map(|edit| to_lf(edit.old())).collect();
    let news: Vec<Cow<'_, [u8]>> = edits.iter().map(|edit| to_lf(edit.new_text())).collect();
    let Some((new, old)) = exact::first_within(&news, &olds) else { return Ok(()) };
    let (first, later) = (new.min(old), new.max(old));
    let refusal =
        EditRefusal::NestedConflict([first, later].map(|index| lines_of(text, index, &outcomes[index].range)));
    Err(CompileError { index: later, refusal: Box::new(refusal), also_failed: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::{self, Explanation};
    use crate::code::Reason;
    use crate::dialect;
    use crate::request::Dialect;
    use serde_json::json;

    fn edit(old: &str, new: &str) -> Edit {
        Edit::new(old, new).expect("an edit")
    }

    fn all(old: &str, new: &str) -> Edit {
        with(edit(old, new), |edit| edit.replace_all = true)
    }

    fn with(mut edit: Edit, change: impl FnOnce(&mut Edit)) -> Edit {
        change(&mut edit);
        edit
    }

    fn told(error: &CompileError) -> Explanation {
        advice::compile(error, dialect::words(Dialect::Standard))
    }

    fn run(text: &[u8], edits: &[Edit], mode: Mode) -> Result<(String, Compiled), Box<Explanation>> {
        let text = Text::new(text.to_vec()).expect("no NUL");
        let options = CompileOptions { mode, ..CompileOptions::default() };
        let compiled = compile(&text, edits, &options).map_err(|error| Box::new(told(&error)))?;
        assert_eq!(FilePatch::new(text.bytes().len(), compiled.patch.splices().to_vec()).as_ref(), Ok(&compiled.patch));
        Ok((String::from_utf8_lossy(&compiled.patch.apply(text.bytes())).into_owned(), compiled))
    }

    fn check_in(mode: Mode, text: &str, edits: &[Edit], want: &str) -> Compiled {
        let (got, compiled) = run(text.as_bytes(), edits, mode).expect("it compiles");
        assert_eq!(got, want);
        compiled
    }

    fn check(text: &str, edits: &[Edit], want: &str) -> Compiled {
        check_in(Mode::Original, text, edits, want)
    }

    fn refused(text: &str, edits: &[Edit]) -> Explanation {
        let told = run(text.as_bytes(), edits, Mode::Original).expect_err("it is refused");
        assert!(!told.message.ends_with('.') && !told.message.contains('\n'), "{}", told.message);
        *told
    }

    #[test]
    fn in_original_mode_every_edit_sees_the_original() {
        let compiled = check("a b\n", &[edit("a", "b"), edit("b", "c")], "b c\n");
        assert_eq!(
            compiled.edits[1],
            EditOutcome { index: 1, strategy: Strategy::Exact, range: 2..3, replacements: 1 }
        );
        check("", &[], "");
    }

    #[test]
    fn in_sequence_mode_each_edit_sees_the_result_of_the_one_before() {
        let compiled =
            check_in(Mode::Sequence, "a\nz\n", &[edit("a", "b"), edit("b\nz", "c\ny"), edit("y", "x")], "c\nx\n");
        let ranges: Vec<_> = compiled.edits.iter().map(|edit| edit.range.clone()).collect();
        assert_eq!(ranges, [0..1, 0..3, 0..3]);
        assert_eq!(compiled.patch.splices().len(), 1);
        assert_eq!(compiled.patch.splices()[0].origin.iter().map(|origin| origin.edit).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn in_sequence_mode_edits_apart_keep_their_own_splices() {
        let compiled =
            check_in(Mode::Sequence, "a\r\nb\r\n", &[edit("b", "B\nC"), edit("a\n", "A\n")], "A\r\nB\r\nC\r\n");
        let edits: Vec<_> = compiled.patch.splices().iter().map(|splice| splice.origin[0].edit).collect();
        assert_eq!(edits, [1, 0]);
    }

    #[test]
    fn in_sequence_mode_the_line_is_that_of_the_text_the_edit_sees() {
        let near = with(edit("x", "y"), |edit| edit.line = Some(3));
        check_in(Mode::Sequence, "a\nx\nx\n", &[edit("a", "a\nb"), near], "a\nb\ny\nx\n");
    }

    #[test]
    fn every_place_is_replaced_by_one_splice() {
        let compiled = check("aXbXc", &[all("X", "--")], "a--b--c");
        assert_eq!(
            (compiled.patch.splices().len(), compiled.edits[0].replacements, compiled.edits[0].range.clone()),
            (2, 2, 1..4)
        );
        check("aaa", &[all("aa", "b")], "ba");
    }

    #[test]
    fn touching_places_of_one_edit_are_one_splice() {
        let compiled = check("aaab aa", &[all("a", "x"), edit("b", "y")], "xxxy xx");
        let ranges: Vec<_> = compiled.patch.splices().iter().map(|splice| splice.range.clone()).collect();
        assert_eq!((ranges, compiled.edits[0].replacements), (vec![0..3, 3..4, 5..7], 5));
    }

    /// Each looks at its line only once: one that is searched at every place takes minutes here.
    #[test]
    fn a_hundred_thousand_places_on_one_line_are_no_hundred_thousand_searches_of_it() {
        let line = "a".repeat(100_000);
        for (end, want) in [("", "b"), ("\n", "b"), ("\r\n", "b\r\n")] {
            let text = Text::new(format!("{line}{end}").into_bytes()).expect("no NUL");
            let edits = [all("a", if want == "b" { "b" } else { "b\n" })];
            let compiled = compile(&text, &edits, &CompileOptions::default()).expect("it compiles");
            let after = compiled.patch.apply(text.bytes());
            assert_eq!(after, format!("{}{end}", want.repeat(100_000)).into_bytes());
        }
    }

    #[test]
    fn edits_that_insert_where_their_places_touch_keep_the_order_of_the_places() {
        let compiled = check("A\nB\n", &[edit("B\n", "Y\nB\n"), edit("A\n", "A\nX\n")], "A\nX\nY\nB\n");
        assert_eq!(compiled.patch.splices()[0].origin.iter().map(|origin| origin.edit).collect::<Vec<_>>(), [1, 0]);
        check("A\nB\nA\n", &[edit("B\n", "B\nY\n"), all("A\n", "X\nA\n")], "X\nA\nB\nY\nX\nA\n");
    }

    #[test]
    fn a_line_breaks_a_tie_only_if_it_lies_within_one_place() {
        let near = |line| with(edit("x", "y"), |edit| edit.line = Some(line));
        check("x\nx\n", &[near(2)], "x\ny\n");
        check("x\n\n", &[near(2)], "y\n\n");
        assert_eq!(refused("x\nz\nx\n", &[near(2)]).reason, Reason::Ambiguous);
        assert_eq!(refused("x x\nx\n", &[near(1)]).reason, Reason::Ambiguous);
        assert_eq!(refused("x\nx\n", &[near(9)]).reason, Reason::Ambiguous);
    }

    #[test]
    fn an_ambiguous_text_is_told_with_unique_extensions() {
        let told = refused("a\nx\nb\nx\n", &[edit("x", "y")]);
        assert_eq!((told.reason, told.failed_index), (Reason::Ambiguous, Some(0)));
        assert_eq!(
            serde_json::Value::from(told.hint),
            json!({"count": 2, "places": [
                {"line": 2, "text": "x", "extension": "x\nb"},
                {"line": 4, "text": "x", "extension": "b\nx"},
            ]})
        );
    }

    #[test]
    fn overlap_names_both_edits_and_fails_at_the_later() {
        let told = refused("a\nb\nc\n", &[edit("b\nc", "x"), edit("a\nb", "y")]);
        assert_eq!((told.reason, told.failed_index), (Reason::Overlap, Some(1)));
        assert_eq!(
            serde_json::Value::from(told.hint),
            json!({"edits": [{"index": 0, "start_line": 2, "end_line": 3}, {"index": 1, "start_line": 1, "end_line": 2}]})
        );
        assert_eq!(refused("abc", &[edit("abc", "x"), edit("a", "y"), edit("c", "z")]).hint["also_failed"], json!([2]));
        assert_eq!(refused("abc", &[edit("b", "x"), edit("b", "y")]).reason, Reason::Overlap);
    }

    #[test]
    fn context_that_two_edits_share_is_overlap_too() {
        assert_eq!(refused("a\nb\nc\n", &[edit("a\nb", "A\nb"), edit("b\nc", "b\nC")]).reason, Reason::Overlap);
    }

    #[test]
    fn the_first_failing_edit_is_told_and_the_others_are_named() {
        let told = refused("a\n", &[edit("a", "b"), edit("p", "q"), edit("r", "s")]);
        assert_eq!((told.reason, told.failed_index), (Reason::NoMatch, Some(1)));
        assert_eq!(told.hint["also_failed"], json!([2]));
    }

    #[test]
    fn an_edit_that_was_applied_before_is_told_so() {
        let told = refused("one\n  second = 2\nthree\n", &[edit("second = 1", "second = 2")]);
        assert_eq!((told.reason, told.hint["start_line"].clone()), (Reason::AlreadyApplied, json!(2)));
        assert_eq!(refused("x\nbetter\nbetter\n", &[all("a", "better")]).reason, Reason::AlreadyApplied);
        assert_eq!(refused("p\nabc\ndef\nq\n", &[edit("gone", "abc\ndef")]).reason, Reason::AlreadyApplied);
    }

    #[test]
    fn what_proves_nothing_is_not_called_applied() {
        assert_eq!(refused("b\nb\n", &[edit("a", "b")]).reason, Reason::NoMatch);
        assert_eq!(refused("rebar\n", &[edit("foo", "bar")]).reason, Reason::NoMatch);
        assert_eq!(refused("x\n", &[edit("foo\nx", "x")]).reason, Reason::NoMatch);
        assert_eq!(refused("x\n", &[edit("foo", "")]).reason, Reason::NoMatch);
        assert_eq!(refused("f {\n}\n", &[edit("zz", "}")]).reason, Reason::NoMatch);
        check("a\nb\n", &[edit("a", "a\nb")], "a\nb\nb\n");
    }

    #[test]
    fn an_edit_whose_old_text_is_there_but_for_a_slip_is_not_called_applied() {
        let text = "int one() {\n  return 0;\n}\nint main_entry(void) {\n  return 1;\n}\n";
        let told = refused(text, &[edit("int main_entry(void)  {\n  return 1;\n}", "  return 0;")]);
        assert_eq!((told.reason, told.hint["nearest"][0]["start_line"].clone()), (Reason::NoMatch, json!(4)));
    }

    #[test]
    fn a_lone_carriage_return_that_the_file_lacks_is_shown() {
        let told = refused("a\r\nb\r\n", &[edit("a\r", "x")]);
        assert_eq!((told.reason, told.hint["difference"].clone()), (Reason::NoMatch, json!("-a\u{240d}\n+1    a")));
    }

    #[test]
    fn the_number_of_replacements_may_be_expected() {
        let expect = |edit: Edit, n| with(edit, |edit| edit.expected_replacements = Some(n));
        check("aa", &[expect(all("a", "b"), 2)], "bb");
        assert_eq!(refused("aa", &[expect(all("a", "b"), 3)]).reason, Reason::CountMismatch);
        assert_eq!(refused("a", &[expect(edit("a", "b"), 2)]).reason, Reason::CountMismatch);
    }

    #[test]
    fn omission_placeholders_and_nul_bytes_are_not_written() {
        assert_eq!(refused("a\n", &[edit("a", "b\n// ... existing code ...")]).reason, Reason::OmissionPlaceholder);
        assert_eq!(refused("a\n", &[edit("a", "b\0")]).reason, Reason::NulByte);
    }

    #[test]
    fn a_file_that_is_not_utf8_takes_ascii_only() {
        let latin1 = b"caf\xe9\nx\n";
        let told = run(latin1, &[edit("x", "\u{e9}")], Mode::Original).expect_err("refused");
        assert_eq!(told.reason, Reason::UnsupportedEncoding);
        let text = Text::new(latin1.to_vec()).expect("no NUL");
        let compiled = compile(&text, &[edit("x", "y")], &CompileOptions::default()).expect("ASCII");
        assert_eq!(compiled.patch.apply(latin1), b"caf\xe9\ny\n");
    }

    #[test]
    fn nested_texts_are_refused_where_that_is_asked_for() {
        let text = Text::new(b"a\nb\n".to_vec()).expect("no NUL");
        let options = CompileOptions { refuse_nested: true, ..CompileOptions::default() };
        let told = compile(&text, &[edit("a", "b2"), edit("b", "c")], &options).expect_err("nested");
        let told = self::told(&told);
        assert_eq!((told.reason, told.failed_index), (Reason::NestedConflict, Some(1)));
        assert_eq!(told.hint["edits"][0], json!({"index": 0, "start_line": 1, "end_line": 1}));
        assert!(compile(&text, &[edit("a", "aa"), edit("b", "c")], &options).is_ok());
    }

    #[test]
    fn the_bom_stays() {
        check("\u{feff}a\n", &[edit("a", "b")], "\u{feff}b\n");
        check("\u{feff}a\n", &[edit("\u{feff}a", "b")], "\u{feff}b\n");
        check("\u{feff}a\n", &[edit("\u{feff}a", "\u{feff}b")], "\u{feff}b\n");
        check("\u{feff}a\r\nb", &[edit("\u{feff}a\nb", "\u{feff}a\nc")], "\u{feff}a\r\nc");
        check("x\u{feff}a\n", &[edit("\u{feff}a", "b")], "xb\n");
        check("\u{feff}a\u{feff}a", &[all("\u{feff}a", "\u{feff}b")], "\u{feff}b\u{feff}b");
        let both = [edit("\u{feff}a", "b"), edit("\u{feff}b", "c")];
        check_in(Mode::Sequence, "\u{feff}a\n", &both, "\u{feff}c\n");
        assert_eq!(refused("\u{feff}a", &[edit("\u{feff}a", "a")]).reason, Reason::SameText);
    }

    #[test]
    fn an_old_text_of_the_bom_alone_takes_it_away() {
        check("\u{feff}a\n", &[edit("\u{feff}", "")], "a\n");
    }

    #[test]
    fn many_edits_are_compiled_as_few_are() {
        let text: String = (0..200).map(|n| format!("line {n} end\r\n")).collect();
        let edits: Vec<Edit> = (0..200).map(|n| edit(&format!("line {n} end"), &format!("LINE {n}\nmore"))).collect();
        let want: String = (0..200).map(|n| format!("LINE {n}\r\nmore\r\n")).collect();
        check(&text, &edits, &want);
        check_in(Mode::Sequence, &text, &edits, &want);
    }
}
