//! Edits to a patch: every edit is located, and becomes splices of the text that was given.
//!
//! Owns both modes (`original.rs`, `sequence.rs`). Does not know how places are found (`locate.rs` asks `matcher/` and
//! [`crate::patch::merge`]) nor which bytes an exact match writes (`rewrite.rs`).
//! Invariant: whatever the mode, the patch is against the text that was given.

mod ambiguity;
mod applied;
mod at_once;
mod clash;
mod fragment;
mod hunks;
mod locate;
mod nearest;
mod order;
mod original;
mod others;
mod outcome;
mod part;
mod placeholder;
mod plan;
pub mod refusal;
mod rewrite;
mod sequence;
mod unplaced_hunk;
#[cfg(test)]
mod tests;

pub use outcome::{CompileOptions, Compiled, EditOutcome};
pub use placeholder::placeholder;
pub use unplaced_hunk::UnplacedHunk;

use crate::request::{Edit, Mode};
use crate::text::Text;
use refusal::CompileError;

/// Locates every edit and gives the patch against `text`. No edits are a patch that changes nothing.
///
/// # Errors
/// [`CompileError`], which names the first edit that failed.
pub fn compile(text: &Text, edits: &[Edit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    match options.mode {
        // What order hunks need they say themselves.
        Mode::Original if edits.iter().any(|edit| edit.anchor().is_some()) => original::compile(text, edits, options),
        Mode::Original => original::compile(text, edits, options)
            .map_err(|error| CompileError { order: order::of_original(text, edits, options, &error), ..error }),
        Mode::Sequence => sequence::compile(text, edits, options)
            .map_err(|error| CompileError { order: order::of_sequence(text, edits, options, &error), ..error }),
    }
}
