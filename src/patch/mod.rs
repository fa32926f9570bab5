//! The compiled request: splices of one text, and what can be computed with them.
//!
//! Owns [`Splice`], [`FilePatch`] and their algebra. Does not find places (that is `matcher/`) and touches no disk.
//! Invariant of [`FilePatch`]: its splices are sorted, disjoint (they may touch), within the base, no two of them are
//! insertions at one point, and each has an origin. Only this module makes one.

pub mod merge;
mod splice;

pub use splice::{FilePatch, Origin, Splice, SpliceError};
