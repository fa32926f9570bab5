//! Omission marks: lines such as `...` or `// ... existing code ...`, which stand for code that is not there.
//!
//! Owns the one recognition of them. Does not say what follows: an old text with a mark is searched in pieces
//! (`elision.rs`), a new text with one is refused.
//! Invariant: spread operators, Python's `...` behind code and dots in prose are none.

/// Words of which a sentence for lines left out has one.
const MARKS: &[&str] = &[
    "rest",
    "existing",
    "remaining",
    "remainder",
    "remains",
    "remain",
    "unchanged",
    "same",
    "previous",
    "other",
    "others",
    "omitted",
    "elided",
    "truncated",
    "snip",
    "snipped",
];

/// Words that a sentence goes on with after dots.
const GOES_ON: &[&str] = &[
    "and", "or", "but", "so", "then", "which", "that", "because", "when", "if", "while", "for", "to", "in", "on",
    "with", "is", "are", "as", "not",
];

/// Words that may stand before the mark where it opens a placeholder.
const BEFORE_MARK: &[&str] = &["the", "all", "keep", "your", "code", "of"];

/// What the mark may be said of where a comment has dots at its end only, as in `// rest of the code...`.
const OF: &[&str] = &[
    "of",
    "the",
    "code",
    "content",
    "contents",
    "file",
    "function",
    "functions",
    "method",
    "methods",
    "class",
    "body",
    "implementation",
    "logic",
    "lines",
    "imports",
    "as",
    "is",
    "before",
    "above",
    "here",
    "stay",
    "stays",
    "unchanged",
    "same",
    "remains",
    "existing",
    "other",
];

/// What a comment may count, as in `// ... 20 more lines ...`.
const COUNTED: &[&str] = &[
    "line",
    "lines",
    "code",
    "case",
    "cases",
    "method",
    "methods",
    "function",
    "functions",
    "test",
    "tests",
    "field",
    "fields",
    "item",
    "items",
    "entry",
    "entries",
    "import",
    "imports",
];

/// How comments start, longest first, and what may close them.
const OPENERS: &[&str] = &["{/*", "<!--", "//", "/*", "(*", "@*", "#", "--", ";;", ";", "%"];
const CLOSERS: &[&str] = &["*/}", "*/", "-->", "*)", "*@"];

/// In what way a line stands for code that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Omission {
    /// The whole line is dots: a mark in a quotation, and in Python a statement.
    Dots,
    /// The whole line says so.
    Line,
    /// A comment behind code says so.
    BehindCode,
}

/// Whether a line stands for code that is not there, and how.
pub fn of_line(line: &str) -> Option<Omission> {
    let line = line.trim();
    if !line.contains("...") && !line.contains('…') {
        return None;
    }
    if line.strip_prefix('*').unwrap_or(line).trim_start().trim_matches(['.', '…']).is_empty() {
        return Some(Omission::Dots);
    }
    if let Some(body) = OPENERS.iter().find_map(|opener| line.strip_prefix(opener)).or_else(|| remark(line)) {
        return comment_stands_for_code(body).then_some(Omission::Line);
    }
    if bare_line_stands_for_code(line) {
        return Some(Omission::Line);
    }
    let inline = OPENERS.iter().filter_map(|opener| Some((opener, line.rfind(opener)?))).any(|(opener, at)| {
        let body = &line[at + opener.len()..];
        // Dots alone, behind code, say nothing of what was left out.
        let says = body.contains(char::is_alphanumeric);
        line[..at].ends_with([' ', '\t'])
            && starts_with_dots(body.trim_start())
            && says
            && comment_stands_for_code(body)
    });
    inline.then_some(Omission::BehindCode)
}

/// What a line that is nothing but a comment says; none of comments that document.
pub(super) fn comment(line: &str) -> Option<&str> {
    let body = OPENERS.iter().find_map(|opener| line.strip_prefix(opener)).or_else(|| remark(line))?;
    let body = CLOSERS.iter().fold(body, |body, closer| body.trim_end_matches(closer).trim_end());
    (!body.starts_with(['/', '!', '*', '#'])).then(|| body.trim())
}

