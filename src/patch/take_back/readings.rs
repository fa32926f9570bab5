//! How units beside a place may be read: as those that were there, edited, or as others that came.
//!
//! Owns the counts that tell one reading from another. Does not find places.

use similar::{Algorithm, DiffOp};

/// So many units beside a place are compared.
const MOST_COMPARED: usize = 512;

/// Whether neither the units that stand beside a place nor those that would go back there stand among others more often than before.
pub(super) fn has_no_more_of(are: &[u32], were: &[u32], [beside, old]: [&[u32]; 2]) -> bool {
    let count = |all: &[u32], id: u32| all.iter().filter(|&&other| other == id).count();
    beside.iter().chain(old).all(|&id| count(are, id) <= count(were, id))
}

/// Whether units are what is left of others, where some went and none came.
pub(super) fn is_left_of(left: &[u32], others: &[u32]) -> bool {
    let mut others = others.iter();
    left.iter().all(|id| others.any(|other| other == id))
}

/// Whether units that a record left beside a block were edited one by one where they are, and to say that the block went, and others came, would take
/// more changes; `today` is the block with what stands beside it.
pub(super) fn is_read_best(block: &[u32], [were, are]: [&[u32]; 2], today: &[u32]) -> bool {
    if were.len() > MOST_COMPARED || were.len() != are.len() {
        return false;
    }
    let edited = were.iter().zip(are).filter(|(was, is)| was != is).count();
    let stays = |op: &DiffOp| if let DiffOp::Equal { len, .. } = op { *len } else { 0 };
    let common: usize = similar::capture_diff_slices(Algorithm::Myers, were, today).iter().map(stays).sum();
    edited + common < were.len() + block.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_as_edited_where_nothing_takes_fewer_changes() {
        let is_so = |block: &[u32], were: &[u32], are: &[u32]| {
            let [above, below] = [[are, block].concat(), [block, are].concat()];
            [above, below].map(|today| is_read_best(block, [were, are], &today))
        };
        assert_eq!(is_so(&[1], &[2, 3, 4], &[2, 3, 5]), [true, true]);
        // One of two equal ones, of which the other was edited, or it went and another one came.
        assert_eq!(is_so(&[1], &[1, 3], &[5, 3]), [true, false]);
        assert_eq!(is_so(&[1], &[2, 1, 2], &[2, 5, 6]), [false, false]);
        assert_eq!(is_so(&[1], &[2, 1, 2], &[2, 1, 6]), [true, true]);
        assert_eq!(is_so(&[1], &[2, 3], &[2]), [false, false]);
        assert_eq!(is_so(&[], &[2, 3], &[2, 4]), [false, false], "of nothing that is not told");
        assert_eq!(is_so(&[1], &[2; MOST_COMPARED + 1], &[2; MOST_COMPARED + 1]), [false, false]);
    }
}
