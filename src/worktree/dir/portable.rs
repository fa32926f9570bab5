//! Directory handles where the system has none that std offers: paths, checked component by component.
//!
//! Weaker than `unix.rs`: a symlink that is swapped in between check and use is followed, names cannot be exchanged in one
//! step (a rename over the target stands in), and directories cannot be synced.

use super::{Kind, Meta};
use crate::path::RepoPath;
use bstr::{BStr, ByteSlice};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};

/// A directory, by its path.
#[derive(Debug)]
pub struct Dir(PathBuf);

#[allow(missing_docs, reason = "the same calls as in unix.rs, documented there")]
impl Dir {
    pub fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() { Ok(Self(path.to_owned())) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    pub fn beneath(&self, path: Option<&RepoPath>) -> io::Result<Self> {
        let mut at = Self(self.0.clone());
        for name in path.iter().flat_map(|path| path.components()) {
            at = at.child(name)?;
        }
        Ok(at)
    }

    pub fn child(&self, name: &BStr) -> io::Result<Self> {
        let path = self.at(name);
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_symlink() {
            return Err(io::Error::other(SymlinkInTheWay));
        }
        Self::open(&path)
    }

    pub fn look(&self, name: &BStr) -> io::Result<Option<Meta>> {
        match fs::symlink_metadata(self.at(name)) {
            Ok(found) => Ok(Some(meta(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub fn read_link(&self, name: &BStr) -> io::Result<Option<Vec<bstr::BString>>> {
        let target = fs::read_link(self.at(name))?;
        let plain = |part: Component<'_>| {
            let name = !matches!(part, Component::Prefix(_) | Component::RootDir);
            name.then(|| part.as_os_str().to_string_lossy().into_owned().into())
        };
        Ok(target.components().map(plain).collect())
    }

    pub fn meta(&self) -> io::Result<Meta> {
        Ok(meta(&fs::metadata(&self.0)?))
    }

    pub fn is_removed(&self) -> bool {
        !self.0.exists()
    }

    pub fn mount(&self) -> io::Result<(u64, u64)> {
        Ok((self.meta()?.identity.0, 0))
    }

    pub fn meta_of(file: &File) -> io::Result<Meta> {
        Ok(meta(&file.metadata()?))
    }

    pub fn read(&self, name: &BStr) -> io::Result<File> {
        File::open(self.at(name))
    }

    pub fn create_new(&self, name: &BStr, _mode: u32) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create_new(true).open(self.at(name))
    }

    pub fn update(&self, name: &BStr) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(self.at(name))
    }

    pub fn link(&self, name: &BStr, to: &Self, to_name: &BStr) -> io::Result<()> {
        fs::hard_link(self.at(name), to.at(to_name))
    }

    pub fn exchange(&self, _: &BStr, _: &Self, _: &BStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn rename_new(&self, name: &BStr, to: &Self, to_name: &BStr) -> io::Result<()> {
        if fs::symlink_metadata(to.at(to_name)).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(self.at(name), to.at(to_name))
    }

    pub fn rename(&self, name: &BStr, to: &Self, to_name: &BStr) -> io::Result<()> {
        fs::rename(self.at(name), to.at(to_name))
    }

    pub fn unlink(&self, name: &BStr) -> io::Result<()> {
        missing_is_fine(fs::remove_file(self.at(name))).map(drop)
    }

    pub fn mkdir(&self, name: &BStr, _mode: u32) -> io::Result<bool> {
        match fs::create_dir(self.at(name)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub fn rmdir(&self, name: &BStr) -> io::Result<bool> {
        match fs::remove_dir(self.at(name)) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(false),
            done => missing_is_fine(done),
        }
    }

    pub fn names(&self) -> io::Result<Vec<bstr::BString>> {
        let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned().into());
        fs::read_dir(&self.0)?.map(name).collect()
    }

    pub fn symlinks(&self) -> io::Result<Vec<bstr::BString>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            if entry.file_type()?.is_symlink() {
                names.push(entry.file_name().to_string_lossy().into_owned().into());
            }
        }
        Ok(names)
    }

    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    pub fn sync_all_of_it(&self) -> io::Result<bool> {
        Ok(false)
    }

    pub fn is_writable(&self) -> io::Result<bool> {
        Ok(!fs::metadata(&self.0)?.permissions().readonly())
    }

    pub fn copy_metadata(_: Option<&File>, from_meta: &Meta, to: &File) -> io::Result<()> {
        let mut permissions = to.metadata()?.permissions();
        permissions.set_readonly(from_meta.mode & 0o222 == 0);
        to.set_permissions(permissions)
    }

    pub fn has_attributes(_: &File) -> bool {
        false
    }

    pub fn inherit(_: &File, _: u32, _: &Self) -> io::Result<()> {
        Ok(())
    }

    pub fn set_mode(_: &File, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub fn is_symlink_error(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<SymlinkInTheWay>())
    }

    pub fn user() -> u32 {
        0
    }

    fn at(&self, name: &BStr) -> PathBuf {
        self.0.join(name.to_path_lossy())
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a symbolic link stands in the way")]
struct SymlinkInTheWay;

fn missing_is_fine(done: io::Result<()>) -> io::Result<bool> {
    match done {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn meta(found: &fs::Metadata) -> Meta {
    let kind = match found.file_type() {
        kind if kind.is_symlink() => Kind::Symlink,
        kind if kind.is_dir() => Kind::Directory,
        kind if kind.is_file() => Kind::File,
        _ => Kind::Special("file of an unknown kind"),
    };
    let since = found.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    Meta {
        kind,
        identity: (0, 0),
        links: 1,
        size: found.len(),
        mtime_ns: since.map_or(0, |since| since.as_nanos() as i128),
        ctime_ns: 0,
        mode: if found.permissions().readonly() { 0o444 } else { 0o644 },
        owner: (0, 0),
    }
}
