//! Says of a path that no record touched that it is so, and which may be meant, where nothing was found to be done.
//!
//! Owns which refusals may be the path's fault. Looks only once something is refused.

use crate::error::Error;
use crate::history::{History, HistoryError, LogQuery, Nothing, Scope, near_paths};
use crate::path::RepoPath;
use crate::workspace::Workspace;

/// The same error, or that one of the paths is in no record of this worktree.
pub(super) fn blamed(error: Error, workspace: &Workspace, paths: &[RepoPath]) -> Error {
    let may_be = |nothing: &Nothing| matches!(nothing, Nothing::NoneFits | Nothing::InPaths(_));
    let Error::History(refused) = &error else { return error };
    let told = match refused {
        HistoryError::NothingToUndo(nothing) if may_be(nothing) => HistoryError::NothingToUndo,
        HistoryError::NothingToRedo(nothing) if may_be(nothing) => HistoryError::NothingToRedo,
        HistoryError::NothingToCommit(nothing) if may_be(nothing) => HistoryError::NothingToCommit,
        _ => return error,
    };
    match untouched(workspace, paths) {
        Ok(Some(nothing)) => told(nothing).into(),
        Ok(None) | Err(_) => error,
    }
}

fn untouched(workspace: &Workspace, paths: &[RepoPath]) -> Result<Option<Nothing>, HistoryError> {
    let history = History::open(workspace.repo())?;
    for path in paths {
        let paths = super::names(workspace, vec![path.clone()]);
        let query = LogQuery { paths, limit: Some(1), ..LogQuery::default() };
        if query.run(&history)?.next().is_none() {
            let near = near_paths(&history, Scope::Own, path)?;
            let near = near.iter().map(RepoPath::to_string_lossy).collect();
            return Ok(Some(Nothing::Untouched { path: path.to_string_lossy(), near }));
        }
    }
    Ok(None)
}
