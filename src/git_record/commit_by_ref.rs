//! A git commit that is made before the files change, so that only HEAD has to move.
//!
//! Owns its making and the move. No hook runs but the one of a ref, by git itself.

use super::commit::CommitParts;
use super::edit::{DoneInGit, GitEdit, GitResult, Head};
use super::error::GitRecordError as Error;
use super::options::CommitOptions;
use super::waiting_index::WaitingIndex;
use crate::git::{CommitObject, GitCall, RefPatience, RepoError, Signing};
use crate::id::CommitId;
use crate::record::PendingGit;
use std::time::Duration;

/// A commit that is made; HEAD is to move to it, and the index to follow.
pub(super) struct CommitByRef<'a> {
    head: Head<'a>,
    id: CommitId,
    message: String,
    index: Option<WaitingIndex<'a>>,
    lock_timeout: Duration,
}

impl<'a> CommitByRef<'a> {
    /// Makes the commit.
    pub fn prepare(edit: &GitEdit<'a, '_>, options: &CommitOptions, parts: CommitParts<'a>) -> Result<Self, Error> {
        let CommitParts { head, tree, index, .. } = parts;
        let signing = match edit.repo.config_bool("commit.gpgSign")? {
            Some(true) => Signing::Signed,
            Some(false) | None => Signing::Unsigned,
        };
        let message = edit.message();
        let parents = head.id.as_slice();
        let author = options.author.as_ref();
        let made = edit.repo.commit_tree(&CommitObject { tree, parents, message: &message, author, signing });
        let id = made.map_err(|error| match error {
            RepoError::Program { output, .. } if signing == Signing::Signed => Error::Signing(output),
            error => error.into(),
        })?;
        Ok(Self { head, id, message, index, lock_timeout: edit.lock_timeout })
    }

    /// The commit, to which HEAD is still to move.
    pub fn made(&self) -> GitResult {
        GitResult::Commit(self.id)
    }

    /// What is to come.
    pub fn pending(&self) -> PendingGit {
        let indexes = self.index.iter().map(|index| index.locked.clone()).collect();
        PendingGit { reference: Some("HEAD".to_owned()), commit: Some(self.id), indexes, ..PendingGit::default() }
    }

    /// Moves HEAD, then puts the index in its place.
    pub fn finish(&mut self) -> Result<DoneInGit, Error> {
        self.move_head()?;
        let warnings = WaitingIndex::follow_commit(&mut self.index).into_iter().collect();
        Ok(DoneInGit { made: self.made(), warnings })
    }

    /// Waits for whoever moves refs at the same time.
    fn move_head(&self) -> Result<(), Error> {
        let patience = RefPatience::new(self.head.repo, self.lock_timeout);
        loop {
            patience.wait_for_head(self.head.repo)?;
            match self.try_to_move_head() {
                // Somebody took a lock after we looked.
                Err(Error::Hook(said) | Error::RefNotMoved(said))
                    if said.contains(".lock") && !patience.is_over(self.head.repo) => {}
                done => return done,
            }
        }
    }

    fn try_to_move_head(&self) -> Result<(), Error> {
        let subject = self.message.lines().next().unwrap_or_default();
        let what = if self.head.id.is_some() { "commit" } else { "commit (initial)" };
        let call = GitCall::new(["update-ref", "-m"])
            .arg(format!("{what}: {subject}"))
            .arg("HEAD")
            .arg(self.id.to_string())
            .arg(self.head.id.unwrap_or(CommitId::NONE).to_string());
        let run = self.head.repo.try_git(call)?;
        if run.ok {
            return Ok(());
        }
        self.head.refuse_moved()?;
        // There is one hook of a ref.
        Err(Error::of_ref(run.said()))
    }
}
