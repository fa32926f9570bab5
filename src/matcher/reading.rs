//! What a language model meant by the text it sent: as it is, without line numbers, without one level of escaping.
//!
//! Owns the readings of an old/new pair. Does not look at the file: which reading fits is the ladder's business.
//! Invariants: the first reading is the pair as it was sent (with LF endings); a text is read otherwise only where all of
//! it shows the mark (a number before every line, every quote escaped), and old and new each by their own evidence.

use crate::text::to_lf;

/// One way to read an old/new pair; both with LF endings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The text to find.
    pub old: Vec<u8>,
    /// What it becomes.
    pub new: Vec<u8>,
    /// What was taken off. Of several readings with the same mark the first that has a result counts: they are the same
    /// but for what separates number and line.
    pub mark: Mark,
    /// Whether only the old text had to be read otherwise. Its indentation then says nothing of the new text's.
    pub old_only: bool,
}

/// What a reading takes off a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    None,
    /// A line number before every line.
    Numbers,
    /// One level of escaping.
    Escapes,
}

/// Every reading of a pair that its own marks allow; the first is the pair as it was sent.
pub fn readings(old: &[u8], new: &[u8]) -> Vec<Reading> {
    let (old, new) = (to_lf(old).into_owned(), to_lf(new).into_owned());
    let mut out = vec![Reading { old: old.clone(), new: new.clone(), mark: Mark::None, old_only: false }];
    let mut add = |other: Option<Reading>| out.extend(other.filter(|r| r.old != old && !out.contains(r)));
    for separator in SEPARATORS {
        add(without_numbers(&old, &new, separator));
    }
    for kind in [Escaping::All, Escaping::Newlines, Escaping::Quotes] {
        add(without_escapes(&old, &new, kind));
    }
    add(without_escaped_indents(&old, &new));
    out
}

/// Both texts with tabs where lines start with escaped ones, and their line endings are real.
fn without_escaped_indents(old: &[u8], new: &[u8]) -> Option<Reading> {
    let read = |text: &[u8]| {
        let lines: Vec<Vec<u8>> = text.split(|&b| b == b'\n').map(with_tabs).collect();
        lines.join(&b'\n')
    };
    let (read_old, read_new) = (read(old), read(new));
    // One line may be a text that starts so.
    let is_indented = old.contains(&b'\n') && read_old != old;
    let is_left = |text: &[u8]| memchr::memmem::find(text, br"\t").is_some();
    (is_indented && !is_left(&read_old) && !is_left(&read_new)).then_some(Reading {
        old: read_old,
        new: read_new,
        mark: Mark::Escapes,
        old_only: false,
    })
}

/// A line with a tab for each escaped one that it starts with.
fn with_tabs(line: &[u8]) -> Vec<u8> {
    let mut rest = line;
    let mut out = Vec::with_capacity(line.len());
    loop {
        if let Some(more) = rest.strip_prefix(br"\t") {
            out.push(b'\t');
            rest = more;
        } else if let Some(more) = rest.strip_prefix(b"\t") {
            out.push(b'\t');
            rest = more;
        } else {
            return [&out[..], rest].concat();
        }
    }
}

/// What stands between a line number and the line; a longer one before those that it starts with.
const SEPARATORS: [&str; 7] = ["\t", "\u{2192}", " | ", "| ", "|", ": ", ":"];

fn without_numbers(old: &[u8], new: &[u8], separator: &str) -> Option<Reading> {
    let (first, lines) = numbered(old, separator)?;
    if !lines.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1) {
        return None;
    }
    let read_old = unnumber(&lines, old);
    let any = split(new).any(|line| !line.is_empty() && after_number(line, separator).is_some());
    if !any {
        return Some(Reading { old: read_old, new: new.to_vec(), mark: Mark::Numbers, old_only: true });
    }
    let (start, new_lines) = numbered(new, separator)?;
    let rising = new_lines.windows(2).all(|pair| pair[1].0 > pair[0].0);
    (rising && start == first).then(|| Reading {
        old: read_old,
        new: unnumber(&new_lines, new),
        mark: Mark::Numbers,
        old_only: false,
    })
}

/// A line number, and the line behind it.
type Numbered<'a> = (u64, &'a [u8]);

/// The number and the rest of every line, if each has one; and the first number.
fn numbered<'a>(text: &'a [u8], separator: &str) -> Option<(u64, Vec<Numbered<'a>>)> {
    let lines: Option<Vec<_>> = split(text).map(|line| after_number(line, separator)).collect();
    let lines = lines?;
    Some((lines.first()?.0, lines))
}

fn unnumber(lines: &[Numbered<'_>], text: &[u8]) -> Vec<u8> {
    let mut out = lines.iter().map(|(_, rest)| *rest).collect::<Vec<_>>().join(&b'\n');
    if text.ends_with(b"\n") {
        out.push(b'\n');
    }
    out
}

/// The lines of a text with LF endings, without them.
fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.strip_suffix(b"\n").unwrap_or(text).split(|&b| b == b'\n')
}

