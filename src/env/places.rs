//! Where this program is, and where what is temporary goes.
//!
//! Owns these two looks at the process, each made when it is asked for: hardly any command needs them.

use std::io;
use std::path::PathBuf;

/// The file of this program.
///
/// # Errors
/// Where the system does not tell.
pub fn program() -> io::Result<PathBuf> {
    std::env::current_exe()
}

/// The system's folder for what is temporary.
pub fn temporary_folder() -> PathBuf {
    std::env::temp_dir()
}
