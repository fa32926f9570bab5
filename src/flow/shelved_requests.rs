//! Requests whose edit went into the stash only: no record has their answer, so a note of their own has it.
//!
//! Owns the form of that note. It is durable before the entry of the stash is made, and counts as long as the entry is there,
//! which the commit that it names says: what was never made, or was dropped since, is not told of as if it were there.

use crate::answer::Envelope;
use crate::git::{Repo, RepoError, Sought, ref_was_at};
use crate::id::{BlobId, CommitId};
use crate::state_dir::{Durability, StateDir, make_private, sync_dir, write};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// One such request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShelvedRequest {
    /// What it means.
    pub request_hash: BlobId,
    /// The commit of its entry.
    stash: CommitId,
    /// The answer.
    pub answer: Box<Envelope>,
}

impl ShelvedRequest {
    /// The note that these bytes are; none where they are none.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Whether the entry is in the stash.
    ///
    /// # Errors
    /// Where git's files cannot be read.
    pub fn is_there(&self, repo: &Repo) -> Result<bool, RepoError> {
        ref_was_at(repo.common_dir(), "refs/stash", Sought::Commit(self.stash))
    }

    /// The note of a request whose entry will have the commit `stash`; none where `answer` is no envelope.
    pub fn new(request_hash: BlobId, stash: CommitId, answer: &str) -> Option<Self> {
        Some(Self { request_hash, stash, answer: serde_json::from_str(answer).ok()? })
    }

    /// Writes it, before the entry is made.
    ///
    /// # Errors
    /// Where it cannot be written or synced.
    pub fn begin(&self, place: &StateDir, path: &Path, durability: Durability) -> io::Result<()> {
        make_private(&place.requests())?;
        self.write(path, durability)?;
        if durability == Durability::Full {
            sync_dir(&place.requests())?;
            sync_dir(place.path())?;
        }
        Ok(())
    }

    /// Writes it in its place.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, path: &Path, durability: Durability) -> io::Result<()> {
        write(path, &serde_json::to_vec(self)?, durability)
    }
}
