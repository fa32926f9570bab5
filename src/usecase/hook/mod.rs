//! A hook of a coding harness: what happened in a session, recorded where it changed files.
//!
//! Owns which working trees an event concerns, and what the configuration says of a call. What a call's end or beginning means for the
//! others is in `turns.rs`, the order of looking and recording in `watched.rs`.
//! Invariant: whatever happens, the harness is answered and goes on; what could not be done is noted for `redraft status`.

mod roots;
mod turns;
mod watched;

use crate::advice;
use crate::dialect::Words;
use crate::env::Env;
use crate::error::Error;
use crate::harness::{self, Answer, Event, Harness, Reach, Verdict, What};
use crate::observe::{Trouble, has_fired, note};
use crate::path::RepoPath;
use crate::policy::{Settings, check};
use crate::state_dir::StateDir;
use crate::workspace::Workspace;
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// What an event concerns in one working tree.
struct Concerned {
    workspace: Workspace,
    /// The files that a call names there, where it names any.
    paths: BTreeSet<RepoPath>,
    /// Whether the event happened there, and not only its session is known there.
    is_here: bool,
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
            Ok(found) if !matches!(verdict, Verdict::Deny(_)) && found != Verdict::Pass => verdict = found,
            Ok(_) => {}
            Err(error) => noted(workspace, Some(event.harness), advice::explain(&error, &Words::COMMAND_LINE).message),
        }
    }
    roots::forget(env, &event);
    Answer::of(&event, &verdict)
}

fn noted(workspace: &Workspace, harness: Option<Harness>, what: String) {
    let place = StateDir::of(workspace.repo());
    let trouble =
        Trouble { time_ms: workspace.env().now_ms(), harness: harness.map(|harness| harness.name().to_owned()), what };
    note(&place, &trouble);
}

fn take_in(concerned: &Concerned, event: &Event) -> Result<Verdict, Error> {
    let Concerned { workspace, paths, is_here } = concerned;
    has_fired(&StateDir::of(workspace.repo()), event.harness.name());
    let is_before = matches!(event.what, What::Before(_));
    let settings = match workspace.settings() {
        Ok(settings) => settings,
        Err(error) => {
            noted(workspace, Some(event.harness), error.to_string());
            // A value that is wrong elsewhere takes no rule on paths away.
            return Ok(if is_before { judged(&Settings::rules_of(workspace.repo())?, paths) } else { Verdict::Pass });
        }
    };
    let verdict = if is_before { judged(settings, paths) } else { Verdict::Pass };
    if !settings.observe {
        return Ok(verdict);
    }
    let begins = *is_here && !matches!(verdict, Verdict::Deny(_));
    match watched::watched(workspace, event, if begins { Some(paths) } else { None }) {
        Ok(None) => {}
        Ok(Some(told)) => noted(workspace, Some(event.harness), told),
        Err(error) => {
            noted(workspace, Some(event.harness), advice::explain(&error, &Words::COMMAND_LINE).message);
        }
    }
    if begins && is_before {
        roots::remember(workspace.env(), event, workspace.repo().root());
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

/// The working trees that an event concerns: those of the files that a call names, else that of the directory; and where calls of the
/// session are on their way.
fn concerned(env: &Env, event: &Event) -> Vec<Concerned> {
    let dirs: Vec<&PathBuf> = event.dirs.iter().filter(|dir| dir.is_absolute() && dir.is_dir()).collect();
    let dir = dirs.first().map_or(env.cwd(), |dir| dir.as_path());
    let mut found: Vec<Concerned> = Vec::new();
    if let What::Before(call) | What::After(call) = &event.what {
        let named = if let Reach::Paths(paths) = &call.reach { paths } else { &call.names };
        for path in named.iter().flat_map(|path| real(&dir.join(path))) {
            add(&mut found, env, &path);
        }
    }
    let is_of_paths =
        matches!(&event.what, What::Before(call) | What::After(call) if matches!(call.reach, Reach::Paths(_)));
    // What is no call of some files concerns the directory's tree: a session goes on there.
    if found.is_empty() || !is_of_paths {
        let places = dirs.iter().map(|dir| dir.as_path()).chain([env.cwd()]);
        let here = places.filter_map(|dir| workspace_at(env, dir)).take(1);
        add_all(&mut found, here.map(|workspace| Concerned { workspace, paths: BTreeSet::new(), is_here: true }));
    }
    // The session may have been elsewhere when it began something.
    let elsewhere = event.session.iter().flat_map(|session| roots::of_session(env, &event.agent, session));
    let elsewhere = elsewhere.filter_map(|root| workspace_at(env, &root));
    add_all(&mut found, elsewhere.map(|workspace| Concerned { workspace, paths: BTreeSet::new(), is_here: false }));
    found
}

fn add_all(found: &mut Vec<Concerned>, more: impl Iterator<Item = Concerned>) {
    for one in more {
        if !found.iter().any(|other| other.workspace.repo().root() == one.workspace.repo().root()) {
            found.push(one);
        }
    }
}

/// Adds a file to those of its working tree: the innermost one that it lies in.
fn add(found: &mut Vec<Concerned>, env: &Env, path: &Path) {
    let Some(workspace) = workspace_at(env, existing(path)) else { return };
    let Some(below) = below(&workspace, path) else { return };
    let at = found.iter().position(|other| other.workspace.repo().root() == workspace.repo().root());
    let at = at.unwrap_or_else(|| {
        found.push(Concerned { workspace, paths: BTreeSet::new(), is_here: true });
        found.len() - 1
    });
    found[at].paths.insert(below);
}

fn workspace_at(env: &Env, dir: &Path) -> Option<Workspace> {
    let env = env.clone().in_another_repository(dir).ok()?;
    Workspace::discover(&env).ok()
}

/// A path below the root of a working tree, and not in its git directory.
fn below(workspace: &Workspace, path: &Path) -> Option<RepoPath> {
    let below = path.strip_prefix(workspace.repo().root()).ok()?;
    RepoPath::new(<[u8]>::from_path(below)?).ok()
}

/// A path without symlinks and dots, in each of the ways in which programs read `..`: by the text, as harnesses do, and by where a
/// symlink leads, as the system does. A symlink that leads to nothing is where it leads.
fn real(path: &Path) -> BTreeSet<PathBuf> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut lexical = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(lexical.pop()),
            part => lexical.push(part),
        }
    }
    BTreeSet::from([walked(&lexical, MOST_LINKS), walked(&path, MOST_LINKS)])
}

/// So many symlinks are followed.
const MOST_LINKS: usize = 40;

fn walked(path: &Path, links: usize) -> PathBuf {
    let mut at = PathBuf::new();
    let mut parts = path.components();
    while let Some(part) = parts.next() {
        match part {
            Component::ParentDir => drop(at.pop()),
            part => at.push(part),
        }
        if links > 0
            && let Ok(target) = std::fs::read_link(&at)
        {
            at.pop();
            return walked(&at.join(target).join(parts.as_path()), links - 1);
        }
    }
    at
}

/// The nearest directory that is there.
fn existing(path: &Path) -> &Path {
    path.ancestors().find(|path| path.is_dir()).unwrap_or(path)
}
