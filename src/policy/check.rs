//! A file against what the configuration allows and what the caller expects.
//!
//! Owns the refusals that come between matching and writing. Does not write, and does not look for places.

use crate::change::PathState;
use crate::code::{Explanation, Reason};
use crate::git::Repo;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::policy::Receipt;
use crate::policy::Settings;
use crate::request::Expectation;
use serde_json::json;

/// One failed check.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Finding {
    /// `redraft.deny` names the path, or `redraft.allow` does not.
    #[error("{path} may not be edited here: {rule}; leave it, or ask the owner of this repository")]
    Policy {
        /// Of the file.
        path: String,
        /// The key, and the pattern of it.
        rule: String,
        /// The pattern alone, where there is one.
        pattern: Option<String>,
    },
    /// The request asks for less than the configuration demands.
    #[error("the request is laxer than git config {key} = {value}; leave the field out, or send something stricter")]
    Laxer {
        /// Of the configuration.
        key: &'static str,
        /// Of the configuration.
        value: String,
    },
    /// A yes was needed on the terminal, and did not come.
    #[error("Edit cancelled by user: {0}; nothing was written; ask before sending it again")]
    Declined(String),
    /// The file is not as the caller believes.
    #[error("{path} changed since it was read ({what}); read it again, then send the edit again")]
    ChangedSinceRead {
        /// Of the file.
        path: String,
        /// What differs.
        what: String,
        /// As it is now.
        mtime_ms: i64,
        /// As it is now.
        size_bytes: u64,
        /// As it is now.
        blob: BlobId,
        /// Whether the same edits would fit it.
        still_applies: bool,
    },
    /// This session has not read the file.
    #[error(
        "{0} was not read in this session; read it first (`redraft read {0} --session ...`), then send the edit again"
    )]
    NotRead(String),
    /// A read is required, and there is no session to have read anything.
    #[error(
        "{0} must be read before it is edited, and this request names no session; read it with `redraft read {0} --session NAME`, then send the edit with the same --session NAME (or agent.session)"
    )]
    NoSession(String),
    /// The file differs from HEAD.
    #[error("{path} differs from HEAD ({state}); commit or stash that first, or send the edit without require_clean")]
    NotClean {
        /// Of the file.
        path: String,
        /// `modified`, `added`, `untracked`, `ignored`, `deleted`.
        state: &'static str,
    },
    /// HEAD is another commit.
    #[error("HEAD is {found}, not {wanted}; look at what changed, then send the edit again")]
    HeadMoved {
        /// As the request says.
        wanted: String,
        /// As it is.
        found: String,
    },
    /// Two paths of the request are one file.
    #[error("{0} and {1} are the same file; put all edits of a file together")]
    SameFile(String, String),
    /// One file of the request is to be a directory of another.
    #[error("{0} cannot be made, because the same request makes a file of {1}; give one of them another path")]
    BelowFile(String, String),
    /// `--root` is no directory.
    #[error("--root {0:?} cannot be used: {1}; name a directory inside the working tree")]
    BadRoot(String, String),
    /// A line or content that would make the file binary.
    #[error("{0} would be binary: the new text holds a NUL byte; leave it out")]
    NewTextHasNul(String),
    /// The file is binary.
    #[error(
        "cannot edit binary file: {path} (a NUL byte stands at offset {offset}); redraft edits text only; use another tool for it"
    )]
    Binary {
        /// Of the file.
        path: String,
        /// In bytes.
        offset: usize,
    },
    /// The edits leave the file as it is.
    #[error("the edits leave {0} exactly as it is, so there is nothing to change; send the text that it should become")]
    SameText(String),
    /// The id was used for another request.
    #[error("request_id {0:?} was used for another request; take a new one")]
    RequestIdReused(String),
    /// The path lies outside `--root`.
    #[error("{0} lies outside the root {1}; give a path inside it")]
    OutsideRoot(String, String),
}

impl Finding {
    /// What to tell the caller.
    pub fn explain(&self) -> Explanation {
        let told = |reason| Explanation::new(reason, self.to_string());
        match self {
            Self::Policy { path, pattern, .. } => {
                told(Reason::Policy).at_path(path).with_hint("pattern", json!(pattern))
            }
            Self::Laxer { key, value } => {
                told(Reason::Policy).with_hint("key", *key).with_hint("value", value.as_str())
            }
            Self::Declined(path) => told(Reason::Declined).at_path(path),
            Self::ChangedSinceRead { path, mtime_ms, size_bytes, blob, still_applies, .. } => {
                let current = json!({"mtime_ms": mtime_ms, "size_bytes": size_bytes, "blob": blob});
                told(Reason::ChangedSinceRead)
                    .at_path(path)
                    .with_hint("current", current)
                    .with_hint("still_applies", *still_applies)
            }
            Self::NotRead(path) | Self::NoSession(path) => told(Reason::NotRead).at_path(path),
            Self::NotClean { path, state } => told(Reason::NotClean).at_path(path).with_hint("state", *state),
            Self::HeadMoved { found, .. } => told(Reason::HeadMoved).with_hint("head", found.as_str()),
            Self::BelowFile(path, _) => told(Reason::BadPath).at_path(path),
            Self::BadRoot(..) => told(Reason::BadPath),
            Self::SameFile(_, path) => told(Reason::SameFileTwice).at_path(path),
            Self::NewTextHasNul(path) | Self::Binary { path, .. } => told(Reason::NulByte).at_path(path),
            Self::SameText(path) => told(Reason::SameText).at_path(path),
            Self::RequestIdReused(_) => told(Reason::RequestIdReused),
            Self::OutsideRoot(path, _) => told(Reason::OutsideRoot).at_path(path),
        }
    }
}

