//! Whether a transaction can be begun at all, as far as can be seen without writing: redraft's own folder must be writable.
//!
//! Owns that look. Who writes nevertheless is told by the system.

use std::io;
use std::path::{Path, PathBuf};

/// Why nothing can be written below a folder that need not exist, and where; none where nothing is in the way.
pub fn obstacle(folder: &Path) -> Option<(PathBuf, io::Error)> {
    let (there, meta) = folder.ancestors().find_map(|there| Some((there, there.metadata().ok()?)))?;
    let error = if meta.is_dir() { refused(there)? } else { io::ErrorKind::NotADirectory.into() };
    Some((there.to_owned(), error))
}

#[cfg(unix)]
fn refused(folder: &Path) -> Option<io::Error> {
    use rustix::fs::{Access, access};
    access(folder, Access::WRITE_OK | Access::EXEC_OK).err().map(io::Error::from)
}

/// There the mode of a folder does not tell.
#[cfg(not(unix))]
fn refused(_folder: &Path) -> Option<io::Error> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_can_be_made_has_none_and_one_below_a_file_has() {
        let dir = tempfile::tempdir().expect("a folder");
        let (file, below) = (dir.path().join("file"), dir.path().join("a/b/c"));
        std::fs::write(&file, "").expect("writes");
        assert!(obstacle(&below).is_none() && obstacle(dir.path()).is_none());
        let (place, error) = obstacle(&file.join("a/b")).expect("a file is no folder");
        assert_eq!((place, error.kind()), (file, io::ErrorKind::NotADirectory));
    }
}
