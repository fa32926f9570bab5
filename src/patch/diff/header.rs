//! The lines before the hunks: git's extended headers, and paths as git quotes them.

use super::file::DiffFile;
use super::hunks::Hunk;
use crate::change::ChangeKind;
use bstr::BStr;
use std::fmt::Write;

/// So many digits of a blob id are shown.
const ID_DIGITS: usize = 10;

/// The header lines of one file, without endings; `first` is its first hunk, if it has any.
pub(super) fn lines(file: &DiffFile<'_>, first: Option<&Hunk<'_>>) -> Vec<String> {
    let old = match (file.change, file.from) {
        (ChangeKind::Rename, Some(from)) => from.as_bstr(),
        _ => file.path.as_bstr(),
    };
    let new = file.path.as_bstr();
    let mut lines = vec![format!("diff --git {} {}", quoted("a/", old), quoted("b/", new))];
    if let Some(before) = file.other_mode() {
        lines.extend([format!("old mode {before:06o}"), format!("new mode {:06o}", file.mode)]);
    }
    match file.change {
        ChangeKind::Create => lines.push(format!("new file mode {:06o}", file.mode)),
        ChangeKind::Delete => lines.push(format!("deleted file mode {:06o}", file.mode)),
        ChangeKind::Rename => {
            lines.push(format!("similarity index {}%", similarity(file)));
            lines.push(format!("rename from {}", quoted("", old)));
            lines.push(format!("rename to {}", quoted("", new)));
        }
        ChangeKind::Modify => {}
    }
    lines.extend(index(file));
    if first.is_some() {
        let label = |name: String| if name.contains(' ') { name + "\t" } else { name };
        let none = || "/dev/null".to_owned();
        let (before, after) = match file.change {
            ChangeKind::Create => (none(), label(quoted("b/", new))),
            ChangeKind::Delete => (label(quoted("a/", old)), none()),
            ChangeKind::Modify | ChangeKind::Rename => (label(quoted("a/", old)), label(quoted("b/", new))),
        };
        lines.extend([format!("--- {before}"), format!("+++ {after}")]);
    }
    lines
}

/// The `index` line, where the ids are known and differ.
fn index(file: &DiffFile<'_>) -> Option<String> {
    let short = |id: String| id[..ID_DIGITS].to_owned();
    let none = || "0".repeat(ID_DIGITS);
    let before = file.before_id.map(|id| short(id.to_string()));
    let after = file.after_id.map(|id| short(id.to_string()));
    match file.change {
        ChangeKind::Create => after.map(|after| format!("index {}..{after}", none())),
        ChangeKind::Delete => before.map(|before| format!("index {before}..{}", none())),
        ChangeKind::Modify | ChangeKind::Rename => {
            let (before, after) = before.zip(after).filter(|(before, after)| before != after)?;
            let mode = if file.other_mode().is_some() { String::new() } else { format!(" {:06o}", file.mode) };
            Some(format!("index {before}..{after}{mode}"))
        }
    }
}

/// How much of the larger of both files was kept, in percent; 100 only where nothing changed.
fn similarity(file: &DiffFile<'_>) -> usize {
    if file.patch.is_empty() {
        return 100;
    }
    let removed: usize = file.patch.splices().iter().map(|splice| splice.range.len()).sum();
    let larger = file.patch.base_len().max(file.patch.result_len()).max(1);
    ((file.patch.base_len() - removed).saturating_mul(100) / larger).min(99)
}

/// A name as git writes it (`quote_c_style` in its `quote.c`, with `core.quotePath` as it is by default).
fn quoted(prefix: &str, path: &BStr) -> String {
    let special = |byte: u8| !(0x20..0x7f).contains(&byte) || byte == b'"' || byte == b'\\';
    let mut name = prefix.to_owned();
    if !path.iter().any(|&byte| special(byte)) {
        name.extend(path.iter().map(|&byte| char::from(byte)));
        return name;
    }
    name.insert(0, '"');
    for &byte in path.iter() {
        let letter = match byte {
            0x07 => 'a',
            0x08 => 'b',
            b'\t' => 't',
            b'\n' => 'n',
            0x0b => 'v',
            0x0c => 'f',
            b'\r' => 'r',
            b'"' => '"',
            b'\\' => '\\',
            _ if special(byte) => {
                write!(name, "\\{byte:03o}").expect("a string takes whatever is written");
                continue;
            }
            _ => {
                name.push(char::from(byte));
                continue;
            }
        };
        name.extend(['\\', letter]);
    }
    name + "\""
}

/// Start and length on both sides of a hunk, as its head in a diff tells them.
pub fn hunk_sides(line: &str) -> Option<((usize, usize), (usize, usize))> {
    let (old, new) = line.strip_prefix("@@ -")?.split_once(" @@")?.0.split_once(" +")?;
    let side = |text: &str| match text.split_once(',') {
        Some((start, length)) => Some((start.parse().ok()?, length.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some((side(old)?, side(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_git_does() {
        let shown = |name: &[u8]| quoted("a/", BStr::new(name));
        assert_eq!(shown(b"x y.rs"), "a/x y.rs");
        assert_eq!(shown("ä".as_bytes()), "\"a/\\303\\244\"");
        assert_eq!(shown(b"a\"b\\c\td\x01\x7f"), "\"a/a\\\"b\\\\c\\td\\001\\177\"");
    }
}
