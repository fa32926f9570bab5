//! Where a report is put: the one file of the working tree that no transaction writes, for a person names it.
//!
//! Owns that no file is lost by it: only another report, or an empty file, is written over. Does not know what makes a file a report.
//! Invariant: it is written beside its place and renamed into it; where nothing was, by a rename that replaces nothing.

use crate::env::Env;
use crate::error::Error;
use crate::worktree::WorktreeError;
use std::fs::{self, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where a report goes that is given no name.
pub const DEFAULT_NAME: &str = "redraft-report.html";
/// So far the beginning of a file is looked at, in bytes.
const BEGINNING: u64 = 4 << 10;

/// Writes a report to a file, by its name in the current directory; gives its whole name. `is_report` is shown how a file begins. The
/// rights of a report that is written over stay as they are.
///
/// # Errors
/// Where something else than a report, or an empty file, has the name, or comes to have it meanwhile; where it is a link to nothing,
/// or a file that may not be written; where it cannot be written.
pub fn save(env: &Env, name: &Path, page: &[u8], is_report: fn(&[u8]) -> bool) -> Result<PathBuf, Error> {
    let target = Target::find(env.cwd().join(name), name.to_string_lossy().into_owned(), is_report)?;
    target.put(page)?;
    Ok(target.path)
}

/// A place where a report may be put.
struct Target {
    path: PathBuf,
    /// As it was given.
    shown: String,
    /// What is there to be written over; none where nothing is.
    old: Option<Metadata>,
}

impl Target {
    fn find(path: PathBuf, shown: String, is_report: fn(&[u8]) -> bool) -> Result<Self, Error> {
        let read = || Error::io("read", shown.clone());
        match fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => return Err(WorktreeError::Directory(shown).into()),
            Ok(meta) if !meta.is_file() => return Err(WorktreeError::SpecialFile(shown, "special file").into()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return match fs::symlink_metadata(&path) {
                    Ok(_) => Err(WorktreeError::DanglingLink(shown).into()),
                    Err(_) => Ok(Self { path, shown, old: None }),
                };
            }
            Err(error) => return Err(Error::io("write", shown)(error)),
        }
        // What a link leads to is the file, as for any program that writes one.
        let path = fs::canonicalize(&path).map_err(read())?;
        let file = fs::File::open(&path).map_err(read())?;
        let meta = file.metadata().map_err(read())?;
        let mut beginning = Vec::new();
        file.take(BEGINNING).read_to_end(&mut beginning).map_err(read())?;
        if !beginning.is_empty() && !is_report(&beginning) {
            return Err(WorktreeError::NoReport(shown).into());
        }
        // A rename asks for the folder's rights only; and who is root may write everything.
        if meta.permissions().readonly() {
            return Err(WorktreeError::Unwritable { path: shown, why: "it is read-only", unusual: None }.into());
        }
        fs::OpenOptions::new().write(true).open(&path).map_err(Error::io("write", shown.clone()))?;
        Ok(Self { path, shown, old: Some(meta) })
    }

    fn put(&self, page: &[u8]) -> Result<(), Error> {
        let beside = self.beside(page).map_err(Error::io("write", self.shown.clone()))?;
        let done = match &self.old {
            None => beside.persist_noclobber(&self.path),
            Some(old) => {
                let now = fs::symlink_metadata(&self.path);
                if !now.is_ok_and(|now| is_same(old, &now)) {
                    return Err(self.changed("it is another file now"));
                }
                beside.persist(&self.path)
            }
        };
        match done {
            Ok(_) => Ok(()),
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(self.changed("it was not there before"))
            }
            Err(failed) => Err(Error::io("write", self.shown.clone())(failed.error)),
        }
    }

    /// The page in a file of its own, with the rights that it is to have.
    fn beside(&self, page: &[u8]) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".redraft-report-").suffix(".tmp");
        // Less the process's mask, as for any new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(self.path.parent().unwrap_or(&self.path))?;
        file.write_all(page)?;
        if let Some(old) = &self.old {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(file)
    }

    fn changed(&self, what: &str) -> Error {
        WorktreeError::ChangedWhileEditing { path: self.shown.clone(), what: what.to_owned() }.into()
    }
}

/// Whether a file is the one that was looked at, as far as the system tells.
fn is_same(old: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    let id = |meta: &Metadata| {
        use std::os::unix::fs::MetadataExt;
        (meta.dev(), meta.ino())
    };
    #[cfg(not(unix))]
    let id = |_: &Metadata| ();
    let key = |meta: &Metadata| (meta.is_file(), meta.len(), meta.modified().ok(), id(meta));
    key(old) == key(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_page(beginning: &[u8]) -> bool {
        beginning.starts_with(b"page")
    }

    /// What another program wrote between the look and the rename was lost.
    #[test]
    fn what_comes_there_meanwhile_is_not_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("r.html");
        let find = || Target::find(path.clone(), "r.html".to_owned(), is_page).expect("it may be put there");
        let refused = |target: &Target| {
            let error = target.put(b"page 2").expect_err("somebody else was there");
            assert!(error.to_string().contains("was changed by something else"), "{error}");
            assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1, "nothing is left beside it");
        };
        let target = find();
        fs::write(&path, "mine").expect("written");
        refused(&target);
        assert_eq!(fs::read(&path).expect("read"), b"mine");

        fs::write(&path, "page 1").expect("written");
        let target = find();
        fs::write(&path, "my own page").expect("written");
        refused(&target);
        assert_eq!(fs::read(&path).expect("read"), b"my own page");

        fs::write(&path, "page 1").expect("written");
        find().put(b"page 2").expect("put");
        assert_eq!(fs::read(&path).expect("read"), b"page 2");
    }
}
