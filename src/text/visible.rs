//! Text of agents, paths and files, as a terminal may be given it.
//!
//! Owns what is made visible: whatever a terminal would obey instead of showing it, or would show at another place than it
//! stands. For people only; programs get the text itself, and JSON means the same everywhere.
//! Invariant: no control character but the newline and the tab comes out of [`visible`] and [`json_escaped`], none at all
//! out of the others.

use crate::path::c_quoted;
use bstr::ByteSlice;
use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Lines for a terminal: control characters, and those that change the direction of writing or cannot be seen, are shown, so
/// that no edit can forge what a person looks at.
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, |c| matches!(c, '\n' | '\t'))
}

/// As [`visible`], for a name that stands in a line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// A path for people: in quotes, as git has it with `core.quotePath` off, where something in it needs that.
pub fn quoted_path<P: AsRef<[u8]> + ?Sized>(path: &P) -> Cow<'_, str> {
    let is_special = |c: char| is_hidden(c) || matches!(c, '"' | '\\');
    match std::str::from_utf8(path.as_ref()) {
        Ok(text) if !text.contains(is_special) => Cow::Borrowed(text),
        _ => Cow::Owned(c_quoted(path.as_ref(), is_special)),
    }
}

/// As [`quoted_path`], of a file of the system.
pub fn quoted_file(path: &Path) -> String {
    match <[u8]>::from_path(path) {
        Some(bytes) => quoted_path(bytes).into_owned(),
        // Where the system's names are no bytes.
        None => quoted_path(&*path.to_string_lossy()).into_owned(),
    }
}

/// A JSON document as a terminal may be given it: what it would obey stands there as JSON's own escape, which any reader
/// takes for the same text. Line endings and tabs are the document's own, for JSON has none in its strings.
pub fn json_escaped(json: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !is_hidden(c) || matches!(c, '\n' | '\t');
    if json.chars().all(is_plain) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_plain(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}").expect("a string takes whatever is written");
        }
    }
    Cow::Owned(out)
}

fn shown(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_plain = |c: char| !is_hidden(c) || is_kept(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if is_plain(c) => out.push(c),
            '\n' => out.push('\u{2424}'),
            '\r' => out.push('\u{240d}'),
            '\u{7f}' => out.push_str("^?"),
            c if u32::from(c) < 32 => out.extend(['^', char::from(u32::from(c) as u8 + 64)]),
            c => write!(out, "<{:04x}>", u32::from(c)).expect("a string takes whatever is written"),
        }
    }
    Cow::Owned(out)
}

/// Whether a terminal obeys a character, or shows nothing of it, or shows others elsewhere because of it.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A character as it is told: itself where it can be seen, and its number.
pub fn named(c: char) -> String {
    let number = u32::from(c);
    if c.is_control() || c.is_whitespace() { format!("U+{number:04X}") } else { format!("{c:?} (U+{number:04X})") }
}

/// A word as a shell would have to be given it.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(visible("a\u{1b}[2J\tb\u{9b}\r\n"), "a^[[2J\tb<009b>\u{240d}\n");
        assert_eq!(visible("x \u{202e}y\u{2066}\u{200f}\u{2028}"), "x <202e>y<2066><200f><2028>");
        assert_eq!(visible("plain ä 日本 \u{1f468}\u{200d}\u{1f469}"), "plain ä 日本 \u{1f468}\u{200d}\u{1f469}");
        assert_eq!(one_line("a\nb\tc"), "a\u{2424}b^Ic");
    }

    #[test]
    fn json_on_a_terminal_has_the_same_meaning() {
        let text = "a\u{1b}\u{9b}1A\u{202e}\u{7f}\u{2028}\u{e0001} ä\n";
        let json = serde_json::to_string(text).expect("a string is JSON");
        let tame = json_escaped(&json);
        assert!(!tame.contains(is_hidden) && tame.contains("\\u009b1A\\u202e"), "{tame}");
        assert_eq!(serde_json::from_str::<String>(&tame).expect("still JSON"), text);
        assert!(matches!(json_escaped("{\"a\": 1}\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn paths_are_quoted_as_git_has_them() {
        assert_eq!(quoted_path("src/ä b.rs"), "src/ä b.rs");
        assert_eq!(quoted_path("a\nb\u{1b}\"\\"), "\"a\\nb\\033\\\"\\\\\"");
        assert_eq!(quoted_path(b"gr\xfcn \xc3\xa4"), "\"gr\\374n ä\"");
        assert_eq!(quoted_path("a\u{202e}"), "\"a\\342\\200\\256\"");
    }
}
