//! What to send instead of an old_string that occurs several times.
//!
//! Owns the hint `places`. Invariant: an extension occurs exactly once in the text.

use crate::matcher::exact::KEPT;
use crate::matcher::hint::PlaceHint;
use crate::matcher::likely::{Evidence, Likely, lines_of};
use crate::text::{LfText, Lines, Text, is_of_word, line_end, line_start, next_line};
use std::ops::Range;

/// At most so many lines are added to an old_string.
const MOST_LINES: usize = 20;

/// An extension that is longer than this, in bytes, is not worth as much as one inside of lines.
const LONG: usize = 200;

/// The longest extension inside of lines, in bytes.
const LONGEST: usize = 240;

/// How far an extension may reach to one side, in bytes.
const FARTHEST: usize = 1 << 16;
/// So many bytes are compared for the extension of a place.
const WORK: usize = 20_000_000;
/// Of an old_string with more places than this, no extension inside of lines is looked for.
const FEW_PLACES: usize = 10_000;

/// Of an old_string with more places than this no extension is looked for.
pub(super) const MOST_PLACES: usize = 100_000;

/// The likeliest of some places of `old` (LF only), each with the shortest extension by whole lines that is unique. `lf` is of
/// `text`, `starts` are those of all its places, where they are not too many.
pub(super) fn hints(
    text: &Text,
    lf: &LfText<'_>,
    (places, starts): (&[Range<usize>], Option<Vec<usize>>),
    evidence: Evidence<'_>,
) -> Vec<PlaceHint> {
    let first = likeliest(lf, places, evidence);
    let shown = |range: Range<usize>| String::from_utf8(lf.bytes()[range].to_vec()).ok();
    let body_start = text.body_start();
    let line_start = |place: &Range<usize>| Levels::new(lf, place, body_start).before[0];
    let hint = |place: &Range<usize>| {
        let start = line_start(place);
        let (whole, part) = match &starts {
            Some(starts) => {
                let whole = shortest(lf, place, starts, body_start);
                let is_long = starts.len() <= FEW_PLACES && whole.as_ref().is_none_or(|whole| whole.len() > LONG);
                (whole, is_long.then(|| within_lines(lf, place, starts)).flatten())
            }
            None => (None, None),
        };
        PlaceHint {
            line: text.lines().number_at(lf.original(place.start)),
            text: shown(start..line_end(lf.bytes(), place.start)),
            at: place.start - start,
            extension: whole.and_then(shown),
            part: part.and_then(shown),
        }
    };
    first.iter().map(hint).collect()
}

/// As many places as are told, the likeliest first.
fn likeliest(lf: &LfText<'_>, all: &[Range<usize>], evidence: Evidence<'_>) -> Vec<Range<usize>> {
    let lines = Lines::new(lf.bytes());
    let order = Likely::new(lf.bytes(), evidence).order(all.iter().map(|place| lines_of(&lines, place)));
    order.into_iter().take(KEPT).map(|at| all[at].clone()).collect()
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
    // However alike the places are, they are compared in bounded time.
    let bound = (WORK / (starts.len() + 1)).min(FARTHEST);
    let most = (levels.after[levels.after.len() - 1] - place.end).min(bound);
    // How far each other place agrees with this one: to the left, and to the right.
    let agreement: Vec<(usize, usize)> = starts
        .iter()
        .filter(|&&start| start != place.start)
        .map(|&start| {
            let left = levels.before[levels.before.len() - 1].max(place.start.saturating_sub(bound));
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
        if left > bound {
            break;
        }
        let right = agreement.iter().filter(|other| other.0 >= left).map(|other| other.1 + 1).max().unwrap_or(0);
        let Some(lines_after) = levels.after.iter().position(|&end| end - place.end >= right) else { continue };
        if right > bound {
            continue;
        }
        let range = start..levels.after[lines_after];
        let cost = (lines_before + lines_after, range.len());
        if cost.0 <= MOST_LINES && best.as_ref().is_none_or(|best| cost < (best.0, best.1)) {
            best = Some((cost.0, cost.1, range));
        }
    }
    best.map(|(_, _, range)| range)
}

/// The shortest extension that occurs once and ends where words do, whatever lines it ends in.
fn within_lines(lf: &LfText<'_>, place: &Range<usize>, starts: &[usize]) -> Option<Range<usize>> {
    let hay = lf.bytes();
    let most = LONGEST.saturating_sub(place.len());
    // How far each other place agrees with this one, and one byte more: to the left, and to the right.
    let mut needed: Vec<(usize, usize)> = starts
        .iter()
        .filter(|&&start| start != place.start)
        .map(|&start| {
            let end = start + place.len();
            let left = hay[..place.start].iter().rev().zip(hay[..start].iter().rev()).take(most);
            let right = hay[place.end..].iter().zip(&hay[end..]).take(most);
            (left.take_while(|(x, y)| x == y).count() + 1, right.take_while(|(x, y)| x == y).count() + 1)
        })
        .collect();
    needed.sort_unstable_by(|a, b| b.cmp(a));
    needed.push((0, 0));
    // With so much on the left, those that agree with it there must be told apart on the right.
    let mut right = 0;
    let pairs = needed.iter().map(|&(left, next)| {
        let pair = (left, right);
        right = right.max(next);
        pair
    });
    let is_possible = |&(left, right): &(usize, usize)| left <= place.start && right <= hay.len() - place.end;
    let (left, right) = pairs.filter(is_possible).min_by_key(|(left, right)| (left + right, *left))?;
    let (mut start, mut end) = (place.start - left, place.end + right);
    start -= hay[..start].iter().rev().take_while(|byte| left > 0 && is_of_word(**byte)).count();
    end += hay[end..].iter().take_while(|byte| right > 0 && is_of_word(**byte)).count();
    (end - start <= LONGEST.max(place.len())).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matcher::exact::{self, Needle, Want, find};

    fn all_of(lf: &LfText<'_>, old: &[u8]) -> (Vec<Range<usize>>, Option<Vec<usize>>) {
        let starts = exact::all_starts(lf, old, MOST_PLACES).expect("few");
        (starts.iter().map(|&start| start..start + old.len()).collect(), Some(starts))
    }

    fn check(text: &str, old: &str, want: &[(usize, Option<&str>, Option<&str>)]) {
        check_bytes(text.as_bytes(), old, want);
    }

    fn check_bytes(text: &[u8], old: &str, want: &[(usize, Option<&str>, Option<&str>)]) {
        let text = Text::new(text.to_vec()).expect("no NUL");
        let lf = LfText::new(text.bytes());
        let count = |needle: &str| find(&lf, &[Needle { text: needle.as_bytes(), want: Want::One }]).remove(0);
        let (all, starts) = all_of(&lf, old.as_bytes());
        let got = hints(&text, &lf, (&all, starts), Evidence::default());
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
    fn in_long_lines_an_extension_need_not_be_of_whole_lines() {
        let line = "word ".repeat(100);
        let text = format!("{line}one x\n{line}two x\n{line}two x three\n");
        let text = Text::new(text.into_bytes()).expect("no NUL");
        let lf = LfText::new(text.bytes());
        let (all, starts) = all_of(&lf, b"x");
        let parts: Vec<_> =
            hints(&text, &lf, (&all, starts), Evidence::default()).into_iter().filter_map(|hint| hint.part).collect();
        assert_eq!(parts, ["one x", "two x\nword", "x three"]);
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
