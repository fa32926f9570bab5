//! What one text has more of than another: lines, or tokens, wherever they stand.
//!
//! Owns that count. What only moved is in neither list.

use crate::text::{PieceMap, lines_between_ends, split_lines};

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
    let counts = counts(before, after);
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

/// How many more of each piece one of two lists has than the other.
fn counts<'t>(before: impl Iterator<Item = &'t [u8]>, after: impl Iterator<Item = &'t [u8]>) -> PieceMap<'t, isize> {
    let mut counts = PieceMap::default();
    before.for_each(|piece| *counts.entry(piece).or_default() -= 1);
    after.for_each(|piece| *counts.entry(piece).or_default() += 1);
    counts
}

/// How many more of each line a text has than another, without the white space around them.
pub(super) fn line_counts<'a>(than: &'a [u8], text: &'a [u8]) -> PieceMap<'a, isize> {
    let [than, text] = unlike(lines_between_ends([than, text])).map(|lines| lines.into_iter().map(<[u8]>::trim_ascii));
    counts(than, text)
}

/// The lines that a text has more of than another, without the white space around them.
pub(super) fn more<'a>(than: &'a [u8], text: &'a [u8]) -> Vec<&'a [u8]> {
    line_counts(than, text).into_iter().filter(|(_, count)| *count > 0).map(|(line, _)| line).collect()
}

/// The lines of two texts without most of those that stand in both, in the same order: these cancel out in the count, which is
/// the dear part where a few lines were changed far from each other.
fn unlike([a, b]: [&[u8]; 2]) -> [Vec<&[u8]>; 2] {
    /// So far is looked for the line that goes on; whatever is missed is only counted.
    const NEAR: usize = 8;
    let mut found = [Vec::new(), Vec::new()];
    let (mut a, mut b) = (split_lines(a), split_lines(b));
    loop {
        let (line, other) = match (a.next(), b.next()) {
            (None, None) => return found,
            (Some(line), Some(other)) if line == other => continue,
            (line, other) => (line, other),
        };
        let [ahead, other_ahead] = [(&a, other), (&b, line)]
            .map(|(lines, wanted)| lines.clone().take(NEAR).position(|line| Some(line) == wanted));
        match (ahead, other_ahead) {
            (Some(skipped), other_skipped) if other_skipped.is_none_or(|other| skipped <= other) => {
                found[0].extend(line.into_iter().chain(a.by_ref().take(skipped)));
                a.next();
            }
            (_, Some(skipped)) => {
                found[1].extend(other.into_iter().chain(b.by_ref().take(skipped)));
                b.next();
            }
            _ => {
                found[0].extend(line);
                found[1].extend(other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn lines_that_cancel_out_are_left_out_of_the_count_and_no_others(a in "[ab\n ]{0,60}", b in "[ab\n ]{0,60}") {
            let [than, text] = [&a, &b].map(|text| split_lines(text.as_bytes()).map(<[u8]>::trim_ascii));
            let [mut found, mut counted] = [more(a.as_bytes(), b.as_bytes()), differing(than, text).new];
            found.sort_unstable();
            counted.sort_unstable();
            proptest::prop_assert_eq!(found, counted);
        }
    }

    #[test]
    fn of_lines_that_are_changed_or_missing_here_and_there_only_those_are_counted() {
        let check = |a: &str, b: &str, want: [&[&str]; 2]| {
            let found = unlike([a.as_bytes(), b.as_bytes()]);
            assert_eq!(
                found,
                want.map(|lines| lines.iter().map(|line| line.as_bytes()).collect::<Vec<_>>()),
                "{a:?} {b:?}"
            );
        };
        check("1\n2\n3\n4\n", "1\nx\n3\ny\n", [&["2\n", "4\n"], &["x\n", "y\n"]]);
        check("1\n2\n3\n4\n5\n", "1\n4\n5\n", [&["2\n", "3\n"], &[]]);
        check("1\n4\n5\n", "1\n2\n3\n4\nx\n", [&["5\n"], &["2\n", "3\n", "x\n"]]);
        // Of two lines that both go on, the nearer one is taken for the one that was left where it was; the first's, where none is.
        check("1\n2\n", "2\n1\n", [&["1\n"], &["1\n"]]);
        check("1\nx\n2\n3\n", "2\n1\nx\n3\n", [&["2\n"], &["2\n"]]);
    }

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
