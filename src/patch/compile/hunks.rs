//! Hunks of patches: where they stand, and what they write.
//!
//! Owns how a hunk whose lines stand in the text becomes a plan; `matcher/hunks.rs` finds the places. One whose lines do not
//! stand there goes on as every other edit.

use super::locate::{Failure, Sight};
use super::plan::{Placing, Plan};
use super::refusal::EditRefusal;
use super::unplaced_hunk::UnplacedHunk;
use crate::matcher::exact::{KEPT, Places};
use crate::matcher::hunks::places;
use crate::matcher::line_index::LineIndex;
use crate::matcher::similarity::Budget;
use crate::matcher::spots::{Head, Hunk, Spots};
use crate::patch::Replacement;
use crate::request::{Anchor, Edit};
use crate::strategy::Strategy;
use crate::text::{common_ends, split_lines, to_lf};
use bstr::ByteSlice;
use std::borrow::Cow;
use std::ops::Range;

/// A line that is as like a named one as this may be meant.
const LIKE: f64 = 0.6;

/// The places of the hunks among some edits, in their order.
pub(super) struct SpotsOf(std::vec::IntoIter<Spots>);

impl SpotsOf {
    /// Those of the next edit, where that is a hunk; edits are asked for in their order.
    pub(super) fn next_of(&mut self, edit: &Edit) -> Option<Spots> {
        edit.anchor().and_then(|_| self.0.next())
    }
}

/// Places the hunks; `olds` are the old texts with LF.
pub(super) fn spots(seen: &Sight<'_>, edits: &[Edit], olds: &[Cow<'_, [u8]>]) -> SpotsOf {
    let hunks = edits.iter().zip(olds).filter_map(|(edit, old)| {
        let new_lines = split_lines(edit.new_text()).count();
        Some(Hunk { old, new_lines, anchor: edit.anchor()? })
    });
    let hunks: Vec<Hunk<'_>> = hunks.collect();
    let found = if hunks.is_empty() { Vec::new() } else { places(seen.lf, seen.base.body_start(), &hunks) };
    SpotsOf(found.into_iter())
}

