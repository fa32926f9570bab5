//! The diff of one file of a record, as a report has it.
//!
//! Owns what is shown where there is no text, and where a diff is cut. The hunks are the history's.

use super::model::Diff;
use crate::history::file_diff;
use crate::record::{RecordFile, RecordedTexts, TextsKept};

/// So many lines of one diff are shown.
const MOST_LINES: usize = 2_000;
/// So many bytes of them.
const MOST_BYTES: usize = 256 << 10;

/// A diff, and how many lines it adds and removes.
pub(in crate::usecase) struct Shown {
    pub(in crate::usecase) diff: Diff,
    /// None where there are no lines.
    pub(in crate::usecase) lines: Option<(usize, usize)>,
}

/// Shows what was done to a file.
pub(in crate::usecase) fn shown(file: &RecordFile, texts: &RecordedTexts) -> Shown {
    let none = |diff| Shown { diff, lines: None };
    if texts.both(file).is_none() {
        let is_kept = file.kept == TextsKept::Stored;
        return none(if is_kept { Diff::Unreadable } else { Diff::NotKept { why: file.kept } });
    }
    let is_text = file.readable(texts).is_some();
    let has_nul = |text: Option<&[u8]>| text.is_some_and(|text| memchr::memchr(0, text).is_some());
    if !is_text && (has_nul(texts.before()) || has_nul(texts.after())) {
        return none(Diff::Binary);
    }
    let preview = file_diff(file, texts);
    let lines = Some((preview.lines_added, preview.lines_removed));
    let Some(start) = hunks_start(&preview.text) else { return Shown { diff: Diff::Nothing, lines } };
    let (text, lines_left_out) = cut(&preview.text[start..]);
    Shown { diff: Diff::Hunks { text, lines_left_out, lossy: preview.lossy }, lines }
}

/// Behind the header, whose lines never begin so.
fn hunks_start(text: &str) -> Option<usize> {
    if text.starts_with("@@ ") { Some(0) } else { text.find("\n@@ ").map(|at| at + 1) }
}

/// As much of it as is shown, at a line, and how many lines are not.
fn cut(text: &str) -> (String, usize) {
    let mut end = 0;
    for (n, line) in text.split_inclusive('\n').enumerate() {
        if n == MOST_LINES || end + line.len() > MOST_BYTES {
            return (text[..end].to_owned(), text[end..].lines().count());
        }
        end += line.len();
    }
    (text.to_owned(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_diff_is_cut_at_a_line() {
        let text: String = (0..MOST_LINES + 7).map(|n| format!("+{n}\n")).collect();
        let (shown, left) = cut(&text);
        assert_eq!((shown.lines().count(), left), (MOST_LINES, 7));
        let (shown, left) = cut(&format!("+a\n+{}\n+b\n", "x".repeat(MOST_BYTES)));
        assert_eq!((shown.as_str(), left), ("+a\n", 2));
        assert_eq!(cut("+a\n"), ("+a\n".to_owned(), 0));
    }

    #[test]
    fn the_hunks_begin_behind_the_header() {
        let text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-@@ a\n+b\n";
        assert_eq!(hunks_start(text).map(|at| &text[at..at + 4]), Some("@@ -"));
        assert_eq!(hunks_start("diff --git a/x b/y\nrename from x\n"), None);
    }
}
