//! What is told of a path that is none.
//!
//! Owns these sentences.

use super::{Explanation, excerpt};
use crate::dialect::Words;
use crate::error::{Error, NearPaths};
use crate::path::PathError;
use bstr::ByteSlice;

/// So many bytes of paths stand in a message; more stand below it.
const SHORT: usize = 130;

/// So many bytes of the path that was sent stand above them.
const FACT: usize = 120;

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
    let next = told.next.strip_prefix("check the path").map_or(&told.next[..], |rest| rest.trim_start_matches(", or "));
    let or = if next.is_empty() { String::new() } else { format!(", or {next}") };
    let quoted: Vec<String> = near.names.iter().map(|name| format!("`{name}`")).collect();
    let listed = quoted.join(", ");
    let first = match (&near.in_head, near.names.len()) {
        (Some(path), 0) => {
            let anew = words.overwrite.map_or(String::new(), |how| format!(", or send {how} to write it anew"));
            let path = if path.len() <= SHORT { path } else { "PATH" };
            format!(
                "HEAD has `{path}`, but it is not in the working tree (it was deleted, or is outside of a sparse \
                 checkout): run `git checkout HEAD -- {path}` to bring it back{anew}"
            )
        }
        (_, 1) if listed.len() <= SHORT => format!("did you mean {listed}? give that path{or}"),
        (_, 1) => format!("did you mean the path below? give that{or}"),
        _ if listed.len() <= SHORT => format!("did you mean one of {listed}? give the one that is meant{or}"),
        _ => format!("did you mean one of the paths below? give the one that is meant{or}"),
    };
    let is_short = listed.len().max(near.in_head.as_ref().map_or(0, String::len)) <= SHORT;
    let fact = if is_short { error.to_string() } else { excerpt::ends(&error.to_string(), FACT) };
    let mut out = Explanation::of(told.reason, fact, first);
    let shown = near.in_head.iter().filter(|_| near.names.is_empty()).chain(&near.names);
    let below = if is_short { told.more } else { paths(shown, out.room()) };
    out.hint = told.hint;
    out.hint.insert("near_paths".to_owned(), near.names.clone().into());
    if let Some(path) = &near.in_head {
        out.hint.insert("in_head".to_owned(), path.as_str().into());
    }
    Explanation { failed_index: told.failed_index, failed_path: told.failed_path, ..out }.with_more(&below)
}

/// Asks whether one of these paths, as its caller writes them, was meant.
pub(super) fn meant(near: &[String]) -> String {
    format!("did you mean {}?", near.join(" or "))
}

/// Paths, a line each: those that there is room for in full.
fn paths<'a>(all: impl Iterator<Item = &'a String>, room: usize) -> String {
    const LONGER: usize = 80;
    let (mut out, mut left, mut longer) = (Vec::new(), room, 0);
    let all: Vec<String> = all.map(|path| format!("`{path}`")).collect();
    for (at, path) in all.iter().enumerate() {
        let behind = if at + 1 < all.len() || longer > 0 { LONGER } else { 0 };
        let size = excerpt::json_len(path) + 2;
        if size + behind <= left {
            left -= size;
            out.push(path.clone());
        } else {
            longer += 1;
        }
    }
    if longer > 0 {
        out.push(format!("{longer} more, too long to be shown here: `git ls-files` lists them"));
    }
    out.join("\n")
}

/// What to do about a path that is none.
pub fn next(error: &PathError) -> &'static str {
    match error {
        PathError::Empty => "give the path of a file, relative to the root of the working tree",
        PathError::Root => "name the files or directories in it that are meant",
        PathError::Absolute(_) => {
            "give the path of a file inside the working tree; in requests it is relative to the root"
        }
        PathError::Outside(_) => "give the path of a file below the root, without `..`",
        PathError::Nul(_) => "leave it out",
        PathError::TooLong { .. } => "give a shorter one",
        PathError::Directory(_) => "name a file, not a directory",
        PathError::GitInternals(..) => "use git itself to change them",
    }
}
