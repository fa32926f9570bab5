//! What is told of a path that is none.
//!
//! Owns these sentences.

use super::Explanation;
use crate::path::PathError;
use bstr::ByteSlice;

/// What to tell of a path that is none.
pub fn explain(error: &PathError) -> Explanation {
    let told = Explanation::of(error.reason(), error, next(error));
    match error.path() {
        Some(path) => told.at_path(path.to_str_lossy()),
        None => told,
    }
}

/// What to do about a path that is none.
pub fn next(error: &PathError) -> &'static str {
    match error {
        PathError::Empty => "give the path of a file, relative to the root of the working tree",
        PathError::Absolute(_) => "give it relative to the root of the working tree",
        PathError::Outside(_) => "give a path inside it, without `..`",
        PathError::Nul(_) => "leave it out",
        PathError::Directory(_) => "name a file, not a directory",
        PathError::GitInternals(..) => "use git itself to change them",
    }
}
