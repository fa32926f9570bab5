//! Removes texts that should never have been kept.
//!
//! Owns which copies of a text there are. Does not drop records: they stay, as tombstones.

use super::Extent;
use crate::history::error::HistoryError;
use crate::history::store::chain::Chain;
use crate::history::store::chain_reader;
use crate::history::store::index_file::Filter;
use crate::history::store::repository::Store;
use crate::history::store::rewrite_chain::write_chain;
use crate::path::RepoPath;
use crate::record::TextsKept;
use crate::state_dir::StateDir;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What a `purge` did, or would do.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Purged {
    /// Records that had texts of the path.
    pub records: usize,
    /// Texts that are removed.
    pub texts: usize,
}

/// Removes the texts of a path (or of all below it) from the history of this clone; the records stay, as tombstones.
///
/// # Errors
/// [`HistoryError::Damaged`], where a record cannot be read that may hold the path; where a chain cannot be written, or git fails
/// to pack.
pub fn purge(store: &Store, path: &RepoPath, extent: Extent) -> Result<Purged, HistoryError> {
    let mut purged = Purged::default();
    let Some(clone) = store.clone_name() else { return Ok(purged) };
    for (chain, tip) in store.chains()?.into_iter().filter(|(chain, _)| chain.clone == clone) {
        let mut records = Vec::new();
        let mut touched = false;
        for sealed in chain_reader::of_chain(store, &chain, tip, Filter::default()) {
            let whole = sealed.and_then(|sealed| chain_reader::read_commit(store, sealed.commit));
            let mut record = whole.map_err(|error| unsure(&chain, &error))?.0;
            let mut hit = false;
            for file in record.files.iter_mut().filter(|file| file.is_at(path) && file.kept == TextsKept::Stored) {
                hit = true;
                purged.texts += usize::from(file.before.is_some()) + usize::from(file.after.is_some());
                file.kept = TextsKept::Purged;
                file.backup = None;
            }
            if hit {
                purged.records += 1;
                // An answer carries a diff.
                record.meta.answer = None;
                touched = true;
            }
            records.push(record);
        }
        if touched && extent == Extent::Whole {
            records.reverse();
            write_chain(store, &chain, records)?;
        }
    }
    if purged.records > 0 && extent == Extent::Whole {
        store.repack("--prune=now")?;
    }
    Ok(purged)
}

/// What a record holds that cannot be read is not known, so nothing is removed beside it.
fn unsure(chain: &Chain, error: &HistoryError) -> HistoryError {
    let what =
        format!("{error}; nothing of {} was removed, since it may hold the path in that record", chain.ref_name());
    HistoryError::Damaged(what)
}

/// Removes what a worktree's state has of a path: backups, and damaged journals that name it.
///
/// # Errors
/// Where something cannot be listed or removed.
pub fn purge_state(place: &StateDir, path: &RepoPath) -> Result<(), HistoryError> {
    for folder in entries(&place.backups())? {
        let file = folder.join(path.to_path());
        let removed = if file.is_dir() { fs::remove_dir_all(&file) } else { fs::remove_file(&file) };
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
            removed => removed.map_err(HistoryError::io("remove", &file))?,
        }
    }
    for aside in journals_aside(place) {
        let has = fs::read(&aside).is_ok_and(|bytes| memchr::memmem::find(&bytes, path.as_bstr()).is_some());
        if has {
            fs::remove_file(&aside).map_err(HistoryError::io("remove", &aside))?;
        }
    }
    Ok(())
}

/// Damaged journals that were put aside.
pub(crate) fn journals_aside(place: &StateDir) -> Vec<PathBuf> {
    let is_aside =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("journal.damaged-"));
    entries(place.path()).unwrap_or_default().into_iter().filter(is_aside).collect()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, HistoryError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(HistoryError::io("list", folder)(error)),
        Ok(entries) => Ok(entries.filter_map(Result::ok).map(|entry| entry.path()).collect()),
    }
}
