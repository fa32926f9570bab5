//! Whether what an undo would replace may as well be a later record's: that one put a line of the same text at the same place.
//!
//! Owns that doubt, which is looked for only where a text was proven by itself. Proves nothing.

use super::differing::more;
use super::log::Known;
use super::remade::is_undone;
use crate::patch::FilePatch;
use crate::patch::take_back::{Direction, Edit, Outcome, Wanted, answer};
use crate::record::RecordClass;
use std::ops::Range;
use std::sync::Arc;

/// Whether what is to be taken out, for something that comes back, may as well be what a later record in force put: it put a line of the
/// same text, and what takes that out comes to the same place.
pub(super) fn is_as_well_of_another(edit: &Edit<'_>, patch: &FilePatch, later: &[Arc<Known>], current: &[u8]) -> bool {
    let replaced = |patch: &FilePatch| {
        let both = patch.splices().iter().filter(|splice| !splice.range.is_empty() && !splice.replacement.is_empty());
        both.map(|splice| splice.range.clone()).collect::<Vec<_>>()
    };
    let own = replaced(patch);
    let put = more(edit.before(), edit.after());
    if own.is_empty() || put.is_empty() {
        return false;
    }
    let meets = |range: &Range<usize>| own.iter().any(|own| own.start < range.end && range.start < own.end);
    let is_it = |(n, known): (usize, &Arc<Known>)| {
        let is_in_force = known.class == RecordClass::Edit && !is_undone(&known.id, later);
        let Some(other) = known.file.edit(&known.texts).filter(|_| is_in_force) else { return false };
        if !more(other.before(), other.after()).iter().any(|line| put.contains(line)) {
            return false;
        }
        let since: Vec<Edit<'_>> = later[n + 1..].iter().filter_map(|known| known.file.edit(&known.texts)).collect();
        let answer = answer(other, Wanted::All, Direction::TakeBack, &since, current);
        matches!(answer.outcome(), Outcome::Write(patch) if patch.splices().iter().any(|splice| meets(&splice.range)))
    };
    later.iter().enumerate().any(is_it)
}
