//! The compiled request: splices of one text, and what can be computed with them.
//!
//! Owns [`Splice`], [`FilePatch`], how edits become them, their algebra and their diff. Does not find places (that is
//! `matcher/`) and touches no disk.
//! Invariant of [`FilePatch`]: its splices are sorted, disjoint (they may touch), within the base, no two of them are
//! insertions at one point, and each has an origin. Only this module makes one.

pub mod algebra;
pub mod align;
pub mod compile;
pub mod diff;
mod encoded;
pub mod merge;
mod some_of;
mod splice;
pub mod take_back;
#[cfg(test)]
mod tests;
mod trim;

pub use compile::placeholder;
pub use compile::refusal::{CompileError, EditLines, EditRefusal, Order, Part};
pub use compile::{CompileOptions, EditOutcome, UnplacedHunk, compile};
pub use diff::{DiffFile, DiffLimits, Hunks, NotThisDiff, Preview, by_hand, hunk_sides, preview, to_edit};
pub use encoded::{Lacking, Readable, encoded, without_mark};
pub use some_of::some_of;
pub use splice::{FilePatch, Origin, Replacement, Splice, SpliceError};
pub use trim::trim;
