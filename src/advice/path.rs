//! What is told of a path that is none.
//!
//! Owns these sentences.

use super::Explanation;
use crate::dialect::Words;
use crate::error::{Error, NearPaths};
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

/// The same, with the paths that may be meant before every other advice.
pub(super) fn near(told: Explanation, error: &Error, near: &NearPaths, words: &Words) -> Explanation {
    let fact = error.to_string();
    let next = told.message.strip_prefix(&format!("{fact}; ")).unwrap_or_default();
    let next = next.strip_prefix("check the path").map_or(next, |rest| rest.trim_start_matches(", or "));
    let or = if next.is_empty() { String::new() } else { format!(", or {next}") };
    let quoted: Vec<String> = near.names.iter().map(|name| format!("`{name}`")).collect();
    let first = match (&near.in_head, &quoted[..]) {
        (Some(path), []) => {
            let anew = words.overwrite.map_or(String::new(), |how| format!(", or send {how} to write it anew"));
            format!(
                "HEAD has `{path}`, but it is not in the working tree (it was deleted, or is outside of a sparse \
                 checkout): run `git checkout HEAD -- {path}` to bring it back{anew}"
            )
        }
        (_, [one]) => format!("did you mean {one}? give that path{or}"),
        (_, several) => format!("did you mean one of {}? give the one that is meant{or}", several.join(", ")),
    };
    let mut out = Explanation::of(told.reason, fact, first);
    out.hint = told.hint;
    out.hint.insert("near_paths".to_owned(), near.names.clone().into());
    if let Some(path) = &near.in_head {
        out.hint.insert("in_head".to_owned(), path.as_str().into());
    }
    Explanation { failed_index: told.failed_index, failed_path: told.failed_path, ..out }.with_more(&told.more)
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
