//! Directories below the root that nobody may reach, because of what they are: the repository's own.
//!
//! Owns how such a directory is known, however it is called and however the way to it is spelled. A `.git` is known by its
//! name already (`path.rs`), so that in most repositories there is nothing to guard and no path is looked at for it.
//! Invariant: a path that passes has no guarded directory on its way, neither by name nor by what stands there.

use super::dir::{Dir, Meta};
use super::error::WorktreeError as Error;
use super::led_to::led_to;
use crate::path::{PathError, RepoPath};
use bstr::ByteSlice;
use std::path::{Path, PathBuf};

/// What is guarded in one working tree.
#[derive(Debug, Clone, Default)]
pub struct Guarded(Vec<RepoPath>);

impl Guarded {
    /// Guards those of `dirs` that lie below `root`, all of them absolute and without symlinks; and what the symlinks in
    /// `folders` lead to below it: hooks, a configuration or records that are kept in the tree are git's and redraft's all the same.
    ///
    /// # Errors
    /// Where one of the folders may not be listed; one that is not there is fine.
    pub fn of(root: &Path, dirs: &[&Path], folders: &[PathBuf]) -> Result<Self, Error> {
        let led_to = led_to(folders)?;
        Ok(Self::new(root, &dirs.iter().copied().chain(led_to.iter().map(PathBuf::as_path)).collect::<Vec<_>>()))
    }

    /// Guards those of `dirs` that lie below `root`; all of them absolute and without symlinks.
    pub fn new(root: &Path, dirs: &[&Path]) -> Self {
        let below = |dir: &&Path| -> Option<RepoPath> {
            match RepoPath::new(<[u8]>::from_path(dir.strip_prefix(root).ok()?)?) {
                Ok(path) => Some(path),
                Err(PathError::GitInternals(..)) => None,
                // The root itself has no path; a repository is not opened there.
                Err(_) => None,
            }
        };
        let mut guarded: Vec<RepoPath> = dirs.iter().filter_map(below).collect();
        guarded.sort();
        guarded.dedup();
        Self(guarded)
    }

    /// Refuses a path to a guarded directory, or to anything in it.
    ///
    /// # Errors
    /// [`Error::GitInternals`], and where the way cannot be looked at.
    pub(super) fn refuse(&self, root: &Dir, path: &RepoPath) -> Result<(), Error> {
        if self.0.is_empty() {
            return Ok(());
        }
        let refused = || Error::GitInternals(path.to_string_lossy());
        if self.0.iter().any(|dir| path == dir || path.is_below(dir)) {
            return Err(refused());
        }
        // On some file systems another spelling is the same directory.
        let look = |path: &RepoPath| match root.look(path.as_bstr()) {
            Ok(found) => Ok(found.as_ref().and_then(identity)),
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Ok(None),
            Err(source) => Err(Error::Unreadable { path: path.to_string_lossy(), source }),
        };
        let guarded = self.0.iter().map(look).collect::<Result<Vec<_>, _>>()?;
        let mut above = Some(path.clone());
        while let Some(at) = above {
            let found = look(&at)?;
            if found.is_some() && guarded.contains(&found) {
                return Err(refused());
            }
            above = at.parent();
        }
        Ok(())
    }
}

/// What a directory is known by; none where the system does not tell.
fn identity(meta: &Meta) -> Option<(u64, u64)> {
    Some(meta.identity).filter(|identity| *identity != (0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dirs: &[&str], path: &str, reached: bool) {
        let folder = tempfile::tempdir().expect("a folder");
        let dirs: Vec<_> = dirs.iter().map(|dir| folder.path().join(dir)).collect();
        let dirs: Vec<&Path> = dirs.iter().map(|dir| &**dir).collect();
        let guarded = Guarded::new(folder.path(), &dirs);
        let path = RepoPath::new(path.as_bytes()).expect("a path");
        let root = Dir::open(folder.path()).expect("the root");
        assert_eq!(guarded.refuse(&root, &path).is_ok(), reached, "{path}");
    }

    #[test]
    fn a_guarded_directory_holds_with_all_below_and_nothing_beside() {
        for path in ["meta/git", "meta/git/config", "meta/git/a/b"] {
            check(&["meta/git", "meta/git/worktrees/x"], path, false);
        }
        for path in ["meta", "meta/gi", "meta/git-notes", "meta/x/git", "git/config"] {
            check(&["meta/git"], path, true);
        }
        check(&["../elsewhere", "/", ".git"], "a", true);
    }

    #[test]
    fn what_cannot_be_looked_at_does_not_pass() {
        let folder = tempfile::tempdir().expect("a folder");
        let guarded = Guarded::new(folder.path(), &[&folder.path().join("meta/git")]);
        let root = Dir::open(folder.path()).expect("the root");
        // Longer than the system takes, as only a smaller root makes one.
        let half = RepoPath::new("long/".repeat(500).trim_end_matches('/').as_bytes()).expect("a path");
        assert!(matches!(guarded.refuse(&root, &half.below(Some(&half))), Err(Error::Unreadable { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn another_name_of_a_guarded_directory_is_the_same_directory() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("store/hooks")).expect("folders");
        let store = folder.path().join("STORE");
        let guarded = Guarded::new(folder.path(), &[&store]);
        let root = Dir::open(folder.path()).expect("the root");
        let path = RepoPath::new(b"store/hooks/x").expect("a path");
        assert!(guarded.refuse(&root, &path).is_ok(), "another directory");
        // As a file system without case has it: the guarded path leads to the directory that the other one leads to.
        std::os::unix::fs::symlink("store", &store).expect("links");
        let same = Guarded(vec![RepoPath::new(b"STORE/hooks").expect("a path")]);
        assert!(matches!(same.refuse(&root, &path), Err(Error::GitInternals(_))));
    }
}
