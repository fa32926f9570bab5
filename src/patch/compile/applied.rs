//! Whether an edit that has no place was applied before.
//!
//! Owns what proves it. Invariant: in doubt it does not count as applied, since the caller would leave the edit out.

use super::locate::Sight;
use crate::matcher::exact::{self, Needle, Want};
use crate::matcher::fold;
use crate::request::Edit;
use crate::text::{line_end, line_start, to_lf};
use std::ops::RangeInclusive;

/// So many characters of words a new text must have in whole lines to prove that it was written: a brace stands anywhere.
const LEAST_PROOF: usize = 3;

impl Sight<'_> {
    /// The lines where the new text of an edit without place stands, if it is likely that the edit made it: whole lines
    /// that are new and say enough, and once only (once or more for `replace_all`).
    pub(super) fn already_applied(&self, edit: &Edit) -> Option<RangeInclusive<usize>> {
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
        let is_blank = |range: std::ops::Range<usize>| hay[range].trim_ascii().is_empty();
        let starts_line = is_blank(line_start(hay, place.start)..place.start);
        let ends_line = new.ends_with(b"\n") || is_blank(place.end..line_end(hay, place.end));
        let count = new.split(|&byte| byte == b'\n').count();
        let whole = |at: usize| (at > 0 || starts_line) && (at + 1 < count || ends_line);
        let lines = new.split(|&byte| byte == b'\n').enumerate();
        let proof = lines.filter(|(at, line)| whole(*at) && is_new(line.trim_ascii()));
        let proven = proof.map(|(_, line)| fold::word_chars(line)).sum::<usize>() >= LEAST_PROOF;
        let (first, last) = proven.then(|| self.text().line_range(&self.lf.original_range(place)))?;
        Some(first..=last)
    }
}
