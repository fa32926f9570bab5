//! The answer as it goes out: the standard envelope.
//!
//! Owns the wire types. Does not decide anything, and has no sentences: those are `advice/`'s.

mod brief;
mod envelope;
mod schema;

pub use envelope::*;
pub use schema::answer_schema;
