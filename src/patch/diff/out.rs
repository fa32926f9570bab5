//! The text of a preview as it grows, up to its limits.
//!
//! Invariant: it is cut at a line, and counts what it shows, unless told otherwise.

use super::hunks::{HunkLine, LineOrigin};
use std::borrow::Cow;

/// How much of a preview is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLimits {
    /// Lines, headers included; 0 for no limit.
    pub lines: usize,
    /// Bytes; 0 for no limit.
    pub bytes: usize,
}

impl Default for DiffLimits {
    fn default() -> Self {
        Self { lines: 100, bytes: 10_240 }
    }
}

/// A unified diff, perhaps cut.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// Uncut and not lossy, `git apply` takes it.
    pub text: String,
    /// Whether it was cut, at a line.
    pub truncated: bool,
    /// Whether bytes that are not UTF-8 are shown as U+FFFD.
    pub lossy: bool,
    /// Lines that are shown as added; of a new file that is not shown as a whole, all of its lines.
    pub lines_added: usize,
    /// Lines that are shown as removed.
    pub lines_removed: usize,
}

pub(super) struct Out {
    preview: Preview,
    lines: usize,
    most_lines: usize,
    most_bytes: usize,
}

impl Out {
    pub(super) fn new(limits: DiffLimits) -> Self {
        let or_none = |limit: usize| if limit == 0 { usize::MAX } else { limit };
        Self {
            preview: Preview::default(),
            lines: 0,
            most_lines: or_none(limits.lines),
            most_bytes: or_none(limits.bytes),
        }
    }

    /// Whether a line had no room; nothing is taken after it.
    pub(super) fn is_cut(&self) -> bool {
        self.preview.truncated
    }

    /// A line that is no file's.
    pub(super) fn header(&mut self, line: &str) {
        self.push("", line.as_bytes());
    }

    /// A line behind the mark of its origin.
    pub(super) fn line(&mut self, line: &HunkLine<'_>) {
        let mark = match line.origin {
            LineOrigin::Context => " ",
            LineOrigin::Removed => "-",
            LineOrigin::Added => "+",
        };
        let content = line.text.strip_suffix(b"\n");
        if !self.push(mark, content.unwrap_or(line.text)) {
            return;
        }
        self.preview.lines_added += usize::from(line.origin == LineOrigin::Added);
        self.preview.lines_removed += usize::from(line.origin == LineOrigin::Removed);
        if content.is_none() {
            self.push("", b"\\ No newline at end of file");
        }
    }

    pub(super) fn lines_added(&self) -> usize {
        self.preview.lines_added
    }

    /// Counts so many lines as added, whatever is shown.
    pub(super) fn count_added(&mut self, lines: usize) {
        self.preview.lines_added = lines;
    }

    pub(super) fn into_preview(self) -> Preview {
        self.preview
    }

    /// Takes a line if it fits.
    fn push(&mut self, mark: &str, line: &[u8]) -> bool {
        let room = self.most_bytes - self.preview.text.len();
        let fits = |len: usize| !self.preview.truncated && self.lines < self.most_lines && mark.len() + len < room;
        // U+FFFD may be longer than what it stands for, so a line that seems to fit is looked at again.
        let shown = if fits(line.len()) { String::from_utf8_lossy(line) } else { Cow::Borrowed("") };
        if !fits(line.len().max(shown.len())) {
            self.preview.truncated = true;
            return false;
        }
        self.preview.lossy |= matches!(shown, Cow::Owned(_));
        self.preview.text.push_str(mark);
        self.preview.text.push_str(&shown);
        self.preview.text.push('\n');
        self.lines += 1;
        true
    }
}
