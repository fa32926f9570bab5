//! Dialects that are JSON, one file each, and what they share.
//!
//! Owns reading JSON into fields, and taking texts out of it. Text formats stand in `dialect/text/`.

pub(super) mod claude_code;
pub(super) mod claude_code_open;
pub(super) mod document;
mod fault;
mod fields;
pub(super) mod format;
pub(super) mod gemini;
pub(super) mod lines;
pub(super) mod opencode;
#[cfg(feature = "mcp")]
pub(super) mod short;
mod slip;
pub(super) mod standard;
pub(super) mod text_editor;
pub(super) mod unknown;
pub(super) mod wrapped;

pub use document::{Json, JsonError, Limits};
pub(crate) use fault::At;
pub use fault::{Cause, Fault, Meant, UnknownField};
pub(crate) use fields::{Checked, absolute_or_relative_bytes};
pub use slip::Slip;
pub(crate) use unknown::Shape;