/// What follows `REM`, the comment of batch files and Basic.
fn remark(line: &str) -> Option<&str> {
    let (word, body) = line.split_once([' ', '\t'])?;
    word.eq_ignore_ascii_case("rem").then_some(body)
}

fn starts_with_dots(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('…')
}

fn ends_with_dots(text: &str) -> bool {
    text.ends_with("...") || text.ends_with('…')
}

/// The words of `text` in lower case, its dots and brackets left out; `None` where there is anything but prose.
fn words(text: &str) -> Option<Vec<String>> {
    let prose = |c: char| c.is_alphanumeric() || c.is_whitespace() || ".…,;:()[]<>'’`\"-_/&+*!".contains(c);
    if !text.chars().all(prose) {
        return None;
    }
    let split = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'' && c != '’');
    Some(split.filter(|word| !word.is_empty()).map(str::to_lowercase).collect())
}

fn is_mark(word: &str) -> bool {
    MARKS.contains(&word)
}

/// Whether the mark is among the first words, behind nothing but articles and the like.
fn opens_with_mark(words: &[String]) -> bool {
    words.iter().find(|word| !BEFORE_MARK.contains(&word.as_str())).is_some_and(|word| is_mark(word))
}

/// Whether the words are a count and what is counted, `20 more lines`: one of both may be missing.
fn counts(words: &[String]) -> bool {
    let mut words = words.iter().map(String::as_str).skip_while(|word| BEFORE_MARK.contains(word) || *word == "and");
    let mut next = words.next();
    let number = next.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    if number {
        next = words.next();
    }
    let more = next == Some("more");
    if more {
        next = words.next();
    }
    (number || more)
        && next.is_some_and(|word| COUNTED.contains(&word))
        && words.all(|word| is_mark(word) || word == "here")
}

/// `body` is what follows the opener of a comment.
fn comment_stands_for_code(body: &str) -> bool {
    if body.starts_with(['/', '!', '*', '#']) && !body.starts_with("*/") {
        // Comments that document, and headings: dots there are an example's or prose.
        return documents_omission(body);
    }
    let body = CLOSERS.iter().fold(body.trim(), |body, closer| body.trim_end_matches(closer).trim_end());
    let body = body.trim_matches(['(', ')', '[', ']', '<', '>', '{', '}']).trim();
    let Some(words) = words(body) else { return false };
    if words.len() > 12 {
        return false;
    }
    match (starts_with_dots(body), ends_with_dots(body)) {
        // Dots alone, as a comment, say that something was left out.
        (true, _) if words.is_empty() => body.chars().all(|c| c == '.' || c == '…'),
        (true, _) if counts(&words) => true,
        (true, true) => words.iter().any(|word| is_mark(word)) || words == ["code"],
        (true, false) => words.iter().any(|word| is_mark(word)) && !GOES_ON.contains(&words[0].as_str()),
        (false, _) => {
            (body.contains("...") || body.contains('…'))
                && opens_with_mark(&words)
                && words
                    .iter()
                    .all(|word| is_mark(word) || OF.contains(&word.as_str()) || BEFORE_MARK.contains(&word.as_str()))
        }
    }
}

/// A documenting comment is a placeholder only where the mark follows the dots, as in `/// ... existing code`.
fn documents_omission(body: &str) -> bool {
    let body = body.trim_start_matches(['/', '!', '*', '#']).trim();
    let body = CLOSERS.iter().fold(body, |body, closer| body.trim_end_matches(closer).trim_end());
    let Some(words) = words(body) else { return false };
    starts_with_dots(body) && (opens_with_mark(&words) || counts(&words))
}

