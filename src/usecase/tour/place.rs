//! The folder of a tour.
//!
//! Owns which may be one: a new one, or one that is empty, and in no git directory. Does not put anything into it.

use crate::env::{Env, temporary_folder};
use crate::error::Error;
use crate::worktree::WorktreeError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Makes the folder, or finds that it is empty; without a name a new one below the system's temporary folder, which only the user may read.
/// Gives its name without symlinks.
///
/// # Errors
/// Where it is there and no empty folder, lies in a git directory, or cannot be made.
pub fn place(env: &Env, name: Option<&Path>) -> Result<PathBuf, Error> {
    let Some(name) = name else { return temporary(env) };
    let (path, shown) = (env.cwd().join(name), name.to_string_lossy().into_owned());
    let taken = |what| Error::from(WorktreeError::NotEmpty { path: shown.clone(), what });
    match fs::read_dir(&path) {
        Ok(mut entries) => match entries.next() {
            Some(_) => return Err(taken("is there already, and is not empty")),
            None => is_outside_git(&path, &shown)?,
        },
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(taken("is no folder")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            is_outside_git(&path, &shown)?;
            fs::create_dir_all(&path).map_err(WorktreeError::io("make", shown.clone()))?;
        }
        Err(error) => return Err(WorktreeError::io("read", shown)(error).into()),
    }
    real(&path)
}

fn temporary(env: &Env) -> Result<PathBuf, Error> {
    let folder = temporary_folder();
    let bytes: [u8; 4] = env.random().map_err(Error::io("draw", "a random name"))?;
    let name: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let path = folder.join(format!("redraft-tour-{name}"));
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&path).map_err(WorktreeError::io("make", path.to_string_lossy()))?;
    real(&path)
}

fn real(path: &Path) -> Result<PathBuf, Error> {
    Ok(fs::canonicalize(path).map_err(WorktreeError::io("find", path.to_string_lossy()))?)
}

/// What is made in a git directory would be another repository's.
fn is_outside_git(path: &Path, shown: &str) -> Result<(), Error> {
    let there = path.ancestors().find_map(|path| fs::canonicalize(path).ok()).unwrap_or_default();
    let is_git = |part: std::path::Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
    if there.components().chain(path.components()).any(is_git) {
        return Err(WorktreeError::GitInternals(shown.to_owned()).into());
    }
    Ok(())
}
