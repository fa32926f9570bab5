//! Which git commit changed the lines that are in an undo's way, where no record did.
//!
//! Owns that look, which is made for a refusal only, and its bounds. Decides nothing about what is proven.
//! Invariant: a commit is named only where it wrote one of the lines there, or took one of the record's own away.

use super::told::lines;
use crate::git::{GitCommit, Repo, Tips};
use crate::history::error::UndoConflict;
use crate::history::reader::History;
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use crate::record::Record;

/// So many conflicts are looked up.
const MOST_CONFLICTS: usize = 3;

/// So many of the newest commits that touch a file are looked into.
const MOST_COMMITS: usize = 50;

/// Names the newest commit since the record that changed the lines of each conflict that no record is named for.
pub(super) fn name_commits(history: &History<'_>, undone: &[Record], conflicts: &mut [UndoConflict]) {
    let open = conflicts.iter_mut().filter(|conflict| conflict.changed_by.is_none() && conflict.text.is_some());
    for conflict in open.take(MOST_CONFLICTS) {
        let Some(record) = undone.iter().find(|record| record.id == conflict.record) else { continue };
        // Where git cannot tell, nothing is told.
        conflict.changed_in = newest(history, record, conflict);
    }
}

fn newest(history: &History<'_>, record: &Record, conflict: &UndoConflict) -> Option<CommitId> {
    let repo = history.repo();
    let today = RepoPath::new(conflict.path.as_bytes()).ok()?;
    let n = record.files.iter().position(|file| file.path == today).or((record.files.len() == 1).then_some(0))?;
    let file = record.files.get(n)?;
    let item = history.find(record.id.as_str()).ok()?;
    let texts = history.texts_if_whole(&item, record, n);
    let (before, after) = (texts.before()?, texts.after()?);
    let now = conflict.text.as_ref()?.as_bytes();
    let (before, after) = (lines(before), lines(after));
    // What the record itself wrote is no later change.
    let now: Vec<&[u8]> = lines(now).into_iter().filter(|line| !after.contains(line)).collect();
    let own: Vec<&[u8]> = after.difference(&before).copied().collect();
    // Without the commit that it was made on, all of history would have to be looked through.
    let base = record.meta.base;
    if base.is_some_and(|base| !repo.has_commit(base)) {
        return None;
    }
    let paths = [today, file.path.clone()];
    let commits = repo.commits_touching(Tips::Head, base, &paths).ok()?;
    let changed = |commit: &&GitCommit| {
        let of_file = commit.files.iter().filter(|file| paths.contains(&file.path));
        of_file.into_iter().any(|file| {
            let (old, new) = (text(repo, file.old.first().copied().flatten()), text(repo, file.new));
            let (old, new) = (lines(&old), lines(&new));
            now.iter().any(|line| new.contains(line) && !old.contains(line))
                || own.iter().any(|line| old.contains(line) && !new.contains(line))
        })
    };
    commits.iter().rev().take(MOST_COMMITS).find(changed).map(|commit| commit.id)
}

fn text(repo: &Repo, id: Option<BlobId>) -> Vec<u8> {
    id.and_then(|id| repo.blob(&id).ok()).unwrap_or_default()
}
