//! Parts of texts, as much as a caller is shown.
//!
//! Owns where they are cut, and how white space and control characters are shown. Invariant: at most as many bytes come out
//! as are asked for.

use crate::matcher::fold;
use std::ops::Range;

/// What stands in place of what is left out.
pub(super) const LEFT_OUT: &str = "[...]";
/// So many characters of a line are shown where it is put beside another.
const LINE: usize = 200;
/// So many of those that are alike are shown before the first that differs.
const ALIKE: usize = 60;

/// Lines by their numbers.
pub(super) fn lines(first: usize, last: usize) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first} to {last}") }
}

/// How many bytes a text takes inside a JSON string.
pub(super) fn json_len(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..32 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

/// The first whole lines, and how many are left out; of a line that is longer than all, its beginning, which says that it
/// is no more. `most` counts as JSON does.
pub(super) fn first_lines(text: &str, most: usize) -> String {
    let text = obeyed_by_nobody(text);
    if json_len(&text) <= most {
        return text;
    }
    let room = most.saturating_sub("[... 99999999 lines more]".len() + 2);
    let mut taken = 0;
    let fits = |line: &&str| {
        taken += json_len(line);
        taken <= room + 2
    };
    let whole: usize = text.split_inclusive('\n').take_while(fits).map(str::len).sum();
    if whole == 0 {
        let first = text.split('\n').next().unwrap_or_default();
        let end = beginning(first, room.saturating_sub(8));
        return format!("{}{}", &first[..end], cut(first.len() - end, text.len() - first.len()));
    }
    match text[whole..].lines().count() {
        1 => format!("{}\n[... 1 line more]", &text[..whole - 1]),
        left => format!("{}\n[... {left} lines more]", &text[..whole - 1]),
    }
}

/// What is said at the end of the beginning of a line.
fn cut(of_line: usize, behind: usize) -> String {
    let and = if behind > 1 { ", and more" } else { "" };
    format!("[... {of_line} bytes{and}]")
}

/// A text of one line: of one that is too long, its beginning and its end.
pub(super) fn ends(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(LEFT_OUT.len());
    let head = (0..=room / 2).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let tail = (text.len() - (room - head)..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    format!("{}{LEFT_OUT}{}", &text[..head], &text[tail..])
}

/// Where the beginning of a text ends that takes as many bytes inside a JSON string.
fn beginning(text: &str, most: usize) -> usize {
    let mut taken = 0;
    let mut chars = text.char_indices();
    chars
        .find(|(at, c)| {
            taken += json_len(&text[*at..*at + c.len_utf8()]);
            taken > most
        })
        .map_or(text.len(), |(at, _)| at)
}

/// The last whole lines; of a line that is longer than all, its end. `most` counts as JSON does.
pub(super) fn last_lines(text: &str, most: usize) -> String {
    let text = obeyed_by_nobody(text);
    if json_len(&text) <= most {
        return text;
    }
    let room = most.saturating_sub(LEFT_OUT.len() + 2);
    let mut taken = 0;
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        taken += json_len(&text[at..at + c.len_utf8()]);
        if taken > room {
            break;
        }
        start = at;
    }
    // From the next line on, unless what fits begins one, or is all of one line.
    let begins_line = start == 0 || text.as_bytes()[start - 1] == b'\n';
    let next = text[start..].find('\n').map(|at| start + at + 1).filter(|_| !begins_line);
    format!("{LEFT_OUT}\n{}", &text[next.filter(|&at| at < text.len()).unwrap_or(start)..])
}

/// A line with its white space made visible: tabs, blanks at its ends, carriage returns. Of a long one the first characters
/// from the one at `from` on.
fn visible_from(line: &str, from: usize, named: &Range<usize>) -> String {
    let at = |n: usize| line.char_indices().nth(n).map_or(line.len(), |(at, _)| at);
    let (start, end) = (at(from), at(from + LINE));
    let body = line.trim();
    let first = line.find(body).filter(|_| !body.is_empty()).unwrap_or(line.len());
    let mut out = if start > 0 { LEFT_OUT.to_owned() } else { String::new() };
    for (at, c) in line[start..end].char_indices() {
        let is_outside = start + at < first || start + at >= first + body.len();
        match c {
            '\t' => out.push('\u{2192}'),
            '\r' => out.push('\u{240d}'),
            ' ' if is_outside => out.push('\u{b7}'),
            c if is_unseen(c) => out.push_str(&code(c)),
            c if c.is_control() => out.extend(c.escape_default()),
            c if named.contains(&(start + at)) && !c.is_ascii() => out.extend([c.to_string(), code(c)]),
            c => out.push(c),
        }
    }
    if end < line.len() {
        out.push_str(LEFT_OUT);
    }
    out
}

/// The line of `text` that holds the byte `at`: of a long one some characters before it, and so many in all.
pub(super) fn around(text: &str, at: usize, (before, most): (usize, usize)) -> String {
    let at = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let count = line.chars().count();
    if count <= most {
        return obeyed_by_nobody(line);
    }
    let from = text[start..at].chars().count().saturating_sub(before).min(count - most);
    let shown: String = line.chars().skip(from).take(most).collect();
    let head = if from > 0 { LEFT_OUT } else { "" };
    let tail = if from + most < count { LEFT_OUT } else { "" };
    format!("{head}{}{tail}", obeyed_by_nobody(&shown))
}

/// A line that stands alone, with its white space made visible.
pub(super) fn visible(line: &[u8]) -> String {
    visible_from(&String::from_utf8_lossy(line), 0, &(0..0))
}

/// Two lines that differ, each with its white space made visible; of long ones what stands around the first difference, and
/// of what differs but looks alike the code points.
pub(super) fn visible_pair(a: &[u8], b: &[u8]) -> [String; 2] {
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    let alike = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let is_long = [&a, &b].iter().any(|line| line.chars().nth(LINE).is_some());
    let from = if is_long && alike > ALIKE { alike - ALIKE } else { 0 };
    let named = look_alike(&a, &b).unwrap_or_default();
    [visible_from(&a, from, &named[0]), visible_from(&b, from, &named[1])]
}

/// Where two lines differ and yet look the same.
fn look_alike(a: &str, b: &str) -> Option<[Range<usize>; 2]> {
    let head: usize = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let (behind_a, behind_b) = (&a[head..], &b[head..]);
    let pairs = behind_a.chars().rev().zip(behind_b.chars().rev());
    let tail: usize = pairs.take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let ranges = [head..a.len() - tail, head..b.len() - tail];
    let looks = |line: &str, range: &Range<usize>| fold::looks(&line[range.clone()]);
    (looks(a, &ranges[0]) == looks(b, &ranges[1])).then_some(ranges)
}

/// Characters that cannot be seen, or not be told from a blank.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{feff}')
}

