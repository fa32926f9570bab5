//! Where a session has begun calls: it may be in another directory when they end.
//!
//! Owns a small file for each session in the user's own state folder: the roots of working trees, a line each.

use crate::env::Env;
use crate::git::blob_id;
use crate::harness::{Event, What};
use crate::state_dir;
use std::path::{Path, PathBuf};

/// So many roots are remembered of one session.
const MOST: usize = 50;

/// A file of a session that is silent goes after so many days.
const MOST_DAYS: u64 = 30;

fn folder(env: &Env) -> Option<PathBuf> {
    let home = env.variable("HOME").map(PathBuf::from).filter(|home| home.is_absolute())?;
    Some(home.join(".local/state/redraft/sessions"))
}

fn file(env: &Env, agent: &str, session: &str) -> Option<PathBuf> {
    Some(folder(env)?.join(blob_id(format!("{agent}\n{session}").as_bytes()).to_string()))
}

/// The roots that are remembered.
pub(super) fn of_session(env: &Env, agent: &str, session: &str) -> Vec<PathBuf> {
    let text = file(env, agent, session).and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    text.lines().map(PathBuf::from).filter(|root| root.is_absolute()).take(MOST).collect()
}

/// Remembers a root, as far as that can be written.
pub(super) fn remember(env: &Env, event: &Event, root: &Path) {
    let Some(session) = &event.session else { return };
    if let (Some(file), Some(line)) = (file(env, &event.agent, session), root.to_str())
        && !of_session(env, &event.agent, session).iter().any(|known| known == root)
    {
        forget_old(env);
        let _ = state_dir::append_lines(&file, [format!("{line}\n")]);
    }
}

/// Forgets a session that is over.
pub(super) fn forget(env: &Env, event: &Event) {
    if let (What::SessionEnd, Some(session)) = (&event.what, &event.session)
        && let Some(file) = file(env, &event.agent, session)
    {
        let _ = state_dir::remove(&file);
    }
}

fn forget_old(env: &Env) {
    let Some(entries) = folder(env).and_then(|folder| std::fs::read_dir(folder).ok()) else { return };
    for entry in entries.filter_map(Result::ok) {
        let age = entry.metadata().and_then(|meta| meta.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age.as_secs() > MOST_DAYS * 86_400) {
            let _ = state_dir::remove(&entry.path());
        }
    }
}
