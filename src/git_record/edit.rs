//! An edit that is to be recorded in git, and what came of it: what the kinds of recording have in common.
//!
//! Owns that HEAD must be the one that the edit was made on. Does nothing in git.

use super::error::GitRecordError as Error;
use super::fit::EditedFile;
use super::message::{Credits, message};
use super::warning::GitWarning;
use crate::git::Repo;
use crate::id::{CommitId, RecordId};
use crate::record::{RecordClass, RecordMeta};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An edit that is to be recorded in git.
#[derive(Clone, Copy)]
pub struct GitEdit<'a, 'e> {
    /// The repository.
    pub repo: &'a Repo,
    /// Where redraft stages, for files that are there for a moment: what a killed run leaves is cleaned up there.
    pub stage: &'e Path,
    /// Of the record.
    pub id: &'e RecordId,
    /// What sort of record.
    pub class: RecordClass,
    /// Of the record.
    pub meta: &'e RecordMeta,
    /// Whose lines they are.
    pub credits: &'e Credits,
    /// As they are in the working tree.
    pub files: &'e [EditedFile<'e>],
    /// How long to wait for git's index.
    pub lock_timeout: Duration,
}

/// What was made in git.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum GitResult {
    /// Nothing that has an id, or nothing yet.
    #[default]
    Nothing,
    /// A git commit.
    Commit(CommitId),
    /// A stash commit.
    Stash(CommitId),
}

impl GitResult {
    /// The id of the git commit; none where none was made.
    pub fn commit(self) -> Option<CommitId> {
        match self {
            Self::Commit(id) => Some(id),
            Self::Nothing | Self::Stash(_) => None,
        }
    }

    /// The id of the stash commit; none where none was made.
    pub fn stash(self) -> Option<CommitId> {
        match self {
            Self::Stash(id) => Some(id),
            Self::Nothing | Self::Commit(_) => None,
        }
    }
}

/// An edit that is in git.
#[derive(Debug)]
pub struct DoneInGit {
    /// What was made.
    pub made: GitResult,
    /// What went wrong after the ref moved.
    pub warnings: Vec<GitWarning>,
}

impl<'a> GitEdit<'a, '_> {
    /// HEAD, where it is still the one that the edit was made on; none where it is unborn.
    pub(super) fn head(&self) -> Result<Head<'a>, Error> {
        self.repo.refresh();
        let id = self.repo.head_id()?;
        if id != self.meta.base {
            return Err(Error::HeadMoved);
        }
        Ok(Head { repo: self.repo, id })
    }

    pub(super) fn message(&self) -> String {
        message(self.credits, self.class, self.meta, self.files)
    }

    /// A file of our own.
    pub(super) fn scratch(&self, what: &str) -> PathBuf {
        self.stage.join(format!("{what}-{}", self.id))
    }

    pub(super) fn nothing_to_commit(&self) -> Error {
        let path = self.files.first().map(|file| file.path.to_string_lossy()).unwrap_or_default();
        let why = "git sees no difference after the edit".to_owned();
        Error::DoesNotFit { path, why, lines: Vec::new() }
    }
}

/// HEAD as it was when the edit was made ready.
pub(super) struct Head<'a> {
    pub repo: &'a Repo,
    /// None where it is unborn.
    pub id: Option<CommitId>,
}

impl Head<'_> {
    /// Refuses where HEAD is another one by now.
    pub fn refuse_moved(&self) -> Result<(), Error> {
        self.repo.refresh();
        if self.repo.head_id()? == self.id { Ok(()) } else { Err(Error::HeadMoved) }
    }
}
