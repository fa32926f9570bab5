//! A file against what the configuration allows and what the caller expects.
//!
//! Owns the refusals that come between matching and writing. Does not write, and does not look for places.

use crate::change::PathState;
use crate::code::Reason;
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use crate::policy::Receipt;
use crate::policy::Settings;
use crate::request::Expectation;
use crate::text::{named, tag, to_lf};
use bstr::ByteSlice;

/// One failed check.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Finding {
    /// `redraft.deny` names the path, or `redraft.allow` does not.
    #[error("{path} may not be edited here: {rule}")]
    Policy {
        /// Of the file.
        path: String,
        /// The key, and the pattern of it.
        rule: String,
        /// The pattern alone, where there is one.
        pattern: Option<String>,
    },
    /// The request asks for less than the configuration demands.
    #[error("the request is laxer than git config {key} = {value}")]
    Laxer {
        /// Of the configuration.
        key: &'static str,
        /// Of the configuration.
        value: String,
    },
    /// A yes was needed on the terminal, and a no came.
    #[error("Edit cancelled by user: {0}")]
    Declined(String),
    /// A yes is needed, and there is no terminal to ask on. It begins as a no does, which harnesses know.
    #[error("Edit cancelled by user: {path} needs a yes on the terminal{}, and there is no terminal to ask on", rule.map_or(String::new(), |key| format!(" (git config {key})")))]
    NobodyToAsk {
        /// Of the file.
        path: String,
        /// The key of the configuration that wants it; none where the call does.
        rule: Option<&'static str>,
    },
    /// A program of the caller's is to run, which a server that others share does not do.
    #[error("{0} runs programs, which a server does not")]
    NotServed(&'static str),
    /// The file is not as the caller believes.
    #[error("{path} changed since it was read ({what})")]
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
        /// What is known of the edits.
        edits: EditsNow,
    },
    /// This session has not read the file.
    #[error("{0} was not read in this session")]
    NotRead(String),
    /// A read is required, and there is no session to have read anything.
    #[error("{0} must be read before it is edited, and this request names no session")]
    NoSession(String),
    /// The file differs from HEAD.
    #[error("{path} differs from HEAD ({state})")]
    NotClean {
        /// Of the file.
        path: String,
        /// `modified`, `added`, `untracked`, `ignored`, `deleted`.
        state: &'static str,
    },
    /// HEAD is another commit.
    #[error("HEAD is {}, not {wanted}", head_text(*found))]
    HeadMoved {
        /// As the request says.
        wanted: CommitId,
        /// As it is; none where it is unborn.
        found: Option<CommitId>,
    },
    /// Two paths of the request are one file.
    #[error("{0} and {1} are the same file")]
    SameFile(String, String),
    /// One file of the request is to be a directory of another.
    #[error("{0} cannot be made, because the same request makes a file of {1}")]
    BelowFile(String, String),
    /// The smaller root that was asked for is no directory.
    #[error("the root {0:?} cannot be used: {1}")]
    BadRoot(String, String),
    /// A line or content that would make the file binary.
    #[error("{0} would be binary: the new text holds a NUL byte")]
    NewTextHasNul(String),
    /// The file is binary.
    #[error("cannot edit binary file: {path} (a NUL byte stands at offset {offset})")]
    Binary {
        /// Of the file.
        path: String,
        /// In bytes.
        offset: usize,
    },
    /// What a new file is to hold cannot be written in its encoding.
    #[error("{path} is {encoding}, which has no {}", named(*character))]
    NotInEncoding {
        /// Of the file.
        path: String,
        /// The first that it lacks.
        character: char,
        /// By its name.
        encoding: &'static str,
    },
    /// Git's attributes name an encoding that is not known here.
    #[error("git's attributes say that {path} has working-tree-encoding {name:?}, which redraft does not know")]
    UnknownEncoding {
        /// Of the file.
        path: String,
        /// As it is written.
        name: String,
    },
    /// The file is said to be in UTF-16, and its bytes are not of it.
    #[error("{path} is {encoding} by its byte order mark or by name, and its bytes are not all of that")]
    NotOfEncoding {
        /// Of the file.
        path: String,
        /// By its name.
        encoding: &'static str,
    },
    /// The file is in an encoding that shifts, where a byte is another letter by what stands before it.
    #[error(
        "{path} {by} {encoding}, where the same bytes are other letters in other places, and redraft does not edit such files"
    )]
    Shifting {
        /// Of the file.
        path: String,
        /// By its name.
        encoding: &'static str,
        /// What tells it.
        by: ToldBy,
    },
    /// The edits leave the file as it is.
    #[error("the edits leave {0} exactly as it is, so there is nothing to change")]
    SameText(String),
    /// The id was used for another request.
    #[error("the id {0:?} was used for another request")]
    RequestIdReused(String),
    /// The path lies outside the root that was asked for.
    #[error("{0} lies outside the root {1}")]
    OutsideRoot(String, String),
    /// A file that is to be created is in HEAD, and not in the working tree.
    #[error("HEAD has {0}, which is not in the working tree: it was deleted, or is outside of a sparse checkout")]
    ExistsInHead(String),
}

