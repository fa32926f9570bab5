//! Why what an undo would change may be a later record's doing.
//!
//! Owns the kinds of that doubt. `done_by_others.rs` finds them.

use crate::id::RecordId;

/// Why it may be another record's doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Doubt {
    /// This record put what would go.
    PutBy(RecordId),
    /// This record took what would come back.
    TakenBy(RecordId),
    /// The text that this record met, or left, is not kept.
    NotKept(RecordId),
    /// Too many records did some of the same.
    TooMany,
}
