//! Directories as handles: once a directory is open, only handle and name are used, so that a symlink that is swapped in
//! cannot lead a write outside.
//!
//! Owns the raw calls and their portable stand-ins. Does not decide what may be edited.
//! `--cfg redraft_portable` builds the stand-ins on Unix too, so that they can be tried without another system.
//! Invariant: no call here follows a symlink, in any component.

#[cfg(all(target_os = "linux", not(redraft_portable)))]
mod acl;
#[cfg(any(not(unix), redraft_portable))]
mod portable;
#[cfg(all(unix, not(redraft_portable)))]
mod unix;

#[cfg(any(not(unix), redraft_portable))]
pub use portable::Dir;
#[cfg(all(unix, not(redraft_portable)))]
pub use unix::Dir;

/// What sort of thing a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, not followed.
    Symlink,
    /// A FIFO, a socket, a device.
    Special(&'static str),
}

/// What is known of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    /// What it is.
    pub kind: Kind,
    /// Device and inode: the same file as long as both are the same and it is held open.
    pub identity: (u64, u64),
    /// The number of names.
    pub links: u64,
    /// In bytes.
    pub size: u64,
    /// Modification time, nanoseconds since 1970-01-01 UTC.
    pub mtime_ns: i128,
    /// Time of the last change of anything but the text, attributes and ACLs too; zero where the system does not tell.
    pub ctime_ns: i128,
    /// Permission bits, set-id and sticky bits included.
    pub mode: u32,
    /// Owner and group; zero where the system has none.
    pub owner: (u32, u32),
}

impl Meta {
    /// Modification time, milliseconds since 1970-01-01 UTC, rounded down.
    pub fn mtime_ms(&self) -> i64 {
        i64::try_from(self.mtime_ns.div_euclid(1_000_000)).unwrap_or(i64::MAX)
    }

    /// Whether it is the same file with the same size, times, mode and owner, as far as can be seen without reading it.
    pub fn looks_like(&self, other: &Self) -> bool {
        let seen = |m: &Self| (m.kind, m.identity, m.size, m.mtime_ns, m.ctime_ns, m.mode, m.owner);
        seen(self) == seen(other)
    }
}
