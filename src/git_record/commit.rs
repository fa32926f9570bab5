//! `record: commit`: the edit, and nothing else, as a git commit on HEAD.
//!
//! Owns what goes into the commit and into the index, and when git itself must make it: where hooks are in force, for
//! `git commit-tree` runs none.

use super::edit::{GitEdit, Head};
use super::error::GitRecordError as Error;
use super::fit::{GitChanges, Objects, fit_to_git};
use super::options::CommitOptions;
use super::waiting_index::WaitingIndex;
use crate::git::{IndexLock, Repo};
use crate::id::TreeId;

/// What a commit is made of.
pub(super) struct CommitParts<'a> {
    pub head: Head<'a>,
    pub tree: TreeId,
    pub changes: GitChanges,
    /// The new index; none where nothing of it changes.
    pub index: Option<WaitingIndex<'a>>,
}

impl<'a> CommitParts<'a> {
    /// Steps 1 to 3, but for the commit itself.
    pub fn prepare(edit: &GitEdit<'a, '_>) -> Result<Self, Error> {
        let repo = edit.repo;
        let head = edit.head()?;
        refuse_operation(repo)?;
        // 1. What does not fit leaves no object behind.
        let lock = IndexLock::take(repo, &repo.index_path(), edit.lock_timeout, &edit.scratch("index"))?;
        let old = lock.read()?;
        fit_to_git(repo, edit.files, Some(&old), Objects::Compute)?;
        // 2.
        let changes = fit_to_git(repo, edit.files, Some(&old), Objects::Write)?;
        let head_tree = repo.head_tree()?;
        let tree = repo.write_tree(head_tree, &changes.tree)?;
        if tree == head_tree {
            return Err(edit.nothing_to_commit());
        }
        // 3. Where nothing of the index changes, nobody needs to wait for it.
        let index = if changes.index.is_empty() {
            drop(lock);
            None
        } else {
            Some(WaitingIndex::write(repo, lock, &old, &changes.index)?)
        };
        Ok(Self { head, tree, changes, index })
    }
}

/// Whether hooks are in force that only `git commit` runs.
pub(super) fn needs_git(repo: &Repo, options: &CommitOptions) -> Result<bool, Error> {
    let hooks = repo.hooks()?;
    let refusing = !options.no_verify && (hooks.has("pre-commit") || hooks.has("commit-msg"));
    Ok(refusing || hooks.has("prepare-commit-msg") || hooks.has("post-commit"))
}

/// A commit would become part of a merge or the like.
pub(super) fn refuse_operation(repo: &Repo) -> Result<(), Error> {
    match repo.operation() {
        Some(operation) => Err(Error::Operation(operation.as_str())),
        None => Ok(()),
    }
}
