//! What a caller is told of an error: the facts of the layers, in sentences, with the next step.
//!
//! Owns every sentence that speaks to a model, a person or a harness of what went wrong, one file for each layer, and the
//! JSON of `data.hint`. Does not find anything out.
//! Invariants: a sentence uses the caller's own words ([`Words`]), and never points into JSON; each names what to do next.

mod excerpt;
mod explanation;
mod git;
mod git_record;
mod history;
mod patch;
mod policy;
mod request;
#[cfg(test)]
mod tests;
mod transaction;
mod worktree;

pub use explanation::Explanation;
pub use history::conflicts_json;
pub use patch::uncertain;
#[cfg(test)]
pub use {
    explanation::MOST,
    patch::explain as compile,
    request::{explain as request, json},
};

use crate::code::Reason;
use crate::dialect::Words;
use crate::error::Error;
use crate::path::PathError;
use bstr::ByteSlice;

/// What to tell the caller.
pub fn explain(error: &Error, words: &Words) -> Explanation {
    match error {
        Error::Dialect(error) => request::explain(error),
        Error::Path(error) => path(error),
        Error::Config(error) => policy::config(error),
        Error::Repo(error) => git::explain(error),
        Error::Finding(error) => policy::explain(error, words),
        Error::Compile { path, error, offset } => {
            let mut told = patch::explain(error, words).at_path(path.to_string_lossy());
            told.failed_index = told.failed_index.map(|index| index + offset);
            told
        }
        Error::Worktree(error) => worktree::explain(error, words),
        Error::Transaction(error) => transaction::explain(error, words),
        Error::History(error) => history::explain(error, words),
        Error::GitRecord(error) => git_record::explain(error, words),
        Error::CommitRefused(error) => policy::commit(error),
        Error::Bug(_) => {
            Explanation::of(Reason::Bug, error, "this is a bug of redraft, and nothing was written: report it, please")
        }
        Error::Io { .. } => {
            Explanation::of(error.reason(), error, "send the request again, and look at the disk if it fails again")
        }
    }
}

/// How the caller of a dry run has it written.
pub fn after_dry_run(words: &Words) -> String {
    format!("send it without {} to write it", words.dry_run.unwrap_or("--dry-run"))
}

/// How a caller sees all of a preview that was cut.
pub const TO_SEE_ALL: &str = "raise --diff-lines or --diff-bytes to see all of it";

/// What to tell of a path that is none.
fn path(error: &PathError) -> Explanation {
    let told = Explanation::of(error.reason(), error, path_next(error));
    match error.path() {
        Some(path) => told.at_path(path.to_str_lossy()),
        None => told,
    }
}

/// What to do about a path that is none.
fn path_next(error: &PathError) -> &'static str {
    match error {
        PathError::Empty => "give the path of a file, relative to the root of the working tree",
        PathError::Absolute(_) => "give it relative to the root of the working tree",
        PathError::Outside(_) => "give a path inside it, without `..`",
        PathError::Nul(_) => "leave it out",
        PathError::Directory(_) => "name a file, not a directory",
        PathError::GitInternals(..) => "use git itself to change them",
    }
}