/// `  12<separator>rest`; behind a number alone, the separator's white space may be missing.
fn after_number<'a>(line: &'a [u8], separator: &str) -> Option<(u64, &'a [u8])> {
    let line = &line[line.iter().take_while(|&&b| b == b' ').count()..];
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    if !(1..=9).contains(&digits) {
        return None;
    }
    let number = std::str::from_utf8(&line[..digits]).ok()?.parse().ok()?;
    let rest = &line[digits..];
    if let Some(text) = rest.strip_prefix(separator.as_bytes()) {
        return Some((number, text));
    }
    (rest == separator.trim_end().as_bytes()).then_some((number, &rest[rest.len()..]))
}

/// Which escapes are taken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escaping {
    /// As in a JSON string: line endings, tabs, quotes, backslashes.
    All,
    /// Line endings and tabs only; quotes are as in the file.
    Newlines,
    /// Quotes only; line endings are real.
    Quotes,
}

fn without_escapes(old: &[u8], new: &[u8], kind: Escaping) -> Option<Reading> {
    let marks = Marks::of(old);
    if !marks.show(kind) {
        return None;
    }
    let read_old = unescape(old, kind)?;
    let proven = kind == Escaping::Quotes || (kind == Escaping::All && (marks.quote || marks.backslash));
    let marks = Marks::of(new);
    if marks.show(kind) {
        let read_new = unescape(new, kind)?;
        let sure = match kind {
            _ if proven => true,
            Escaping::All if marks.quote => quotes_are_bare(new),
            _ => marks.backslash && kind == Escaping::All || is_sure(&read_old, &read_new),
        };
        return sure.then_some(Reading { old: read_old, new: read_new, mark: Mark::Escapes, old_only: false });
    }
    marks.show_none(kind).then(|| Reading { old: read_old, new: new.to_vec(), mark: Mark::Escapes, old_only: true })
}

/// Whether no escaped double quote stands within other quotes: there it might belong to the code.
fn quotes_are_bare(text: &[u8]) -> bool {
    let mut line = 0;
    memchr::memmem::find_iter(text, br#"\""#).all(|at| {
        line = memchr::memmem::rfind(&text[line..at], br"\n").map_or(line, |n| line + n + 2);
        let odd = |quote: u8| memchr::memchr_iter(quote, &text[line..at]).count() % 2 == 1;
        !odd(b'\'') && !odd(b'`')
    })
}

/// Whether the escapes of a text whose quotes are not escaped were those of its own line endings, as far as its new lines
/// show: a string literal that ends on another line, or a tab that is left inside a line, may have been one in the code.
fn is_sure(old: &[u8], new: &[u8]) -> bool {
    let known: std::collections::HashSet<&[u8]> = split(old).collect();
    let mut open_singles = 0;
    for line in split(new).filter(|line| !known.contains(line)) {
        let odd = |quote: u8| {
            let triples = memchr::memmem::find_iter(line, &[quote; 3]).count();
            (memchr::memchr_iter(quote, line).count() - triples * 3) % 2 == 1
        };
        if odd(b'"')
            || odd(b'`')
            || [&br"\t"[..], br"\u"].iter().any(|escape| memchr::memmem::find(line, escape).is_some())
        {
            return false;
        }
        // Two apostrophes in prose are as likely as a literal in two pieces.
        open_singles += usize::from(odd(b'\''));
    }
    open_singles < 2
}

/// What of escaping a text shows.
#[derive(Debug, Default)]
struct Marks {
    newline: bool,
    raw_newline: bool,
    quote: bool,
    backslash: bool,
    raw_quote: bool,
    escaped_newline_or_tab: bool,
}

impl Marks {
    fn of(text: &[u8]) -> Self {
        let mut marks = Self::default();
        let mut at = 0;
        while at < text.len() {
            match (text[at], text.get(at + 1)) {
                (b'\\', Some(b'n')) => (marks.newline, marks.escaped_newline_or_tab) = (true, true),
                (b'\\', Some(b't')) => marks.escaped_newline_or_tab = true,
                (b'\\', Some(b'"')) => marks.quote = true,
                (b'\\', Some(b'\\')) => marks.backslash = true,
                (b'\\', Some(_)) => {}
                (b'\n', _) => {
                    marks.raw_newline = true;
                    at += 1;
                    continue;
                }
                (b'"', _) => {
                    marks.raw_quote = true;
                    at += 1;
                    continue;
                }
                _ => {
                    at += 1;
                    continue;
                }
            }
            at += 2;
        }
        marks
    }

    /// Whether all of the text is escaped so. A text whose quotes and line endings are escaped is so as a JSON string is.
    fn show(&self, kind: Escaping) -> bool {
        let newlines = !self.raw_newline && self.newline;
        let quotes = !self.raw_quote && self.quote;
        match kind {
            Escaping::All => !self.raw_newline && !self.raw_quote && (self.escaped_newline_or_tab || self.quote),
            Escaping::Newlines => newlines && !quotes,
            Escaping::Quotes => quotes && !newlines,
        }
    }

