//! Omission placeholders: lines such as `// ... existing code ...`, which stand for code that is not there.
//!
//! Owns the recognition. Invariant: spread operators, Python's `...` and dots in prose are none.

use std::collections::HashSet;

/// Words of which a placeholder has one.
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

/// The first line of `new` that is an omission placeholder and no line of `old`, trimmed.
pub fn omission(old: &[u8], new: &[u8]) -> Option<String> {
    let has_dots = memchr::memmem::find(new, b"...").is_some() || memchr::memmem::find(new, "…".as_bytes()).is_some();
    if !has_dots {
        return None;
    }
    let known: HashSet<&[u8]> = old.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
    new.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !known.contains(line)).find_map(|line| {
        let line = std::str::from_utf8(line).ok()?;
        is_placeholder(line).then(|| line.to_owned())
    })
}

fn is_placeholder(line: &str) -> bool {
    if let Some(body) = OPENERS.iter().find_map(|opener| line.strip_prefix(opener)).or_else(|| remark(line)) {
        return comment_stands_for_code(body);
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
    inline || bare_line_stands_for_code(line)
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
        (true, true) => words.iter().any(|word| is_mark(word)),
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
        ] {
            assert!(omission(b"x", line.as_bytes()).is_some(), "{line}");
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
            assert_eq!(omission(b"x", line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_placeholder_that_the_old_text_has_is_legal() {
        assert_eq!(omission(b"a\n  // ... existing code ...\n", b"b\n// ... existing code ...\n"), None);
    }
}
