//! redraft's own folder below the git directory.
//!
//! Owns `<git dir>/redraft/`: its sub-folders and their names. Invariant: mode 0700, nothing outside it.

use super::error::TransactionError as Error;
use crate::worktree::dir::Dir;
use bstr::ByteSlice;
use std::io;
use std::path::{Path, PathBuf};

/// The folder, opened.
#[derive(Debug)]
pub struct State {
    path: PathBuf,
    pub(super) dir: Dir,
    pub(super) git_dir: Dir,
    pub(super) stage: Dir,
    pub(super) backups: Dir,
}

const NAME: &str = "redraft";
const STAGE: &str = "stage";
const BACKUPS: &str = "backups";

impl State {
    /// Opens the folder in `git_dir`, made where it is missing.
    ///
    /// # Errors
    /// The system's.
    pub fn open(git_dir: &Path) -> Result<Self, Error> {
        let git = Dir::open(git_dir).map_err(Error::io("open", "the git directory"))?;
        let io = |verb| Error::io(verb, "redraft's folder in the git directory");
        let name = NAME.as_bytes().as_bstr();
        let dir = match git.child(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                git.mkdir(name, 0o700).map_err(io("make"))?;
                git.child(name).map_err(io("open"))?
            }
            opened => opened.map_err(io("open"))?,
        };
        let sub = |name: &str| {
            let raw = name.as_bytes().as_bstr();
            match dir.child(raw) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    dir.mkdir(raw, 0o700).and_then(|_| dir.child(raw)).map_err(io("make"))
                }
                opened => opened.map_err(io("open")),
            }
        };
        let (stage, backups) = (sub(STAGE)?, sub(BACKUPS)?);
        Ok(Self { path: git_dir.join(NAME), dir, git_dir: git, stage, backups })
    }

    /// Opens the folder only if there is one: for readers and dry runs, which make nothing.
    ///
    /// # Errors
    /// The system's.
    pub fn open_existing(git_dir: &Path) -> Result<Option<Self>, Error> {
        if git_dir.join(NAME).join(BACKUPS).is_dir() && git_dir.join(NAME).join(STAGE).is_dir() {
            Self::open(git_dir).map(Some)
        } else {
            Ok(None)
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder itself.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Where new files are staged.
    pub fn stage_path(&self) -> PathBuf {
        self.path.join(STAGE)
    }

    /// The name of the folder of one transaction's backups: UTC timestamp to the millisecond, and the record.
    pub fn backup_name(time: jiff::Timestamp, id: &crate::id::RecordId) -> String {
        format!("{}-{id}", time.strftime("%Y%m%dT%H%M%S.%3fZ"))
    }

    /// Where backups are kept.
    pub fn backups_path(&self) -> PathBuf {
        self.path.join(BACKUPS)
    }
}
