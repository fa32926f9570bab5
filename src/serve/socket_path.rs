//! Where the socket is.
//!
//! Owns the folder that it lies in, which nobody else may write.

use crate::env::Env;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The path of a socket.
#[derive(Debug, Clone)]
pub struct SocketPath(PathBuf);

impl SocketPath {
    /// `REDRAFT_SOCKET`, else `redraft/serve` in the user's runtime folder, else in a folder of the user's for temporary files.
    pub fn of(env: &Env) -> Self {
        if let Some(path) = env.variable("REDRAFT_SOCKET").filter(|path| !path.is_empty()) {
            return Self(env.cwd().join(path));
        }
        let runtime = env.variable("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|dir| dir.is_absolute());
        let folder = runtime.map_or_else(
            || PathBuf::from(format!("/tmp/redraft-{}", rustix::process::geteuid().as_raw())),
            |dir| dir.join("redraft"),
        );
        Self(folder.join("serve"))
    }

    /// This one.
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the folder, and refuses one that somebody else can write.
    ///
    /// # Errors
    /// Where it cannot be made, or is somebody else's.
    pub fn make_folder(&self) -> io::Result<()> {
        let Some(folder) = self.0.parent() else { return Ok(()) };
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        self.check_folder()
    }

    /// Refuses a folder that somebody else can write: the socket in it may be anybody's.
    ///
    /// # Errors
    /// Where it is so, or the folder is not there.
    pub fn check_folder(&self) -> io::Result<()> {
        let Some(folder) = self.0.parent() else { return Ok(()) };
        let meta = std::fs::symlink_metadata(folder)?;
        let is_own = meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o022 == 0;
        if meta.is_dir() && is_own {
            return Ok(());
        }
        let told = format!("{} is not yours alone to write", folder.display());
        Err(io::Error::new(io::ErrorKind::PermissionDenied, told))
    }
}
