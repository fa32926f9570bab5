//! Says of a path that no record touched that it is so, and which may be meant: where nothing was found to be done, and beside what
//! was done.
//!
//! Owns which refusals may be the path's fault. Looks only once something is refused, or several paths were named.

use crate::error::Error;
use crate::history::{History, HistoryError, LogQuery, Nothing, Scope, UndoNote, near_paths};
use crate::path::RepoPath;
use crate::warning::Warning;
use crate::workspace::Workspace;

use super::written;

/// The same error, or that one of the paths is in no record of this worktree.
pub(super) fn blamed(error: Error, workspace: &Workspace, paths: &[RepoPath]) -> Error {
    let may_be = |nothing: &Nothing| matches!(nothing, Nothing::NoneFits | Nothing::InPaths(_));
    let Error::History(refused) = &error else { return error };
    if let HistoryError::NothingKept { what, .. } = refused {
        let near = near_all(workspace, paths).unwrap_or_default();
        return HistoryError::NothingKept { what: what.clone(), near }.into();
    }
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

/// Refuses a path that is to be left out, and that nobody has: what was meant would not be left out.
///
/// # Errors
/// The refusal, or where the log cannot be read.
pub(super) fn refuse_unknown(workspace: &Workspace, except: &[RepoPath]) -> Result<(), HistoryError> {
    let is_gone = |path: &&RepoPath| workspace.repo().root().join(path.to_path()).symlink_metadata().is_err();
    let gone: Vec<RepoPath> = except.iter().filter(is_gone).cloned().collect();
    match untouched(workspace, &gone)? {
        Some(nothing) => Err(HistoryError::NothingToUndo(nothing)),
        None => Ok(()),
    }
}

/// Those of several paths that no record touched.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn noted(workspace: &Workspace, paths: &[RepoPath]) -> Result<Vec<Warning>, HistoryError> {
    if paths.len() < 2 {
        return Ok(Vec::new());
    }
    let history = History::open(workspace.repo())?;
    let mut told = Vec::new();
    for path in paths {
        if !is_touched(workspace, &history, Scope::All, path)? {
            told.push(Warning::Undo(UndoNote::Untouched {
                path: written(path, workspace.repo()),
                near: near(&history, path)?,
            }));
        }
    }
    Ok(told)
}

/// What may be meant by those of the paths that no record touched.
fn near_all(workspace: &Workspace, paths: &[RepoPath]) -> Result<Vec<String>, HistoryError> {
    let history = History::open(workspace.repo())?;
    let mut found = Vec::new();
    for path in paths {
        if !is_touched(workspace, &history, Scope::All, path)? {
            found.extend(near(&history, path)?.into_iter().filter(|near| !found.contains(near)).collect::<Vec<_>>());
        }
    }
    Ok(found)
}

fn near(history: &History<'_>, path: &RepoPath) -> Result<Vec<String>, HistoryError> {
    Ok(near_paths(history, Scope::Own, path)?.iter().map(|near| written(near, history.repo())).collect())
}

fn is_touched(
    workspace: &Workspace,
    history: &History<'_>,
    scope: Scope,
    path: &RepoPath,
) -> Result<bool, HistoryError> {
    let paths = super::names(workspace, vec![path.clone()]);
    let query = LogQuery { paths, limit: Some(1), scope, ..LogQuery::default() };
    Ok(query.with_earlier_names(history).run(history)?.next().is_some())
}

fn untouched(workspace: &Workspace, paths: &[RepoPath]) -> Result<Option<Nothing>, HistoryError> {
    let history = History::open(workspace.repo())?;
    for path in paths {
        if !is_touched(workspace, &history, Scope::Own, path)? {
            let near = near(&history, path)?;
            return Ok(Some(Nothing::Untouched { path: written(path, workspace.repo()), near }));
        }
    }
    Ok(None)
}
