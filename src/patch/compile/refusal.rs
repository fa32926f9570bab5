//! Why edits are no patch, and what to tell the caller.
//!
//! Owns the messages and hints of compiling. Does not find anything: the variants carry what was found.

use crate::code::{Explanation, Reason};
use crate::patch::merge::Refusal;
use serde_json::{Map, Value, json};

/// Why edits are no patch: the first edit that fails, and which others do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("edit {index}: {}", refusal.message())]
pub struct CompileError {
    /// The 0-based edit that failed; of two clashing edits the later one.
    pub index: usize,
    /// Why.
    pub refusal: Box<EditRefusal>,
    /// Other edits that fail, by index; the first twenty. Empty in sequence mode, which ends at the first.
    pub also_failed: Vec<usize>,
}

/// One place of an old_string that has several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceHint {
    /// 1-based.
    pub line: usize,
    /// That line, without its ending; `None` where it is not UTF-8.
    pub text: Option<String>,
    /// The shortest extension of old_string by whole lines that occurs once.
    pub extension: Option<String>,
}

/// Where one of two clashing edits goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditLines {
    /// 0-based.
    pub index: usize,
    /// 1-based.
    pub start_line: usize,
    /// 1-based, inclusive.
    pub end_line: usize,
}

/// Why one edit is refused.
#[derive(Debug, Clone, PartialEq)]
pub enum EditRefusal {
    /// old_string does not occur; the keys of the hint are `matcher::hint`'s.
    NoMatch(Map<String, Value>),
    /// A looser level refused; it said why.
    Unplaced(Refusal),
    /// old_string occurs several times.
    Ambiguous {
        /// How often.
        count: usize,
        /// The first of them.
        places: Vec<PlaceHint>,
    },
    /// Another number of replacements was expected.
    CountMismatch {
        /// By the caller.
        expected: usize,
        /// In the text.
        found: usize,
    },
    /// The file would stay as it is.
    SameText,
    /// old_string is gone, new_string is there.
    AlreadyApplied {
        /// 1-based lines where new_string starts and ends.
        lines: (usize, usize),
    },
    /// This line of new_string stands for code that is not there.
    OmissionPlaceholder(String),
    /// new_string is not ASCII, the file is not UTF-8.
    UnsupportedEncoding,
    /// new_string would make the file binary.
    NulByte,
    /// Two edits change the same bytes.
    Overlap([EditLines; 2]),
    /// The new text of one edit holds the old text of the other.
    NestedConflict([EditLines; 2]),
}

impl EditRefusal {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::NoMatch(_) => Reason::NoMatch,
            Self::Unplaced(refusal) => refusal.reason,
            Self::Ambiguous { .. } => Reason::Ambiguous,
            Self::CountMismatch { .. } => Reason::CountMismatch,
            Self::SameText => Reason::SameText,
            Self::AlreadyApplied { .. } => Reason::AlreadyApplied,
            Self::OmissionPlaceholder(_) => Reason::OmissionPlaceholder,
            Self::UnsupportedEncoding => Reason::UnsupportedEncoding,
            Self::NulByte => Reason::NulByte,
            Self::Overlap(_) => Reason::Overlap,
            Self::NestedConflict(_) => Reason::NestedConflict,
        }
    }

    /// Long because it is a table: one text for each refusal.
    fn message(&self) -> String {
        match self {
            Self::NoMatch(hint) if hint.contains_key("nearest") => {
                "old_string does not occur in the file; data.hint.nearest has the closest text and data.hint.difference \
                 what differs: send old_string as the file has it, with its indentation, or read the file again"
                    .to_owned()
            }
            Self::NoMatch(_) => {
                "old_string does not occur in the file; read the file again and send the text as it stands there, with \
                 its indentation"
                    .to_owned()
            }
            Self::Unplaced(refusal) => refusal.message.clone(),
            Self::Ambiguous { count, places } => {
                let lines: Vec<String> = places.iter().map(|place| place.line.to_string()).collect();
                let more = if *count > places.len() { ", ..." } else { "" };
                format!(
                    "old_string occurs {count} times (lines {}{more}); give more of the lines around it (one of \
                     the texts in data.hint.places[].extension), or set replace_all to change them all",
                    lines.join(", ")
                )
            }
            Self::CountMismatch { expected, found } => format!(
                "{expected} replacements were expected, but old_string is replaced {found} times; look at the places \
                 again, then correct expected_replacements or old_string, or set replace_all"
            ),
            Self::SameText => {
                "the file already reads so at this place; send the text that it should become, or leave this edit out"
                    .to_owned()
            }
            Self::AlreadyApplied { lines: (start, end) } => format!(
                "old_string is gone and new_string stands at lines {start}-{end}: this edit is already applied; leave \
                 it out"
            ),
            Self::OmissionPlaceholder(line) => format!(
                "new_string has a line that stands for omitted code ({line:?}), which would be written as it is; send \
                 the code in full, or a smaller old_string and new_string"
            ),
            Self::UnsupportedEncoding => {
                "new_string is not ASCII, but the file is not UTF-8, so its encoding is unknown; send an ASCII new_string"
                    .to_owned()
            }
            Self::NulByte => {
                "new_string holds a NUL byte, which would make the file binary; send it without (as an escape sequence \
                 of the language, perhaps)"
                    .to_owned()
            }
            Self::Overlap([first, second]) => format!(
                "it changes lines {} that edit {} (lines {}) changes, too; make one edit of both",
                second.shown(),
                first.index,
                first.shown()
            ),
            Self::NestedConflict([first, second]) => format!(
                "the new_string of one of edits {} (lines {}) and {} (lines {}) holds the other's old_string; make one \
                 edit of both, or send them one after the other",
                first.index,
                first.shown(),
                second.index,
                second.shown()
            ),
        }
    }

    fn hint(&self) -> Map<String, Value> {
        let object = |value: Value| match value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        match self {
            Self::NoMatch(hint) => hint.clone(),
            Self::Unplaced(refusal) => refusal.hint.clone(),
            Self::Ambiguous { count, places } => {
                let places: Vec<Value> = places
                    .iter()
                    .map(|place| json!({"line": place.line, "text": place.text, "extension": place.extension}))
                    .collect();
                object(json!({"count": count, "places": places}))
            }
            Self::CountMismatch { expected, found } => object(json!({"expected": expected, "found": found})),
            Self::AlreadyApplied { lines: (start, end) } => object(json!({"start_line": start, "end_line": end})),
            Self::OmissionPlaceholder(line) => object(json!({"line": line})),
            Self::Overlap(edits) | Self::NestedConflict(edits) => {
                let edits = edits
                    .map(|edit| json!({"index": edit.index, "start_line": edit.start_line, "end_line": edit.end_line}));
                object(json!({"edits": edits}))
            }
            Self::SameText | Self::UnsupportedEncoding | Self::NulByte => Map::new(),
        }
    }
}

impl EditLines {
    fn shown(&self) -> String {
        format!("{}-{}", self.start_line, self.end_line)
    }
}

impl CompileError {
    /// What to tell the caller.
    pub fn explain(&self) -> Explanation {
        let mut told = Explanation::new(self.refusal.reason(), self.refusal.message()).at_edit(self.index);
        told.hint = self.refusal.hint();
        if self.also_failed.is_empty() { told } else { told.with_hint("also_failed", self.also_failed.clone()) }
    }
}
