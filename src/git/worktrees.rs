//! The other working trees of the repository.
//!
//! Owns where they are, as far as git knows. Does not open them.

use super::Repo;
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

    /// The git directory of a linked worktree.
    fn linked(&self, name: &str) -> Option<PathBuf> {
        let folder = self.common_dir.join("worktrees").join(name);
        folder.is_dir().then_some(folder)
    }
}
