//! Being told by the system that something changes in directories of a working tree.
//!
//! Owns which directories are listened to: those that git knows of files in or would take files from, and never the git directory. What
//! changed is not asked of the system, which forgets and guesses; who hears something looks for himself.

use crate::git::{Ignores, Repo, RepoError};
use crate::path::RepoPath;
use bstr::ByteSlice;
use notify::{Config, ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// What was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// Something changed, or may have.
    Something,
    /// Nothing for so long.
    Nothing,
}

/// A listener to the directories of a working tree.
pub struct FileEvents {
    watcher: RecommendedWatcher,
    heard: Receiver<notify::Result<notify::Event>>,
    listened_to: BTreeSet<PathBuf>,
    is_complete: bool,
}

impl FileEvents {
    /// Listens to nothing yet.
    ///
    /// # Errors
    /// Where the system has no such thing, or has too many of them.
    pub fn new() -> io::Result<Self> {
        let (send, heard) = channel();
        let made = RecommendedWatcher::new(send, Config::default().with_follow_symlinks(false));
        let watcher = made.map_err(io::Error::other)?;
        Ok(Self { watcher, heard, listened_to: BTreeSet::new(), is_complete: true })
    }

    /// Whether all directories are listened to; the system may allow fewer.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Listens to directories that are new, too. Says whether there are any: what happened in them before was not heard.
    ///
    /// # Errors
    /// Where git's rules cannot be read.
    pub fn listen_to_new(&mut self, repo: &Repo) -> Result<bool, RepoError> {
        let mut rules = Ignores::new(repo);
        let mut folders = vec![repo.root().to_owned()];
        let (mut found, mut has_new) = (BTreeSet::new(), false);
        while let Some(folder) = folders.pop() {
            // Before its entries are read: what comes later is heard.
            has_new |= self.listen_to(&folder);
            for entry in std::fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok) {
                let path = entry.path();
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder && !is_left_out(repo, &mut rules, &path)? {
                    folders.push(path);
                }
            }
            found.insert(folder);
        }
        // One that is gone, and comes again, is another one.
        for gone in self.listened_to.difference(&found) {
            let _ = self.watcher.unwatch(gone);
        }
        self.listened_to.retain(|folder| found.contains(folder));
        Ok(has_new)
    }

    /// Whether it is new.
    fn listen_to(&mut self, folder: &Path) -> bool {
        if self.listened_to.contains(folder) {
            return false;
        }
        match self.watcher.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => self.listened_to.insert(folder.to_owned()),
            Err(error) => {
                // A folder that is gone has nothing to tell.
                self.is_complete &= !matches!(error.kind, ErrorKind::MaxFilesWatch);
                false
            }
        }
    }

    /// Waits until something is heard, or for so long.
    pub fn wait(&self, most: Duration) -> Heard {
        match self.heard.recv_timeout(most) {
            // Reading is no change.
            Ok(Ok(event)) if matches!(event.kind, EventKind::Access(_)) => Heard::Nothing,
            Ok(_) => Heard::Something,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(most);
                Heard::Nothing
            }
        }
    }
}

/// Whether nothing in a directory is of this working tree.
fn is_left_out(repo: &Repo, rules: &mut Ignores<'_>, folder: &Path) -> Result<bool, RepoError> {
    if folder.file_name().is_some_and(|name| name == ".git") || folder.join(".git").exists() {
        return Ok(true);
    }
    let below = folder.strip_prefix(repo.root()).ok().and_then(<[u8]>::from_path);
    // Rules may be about directories alone, so the question is about something in it.
    let inside = below.map(|below| [below, b"/x"].concat());
    let Some(inside) = inside.and_then(|inside| RepoPath::new(&inside).ok()) else { return Ok(true) };
    Ok(rules.is_ignored(&inside)? && !has_tracked(repo, &inside)?)
}

/// Whether git knows of files there all the same.
fn has_tracked(repo: &Repo, inside: &RepoPath) -> Result<bool, RepoError> {
    inside.parent().map_or(Ok(true), |folder| repo.is_in_index(&folder))
}
