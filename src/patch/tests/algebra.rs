//! Properties of the patch algebra, against the naive way to do the same.

use crate::patch::algebra::compose;
use crate::patch::{FilePatch, Origin, Splice};
use crate::strategy::Strategy as Way;
use proptest::collection::vec;
use proptest::prelude::*;

/// A patch of `len` bytes, made from gaps, lengths and replacements; small, so that splices touch often.
fn patch_of(len: usize, parts: &[(usize, usize, String)], edit: usize) -> FilePatch {
    let mut splices: Vec<Splice> = Vec::new();
    let mut at = 0;
    for (n, (gap, removed, new)) in parts.iter().enumerate() {
        let start = at + gap;
        let end = start + removed;
        let clash = splices.last().is_some_and(|last| last.range == (start..end)) && start == end;
        if end > len || clash {
            break;
        }
        let origin = vec![Origin { edit: edit + n, strategy: Way::Exact }];
        splices.push(Splice { range: start..end, replacement: new.clone().into_bytes(), origin });
        at = end;
    }
    FilePatch::new(len, splices).expect("made in order, without clash")
}

fn parts() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    vec((0..4usize, 0..4usize, "[xyé\r\n]{0,3}"), 0..6)
}

/// 1,000 cases unless `PROPTEST_CASES` says otherwise.
fn config() -> ProptestConfig {
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { ProptestConfig::default().cases } else { 1000 };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn composing_is_applying_one_after_the_other(base in "[a-d\r\n]{0,16}", a in parts(), b in parts()) {
        let a = patch_of(base.len(), &a, 0);
        let middle = a.apply(base.as_bytes());
        let b = patch_of(middle.len(), &b, 100);
        let composed = compose(&a, &b);
        prop_assert_eq!(composed.apply(base.as_bytes()), b.apply(&middle));
        // What was given is a patch: sorted, disjoint, with origins.
        let again = FilePatch::new(composed.base_len(), composed.splices().to_vec());
        prop_assert_eq!(again.as_ref(), Ok(&composed));
        // No edit gets lost but with its change.
        if let [only] = a.splices() && b.is_empty() && !(only.range.is_empty() && only.replacement.is_empty()) {
            prop_assert_eq!(&composed, &a);
        }
    }

    #[test]
    fn composing_is_associative_in_its_result(base in "[a-d]{0,12}", a in parts(), b in parts(), c in parts()) {
        let a = patch_of(base.len(), &a, 0);
        let b = patch_of(a.result_len(), &b, 100);
        let c = patch_of(b.result_len(), &c, 200);
        let left = compose(&compose(&a, &b), &c);
        let right = compose(&a, &compose(&b, &c));
        prop_assert_eq!(left.apply(base.as_bytes()), right.apply(base.as_bytes()));
    }

    #[test]
    fn no_byte_outside_the_splices_changes(base in "[a-d\r\n]{0,16}", a in parts()) {
        let a = patch_of(base.len(), &a, 0);
        let after = a.apply(base.as_bytes());
        let mut from = (0, 0);
        for (splice, result) in a.splices().iter().zip(a.result_ranges()) {
            prop_assert_eq!(&base.as_bytes()[from.0..splice.range.start], &after[from.1..result.start]);
            from = (splice.range.end, result.end);
        }
        prop_assert_eq!(&base.as_bytes()[from.0..], &after[from.1..]);
    }
}
