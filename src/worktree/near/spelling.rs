//! What a path may mean that names nothing: the same name as other tools and other people write it.
//!
//! Owns the wrong forms: separators, prefixes, quotes, addresses, places in a file. Does not look at files.
//! Invariant: linear in the path, and at most [`MOST`] spellings.

use crate::path::RepoPath;
use std::path::Path;

/// So many spellings are tried.
const MOST: usize = 16;
/// The longest path that is read in other ways, in bytes.
const LONGEST: usize = 1_024;

/// Other ways to read a path, the likeliest first; the first is the path itself, where it can be one.
pub(super) fn spellings(raw: &str, root: &Path) -> Vec<RepoPath> {
    let mut out: Vec<RepoPath> = Vec::new();
    if raw.len() > LONGEST {
        return out;
    }
    let root = root.to_string_lossy();
    let clean = cleaned(raw);
    let decoded = percent_decoded(&clean);
    for text in [raw, &clean, &decoded] {
        let below = text.strip_prefix(&*root).filter(|rest| rest.starts_with('/')).unwrap_or(text);
        add_readings(below, &mut out);
    }
    out.truncate(MOST);
    out
}

/// The whole of a path, then less and less of its beginning.
fn add_readings(text: &str, out: &mut Vec<RepoPath>) {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    for start in 0..parts.len().min(MOST) {
        let path = RepoPath::new(parts[start..].join("/").as_bytes());
        out.extend(path.ok().filter(|path| !out.contains(path)));
    }
}

/// Without what is written around a path, before it and behind it.
fn cleaned(raw: &str) -> String {
    let text = raw.trim().trim_matches(['"', '\'', '`', '<', '>', '(', ')', '[', ']', ',']).trim();
    let text = without_address(text).replace('\\', "/");
    let text = without_place(&text).trim_start_matches('@');
    let drive = text.as_bytes().get(..3).is_some_and(|b| b[0].is_ascii_alphabetic() && b[1] == b':' && b[2] == b'/');
    let text = if drive { &text[2..] } else { text };
    let here = ["$PWD/", "${PWD}/", "$(pwd)/", "~/"].iter().find_map(|prefix| text.strip_prefix(prefix));
    here.unwrap_or(text).trim_end_matches('/').to_owned()
}

/// Without `file://` and its kin.
fn without_address(text: &str) -> &str {
    let Some((scheme, rest)) = text.split_once("://") else { return text.strip_prefix("file:").unwrap_or(text) };
    if scheme.is_empty() || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return text;
    }
    rest.strip_prefix("localhost").filter(|rest| rest.starts_with('/')).unwrap_or(rest)
}

/// Without a place in the file: `:12`, `:12:5`, `:12-20`, `#L12-L20`, `(12,5)`, a last colon.
fn without_place(text: &str) -> &str {
    let is_place = |c: char| c.is_ascii_digit() || matches!(c, ':' | '-' | ',' | 'L' | '#' | '(');
    let end = text.trim_end_matches(is_place).len();
    let (name, place) = text.split_at(end);
    let marked = place.starts_with([':', '#', '(']);
    if marked && !name.is_empty() && !name.ends_with('/') { name } else { text }
}

fn percent_decoded(text: &str) -> String {
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [byte, tail @ ..] = rest {
        let digits = tail.get(..2).filter(|_| *byte == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match digits.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                rest = &tail[2..];
            }
            None => {
                out.push(*byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_form_leads_to_the_path() {
        for raw in [
            "./src/a b.rs",
            "/home/me/project/src/a b.rs",
            "file:///home/me/project/src/a%20b.rs",
            "file://localhost/home/me/project/src/a b.rs",
            "file://src/a%20b.rs",
            "a/src/a b.rs",
            "@src/a b.rs",
            "@/src/a b.rs",
            "src\\a b.rs",
            "C:\\work\\project\\src\\a b.rs",
            "project/src/a b.rs",
            "../project/src/a b.rs",
            "`src/a b.rs`",
            "\"src/a b.rs\"",
            "src/a b.rs:12",
            "src/a b.rs:12:5",
            "src/a b.rs#L3-L9",
            "src/a b.rs(12,5)",
            "src/a b.rs:",
            "src/a b.rs/",
            " src/a b.rs\n",
            "~/src/a b.rs",
            "$PWD/src/a b.rs",
            "/src/a b.rs",
            "vscode://home/me/project/src/a b.rs",
        ] {
            let all = spellings(raw, Path::new("/home/me/project"));
            assert!(all.iter().any(|path| path.as_bstr() == "src/a b.rs"), "{raw:?}: {all:?}");
        }
    }

    #[test]
    fn odd_paths_have_few_spellings_or_none() {
        for raw in ["", "/", "..", "%", "%zz", "://", "file://", &"a/".repeat(400), &"x".repeat(5_000), "é:", "a\0b"] {
            assert!(spellings(raw, Path::new("/r")).len() <= MOST, "{raw:?}");
        }
        assert_eq!(
            spellings(".git/config", Path::new("/r")).first().map(ToString::to_string).as_deref(),
            Some("config")
        );
    }
}