impl Sight<'_> {
    /// Decides where a hunk goes and what it writes there.
    pub(super) fn locate_hunk(&self, edit: &Edit, spots: Spots) -> Result<Plan, Failure> {
        let [place] = &spots.places[..] else { return self.locate_unplaced(edit, spots) };
        self.check_hunk(edit)?;
        let (range, text) = (self.lf.original_range(place), self.text());
        let written = if edit.old() == &text.bytes()[range.clone()] && !edit.old().is_empty() {
            as_sent(range.start, edit)
        } else {
            let new = edit.new_text();
            let is_line = edit.old().is_empty() || edit.old().ends_with(b"\n");
            let is_bare =
                !place.is_empty() && place.end == self.lf.bytes().len() && !self.lf.bytes().ends_with(b"\n") && is_line;
            self.with_endings(place, if is_bare { new.strip_suffix(b"\n").unwrap_or(new) } else { new })
        };
        let (old, new) = written.iter().fold((0, 0), |(old, new), one| (old + one.range.len(), new + one.bytes.len()));
        self.add_size(old, new)?;
        // Only what changes counts as the place: hunks may share the lines around.
        let around = match (written.first(), written.last()) {
            (Some(first), Some(last)) => first.range.start..last.range.end,
            _ => range,
        };
        let places = vec![Placing::default().place(around, written)];
        Ok(Plan { strategy: Strategy::Exact, places, uncertain: None })
    }

    /// As [`Self::locate_hunk`], of a hunk that sees what the edits before it wrote; a line number is one of the base.
    pub(super) fn locate_hunk_in_sequence(&self, edit: &Edit, anchor: &Anchor, old: &[u8]) -> Result<Plan, Failure> {
        let line = anchor.line.map(|line| {
            let at = self.base.lines().range(line).start;
            let grown = self.patch.splices().iter().take_while(|splice| splice.range.end <= at).map(|splice| {
                let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count().cast_signed();
                lines(&splice.replacement) - lines(&self.base.bytes()[splice.range.clone()])
            });
            line.saturating_add_signed(grown.sum())
        });
        let anchor = Anchor { line, ..anchor.clone() };
        let hunk = Hunk { old, new_lines: split_lines(edit.new_text()).count(), anchor: &anchor };
        let spots = places(self.lf, self.text().body_start(), &[hunk]).remove(0);
        self.locate_hunk(edit, spots)
    }

    /// What comes of a hunk that has no one place where its lines stand as they are.
    fn locate_unplaced(&self, edit: &Edit, spots: Spots) -> Result<Plan, Failure> {
        let unplaced = |unplaced| Err(Failure::Told(EditRefusal::Hunk(unplaced)));
        let shown = |line: &[u8]| line.to_str_lossy().into_owned();
        let head = match &spots.head {
            Some(Head { named, found: None }) => {
                return unplaced(UnplacedHunk::NoHead { head: shown(named), like: self.like(named) });
            }
            Some(Head { named, found: Some((from, lines)) }) => Some((shown(named), *from, lines)),
            None => None,
        };
        let (old, text) = (to_lf(edit.old()), self.text());
        if old.is_empty() {
            return unplaced(match head {
                Some((head, _, lines)) if lines.len() > 1 => {
                    UnplacedHunk::Heads { head, lines: lines.iter().map(|line| line + 1).collect() }
                }
                _ => UnplacedHunk::NoLines { total: text.lines().count() },
            });
        }
        if spots.count > 0 {
            return Err(Failure::AmbiguousHunk { places: spots.places.to_vec(), count: spots.count });
        }
        let number = |place: &Range<usize>| text.lines().number_at(self.lf.original(place.start));
        let before_head = |head: String, lines: &[usize], found: usize| {
            let line = lines.first().map_or(0, |line| line + 1);
            UnplacedHunk::BeforeHead { head, line, found }
        };
        let stands = LineIndex::new(self.lf, text.body_start(), 1).stands(&old).places;
        if let Some(first) = stands.first() {
            return unplaced(match head {
                Some((head, _, lines)) => before_head(head, lines, number(first)),
                None => UnplacedHunk::Elsewhere {
                    found: stands.iter().take(KEPT).map(number).collect(),
                    wanted: edit.anchor().and_then(|anchor| anchor.line),
                },
            });
        }
        let plan = self.locate(edit, Places::default())?;
        match head {
            Some((head, from, lines)) if plan.places[0].range().start < self.lf.original(from) => {
                let found = text.lines().number_at(plan.places[0].range().start);
                unplaced(before_head(head, lines, found))
            }
            _ => Ok(plan),
        }
    }

    /// The line that is most like one that is nowhere.
    fn like(&self, wanted: &[u8]) -> Option<(usize, String)> {
        let (mut budget, mut best) = (Budget::default(), None::<(f64, usize, &[u8])>);
        for (n, line) in split_lines(self.lf.bytes()).enumerate() {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let likeness = budget.similarity(line.trim_ascii(), wanted.trim_ascii(), LIKE);
            if likeness >= LIKE && best.is_none_or(|(least, ..)| likeness > least) {
                best = Some((likeness, n + 1, line));
            }
        }
        best.map(|(_, number, line)| (number, line.to_str_lossy().into_owned()))
    }

    /// What a hunk writes whose lines end otherwise than the file's: each new line ends as its neighbours do.
    fn with_endings(&self, place: &Range<usize>, new: &[u8]) -> Vec<Replacement> {
        let is_at_end = place.end == self.lf.bytes().len();
        let behind_text =
            place.is_empty() && is_at_end && !self.lf.bytes().is_empty() && !self.lf.bytes().ends_with(b"\n");
        let new: Cow<'_, [u8]> = if behind_text {
            // Lines behind a last one without a newline: it gets one, and the new last one has none.
            Cow::Owned([b"\n", new.strip_suffix(b"\n").unwrap_or(new)].concat())
        } else {
            Cow::Borrowed(new)
        };
        let mut written = self.rewrite.replacements(place, &new);
        for replacement in &mut written {
            replacement.range = self.lf.original_range(&replacement.range);
        }
        let text = self.text();
        written.retain(|replacement| replacement.changes(text.bytes()));
        written
    }
}

/// What a hunk writes whose old lines stand in the file byte for byte: its new ones, byte for byte.
fn as_sent(start: usize, edit: &Edit) -> Vec<Replacement> {
    let old: Vec<&[u8]> = split_lines(edit.old()).collect();
    let new: Vec<&[u8]> = split_lines(edit.new_text()).collect();
    let (head, tail) = common_ends(&old, &new);
    let len = |lines: &[&[u8]]| lines.iter().map(|line| line.len()).sum::<usize>();
    let from = start + len(&old[..head]);
    let range = from..from + len(&old[head..old.len() - tail]);
    let bytes = new[head..new.len() - tail].concat();
    if range.is_empty() && bytes.is_empty() { Vec::new() } else { vec![Replacement { range, bytes }] }
}
