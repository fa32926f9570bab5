//! Directories that nothing is in any more, once a file was taken back.
//!
//! Owns their removal. As git does where it takes a file away: git keeps no empty directories, so nothing that it knows is lost.
//! Invariant: a directory that holds anything stays, and so does the one that the caller is in.

use super::Transaction;
use crate::path::RepoPath;

impl Transaction {
    /// Removes the directories above these paths that are empty, up to the root; one that cannot be removed stays.
    pub fn remove_empty_dirs<'p>(&self, gone: impl Iterator<Item = &'p RepoPath>) {
        for path in gone {
            let mut above = path.parent();
            while let Some(dir) = above {
                above = dir.parent();
                let is_here = self.root.path().join(dir.to_path()) == self.env.cwd();
                let parent = self.root.dir().beneath(above.as_ref());
                let is_gone = !is_here && parent.is_ok_and(|parent| matches!(parent.rmdir(dir.file_name()), Ok(true)));
                if !is_gone {
                    break;
                }
            }
        }
        self.root.look_again();
    }
}