    /// Whether nothing in the text is escaped so.
    fn show_none(&self, kind: Escaping) -> bool {
        let no_newlines = self.raw_newline || !self.newline;
        let no_quotes = self.raw_quote || !self.quote;
        match kind {
            Escaping::All => no_newlines && no_quotes,
            Escaping::Newlines => no_newlines,
            Escaping::Quotes => !self.quote,
        }
    }
}

/// Whether only white space was written since the last line ending.
fn is_indent(out: &[u8]) -> bool {
    out.iter().rev().take_while(|&&b| b != b'\n').all(|&b| b == b' ' || b == b'\t')
}

/// The text with one level of escaping off; `None` where a backslash stands before something else.
fn unescape(text: &[u8], kind: Escaping) -> Option<Vec<u8>> {
    let (newlines, quotes) = (kind != Escaping::Quotes, kind != Escaping::Newlines);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let next = (text[at] == b'\\').then(|| text.get(at + 1)).flatten();
        let plain = match next {
            Some(b'n') if newlines => b'\n',
            Some(b't') if kind == Escaping::All || (newlines && is_indent(&out)) => b'\t',
            Some(b'r') if newlines => b'\r',
            Some(b'"') if quotes => b'"',
            Some(&other @ (b'\\' | b'/')) if kind == Escaping::All => other,
            Some(_) if kind == Escaping::All => return None,
            _ => {
                out.push(text[at]);
                at += 1;
                continue;
            }
        };
        out.push(plain);
        at += 2;
    }
    Some(to_lf(&out).into_owned())
}

/// Whether a line holds the escape of a line ending, a tab or a double quote outside quotes, where no code has one.
pub fn has_bare_escape(line: &[u8]) -> bool {
    let mut open = None;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        match (byte, open) {
            (b'\\', None) if matches!(line.get(at + 1), Some(b'n' | b't' | b'"')) => return true,
            (b'\\', _) => at += 1,
            (b'"' | b'\'' | b'`', None) => open = Some(byte),
            (quote, Some(by)) if quote == by => open = None,
            _ => {}
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, want: &[(&str, &str)]) {
        let got = readings(old.as_bytes(), new.as_bytes());
        let others: Vec<_> =
            got[1..].iter().map(|r| (String::from_utf8_lossy(&r.old), String::from_utf8_lossy(&r.new))).collect();
        assert_eq!(others, want.iter().map(|&(o, n)| (o.into(), n.into())).collect::<Vec<_>>(), "{old:?} {new:?}");
    }

    #[test]
    fn line_numbers_are_taken_off_where_every_line_has_one_and_they_rise_by_one() {
        check("  12\ta\n  13\t b", "  12\ta\n  13\t c", &[("a\n b", "a\n c")]);
        check("7: a\n8: b", "x", &[("a\nb", "x"), (" a\n b", "x")]);
        check("00009| a\n00010| ", "00009| a\n00010| b", &[("a\n", "a\nb"), (" a\n ", " a\n b")]);
        check("9\u{2192}a\n10\u{2192}b", "9\u{2192}a\n11\u{2192}c", &[("a\nb", "a\nc")]);
    }

    #[test]
    fn numbers_that_jump_or_lack_are_text() {
        check("7: a\n9: b", "x", &[]);
        check("7: a\nb", "x", &[]);
        check("7\ta\n8\tb", "7\ta\nb", &[]);
        check("7\ta", "9\tb", &[]);
    }

    #[test]
    fn escapes_are_taken_off_where_all_of_the_text_is_escaped() {
        check(r"a\nb", r"a\nc", &[("a\nb", "a\nc")]);
        check(r#"a = \"b\"\nc"#, "a = \"x\"\nc", &[("a = \"b\"\nc", "a = \"x\"\nc")]);
        check("x = \\\"b\\\"\ny", "x = \\\"c\\\"\ny", &[("x = \"b\"\ny", "x = \"c\"\ny")]);
    }

    #[test]
    fn a_text_that_is_escaped_in_part_is_not_read_otherwise() {
        check("p(\"a\\n\")\nq", "p(\"b\\n\")\nq", &[]);
        check("a = \"b\\\"c\"", "x", &[]);
        check(r"\d+\w", "x", &[]);
    }

    #[test]
    fn escaped_tabs_at_the_start_of_lines_are_tabs_in_both_texts() {
        check("\\ta\n\\t\\tb", "\\ta\n\\t\tc", &[("\ta\n\t\tb", "\ta\n\t\tc")]);
        check("\\ta\nb \\t", "\\tb\nc", &[]);
    }

    #[test]
    fn an_escape_outside_quotes_is_no_code() {
        for line in [r"\tcall()", r"a;\n  b;", r#"f(\"a\")"#] {
            assert!(has_bare_escape(line.as_bytes()), "{line}");
        }
        for line in [r#"print("a\n")"#, r"'\t'", r#""a \" b""#, r"\d+", "plain"] {
            assert!(!has_bare_escape(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_new_text_that_is_escaped_in_part_rules_the_reading_out() {
        check("x = \\\"b\\\"\ny", "x = \"c\" \\\"\ny", &[]);
    }
}
