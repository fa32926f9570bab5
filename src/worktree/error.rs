//! What can be wrong with a place below the root.
//!
//! Owns the causes. Does not know what was to be done there.

use crate::code::{Explanation, Reason};
use std::io;

/// Why a place below the root cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorktreeError {
    /// A symlink on the way leads to nothing.
    #[error(
        "file not found: {0} is, or is reached through, a symbolic link that leads to nothing; name the file itself"
    )]
    DanglingLink(String),
    /// There is no such file.
    #[error("file not found: {0}; check the path, or send `content` to create it")]
    NoSuchFile(String),
    /// A component on the way is no directory.
    #[error("{0} cannot be reached: {1} on the way is not a directory; check the path")]
    NotADirectory(String, String),
    /// The file system takes no such name.
    #[error("{0} has a name that the file system does not take ({1}); give a shorter one")]
    BadName(String, io::Error),
    /// The path is a directory.
    #[error("path is a directory, not a file: {0}; name a file in it")]
    Directory(String),
    /// FIFO, socket, device.
    #[error("{0} is a {1}, not a regular file; name a regular file, redraft edits nothing else")]
    SpecialFile(String, &'static str),
    /// A symlink leads outside the root.
    #[error("{0} is reached through a symbolic link that leads outside the root; edit the target where it is")]
    SymlinkEscape(String),
    /// A symlink leads into git's own files.
    #[error("{0} leads into git's own files, which redraft never edits; use git itself to change them")]
    GitInternals(String),
    /// The path is in a repository inside this one.
    #[error("{0} belongs to another repository inside this one ({1}); run redraft there")]
    Submodule(String, String),
    /// The system forbids reading.
    #[error("{path} cannot be read: {source}; check its permissions")]
    Unreadable {
        /// As the answer names it.
        path: String,
        /// The system's words.
        source: io::Error,
    },
    /// The system, or the file's own mode, forbids writing.
    #[error("{path} cannot be written: {why}; change that first, if the edit is wanted")]
    Unwritable {
        /// As the answer names it.
        path: String,
        /// In words.
        why: String,
    },
    /// A kind of file that an edit by replacement would not leave as it is.
    #[error("{path} is not edited: {why}")]
    UnsupportedFile {
        /// As the answer names it.
        path: String,
        /// In words, with the setting that allows it.
        why: String,
    },
    /// The file is larger than the limit.
    #[error(
        "{path} has {size} bytes, and the limit is {limit}; split the file, or raise git config redraft.maxFileSize"
    )]
    TooLarge {
        /// As the answer names it.
        path: String,
        /// In bytes.
        size: u64,
        /// In bytes.
        limit: u64,
    },
    /// Something is where a new file should go.
    #[error("{0} exists already; edit it, or send `overwrite: true` with its whole content")]
    Exists(String),
    /// Another process changed the file between matching and writing.
    #[error(
        "{path} was changed by something else while it was being edited ({what}); nothing was written: read it again and send the edit again"
    )]
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

    /// What to tell the caller.
    pub fn explain(&self) -> Explanation {
        let told = |reason| Explanation::new(reason, self.to_string());
        match self {
            Self::NoSuchFile(path) | Self::DanglingLink(path) => told(Reason::NoSuchFile).at_path(path),
            Self::NotADirectory(path, _) | Self::BadName(path, _) => told(Reason::BadPath).at_path(path),
            Self::Directory(path) => told(Reason::Directory).at_path(path),
            Self::SpecialFile(path, _) => told(Reason::SpecialFile).at_path(path),
            Self::SymlinkEscape(path) => told(Reason::SymlinkEscape).at_path(path),
            Self::GitInternals(path) => told(Reason::GitInternals).at_path(path),
            Self::Submodule(path, _) => told(Reason::Submodule).at_path(path),
            Self::Unreadable { path, .. } => told(Reason::Unreadable).at_path(path),
            Self::Unwritable { path, .. } => told(Reason::Unwritable).at_path(path),
            Self::UnsupportedFile { path, .. } => told(Reason::UnsupportedFile).at_path(path),
            Self::TooLarge { path, size, limit } => {
                told(Reason::TooLarge).at_path(path).with_hint("size_bytes", *size).with_hint("limit_bytes", *limit)
            }
            Self::Exists(path) => told(Reason::Exists).at_path(path),
            Self::ChangedWhileEditing { path, .. } => told(Reason::ChangedWhileEditing).at_path(path),
            Self::Io { path, source, .. } => explain_io(self.to_string(), path, source),
        }
    }
}

/// A full disk and missing rights have reasons of their own, whatever was being done.
pub fn explain_io(message: String, path: &str, source: &io::Error) -> Explanation {
    use io::ErrorKind as K;
    let (reason, next) = match source.kind() {
        K::StorageFull | K::QuotaExceeded => (Reason::NoSpace, "make room on the disk, then send the request again"),
        K::PermissionDenied | K::ReadOnlyFilesystem => {
            (Reason::Unwritable, "give this user the right to write there, then send the request again")
        }
        _ => (Reason::Io, "nothing was changed; send the request again, and look at the disk if it fails again"),
    };
    Explanation::new(reason, format!("{message}; {next}")).with_hint("path", path)
}
