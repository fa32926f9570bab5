//! What is said of one error.
//!
//! Owns the shape: a line, more lines, data for a program. Invariant: the line is one line, whatever names it holds, and the
//! further lines are at most [`MOST`] bytes, so that all of it, as JSON writes it, has room in a brief answer.

use super::excerpt;
use crate::code::Reason;
use serde_json::{Map, Value};
use std::fmt::Display;

/// So many bytes of further lines a caller is shown.
pub const MOST: usize = 1_200;
/// So many bytes of the line.
const LINE: usize = 480;
/// So many bytes of it at least are for what was found.
const FACT: usize = 160;
/// So many bytes of the path that stands before it.
const PATH: usize = 160;
/// So many bytes of all together, as JSON writes them; what names the edit comes on top.
const TEXT: usize = 1_420;

/// What an error says to a model's next attempt and to a person's next step.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The finer cause; its code follows from it.
    pub reason: Reason,
    /// Lower-case, without a final period; names what was found and the next action.
    pub message: String,
    /// Its end: the next action; empty where the message is of one piece.
    pub(super) next: String,
    /// What was found in full: texts, places, what a program printed. Lines without a final ending; may be empty.
    pub more: String,
    /// `data.hint`: an object, empty where there is nothing to say.
    pub hint: Map<String, Value>,
    /// The 0-based edit that failed, within its file.
    pub failed_index: Option<usize>,
    /// The file that failed, as the answer names it.
    pub failed_path: Option<String>,
}

impl Explanation {
    /// An explanation without further lines, hint, index and path.
    pub(super) fn new(reason: Reason, message: impl Into<String>) -> Self {
        let message = excerpt::ends(&one_line(message.into()), LINE);
        Self {
            reason,
            message,
            next: String::new(),
            more: String::new(),
            hint: Map::new(),
            failed_index: None,
            failed_path: None,
        }
    }

    /// What was found, and what to do next: where there is no room for both, the fact is cut.
    pub(super) fn of(reason: Reason, fact: impl Display, next: impl Display) -> Self {
        let next = excerpt::ends(&one_line(next.to_string()), LINE - FACT);
        let fact = excerpt::ends(&one_line(fact.to_string()), LINE - next.len() - 2);
        Self { next: next.clone(), ..Self::new(reason, format!("{fact}; {next}")) }
    }

    /// Adds further lines, cut to what a caller is shown.
    #[must_use]
    pub(super) fn with_more(mut self, more: &str) -> Self {
        self.more = excerpt::first_lines(more, self.room());
        self
    }

    /// How many bytes of further lines there is room for, as JSON writes them.
    pub(super) fn room(&self) -> usize {
        let path = self.failed_index.and(self.failed_path.as_ref()).map_or(0, |path| excerpt::json_len(&shown(path)));
        MOST.min(TEXT.saturating_sub(excerpt::json_len(&self.message) + path))
    }

    /// The file and the edit that failed, as they stand before the message.
    pub fn place(&self, named: Named) -> String {
        match (self.failed_index, &self.failed_path, named) {
            (Some(index), Some(path), Named::Both) => format!("{}, edit {index}: ", shown(path)),
            (Some(index), ..) => format!("edit {index}: "),
            (None, ..) => String::new(),
        }
    }

    /// Adds what a program printed: its last lines, and all that was kept of it as `hint.output`.
    #[must_use]
    pub(super) fn with_output(self, output: &str) -> Self {
        let last = excerpt::last_lines(output.trim_end(), self.room() - 60);
        let more = if last.is_empty() { "it printed nothing".to_owned() } else { format!("its output:\n{last}") };
        self.with_hint("output", output).with_more(&more)
    }

    /// Adds one key to the hint.
    #[must_use]
    pub(super) fn with_hint(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.hint.insert(key.to_owned(), value.into());
        self
    }

    /// Names the edit that failed.
    #[must_use]
    pub(super) fn at_edit(mut self, index: usize) -> Self {
        self.failed_index = Some(index);
        self
    }

    /// Names the file that failed.
    #[must_use]
    pub(super) fn at_path(mut self, path: impl Into<String>) -> Self {
        self.failed_path = Some(path.into());
        self
    }
}

/// What of a failing edit's place is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// Which edit of its file: there is one file.
    Edit,
    /// Which file, and which edit of it.
    Both,
}

/// A path in front of a message.
fn shown(path: &str) -> String {
    excerpt::ends(&one_line(path.to_owned()), PATH)
}

fn one_line(text: String) -> String {
    if !text.contains(char::is_control) {
        return text;
    }
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_whatever_it_names() {
        let told = Explanation::new(Reason::NoSuchFile, "file not found: a\nb\u{1b}é");
        assert_eq!(told.message, "file not found: a\\nb\\u{1b}é");
    }

    #[test]
    fn what_to_do_is_told_in_full_however_long_the_names_are() {
        let told = Explanation::of(Reason::NoSuchFile, format!("file not found: {}/x.rs", "a".repeat(900)), "check it");
        assert!(told.message.len() <= LINE && told.message.ends_with("aa/x.rs; check it"), "{}", told.message);
        assert!(told.message.starts_with("file not found: aa"), "{}", told.message);
    }

    #[test]
    fn further_lines_are_bounded_and_of_an_output_they_are_the_last() {
        let output: String = (0..1000).map(|n| format!("line {n}\n")).collect();
        let told = Explanation::new(Reason::VerifyFailed, "x").with_output(&output);
        assert!(told.more.len() <= MOST && told.more.ends_with("\nline 999"), "{}", told.more);
        assert_eq!(told.hint["output"], output.as_str());
        assert_eq!(Explanation::new(Reason::VerifyFailed, "x").with_output("\n").more, "it printed nothing");
    }
}
