//! What a caller is told of a change that was made, of an error, and of what is to be known beside success: the facts of the
//! layers, in sentences, with the next step.
//!
//! Owns every sentence that speaks to a model, a person or a harness of what was done or went wrong: one file for each layer's
//! errors, one for warnings, one for summaries, and the JSON of `data.hint`. Does not find anything out.
//! Invariants: a sentence uses the caller's own words ([`Words`]), and never points into JSON; each names what to do next.

mod excerpt;
mod explanation;
mod git;
mod git_record;
mod history;
mod hunk;
mod near_texts;
mod patch;
mod path;
mod policy;
mod request;
mod summary;
#[cfg(test)]
mod tests;
mod transaction;
mod warning;
mod worktree;

pub use explanation::{Explanation, Named};
pub use history::conflicts_json;
pub use summary::{FileBack, UndoSummary, edited, replayed, restored, undone};
pub use warning::{left_alone, warning};
#[cfg(test)]
pub use {
    explanation::MOST,
    patch::explain as compile,
    request::{explain as request, json},
};

use crate::code::Reason;
use crate::dialect::{NOTHING_WRITTEN, Words};
use crate::error::Error;

/// What to tell the caller.
pub fn explain(error: &Error, words: &Words) -> Explanation {
    match error {
        Error::Dialect(error) => request::explain(error),
        Error::Path(error) => path::explain(error),
        Error::Near { error, near } => path::near(explain(error, words), error, near, words),
        Error::Config(error) => policy::config(error),
        Error::Repo(error) => git::explain(error),
        Error::Finding(error) => policy::explain(error, words),
        Error::Compile { path, error } => patch::explain(error, &path.to_string_lossy(), words),
        Error::Worktree(error) => worktree::explain(error, words),
        Error::Transaction(error) => transaction::explain(error, words),
        Error::History(error) => history::explain(error, words),
        Error::GitRecord(error) => git_record::explain(error, words),
        Error::CommitRefused(error) => policy::commit(error),
        Error::NoSuchLines(error) => Explanation::of(Reason::NoMatch, error, "give lines that the file has"),
        Error::Bug(_) => {
            Explanation::of(Reason::Bug, error, "this is a bug of redraft, and nothing was written: report it, please")
        }
        Error::Io { .. } => {
            Explanation::of(error.reason(), error, "send the request again, and look at the disk if it fails again")
        }
    }
}

/// All that is said of an error: the message, that nothing was written where it does not say so itself, and what was found.
pub fn error_text(message: &str, reason: Reason, more: &str) -> String {
    let says_so =
        [NOTHING_WRITTEN, "nothing is changed", "nothing was changed"].iter().any(|said| message.contains(said));
    let nothing = (!says_so && reason != Reason::RecoveryNeeded).then_some(NOTHING_WRITTEN);
    let lines = [Some(message), nothing, Some(more).filter(|more| !more.is_empty())];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// How the caller of a dry run has it written.
pub fn after_dry_run(words: &Words) -> String {
    format!("send it without {} to write it", words.dry_run.unwrap_or("--dry-run"))
}

/// How a caller sees all of a preview that was cut.
pub const TO_SEE_ALL: &str = "raise --diff-lines or --diff-bytes to see all of it";
