//! Trimming: what a splice's old and new bytes share is no part of it.
//!
//! Owns that, and where a pure insertion or deletion of lines is said to be. Changes no text.
//! Invariant: a trimmed splice does what the splice did.

use super::Splice;
use crate::text::{common_ends, starts_line};

/// Leaves out of a splice of `text` what its old and new bytes share; `None` where it changes nothing.
///
/// What is left of a pure insertion or deletion is moved to the start of its line where it can be, because lines are
/// what people insert and delete.
pub fn trim(text: &[u8], splice: &Splice) -> Option<Splice> {
    let Splice { range, replacement, origin } = splice;
    let (prefix, suffix) = common_ends(&text[range.clone()], replacement);
    let (mut start, mut end) = (range.start + prefix, range.end - suffix);
    let mut wanted = replacement[prefix..replacement.len() - suffix].to_vec();
    if start == end && wanted.is_empty() {
        return None;
    }
    let most = start - range.start;
    if start == end && wanted.contains(&b'\n') {
        let by = (0..=most)
            .take_while(|&k| k == 0 || wanted[wanted.len() - 1 - (k - 1) % wanted.len()] == text[start - k])
            .find(|&k| starts_line(text, start - k));
        if let Some(by) = by {
            let turn = by % wanted.len();
            wanted.rotate_right(turn);
            (start, end) = (start - by, end - by);
        }
    } else if wanted.is_empty() && text[start..end].contains(&b'\n') {
        let by = (0..=most)
            .take_while(|&k| k == 0 || text[end - k] == text[start - k])
            .find(|&k| starts_line(text, start - k));
        if let Some(by) = by {
            (start, end) = (start - by, end - by);
        }
    }
    Some(Splice { range: start..end, replacement: wanted, origin: origin.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{FilePatch, Origin, Replacement};
    use crate::strategy::Strategy;
    use proptest::prelude::*;
    use std::ops::Range;

    fn splice(range: Range<usize>, new: &str) -> Splice {
        Replacement { range, bytes: new.into() }.by(Origin { edit: 0, strategy: Strategy::Exact })
    }

    #[test]
    fn insertions_are_trimmed_to_whole_lines() {
        let (old, new) = ("fn a() {\n    b();\n}\n", "fn a() {\n    bar();\n    b();\n}\n");
        let inserted = trim(old.as_bytes(), &splice(0..old.len(), new)).expect("they differ");
        assert_eq!((inserted.range, &inserted.replacement[..]), (9..9, &b"    bar();\n"[..]));
        let deleted = trim(new.as_bytes(), &splice(0..new.len(), old)).expect("they differ");
        assert_eq!(deleted.range, 9..20);
    }

    proptest! {
        #[test]
        fn a_trimmed_splice_does_what_the_splice_does(before in "[ab\n]{0,12}", after in "[ab\n]{0,12}", head in "[ab\n]{0,4}") {
            let (from, to) = (format!("{head}{before}\n"), format!("{head}{after}\n"));
            let splice = splice(head.len()..head.len() + before.len(), &after);
            let trimmed = trim(from.as_bytes(), &splice).into_iter().collect();
            let patch = FilePatch::new(from.len(), trimmed).expect("one splice");
            prop_assert_eq!(patch.apply(from.as_bytes()), to.into_bytes());
        }
    }
}
