//! Comments, texts, numbers and words of programming languages, line by line.
//!
//! Owns where they begin and end, also over lines. Which languages there are is `languages.rs`; what they look like is `palette.rs`.
//! A small scanner instead of grammars: with those of Sublime Text (syntect) a development build of that crate alone took 19 s of CPU, and
//! 300 lines took it a second there.
//! Invariant: the ranges of a line are on the borders of characters, one behind the other.

mod languages;

use crate::text::is_of_word;
use languages::{LANGUAGES, Language, Quote};
use std::ops::Range;

/// What a part of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Comment,
    Text,
    Number,
    Word,
}

/// What is open at the beginning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum State {
    /// Nothing.
    #[default]
    Code,
    /// A comment, so many deep.
    Comment(u8),
    /// A text, by its place among the language's.
    Text(u8),
}

/// The language that a file of this name is in.
pub(super) fn language_of(path: &[u8]) -> Option<&'static Language> {
    let name = path.rsplit(|&byte| byte == b'/').next()?;
    let name = std::str::from_utf8(name).ok()?.to_ascii_lowercase();
    let end = name.rsplit_once('.').map(|(_, end)| end);
    let is = |names: &str, sought: &str| !sought.is_empty() && names.split(' ').any(|one| one == sought);
    LANGUAGES.iter().find(|language| is(language.names, &name) || end.is_some_and(|end| is(language.ends, end)))
}

/// What is open at the beginning of each of the first `most` lines of a text.
pub(super) fn states(language: &Language, text: &str, most: usize) -> Vec<State> {
    let mut state = State::default();
    let mut after = |line: &str| {
        let before = state;
        state = Scanner { language, line: line.as_bytes(), at: 0, found: Vec::new() }.run(state).1;
        before
    };
    text.lines().take(most).map(&mut after).collect()
}

/// The tokens of a line.
pub(super) fn tokens(language: &Language, line: &str, state: State) -> Vec<(Range<usize>, Token)> {
    Scanner { language, line: line.as_bytes(), at: 0, found: Vec::new() }.run(state).0
}

struct Scanner<'l> {
    language: &'l Language,
    line: &'l [u8],
    at: usize,
    found: Vec<(Range<usize>, Token)>,
}

