//! What a record says beside its files.
//!
//! Owns who, why and on what. Does not know the files.

use super::observed::Observed;
use super::pending_git::PendingGit;
use super::target::Target;
use crate::id::{BlobId, CommitId, RecordId};
use crate::request::RecordKind;
use serde::{Deserialize, Serialize};

/// What sort of entry a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RecordClass {
    /// An agent's edit.
    Edit,
    /// The inverse of earlier records.
    Undo,
    /// The inverse of an undo.
    Redo,
    /// A change that something else made, taken into the history (a restored backup).
    External,
}

/// What the record says beside the files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordMeta {
    /// The request's message.
    pub message: Option<String>,
    /// The agent's name.
    pub agent: Option<String>,
    /// The agent's language model.
    pub model: Option<String>,
    /// The agent's session.
    pub session: Option<String>,
    /// The prompt of a person in that session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// Which agent below the one that the person talks to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// The tool call.
    pub call_id: Option<String>,
    /// Who made it, where that was another program and redraft only saw the files before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
    /// HEAD then; none where it was unborn.
    pub base: Option<CommitId>,
    /// The branch then, without `refs/heads/`; none where HEAD was a commit by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The dialect of the request.
    pub dialect: Option<String>,
    /// Where the edit is recorded; where that is nowhere, the intent is for recovery only.
    pub record: RecordKind,
    /// The git commit made; none else.
    pub commit: Option<CommitId>,
    /// The git stash commit made; none else.
    pub stash: Option<CommitId>,
    /// The records that this one inverts.
    pub undoes: Vec<RecordId>,
    /// The caller's idempotency key.
    pub request_id: Option<String>,
    /// Git blob id of the request's bytes, where there is a `request_id`.
    pub request_hash: Option<BlobId>,
    /// The answer, where there is a `request_id`.
    pub answer: Option<String>,
    /// What an undo or redo inverts in each of its files; empty for what is neither.
    pub targets: Vec<Vec<Target>>,
    /// What was to become true in git; none where nothing was.
    pub git: Option<PendingGit>,
}

impl RecordMeta {
    /// Whether it put entries into the index.
    pub fn is_in_index(&self) -> bool {
        self.record == RecordKind::Commit || self.git.as_ref().is_some_and(|git| !git.indexes.is_empty())
    }

    /// What an undo or redo inverts in its file `n`. What cancelled out stands with the first file, and is about another one.
    pub fn inverted_in(&self, n: usize) -> impl Iterator<Item = &Target> {
        self.targets.get(n).into_iter().flatten().filter(|target| !target.is_cancelled)
    }
}
