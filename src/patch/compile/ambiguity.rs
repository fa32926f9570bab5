//! What to send instead of an old_string that occurs several times.
//!
//! Owns the hint `places`. Invariant: an extension occurs exactly once in the text.

use crate::matcher::exact;
use crate::matcher::hint::PlaceHint;
use crate::text::{LfText, Text, line_end, line_start, next_line};
use std::ops::Range;

/// At most so many lines are added to an old_string.
const MOST_LINES: usize = 20;

/// Of an old_string with more places than this no extension is looked for.
const MOST_PLACES: usize = 100_000;

/// The first places of `old` (LF only), each with the shortest extension by whole lines that is unique. `lf` is of
/// `text`.
pub(super) fn hints(text: &Text, lf: &LfText<'_>, old: &[u8], first: &[Range<usize>]) -> Vec<PlaceHint> {
    let starts = exact::all_starts(lf, old, MOST_PLACES);
    let shown = |range: Range<usize>| String::from_utf8(lf.bytes()[range].to_vec()).ok();
    let line_of = |place: &Range<usize>| {
        let levels = Levels::new(lf, place, text.body_start());
        levels.before[0]..line_end(lf.bytes(), place.start)
    };
    first
        .iter()
        .map(|place| PlaceHint {
            line: text.lines().number_at(lf.original(place.start)),
            text: shown(line_of(place)),
            extension: starts
                .as_ref()
                .and_then(|starts| shortest(lf, place, starts, text.body_start()))
                .and_then(shown),
        })
        .collect()
}

/// Where an extension by whole lines may start and end.
struct Levels {
    /// The start of the place's own line, of the line before, and so on.
    before: Vec<usize>,
    /// The end of the place's own last line, of the line after, and so on.
    after: Vec<usize>,
}

impl Levels {
    fn new(lf: &LfText<'_>, place: &Range<usize>, body_start: usize) -> Self {
        let hay = lf.bytes();
        let start = |at: usize| line_start(hay, at).max(body_start.min(at));
        let mut before = vec![start(place.start)];
        while before.len() <= MOST_LINES && before[before.len() - 1] > body_start {
            before.push(start(before[before.len() - 1] - 1));
        }
        // An old_string that ends with its newline goes on to do so, one that does not goes on not to.
        let whole = hay[place.clone()].ends_with(b"\n");
        let end = |at: usize| if whole { next_line(hay, at) } else { line_end(hay, at) };
        let mut after = vec![if whole { place.end } else { end(place.end) }];
        while after.len() <= MOST_LINES {
            let next = after[after.len() - 1] + usize::from(!whole);
            if next >= hay.len() {
                break;
            }
            after.push(end(next));
        }
        Self { before, after }
    }
}

fn shortest(lf: &LfText<'_>, place: &Range<usize>, starts: &[usize], body_start: usize) -> Option<Range<usize>> {
    let hay = lf.bytes();
    let levels = Levels::new(lf, place, body_start);
    let most = levels.after[levels.after.len() - 1] - place.end;
    // How far each other place agrees with this one: to the left, and to the right.
    let agreement: Vec<(usize, usize)> = starts
        .iter()
        .filter(|&&start| start != place.start)
        .map(|&start| {
            let left = levels.before[levels.before.len() - 1];
            let here = hay[left..place.start].iter().rev();
            let end = start + place.len();
            (
                here.zip(hay[..start].iter().rev()).take_while(|(x, y)| x == y).count(),
                hay[place.end..].iter().take(most).zip(&hay[end..]).take_while(|(x, y)| x == y).count(),
            )
        })
        .collect();
    let mut best: Option<(usize, usize, Range<usize>)> = None;
    for (lines_before, &start) in levels.before.iter().enumerate() {
        let left = place.start - start;
        let right = agreement.iter().filter(|other| other.0 >= left).map(|other| other.1 + 1).max().unwrap_or(0);
        let Some(lines_after) = levels.after.iter().position(|&end| end - place.end >= right) else { continue };
        let range = start..levels.after[lines_after];
        let cost = (lines_before + lines_after, range.len());
        if cost.0 <= MOST_LINES && best.as_ref().is_none_or(|best| cost < (best.0, best.1)) {
            best = Some((cost.0, cost.1, range));
        }
    }
    best.map(|(_, _, range)| range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matcher::exact::{Needle, Want, find};

    fn check(text: &str, old: &str, want: &[(usize, Option<&str>, Option<&str>)]) {
        check_bytes(text.as_bytes(), old, want);
    }

    fn check_bytes(text: &[u8], old: &str, want: &[(usize, Option<&str>, Option<&str>)]) {
        let text = Text::new(text.to_vec()).expect("no NUL");
        let lf = LfText::new(text.bytes());
        let count = |needle: &str| find(&lf, &[Needle { text: needle.as_bytes(), want: Want::One }]).remove(0);
        let got = hints(&text, &lf, old.as_bytes(), &count(old).first);
        for hint in &got {
            assert!(
                hint.extension.as_ref().is_none_or(|text| count(text).count == 1 && text.contains(old)),
                "{hint:?}"
            );
        }
        let got: Vec<_> = got.iter().map(|hint| (hint.line, hint.text.as_deref(), hint.extension.as_deref())).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn a_part_of_a_line_is_extended_to_the_line() {
        check(
            "a = f(1)\nb = f(1)\n",
            "f(1)",
            &[(1, Some("a = f(1)"), Some("a = f(1)")), (2, Some("b = f(1)"), Some("b = f(1)"))],
        );
    }

    #[test]
    fn lines_are_added_before_or_after_whichever_is_shorter() {
        check("a\nx\nb\na\nx\nlong\n", "x\n", &[(2, Some("x"), Some("x\nb\n")), (5, Some("x"), Some("x\nlong\n"))]);
        check("one\nx\ntwo\nx\n", "x", &[(2, Some("x"), Some("x\ntwo")), (4, Some("x"), Some("two\nx"))]);
    }

    #[test]
    fn both_sides_are_used_where_one_is_not_enough() {
        check(
            "a\nx\nb\nz\na\nx\nc\nz\nd\nx\nb\nz\na\n",
            "x",
            &[(2, Some("x"), Some("a\nx\nb")), (6, Some("x"), Some("x\nc")), (10, Some("x"), Some("d\nx"))],
        );
    }

    #[test]
    fn what_cannot_be_made_unique_or_shown_has_no_extension() {
        check("aaa", "aa", &[(1, Some("aaa"), Some("aaa")), (1, Some("aaa"), Some("aaa"))]);
        check(&"x\n".repeat(100), "x", &[1, 2, 3, 4, 5].map(|line| (line, Some("x"), None)));
        check_bytes(b"\xff x\n\xfe x\n", "x", &[(1, None, None), (2, None, None)]);
    }

    #[test]
    fn extensions_have_lf_whatever_the_file_has() {
        check("a\r\nx\r\nb\r\nx\r\n", "x", &[(2, Some("x"), Some("x\nb")), (4, Some("x"), Some("b\nx"))]);
    }

    #[test]
    fn the_bom_is_no_part_of_an_extension() {
        check("\u{feff}x\nx\ny\n", "x", &[(1, Some("x"), Some("x\nx")), (2, Some("x"), Some("x\ny"))]);
    }
}
