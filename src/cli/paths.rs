//! Paths on the command line.
//!
//! Owns how an argument becomes a path of the repository. Does not look at files.

use crate::error::Error;
use crate::path::RepoPath;

/// Paths of the command line.
pub(super) fn parse(raw: &[String]) -> Result<Vec<RepoPath>, Error> {
    let paths = raw.iter().map(|path| RepoPath::new(path.trim_end_matches('/').as_bytes()));
    Ok(paths.collect::<Result<_, _>>()?)
}
