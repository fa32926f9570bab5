//! Paths by which records are looked for, where symlinks of the working tree stand in them.
//!
//! Owns which other path is meant: what is edited through a symlink is recorded at the place that it leads to.

use crate::flow::Flow;
use crate::path::RepoPath;
use crate::workspace::Workspace;

/// These paths, and those that symlinks in them lead to. What leads nowhere, or outside, is what it is.
pub fn names(workspace: &Workspace, paths: Vec<RepoPath>) -> Vec<RepoPath> {
    let all = paths.into_iter().flat_map(|path| {
        let real = real_name(workspace, &path).filter(|real| *real != path);
        [Some(path), real].into_iter().flatten()
    });
    all.collect()
}

/// The path itself, or the one that symlinks in it lead to.
pub fn real(workspace: &Workspace, path: RepoPath) -> RepoPath {
    real_name(workspace, &path).unwrap_or(path)
}

fn real_name(workspace: &Workspace, path: &RepoPath) -> Option<RepoPath> {
    let root = Flow::open_root_of(workspace.repo(), workspace.settings().ok()?).ok()?;
    Some(root.place(path).ok()?.path)
}
