//! What is wrong with bytes that are no JSON document, by its usual name.
//!
//! Owns telling one mistake from another where the reader of JSON stopped. What to do about each is told in `advice/`.
//! Invariant: linear in the text, and asked only once it is known to be no JSON.

/// What the reader says of a document that is too deep.
pub(super) const TOO_DEEP: &str = "too many arrays and objects within each other";

/// A mistake in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slip {
    /// The whole document stands in a Markdown fence.
    Fence,
    /// There is text before the document.
    TextBefore,
    /// There is text behind the document.
    TextBehind,
    /// There is a second document behind the first.
    SecondDocument,
    /// There is a bracket too many behind the document.
    ClosedTwice(char),
    /// `//`, `/*` or `#`.
    Comment,
    /// A comma before `}` or `]`.
    TrailingComma,
    /// A comma is missing between two members or items.
    NoComma,
    /// A string or a key in single quotes.
    SingleQuotes,
    /// A string or a key in typographic quotes.
    CurlyQuotes,
    /// A string in backquotes.
    Backquotes,
    /// A string in three quotes.
    TripleQuotes,
    /// A key without quotes.
    BareKey,
    /// A word of a programming language, and what JSON has in its place.
    Word(String, &'static str),
    /// A quote inside a string that is not escaped, so that the string ends there.
    OpenQuote,
    /// A line break or another control character inside a string.
    Control,
    /// An escape that JSON does not have, as it stands there.
    Escape(String),
    /// Half of a surrogate pair.
    Surrogate,
    /// A key that is given twice.
    Twice,
    /// Too many arrays and objects within each other.
    TooDeep,
    /// The document ends inside a string.
    EndsInString,
    /// The document ends before these brackets.
    EndsBefore(String),
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// Something else.
    Other,
}

/// Finds the mistake at which a reader stopped: `at` is the byte, `found` what it says.
pub(super) fn slip(text: &str, at: usize, found: &str) -> Slip {
    if found.starts_with("duplicate key") {
        return Slip::Twice;
    }
    if found.starts_with(TOO_DEEP) {
        return Slip::TooDeep;
    }
    let trimmed = text.trim_start();
    if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
        return Slip::Fence;
    }
    let rest = text.get(at..).unwrap_or_default();
    if found.starts_with("trailing characters") {
        return behind(text, rest);
    }
    if found.contains("surrogate") || found.contains("hex escape") {
        return Slip::Surrogate;
    }
    if found.contains("control character") {
        return Slip::Control;
    }
    if found.contains("invalid escape") {
        return Slip::Escape(escape(text, at));
    }
    if found.contains("EOF") {
        return ended(text);
    }
    if !trimmed.starts_with(['{', '[', '"']) && trimmed.contains('{') && !trimmed.starts_with(['/', '#', '\'']) {
        return Slip::TextBefore;
    }
    if found.starts_with("trailing comma") {
        return Slip::TrailingComma;
    }
    at_token(text, at, rest)
}

/// What stands behind a document that is whole.
fn behind(text: &str, rest: &str) -> Slip {
    let rest = rest.trim_start();
    match rest.chars().next() {
        Some('{' | '[') => Slip::SecondDocument,
        Some(bracket @ ('}' | ']')) => Slip::ClosedTwice(bracket),
        Some('/' | '#') => Slip::Comment,
        Some('"') if text.trim_start().starts_with("\"\"") => Slip::TripleQuotes,
        _ => Slip::TextBehind,
    }
}

