//! Which of several patches of one text make a given text of it.
//!
//! Owns that question. Takes and leaves patches as they are: it never takes a part of one.

use super::FilePatch;
use std::collections::BTreeMap;

/// The indexes of the patches that make `wanted` of `base` when they are applied together; none where no choice of them does, two
/// of them reach into each other, or one is of a text of another length.
///
/// From the first to the last, each length of the result that a choice can have is tried once.
pub fn some_of(base: &[u8], patches: &[FilePatch], wanted: &[u8]) -> Option<Vec<usize>> {
    if patches.iter().any(|patch| patch.base_len() != base.len()) {
        return None;
    }
    let mut order: Vec<usize> = (0..patches.len()).filter(|&n| !patches[n].is_empty()).collect();
    let start = |n: usize| patches[n].splices().first().map_or(0, |splice| splice.range.start);
    let end = |n: usize| patches[n].splices().last().map_or(0, |splice| splice.range.end);
    order.sort_by_key(|&n| (start(n), end(n)));
    let first = order.first().map_or(base.len(), |&n| start(n));
    if !wanted.starts_with(&base[..first]) {
        return None;
    }
    // What was chosen on the way to each place in the result.
    let mut reached = BTreeMap::from([(first, Vec::new())]);
    for (n, &patch) in order.iter().enumerate() {
        let next = order.get(n + 1).map_or(base.len(), |&n| start(n));
        if end(patch) > next {
            return None;
        }
        let left = &base[start(patch)..next];
        let taken = applied(base, &patches[patch], next);
        let mut further: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, chosen) in reached {
            let goes_on = |part: &[u8]| wanted[at..].starts_with(part);
            if goes_on(&taken) {
                further.entry(at + taken.len()).or_insert_with(|| [&chosen[..], &[patch]].concat());
            }
            if goes_on(left) {
                further.entry(at + left.len()).or_insert(chosen);
            }
        }
        reached = further;
    }
    reached.remove(&wanted.len()).map(|mut chosen| {
        chosen.sort_unstable();
        chosen
    })
}

/// What a patch makes of the text from its first splice to a place behind its last.
fn applied(base: &[u8], patch: &FilePatch, end: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = patch.splices().first().map_or(end, |splice| splice.range.start);
    for splice in patch.splices() {
        out.extend_from_slice(&base[at..splice.range.start]);
        out.extend_from_slice(&splice.replacement);
        at = splice.range.end;
    }
    out.extend_from_slice(&base[at..end]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Origin, Splice};
    use crate::strategy::Strategy;
    use std::ops::Range;

    fn patch(base: &str, splices: &[(Range<usize>, &str)]) -> FilePatch {
        let splices = splices.iter().map(|(range, new)| Splice {
            range: range.clone(),
            replacement: new.as_bytes().to_vec(),
            origin: vec![Origin { edit: 0, strategy: Strategy::Exact }],
        });
        FilePatch::new(base.len(), splices.collect()).expect("disjoint")
    }

    #[test]
    fn each_choice_of_patches_is_found_by_its_text() {
        let base = "a b c d e";
        let patches = [
            patch(base, &[(8..9, "EE")]),
            patch(base, &[(0..1, "A"), (2..3, "")]),
            patch(base, &[(4..4, "+"), (6..7, "D")]),
        ];
        for chosen in [&[][..], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]] {
            let splices = chosen.iter().flat_map(|&n| patches[n].splices().to_vec()).collect();
            let text = FilePatch::new(base.len(), splices).expect("disjoint").apply(base.as_bytes());
            assert_eq!(some_of(base.as_bytes(), &patches, &text), Some(chosen.to_vec()));
        }
    }

    #[test]
    fn a_part_of_a_patch_is_none_nor_is_any_other_text() {
        let base = "a b c d e";
        let patches = [patch(base, &[(0..1, "A"), (2..3, "B")]), patch(base, &[(8..9, "E")])];
        for other in ["A b c d e", "a B c d E", "a b c d", "a b c d e f", "x", ""] {
            assert_eq!(some_of(base.as_bytes(), &patches, other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn a_patch_of_another_text_is_never_applied() {
        assert_eq!(some_of(b"a", &[patch("a b c", &[(4..5, "C")])], b"a"), None);
    }

    #[test]
    fn patches_that_reach_into_each_other_are_not_told_apart() {
        let base = "a b c";
        let patches = [patch(base, &[(0..1, "A"), (4..5, "C")]), patch(base, &[(2..3, "B")])];
        assert_eq!(some_of(base.as_bytes(), &patches, b"A b C"), None);
    }

    /// As many choices as there are, one after the other, would never end.
    #[test]
    fn sixty_patches_of_the_same_length_are_told_apart_at_once() {
        let base = "x".repeat(60);
        let patches: Vec<FilePatch> = (0..60).map(|n| patch(&base, &[(n..n + 1, "y")])).collect();
        let wanted = "xy".repeat(30);
        let want: Vec<usize> = (0..60).filter(|n| n % 2 == 1).collect();
        assert_eq!(some_of(base.as_bytes(), &patches, wanted.as_bytes()), Some(want));
    }
}
