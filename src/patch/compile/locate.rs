//! Where one edit goes, and what it writes there.
//!
//! Owns the checks that an edit must pass, and the choice between an exact place, a looser one, and a failure. Knows no
//! other edit of the request; the hint of a failure is worked out in `nearest.rs`, for one edit only.

use super::others::Others;
use super::outcome::CompileOptions;
use super::placeholder::placeholder;
use super::plan::{Placing, Plan};
use super::refusal::EditRefusal;
use super::rewrite::Rewrite;
use crate::matcher::exact::{self, Needle, Places, Want};
use crate::matcher::likely::Evidence;
use crate::patch::{FilePatch, merge};
use crate::request::Edit;
use crate::strategy::{Level, Strategy};
use crate::text::{BOM, Encoding, LfText, Text, line_end, line_start};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::{Range, RangeInclusive};

/// Why an edit failed, before its hint is worked out: that is done for one edit only.
pub(super) enum Failure {
    Told(EditRefusal),
    NoMatch,
    /// The new text stands at these lines, unless another place of the text is near enough to the old one.
    Applied(RangeInclusive<usize>),
    Ambiguous(Places),
    /// Of a hunk: the first of so many places that nothing decides between.
    AmbiguousHunk {
        places: Vec<Range<usize>>,
        count: usize,
    },
}

impl From<EditRefusal> for Failure {
    fn from(refusal: EditRefusal) -> Self {
        Self::Told(refusal)
    }
}

/// The text that an edit sees.
pub(super) struct Sight<'a> {
    pub(super) base: &'a Text,
    /// What the edits before did to the base.
    pub(super) patch: &'a FilePatch,
    /// The text after that patch, with LF only.
    pub(super) lf: &'a LfText<'a>,
    pub(super) rewrite: Rewrite<'a>,
    pub(super) is_utf8: bool,
    pub(super) options: &'a CompileOptions,
    pub(super) size: &'a Size,
}

/// In bytes: so much larger than the file and all new texts together may the result be, by texts that are written more than once.
const MOST_REPEATED: u64 = 64 << 20;

/// How large the result may be, and how large it is so far: every edit adds what it writes before it writes it.
pub(super) struct Size {
    most: u64,
    now: Cell<u64>,
}

impl Size {
    pub(super) fn new(text: &Text, edits: &[Edit], options: &CompileOptions) -> Self {
        let sent: usize = edits.iter().map(|edit| edit.new_text().len()).sum();
        let given = text.bytes().len() as u64 + sent as u64;
        Self { most: options.most_bytes.min(given + MOST_REPEATED), now: Cell::new(text.bytes().len() as u64) }
    }

    /// `places` that hold `old` bytes in all, each to hold `new`.
    fn add(&self, places: usize, old: usize, new: usize) -> Result<(), EditRefusal> {
        let written = (places as u64).saturating_mul(new as u64);
        let size = self.now.get().saturating_add(written).saturating_sub(old as u64);
        self.now.set(size);
        if size > self.most {
            return Err(EditRefusal::TooLarge { size, limit: self.most });
        }
        Ok(())
    }
}

