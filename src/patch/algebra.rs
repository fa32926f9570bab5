//! What can be computed with patches alone: composition, inversion, trimming.
//!
//! Does not know where a splice came from, nor what a line is.
//! Invariant: no byte outside a splice of an operand changes. Touching splices stay apart, so that each keeps its edit;
//! only what cannot be told apart (two insertions at one point) becomes one.

use super::{FilePatch, Origin, Replacement, Splice};
use std::collections::VecDeque;
use std::ops::Range;

/// The patch that does `a`, then `b`; against the base of `a`.
///
/// A splice of `b` that shares a byte with what `a` wrote becomes one splice with it, of both origins.
///
/// # Panics
/// Where the base of `b` is not as long as the result of `a`.
pub fn compose(a: &FilePatch, b: &FilePatch) -> FilePatch {
    then(a.clone(), b.clone())
}

/// [`compose`] without copies: what `b` leaves alone is moved.
pub(super) fn then(a: FilePatch, b: FilePatch) -> FilePatch {
    assert_eq!(a.result_len(), b.base_len(), "a patch is composed with one of its own result");
    let base_len = a.base_len();
    let mut composed = Vec::with_capacity(a.splices().len() + b.splices().len());
    let mut after: VecDeque<Splice> = b.into_splices().into();
    let mut before: VecDeque<Splice> = a.into_splices().into();
    // What the splices of `a` before this point added less what they removed.
    let mut shift: isize = 0;
    loop {
        let written = before.front().map(|splice| written_range(splice, shift));
        match (written, after.front().map(|splice| splice.range.clone())) {
            (None, None) => break,
            (Some(written), Some(read)) if meet(&written, &read) => {
                composed.push(merge(&mut before, &mut after, &mut shift));
            }
            (Some(written), read) if read.as_ref().is_none_or(|read| precedes(&written, read)) => {
                let splice = before.pop_front().expect("its range was just looked at");
                shift += growth(&splice);
                composed.push(splice);
            }
            (_, read) => {
                let read = read.expect("what is written precedes nothing at all");
                let mut splice = after.pop_front().expect("its range was just looked at");
                splice.range = moved(read.start, -shift)..moved(read.end, -shift);
                composed.push(splice);
            }
        }
    }
    FilePatch::from_sorted(base_len, joined(composed))
}

/// The range of the base that a (not empty) range of the result came from: whole splices where it shares a byte with
/// what they wrote.
pub fn base_range(patch: &FilePatch, range: &Range<usize>) -> Range<usize> {
    let origin_of = |at: usize| {
        let mut shift: isize = 0;
        for splice in patch.splices() {
            let start = moved(splice.range.start, shift);
            if at < start {
                break;
            }
            if at < start + splice.replacement.len() {
                return splice.range.clone();
            }
            shift += growth(splice);
        }
        let at = moved(at, -shift);
        at..at + 1
    };
    let last = range.end.saturating_sub(1).max(range.start);
    origin_of(range.start).start..origin_of(last).end
}

/// Splices in the order of the base, with insertions at one point made one and what changes nothing left out.
pub(super) fn joined(splices: Vec<Splice>) -> Vec<Splice> {
    let mut kept: Vec<Splice> = Vec::with_capacity(splices.len());
    for splice in splices {
        if splice.range.is_empty() && splice.replacement.is_empty() {
            continue;
        }
        match kept.last_mut() {
            Some(last) if splice.range.is_empty() && last.range == splice.range => {
                last.replacement.extend_from_slice(&splice.replacement);
                add_origins(&mut last.origin, &splice.origin);
            }
            _ => kept.push(splice),
        }
    }
    kept
}

fn moved(at: usize, shift: isize) -> usize {
    at.checked_add_signed(shift).expect("splices are sorted, so earlier ones removed no more than precedes this")
}

fn growth(splice: &Splice) -> isize {
    splice.replacement.len() as isize - splice.range.len() as isize
}

/// Whether two ranges share a byte, or one is a point within the other (not at its ends).
fn meet(x: &Range<usize>, y: &Range<usize>) -> bool {
    x.start < y.end && y.start < x.end
}

/// Whether `written`, which does not meet `read`, stands before it. Of two points at one place, `read` stands before.
fn precedes(written: &Range<usize>, read: &Range<usize>) -> bool {
    written.start < read.start || (written.start == read.start && written.is_empty() && !read.is_empty())
}

/// Takes the splices that meet, directly or through each other, off both fronts and makes them one.
fn merge(before: &mut VecDeque<Splice>, after: &mut VecDeque<Splice>, shift: &mut isize) -> Splice {
    let first_shift = *shift;
    let (mut written, mut read): (Vec<Replacement>, Vec<Replacement>) = (Vec::new(), Vec::new());
    let mut origin = Vec::new();
    let mut later = Vec::new();
    loop {
        let next_written = before.front().map(|splice| written_range(splice, *shift));
        let next_read = after.front().map(|splice| splice.range.clone());
        let joins = |next: &Option<Range<usize>>, last: Option<&Replacement>| {
            next.as_ref().zip(last).is_some_and(|(next, last)| meet(next, &last.range))
        };
        if written.is_empty() || joins(&next_written, read.last()) {
            let splice = before.pop_front().expect("merge is called with two splices that meet");
            let range = written_range(&splice, *shift);
            *shift += growth(&splice);
            add_origins(&mut origin, &splice.origin);
            written.push(Replacement { range, bytes: splice.replacement });
        } else if joins(&next_read, written.last()) {
            let splice = after.pop_front().expect("its range was just looked at");
            add_origins(&mut later, &splice.origin);
            read.push(Replacement { range: splice.range, bytes: splice.replacement });
        } else {
            break;
        }
    }
    add_origins(&mut origin, &later);
    let ends = |list: &[Replacement]| (list[0].range.start, list[list.len() - 1].range.end);
    let ((a_start, a_end), (b_start, b_end)) = (ends(&written), ends(&read));
    let (start, end) = (a_start.min(b_start), a_end.max(b_end));
    let mut replacement = Vec::new();
    let mut at = start;
    for Replacement { range, bytes } in &read {
        copy_written(&written, at..range.start, &mut replacement);
        replacement.extend_from_slice(bytes);
        at = range.end;
    }
    copy_written(&written, at..end, &mut replacement);
    Splice { range: moved(start, -first_shift)..moved(end, -*shift), replacement, origin }
}

