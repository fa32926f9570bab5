//! Where else bytes may be taken out of a text so that the same is left.
//!
//! Owns that, for any bytes; `slides` does for whole lines, also in another order. Decides nothing.

use crate::text::starts_line;
use std::ops::Range;

/// So far, in bytes, a place is looked for that leaves the same text.
const MOST_SHIFT: usize = 1 << 12;

/// Where else bytes may be taken out so that the same is left; at the starts of lines, where they stand at one.
pub(super) fn shifts(text: &[u8], range: &Range<usize>) -> Vec<Range<usize>> {
    let len = range.len();
    let is_line = starts_line(text, range.start);
    let is_place = |start: usize| !is_line || starts_line(text, start);
    let up = (1..=range.start.min(MOST_SHIFT))
        .take_while(|n| text[range.start - n] == text[range.end - n])
        .map(|n| range.start - n);
    let down = (1..=(text.len() - range.end).min(MOST_SHIFT))
        .take_while(|n| text[range.start + n - 1] == text[range.end + n - 1])
        .map(|n| range.start + n);
    up.chain(down).filter(|start| is_place(*start)).map(|start| start..start + len).collect()
}

/// The lines equal to one, above and below it without another one between; none where it is no whole line.
pub(super) fn run_of(text: &[u8], line: &Range<usize>) -> Vec<Range<usize>> {
    let (bytes, len) = (&text[line.clone()], line.len());
    if !(bytes.ends_with(b"\n") && starts_line(text, line.start)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let (mut up, mut down) = (line.start, line.end);
    while text[..up].ends_with(bytes) && starts_line(text, up - len) && found.len() < MOST_SHIFT {
        up -= len;
        found.push(up..up + len);
    }
    while text[down..].starts_with(bytes) && found.len() < MOST_SHIFT {
        found.push(down..down + len);
        down += len;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(ranges: Vec<Range<usize>>) -> Vec<(usize, usize)> {
        ranges.into_iter().map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn bytes_may_be_taken_out_elsewhere_where_the_same_is_left_and_lines_at_the_starts_of_lines() {
        let check = |text: &str, range: Range<usize>, want: &[(usize, usize)]| {
            assert_eq!(ends(shifts(text.as_bytes(), &range)), want, "{text:?} {range:?}");
        };
        check("a\nx\nx\nb\n", 2..4, &[(4, 6)]);
        check("a\nx\nx\nb\n", 4..6, &[(2, 4)]);
        check("aa\naa\nb\n", 0..3, &[(3, 6)]);
        check("x\ny\nx\ny\n", 0..4, &[(2, 6), (4, 8)]);
        check("bab", 1..2, &[]);
        check("baab", 1..2, &[(2, 3)]);
        check("", 0..0, &[]);
    }

    #[test]
    fn equal_lines_are_those_above_and_below_without_another_one_between() {
        let check = |text: &str, line: Range<usize>, want: &[(usize, usize)]| {
            assert_eq!(ends(run_of(text.as_bytes(), &line)), want, "{text:?} {line:?}");
        };
        check("b\nx\nx\nx\nc\nx\n", 4..6, &[(2, 4), (6, 8)]);
        check("x\nx\n", 0..2, &[(2, 4)]);
        check("ax\nx\n", 3..5, &[]);
        check("x\nx", 2..3, &[]);
        check("ax\n", 1..3, &[]);
    }
}
