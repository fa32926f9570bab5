//! The compiled request: splices of one text, and what can be computed with them.
//!
//! Owns [`Splice`], [`FilePatch`], how edits become them, their algebra and their diff. Does not find places (that is
//! `matcher/`) and touches no disk.
//! Invariant of [`FilePatch`]: its splices are sorted, disjoint (they may touch), within the base, no two of them are
//! insertions at one point, and each has an origin. Only this module makes one.

pub mod algebra;
pub mod align;
mod ambiguity;
pub mod carry;
mod certain;
pub mod compile;
pub mod diff;
pub mod merge;
mod placeholder;
pub mod refine;
mod refusal;
mod rewrite;
mod splice;
pub mod take_back;

pub use compile::{CompileOptions, Compiled, EditOutcome, compile};
pub use diff::{DiffFile, DiffLimits, Preview, preview};
pub use placeholder::omission;
pub use refusal::{CompileError, EditLines, EditRefusal, PlaceHint};
pub use splice::{FilePatch, Origin, Splice, SpliceError};
