//! What is asked of compiling, and what it comes to.

use crate::matcher::left_out::Notation;
use crate::patch::FilePatch;
use crate::patch::merge::Uncertain;
use crate::request::Mode;
use crate::strategy::{Level, Strategy};
use std::ops::Range;

/// How edits are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompileOptions {
    /// How edits see each other.
    pub mode: Mode,
    /// How loosely old texts are matched.
    pub level: Level,
    /// Refuse edits whose new text contains another edit's old text, either way.
    pub refuse_nested: bool,
    /// How the file writes code that is left out.
    pub notation: Notation,
    /// The first and last of the lines that the session was shown last, 1-based: of several places, the one there is told
    /// first. It decides none.
    pub shown: Option<(usize, usize)>,
    /// Whether a line of an old text, which the file lacks, stood there before: what was meant may be gone, and a place that
    /// reads otherwise in that line is another one.
    pub may_be_gone: bool,
    /// Refuse edits whose result would be larger; asked before its memory is taken.
    pub most_bytes: u64,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            level: Level::default(),
            refuse_nested: false,
            notation: Notation::default(),
            shown: None,
            may_be_gone: false,
            most_bytes: u64::MAX,
        }
    }
}

/// What the edits of one file come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compiled {
    /// Against the text that was given.
    pub patch: FilePatch,
    /// One per edit, in the order of the request.
    pub edits: Vec<EditOutcome>,
    /// The edits whose place is not certain, by index.
    pub uncertain: Vec<(usize, Uncertain)>,
}

/// What one edit does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditOutcome {
    /// 0-based, within its file.
    pub index: usize,
    /// How its place was found.
    pub strategy: Strategy,
    /// In bytes of the base: from the start of its first place to the end of its last.
    pub range: Range<usize>,
    /// How often it replaces.
    pub replacements: usize,
}
