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
mod locate;
mod nearest;
mod original;
mod others;
mod outcome;
mod part;
mod placeholder;
mod plan;
pub mod refusal;
mod rewrite;
mod sequence;
#[cfg(test)]
mod tests;

pub use outcome::{CompileOptions, Compiled, EditOutcome};
pub use placeholder::placeholder;

use crate::code::Reason;
use crate::request::{Edit, Mode};
use crate::text::Text;
use refusal::{CompileError, Order};

/// Locates every edit and gives the patch against `text`. No edits are a patch that changes nothing.
///
/// # Errors
/// [`CompileError`], which names the first edit that failed.
pub fn compile(text: &Text, edits: &[Edit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    match options.mode {
        Mode::Original => original::compile(text, edits, options)
            .map_err(|error| CompileError { order: order(text, edits, options, &error), ..error }),
        Mode::Sequence => sequence::compile(text, edits, options),
    }
}

/// Whether an edit that has no place would have one after those before it. Asked of few edits of a file that is not large.
fn order(text: &Text, edits: &[Edit], options: &CompileOptions, error: &CompileError) -> Order {
    const MOST_EDITS: usize = 200;
    const MOST_BYTES: usize = 4 << 20;
    let is_asked = error.reason() == Reason::NoMatch
        && (1..=MOST_EDITS).contains(&error.index)
        && text.bytes().len() <= MOST_BYTES;
    let options = CompileOptions { refuse_nested: false, ..*options };
    let in_sequence = || sequence::compile(text, &edits[..=error.index], &options).is_ok();
    if is_asked && in_sequence() { Order::AfterEarlier } else { Order::Unrelated }
}
