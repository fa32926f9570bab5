//! Directory handles on Unix, by rustix.

use super::{Kind, Meta};
use crate::path::RepoPath;
use bstr::BStr;
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// An open directory.
#[derive(Debug)]
pub struct Dir(OwnedFd);

impl Dir {
    /// Opens the directory at `path`, symlinks followed: for the root and redraft's own folders only.
    ///
    /// # Errors
    /// `NotFound`, `NotADirectory`, or `PermissionDenied`.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(retry_on_intr(|| fs::open(path, DIRECTORY, Mode::empty()))?))
    }

    /// Opens the directory `path` below this one, without following any symlink; this one again for `None`.
    ///
    /// # Errors
    /// `FilesystemLoop` for a symlink on the way, `NotADirectory`, `NotFound`, `PermissionDenied`.
    pub fn beneath(&self, path: Option<&RepoPath>) -> io::Result<Self> {
        let Some(path) = path else {
            return Ok(Self(rustix::io::fcntl_dupfd_cloexec(&self.0, 0)?));
        };
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::ResolveFlags;
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
            let raw: &[u8] = path.as_bstr();
            match retry_on_intr(|| fs::openat2(&self.0, raw, DIRECTORY, Mode::empty(), resolve)) {
                Ok(fd) => return Ok(Self(fd)),
                // Old kernels and some sandboxes have no openat2.
                Err(Errno::NOSYS | Errno::PERM) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let mut at: Option<Self> = None;
        for name in path.components() {
            at = Some(at.as_ref().unwrap_or(self).child(name)?);
        }
        at.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }

    /// Opens the directory `name` in this one, unless it is a symlink.
    ///
    /// # Errors
    /// As [`Self::beneath`].
    pub fn child(&self, name: &BStr) -> io::Result<Self> {
        let raw: &[u8] = name;
        let opened = retry_on_intr(|| fs::openat(&self.0, raw, DIRECTORY | OFlags::NOFOLLOW, Mode::empty()));
        Ok(Self(opened?))
    }

    /// What `name` is, not following a symlink; `None` where there is nothing.
    ///
    /// # Errors
    /// Where the directory may not be looked into; a missing file is none.
    pub fn look(&self, name: &BStr) -> io::Result<Option<Meta>> {
        let raw: &[u8] = name;
        match retry_on_intr(|| fs::statat(&self.0, raw, AtFlags::SYMLINK_NOFOLLOW)) {
            Ok(stat) => Ok(Some(meta(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The components of what the symlink `name` points to; `None` where that starts at the root of the file system.
    ///
    /// # Errors
    /// `InvalidInput` where `name` is no symlink, `NotFound`, `PermissionDenied`.
    pub fn read_link(&self, name: &BStr) -> io::Result<Option<Vec<bstr::BString>>> {
        let raw: &[u8] = name;
        let target = retry_on_intr(|| fs::readlinkat(&self.0, raw, Vec::new()))?.into_bytes();
        Ok((!target.starts_with(b"/")).then(|| target.split(|&byte| byte == b'/').map(Into::into).collect()))
    }

    /// What this directory itself is.
    ///
    /// # Errors
    /// Where the file system it lies on does not answer.
    pub fn meta(&self) -> io::Result<Meta> {
        Ok(meta(&fs::fstat(&self.0)?))
    }

    /// Whether it was removed since it was opened: nothing can be made in it then.
    pub fn is_removed(&self) -> bool {
        self.meta().is_ok_and(|meta| meta.links == 0)
    }

    /// Which mount of which file system it lies in: files are renamed and linked within one only. Where the system does not tell of mounts,
    /// the file system alone.
    ///
    /// # Errors
    /// Where the file system it lies on does not answer.
    pub fn mount(&self) -> io::Result<(u64, u64)> {
        #[cfg(target_os = "linux")]
        if let Ok(stat) = fs::statx(&self.0, c"", fs::AtFlags::EMPTY_PATH, fs::StatxFlags::MNT_ID) {
            return Ok((fs::makedev(stat.stx_dev_major, stat.stx_dev_minor), stat.stx_mnt_id));
        }
        Ok((self.meta()?.identity.0, 0))
    }

    /// What an open file is.
    ///
    /// # Errors
    /// Where the file system it lies on does not answer.
    pub fn meta_of(file: &File) -> io::Result<Meta> {
        Ok(meta(&fs::fstat(file)?))
    }

    /// Opens a file for reading; never blocks on a FIFO, never follows a symlink.
    ///
    /// # Errors
    /// `NotFound`, `PermissionDenied`, `FilesystemLoop` for a symlink.
    pub fn read(&self, name: &BStr) -> io::Result<File> {
        let raw: &[u8] = name;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| fs::openat(&self.0, raw, flags, Mode::empty()))?.into())
    }

    /// Makes a new file for writing with these permission bits, as far as the umask lets them.
    ///
    /// # Errors
    /// `AlreadyExists` where the name is taken, `PermissionDenied`, `StorageFull`.
    pub fn create_new(&self, name: &BStr, mode: u32) -> io::Result<File> {
        let raw: &[u8] = name;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| fs::openat(&self.0, raw, flags, Mode::from_raw_mode(mode as _)))?.into())
    }

    /// Opens a file for reading and writing from its start, made where it is missing.
    ///
    /// # Errors
    /// Where it cannot be made or opened: `PermissionDenied`, `ReadOnlyFilesystem`.
    pub fn update(&self, name: &BStr) -> io::Result<File> {
        let raw: &[u8] = name;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| fs::openat(&self.0, raw, flags, Mode::RUSR | Mode::WUSR))?.into())
    }

    /// Gives a file a second name.
    ///
    /// # Errors
    /// `CrossesDevices` between file systems, `AlreadyExists` where the name is taken; where the file system has no hard links.
    pub fn link(&self, name: &BStr, to: &Self, to_name: &BStr) -> io::Result<()> {
        let (a, b): (&[u8], &[u8]) = (name, to_name);
        Ok(retry_on_intr(|| fs::linkat(&self.0, a, &to.0, b, AtFlags::empty()))?)
    }

    /// Exchanges two names in one step, where the system can.
    ///
    /// # Errors
    /// `Unsupported` where the system has no such call, `NotFound` where one of the two is gone.
    pub fn exchange(&self, name: &BStr, other: &Self, other_name: &BStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_vendor = "apple"))]
        {
            let (a, b): (&[u8], &[u8]) = (name, other_name);
            let flags = fs::RenameFlags::EXCHANGE;
            match retry_on_intr(|| fs::renameat_with(&self.0, a, &other.0, b, flags)) {
                Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => Err(io::ErrorKind::Unsupported.into()),
                done => Ok(done?),
            }
        }
        #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
        {
            let _ = (name, other, other_name);
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Moves a file to a name that must be free.
    ///
    /// # Errors
    /// `AlreadyExists` where the name is taken, `NotFound`, `CrossesDevices`.
    pub fn rename_new(&self, name: &BStr, to: &Self, to_name: &BStr) -> io::Result<()> {
        let (a, b): (&[u8], &[u8]) = (name, to_name);
        #[cfg(any(target_os = "linux", target_vendor = "apple"))]
        match retry_on_intr(|| fs::renameat_with(&self.0, a, &to.0, b, fs::RenameFlags::NOREPLACE)) {
            Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
            done => return Ok(done?),
        }
        // A link is the portable way to take a name only if it is free.
        retry_on_intr(|| fs::linkat(&self.0, a, &to.0, b, AtFlags::empty()))?;
        Ok(retry_on_intr(|| fs::unlinkat(&self.0, a, AtFlags::empty()))?)
    }

    /// Moves a file over whatever has the other name.
    ///
    /// # Errors
    /// `NotFound`, `CrossesDevices`, `PermissionDenied`.
    pub fn rename(&self, name: &BStr, to: &Self, to_name: &BStr) -> io::Result<()> {
        let (a, b): (&[u8], &[u8]) = (name, to_name);
        Ok(retry_on_intr(|| fs::renameat(&self.0, a, &to.0, b))?)
    }

    /// Removes a name; it is fine if it is gone already.
    ///
    /// # Errors
    /// Where it may not be removed; a missing one is fine.
    pub fn unlink(&self, name: &BStr) -> io::Result<()> {
        let raw: &[u8] = name;
        match retry_on_intr(|| fs::unlinkat(&self.0, raw, AtFlags::empty())) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a directory; says whether it was missing.
    ///
    /// # Errors
    /// Where it cannot be made; one that is there is told by `false`.
    pub fn mkdir(&self, name: &BStr, mode: u32) -> io::Result<bool> {
        let raw: &[u8] = name;
        match retry_on_intr(|| fs::mkdirat(&self.0, raw, Mode::from_raw_mode(mode as _))) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes an empty directory; says whether it was removed.
    ///
    /// # Errors
    /// Where it may not be removed; a missing one, and one that is not empty, are told by `false`.
    pub fn rmdir(&self, name: &BStr) -> io::Result<bool> {
        let raw: &[u8] = name;
        match retry_on_intr(|| fs::unlinkat(&self.0, raw, AtFlags::REMOVEDIR)) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The names in this directory.
    ///
    /// # Errors
    /// Where the directory cannot be listed.
    pub fn names(&self) -> io::Result<Vec<bstr::BString>> {
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(name.into());
            }
        }
        Ok(names)
    }

    /// The names of the symlinks in this directory. Where the system does not tell the kind of a name, it is looked at.
    ///
    /// # Errors
    /// Where the directory cannot be listed.
    pub fn symlinks(&self) -> io::Result<Vec<bstr::BString>> {
        let mut names = Vec::new();
        let mut taken = |name: &[u8], kind: FileType| -> io::Result<()> {
            let is_symlink = match kind {
                FileType::Unknown => self.look(name.into())?.is_some_and(|meta| meta.kind == Kind::Symlink),
                kind => kind == FileType::Symlink,
            };
            if is_symlink {
                names.push(name.into());
            }
            Ok(())
        };
        #[cfg(target_os = "linux")]
        {
            // The handle itself is read, so that no second one need be opened.
            let mut room = [std::mem::MaybeUninit::uninit(); 8192];
            let mut entries = fs::RawDir::new(&self.0, &mut room);
            while let Some(entry) = entries.next() {
                let entry = entry?;
                taken(entry.file_name().to_bytes(), entry.file_type())?;
            }
        }
        #[cfg(not(target_os = "linux"))]
        for entry in fs::Dir::read_from(&self.0)? {
            let entry = entry?;
            taken(entry.file_name().to_bytes(), entry.file_type())?;
        }
        Ok(names)
    }

    /// Makes the names in this directory durable.
    ///
    /// # Errors
    /// Where the disk does not take it.
    pub fn sync(&self) -> io::Result<()> {
        Ok(retry_on_intr(|| fs::fsync(&self.0))?)
    }

    /// Makes everything durable that was written in the file system that it lies in, where the system has that: for many files it takes
    /// less time than each of them by itself. Says whether it has.
    ///
    /// # Errors
    /// Where the disk does not take it.
    pub fn sync_all_of_it(&self) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        return Ok(retry_on_intr(|| rustix::fs::syncfs(&self.0)).map(|()| true)?);
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        Ok(false)
    }

    /// Whether this process may make and remove names here: by the mode for the owner, so that root is held to it too.
    ///
    /// # Errors
    /// Where that cannot be found out.
    pub fn is_writable(&self) -> io::Result<bool> {
        let meta = self.meta()?;
        if meta.owner.0 == rustix::process::geteuid().as_raw() {
            return Ok(meta.mode & 0o300 == 0o300);
        }
        let access = fs::Access::WRITE_OK | fs::Access::EXEC_OK;
        Ok(fs::accessat(&self.0, ".", access, AtFlags::EACCESS).is_ok())
    }

    /// Gives a new file the mode and owner of an old one, and where that is given, its extended attributes and ACLs.
    ///
    /// Attributes come before the mode: a change of owner clears set-id bits, and an ACL holds the mode too.
    ///
    /// # Errors
    /// Where owner, mode or an attribute cannot be set; an attribute that the new file system does not know is left out.
    pub fn copy_metadata(from: Option<&File>, from_meta: &Meta, to: &File) -> io::Result<()> {
        let mine = meta(&fs::fstat(to)?);
        let mut is_ready = mine.mode == from_meta.mode;
        if mine.owner != from_meta.owner {
            let uid = (mine.owner.0 != from_meta.owner.0).then(|| fs::Uid::from_raw(from_meta.owner.0));
            let gid = (mine.owner.1 != from_meta.owner.1).then(|| fs::Gid::from_raw(from_meta.owner.1));
            retry_on_intr(|| fs::fchown(to, uid, gid))?;
            is_ready = false;
        }
        if let Some(from) = from {
            copy_xattrs(from, to)?;
            is_ready = false;
        }
        if is_ready { Ok(()) } else { Self::set_mode(to, from_meta.mode) }
    }

    /// Whether a file may have extended attributes or ACLs to copy.
    pub fn has_attributes(file: &File) -> bool {
        !matches!(retry_on_intr(|| fs::flistxattr_query(file)), Ok(0) | Err(Errno::NOTSUP))
    }

    /// Gives a new file, made with `mode`, the group and the ACL that it would have got in `dir`.
    ///
    /// # Errors
    /// Where the group or the ACL of the directory cannot be found out, or not be given.
    pub fn inherit(file: &File, mode: u32, dir: &Self) -> io::Result<()> {
        Self::inherit_group(file, dir)?;
        #[cfg(target_os = "linux")]
        inherit_acl(file, mode, dir)?;
        #[cfg(not(target_os = "linux"))]
        let _ = mode;
        Ok(())
    }

    fn inherit_group(file: &File, dir: &Self) -> io::Result<()> {
        let above = dir.meta()?;
        if above.mode & 0o2000 == 0 || meta(&fs::fstat(file)?).owner.1 == above.owner.1 {
            return Ok(());
        }
        Ok(retry_on_intr(|| fs::fchown(file, None, Some(fs::Gid::from_raw(above.owner.1))))?)
    }

    /// Sets the permission bits, unless the file has them already: a power cut may keep a file and lose its later mode, so
    /// a file is best made with the right one.
    ///
    /// # Errors
    /// Where the mode cannot be changed.
    pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
        if meta(&fs::fstat(file)?).mode == mode {
            return Ok(());
        }
        Ok(retry_on_intr(|| fs::fchmod(file, Mode::from_raw_mode(mode as _)))?)
    }

    /// Whether a call failed because a symlink stood in the way (or led outside, to itself, or to another device).
    pub fn is_symlink_error(error: &io::Error) -> bool {
        [Errno::LOOP, Errno::XDEV].iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
    }

    /// The numeric user of this process.
    pub fn user() -> u32 {
        rustix::process::geteuid().as_raw()
    }
}

