//! Removing texts that should never have been kept, and saying truly what went.
//!
//! Owns the order: every worktree's journal is sealed and stays locked, so that no copy of a text is in one, or gets there,
//! while the history, backups and answers are gone through.

use super::Noted;
use super::untouched;
use super::upkeep::{seal_other, with_lock};
use super::written;
use crate::env::Env;
use crate::error::Error;
use crate::flow::replayed_requests;
use crate::history::upkeep::Extent;
use crate::history::{
    History, HistoryError, Purged, Sought, Store, purge as purge_chains, purge_state, purge_unsealed,
};
use crate::observe::{forget_commands, forget_texts, kept_texts};
use crate::path::RepoPath;
use crate::state_dir::StateDir;
use crate::transaction::Transaction;
use crate::workspace::Workspace;
use std::time::Duration;

/// Whose texts are to go.
#[derive(Debug, Clone, Default)]
pub struct PurgeRequest {
    /// Files, or directories with all below them.
    pub paths: Vec<RepoPath>,
    /// Records, by name.
    pub ids: Vec<String>,
    /// Whether anything is written.
    pub extent: Extent,
}

/// Removes the texts of paths and records from the history, from backups, journals and recorded answers, of all worktrees.
///
/// # Errors
/// [`HistoryError::NothingKept`], where nothing is about what was named, and [`HistoryError::PurgedAlready`], where only tombstones are; where a lock is not free, or a record cannot be
/// read that may hold such a text.
pub fn purge(env: &Env, request: &PurgeRequest) -> Result<Noted<Purged>, Error> {
    let workspace = Workspace::discover(env)?;
    let done = match request.extent {
        Extent::DryRun => Noted { done: remove(&workspace, request, &places(&workspace)?)?, notes: Vec::new() },
        Extent::Whole => with_lock(&workspace, |_| {
            // A worktree that comes meanwhile is not locked: its journal may still need what its backups have.
            let places = places(&workspace)?;
            let _others = seal_others(&workspace, &places)?;
            remove(&workspace, request, &places)
        })?,
    };
    if done.done.is_known && !(done.done.is_nothing() && done.done.foreign == 0) {
        return Ok(done);
    }
    let paths = request.paths.iter().map(|path| written(path, workspace.repo()));
    let what = paths.chain(request.ids.iter().cloned()).collect::<Vec<_>>().join(", ");
    if done.done.is_known {
        return Err(HistoryError::PurgedAlready { what }.into());
    }
    let error = HistoryError::NothingKept { what, near: Vec::new() };
    Err(untouched::blamed(error.into(), &workspace, &request.paths))
}

fn remove(workspace: &Workspace, request: &PurgeRequest, places: &[StateDir]) -> Result<Purged, Error> {
    let (repo, extent) = (workspace.repo(), request.extent);
    let history = History::open(repo)?;
    let found = request.ids.iter().map(|name| history.find(name)).collect::<Result<Vec<_>, _>>()?;
    let sought = Sought::new(&history, request.paths.clone(), &found)?;
    let mut purged = Purged::default();
    purge_unsealed(&history, &sought, &mut purged)?;
    purge_chains(&Store::open(repo)?, &sought, extent, &mut purged)?;
    let shelved = replayed_requests::purge_shelved(&StateDir::of(repo), |path| sought.is_about(path), extent);
    purged.add_answers(shelved.map_err(Error::io("go through", "the answered requests"))?);
    for place in places {
        purge_state(place, &sought, extent, &mut purged)?;
        // What a record is about has many versions; of a record that is named, those of all files go.
        let is_about = |path: &RepoPath| !request.ids.is_empty() || sought.is_about(path);
        let changed = Error::io("change", "what is kept for calls on their way");
        let gone = match extent {
            Extent::DryRun => kept_texts(place, is_about),
            Extent::Whole => forget_in_calls(place, workspace.settings()?.lock_timeout, is_about).map_err(changed)?,
        };
        purged.backups += gone;
        purged.is_known |= gone > 0;
    }
    purged.note_other_names(&sought);
    Ok(purged)
}

/// Forgets what is kept for calls on their way: texts, and what their command lines say, which the records that they lead to would have.
/// Says how many texts there were.
fn forget_in_calls(
    place: &StateDir,
    timeout: Duration,
    is_about: impl Fn(&RepoPath) -> bool,
) -> std::io::Result<usize> {
    forget_commands(place, timeout, &is_about)?;
    forget_texts(place, timeout, is_about)
}

/// What is kept of each worktree.
fn places(workspace: &Workspace) -> Result<Vec<StateDir>, Error> {
    StateDir::of(workspace.repo()).all().map_err(Error::io("list", "the worktrees"))
}

/// Seals what the journals of all other worktrees have, and keeps them locked.
fn seal_others(workspace: &Workspace, places: &[StateDir]) -> Result<Vec<Transaction>, Error> {
    let own = StateDir::of(workspace.repo());
    places.iter().filter(|other| **other != own).map(|other| seal_other(workspace, other)).collect()
}
