//! Comments that stand for code which is not there, without any dots: `// rest of the code remains the same`.
//!
//! Owns the few sentences that say so, and in which languages a line of dots says so too. Lines with dots and words are
//! `omission.rs`'s. Invariant: a comment that says anything else besides is none; in doubt it is none.

use super::omission;

/// How a file writes code and comments, as far as its name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// Code in which a line of dots may be a statement, or that is not known.
    #[default]
    Code,
    /// Code in which a line of dots means nothing.
    CodeWithoutDots,
    /// Sentences, of which `#` may begin a heading.
    Prose,
}

/// Endings of names of files in which a line of dots means nothing.
const WITHOUT_DOTS: &[&str] = &[
    "rs", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "java", "kt", "kts", "go", "cs", "swift", "scala",
    "dart", "css", "scss", "less", "sql", "json", "jsonc", "toml", "zig", "groovy", "gradle",
];
/// Endings of names of files that hold sentences.
const PROSE: &[&str] = &["md", "mdx", "markdown", "rst", "adoc", "txt", "tex", "org", "html", "htm"];

impl Notation {
    /// That of a file with this path.
    pub fn of(path: &[u8]) -> Self {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let ending = name.rsplit(|&byte| byte == b'.').next().filter(|ending| ending.len() < name.len());
        let is =
            |known: &[&str]| ending.is_some_and(|e| known.iter().any(|known| e.eq_ignore_ascii_case(known.as_bytes())));
        match () {
            () if is(WITHOUT_DOTS) => Self::CodeWithoutDots,
            () if is(PROSE) => Self::Prose,
            () => Self::Code,
        }
    }
}

/// What is spoken of.
const CODE: &[&str] = &[
    "code",
    "file",
    "function",
    "functions",
    "method",
    "methods",
    "class",
    "classes",
    "implementation",
    "implementations",
    "component",
    "module",
    "body",
    "logic",
    "script",
    "imports",
    "content",
    "contents",
    "tests",
    "lines",
    "fields",
    "properties",
    "definitions",
    "program",
    "struct",
    "config",
    "configuration",
];
/// Words that say that it is as it was, or not shown.
const AS_IT_WAS: &[&str] = &["unchanged", "same", "omitted", "elided", "untouched", "unmodified", "intact"];
/// Words that go with those.
const WITH_IT: &[&str] = &[
    "the", "is", "are", "remain", "remains", "stay", "stays", "as", "it", "before", "above", "here", "for", "brevity",
    "exactly", "all", "of", "this", "your", "goes", "and", "in", "below", "not", "shown", "kept",
];

/// Whether a line is nothing but a comment that says that code is left out.
pub fn says_left_out(line: &str) -> bool {
    let Some(body) = omission::comment(line.trim()) else { return false };
    let is_bracketed = body.starts_with(['(', '[', '<', '{']) && body.ends_with([')', ']', '>', '}']);
    let remark = if is_bracketed { Remark::Bracketed } else { Remark::Plain };
    let body = body.trim_matches(['(', ')', '[', ']', '<', '>', '{', '}', '.']);
    if body.len() > 90 || !body.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '/' | ',' | '\'' | '-')) {
        return false;
    }
    let words: Vec<String> =
        body.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = match &words[..] {
        ["keep" | "leave", rest @ ..] => rest,
        words => words,
    };
    let words = skip(words, &["the", "all", "your", "our", "this"]);
    stands_for_code(words, remark)
}

/// How a comment is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remark {
    Plain,
    /// All of it in brackets, as an aside.
    Bracketed,
}