/// A line without comment mark: dots first, then the mark; `...rest` is a spread operator.
fn bare_line_stands_for_code(line: &str) -> bool {
    let bare = line.trim_matches(['(', ')', '[', ']', '<', '>', '{', '}']).trim();
    if !starts_with_dots(bare) {
        return false;
    }
    let body = bare.trim_start_matches(['.', '…']);
    let Some(words) = words(body) else { return false };
    let spread = words.len() < 2 && !body.starts_with(char::is_whitespace) && !ends_with_dots(body);
    let expression = body.ends_with([',', ';', ')', '_']) || body.contains(['_', '&', '+', '*', '"', ':']);
    !spread && !expression && words.len() <= 8 && opens_with_mark(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dots alone may be code.
    fn stands(line: &str) -> bool {
        of_line(line).is_some_and(|omission| omission != Omission::Dots)
    }

    #[test]
    fn lines_that_stand_for_code_are_placeholders() {
        for line in [
            "// ... existing code ...",
            "  // ...existing code...",
            "# ... rest of the function ...",
            "# ... (rest of implementation)",
            "/* ... remaining methods unchanged ... */",
            "{/* ... existing JSX ... */}",
            "<!-- ... rest of the page ... -->",
            "-- ... same as before",
            "// ... other imports",
            "// … existing code …",
            "// ... keep the rest unchanged",
            "// rest of the code...",
            "// existing code ...",
            "// the rest remains the same...",
            "# ...",
            "// ...",
            "/* ... */",
            "function f() { /* ... existing code ... */ }",
            "return x; // ... rest unchanged",
            "//! ... rest of the documentation",
            "/// ... existing docs ...",
            "/** ... rest unchanged */",
            "REM ... existing code",
            "rem ... existing code ...",
            "@* ... *@",
            "@* ... existing markup ... *@",
            "(* ... *)",
            "(* ... rest of the module *)",
            "// ... 20 more lines ...",
            "# ... 12 lines omitted ...",
            "// ... more code ...",
            "// the rest ... stays",
            "# the existing code ... unchanged",
            "... rest of the file ...",
            "... existing code ...",
            "[... rest of file ...]",
            "...rest of the code...",
            "... the remaining lines",
            "// ... code ...",
            "# ... snip ...",
        ] {
            assert!(stands(line), "{line}");
        }
    }

    #[test]
    fn spread_operators_ellipsis_and_prose_are_none() {
        for line in [
            "...args",
            "...rest,",
            "...rest",
            "  ...existing,",
            "...previous.items,",
            "const { a, ...rest } = props;",
            "return [...existing, x]; // same order",
            "f(...remaining);",
            "...(same ? a : b),",
            "...",
            "    ...",
            "def f(self) -> int: ...",
            "x: tuple[int, ...]",
            "foo() // ...",
            "x = [1, 2]  # ...",
            "f(); /* ... */",
            "//! ...",
            "//! ... and the rest is history",
            "//! Reads a file ... the rest is left",
            "rem = a - b * q; // the rest",
            "REM Sets the rest ...",
            "(*rest, x)",
            "{ ...rest, x: 1 } // ... wait for it",
            "// ... more about this below",
            "// ... 20 times",
            "    ... 20 more",
            "// the rest of the world ... is round",
            "// loading the remaining items...",
            "// wait... the same user again",
            "// ...and the rest is handled below",
            "And so on ... the rest is history.",
            "... and the rest is history.",
            "println!(\"... existing {}\", x);",
            "/// ...",
            " * ...",
            "// the same as before",
            "range: 0..remaining",
            "#[rest]",
            "from ... import rest",
            "case $1 in rest...) ;;",
            "see `// ...` in the manual",
        ] {
            assert!(!stands(line), "{line}");
        }
    }

    #[test]
    fn a_line_of_dots_is_told_apart_from_one_that_says_what_is_left_out() {
        for line in ["...", "    ...", "…", " * ...", "....."] {
            assert_eq!(of_line(line), Some(Omission::Dots), "{line}");
        }
        assert_eq!(of_line("f(); // ... rest unchanged"), Some(Omission::BehindCode));
        for line in ["..", "", "*", "...args", "f(...)", "foo: ...", "x...", "// TODO ... fix", "#"] {
            assert_eq!(of_line(line), None, "{line}");
        }
    }
}