/// What is known of a file at the time of the check.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Of the file.
    pub path: &'a RepoPath,
    /// Of the raw bytes.
    pub blob: BlobId,
    /// Milliseconds since 1970-01-01 UTC.
    pub mtime_ms: i64,
    /// In bytes.
    pub size_bytes: u64,
}

/// Whether the configuration lets a path be edited.
///
/// # Errors
/// [`Finding::Policy`], which names the pattern.
pub fn policy(settings: &Settings, path: &RepoPath) -> Result<(), Finding> {
    if let Some(pattern) = settings.deny.matching(path) {
        let pattern = pattern.to_string();
        let rule = format!("git config redraft.deny has {pattern:?}");
        return Err(Finding::Policy { path: path.to_string_lossy(), rule, pattern: Some(pattern) });
    }
    if !settings.allow.is_empty() && settings.allow.matching(path).is_none() {
        let rule = "git config redraft.allow has no pattern for it".to_owned();
        return Err(Finding::Policy { path: path.to_string_lossy(), rule, pattern: None });
    }
    Ok(())
}

/// Whether a file is as the caller believes. Whether the edits still fit is left to be said by who knows.
///
/// # Errors
/// [`Finding::ChangedSinceRead`].
pub fn expectation(expected: &Expectation, known: &Known<'_>) -> Result<(), Finding> {
    let mut what = Vec::new();
    if expected.mtime_ms.is_some_and(|mtime| mtime != known.mtime_ms) {
        what.push("its modification time is another");
    }
    if expected.size_bytes.is_some_and(|size| size != known.size_bytes) {
        what.push("its size is another");
    }
    if expected.blob.as_ref().is_some_and(|blob| !blob.eq_ignore_ascii_case(&known.blob.to_string())) {
        what.push("its content is another");
    }
    if what.is_empty() { Ok(()) } else { Err(changed(known, what.join(", "))) }
}

/// Whether a file is as its session's receipt says.
///
/// # Errors
/// [`Finding::NotRead`] without a receipt, [`Finding::ChangedSinceRead`] with one of other bytes.
pub fn receipt(receipt: Option<&Receipt>, known: &Known<'_>) -> Result<(), Finding> {
    match receipt {
        None => Err(Finding::NotRead(known.path.to_string_lossy())),
        Some(receipt) if receipt.blob == known.blob => Ok(()),
        Some(_) => Err(changed(known, "its content is not what this session read".to_owned())),
    }
}

fn changed(known: &Known<'_>, what: String) -> Finding {
    Finding::ChangedSinceRead {
        path: known.path.to_string_lossy(),
        what,
        mtime_ms: known.mtime_ms,
        size_bytes: known.size_bytes,
        blob: known.blob,
        still_applies: false,
    }
}

/// Whether a path is the same as in HEAD. A path that HEAD lacks must not exist.
///
/// # Errors
/// [`Finding::NotClean`].
pub fn clean(path: &RepoPath, state: Option<PathState>) -> Result<(), Finding> {
    let state = match state {
        None | Some(PathState::Clean) => return Ok(()),
        Some(PathState::Modified) => "modified",
        Some(PathState::Added) => "added",
        Some(PathState::Untracked) => "untracked",
        Some(PathState::Ignored) => "ignored",
    };
    Err(Finding::NotClean { path: path.to_string_lossy(), state })
}

/// Whether HEAD is the commit that the request names.
///
/// # Errors
/// [`Finding::HeadMoved`]; an error of the repository counts as another HEAD.
pub fn head(repo: &Repo, wanted: &str) -> Result<(), Finding> {
    let found = repo.head_id().ok().flatten();
    match found {
        Some(found) if found.eq_ignore_ascii_case(wanted) => Ok(()),
        found => {
            Err(Finding::HeadMoved { wanted: wanted.to_owned(), found: found.unwrap_or_else(|| "unborn".to_owned()) })
        }
    }
}