/// Copies the part of the text between that `a` wrote and `b` left, out of a range in which there is nothing else.
fn copy_written(written: &[Replacement], range: Range<usize>, out: &mut Vec<u8>) {
    for Replacement { range: at, bytes } in written {
        let (start, end) = (at.start.max(range.start), at.end.min(range.end));
        if start < end {
            out.extend_from_slice(&bytes[start - at.start..end - at.start]);
        }
    }
}

fn written_range(splice: &Splice, shift: isize) -> Range<usize> {
    let start = moved(splice.range.start, shift);
    start..start + splice.replacement.len()
}

pub(super) fn add_origins(origins: &mut Vec<Origin>, more: &[Origin]) {
    for origin in more {
        if !origins.contains(origin) {
            origins.push(*origin);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init, reason = "the one place is the answer")]
    use super::*;
    use crate::strategy::Strategy;

    fn patch(base_len: usize, edit: usize, splices: &[(Range<usize>, &str)]) -> FilePatch {
        let splices = splices.iter().map(|(range, text)| Splice {
            range: range.clone(),
            replacement: text.as_bytes().to_vec(),
            origin: vec![Origin { edit, strategy: Strategy::Exact }],
        });
        FilePatch::new(base_len, splices.collect()).expect("disjoint")
    }

    fn shown(patch: &FilePatch) -> Vec<(Range<usize>, String, Vec<usize>)> {
        let text = |splice: &Splice| String::from_utf8_lossy(&splice.replacement).into_owned();
        let edits = |splice: &Splice| splice.origin.iter().map(|origin| origin.edit).collect();
        patch.splices().iter().map(|splice| (splice.range.clone(), text(splice), edits(splice))).collect()
    }

    /// `a` then `b` on "abcdef".
    fn check(a: &[(Range<usize>, &str)], b: &[(Range<usize>, &str)], want: &[(Range<usize>, &str, &[usize])]) {
        let a = patch(6, 0, a);
        let b = patch(a.result_len(), 1, b);
        let composed = compose(&a, &b);
        assert_eq!(composed.apply(b"abcdef"), b.apply(&a.apply(b"abcdef")));
        let want: Vec<_> = want.iter().map(|(r, t, e)| (r.clone(), (*t).to_owned(), e.to_vec())).collect();
        assert_eq!(shown(&composed), want);
    }

    #[test]
    fn splices_that_only_touch_stay_apart() {
        check(&[(0..2, "AB")], &[(2..4, "CD")], &[(0..2, "AB", &[0]), (2..4, "CD", &[1])]);
        check(&[(2..4, "CD")], &[(0..2, "AB")], &[(0..2, "AB", &[1]), (2..4, "CD", &[0])]);
        check(&[(2..4, "")], &[(2..2, "x")], &[(2..2, "x", &[1]), (2..4, "", &[0])]);
        check(&[(2..4, "")], &[(2..3, "E")], &[(2..4, "", &[0]), (4..5, "E", &[1])]);
        check(&[(2..4, "")], &[(0..2, "")], &[(0..2, "", &[1]), (2..4, "", &[0])]);
    }

    #[test]
    fn splices_that_share_a_byte_become_one_of_both_origins() {
        check(&[(1..3, "XYZ")], &[(2..3, "-")], &[(1..3, "X-Z", &[0, 1])]);
        check(&[(1..2, "X"), (4..5, "Y")], &[(1..5, "-")], &[(1..5, "-", &[0, 1])]);
        check(&[(1..5, "XYZ")], &[(0..2, "-"), (3..5, "+")], &[(0..6, "-Y+", &[0, 1])]);
        check(&[(2..4, "")], &[(1..3, "-")], &[(1..5, "-", &[0, 1])]);
        check(&[(2..2, "XY")], &[(3..3, "-")], &[(2..2, "X-Y", &[0, 1])]);
    }

    #[test]
    fn insertions_at_one_point_become_one_in_order() {
        check(&[(2..2, "X")], &[(3..3, "Y")], &[(2..2, "XY", &[0, 1])]);
        check(&[(2..2, "X")], &[(2..2, "Y")], &[(2..2, "YX", &[1, 0])]);
    }

    #[test]
    fn what_is_inserted_and_taken_out_again_is_nothing() {
        check(&[(2..2, "X")], &[(2..3, "")], &[]);
    }

    #[test]
    fn a_range_of_the_result_is_found_in_the_base() {
        let patch = patch(6, 0, &[(1..3, "XYZ"), (4..5, "")]);
        assert_eq!(patch.apply(b"abcdef"), b"aXYZdf");
        assert_eq!(base_range(&patch, &(0..1)), 0..1);
        assert_eq!(base_range(&patch, &(2..3)), 1..3);
        assert_eq!(base_range(&patch, &(3..5)), 1..4);
        assert_eq!(base_range(&patch, &(4..6)), 3..6);
    }
}
