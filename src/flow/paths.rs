//! A caller's paths as paths below the root of the working tree.
//!
//! Owns what `--root` means. Does not look at files.

use crate::error::Error;
use crate::git::Repo;
use crate::path::{PathError, RepoPath};
use crate::policy::Finding;
use crate::request::PathArg;
use bstr::{BString, ByteSlice};
use std::path::Path;

/// A path as the caller gave it, relative to the root of the working tree.
pub fn resolve(repo: &Repo, arg: &PathArg, sandbox: Option<&RepoPath>) -> Result<RepoPath, Error> {
    match arg {
        PathArg::Relative(path) => Ok(path.below(sandbox)),
        PathArg::Absolute(raw) => {
            let roots: Vec<BString> = [Some(repo.root()), repo.root_given()]
                .into_iter()
                .flatten()
                .filter_map(|root| <[u8]>::from_path(root).map(BString::from))
                .collect();
            let path = arg.resolve(&roots)?;
            match sandbox.filter(|sandbox| !path.is_below(sandbox)) {
                Some(_) => Err(PathError::Outside(raw.clone()).into()),
                None => Ok(path),
            }
        }
    }
}

/// `--root`, relative to the root of the working tree; none where it is that root.
pub fn sandbox(repo: &Repo, root: Option<&Path>) -> Result<Option<RepoPath>, Error> {
    let Some(root) = root else { return Ok(None) };
    let shown = root.to_string_lossy();
    let bad = |why: &dyn ToString| Finding::BadRoot(shown.clone().into_owned(), why.to_string());
    let real = std::fs::canonicalize(repo.env().cwd().join(root)).map_err(|error| bad(&error))?;
    if !real.is_dir() {
        return Err(bad(&"it is not a directory").into());
    }
    let outside = || PathError::Outside(<[u8]>::from_path(&real).unwrap_or_default().into());
    let below = real.strip_prefix(repo.root()).map_err(|_| outside())?;
    if below.as_os_str().is_empty() {
        return Ok(None);
    }
    Ok(Some(RepoPath::new(<[u8]>::from_path(below).ok_or_else(outside)?)?))
}
