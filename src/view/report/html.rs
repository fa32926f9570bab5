//! Text of agents, paths and files as HTML and as JSON inside of it.
//!
//! Owns the escaping; nothing else of the page writes what somebody else wrote. Invariant: what comes out of here holds no `<`
//! and no `>`, and as markup ([`line()`], [`lines`], [`short_line`], [`path`], [`quoted`], [`renamed`]) no quote either, so that it ends
//! no element and no attribute; and no character that a browser would obey or hide.

use crate::path::RepoPath;
use crate::text::{one_line, quoted_path, visible};
use serde::Serialize;

/// For one line of text, or a value of an attribute.
pub(super) fn line(raw: &str) -> String {
    escaped(&one_line(raw))
}

/// For text of several lines.
pub(super) fn lines(raw: &str) -> String {
    escaped(&visible(raw))
}

/// For a path, quoted as other commands do it.
pub(super) fn path(path: &RepoPath) -> String {
    escaped(&quoted_path(path))
}

/// For a part of a path.
pub(super) fn quoted(raw: &str) -> String {
    escaped(&quoted_path(raw))
}

/// For a path that was renamed.
pub(super) fn renamed(from: Option<&RepoPath>, to: &RepoPath) -> String {
    match from {
        Some(from) => format!("{} → {}", path(from), path(to)),
        None => path(to),
    }
}

/// At most so many letters of a text that is not escaped yet.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

/// At most so many letters of one line of text.
pub(super) fn short_line(raw: &str, most: usize) -> String {
    escaped(&cut(&one_line(raw), most))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// As JSON that may stand in a `script` element: no text in it ends that, or is a line's end for JavaScript.
pub(super) fn json(value: &impl Serialize) -> String {
    let plain = serde_json::to_string(value).expect("it has string keys and no failing serializer");
    let mut out = String::with_capacity(plain.len() + 16);
    for c in plain.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// A number as people read it: `12,345`.
pub(super) fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 file`, `2 files`.
pub(super) fn counted(n: usize, what: &str) -> String {
    format!("{} {what}{}", number(n), if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn repo_path(name: &str) -> RepoPath {
        RepoPath::new(name.as_bytes()).expect("a path")
    }

    #[test]
    fn text_ends_no_element_and_no_attribute() {
        assert_eq!(line("</script><script>alert(1)"), "&lt;/script&gt;&lt;script&gt;alert(1)");
        assert_eq!(line("\" onload='x' &amp;"), "&quot; onload=&#39;x&#39; &amp;amp;");
        assert_eq!(lines("a\n<!-- ]]>"), "a\n&lt;!-- ]]&gt;");
        assert_eq!(renamed(Some(&repo_path("a<b")), &repo_path("c\"d")), "a&lt;b → &quot;c\\&quot;d&quot;");
    }

    #[test]
    fn what_a_browser_would_obey_or_hide_is_shown() {
        assert_eq!(line("a\u{1b}[31m\u{202e}b\0\n"), "a^[[31m&lt;202e&gt;b^@\u{2424}");
        assert_eq!(lines("a\r\n\u{2066}"), "a\u{240d}\n&lt;2066&gt;");
        assert_eq!(path(&repo_path("a\u{202e}\n")), "&quot;a\\342\\200\\256\\n&quot;");
    }

    /// A name with `&` in it was not cut at all, and ran over the bars of the timeline.
    #[test]
    fn a_line_is_cut_between_letters_and_not_within_what_stands_for_one() {
        assert_eq!(short_line("a & b <x>", 5), "a &amp; …");
        assert_eq!(short_line("a & b", 5), "a &amp; b");
        assert_eq!(short_line("\u{1b}\u{1b}\u{1b}", 3), "^[…");
    }

    #[test]
    fn json_ends_no_script_and_means_the_same() {
        let hostile = "</script><!--<script>]]>&\u{2028}\u{2029}'\"\\";
        let told = json(&[hostile]);
        assert!(!told.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{told}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&told).expect("JSON"), [hostile]);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((counted(1, "file"), counted(2, "file")), ("1 file".to_owned(), "2 files".to_owned()));
    }

    proptest! {
        #[test]
        fn no_text_at_all_brings_markup_in(text in "\\PC*|[<>&\"'!/a-z\u{0}-\u{20}\u{2028}\u{202e}-]*") {
            for told in [line(&text), lines(&text), quoted(&text)] {
                let is_bad = |c: char| matches!(c, '<' | '>' | '"' | '\'') || (c.is_control() && !matches!(c, '\n' | '\t'));
                prop_assert!(!told.contains(is_bad), "{told}");
            }
            let json = json(&text);
            let ends = json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']);
            prop_assert!(!ends);
            prop_assert_eq!(serde_json::from_str::<String>(&json).expect("JSON"), text);
        }
    }
}
