//! Parts of texts, as much as a caller is shown.
//!
//! Owns where they are cut, and how white space and control characters are shown. Invariant: at most as many bytes come out
//! as are asked for.

/// What stands in place of lines that are left out.
const LEFT_OUT: &str = "[...]";

/// How many bytes a text takes inside a JSON string.
pub(super) fn json_len(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..32 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

/// The first whole lines; of a line that is longer than all, its beginning. `most` counts as JSON does.
pub(super) fn first_lines(text: &str, most: usize) -> String {
    let text = obeyed_by_nobody(text);
    if json_len(&text) <= most {
        return text;
    }
    let room = most.saturating_sub(LEFT_OUT.len() + 2);
    let mut taken = 0;
    let fits = |line: &&str| {
        taken += json_len(line);
        taken <= room + 2
    };
    let whole: usize = text.split_inclusive('\n').take_while(fits).map(str::len).sum();
    let end = if whole > 0 { whole - 1 } else { beginning(&text, room) };
    format!("{}\n{LEFT_OUT}", &text[..end])
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

/// A line with its white space made visible: tabs, blanks at its ends, carriage returns.
pub(super) fn visible(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let (text, cut) = match text.char_indices().nth(200) {
        Some((end, _)) => (&text[..end], LEFT_OUT),
        None => (&text[..], ""),
    };
    let body = text.trim();
    let (head, tail) = match text.find(body).filter(|_| !body.is_empty()) {
        Some(at) => (&text[..at], &text[at + body.len()..]),
        None => (text, ""),
    };
    let show =
        |text: &str| text.replace('\t', "\u{2192}").replace(' ', "\u{b7}").replace('\r', "\u{240d}").replace('\n', "");
    format!("{}{}{}{cut}", show(head), body.replace('\t', "\u{2192}").replace('\u{a0}', "<U+00A0>"), show(tail))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_and_what_does_not_is_cut_at_a_line() {
        assert_eq!(first_lines("a\nb", 10), "a\nb");
        assert_eq!(first_lines("line 1\nline 2\nline 3", 16), "line 1\n[...]");
        assert_eq!(first_lines("line 1\nline 2\nline 3", 22), "line 1\nline 2\nline 3");
        assert_eq!(first_lines("\"\"\"\" 1\nline 2\nline 3", 22), "\"\"\"\" 1\n[...]");
        assert_eq!(last_lines("line 1\nline 2\nline 3", 16), "[...]\nline 3");
        assert_eq!(last_lines("line 1\nline 2\nline 3", 13), "[...]\nline 3");
    }

    #[test]
    fn a_long_line_is_cut_at_a_character() {
        assert_eq!(first_lines(&"é".repeat(20), 13), "ééé\n[...]");
        assert_eq!(first_lines(&"\"".repeat(20), 13), "\"\"\"\n[...]");
        assert_eq!(last_lines(&"é".repeat(20), 13), "[...]\nééé");
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(first_lines("a\u{1b}[2J\r\nb\tc", 100), "a\\u{1b}[2J\nb\tc");
    }
}
