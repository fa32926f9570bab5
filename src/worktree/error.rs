//! What can be wrong with a place below the root.
//!
//! Owns the causes. Does not know what was to be done there.

use super::unusual::Unusual;
use crate::code::Reason;
use std::io;

/// Why a place below the root cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorktreeError {
    /// A symlink on the way leads to nothing.
    #[error("file not found: {0} is, or is reached through, a symbolic link that leads to nothing")]
    DanglingLink(String),
    /// There is no such file.
    #[error("file not found: {0}")]
    NoSuchFile(String),
    /// A component on the way is no directory.
    #[error("{0} cannot be reached: {1} on the way is not a directory")]
    NotADirectory(String, String),
    /// The file system takes no such name.
    #[error("{0} has a name that the file system does not take ({1})")]
    BadName(String, io::Error),
    /// The path is a directory.
    #[error("path is a directory, not a file: {0}")]
    Directory(String),
    /// FIFO, socket, device.
    #[error("{0} is a {1}, not a regular file")]
    SpecialFile(String, &'static str),
    /// A symlink leads outside the root.
    #[error("{0} is reached through a symbolic link that leads outside the root")]
    SymlinkEscape(String),
    /// A symlink leads into git's own files.
    #[error("{0} leads into git's own files, which redraft never edits")]
    GitInternals(String),
    /// The path is in a repository inside this one.
    #[error("{0} belongs to another repository inside this one ({1})")]
    Submodule(String, String),
    /// A new file would make a directory another repository.
    #[error("{0} would make a git repository of {1}, whose configuration git would then obey")]
    MakesRepository(String, String),
    /// The system forbids reading.
    #[error("{path} cannot be read: {source}")]
    Unreadable {
        /// As the answer names it.
        path: String,
        /// The system's words.
        source: io::Error,
    },
    /// The system, or the file's own mode, forbids writing.
    #[error("{path} cannot be written: {why}")]
    Unwritable {
        /// As the answer names it.
        path: String,
        /// In words.
        why: &'static str,
        /// What the setting would have to allow; none where no setting helps.
        unusual: Option<Unusual>,
    },
    /// A kind of file that an edit by replacement would not leave as it is.
    #[error("{path} is not edited: {why}")]
    UnsupportedFile {
        /// As the answer names it.
        path: String,
        /// In words.
        why: &'static str,
        /// What the setting would have to allow.
        unusual: Unusual,
    },
    /// The file is larger than the limit.
    #[error("{path} has {size} bytes, and the limit is {limit}")]
    TooLarge {
        /// As the answer names it.
        path: String,
        /// In bytes.
        size: u64,
        /// In bytes.
        limit: u64,
    },
    /// The result would be larger than the limit.
    #[error("{path} would have {size} bytes, and the limit is {limit}")]
    ResultTooLarge {
        /// As the answer names it.
        path: String,
        /// In bytes.
        size: u64,
        /// In bytes.
        limit: u64,
    },
    /// Something is where a new file should go.
    #[error("{0} exists already")]
    Exists(String),
    /// Only a report is written over by a report.
    #[error("{0} is there already, and is no report of redraft")]
    NoReport(String),
    /// Only an empty folder is filled.
    #[error("{path} {what}")]
    NotEmpty {
        /// As the answer names it.
        path: String,
        /// What it is instead.
        what: &'static str,
    },
    /// A repository of one's own is made in no folder of another user.
    #[error("{0} belongs to another user, and git would not trust a repository there")]
    OthersFolder(String),
    /// Another process changed the file between matching and writing.
    #[error("{path} was changed by something else while it was being edited ({what})")]
    ChangedWhileEditing {
        /// As the answer names it.
        path: String,
        /// What was seen.
        what: String,
    },
    /// The operating system failed.
    #[error("cannot {verb} {path}: {source}")]
    Io {
        /// What was being done.
        verb: &'static str,
        /// To what.
        path: String,
        /// The system's words.
        source: io::Error,
    },
}

impl WorktreeError {
    /// An error of the operating system, with what was being done.
    pub fn io(verb: &'static str, path: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { verb, path, source }
    }

    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self {
            Self::NoSuchFile(_) | Self::DanglingLink(_) => Reason::NoSuchFile,
            Self::NotADirectory(..) | Self::BadName(..) => Reason::BadPath,
            Self::Directory(_) => Reason::Directory,
            Self::SpecialFile(..) => Reason::SpecialFile,
            Self::SymlinkEscape(_) => Reason::SymlinkEscape,
            Self::GitInternals(_) => Reason::GitInternals,
            Self::Submodule(..) | Self::MakesRepository(..) => Reason::Submodule,
            Self::Unreadable { source, .. } if is_system_failure(source) => Reason::Io,
            Self::Unreadable { .. } => Reason::Unreadable,
            Self::Unwritable { .. } => Reason::Unwritable,
            Self::UnsupportedFile { .. } => Reason::UnsupportedFile,
            Self::TooLarge { .. } | Self::ResultTooLarge { .. } => Reason::TooLarge,
            Self::Exists(_) | Self::NoReport(_) | Self::NotEmpty { .. } => Reason::Exists,
            Self::OthersFolder(_) => Reason::UnsafeOwner,
            Self::ChangedWhileEditing { .. } => Reason::ChangedWhileEditing,
            Self::Io { source, .. } => io_reason(source),
        }
    }
}

/// Whether the system could not, rather than would not: it has no more of something, or its disk fails.
#[cfg(unix)]
fn is_system_failure(source: &io::Error) -> bool {
    use rustix::io::Errno;
    let errno = Errno::from_io_error(source);
    errno.is_some_and(|errno| matches!(errno, Errno::NFILE | Errno::MFILE | Errno::NOMEM | Errno::IO))
}

#[cfg(not(unix))]
fn is_system_failure(source: &io::Error) -> bool {
    source.kind() == io::ErrorKind::OutOfMemory
}

/// A full disk and missing rights have reasons of their own, whatever was being done.
pub fn io_reason(source: &io::Error) -> Reason {
    use io::ErrorKind as K;
    match source.kind() {
        K::StorageFull | K::QuotaExceeded => Reason::NoSpace,
        K::PermissionDenied | K::ReadOnlyFilesystem => Reason::Unwritable,
        _ => Reason::Io,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_opened_for_want_of_handles_is_not_forbidden() {
        let reason = |source: io::Error| WorktreeError::Unreadable { path: "a".into(), source }.reason();
        let system = |errno: rustix::io::Errno| reason(errno.into());
        assert_eq!(system(rustix::io::Errno::NFILE), Reason::Io);
        assert_eq!(system(rustix::io::Errno::IO), Reason::Io);
        assert_eq!(system(rustix::io::Errno::ACCESS), Reason::Unreadable);
        assert_eq!(reason(io::ErrorKind::PermissionDenied.into()), Reason::Unreadable);
    }
}
