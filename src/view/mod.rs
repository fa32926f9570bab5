//! Pictures of the history for people.
//!
//! Owns how they look. Takes what use cases gathered, gives text; reads nothing and prints nothing.

pub mod report;
