//! Formats that are no JSON, one file each, and what they share.
//!
//! Owns lines with their numbers, and what is told of one that should not be there. Knows no JSON: what stands in a JSON
//! wrapper is taken out of it before (`dialect/json/wrapped.rs`).

pub(super) mod apply_patch;
pub(super) mod hashline;
mod lines;
pub(super) mod script;
pub(super) mod search_replace;
pub(super) mod sections;
pub(super) mod unified_diff;
