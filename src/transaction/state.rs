//! The state of one worktree, open for writing.
//!
//! Owns the handles of its folders. Where they lie is `state_dir/`'s.
//! Invariant: the folders are there as long as this is.

use super::error::TransactionError as Error;
use crate::state_dir::StateDir;
use crate::worktree::dir::Dir;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The folder of a worktree's state, opened.
#[derive(Debug)]
pub struct State {
    place: StateDir,
    pub(super) dir: Dir,
    pub(super) stage: Rc<Dir>,
    pub(super) backups: Dir,
}

impl State {
    /// Opens the folder, made where it is missing.
    ///
    /// # Errors
    /// Where it cannot be made or opened: a full disk, a git directory that is read-only, a file in the way.
    pub fn open(place: &StateDir) -> Result<Self, Error> {
        let io = |verb| Error::io(verb, "redraft's folder in the git directory");
        let dir = match Dir::open(place.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                place.make().map_err(io("make"))?;
                Dir::open(place.path()).map_err(io("open"))?
            }
            opened => opened.map_err(io("open"))?,
        };
        let sub = |path: PathBuf| {
            let name = path.file_name().expect("it has a name").as_encoded_bytes().into();
            match dir.child(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    dir.mkdir(name, 0o700).and_then(|_| dir.child(name)).map_err(io("make"))
                }
                opened => opened.map_err(io("open")),
            }
        };
        let (stage, backups) = (sub(place.stage())?, sub(place.backups())?);
        Ok(Self { place: place.clone(), dir, stage: Rc::new(stage), backups })
    }

    /// Opens the folder only if there is one: for readers and dry runs, which make nothing.
    ///
    /// # Errors
    /// Where it is there and cannot be opened.
    pub fn open_existing(place: &StateDir) -> Result<Option<Self>, Error> {
        if place.exists() { Self::open(place).map(Some) } else { Ok(None) }
    }

    /// Where it lies.
    pub fn place(&self) -> &StateDir {
        &self.place
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// The folder itself.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Where new files are staged.
    pub fn stage_path(&self) -> PathBuf {
        self.place.stage()
    }

    /// The name of the folder of one transaction's backups: UTC timestamp to the millisecond, and the record.
    pub fn backup_name(time: jiff::Timestamp, id: &crate::id::RecordId) -> String {
        format!("{}-{id}", time.strftime("%Y%m%dT%H%M%S.%3fZ"))
    }

    /// The folder of backups.
    pub fn backups(&self) -> &Dir {
        &self.backups
    }

    /// Where backups are kept.
    pub fn backups_path(&self) -> PathBuf {
        self.place.backups()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::RecordId;

    #[test]
    fn the_folder_of_backups_is_named_by_time_and_record() {
        let time = jiff::Timestamp::from_millisecond(1_700_000_000_012).expect("a time");
        let id = RecordId::from_random([0; 8]);
        assert_eq!(State::backup_name(time, &id), format!("20231114T221320.012Z-{id}"));
    }

    #[test]
    fn a_file_in_the_way_is_told_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = StateDir::new(folder.path(), "main");
        assert!(State::open_existing(&place).expect("nothing").is_none());
        State::open(&place).expect("made");
        assert!(State::open_existing(&place).expect("opens").is_some());
        for way in [place.stage(), place.path().to_owned()] {
            std::fs::remove_dir_all(&way).expect("removed");
            std::fs::write(&way, "in the way").expect("written");
            let told = State::open(&place).expect_err("a file is no folder").to_string();
            assert!(told.starts_with("cannot open "), "{told}");
            assert_eq!(std::fs::read_to_string(&way).expect("still there"), "in the way");
        }
    }
}
