//! Formats that are no JSON, one file each, and what they share.
//!
//! Owns lines with their numbers, and what is told of one that should not be there. Knows no JSON: what stands in a JSON
//! wrapper is taken out of it before (`dialect/wrapped.rs`).

pub(super) mod apply_patch;
pub(super) mod hashline;
mod lines;
pub(super) mod script;
pub(super) mod search_replace;
pub(super) mod sections;
pub(super) mod unified_diff;

use crate::dialect::json::Checked;
use crate::request::Request;

/// A format that is no JSON.
pub(crate) struct TextFormat {
    /// Whether a text looks like one of this format.
    pub(crate) fits: fn(&[u8]) -> bool,
    /// Reads it; the path is that of the file, where the wrapper names one.
    pub(crate) parse: fn(&[u8], Option<&str>) -> Checked<Request>,
    /// The keys under which JSON wrappers have it.
    pub(crate) keys: &'static [&'static str],
}
