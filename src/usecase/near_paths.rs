//! An error about a path, with the paths that may be meant.
//!
//! Owns which errors are about a path, and how a caller would have to send a near one. Looks only once something is refused:
//! what succeeds pays nothing. Invariant: bounded in entries and in time, whatever the size of the tree.

use crate::dialect::Cause;
use crate::error::{Error, NearPaths};
use crate::flow::{Flow, sandbox};
use crate::path::{PathError, RepoPath};
use crate::policy::{Finding, check};
use crate::request::{Dialect, PathArg, Request};
use crate::workspace::Workspace;
use crate::worktree::{Search, WorktreeError};
use std::path::Path;
use std::time::Duration;

/// The longest that is looked for near paths.
const LONGEST: Duration = Duration::from_millis(60);

/// How a caller names files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// Relative to the root.
    Relative,
    /// From `/` on.
    Absolute,
}

impl Naming {
    /// As a request's own paths are.
    pub fn of(request: &Request) -> Self {
        match request.files.iter().any(|file| matches!(file.path, PathArg::Absolute(_))) {
            true => Self::Absolute,
            false => Self::Relative,
        }
    }

    /// As a dialect wants them.
    pub fn in_dialect(dialect: Dialect) -> Self {
        if dialect == Dialect::ClaudeCode { Self::Absolute } else { Self::Relative }
    }
}

/// The same error, with the paths that may be meant where it is about one.
pub(super) fn with_near_paths(error: Error, workspace: &Workspace, root: Option<&Path>, naming: Naming) -> Error {
    let Some(raw) = wrong_path(&error) else { return error };
    let found = look(&raw, &error, (workspace, root), naming).map(|mut near| {
        // Somebody made the very file meanwhile.
        near.names.retain(|name| name.as_bytes() != raw);
        near
    });
    match found {
        Ok(near) if !near.names.is_empty() || near.in_head.is_some() => {
            Error::Near { error: Box::new(error), near: Box::new(near) }
        }
        Ok(_) | Err(_) => error,
    }
}

/// The path that an error is about, where another may be meant.
fn wrong_path(error: &Error) -> Option<Vec<u8>> {
    let of_path = |error: &PathError| match error {
        PathError::Absolute(path) | PathError::Outside(path) | PathError::Directory(path) => Some(path.to_vec()),
        PathError::Empty
        | PathError::Root
        | PathError::Nul(_)
        | PathError::TooLong { .. }
        | PathError::GitInternals(..) => None,
    };
    match error {
        Error::Worktree(WorktreeError::NoSuchFile(path) | WorktreeError::NotADirectory(path, _)) => {
            Some(path.clone().into_bytes())
        }
        Error::Path(error) => of_path(error),
        Error::Finding(Finding::OutsideRoot(path, _)) => Some(path.clone().into_bytes()),
        Error::Dialect(error) => match &error.fault.cause {
            Cause::Path { error, .. } => of_path(error),
            Cause::NotAbsolute { .. } => error.path().map(String::into_bytes),
            _ => None,
        },
        _ => None,
    }
}

fn look(
    raw: &[u8],
    error: &Error,
    (workspace, root): (&Workspace, Option<&Path>),
    naming: Naming,
) -> Result<NearPaths, Error> {
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    let below = sandbox(repo, root)?;
    let (clock, opened) = (workspace.env().clock(), Flow::open_root_of(repo, settings)?);
    let start = clock.instant();
    let search = Search {
        root: &opened,
        below: below.as_ref(),
        may_name: &|path| check::policy(settings, path).is_ok(),
        go_on: &|| clock.instant().duration_since(start) < LONGEST,
    };
    let name = |path: &RepoPath| match (naming, &below) {
        (Naming::Absolute, _) => repo.root().join(path.to_path()).to_string_lossy().into_owned(),
        (Naming::Relative, Some(below)) => path.from_below(below).unwrap_or_else(|| path.clone()).to_string_lossy(),
        (Naming::Relative, None) => path.to_string_lossy(),
    };
    let spelled = search.spellings(raw);
    let is_in_head = |path: &&RepoPath| (search.may_name)(path) && matches!(repo.head_entry(path), Ok(Some(_)));
    let mut near = search.existing(&spelled);
    // What HEAD has under the very name says more than a name that is like it.
    let in_head = if near.is_empty() { spelled.iter().find(is_in_head).cloned() } else { None };
    if near.is_empty() && in_head.is_none() {
        near = search.alike(&spelled);
    }
    let is_rewritten = matches!(error.reason(), crate::code::Reason::AbsolutePath | crate::code::Reason::BadPath);
    if near.is_empty() && in_head.is_none() && is_rewritten {
        // The file need not be there: what it would be called here is enough.
        let is_inside = raw.first() != Some(&b'/') || raw.starts_with(repo.root().to_string_lossy().as_bytes());
        near.extend(spelled.first().filter(|_| is_inside).cloned());
    }
    Ok(NearPaths { names: near.iter().map(name).collect(), in_head: in_head.as_ref().map(name) })
}
