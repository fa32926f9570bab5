//! A hook of a coding harness: what happened in a session, recorded where it changed files.
//!
//! Owns which working trees an event concerns, and what the configuration says of a call. What a call's end or beginning means for the
//! others is in `turns.rs`, the order of looking and recording in `watched.rs`.
//! Invariant: whatever happens, the harness is answered and goes on; what could not be done is noted for `redraft status`.

mod turns;
mod watched;

use crate::advice;
use crate::dialect::Words;
use crate::env::Env;
use crate::error::Error;
use crate::git::RepoError;
use crate::harness::{self, Answer, Event, Harness, Reach, Verdict, What};
use crate::observe::{Trouble, has_fired, note};
use crate::path::RepoPath;
use crate::policy::{Settings, check};
use crate::state_dir::StateDir;
use crate::workspace::Workspace;
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What an event concerns in one working tree.
struct Concerned {
    workspace: Workspace,
    /// The files that a call names there, where it names any.
    paths: BTreeSet<RepoPath>,
}

/// Takes in what a harness says, and gives what it is to be answered; `named` is the harness that the call names.
pub fn hook(env: &Env, payload: &[u8], named: Option<Harness>) -> Answer {
    let event = match harness::event(payload, named) {
        Ok(event) => event,
        Err(why) => {
            if let Ok(workspace) = Workspace::discover(env) {
                noted(&workspace, named, why);
            }
            return Answer::neutral();
        }
    };
    let mut verdict = Verdict::Pass;
    for concerned in concerned(env, &event) {
        let workspace = &concerned.workspace;
        match take_in(&concerned, &event) {
            Ok(found) if verdict == Verdict::Pass => verdict = found,
            Ok(_) => {}
            Err(error) => noted(workspace, Some(event.harness), advice::explain(&error, &Words::COMMAND_LINE).message),
        }
    }
    Answer::of(&event, &verdict)
}

fn noted(workspace: &Workspace, harness: Option<Harness>, what: String) {
    let place = StateDir::of(workspace.repo());
    let trouble =
        Trouble { time_ms: workspace.env().now_ms(), harness: harness.map(|harness| harness.name().to_owned()), what };
    note(&place, &trouble);
}

fn take_in(concerned: &Concerned, event: &Event) -> Result<Verdict, Error> {
    let Concerned { workspace, paths } = concerned;
    let settings = workspace.settings()?;
    has_fired(&StateDir::of(workspace.repo()), event.harness.name());
    let verdict = if matches!(event.what, What::Before(_)) { judged(settings, paths) } else { Verdict::Pass };
    if !settings.observe {
        return Ok(verdict);
    }
    let is_denied = matches!(verdict, Verdict::Deny(_));
    let told = watched::watched(workspace, event, if is_denied { None } else { Some(paths) })?;
    if let Some(told) = told {
        noted(workspace, Some(event.harness), told);
    }
    Ok(verdict)
}

/// What the configuration says of a call that writes these files.
fn judged(settings: &Settings, paths: &BTreeSet<RepoPath>) -> Verdict {
    for path in paths {
        if let Err(finding) = check::policy(settings, path) {
            return Verdict::Deny(format!("{finding}; edit another file, or ask the user to change that"));
        }
    }
    let asked = paths.iter().find(|path| settings.confirm.matching(path).is_some());
    let why = |path: &RepoPath| format!("{} needs a person's yes (git config redraft.confirm)", path.to_string_lossy());
    asked.map_or(Verdict::Pass, |path| Verdict::Ask(why(path)))
}

/// The working trees that an event concerns: those of the files that a call names, else that of the directory.
fn concerned(env: &Env, event: &Event) -> Vec<Concerned> {
    let dirs: Vec<&PathBuf> = event.dirs.iter().filter(|dir| dir.is_absolute() && dir.is_dir()).collect();
    let dir = dirs.first().map_or(env.cwd(), |dir| dir.as_path());
    let mut found: Vec<Concerned> = Vec::new();
    if let What::Before(call) | What::After(call) = &event.what
        && let Reach::Paths(paths) = &call.reach
    {
        for path in paths.iter().map(|path| real(&dir.join(path))) {
            let known = found.iter().position(|concerned| below(&concerned.workspace, &path).is_some());
            let at = known.or_else(|| {
                let workspace = workspace_at(env, existing(&path))?;
                found.push(Concerned { workspace, paths: BTreeSet::new() });
                Some(found.len() - 1)
            });
            if let Some(concerned) = at.and_then(|at| found.get_mut(at)) {
                concerned.paths.extend(below(&concerned.workspace, &path));
            }
        }
    }
    // What is no call of these files concerns the directory's tree: a session goes on there.
    if found.is_empty() {
        let places = dirs.iter().map(|dir| dir.as_path()).chain([env.cwd()]);
        let mut workspaces = places.filter_map(|dir| workspace_at(env, dir));
        found.extend(workspaces.next().map(|workspace| Concerned { workspace, paths: BTreeSet::new() }));
    }
    found
}

fn workspace_at(env: &Env, dir: &Path) -> Option<Workspace> {
    let env = env.clone().in_another_repository(dir).ok()?;
    match Workspace::discover(&env) {
        Ok(workspace) => Some(workspace),
        Err(RepoError::NotARepository(_)) | Err(_) => None,
    }
}

/// A path below the root of a working tree, and not in its git directory.
fn below(workspace: &Workspace, path: &Path) -> Option<RepoPath> {
    let below = path.strip_prefix(workspace.repo().root()).ok()?;
    RepoPath::new(<[u8]>::from_path(below)?).ok()
}

/// A path without symlinks and dots; what is not there is below what is.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut lexical = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(lexical.pop()),
            part => lexical.push(part),
        }
    }
    let path = lexical;
    let there = existing_or_file(&path);
    let Ok(real) = std::fs::canonicalize(there) else { return path };
    match path.strip_prefix(there) {
        Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
        _ => real,
    }
}

fn existing_or_file(path: &Path) -> &Path {
    path.ancestors().find(|path| path.exists()).unwrap_or(path)
}

/// The nearest directory that is there.
fn existing(path: &Path) -> &Path {
    path.ancestors().find(|path| path.is_dir()).unwrap_or(path)
}
