//! `record: stash` and `--shelve`: the edit, and nothing else, as an entry of the stash.
//!
//! Owns the two commits of the entry: one with HEAD's tree as its index, so that `git stash pop --index` stages nothing, and
//! one with the edit. Does not touch the index.

use super::edit::{DoneInGit, GitEdit, GitResult};
use super::error::GitRecordError as Error;
use super::fit::{Objects, fit_to_git};
use crate::git::{CommitObject, GitCall, RefPatience, Repo, Signing};
use crate::id::{CommitId, TreeId};
use crate::record::PendingGit;
use std::time::Duration;

/// A stash entry that is made, but for `refs/stash`.
pub(super) struct PreparedStash<'a> {
    repo: &'a Repo,
    id: CommitId,
    message: String,
    lock_timeout: Duration,
}

impl<'a> PreparedStash<'a> {
    /// Makes the commits of an entry.
    pub fn prepare(edit: &GitEdit<'a, '_>) -> Result<Self, Error> {
        let repo = edit.repo;
        let head = edit.head()?.id.ok_or(Error::Unborn)?;
        let changes = fit_to_git(repo, edit.files, None, Objects::Write)?;
        let head_tree = repo.head_tree()?;
        let tree = repo.write_tree(head_tree, &changes.tree)?;
        if tree == head_tree {
            return Err(edit.nothing_to_commit());
        }
        let branch = repo.head_name()?;
        let branch = branch.as_deref().and_then(|name| name.strip_prefix("refs/heads/")).unwrap_or("(no branch)");
        let commit = |tree: TreeId, parents: &[CommitId], message: &str| {
            repo.commit_tree(&CommitObject { tree, parents, message, author: None, signing: Signing::Unsigned })
        };
        // The words are git's own.
        let staged = commit(head_tree, &[head], &format!("index on {branch}: {head}\n"))?;
        let message = format!("On {branch}: {}", edit.message());
        let id = commit(tree, &[head, staged], &message)?;
        Ok(Self { repo, id, message, lock_timeout: edit.lock_timeout })
    }

    /// The entry's commit, to which `refs/stash` is still to move.
    pub fn made(&self) -> GitResult {
        GitResult::Stash(self.id)
    }

    /// What is to come.
    pub fn pending(&self) -> PendingGit {
        PendingGit { reference: Some("refs/stash".to_owned()), commit: Some(self.id), ..PendingGit::default() }
    }

    /// Moves `refs/stash`, with the entry in its reflog.
    pub fn finish(&mut self) -> Result<DoneInGit, Error> {
        let subject = self.message.lines().next().unwrap_or_default();
        RefPatience::new(self.repo, self.lock_timeout).wait_for_ref(self.repo, "refs/stash")?;
        self.repo.run_git(GitCall::new(["stash", "store", "-q", "-m"]).arg(subject).arg(self.id.to_string()))?;
        Ok(DoneInGit { made: self.made(), warnings: Vec::new() })
    }
}
