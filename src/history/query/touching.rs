//! The commits that touch some files, under the names, too, that commits give them.
//!
//! Owns following the names. What the commits hold is asked by others.

use crate::git::{GitCommit, Repo, RepoError, Tips};
use crate::id::CommitId;
use crate::path::RepoPath;
use std::collections::BTreeSet;

/// A file that is renamed again and again is followed so often.
pub(super) const MOST_RENAMES: usize = 8;

/// The commits, oldest first, that touch these paths, also under the names that they are given later; and all these paths.
///
/// # Errors
/// Where git fails.
pub(super) fn touching(
    repo: &Repo,
    tips: Tips,
    since: Option<CommitId>,
    mut paths: BTreeSet<RepoPath>,
) -> Result<(Vec<GitCommit>, BTreeSet<RepoPath>), RepoError> {
    for _ in 0..MOST_RENAMES {
        let named: Vec<RepoPath> = paths.iter().cloned().collect();
        let commits = repo.commits_touching(tips, since, &named)?;
        let files = commits.iter().flat_map(|commit| &commit.files);
        let renamed = files.filter(|file| file.from.as_ref().is_some_and(|from| paths.contains(from)));
        let new: Vec<RepoPath> = renamed.map(|file| file.path.clone()).filter(|path| !paths.contains(path)).collect();
        if new.is_empty() {
            return Ok((commits, paths));
        }
        paths.extend(new);
    }
    let named: Vec<RepoPath> = paths.iter().cloned().collect();
    Ok((repo.commits_touching(tips, since, &named)?, paths))
}
