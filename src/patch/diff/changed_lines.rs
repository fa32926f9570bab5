//! Which lines of two short texts differ.
//!
//! Owns the one use of a line diff for what a splice touches. Never sees whole files, unless a splice covers one.

use std::ops::Range;

/// Of more lines than this, on either side, only common ends are left out.
const MOST_REFINED: usize = 4000;

/// Where two lists of lines differ: ranges of both, in order; similar lines between them are not listed.
pub(crate) fn changed_lines(old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
    if old.is_empty() || new.is_empty() || old.len().max(new.len()) > MOST_REFINED {
        return vec![(0..old.len(), 0..new.len())];
    }
    similar::capture_diff_slices(similar::Algorithm::Myers, old, new)
        .into_iter()
        .filter(|op| op.tag() != similar::DiffTag::Equal)
        .map(|op| (op.old_range(), op.new_range()))
        .collect()
}
