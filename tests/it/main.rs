//! Tests against real repositories and the real binary: one integration binary, one file per subject.

mod commit;
mod index;
mod repo;
mod stash;
mod support;
mod undo;
