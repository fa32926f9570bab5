//! A lock file of git's that can be told from anybody else's, also once the run that took it was killed.
//!
//! Owns how: the lock is a second name of a file of our own, `<own>.held`, which says where the lock lies; what takes the
//! lock file's place is `<own>.next` before. So there is no moment in which the lock is there and is not known for ours.
//! Does not wait, and does not know when a run is dead.
//! Invariant: of what is left, only the very file that has a name of ours is taken away; as long as it has one, no other
//! file can be taken for it.

use bstr::ByteSlice;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const HELD: &str = ".held";
const NEXT: &str = ".next";

/// A lock file, taken or not; dropping it takes away what is there of it.
pub(super) struct LockFile {
    path: PathBuf,
    own: PathBuf,
    is_taken: bool,
}

impl LockFile {
    /// Makes ready to take the lock `path`; the names of our own begin with `own`.
    ///
    /// # Errors
    /// Where our own file cannot be written.
    pub fn new(git_dir: &Path, path: PathBuf, own: &Path) -> io::Result<Self> {
        let lock = Self { path, own: own.to_owned(), is_taken: false };
        lock.forget()?;
        // Relative to the git directory, so that a repository that was moved meanwhile is freed, too.
        let place = lock.path.strip_prefix(git_dir).unwrap_or(&lock.path);
        let mut held = fs::File::options().write(true).create_new(true).open(named(own, HELD))?;
        held.write_all(place.as_os_str().as_encoded_bytes())?;
        Ok(lock)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes it; says whether it is ours now, else somebody else holds it.
    ///
    /// # Errors
    /// Where it can be neither linked nor made.
    pub fn try_take(&mut self) -> io::Result<bool> {
        let held = named(&self.own, HELD);
        let taken = match fs::hard_link(&held, &self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            // A file system without links, or another one: such a lock is nobody's, once its run is dead.
            Err(_) => fs::File::options().write(true).create_new(true).open(&self.path).map(drop),
            linked => linked,
        };
        match taken {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            taken => taken.map(|()| self.is_taken = true).map(|()| true),
        }
    }

    /// Puts `new` in the lock file's place.
    ///
    /// # Errors
    /// Where it cannot be renamed, nor copied there.
    pub fn replace(&self, new: &Path) -> io::Result<()> {
        // Without links it goes on without; recovery then lets the lock be.
        let _ = fs::hard_link(new, named(&self.own, NEXT));
        match fs::rename(new, &self.path) {
            // The lock file is ours, so what is on another file system may be written into it.
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                fs::copy(new, &self.path)?;
                fs::remove_file(new)
            }
            renamed => renamed,
        }
    }

    /// Puts the lock file in the place of `target`, which releases the lock.
    ///
    /// # Errors
    /// Where it cannot be renamed; the lock is taken away then.
    pub fn commit(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_taken = false;
        Ok(())
    }

    /// Removes the names of our own.
    fn forget(&self) -> io::Result<()> {
        for end in [NEXT, HELD] {
            match fs::remove_file(named(&self.own, end)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        if self.is_taken {
            let _ = fs::remove_file(&self.path);
        }
        // Our own names go last: as long as one is there, the lock is looked for.
        let _ = self.forget();
    }
}

/// Takes away the lock that a dead run left, where `left`, a file in our own folder, is its note of one; the note stays.
///
/// # Errors
/// Where the lock is ours, and cannot be removed.
pub fn release_left_lock(git_dir: &Path, left: &Path) -> io::Result<()> {
    let name = left.as_os_str().as_encoded_bytes();
    let Some(own) = name.strip_suffix(HELD.as_bytes()).and_then(|own| own.to_path().ok()) else { return Ok(()) };
    let said = match fs::read(left) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        said => said?,
    };
    // After a power cut the note may be empty.
    let place = said.to_path().ok().filter(|place| !place.as_os_str().is_empty());
    let lock = git_dir.join(place.unwrap_or(Path::new("index.lock")));
    let Some(found) = identity(&lock) else { return Ok(()) };
    let is_ours = [HELD, NEXT].iter().any(|end| identity(&named(own, end)) == Some(found));
    if is_ours { fs::remove_file(&lock) } else { Ok(()) }
}

fn named(own: &Path, end: &str) -> PathBuf {
    let mut name = own.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Whether two paths are names of one file.
pub(super) fn is_one_file(one: &Path, other: &Path) -> bool {
    identity(one).is_some_and(|found| identity(other) == Some(found))
}

/// What tells a file from every other: none where there is none, or that cannot be known.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|meta| (meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}