/// What tells the encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldBy {
    /// Somebody has named it.
    Name,
    /// Its bytes.
    Bytes,
}

impl std::fmt::Display for ToldBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Name => "is said to be",
            Self::Bytes => "has the escape sequences of",
        })
    }
}

impl Finding {
    /// The same; where it says that a file changed whose lines are named by number, with those that are there now.
    #[must_use]
    pub fn with_lines(mut self, lines: FreshLines) -> Self {
        if let Self::ChangedSinceRead { edits, .. } = &mut self {
            *edits = EditsNow::ByNumber(Box::new(lines));
        }
        self
    }

    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Policy { .. } | Self::Laxer { .. } => Reason::Policy,
            Self::Declined(_) | Self::NobodyToAsk { .. } => Reason::Declined,
            Self::NotServed(_) => Reason::NotServed,
            Self::ChangedSinceRead { .. } => Reason::ChangedSinceRead,
            Self::NotRead(_) | Self::NoSession(_) => Reason::NotRead,
            Self::NotClean { .. } => Reason::NotClean,
            Self::HeadMoved { .. } => Reason::HeadMoved,
            Self::BelowFile(..) | Self::BadRoot(..) => Reason::BadPath,
            Self::SameFile(..) => Reason::SameFileTwice,
            Self::NewTextHasNul(_) | Self::Binary { .. } => Reason::NulByte,
            Self::NotInEncoding { .. }
            | Self::UnknownEncoding { .. }
            | Self::NotOfEncoding { .. }
            | Self::Shifting { .. } => Reason::UnsupportedEncoding,
            Self::SameText(_) => Reason::SameText,
            Self::RequestIdReused(_) => Reason::RequestIdReused,
            Self::OutsideRoot(..) => Reason::OutsideRoot,
            Self::ExistsInHead(_) => Reason::ExistsInHead,
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
    /// As they are.
    pub bytes: &'a [u8],
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
    if expected.blob.is_some_and(|blob| blob != known.blob) {
        what.push("its content is another");
    }
    if expected.text.as_ref().is_some_and(|text| to_lf(text) != to_lf(known.bytes)) {
        what.push("its text is another");
    }
    if expected.tag.as_ref().is_some_and(|expected| *expected != tag(known.bytes)) {
        what.push("its tag is another");
    }
    if what.is_empty() { Ok(()) } else { Err(changed(known, what.join(", "))) }
}

/// What is known of the edits of a file that is not as their sender believes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditsNow {
    /// Nothing.
    Unknown,
    /// The same edits would fit it.
    Fit,
    /// They name lines by number: these are there now.
    ByNumber(Box<FreshLines>),
}

/// Lines of a file as they are now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreshLines {
    /// Of the whole text.
    pub tag: String,
    /// The number of the first, 1-based.
    pub first: usize,
    /// Without their endings.
    pub lines: Vec<String>,
}

/// So many lines are told on either side of those that edits name.
const AROUND: usize = 3;
/// So many at most in all.
const MOST_LINES: usize = 60;

impl FreshLines {
    /// Those around the lines from `first` to `last` (1-based); where the text has no such lines, its last ones.
    pub fn around(text: &[u8], (first, last): (usize, usize)) -> Self {
        let lines: Vec<&[u8]> = text.lines().collect();
        let from = first.saturating_sub(AROUND + 1).min(lines.len().saturating_sub(2 * AROUND + 1));
        let to = last.saturating_add(AROUND).min(lines.len()).min(from + MOST_LINES).max(from);
        let shown = lines[from..to].iter().map(|line| line.to_str_lossy().into_owned()).collect();
        Self { tag: tag(text), first: from + 1, lines: shown }
    }
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
        edits: EditsNow::Unknown,
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

/// Whether HEAD, which is `found`, is the commit that the request names.
///
/// # Errors
/// [`Finding::HeadMoved`].
pub fn head(found: Option<CommitId>, wanted: CommitId) -> Result<(), Finding> {
    if found == Some(wanted) { Ok(()) } else { Err(Finding::HeadMoved { wanted, found }) }
}

/// HEAD as it is told.
pub fn head_text(head: Option<CommitId>) -> String {
    head.map_or_else(|| "unborn".to_owned(), |commit| commit.to_string())
}
