//! Tests against real repositories and the real binary: one integration binary, one file per subject.

mod repo;
mod support;
mod undo;
