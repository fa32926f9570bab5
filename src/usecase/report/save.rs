//! Where a report is put.
//!
//! Owns that no file is lost by it: only another report is written over. It is written beside its place and renamed into it.

use crate::env::Env;
use crate::error::Error;
use crate::state_dir::{self, Durability};
use crate::worktree::WorktreeError;
use bstr::ByteSlice;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What every report has near its beginning.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"redraft report\">";
/// Where a report goes that is given no name.
pub const DEFAULT_NAME: &str = "redraft-report.html";
/// So far the beginning of a report is looked at, in bytes.
const BEGINNING: u64 = 4 << 10;

/// Writes a report to a file, by its name in the current directory; gives its whole name.
///
/// # Errors
/// Where something else than a report, or an empty file, has the name; where it cannot be written.
pub fn save(env: &Env, name: &Path, page: &[u8]) -> Result<PathBuf, Error> {
    let shown = || name.to_string_lossy().into_owned();
    let path = env.cwd().join(name);
    // What a link leads to is the file, as for any program that writes one.
    let path = fs::canonicalize(&path).unwrap_or(path);
    match fs::metadata(&path) {
        Ok(meta) if meta.is_dir() => return Err(WorktreeError::Directory(shown()).into()),
        Ok(meta) if !meta.is_file() => return Err(WorktreeError::SpecialFile(shown(), "special file").into()),
        Ok(meta) if meta.len() > 0 && !is_report(&path).map_err(Error::io("read", shown()))? => {
            return Err(WorktreeError::NoReport(shown()).into());
        }
        _ => {}
    }
    state_dir::write(&path, page, Durability::Fast).map_err(Error::io("write", shown()))?;
    Ok(path)
}

fn is_report(path: &Path) -> std::io::Result<bool> {
    let mut beginning = Vec::new();
    fs::File::open(path)?.take(BEGINNING).read_to_end(&mut beginning)?;
    Ok(beginning.contains_str(GENERATOR))
}
