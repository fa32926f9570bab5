//! Splits a splice of several lines where lines in its middle stay as they are.
//!
//! An agent quotes whole passages; of those it changes some lines, and the ones between may be the user's. For placing the
//! change in another version of the text only the changed lines count.
//! Invariant: the parts do to the text what the splice did.

use super::{Splice, trim};
use crate::patch::diff::changed_lines;
use crate::text::{Lines, line_start, next_line, split_lines};

/// The splice in parts, one for each run of changed lines; the splice itself where there is one run only.
pub fn refine(text: &[u8], splice: &Splice) -> Vec<Splice> {
    let Splice { range, replacement, origin } = splice;
    let start = line_start(text, range.start);
    let is_whole = range.end == start || text[..range.end].ends_with(b"\n");
    let end = if is_whole && replacement.ends_with(b"\n") { range.end } else { next_line(text, range.end) };
    let old = &text[start..end];
    let new = [&text[start..range.start], replacement, &text[range.end..end]].concat();
    let (old_lines, new_lines): (Vec<&[u8]>, Vec<&[u8]>) = (split_lines(old).collect(), split_lines(&new).collect());
    let changed = changed_lines(&old_lines, &new_lines);
    let (old_lines, new_lines) = (Lines::new(old), Lines::new(&new));
    let parts: Vec<Splice> = changed
        .into_iter()
        .filter_map(|(from, to)| {
            let (from, to) = (old_lines.span(&from), new_lines.span(&to));
            let range = start + from.start..start + from.end;
            trim(text, &Splice { range, replacement: new[to].to_vec(), origin: origin.clone() })
        })
        .collect();
    if parts.len() > 1 { parts } else { vec![splice.clone()] }
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

    fn check(text: &str, range: Range<usize>, new: &str, want: &[(Range<usize>, &str)]) {
        let got = refine(text.as_bytes(), &splice(range, new));
        let got: Vec<_> =
            got.iter().map(|p| (p.range.clone(), std::str::from_utf8(&p.replacement).expect("UTF-8"))).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn lines_that_stay_are_no_part_of_a_change() {
        check("a\nb\nc\n", 0..5, "A\nb\nC", &[(0..1, "A"), (4..5, "C")]);
        check("a\nb\nc\n", 0..6, "b\nc\nd\n", &[(0..2, ""), (6..6, "d\n")]);
        check("a\nb\nc", 0..5, "A\nB\nc2", &[(0..5, "A\nB\nc2")]);
        check("x", 0..1, "y", &[(0..1, "y")]);
        check("", 0..0, "y\n", &[(0..0, "y\n")]);
    }

    proptest! {
        #[test]
        fn the_parts_do_what_the_whole_did(text in "([ab]{0,2}\n?){0,6}", new in "([ab]{0,2}\n?){0,6}", a in 0usize..20, b in 0usize..20) {
            let (a, b) = (a.min(text.len()), b.min(text.len()));
            let whole = splice(a.min(b)..a.max(b), &new);
            let apply = |splices: &[Splice]| {
                FilePatch::new(text.len(), splices.to_vec()).expect("disjoint").apply(text.as_bytes())
            };
            let parts = refine(text.as_bytes(), &whole);
            prop_assert_eq!(apply(&parts), apply(&[whole]));
        }
    }
}
