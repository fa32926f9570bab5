//! The answer as it goes out: the standard envelope.
//!
//! Owns the wire types. Does not decide anything, and has no sentences: those are `advice/`'s.

mod brief;
mod envelope;

pub use envelope::*;
