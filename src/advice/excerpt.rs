//! Parts of texts, as much as a caller is shown.
//!
//! Owns where they are cut, and how white space and control characters are shown. Invariant: at most as many bytes come out
//! as are asked for.

/// What stands in place of lines that are left out.
const LEFT_OUT: &str = "[...]";

/// The first whole lines; of a line that is longer than all, its beginning.
pub(super) fn first_lines(text: &str, most: usize) -> String {
    let text = obeyed_by_nobody(text);
    if text.len() <= most {
        return text;
    }
    let room = most.saturating_sub(LEFT_OUT.len() + 1);
    let end = text[..floor(&text, room + 1)].rfind('\n').unwrap_or_else(|| floor(&text, room));
    format!("{}\n{LEFT_OUT}", &text[..end])
}

/// The last whole lines; of a line that is longer than all, its end.
pub(super) fn last_lines(text: &str, most: usize) -> String {
    let text = obeyed_by_nobody(text);
    if text.len() <= most {
        return text;
    }
    let room = most.saturating_sub(LEFT_OUT.len() + 1);
    let mut from = text.len() - room;
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let start = text.as_bytes()[from - 1..].iter().position(|&byte| byte == b'\n').map_or(from, |at| from + at);
    format!("{LEFT_OUT}\n{}", &text[start..])
}

/// A line with its white space made visible: tabs, blanks at its ends, carriage returns.
pub(super) fn visible(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text: String = text.chars().take(200).collect();
    let body = text.trim();
    let (head, tail) = match text.find(body).filter(|_| !body.is_empty()) {
        Some(at) => (&text[..at], &text[at + body.len()..]),
        None => (&text[..], ""),
    };
    let show =
        |text: &str| text.replace('\t', "\u{2192}").replace(' ', "\u{b7}").replace('\r', "\u{240d}").replace('\n', "");
    format!("{}{}{}", show(head), body.replace('\t', "\u{2192}").replace('\u{a0}', "<U+00A0>"), show(tail))
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

/// The largest offset of a character that is not beyond `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_and_what_does_not_is_cut_at_a_line() {
        assert_eq!(first_lines("a\nb", 10), "a\nb");
        assert_eq!(first_lines("line 1\nline 2\nline 3", 16), "line 1\n[...]");
        assert_eq!(last_lines("line 1\nline 2\nline 3", 16), "[...]\nline 3");
        assert_eq!(last_lines("line 1\nline 2\nline 3", 12), "[...]\nline 3");
    }

    #[test]
    fn a_long_line_is_cut_at_a_character() {
        assert_eq!(first_lines(&"é".repeat(20), 13), "ééé\n[...]");
        assert_eq!(last_lines(&"é".repeat(20), 13), "[...]\nééé");
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(first_lines("a\u{1b}[2J\r\nb\tc", 100), "a\\u{1b}[2J\nb\tc");
    }
}
