//! What no change may do, whatever it is for.
//!
//! Owns the refusals that look at several files, or at a file and what leads to it. Changes nothing.

use crate::change::ChangeKind;
use crate::error::Error;
use crate::git::Repo;
use crate::path::RepoPath;
use crate::policy::Finding;
use crate::state_dir::StateDir;
use crate::task::Judged;
use crate::transaction::{self, PlannedFile};
use crate::worktree::WorktreeError;
use crate::worktree::{Meta, Place, Root};

/// Refuses files that may not be replaced.
pub(super) fn refuse_unwritable_files(root: &Root, judged: &[Judged]) -> Result<(), Error> {
    Ok(judged.iter().try_for_each(|file| refuse_unwritable(root, &file.planned))?)
}

fn refuse_unwritable(root: &Root, file: &PlannedFile) -> Result<(), WorktreeError> {
    root.refuse_unwritable(&file.place, file.base_meta().filter(|_| file.from.is_none()))?;
    if let Some(from) = &file.from {
        root.refuse_unwritable(from, file.base_meta())?;
    }
    Ok(())
}

/// As [`refuse_unwritable_files`], without the lock: a name among the backups is none for the transaction that comes next.
pub(super) fn refuse_unwritable_in_dry_run(repo: &Repo, root: &Root, judged: &mut [Judged]) -> Result<(), Error> {
    match refuse_unwritable_files(root, judged) {
        Err(Error::Worktree(WorktreeError::UnsupportedFile { .. })) => {}
        refused => return refused,
    }
    let metas = judged.iter().filter_map(|file| file.planned.base_meta());
    let links = transaction::backup_links(&StateDir::of(repo), metas)?;
    for base in judged.iter_mut().filter_map(|file| file.planned.base.as_mut()) {
        let meta = &mut base.file.meta;
        meta.links = meta.links.saturating_sub(links.get(&meta.identity).copied().unwrap_or_default());
    }
    refuse_unwritable_files(root, judged)
}

/// The files that have more than one name, as they are now: at the first look one of them may have been the old file of another
/// transaction, whose backup it has become since.
pub(super) fn linked(root: &Root, judged: &[Judged]) -> Vec<Meta> {
    let had_links = |file: &&Judged| file.planned.base_meta().is_some_and(|meta| meta.links > 1);
    let places = judged.iter().filter(had_links).map(|file| file.planned.from.as_ref().unwrap_or(&file.planned.place));
    // One that cannot be looked at is told by the look that follows.
    places.filter_map(|place| root.look(place).ok().flatten()).collect()
}

/// To delete or rename a symlink is not to delete or rename the file it leads to, which an edit would change.
pub(super) fn refuse_link(repo: &Repo, asked: &RepoPath, found: &Place) -> Result<(), Error> {
    let is_link = || std::fs::symlink_metadata(repo.root().join(asked.to_path())).is_ok_and(|meta| meta.is_symlink());
    if found.path != *asked && is_link() {
        return Err(WorktreeError::SpecialFile(asked.to_string_lossy(), "symbolic link").into());
    }
    Ok(())
}

/// A file of the request cannot be below another one.
fn refuse_below_file(judged: &[Judged]) -> Result<(), Error> {
    let stays = |file: &&PlannedFile| file.change != ChangeKind::Delete;
    let files = judged.iter().map(|file| &file.planned).filter(stays);
    let files: std::collections::BTreeSet<_> = files.map(|file| &file.place.path).collect();
    for path in &files {
        let mut above = path.parent();
        while let Some(dir) = above {
            if files.contains(&dir) {
                return Err(Finding::BelowFile(path.to_string_lossy(), dir.to_string_lossy()).into());
            }
            above = dir.parent();
        }
    }
    Ok(())
}

/// Files that come into being do not make a repository of their directory.
fn refuse_new_repository(root: &Root, judged: &[Judged]) -> Result<(), WorktreeError> {
    let is_new = |file: &&PlannedFile| matches!(file.change, ChangeKind::Create | ChangeKind::Rename);
    root.refuse_new_repository(judged.iter().map(|file| &file.planned).filter(is_new).map(|file| &file.place.path))
}

/// Two names may lead to one file: by a symlink, by a hard link, by case.
pub(super) fn refuse_same_file(root: &Root, judged: &[Judged]) -> Result<(), Error> {
    refuse_below_file(judged)?;
    refuse_new_repository(root, judged)?;
    let mut by_path = std::collections::BTreeMap::new();
    let mut by_identity = std::collections::BTreeMap::new();
    for file in judged.iter().map(|file| &file.planned) {
        for place in [Some(&file.place), file.from.as_ref()].into_iter().flatten() {
            if let Some(other) = by_path.insert(&place.path, place) {
                return Err(Finding::SameFile(other.path.to_string_lossy(), place.path.to_string_lossy()).into());
            }
        }
        let identity = file.base_meta().map(|meta| meta.identity).filter(|identity| *identity != (0, 0));
        if let Some(other) = identity.and_then(|identity| by_identity.insert(identity, file)) {
            // An inode's number is used again as soon as its file is replaced: only what is the same now is the same file.
            let now = |file: &PlannedFile| root.look(file.source()).map(|found| found.map(|meta| meta.identity));
            if now(other)? == now(file)? {
                let shown = |file: &PlannedFile| file.source().path.to_string_lossy();
                return Err(Finding::SameFile(shown(other), shown(file)).into());
            }
        }
    }
    Ok(())
}