fn stands_for_code(words: &[&str], remark: Remark) -> bool {
    let is_bracketed = remark == Remark::Bracketed;
    let is_code = |word: &&str| CODE.contains(word);
    let is_quiet = |words: &[&str]| words.iter().all(|word| AS_IT_WAS.contains(word) || WITH_IT.contains(word));
    let says_so =
        |words: &[&str]| is_quiet(words) && words.iter().any(|word| AS_IT_WAS.contains(word) || *word == "not");
    match words {
        // "rest of the code", "remainder of your file is unchanged", "rest of code here"
        ["rest" | "remainder", "of", rest @ ..] => {
            let rest = skip(rest, &["the", "your", "this", "existing", "original"]);
            matches!(rest.split_first(), Some((noun, tail)) if is_code(noun) && is_quiet(tail))
        }
        // "rest remains the same", "rest unchanged", "everything else stays the same"
        ["rest", rest @ ..] | ["everything" | "all", "else", rest @ ..] | ["else", rest @ ..] => says_so(rest),
        ["omitted", "for", "brevity"] => true,
        // "existing code", "existing imports here", "remaining methods unchanged", "unchanged code"
        ["existing" | "remaining" | "unchanged" | "omitted", noun, rest @ ..] => is_code(noun) && is_quiet(rest),
        // "other methods remain unchanged", "previous code is unchanged", "code omitted for brevity"
        ["other" | "previous" | "original" | "old", noun, rest @ ..] => {
            is_code(noun) && (says_so(rest) || is_bracketed)
        }
        ["code" | "implementation" | "lines", rest @ ..] => {
            says_so(rest) && rest.len() > 1 || is_bracketed && says_so(rest)
        }
        ["unchanged" | "omitted" | "elided" | "snip"] => is_bracketed,
        _ => false,
    }
}

/// What follows words of these.
fn skip<'w, 's>(words: &'w [&'s str], these: &[&str]) -> &'w [&'s str] {
    let count = words.iter().take_while(|word| these.contains(word)).count();
    &words[count..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_stand_for_code_are_known_without_dots() {
        for line in [
            "// rest of the code remains the same",
            "    // rest of the code",
            "# (existing code)",
            "# existing code",
            "// existing code here",
            "/* existing code */",
            "<!-- rest of the file unchanged -->",
            "// Rest of the implementation stays the same.",
            "// remaining code unchanged",
            "// remaining methods",
            "// other methods remain unchanged",
            "# rest of function unchanged",
            "// the rest remains the same",
            "// rest unchanged",
            "-- rest of the file",
            "// keep the rest of the code as is",
            "// keep existing code",
            "// your existing code here",
            "// code omitted for brevity",
            "// (unchanged)",
            "// [omitted]",
            "# rest of your code here",
            "// everything else stays the same",
            "// all other methods remain the same",
            "// Remainder of the file is unchanged",
        ] {
            assert!(says_left_out(line), "{line}");
        }
    }

    #[test]
    fn other_comments_and_code_are_none() {
        for line in [
            "// the same as before",
            "// same as above",
            "// unchanged",
            "{/* existing JSX code */}",
            "// existing users keep their id",
            "// the rest of the world is round",
            "// rest of the arguments",
            "// remaining items are dropped",
            "// remaining: usize",
            "// other methods",
            "// previous code path, kept for Windows",
            "// code unchanged since 1998, do not touch",
            "// existing code calls this with null",
            "// rest of the file is parsed lazily",
            "// everything else is an error",
            "// the rest is history",
            "let rest = existing_code;",
            "existing code",
            "rest of the code remains the same",
            "/// existing code",
            "// omitted fields get their default",
            "// unchanged lines keep their ids",
            "# the original implementation was slow",
            "// code",
            "// original code by Jane",
            "//",
            "",
        ] {
            assert!(!says_left_out(line), "{line}");
        }
    }

    #[test]
    fn the_name_of_a_file_tells_what_dots_mean() {
        for (path, want) in [
            ("src/a.rs", Notation::CodeWithoutDots),
            ("web/App.TSX", Notation::CodeWithoutDots),
            ("a.py", Notation::Code),
            ("a.c", Notation::Code),
            ("Makefile", Notation::Code),
            ("rs", Notation::Code),
            ("docs/a.md", Notation::Prose),
        ] {
            assert_eq!(Notation::of(path.as_bytes()), want, "{path}");
        }
    }
}
