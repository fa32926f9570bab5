//! What one text has more of than another: lines, or tokens, wherever they stand.
//!
//! Owns that count. What only moved is in neither list.

use crate::text::{lines_between_ends, split_lines};
use std::collections::HashMap;

/// The pieces that one of two lists has more of than the other, each once.
pub(super) struct Differing<'t> {
    /// Those of the first.
    pub(super) gone: Vec<&'t [u8]>,
    /// Those of the second.
    pub(super) new: Vec<&'t [u8]>,
}

/// What differs between two lists of pieces.
pub(super) fn differing<'t>(
    before: impl Iterator<Item = &'t [u8]>,
    after: impl Iterator<Item = &'t [u8]>,
) -> Differing<'t> {
    let mut counts: HashMap<&[u8], isize> = HashMap::new();
    before.for_each(|piece| *counts.entry(piece).or_default() -= 1);
    after.for_each(|piece| *counts.entry(piece).or_default() += 1);
    let mut found = Differing { gone: Vec::new(), new: Vec::new() };
    for (piece, count) in counts {
        match count {
            ..0 => found.gone.push(piece),
            0 => {}
            1.. => found.new.push(piece),
        }
    }
    found
}

/// The lines that a text has more of than another, without the white space around them.
pub(super) fn more<'a>(than: &'a [u8], text: &'a [u8]) -> Vec<&'a [u8]> {
    let [than, text] = lines_between_ends([than, text]).map(|text| split_lines(text).map(<[u8]>::trim_ascii));
    differing(than, text).new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_moved_does_not_differ() {
        let differs = |before: &[&'static str], after: &[&'static str]| {
            let pieces = |list: &[&'static str]| list.iter().map(|piece| piece.as_bytes()).collect::<Vec<_>>();
            let Differing { gone, new } = differing(pieces(before).into_iter(), pieces(after).into_iter());
            (gone, new)
        };
        assert_eq!(differs(&["a", "b", "b"], &["b", "a", "c", "c"]), (vec![&b"b"[..]], vec![&b"c"[..]]));
        assert_eq!(differs(&["a", "b"], &["b", "a"]), (vec![], vec![]));
    }
}