impl AsFd for Dir {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[allow(clippy::unnecessary_cast, reason = "the fields have other types on other systems")]
fn meta(stat: &fs::Stat) -> Meta {
    let kind = match FileType::from_raw_mode(stat.st_mode as _) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Symlink,
        FileType::Fifo => Kind::Special("FIFO"),
        FileType::Socket => Kind::Special("socket"),
        FileType::CharacterDevice | FileType::BlockDevice => Kind::Special("device"),
        FileType::Unknown => Kind::Special("file of an unknown kind"),
    };
    Meta {
        kind,
        identity: (stat.st_dev as u64, stat.st_ino as u64),
        links: stat.st_nlink as u64,
        size: stat.st_size as u64,
        mtime_ns: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
        ctime_ns: i128::from(stat.st_ctime) * 1_000_000_000 + i128::from(stat.st_ctime_nsec),
        mode: stat.st_mode as u32 & 0o7777,
        owner: (stat.st_uid, stat.st_gid),
    }
}

#[cfg(target_os = "linux")]
fn inherit_acl(file: &File, mode: u32, dir: &Dir) -> io::Result<()> {
    use super::acl::{ACCESS, DEFAULT, inherited};
    let size = match retry_on_intr(|| fs::fgetxattr_query(dir, DEFAULT)) {
        Ok(0) | Err(Errno::NODATA | Errno::NOTSUP) => return Ok(()),
        size => size?,
    };
    let mut default = vec![0_u8; size];
    let size = retry_on_intr(|| fs::fgetxattr(dir, DEFAULT, &mut default[..]))?;
    let Some(acl) = inherited(&default[..size], mode) else { return Ok(()) };
    Ok(retry_on_intr(|| fs::fsetxattr(file, ACCESS, &acl, fs::XattrFlags::empty()))?)
}

/// Copies every extended attribute (POSIX ACLs are two of them).
fn copy_xattrs(from: &File, to: &File) -> io::Result<()> {
    let size = match retry_on_intr(|| fs::flistxattr_query(from)) {
        Ok(0) | Err(Errno::NOTSUP) => return Ok(()),
        Ok(size) => size,
        Err(error) => return Err(error.into()),
    };
    let mut list = vec![0_u8; size];
    let size = retry_on_intr(|| fs::flistxattr(from, &mut list[..]))?;
    for name in list[..size].split(|&b| b == 0).filter(|name| !name.is_empty()) {
        let length = retry_on_intr(|| fs::fgetxattr_query(from, name))?;
        let mut value = vec![0_u8; length];
        let length = retry_on_intr(|| fs::fgetxattr(from, name, &mut value[..]))?;
        match retry_on_intr(|| fs::fsetxattr(to, name, &value[..length], fs::XattrFlags::empty())) {
            // Labels that the system sets by itself (security.selinux) may not be set by everybody, and need not be.
            Ok(()) | Err(Errno::NOTSUP) => {}
            Err(Errno::PERM | Errno::ACCESS) if !name.starts_with(b"user.") => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
