//! The other working trees of the repository.
//!
//! Owns where they are, as far as git knows, and what they have checked out.

use super::{ObjectId, Repo, RepoError};
use crate::id::CommitId;
use std::path::{Path, PathBuf};

impl Repo {
    /// The root of another worktree, by the name that [`Repo::worktree_name`] gives it; none where it is gone.
    pub fn root_of_worktree(&self, name: &str) -> Option<PathBuf> {
        let root = if name == "main" {
            self.gix().ok()?.main_repo().ok()?.workdir()?.to_owned()
        } else {
            let linked = self.linked(name).or_else(|| self.linked(name.strip_prefix("wt-")?))?;
            let text = std::fs::read_to_string(linked.join("gitdir")).ok()?;
            // Relative to that folder, where git was told to write it so.
            linked.join(text.trim_end()).parent().map(Path::to_owned)?
        };
        root.is_dir().then_some(root)
    }

    /// The commits that other worktrees have checked out, each once; of one that is damaged nothing is told.
    ///
    /// # Errors
    /// Where git's list of them cannot be read.
    pub fn heads_of_others(&self) -> Result<Vec<CommitId>, RepoError> {
        let failed = || RepoError::git("list the worktrees of the repository");
        let gix = self.gix()?;
        let linked = gix.worktrees().map_err(failed())?.into_iter();
        let linked = linked.filter_map(|linked| linked.into_repo_with_possibly_inaccessible_worktree().ok());
        let is_other = |other: &gix::Repository| other.git_dir() != gix.git_dir();
        let all = linked.chain(gix.main_repo().ok()).filter(is_other);
        let mut heads: Vec<CommitId> =
            all.filter_map(|other| other.head_id().ok().map(|id| CommitId::from_gix(&id))).collect();
        heads.sort();
        heads.dedup();
        Ok(heads)
    }

    /// The git directory of a linked worktree.
    fn linked(&self, name: &str) -> Option<PathBuf> {
        let folder = self.common_dir.join("worktrees").join(name);
        folder.is_dir().then_some(folder)
    }
}
