//! Tests against real repositories and the real binary: one integration binary, one file per subject.

mod bad_input;
mod diff_git;
mod history;
mod hostile;
mod protocol;
mod read;
mod repo;
mod scenarios;
mod support;
mod transaction;
mod undo;
