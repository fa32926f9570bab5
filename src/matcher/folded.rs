//! The tier of folded windows: every non-blank line agrees but for white space, typography and Unicode form.
//!
//! Owns the choice among windows that agree. Invariant: where several agree, one wins only if it alone is the old text
//! but for trailing white space.

use super::fold;
use super::found::{Found, Why};
use super::source::{Depth, Source, hash, places};
use crate::strategy::Strategy;
use std::ops::Range;

/// The window of the file that agrees with every non-blank line of `old`.
///
/// # Errors
/// [`Why::Several`], or [`Why::Nowhere`].
pub fn find(file: &Source<'_>, old: &Source<'_>, depth: Depth) -> Result<Found, Why> {
    if depth == Depth::Inner && !may_agree(file, old) {
        return Err(Why::Nowhere);
    }
    let starts = places(old.keys_at(depth), file.keys_at(depth));
    let strategy = match depth {
        Depth::Outer => Strategy::Folded,
        Depth::Inner => Strategy::FoldedInner,
    };
    let agrees =
        |start: usize| (0..old.solid().len()).all(|i| same(file, file.solid()[start + i], old, old.solid()[i], depth));
    match starts[..] {
        [] => Err(Why::Nowhere),
        [start] if agrees(start) => Ok(window(file, old, start, strategy)),
        [_] => Err(Why::Nowhere),
        _ => {
            let plain = same_but_for_line_ends(file, old);
            match starts.iter().filter(|&&start| plain.binary_search(&file.solid()[start]).is_ok()).collect::<Vec<_>>()
                [..]
            {
                [&start] if agrees(start) => Ok(window(file, old, start, strategy)),
                _ => Err(Why::Several(
                    starts.iter().take(LISTED).map(|&s| window(file, old, s, strategy).lines()).collect(),
                )),
            }
        }
    }
}

/// Whether a line of the file has the same bytes as the longest line of `old` but for white space; if none has, the keys
/// of all its lines need not be made. Lines beyond ASCII may.
fn may_agree(file: &Source<'_>, old: &Source<'_>) -> bool {
    let Some(probe) = old.solid().iter().map(|&line| old.text(line)).max_by_key(|text| text.len()) else {
        return false;
    };
    let black = |text: &'_ [u8]| text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect::<Vec<u8>>();
    let want = black(probe);
    let equal = |text: &[u8]| {
        let mut rest = want.iter();
        text.iter().filter(|b| !b.is_ascii_whitespace()).all(|b| rest.next() == Some(b)) && rest.next().is_none()
    };
    !probe.is_ascii() || file.solid().iter().map(|&line| file.text(line)).any(|text| equal(text) || !text.is_ascii())
}

/// How many of several windows are reported.
const LISTED: usize = 64;

fn same(file: &Source<'_>, a: usize, old: &Source<'_>, b: usize, depth: Depth) -> bool {
    match depth {
        Depth::Outer => file.key(a) == old.key(b),
        Depth::Inner => fold::inner(file.text(a)) == fold::inner(old.text(b)),
    }
}

/// The window that starts at the `start`th non-blank line of the file.
pub fn window(file: &Source<'_>, old: &Source<'_>, start: usize, strategy: Strategy) -> Found {
    let pairs = old.solid().iter().enumerate().map(|(i, &line)| (line, file.solid()[start + i])).collect();
    Found { strategy, pairs, odd: None, marks: Vec::new() }
}

/// The lines of the file where the lines of `old` start, blank ones between them included, all equal but for the white
/// space at their ends; in order.
fn same_but_for_line_ends(file: &Source<'_>, old: &Source<'_>) -> Vec<usize> {
    let (Some(&first), Some(&last)) = (old.solid().first(), old.solid().last()) else {
        return Vec::new();
    };
    let keys = |source: &Source<'_>, lines: Range<usize>| -> Vec<u64> {
        lines.map(|line| hash(fold::trim_end(source.text(line)))).collect()
    };
    places(&keys(old, first..last + 1), &keys(file, 0..file.lines().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, old: &str, depth: Depth, want: Result<(usize, usize), &str>) {
        let (file, old) = (Source::new(file.as_bytes(), 0), Source::new(old.as_bytes(), 0));
        let got = find(&file, &old, depth).map(|f| (f.lines().start + 1, f.lines().end)).map_err(|why| why.words());
        assert_eq!(got, want);
    }

    #[test]
    fn lines_agree_whatever_their_depth_and_blank_lines_do_not_count() {
        check("x\n  fn a() {\n\n    b();\n  }\n", "fn a() {\n  b();\n}", Depth::Outer, Ok((2, 5)));
        check("a b\n", "a  b", Depth::Outer, Err("no place is near enough"));
        check("f(a, b)\n", "f( a,b )", Depth::Inner, Ok((1, 1)));
    }

    #[test]
    fn of_several_windows_only_the_one_with_the_same_indentation_wins() {
        check("  a\n  b\na\nb\n", "a \nb", Depth::Outer, Ok((3, 4)));
        check("  a\n  b\n    a\n    b\n", "a\nb", Depth::Outer, Err("two places"));
        check("a\nb\na\nb\n", "a \nb", Depth::Outer, Err("two places"));
    }

    #[test]
    fn many_equal_lines_that_all_but_agree_are_searched_in_linear_work() {
        let file = "same line\n".repeat(100_000);
        check(&file, &("same line\n".repeat(50_000) + "  same line"), Depth::Outer, Err("two places"));
    }

    #[test]
    fn ten_thousand_equal_lines_are_searched_in_linear_work() {
        let file = "same\n".repeat(10_000);
        check(&file, &"same\n".repeat(5_000), Depth::Outer, Err("two places"));
    }
}
