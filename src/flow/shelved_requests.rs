//! Requests whose edit went into the stash only: no record has their answer, so a note of their own has it.
//!
//! Owns the form of that note. It is durable before the entry of the stash is made, and counts only if the entry was: the
//! commit that it names says so, until the note itself does.

use crate::answer::Envelope;
use crate::error::Error;
use crate::git::{Repo, RepoError, Sought, ref_was_at};
use crate::id::BlobId;
use crate::state_dir::{Durability, StateDir, make_private, sync_dir, write};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;

/// One such request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShelvedRequest {
    /// What it means.
    pub request_hash: BlobId,
    /// The commit of its entry.
    stash: String,
    /// Whether the entry was made.
    is_made: bool,
    /// The answer.
    pub answer: Box<Envelope>,
}

/// A note whose entry is still to be made.
#[must_use = "the entry itself must tell, where the note does not"]
pub struct Begun {
    path: PathBuf,
    note: ShelvedRequest,
}

impl ShelvedRequest {
    /// The note that these bytes are; none where they are none.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Whether the entry of the stash was made.
    ///
    /// # Errors
    /// Where that cannot be found out.
    pub fn is_made(&self, repo: &Repo) -> Result<bool, RepoError> {
        Ok(self.is_made || self.is_there(repo)?)
    }

    /// Whether the entry is in the stash.
    ///
    /// # Errors
    /// Where git's files cannot be read.
    pub fn is_there(&self, repo: &Repo) -> Result<bool, RepoError> {
        ref_was_at(repo.common_dir(), "refs/stash", Sought::Commit(&self.stash))
    }

    /// Notes a request whose entry will have the commit `stash`.
    ///
    /// # Errors
    /// Where the note cannot be written or synced.
    pub fn begin(
        (place, path): (&StateDir, PathBuf),
        (request_hash, stash): (BlobId, &str),
        answer: &str,
        durability: Durability,
    ) -> Result<Begun, Error> {
        let failed = || Error::io("note", "a request");
        let answer = serde_json::from_str(answer).map_err(io::Error::from).map_err(failed())?;
        let note = Self { request_hash, stash: stash.to_owned(), is_made: false, answer };
        let written = make_private(&place.requests()).and_then(|()| note.write(&path, durability));
        let synced = written.and_then(|()| match durability {
            Durability::Full => sync_dir(&place.requests()).and_then(|()| sync_dir(place.path())),
            Durability::Fast => Ok(()),
        });
        synced.map_err(failed())?;
        Ok(Begun { path, note })
    }

    /// Writes it in its place.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, path: &std::path::Path, durability: Durability) -> io::Result<()> {
        write(path, &serde_json::to_vec(self)?, durability)
    }
}

impl Begun {
    /// Notes that the entry was made.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn end(mut self) -> io::Result<()> {
        self.note.is_made = true;
        self.note.write(&self.path, Durability::Fast)
    }
}
