//! What other programs change in the working tree: how it was, what differs, and what of that no record has.
//!
//! Owns looking and comparing. Writes nothing: who records what was found is a use case.
//! Invariant: a change is told only where both its texts are known, byte for byte.

mod changes;
mod gaps;
mod open;
mod snapshot;
mod tree;

pub use changes::{Change, Unrecorded, changes, changes_at};
pub use gaps::{SinceSnapshot, gaps};
pub use open::{Look, Open, open_looks};
pub use snapshot::Snapshot;
