//! Hunks of patches: where they stand, and what they write.
//!
//! Owns how a hunk whose lines stand in the text becomes a plan; `matcher/hunks.rs` finds the places. One whose lines do not
//! stand there goes on as every other edit.

use super::locate::{Failure, Sight};
use super::plan::{Placing, Plan};
use super::refusal::EditRefusal;
use crate::matcher::exact::Places;
use crate::matcher::hunks::{Hunk, Spots, places};
use crate::patch::Replacement;
use crate::request::Edit;
use crate::strategy::Strategy;
use crate::text::{common_ends, split_lines};
use std::borrow::Cow;
use std::ops::Range;

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
        let Spots { places } = spots;
        let [place] = &places[..] else {
            if edit.old().is_empty() {
                return Err(EditRefusal::NoPlace { lines: self.base.lines().count() }.into());
            }
            let first = places.iter().take(crate::matcher::exact::KEPT).cloned().collect();
            let places = Places { count: places.len(), first, on_line: Vec::new() };
            return if places.count == 0 { self.locate(edit, places) } else { Err(Failure::Ambiguous(places)) };
        };
        self.check_hunk(edit)?;
        let range = self.lf.original_range(place);
        let written = if edit.old() == &self.base.bytes()[range.clone()] && !edit.old().is_empty() {
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
        written.retain(|replacement| replacement.changes(self.base.bytes()));
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
