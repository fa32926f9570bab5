//! The commits that touch some files, under the names, too, that commits give them; and by which lines one finds them.
//!
//! Owns following the names. What the commits hold is asked by others.

use super::blobs::Blobs;
use crate::git::{ChangedFile, GitCommit, Repo, RepoError, Tips};
use crate::history::error::HistoryError;
use crate::history::held::{ByLine, HeldFile};
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

/// Commits that touch some paths, and by which lines one finds them.
pub(super) struct Touching<'c> {
    commits: &'c [GitCommit],
    by_line: ByLine,
    /// Those that give such a file another name, or make one, whatever lines they bring.
    of_names: BTreeSet<usize>,
}

impl<'c> Touching<'c> {
    pub(super) fn of(
        commits: &'c [GitCommit],
        paths: &BTreeSet<RepoPath>,
        blobs: &Blobs<'_>,
    ) -> Result<Self, HistoryError> {
        let mut it = Self { commits, by_line: ByLine::default(), of_names: BTreeSet::new() };
        // The newest first: git stores an older version as what differs from a newer one.
        for (n, commit) in commits.iter().enumerate().rev() {
            let is_meant = |file: &&ChangedFile| {
                paths.contains(&file.path) || file.from.as_ref().is_some_and(|from| paths.contains(from))
            };
            for file in commit.files.iter().filter(is_meant) {
                if file.from.is_some() || file.old.iter().all(Option::is_none) {
                    it.of_names.insert(n);
                } else {
                    it.by_line.add(n, &*blobs.brought(&file.old, file.new)?);
                }
            }
        }
        Ok(it)
    }

    /// The commits that may hold some of these files, in their order.
    pub(super) fn that_may_hold<'f>(&self, files: impl Iterator<Item = &'f HeldFile>) -> Vec<&'c GitCommit> {
        let mut which = self.of_names.clone();
        for file in files {
            match file.may_be_among(&self.by_line) {
                Some(some) => which.extend(some),
                None => which.extend(0..self.commits.len()),
            }
        }
        which.into_iter().filter_map(|n| self.commits.get(n)).collect()
    }
}