fn code(c: char) -> String {
    format!("<U+{:04X}>", u32::from(c))
}

/// Control characters but for line endings and tabs are shown, so that no text forges what a person or a model reads.
fn obeyed_by_nobody(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let text = text.replace("\r\n", "\n");
    if text.chars().all(is_plain) {
        return text;
    }
    text.chars().map(|c| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() }).collect()
}

/// What a reader must know of a text of which [`first_lines`] shows control characters.
pub(super) fn escapes(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let mut found: Vec<char> = text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\t')).collect();
    found.sort_unstable();
    found.dedup();
    let shown: Vec<String> = found
        .iter()
        .take(3)
        .map(|c| format!("{} is the character U+{:04X} itself", c.escape_default(), u32::from(*c)))
        .collect();
    (!shown.is_empty()).then(|| shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_and_what_does_not_is_cut_at_a_line() {
        assert_eq!(first_lines("a\nb", 10), "a\nb");
        assert_eq!(first_lines("line 1\nline 2\nline 3\nline 4\nline 5\n", 38), "line 1\n[... 4 lines more]");
        assert_eq!(first_lines("line 1\nline 2\nline 3", 22), "line 1\nline 2\nline 3");
        assert_eq!(first_lines(&format!("\"\"\"\" 1\n{}", "x".repeat(30)), 40), "\"\"\"\" 1\n[... 1 line more]");
        assert_eq!(last_lines("line 1\nline 2\nline 3", 16), "[...]\nline 3");
        assert_eq!(last_lines("line 1\nline 2\nline 3", 13), "[...]\nline 3");
    }

    #[test]
    fn a_long_line_is_cut_at_a_character() {
        assert_eq!(first_lines(&"é".repeat(30), 42), "ééé[... 54 bytes]");
        assert_eq!(first_lines(&"\"".repeat(30), 42), "\"\"\"[... 27 bytes]");
        assert_eq!(first_lines(&format!("{}\nx\n", "y".repeat(60)), 42), "yyyyyyy[... 53 bytes, and more]");
        assert_eq!(last_lines(&"é".repeat(20), 13), "[...]\nééé");
    }

    #[test]
    fn of_a_long_name_both_ends_are_shown() {
        assert_eq!(ends("short", 5), "short");
        assert_eq!(ends("a/long/path/to/file.rs", 15), "a/lon[...]le.rs");
        assert_eq!(ends(&"é".repeat(20), 12), "é[...]éé");
    }

    #[test]
    fn of_a_long_line_the_place_is_shown() {
        assert_eq!(around("x\nabc\ny", 3, (2, 5)), "abc");
        assert_eq!(around("abcdefghij\nx", 6, (2, 5)), "[...]efghi[...]");
        assert_eq!(around("abcdefghij", 9, (2, 5)), "[...]fghij");
    }

    #[test]
    fn of_long_lines_that_differ_the_difference_is_shown() {
        let line = |word: &str| format!("\t{}{word}{} ", "a".repeat(500), "b".repeat(500));
        let [a, b] = visible_pair(line("x").as_bytes(), line("y").as_bytes());
        assert_eq!(a, format!("[...]{}x{}[...]", "a".repeat(60), "b".repeat(139)));
        assert_eq!(b, format!("[...]{}y{}[...]", "a".repeat(60), "b".repeat(139)));
        assert_eq!(visible_pair(b"\tx ", b" x"), ["\u{2192}x\u{b7}", "\u{b7}x"]);
        assert_eq!(visible(b" \t "), "\u{b7}\u{2192}\u{b7}");
    }

    #[test]
    fn characters_that_look_alike_are_named() {
        let pair = |a: &str, b: &str| visible_pair(a.as_bytes(), b.as_bytes());
        assert_eq!(pair("caf\u{e9} x", "cafe\u{301} x"), ["caf\u{e9}<U+00E9> x", "cafe\u{301}<U+0301> x"]);
        assert_eq!(pair("it's", "it\u{2019}s"), ["it's", "it\u{2019}<U+2019>s"]);
        assert_eq!(pair("a b", "a\u{a0}b"), ["a b", "a<U+00A0>b"]);
        assert_eq!(pair("scope", "s\u{441}ope"), ["scope", "s\u{441}<U+0441>ope"]);
        assert_eq!(pair("a\u{200b}b", "ab"), ["a<U+200B>b", "ab"]);
        assert_eq!(pair("\u{7b2c}", "\u{5f1f}"), ["\u{7b2c}", "\u{5f1f}"]);
        assert_eq!(pair("A\u{ff21}", "AA"), ["A\u{ff21}<U+FF21>", "AA"]);
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(first_lines("a\u{1b}[2J\r\nb\tc", 100), "a\\u{1b}[2J\nb\tc");
    }
}
