//! Tests against real repositories and the real binary: one integration binary, one file per subject.

mod history;
mod repo;
mod support;
mod undo;