/// What stands where a value, a key or a comma should.
fn at_token(text: &str, at: usize, rest: &str) -> Slip {
    let before = text.get(..at).unwrap_or_default().trim_end();
    // A word is looked at as a whole, wherever in it the reader stopped.
    let start =
        before.len() - before.chars().rev().take_while(|c| c.is_alphanumeric()).map(char::len_utf8).sum::<usize>();
    let is_inside = before.len() == at && start < at;
    let word: String = text[if is_inside { start } else { at.min(text.len()) }..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
        .collect();
    let instead = match word.as_str() {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "None" | "Null" | "NULL" | "nil" | "undefined" | "NaN" | "Infinity" => Some("null"),
        _ => None,
    };
    let ends_string = before.ends_with('"') && !before.ends_with(":\"");
    match rest.chars().next() {
        _ if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') => Slip::Comment,
        Some('\'') => Slip::SingleQuotes,
        Some('`') => Slip::Backquotes,
        Some('\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2018}' | '\u{2019}' | '\u{ab}') => Slip::CurlyQuotes,
        Some('"') if before.ends_with("\"\"") => Slip::TripleQuotes,
        _ if instead.is_some() => Slip::Word(word, instead.unwrap_or_default()),
        Some('}' | ']') if before.ends_with(',') => Slip::TrailingComma,
        Some('"' | '{' | '[')
            if before.ends_with(['"', '}', ']', 'e', 'l']) || before.ends_with(|c: char| c.is_ascii_digit()) =>
        {
            Slip::NoComma
        }
        Some(c) if ends_string && !matches!(c, '}' | ']' | ',' | ':') => Slip::OpenQuote,
        _ if !word.is_empty() && before.ends_with(['{', ',']) => Slip::BareKey,
        _ if is_inside && text[..start].trim_end().ends_with(['{', ',']) => Slip::BareKey,
        _ => Slip::Other,
    }
}

/// The escape around a byte of a string.
fn escape(text: &str, at: usize) -> String {
    let end = text.char_indices().map(|(at, c)| at + c.len_utf8()).find(|end| *end > at).unwrap_or(text.len());
    let start = text[..end].rfind('\\').unwrap_or(end);
    text[start..].chars().take(2).collect()
}

/// What is missing at the end.
fn ended(text: &str) -> Slip {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                open.pop();
            }
            _ => {}
        }
    }
    let is_whole =
        text.trim_end().ends_with(['"', '}', ']', 'e', 'l']) || text.trim_end().ends_with(|c: char| c.is_ascii_digit());
    match in_string || !is_whole {
        true => Slip::EndsInString,
        false => Slip::EndsBefore(open.into_iter().rev().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::json::document::{JsonError, Limits, read};

    fn check(raw: &str, want: Slip) {
        match read(raw.as_bytes(), Limits::default()) {
            Err(JsonError::Bad { slip, found, .. }) => assert_eq!(slip, want, "{raw}: {found}"),
            other => panic!("{raw}: {other:?}"),
        }
    }

    #[test]
    fn the_usual_mistakes_are_told_apart() {
        check("```json\n{\"a\":1}\n```", Slip::Fence);
        check("Here is the edit:\n{\"a\":1}", Slip::TextBefore);
        check("{\"a\":1}\nDone!", Slip::TextBehind);
        check("{\"a\":1}\n{\"a\":2}", Slip::SecondDocument);
        check("{\"a\":1}}", Slip::ClosedTwice('}'));
        check("{\"a\":1, // the path\n\"b\":2}", Slip::Comment);
        check("{\"a\":1 /* the path */, \"b\":2}", Slip::Comment);
        check("// the edit\n{\"a\":1}", Slip::Comment);
        check("{\"a\":1 # x\n}", Slip::Comment);
        check("{\"a\":1,}", Slip::TrailingComma);
        check("{\"a\":[1,2,]}", Slip::TrailingComma);
        check("{\"a\":1 \"b\":2}", Slip::NoComma);
        check("{\"a\":\"x\" \"b\":2}", Slip::NoComma);
        check("[{\"a\":1} {\"a\":1}]", Slip::NoComma);
        check("{'a': 1}", Slip::SingleQuotes);
        check("{\"a\": 'x'}", Slip::SingleQuotes);
        check("{\u{201c}a\u{201d}: 1}", Slip::CurlyQuotes);
        check("{\"a\": \u{201c}x\u{201d}}", Slip::CurlyQuotes);
        check("{\"a\": `x`}", Slip::Backquotes);
        check("{\"a\": \"\"\"x\"\"\"}", Slip::TripleQuotes);
        check("{a: 1}", Slip::BareKey);
        check("{\"a\": 1, b: 2}", Slip::BareKey);
        check("{\"a\": True}", Slip::Word("True".into(), "true"));
        check("{\"a\": None, \"b\": 1}", Slip::Word("None".into(), "null"));
        check("{\"a\": undefined}", Slip::Word("undefined".into(), "null"));
        check("{\"a\": \"say \"hi\" there\"}", Slip::OpenQuote);
        check("{\"a\": \"x\ny\"}", Slip::Control);
        check("{\"a\": \"it\\'s\"}", Slip::Escape("\\'".into()));
        check("{\"a\": \"\\d+\"}", Slip::Escape("\\d".into()));
        check("{\"a\": \"x", Slip::EndsInString);
        check("{\"a\":", Slip::EndsInString);
        check("{\"a\": [{\"b\": 1}", Slip::EndsBefore("]}".into()));
        check("{\"a\": \"x\"", Slip::EndsBefore("}".into()));
        check("{\"a\": @}", Slip::Other);
    }
}
