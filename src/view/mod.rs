//! Pictures of the history for people.
//!
//! Owns how they look. Takes what use cases gathered, gives text, or draws in a frame; reads nothing and prints nothing.

pub mod report;
#[cfg(feature = "review")]
pub mod review;
