//! What a process that serves many calls keeps between them.
//!
//! Owns a thread for each working tree, and the working tree that is kept open there. Invariant: a call sees the disk as it is, as
//! a process of its own would.

mod trees;
mod warm;

pub use trees::Trees;
pub use warm::Warm;
