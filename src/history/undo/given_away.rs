//! Whether somebody gave the name of a file to another one since a record, by what git had of both: in a commit since, or in the working
//! tree since HEAD.
//!
//! Owns that look, which tells of files that git got after the record, too. What git had when the record was made is `strangers`' affair.
//! Invariant: only a text counts that the other file had to the byte, and has no more; what the log has of the file is the file.

use super::moved::Lost;
use crate::git::{ChangedFile, Repo, Tips};
use crate::id::BlobId;

/// Whether the file at the name of a lost one, which has a text, is another one since.
pub(super) fn was_given_away(repo: &Repo, lost: &Lost<'_>, now: BlobId) -> bool {
    let base = lost.left.record.meta.base.filter(|base| repo.has_commit(*base));
    let name = std::slice::from_ref(lost.name);
    let commits = repo.commits_touching(Tips::Head, base, name).unwrap_or_default();
    let in_tree = repo.head_id().ok().flatten().and_then(|head| repo.changed_since(head).ok()).unwrap_or_default();
    let mut is_given = false;
    for commit in &commits {
        is_given = after(repo, lost, (&commit.files, None)).unwrap_or(is_given);
    }
    after(repo, lost, (&in_tree, Some(now))).unwrap_or(is_given)
}

/// Whether the name is another file's after a change of files, which left it with the text `now`, if git does not have that; none where
/// the change does not tell.
fn after(repo: &Repo, lost: &Lost<'_>, (files, now): (&[ChangedFile], Option<BlobId>)) -> Option<bool> {
    let own = files.iter().find(|file| file.path == *lost.name && file.from.is_none())?;
    let (had, new) = (own.old.iter().flatten().next()?, now.or(own.new)?);
    if lost.has(repo, new) {
        return Some(false);
    }
    let was_there = |other: &&ChangedFile| *had != new && other.old.contains(&Some(new)) && other.new != Some(new);
    files.iter().any(|other| was_there(&other)).then_some(true)
}
