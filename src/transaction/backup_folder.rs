//! The folder of one transaction's backups, while it is filled.
//!
//! Owns its directories, each opened once. Does not know what is backed up, nor when.

use super::error::TransactionError as Error;
use super::swap::{Slot, copy};
use crate::path::RepoPath;
use crate::worktree::WorktreeError;
use crate::worktree::dir::Dir;
use crate::worktree::root::Place;
use bstr::ByteSlice;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::rc::Rc;

/// How a file was backed up.
#[derive(Debug)]
pub(super) enum BackedUp {
    /// The backup is the old file itself, which is on disk.
    Linked,
    /// The backup is another file, which may not be on disk yet.
    Copied(File),
}

/// The folder of one transaction's backups.
#[derive(Debug)]
pub(super) struct BackupFolder {
    top: Dir,
    name: String,
    dirs: BTreeMap<RepoPath, Dir>,
    files: Vec<RepoPath>,
}

impl BackupFolder {
    /// Makes the folder below `backups`.
    pub fn make(backups: &Dir, name: String) -> Result<Self, Error> {
        let raw = name.as_bytes().as_bstr();
        let top = backups.mkdir(raw, 0o700).and_then(|_| backups.child(raw));
        let top = top.map_err(Error::io("make", "the folder of backups"))?;
        Ok(Self { top, name, dirs: BTreeMap::new(), files: Vec::new() })
    }

    /// Backs up the file at a place by a second name of it, or by a copy: where the file system has no such names, and where
    /// the file has others, through which it may be written (`links` says how many it has).
    pub fn back_up(&mut self, source: &Place, links: u64) -> Result<BackedUp, Error> {
        let path = &source.path;
        let shown = path.to_string_lossy();
        let from = source.dir().ok_or_else(|| WorktreeError::NoSuchFile(shown.clone()))?;
        self.files.push(path.clone());
        let to = self.dir_of(path).map_err(Error::io("make", format!("the folder of the backup of {shown}")))?;
        if links == 1 && from.link(source.name(), to, path.file_name()).is_ok() {
            return Ok(BackedUp::Linked);
        }
        let to = to.beneath(None).map_err(Error::io("open", "the folder of backups"))?;
        let to = Slot::new(Rc::new(to), path.file_name());
        copy(&Slot::new(Rc::clone(from), source.name()), &to).map(BackedUp::Copied).map_err(Error::io("back up", shown))
    }

    /// Keeps a text that was the file at a path.
    pub fn keep(&mut self, path: &RepoPath, text: &[u8]) -> Result<File, Error> {
        let shown = || format!("the old version of {}", path.to_string_lossy());
        self.files.push(path.clone());
        let to = self.dir_of(path).map_err(Error::io("make", format!("the folder of {}", shown())))?;
        let mut file = to.create_new(path.file_name(), 0o600).map_err(Error::io("keep", shown()))?;
        file.write_all(text).map_err(Error::io("keep", shown()))?;
        Ok(file)
    }

    /// Whether somebody removed the folder, or one below it.
    pub fn is_removed(&self) -> bool {
        self.dirs.values().chain([&self.top]).any(Dir::is_removed)
    }

    /// Makes the names of the backups durable; `backups` is where the folder is.
    pub fn sync_names(&self, backups: &Dir) -> std::io::Result<()> {
        self.dirs.values().rev().chain([&self.top, backups]).try_for_each(Dir::sync)
    }

    /// Where the version of file `n`, at `path`, goes that is neither the old nor the new one.
    pub fn aside(&mut self, n: usize, path: &RepoPath) -> Result<Slot, Error> {
        let dir = self.dir_of(path).and_then(|dir| dir.beneath(None));
        let dir = dir.map_err(Error::io("make", format!("the folder of the changed version of {path}")))?;
        Ok(Slot::new(Rc::new(dir), format!("changed-{n}").as_bytes().as_bstr()))
    }

    /// The backup of a file, where its folder is open.
    pub fn slot_of(&self, path: &RepoPath) -> Option<Slot> {
        let dir = path.parent().map_or(Some(&self.top), |parent| self.dirs.get(&parent))?;
        Some(Slot::new(Rc::new(dir.beneath(None).ok()?), path.file_name()))
    }

    /// Where the backup of a file is, below `backups`.
    pub fn path_of(&self, path: &RepoPath) -> RepoPath {
        let folder = RepoPath::new(self.name.as_bytes()).expect("a time and an id are a name");
        path.below(Some(&folder))
    }

    /// The name of the folder below `backups`.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn dir_of(&mut self, path: &RepoPath) -> std::io::Result<&Dir> {
        let Some(parent) = path.parent() else { return Ok(&self.top) };
        if !self.dirs.contains_key(&parent) {
            let mut prefix: Option<RepoPath> = None;
            for name in parent.components() {
                let below = RepoPath::new(name).map_err(std::io::Error::other)?.below(prefix.as_ref());
                if !self.dirs.contains_key(&below) {
                    let above = prefix.as_ref().and_then(|prefix| self.dirs.get(prefix)).unwrap_or(&self.top);
                    above.mkdir(name, 0o700)?;
                    let dir = above.child(name)?;
                    self.dirs.insert(below.clone(), dir);
                }
                prefix = Some(below);
            }
        }
        Ok(self.dirs.get(&parent).unwrap_or(&self.top))
    }

    /// Takes the backups away again: a second name would make the user's own file look hard-linked.
    pub fn remove(self, backups: &Dir) {
        for path in &self.files {
            let dir = path.parent().and_then(|parent| self.dirs.get(&parent)).unwrap_or(&self.top);
            let _ = dir.unlink(path.file_name());
        }
        // Innermost directories first.
        for path in self.dirs.keys().rev() {
            let above = path.parent().and_then(|parent| self.dirs.get(&parent)).unwrap_or(&self.top);
            let _ = above.rmdir(path.file_name());
        }
        let _ = backups.rmdir(self.name.as_bytes().as_bstr());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worktree::root::Root;

    #[test]
    fn a_backup_stands_below_its_folder_as_the_file_below_the_root_and_goes_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let (tree, backups) = (folder.path().join("tree"), folder.path().join("backups"));
        std::fs::create_dir_all(tree.join("a/b")).expect("folders");
        std::fs::create_dir_all(tree.join("a/c")).expect("folders");
        std::fs::create_dir(&backups).expect("a folder");
        let root = Root::open(&tree).expect("the root");
        let dir = Dir::open(&backups).expect("opens");
        let mut made = BackupFolder::make(&dir, "now".to_owned()).expect("made");
        for (path, links) in [("a/b/x", 1), ("a/c/x", 2), ("a/b/y", 1), ("z", 1)] {
            std::fs::write(tree.join(path), path).expect("a file");
            let path = RepoPath::new(path.as_bytes()).expect("a path");
            let how = made.back_up(&root.place(&path).expect("there"), links).expect("backed up");
            assert_eq!(matches!(how, BackedUp::Linked), links == 1, "one with other names is copied");
            let at = made.path_of(&path).to_string_lossy();
            assert_eq!(at, format!("now/{path}"));
            assert_eq!(std::fs::read_to_string(backups.join(at)).expect("reads"), path.to_string_lossy());
        }
        assert_eq!(made.name(), "now");
        let entry = |path: &std::path::Path| std::fs::read_dir(path).expect("lists").count();
        assert_eq!((entry(&backups.join("now")), entry(&backups.join("now/a"))), (2, 2));
        made.remove(&dir);
        assert_eq!((entry(&backups), entry(&tree)), (0, 2));
    }
}