impl Scanner<'_> {
    fn run(mut self, state: State) -> (Vec<(Range<usize>, Token)>, State) {
        let mut open = match state {
            State::Code if self.is_head() => {
                self.take(self.line.len(), Token::Word);
                State::Code
            }
            State::Code => State::Code,
            State::Comment(depth) => self.comment(0, depth),
            State::Text(n) => self.text(0, n),
        };
        while open == State::Code && self.at < self.line.len() {
            open = self.code();
        }
        (self.found, open)
    }

    fn rest(&self) -> &[u8] {
        &self.line[self.at..]
    }

    /// Whether the whole line is a heading.
    fn is_head(&self) -> bool {
        self.language.heads.bytes().any(|head| self.line.first() == Some(&head))
    }

    fn take(&mut self, end: usize, token: Token) {
        let start = std::mem::replace(&mut self.at, end);
        self.found.push((start..end, token));
    }

    /// One thing, where nothing is open; what is then.
    fn code(&mut self) -> State {
        let language = self.language;
        if let Some((open, _)) = language.block.filter(|(open, _)| self.rest().starts_with(open.as_bytes())) {
            let start = self.at;
            self.at += open.len();
            return self.comment(start, 1);
        }
        if self.is_line_comment() {
            self.take(self.line.len(), Token::Comment);
            return State::Code;
        }
        let is_open = |quote: &&Quote| self.rest().starts_with(quote.open.as_bytes());
        if let Some(n) = language.quotes.iter().position(|quote| is_open(&quote)) {
            if language.has_lifetimes && language.quotes[n].open == "'" && !self.is_character() {
                self.at += 1;
                return State::Code;
            }
            let start = self.at;
            self.at += language.quotes[n].open.len();
            return self.text(start, n as u8);
        }
        match self.line[self.at] {
            byte if byte.is_ascii_digit() => self.number(),
            byte if is_of_word(byte) => self.word(),
            b'<' if language.has_tags => self.tag(),
            _ => self.at += 1,
        }
        State::Code
    }

    fn is_line_comment(&self) -> bool {
        let is_behind_space = self.at == 0 || self.line[self.at - 1].is_ascii_whitespace();
        let has_room = is_behind_space || !self.language.is_comment_behind_space;
        has_room
            && self.language.line.split(' ').any(|mark| !mark.is_empty() && self.rest().starts_with(mark.as_bytes()))
    }

    /// Whether the sign at this place begins a character, not the name of a lifetime.
    fn is_character(&self) -> bool {
        let Some(text) = self.line.get(self.at + 1..).and_then(|rest| std::str::from_utf8(rest).ok()) else {
            return false;
        };
        let mut chars = text.chars();
        chars.next().is_some_and(|first| first == '\\' || chars.next() == Some('\''))
    }

    /// A comment that began at `start`, from here on.
    fn comment(&mut self, start: usize, mut depth: u8) -> State {
        let Some((open, close)) = self.language.block else { return State::Code };
        while self.at < self.line.len() {
            if self.rest().starts_with(close.as_bytes()) {
                self.at += close.len();
                depth -= 1;
                if depth == 0 {
                    self.found.push((start..self.at, Token::Comment));
                    return State::Code;
                }
            } else if self.language.is_nested && self.rest().starts_with(open.as_bytes()) {
                self.at += open.len();
                depth = depth.saturating_add(1);
            } else {
                self.at += 1;
            }
        }
        self.put_rest(start, Token::Comment);
        State::Comment(depth)
    }

    /// A text that began at `start`, from here on.
    fn text(&mut self, start: usize, n: u8) -> State {
        let Some(quote) = self.language.quotes.get(usize::from(n)) else { return State::Code };
        while self.at < self.line.len() {
            if quote.has_escapes && self.line[self.at] == b'\\' {
                self.at += 2;
            } else if self.rest().starts_with(quote.close.as_bytes()) {
                self.at += quote.close.len();
                self.found.push((start..self.at, Token::Text));
                return State::Code;
            } else {
                self.at += 1;
            }
        }
        let goes_on = quote.has_lines || (quote.has_escapes && self.at > self.line.len());
        self.at = self.line.len();
        self.put_rest(start, Token::Text);
        if goes_on { State::Text(n) } else { State::Code }
    }

    fn put_rest(&mut self, start: usize, token: Token) {
        if start < self.line.len() {
            self.found.push((start..self.line.len(), token));
        }
    }

    fn number(&mut self) {
        let mut end = self.at + 1;
        while let Some(&byte) = self.line.get(end) {
            let is_point = byte == b'.' && self.line.get(end + 1).is_some_and(u8::is_ascii_digit);
            if !is_of_word(byte) && !is_point {
                break;
            }
            end += 1;
        }
        self.take(end, Token::Number);
    }

    fn word(&mut self) {
        let length = self.rest().iter().take_while(|&&byte| is_of_word(byte)).count();
        let end = self.at + length;
        let word = std::str::from_utf8(&self.line[self.at..end]).unwrap_or_default();
        let is = |one: &str| if self.language.has_any_case { one.eq_ignore_ascii_case(word) } else { one == word };
        if self.language.words.split(' ').any(is) {
            self.take(end, Token::Word);
        } else {
            self.at = end;
        }
    }

    /// `<name` and `</name`.
    fn tag(&mut self) {
        let from = self.at + 1 + usize::from(self.line.get(self.at + 1) == Some(&b'/'));
        let is_of_name = |byte: &&u8| is_of_word(**byte) || matches!(**byte, b'-' | b':' | b'.');
        let length = self.line[from.min(self.line.len())..].iter().take_while(is_of_name).count();
        if length > 0 { self.take(from + length, Token::Word) } else { self.at += 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each token as a letter and its text, line by line.
    fn scanned(path: &str, text: &str) -> Vec<String> {
        let language = language_of(path.as_bytes()).expect("a language");
        let states = states(language, text, usize::MAX);
        let lines = text.lines().zip(states).map(|(line, state)| {
            let told = tokens(language, line, state).into_iter().map(|(range, token)| {
                let letter = match token {
                    Token::Comment => 'c',
                    Token::Text => 't',
                    Token::Number => 'n',
                    Token::Word => 'w',
                };
                format!("{letter}:{}", &line[range])
            });
            told.collect::<Vec<_>>().join(" ")
        });
        lines.collect()
    }

    #[test]
    fn what_languages_have_in_common_is_found() {
        assert_eq!(scanned("src/a.rs", "let s: &'a str = \"x // \\\" y\"; // 1")[0], "w:let t:\"x // \\\" y\" c:// 1");
        assert_eq!(scanned("a.rs", "b'\\'' 'x' 'ä' 0x1F 1.5e3 1..2")[0], "t:'\\'' t:'x' t:'ä' n:0x1F n:1.5e3 n:1 n:2");
        assert_eq!(scanned("a.rs", "/* a /* b\n */ c\n */ fn"), ["c:/* a /* b", "c: */ c", "c: */ w:fn"]);
        assert_eq!(scanned("a.rs", "r#\"a\n\" // b\"# x"), ["t:r#\"a", "t:\" // b\"#"]);
        assert_eq!(scanned("a.c", "/* a /* b */ return 'c';")[0], "c:/* a /* b */ w:return t:'c'");
        assert_eq!(
            scanned("a.py", "def f():\n  \"\"\"a 'b\n  c\"\"\" # d")[1..],
            ["t:\"\"\"a 'b", "t:  c\"\"\" c:# d"]
        );
        assert_eq!(scanned("a.ts", "const a = `x\n${b}` + 'c'"), ["w:const t:`x", "t:${b}` t:'c'"]);
        assert_eq!(scanned("a.sh", "if x; then echo $#; fi # c")[0], "w:if w:then w:echo w:fi c:# c");
        assert_eq!(scanned("A.SQL", "SELECT 'x' FROM t -- c")[0], "w:SELECT t:'x' w:FROM c:-- c");
        assert_eq!(scanned("Cargo.toml", "[features]\na = \"b\" # c"), ["w:[features]", "t:\"b\" c:# c"]);
        assert_eq!(scanned("a.html", "<!-- a\n--><p class=\"b\">don't</p>"), ["c:<!-- a", "c:--> w:<p t:\"b\" w:</p"]);
        assert_eq!(scanned("Makefile", "all: a # b")[0], "c:# b");
        assert_eq!(scanned("x.md", "# Head\ntext `code`"), ["w:# Head", "t:`code`"]);
        assert_eq!(scanned("a.json", "{\"a\": null, \"b\": -1}")[0], "t:\"a\" w:null t:\"b\" n:1");
        assert!(language_of(b"notes.txt").is_none() && language_of(b"README").is_none() && language_of(b"").is_none());
    }

    proptest::proptest! {
        #[test]
        fn ranges_are_on_borders_and_one_behind_the_other(
            n in 0..LANGUAGES.len(),
            line in "([/*#'\"`\\\\<>!a-c1 .ä\u{1f980}-]|r#\"|\"\"\"|<!--){0,24}",
            state in 0_u8..6,
        ) {
            let state = match state {
                0 => State::Code,
                1 => State::Comment(1),
                n => State::Text(n - 2),
            };
            let mut end = 0;
            for (range, _) in tokens(&LANGUAGES[n], &line, state) {
                proptest::prop_assert!(end <= range.start && range.start < range.end);
                proptest::prop_assert!(line.get(range.clone()).is_some(), "{:?} of {:?}", range, line);
                end = range.end;
            }
        }
    }
}
