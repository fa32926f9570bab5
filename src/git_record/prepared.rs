//! An edit on its way into the user's git, beside the history: ready, then done.
//!
//! Owns the order of effects in git, and says which kind of recording does what. The objects and the new index are made
//! before the files change; the ref moves after, and with it the edit is final; then the new index takes its place. A run
//! that is killed before the ref moved is taken back by recovery, one that is killed after it is finished
//! ([`PendingGit`]).
//!
//! 1. Lock the index, read HEAD, fit the edit to both.
//! 2. Write objects; without hooks the commit itself.
//! 3. Write the new index as `index.lock`.
//! 4. (The transaction exchanges the files, and verifies them.)
//! 5. Move the ref: by `git update-ref` (`commit_by_ref.rs`), by `git commit` with an index of its own, so that the user's
//!    hooks run (`commit_by_git.rs`), or by `git stash store` (`stash.rs`). With `--index` there is none.
//! 6. Rename `index.lock` (`waiting_index.rs`).

use super::commit::{CommitParts, needs_git, refuse_operation};
use super::commit_by_git::CommitByGit;
use super::commit_by_ref::CommitByRef;
use super::edit::{DoneInGit, GitEdit, GitResult};
use super::error::GitRecordError as Error;
use super::fit::{EditedFile, Objects, fit_to_git};
use super::options::GitTarget;
use super::stash::PreparedStash;
use super::waiting_index::WaitingIndexes;
use crate::git::Repo;
use crate::record::{PendingGit, RecordMeta};
use crate::transaction::TransactionError;

/// An edit that is ready in git but for the ref and the index. Dropping it takes git's locks away.
#[must_use = "dropping it takes git's locks away"]
pub struct PreparedGit<'a>(Kind<'a>);

enum Kind<'a> {
    CommitByRef(Box<CommitByRef<'a>>),
    CommitByGit(Box<CommitByGit<'a>>),
    Stash(PreparedStash<'a>),
    Indexes(WaitingIndexes<'a>),
}

/// Whether the index is looked at, too: it costs with the size of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// HEAD only.
    Head,
    /// HEAD and the index.
    Index,
}

/// Refuses what does not fit, without writing anything: for dry runs, and before the lock.
///
/// # Errors
/// As [`prepare`].
pub fn check(repo: &Repo, target: &GitTarget<'_>, files: &[EditedFile<'_>], look: Look) -> Result<(), Error> {
    match target {
        GitTarget::Commit(_) => {
            refuse_operation(repo)?;
            let index = (look == Look::Index).then(|| repo.read_index(&repo.index_path())).transpose()?;
            fit_to_git(repo, files, index.as_ref(), Objects::Compute)?;
        }
        GitTarget::Stash | GitTarget::Shelf => {
            repo.head_id()?.ok_or(Error::Unborn)?;
            fit_to_git(repo, files, None, Objects::Compute)?;
        }
        GitTarget::Staged(_) | GitTarget::Nothing => {}
    }
    Ok(())
}

/// Refuses a message that cannot be a git commit's, where the edit is to be one.
///
/// # Errors
/// [`Error::BadMessage`].
pub fn check_message(target: &GitTarget<'_>, message: Option<&str>) -> Result<(), Error> {
    let is_for_git = matches!(target, GitTarget::Commit(_) | GitTarget::Stash | GitTarget::Shelf);
    if is_for_git && message.is_some_and(|message| message.contains('\0')) { Err(Error::BadMessage) } else { Ok(()) }
}

/// Makes everything ready; none where git is to know nothing of the edit.
///
/// # Errors
/// Where the edit does not fit HEAD or the index, something is in progress, or git fails. Nothing but objects is left.
pub fn prepare<'a>(target: &GitTarget<'a>, edit: &GitEdit<'a, '_>) -> Result<Option<PreparedGit<'a>>, Error> {
    let kind = match target {
        GitTarget::Nothing => return Ok(None),
        GitTarget::Staged(staged) if staged.is_empty() => return Ok(None),
        GitTarget::Staged(staged) => Kind::Indexes(staged.lock(edit.stage, edit.lock_timeout)?),
        GitTarget::Stash | GitTarget::Shelf => Kind::Stash(PreparedStash::prepare(edit)?),
        GitTarget::Commit(options) => {
            let parts = CommitParts::prepare(edit)?;
            if needs_git(edit.repo, options)? {
                Kind::CommitByGit(Box::new(CommitByGit::prepare(edit, options.clone(), parts)?))
            } else {
                Kind::CommitByRef(Box::new(CommitByRef::prepare(edit, options, parts)?))
            }
        }
    };
    Ok(Some(PreparedGit(kind)))
}

impl PreparedGit<'_> {
    /// What is made already.
    pub fn made(&self) -> GitResult {
        match &self.0 {
            Kind::CommitByRef(commit) => commit.made(),
            Kind::Stash(stash) => stash.made(),
            Kind::CommitByGit(_) | Kind::Indexes(_) => GitResult::Nothing,
        }
    }

    /// Notes in a record's metadata what is made, and what recovery must know.
    pub fn note_in(&self, meta: &mut RecordMeta) {
        let made = self.made();
        meta.commit = made.commit();
        meta.stash = made.stash();
        meta.git = Some(self.pending());
    }

    fn pending(&self) -> PendingGit {
        match &self.0 {
            Kind::CommitByRef(commit) => commit.pending(),
            Kind::CommitByGit(commit) => commit.pending(),
            Kind::Stash(stash) => stash.pending(),
            Kind::Indexes(indexes) => indexes.pending(),
        }
    }

    /// Moves the ref, and puts the new index in its place: the transaction's follow-up.
    ///
    /// # Errors
    /// Where the ref could not be moved; nothing lasts then. The index stays locked until `self` is dropped.
    pub fn finish(&mut self) -> Result<DoneInGit, TransactionError> {
        let done = match &mut self.0 {
            Kind::CommitByRef(commit) => commit.finish(),
            Kind::CommitByGit(commit) => commit.finish(),
            Kind::Stash(stash) => stash.finish(),
            Kind::Indexes(indexes) => indexes.finish(),
        };
        done.map_err(|error| TransactionError::FollowUp(Box::new(error)))
    }
}
