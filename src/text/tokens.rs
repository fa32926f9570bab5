//! Tokens: whole words, numbers, operators, runs of white space, ends of line.
//!
//! Owns where a text may be cut, and when two lines are alike. Does not decide what is put where.
//! Invariant: the tokens of a text are the text; a word, a number, an operator is never cut. Bytes that are no UTF-8
//! count as letters, so that a word in another encoding stays whole.

use std::collections::BTreeMap;

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Digit,
    Blank,
    Operator,
    LineFeed,
    CarriageReturn,
    Other,
}

/// The ends of the tokens of some bytes, in order.
pub fn token_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        at = token_end(bytes, at).max(at + 1);
        ends.push(at);
    }
    ends
}

fn token_end(bytes: &[u8], start: usize) -> usize {
    let (kind, end) = next(bytes, start);
    match kind {
        Kind::CarriageReturn if bytes.get(end) == Some(&b'\n') => end + 1,
        Kind::Word => run(bytes, end, is_letter),
        Kind::Digit => number_end(bytes, end),
        Kind::Blank => run(bytes, end, |kind| kind == Kind::Blank),
        Kind::Operator => run(bytes, end, |kind| kind == Kind::Operator),
        Kind::LineFeed | Kind::CarriageReturn | Kind::Other => end,
    }
}

/// A number goes on behind a point that a letter or a digit follows.
fn number_end(bytes: &[u8], from: usize) -> usize {
    let mut end = run(bytes, from, is_letter);
    while bytes.get(end) == Some(&b'.') && end + 1 < bytes.len() && is_letter(next(bytes, end + 1).0) {
        end = run(bytes, end + 1, is_letter);
    }
    end
}

fn run(bytes: &[u8], from: usize, goes_on: impl Fn(Kind) -> bool) -> usize {
    let mut at = from;
    while at < bytes.len() {
        let (kind, end) = next(bytes, at);
        if !goes_on(kind) {
            break;
        }
        at = end;
    }
    at
}

fn is_letter(kind: Kind) -> bool {
    matches!(kind, Kind::Word | Kind::Digit)
}

/// The kind of the character at `at`, and its end.
fn next(bytes: &[u8], at: usize) -> (Kind, usize) {
    let byte = bytes.get(at).copied().unwrap_or(b' ');
    let kind = match byte {
        b'\n' => Kind::LineFeed,
        b'\r' => Kind::CarriageReturn,
        b' ' | b'\t' | 0x0b | 0x0c => Kind::Blank,
        b'0'..=b'9' => Kind::Digit,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Kind::Word,
        b'=' | b'<' | b'>' | b'!' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'~' | b'?' | b':'
        | b'@' | b'.' => Kind::Operator,
        0x80.. => {
            let (char, size) = bstr::decode_utf8(bytes.get(at..).unwrap_or_default());
            let kind = if char.is_some_and(char::is_whitespace) { Kind::Blank } else { Kind::Word };
            return (kind, at + size.max(1));
        }
        _ => Kind::Other,
    };
    (kind, at + 1)
}

/// Whether a byte belongs to a word: a letter, a digit, an underscore, and every byte beyond ASCII.
pub fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Whether a unit holds a word.
pub fn has_word(unit: &[u8]) -> bool {
    unit.iter().copied().any(is_of_word)
}

/// Whether a token is a name: a word that is no number.
pub fn is_name(token: &[u8]) -> bool {
    token.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80) && has_word(token)
}

/// The tokens of some bytes.
pub fn tokens(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= bytes.len() {
            return None;
        }
        let start = at;
        at = token_end(bytes, start).max(start + 1);
        bytes.get(start..at)
    })
}

/// How often each word (or number) stands in a line.
pub struct Words<'a>(BTreeMap<&'a [u8], usize>);

impl<'a> Words<'a> {
    /// Counts the words of some bytes.
    pub fn of(bytes: &'a [u8]) -> Self {
        let mut counts = BTreeMap::new();
        for token in tokens(bytes).filter(|token| has_word(token)) {
            *counts.entry(token).or_insert(0) += 1;
        }
        Self(counts)
    }

    /// Each word once, with its count, in the order of their bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&'a [u8], usize)> + '_ {
        self.0.iter().map(|(word, count)| (*word, *count))
    }

    /// Whether more than half of these words are among `other`'s: one of the lines may be the other, edited.
    pub fn are_mostly_in(&self, other: &Self) -> bool {
        let all: usize = self.0.values().sum();
        let shared: usize =
            self.0.iter().map(|(word, &count)| count.min(other.0.get(word).copied().unwrap_or(0))).sum();
        2 * shared > all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, want: &[&str]) {
        let got: Vec<&str> = tokens(text.as_bytes()).map(|t| std::str::from_utf8(t).expect("UTF-8")).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn no_word_number_or_operator_is_cut() {
        check("foo(x, 2.5)\r\n", &["foo", "(", "x", ",", " ", "2.5", ")", "\r\n"]);
        check("a <= b\n", &["a", " ", "<=", " ", "b", "\n"]);
        check("0..5 1e3x", &["0", "..", "5", " ", "1e3x"]);
        check("étage_2\t x", &["étage_2", "\t ", "x"]);
        assert_eq!(tokens(b"caf\xe9 x").collect::<Vec<_>>(), [&b"caf\xe9"[..], b" ", b"x"]);
    }

    #[test]
    fn a_name_is_a_word_that_begins_with_no_digit() {
        let is = |token: &str| (has_word(token.as_bytes()), is_name(token.as_bytes()));
        for name in ["foo", "_", "_1", "é", "x9"] {
            assert_eq!(is(name), (true, true), "{name}");
        }
        for number in ["9", "2.5", "1e3x"] {
            assert_eq!(is(number), (true, false), "{number}");
        }
        for sign in ["", " ", "<=", "{", "\r\n"] {
            assert_eq!(is(sign), (false, false), "{sign:?}");
        }
    }

    #[test]
    fn lines_are_alike_by_whole_words() {
        let alike = |a: &'static str, b: &'static str| Words::of(a.as_bytes()).are_mostly_in(&Words::of(b.as_bytes()));
        assert!(alike("let total = a + b;", "let total = a + b + c;"));
        assert!(!alike("w1", "w10"));
    }

    proptest! {
        #[test]
        fn the_tokens_of_any_bytes_are_the_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(tokens(&bytes).collect::<Vec<_>>().concat(), bytes.clone());
            prop_assert_eq!(token_ends(&bytes).last().copied().unwrap_or(0), bytes.len());
        }
    }
}