impl Sight<'_> {
    /// For what looks at more than the LF reading.
    pub(super) fn text(&self) -> Cow<'_, Text> {
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

    /// What is known of an edit beside its old text.
    pub(super) fn evidence<'e>(&self, edit: &'e Edit, others: &'e Others) -> Evidence<'e> {
        Evidence {
            old: edit.old(),
            new: edit.new_text(),
            line: edit.line,
            shown: self.options.shown,
            beside: others.beside,
            taken: &others.taken,
            may_be_gone: self.options.may_be_gone,
        }
    }

    /// What is searched for an edit; `old` is its old text, with LF only.
    pub(super) fn needle<'n>(&self, edit: &Edit, old: &'n [u8]) -> Needle<'n> {
        let want = match edit.line {
            _ if edit.replace_all => Want::All,
            Some(number) => Want::OnLine(self.line(number)),
            None => Want::One,
        };
        Needle { text: old, want }
    }

    /// Decides where the edit goes and what it writes there; `places` are the exact ones of its old text.
    pub(super) fn locate(&self, edit: &Edit, places: Places) -> Result<Plan, Failure> {
        self.check_new_text(edit)?;
        if edit.replace_all && places.first.len() < places.count {
            let limit = exact::most_of_all(self.lf.bytes().len());
            return Err(EditRefusal::TooManyPlaces { count: places.count, limit }.into());
        }
        let ranges = match (places.count, &places.on_line[..]) {
            (0, _) => return self.locate_inexact(edit),
            (1, _) => places.first,
            _ if edit.replace_all => places.first,
            (_, [only]) => vec![only.clone()],
            _ => return Err(Failure::Ambiguous(places)),
        };
        refuse_half(self.lf.bytes(), &ranges)?;
        if !edit.old().is_ascii() {
            refuse_foreign(self.lf.bytes(), &ranges)?;
        }
        check_count(edit, ranges.len())?;
        self.size.add(ranges.len(), ranges.iter().map(|range| range.len()).sum(), edit.new_text().len())?;
        let original = |range: &Range<usize>| self.lf.original_range(range);
        let mut placing = Placing::default();
        let mut place = |range: &Range<usize>, new: &[u8]| {
            let mut replacements = self.rewrite.replacements(range, new);
            for replacement in &mut replacements {
                replacement.range = original(&replacement.range);
            }
            placing.place(original(range), replacements)
        };
        // One by one in place of each other: a place is as large as a range.
        let places = ranges.into_iter().map(|range| match self.behind_bom(edit, &range) {
            Some((range, new)) => place(&range, new),
            None => place(&range, edit.new_text()),
        });
        Ok(Plan { strategy: Strategy::Exact, places: places.collect(), uncertain: None })
    }

    /// The place and the new text of an edit whose new text begins with the byte order mark that the file has there, which
    /// stays. One that only the old text begins with is taken away, as the edit says.
    fn behind_bom<'e>(&self, edit: &'e Edit, range: &Range<usize>) -> Option<(Range<usize>, &'e [u8])> {
        let new = edit.new_text().strip_prefix(BOM).filter(|_| self.lf.bytes().starts_with(BOM))?;
        let is_behind = (range.start == 0 && range.end > BOM.len()) || range.start == BOM.len();
        is_behind.then_some((BOM.len()..range.end, new))
    }

    /// What a hunk must be, wherever it stands. One that is written as it was sent may hold whatever it likes.
    pub(super) fn check_hunk(&self, edit: &Edit) -> Result<(), EditRefusal> {
        if !edit.anchor().is_some_and(|anchor| anchor.ends_exactly) {
            return self.check_new_text(edit);
        }
        if memchr::memchr(0, edit.new_text()).is_some() { Err(EditRefusal::NulByte) } else { Ok(()) }
    }

    /// One place that holds `old` bytes is to hold `new`.
    pub(super) fn add_size(&self, old: usize, new: usize) -> Result<(), EditRefusal> {
        self.size.add(1, old, new)
    }

    fn check_new_text(&self, edit: &Edit) -> Result<(), EditRefusal> {
        if memchr::memchr(0, edit.new_text()).is_some() {
            return Err(EditRefusal::NulByte);
        }
        if !self.is_utf8 && !edit.new_text().is_ascii() {
            return Err(EditRefusal::UnknownEncoding { possible: Encoding::possible(self.base.bytes()) });
        }
        match placeholder(edit.old(), edit.new_text(), self.options.notation) {
            Some(line) => Err(EditRefusal::OmissionPlaceholder(line)),
            None => Ok(()),
        }
    }

    /// What to do with an edit that has no exact place.
    fn locate_inexact(&self, edit: &Edit) -> Result<Plan, Failure> {
        if let Some(lines) = self.already_applied(edit) {
            return Err(Failure::Applied(lines));
        }
        if self.options.level == Level::Exact || edit.replace_all {
            return Err(Failure::NoMatch);
        }
        let text = self.text();
        let others = Others::default();
        let located = merge::locate(&text, edit, self.options.level, self.evidence(edit, &others))
            .map_err(EditRefusal::Unplaced)?;
        refuse_half(text.bytes(), std::slice::from_ref(&located.place))?;
        let mut replacements = located.replacements;
        replacements.retain(|replacement| replacement.changes(text.bytes()));
        if replacements.is_empty() {
            return Err(EditRefusal::SameText.into());
        }
        check_count(edit, 1)?;
        let (old, new) =
            replacements.iter().fold((0, 0), |(old, new), one| (old + one.range.len(), new + one.bytes.len()));
        self.size.add(1, old, new)?;
        let places = vec![Placing::default().place(located.place, replacements)];
        Ok(Plan { strategy: located.strategy, places, uncertain: located.uncertain })
    }
}

/// Refuses places that may begin in the middle of a character: behind a byte beyond ASCII, in a text that is not UTF-8, with
/// a byte that encodings of East Asia have as the second of two, or of four.
fn refuse_half(text: &[u8], places: &[Range<usize>]) -> Result<(), EditRefusal> {
    let may_be_second = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        before.is_some_and(|byte| !byte.is_ascii()) && text.get(at).is_some_and(|byte| (0x30..=0x7e).contains(byte))
    };
    // Nobody is asked what the text is where no place stands so.
    places.iter().find(|place| may_be_second(place.start)).map_or(Ok(()), |place| refuse_unknown(text, place))
}

/// Refuses places of characters beyond ASCII in lines that are not UTF-8: the bytes may be other characters.
fn refuse_foreign(text: &[u8], places: &[Range<usize>]) -> Result<(), EditRefusal> {
    let is_foreign = |place: &&Range<usize>| {
        let lines = line_start(text, place.start)..line_end(text, place.end.max(1) - 1);
        std::str::from_utf8(&text[lines]).is_err()
    };
    places.iter().find(is_foreign).map_or(Ok(()), |place| refuse_unknown(text, place))
}

fn refuse_unknown(text: &[u8], place: &Range<usize>) -> Result<(), EditRefusal> {
    if std::str::from_utf8(text).is_ok() {
        return Ok(());
    }
    let line = text[..place.start].split(|&byte| byte == b'\n').count();
    Err(EditRefusal::OtherCharacters { line, possible: Encoding::possible(text) })
}

fn check_count(edit: &Edit, found: usize) -> Result<(), EditRefusal> {
    match edit.expected_replacements {
        Some(expected) if expected != found => Err(EditRefusal::CountMismatch { expected, found }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_may_be_so_much_larger_than_the_file_and_the_new_texts_together() {
        let text = Text::new(b"abc\n".to_vec()).expect("no NUL");
        let edits = [Edit::new("a", "longer").expect("an edit"), Edit::new("b", "words").expect("an edit")];
        let of = |most_bytes: u64| {
            let size = Size::new(&text, &edits, &CompileOptions { most_bytes, ..CompileOptions::default() });
            (size.most, size.now.get())
        };
        assert_eq!(of(u64::MAX), (4 + 6 + 5 + MOST_REPEATED, 4));
        assert_eq!(of(100), (100, 4));
    }
}
