//! What no change may do, whatever it is for.
//!
//! Owns the refusals that look at several files, or at a file and what leads to it. Changes nothing.

use crate::change::ChangeKind;
use crate::error::Error;
use crate::git::Repo;
use crate::path::RepoPath;
use crate::policy::Finding;
use crate::task::{Ids, Looked};
use crate::worktree::WorktreeError;
use crate::worktree::{Place, Root};

/// Whether all files may be replaced; gives what is to be warned of.
pub(super) fn writable(root: &Root, looked: &[Looked]) -> Result<Vec<String>, Error> {
    looked.iter().try_for_each(|file| refuse_unwritable(root, file))?;
    Ok(looked.iter().flat_map(|file| file.made.warnings.clone()).collect())
}

pub(super) fn refuse_unwritable(root: &Root, file: &Looked) -> Result<(), Error> {
    root.refuse_unwritable(&file.place, file.base.as_ref().filter(|_| file.from.is_none()).map(|base| &base.meta))?;
    if let Some(from) = &file.from {
        root.refuse_unwritable(from, file.base.as_ref().map(|base| &base.meta))?;
    }
    Ok(())
}

/// A yes is for what was shown: files that changed since are not written.
pub(super) fn refuse_unseen(shown: Option<&[Ids]>, looked: &[Looked]) -> Result<(), Error> {
    let Some(shown) = shown else { return Ok(()) };
    match looked.iter().zip(shown).find(|(file, ids)| file.ids != **ids) {
        Some((file, _)) => {
            let what = "it is not what was shown".to_owned();
            Err(WorktreeError::ChangedWhileEditing { path: file.place.path.to_string_lossy(), what }.into())
        }
        None => Ok(()),
    }
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
pub(super) fn refuse_below_file(looked: &[Looked]) -> Result<(), Error> {
    let stays = |file: &&Looked| file.change != ChangeKind::Delete;
    let files: std::collections::BTreeSet<_> = looked.iter().filter(stays).map(|file| &file.place.path).collect();
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

/// Two names may lead to one file: by a symlink, by a hard link, by case.
pub(super) fn refuse_same_file(root: &Root, looked: &[Looked]) -> Result<(), Error> {
    refuse_below_file(looked)?;
    let mut by_path = std::collections::BTreeMap::new();
    let mut by_identity = std::collections::BTreeMap::new();
    for file in looked {
        for place in [Some(&file.place), file.from.as_ref()].into_iter().flatten() {
            if let Some(other) = by_path.insert(&place.path, place) {
                return Err(Finding::SameFile(other.path.to_string_lossy(), place.path.to_string_lossy()).into());
            }
        }
        let identity = file.base.as_ref().map(|base| base.meta.identity).filter(|identity| *identity != (0, 0));
        if let Some(other) = identity.and_then(|identity| by_identity.insert(identity, file)) {
            // An inode's number is used again as soon as its file is replaced: only what is the same now is the same file.
            let now = |file: &Looked| root.look(file.source()).map(|found| found.map(|meta| meta.identity));
            if now(other)? == now(file)? {
                let shown = |file: &Looked| file.source().path.to_string_lossy();
                return Err(Finding::SameFile(shown(other), shown(file)).into());
            }
        }
    }
    Ok(())
}
