//! What can go wrong with files, and what to tell the caller.

use crate::code::{Explanation, Reason};
use crate::id::RecordId;
use std::io;

/// An error of the transaction layer.
#[derive(Debug, thiserror::Error)]
pub enum TransactionError {
    /// A symlink on the way leads to nothing.
    #[error(
        "file not found: {0} is, or is reached through, a symbolic link that leads to nothing; name the file itself"
    )]
    DanglingLink(String),
    /// There is no such file.
    #[error("file not found: {0}; check the path, or send `content` to create it")]
    NoSuchFile(String),
    /// There is no backup of such a record, or several match.
    #[error("no single backup is of a record {0:?}; `redraft backups list` shows them")]
    NoSuchBackup(String),
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
    /// The lock was not free in time.
    #[error(
        "another redraft ({holder}) holds the lock, and did not release it within {waited_ms} ms; try again, or wait longer with --lock-timeout"
    )]
    LockTimeout {
        /// Process and start, as the lock file says.
        holder: String,
        /// Milliseconds.
        waited_ms: u64,
    },
    /// A transaction was interrupted and neither of its ends can be reached without a person.
    #[error(
        "an earlier transaction ({id}) was interrupted and cannot be finished: {what}; both versions are kept: {versions}"
    )]
    RecoveryNeeded {
        /// Of the transaction.
        id: RecordId,
        /// What stands in the way.
        what: String,
        /// Where both versions are.
        versions: String,
    },
    /// A verification failed, and the transaction was undone.
    #[error(
        "verification failed: `{command}` {how}; the edit was undone, nothing is changed; look at data.hint.output, then send a better edit"
    )]
    VerifyFailed {
        /// As it was run.
        command: String,
        /// Its exit status in words.
        how: String,
        /// Standard output and error, the last 8 KiB.
        output: String,
        /// Whether it ran past its limit.
        timed_out: bool,
    },
    /// The step in git after the exchange failed, and the transaction was undone.
    #[error("{}", .0.message)]
    Landing(Box<Explanation>),
    /// A test asked for a stop here.
    #[error("stopped by a test before: {0}")]
    Stopped(String),
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

impl TransactionError {
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
            Self::NoSuchBackup(_) => told(Reason::NoSuchRecord),
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
            Self::LockTimeout { holder, waited_ms } => {
                told(Reason::LockTimeout).with_hint("holder", holder.as_str()).with_hint("waited_ms", *waited_ms)
            }
            Self::RecoveryNeeded { id, versions, .. } => {
                told(Reason::RecoveryNeeded).with_hint("record", id.as_str()).with_hint("versions", versions.as_str())
            }
            Self::VerifyFailed { output, timed_out, .. } => {
                let reason = if *timed_out { Reason::VerifyTimeout } else { Reason::VerifyFailed };
                told(reason).with_hint("output", output.as_str())
            }
            Self::Landing(told) => (**told).clone(),
            Self::Stopped(_) => told(Reason::Io),
            Self::Io { path, source, .. } => explain_io(self.to_string(), path, source),
        }
    }
}

/// A full disk and missing rights have reasons of their own, whatever was being done.
fn explain_io(message: String, path: &str, source: &io::Error) -> Explanation {
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
