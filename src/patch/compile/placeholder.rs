//! New texts with a line that stands for code which is not there: they would be written as they are.
//!
//! Does not recognise such lines: that is [`crate::matcher::omission`].

use crate::matcher::omission::{self, Omission};
use std::collections::HashSet;

/// The first line of `new` that is an omission placeholder and no line of `old`, trimmed.
pub fn placeholder(old: &[u8], new: &[u8]) -> Option<String> {
    let has_dots = memchr::memmem::find(new, b"...").is_some() || memchr::memmem::find(new, "…".as_bytes()).is_some();
    if !has_dots {
        return None;
    }
    let known: HashSet<&[u8]> = old.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
    new.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !known.contains(line)).find_map(|line| {
        let line = std::str::from_utf8(line).ok()?;
        omission::of_line(line).is_some_and(|omission| omission != Omission::Dots).then(|| line.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_that_the_old_text_has_is_legal() {
        assert_eq!(placeholder(b"a\n  // ... existing code ...\n", b"b\n// ... existing code ...\n"), None);
    }
}
