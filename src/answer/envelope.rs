//! The wire types of the answer: the standard envelope 1.0, field by field.
//!
//! Owns the shape of the JSON. Does not decide anything. Invariant: `error` is present exactly when `status` is `error`.

use crate::change::{ChangeKind, PathState};
use crate::code::{Code, Reason};
use crate::id::{BlobId, CommitId, RecordId};
use crate::request::RecordKind;
use crate::strategy::Strategy;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Whether the request was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Done exactly as asked.
    Success,
    /// A dry run, or the diff preview was cut (the file is written all the same).
    Partial,
    /// Nothing was written.
    Error,
}

/// The answer. Only these six keys.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Envelope {
    /// Whether the request was done.
    pub status: Status,
    /// What was done, for a program.
    pub data: Data,
    /// What was done, why it is partial, what to do next; for a model to read. Never empty.
    pub text: String,
    /// Numbers only.
    pub stats: Stats,
    /// Where it was done.
    pub context: Context,
    /// Present exactly when `status` is `error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
}

impl Envelope {
    /// As this, with the diff left out, and that told: for an answer that is kept where its text must not be.
    pub fn without_diff(mut self) -> Self {
        self.data.diff_preview.clear();
        self.data.diff_truncated = true;
        self.status = Status::Partial;
        self.text = format!("partial: everything is written, only the diff is not kept; {}", self.text);
        self
    }
}

/// The error's code and message.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ErrorBody {
    /// One of ten.
    pub code: Code,
    /// What was found and what to do.
    pub message: String,
}

/// `data`: what was done. The keys of `read` are in `extra`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Data {
    /// Whether the files were written; after the commit point, and then it holds whatever crashes next.
    pub applied: bool,
    /// Unified diff, capped.
    pub diff_preview: String,
    /// Whether the preview was cut.
    pub diff_truncated: bool,
    /// Whether the preview shows bytes that are not UTF-8 as U+FFFD; absent when not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub diff_lossy: bool,
    /// Replacements made (or that would be made), over all files.
    pub replacements: usize,
    /// The 0-based edit that failed, within `failed_path`.
    pub failed_index: Option<usize>,
    /// The file that failed, where the request has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_path: Option<String>,
    /// One per file, in the request's order; empty on errors.
    pub files: Vec<FileData>,
    /// Where the edit is recorded; null where it is not.
    pub record: Option<RecordData>,
    /// The absolute folder of the old files; null where nothing was replaced.
    pub backup: Option<String>,
    /// What the caller should know although it worked.
    pub warnings: Vec<String>,
    /// The records that `undo` and `redo` inverted; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<Vec<RecordId>>,
    /// The finer cause of an error; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What helps the next attempt; absent when there is no error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Map<String, Value>>,
    /// Keys of single commands, such as `content` of `read`.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One file of the answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileData {
    /// Relative to the root of the working tree.
    pub path: String,
    /// Its bytes in base64, where it is not UTF-8; absent else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_b64: Option<String>,
    /// Where it was before a rename; null else.
    pub from: Option<String>,
    /// The same in base64, where it is not UTF-8; absent else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_b64: Option<String>,
    /// What happened to it.
    pub change: ChangeKind,
    /// Git blob id of the raw bytes before; null where there was no file.
    pub before: Option<BlobId>,
    /// Git blob id of the raw bytes after; null where there is no file.
    pub after: Option<BlobId>,
    /// How it stood against HEAD before the edit; null where there was no file.
    pub state: Option<PathState>,
    /// What it is in, where that is known and not UTF-8; absent else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// One per edit that changed something, by its first place.
    pub edits: Vec<EditData>,
}

/// What one edit did.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EditData {
    /// 0-based, within its file.
    pub index: usize,
    /// How its place was found.
    pub strategy: Strategy,
    /// 1-based line of the first place, in the file before the edit.
    pub start_line: usize,
    /// 1-based last line of the last place, in the file before the edit.
    pub end_line: usize,
    /// How often it replaced.
    pub replacements: usize,
}

/// The record of an edit.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RecordData {
    /// Null where nothing is kept (`record: none`).
    pub id: Option<RecordId>,
    /// `history`, `commit`, `stash` or `none`.
    pub kind: RecordKind,
    /// The git commit made; null else.
    pub commit: Option<CommitId>,
    /// The git stash commit made; null else.
    pub stash: Option<CommitId>,
}

/// `stats`: numbers only.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stats {
    /// Wall clock, milliseconds.
    pub time_ms: u64,
    /// Bytes of whole new files; 0 in a dry run.
    pub bytes_written: u64,
    /// Lines that the preview shows as added, and all lines of files that are new.
    pub lines_added: usize,
    /// Lines that the preview shows as removed.
    pub lines_removed: usize,
    /// Of single commands: `file_mtime_ms` and `file_size_bytes` of `read`.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// `context`: where it was done.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Context {
    /// The current directory relative to the root, `.` for the root itself.
    pub cwd: String,
    /// The request as received; above 1 MiB `{"omitted_bytes": n}`.
    pub params_input: Value,
    /// Of the (first) file, relative to the root of the working tree; null where it is not known.
    pub path_resolved: Option<String>,
}
