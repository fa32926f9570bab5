//! What two lines have in common when a language model has retyped one of them.
//!
//! Owns the folded keys of single lines. Knows nothing of windows. Invariant: folding is a function of the line alone, so
//! equal lines have equal keys, and a line of ASCII without outer white space is its own key.

use crate::text::is_of_word;
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The white space that may stand around the text of a line.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// The line without the ASCII white space at its ends.
pub fn trim(line: &[u8]) -> &[u8] {
    let line = trim_end(line);
    &line[indent(line).len()..]
}

/// The line without the ASCII white space at its end.
pub fn trim_end(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|&b| !is_space(b)).map_or(0, |at| at + 1);
    &line[..end]
}

/// The ASCII white space that the line starts with.
pub fn indent(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|&b| !is_space(b)).unwrap_or(line.len());
    &line[..end]
}

/// The key of a line: outer white space off, Unicode NFC, typography as ASCII.
pub fn outer(line: &[u8]) -> Cow<'_, [u8]> {
    let line = trim(line);
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return Cow::Borrowed(line);
    };
    let folded =
        if is_nfc_quick(text.chars()) == IsNormalized::Yes { typography(text.chars()) } else { typography(text.nfc()) };
    Cow::Owned(trim(folded.as_bytes()).to_vec())
}

/// Whether two lines are the same but for characters that [`outer`] folds.
pub fn is_folded(one: &[u8], other: &[u8]) -> bool {
    trim(one) != trim(other) && outer(one) == outer(other)
}

/// Whether the line holds a character that [`outer`] writes in ASCII: a quote, dash, ellipsis or blank of typography.
pub fn has_typography(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|text| !text.is_ascii() && text.chars().any(|c| ascii_of(c).is_some()))
}

fn typography(text: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    for c in text {
        match ascii_of(c) {
            Some(ascii) => out.push_str(ascii),
            None => out.push(c),
        }
    }
    out
}

/// A character as the keys have it: typography in ASCII, and what has a canonical decomposition in its parts.
pub fn folded(c: char) -> impl Iterator<Item = char> {
    let ascii = ascii_of(c);
    let parts = ascii.is_none().then(|| c.nfd());
    ascii.into_iter().flat_map(str::chars).chain(parts.into_iter().flatten())
}

/// What a text looks like to a reader: typography in ASCII, compatible forms and letters of other scripts as the Latin ones that
/// they resemble, without what cannot be seen. For showing alone: no place is found by it.
pub fn looks(text: &str) -> String {
    let is_unseen = |c: &char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    typography(text.nfkd()).chars().filter(|c| !is_unseen(c)).map(latin).collect()
}

/// The Latin letter that a Cyrillic or Greek one resembles.
fn latin(c: char) -> char {
    const OTHER: &str = "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁɡ\u{391}\u{392}\u{395}\u{396}\u{397}\u{399}\u{39a}\u{39c}\u{39d}\u{39f}\u{3a1}\u{3a4}\u{3a5}\u{3a7}\u{3bf}\u{3bd}";
    const LATIN: &str = "ABESIJKMHOPCTYXaesijopcyxdgABEZHIKMNOPTYXov";
    OTHER.chars().zip(LATIN.chars()).find(|(other, _)| *other == c).map_or(c, |(_, latin)| latin)
}

/// How a typographic character is written in ASCII.
fn ascii_of(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2018}'..='\u{201b}' | '\u{2032}' => "'",
        '\u{201c}'..='\u{201f}' | '\u{2033}' => "\"",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "-",
        '\u{2026}' => "...",
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => " ",
        _ => return None,
    })
}

/// The key of a line with the white space inside folded too: runs are one blank, and there is none beside punctuation.
/// What stands in quotes stays as it is.
pub fn inner(line: &[u8]) -> Vec<u8> {
    let key = outer(line);
    let mut out: Vec<u8> = Vec::with_capacity(key.len());
    let mut at = 0;
    while at < key.len() {
        let byte = key[at];
        if let Some(end) = quoted_end(&key, at) {
            out.extend_from_slice(&key[at..end]);
            at = end;
        } else if is_space(byte) {
            let next = key[at..].iter().position(|&b| !is_space(b)).map_or(key.len(), |n| at + n);
            let beside_words =
                out.last().is_some_and(|&b| is_of_word(b)) && key.get(next).is_some_and(|&b| is_of_word(b));
            if beside_words {
                out.push(b' ');
            }
            at = next;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    out
}

/// Where the string literal that starts at `at` ends: behind its closing quote, if both are there.
fn quoted_end(line: &[u8], at: usize) -> Option<usize> {
    let quote = line[at];
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let mut i = at + 1;
    while i < line.len() {
        match line[i] {
            b'\\' => i += 2,
            b if b == quote => return Some(i + 1),
            _ => i += 1,
        }
    }
    None
}

/// The number of characters of words in a line; a character beyond ASCII counts once.
pub fn word_chars(line: &[u8]) -> usize {
    line.iter().filter(|&&b| is_of_word(b) && (b & 0xc0) != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, same_outer: bool, same_inner: bool) {
        assert_eq!(outer(a.as_bytes()) == outer(b.as_bytes()), same_outer, "outer: {a:?} {b:?}");
        assert_eq!(inner(a.as_bytes()) == inner(b.as_bytes()), same_inner, "inner: {a:?} {b:?}");
    }

    #[test]
    fn outer_white_space_typography_and_unicode_form_do_not_count() {
        check("\t  let a = 1;  \r", "let a = 1;", true, true);
        check("say \u{201c}it\u{2019}s\u{201d} \u{2014} well\u{2026}", "say \"it's\" - well...", true, true);
        check("caf\u{e9}", "cafe\u{301}", true, true);
        check("\u{a0}a\u{a0}b", "a b", true, true);
    }

    #[test]
    fn inner_white_space_counts_only_in_the_stricter_key() {
        check("'=' .repeat(3)", "'='.repeat(3)", false, true);
        check("a  +  b", "a+b", false, true);
        check("let  a", "let a", false, true);
        check("let a", "leta", false, false);
    }

    #[test]
    fn white_space_in_a_string_literal_always_counts() {
        check("f(\"a  b\")", "f(\"a b\")", false, false);
        check("f( \"a b\" )", "f(\"a b\")", false, true);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_compared_as_they_are() {
        assert_eq!(&*outer(b"  caf\xe9 "), b"caf\xe9");
    }
}
