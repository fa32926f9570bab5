//! Properties of patches, against the naive way to do the same and against git.

mod algebra;
mod compile;
mod diff_git;
