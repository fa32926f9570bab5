//! Dialects that are JSON, one file each, and what they share.
//!
//! Owns reading JSON into fields. Does not know text formats.

pub(super) mod claude_code;
pub(super) mod claude_code_open;
pub(super) mod document;
mod fault;
mod fields;
pub(super) mod format;
pub(super) mod opencode;
#[cfg(any(feature = "mcp", test))]
pub(super) mod short;
mod slip;
pub(super) mod standard;
pub(super) mod unknown;

pub use document::{Json, JsonError, Limits};
pub use fault::{Cause, Fault, Meant, UnknownField};
pub use slip::Slip;
