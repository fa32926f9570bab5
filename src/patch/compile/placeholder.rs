//! New texts with a line that stands for code which is not there: they would be written as they are.
//!
//! Does not recognise such lines: those with dots are known to [`crate::matcher::omission`], those without to
//! [`crate::matcher::left_out`].

use crate::matcher::left_out::{Notation, says_left_out};
use crate::matcher::omission::{self, Omission};
use memchr::memmem;
use std::collections::HashSet;

/// Parts of the words of which a sentence without dots has one, in both cases of their first letter.
const SAID: &[&[u8]] =
    &[b"est ", b"xisting", b"emaining", b"nchanged", b"mitted", b"lided", b"verything", b"ther ", b"snip"];

/// The first line of `new` that is an omission placeholder and no line of `old`, trimmed.
pub fn placeholder(old: &[u8], new: &[u8], notation: Notation) -> Option<String> {
    let has = |part: &[u8]| memmem::find(new, part).is_some();
    let has_dots = has(b"...") || has("…".as_bytes());
    let may_say_so = notation != Notation::Prose && SAID.iter().any(|part| has(part));
    if !has_dots && !may_say_so {
        return None;
    }
    let stands = |line: &str| match omission::of_line(line) {
        Some(Omission::Dots) => notation == Notation::CodeWithoutDots && !line.starts_with('*'),
        Some(_) => true,
        None => may_say_so && says_left_out(line),
    };
    let known: HashSet<&[u8]> = old.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
    new.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !known.contains(line)).find_map(|line| {
        let line = std::str::from_utf8(line).ok()?;
        stands(line).then(|| line.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_that_the_old_text_has_is_legal() {
        let old = b"a\n  // ... existing code ...\n";
        assert_eq!(placeholder(old, b"b\n// ... existing code ...\n", Notation::Code), None);
    }

    #[test]
    fn a_line_of_dots_is_one_where_the_language_has_no_such_statement() {
        let check = |path: &str, want: Option<&str>| {
            let got = placeholder(b"x", b"x\n    ...\ny", Notation::of(path.as_bytes()));
            assert_eq!(got.as_deref(), want, "{path}");
        };
        check("a.rs", Some("..."));
        check("a.tsx", Some("..."));
        check("a.py", None);
        check("a.h", None);
        check("a.md", None);
    }

    #[test]
    fn a_comment_without_dots_is_one_in_code_and_a_heading_is_none() {
        let check = |path: &str, want: Option<&str>| {
            let new = b"x\n  # Existing code\ny";
            assert_eq!(placeholder(b"x", new, Notation::of(path.as_bytes())).as_deref(), want, "{path}");
        };
        check("a.py", Some("# Existing code"));
        check("a.md", None);
    }
}
