//! What redraft's git hooks do.
//!
//! Owns which commits are refused, what goes into their messages, what is noted of them. How the hooks come to be there is
//! `hook_files.rs`'s.

use super::commit_message::{self, MessageSource};
use super::marks::refuse_unreviewed;
use crate::env::Env;
use crate::error::Error;
use crate::git::{ChangedFile, Repo};
use crate::git_record::Credits;
use crate::git_record::RECORDING;
use crate::history::{CommitsOfRecords, History, HistoryWarning, edits_held, edits_perhaps_held, note_rewritten};
use crate::id::{CommitId, RecordId};
use crate::policy::{self, CommitRefusal, CommitRule};
use crate::record::Record;
use crate::state_dir::StateDir;
use crate::transaction::{State, is_settled};
use crate::workspace::Workspace;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

// -- what they do -------------------------------------------------------------------------------------------------

/// How long a commit waits for an edit that is being made at this moment.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether redraft itself makes the commit, and so knows all that a hook could say.
fn is_recording(env: &Env) -> bool {
    env.variable(RECORDING).is_some()
}

/// Refuses a commit while an edit is unfinished, or against a policy (`redraft.hookPolicy`).
///
/// # Errors
/// The refusal.
pub fn pre_commit(env: &Env) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    if is_recording(env) {
        return Ok(());
    }
    if !has_records(repo)? {
        return Ok(());
    }
    if let Some(state) = State::open_existing(&StateDir::of(repo))? {
        wait_until_settled(env, &state)?;
    }
    let rules = &workspace.settings()?.commit_rules;
    rules.iter().try_for_each(|rule| match rule {
        CommitRule::Unreviewed => refuse_staged_unreviewed(repo),
        CommitRule::Leftovers => refuse_leftovers(repo),
    })
}

/// Whether there are records, of whatever worktree: git brings lines from one to the other.
fn has_records(repo: &Repo) -> Result<bool, Error> {
    let place = StateDir::of(repo);
    let all = || place.all().map_err(Error::io("list", place.path().display().to_string()));
    Ok(place.exists() || !all()?.is_empty())
}

fn wait_until_settled(env: &Env, state: &State) -> Result<(), Error> {
    let start = env.clock().instant();
    while !is_settled(state)? {
        if env.clock().instant().duration_since(start) >= PATIENCE {
            return Err(CommitRefusal::Unfinished.into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Refuses staged lines of records that nobody has looked at, and what nothing proves not to be of one. Where a part of the history cannot be read, nobody knows whether it has
/// such: that is no reason to hold up every commit from now on, and none to be silent.
fn refuse_staged_unreviewed(repo: &Repo) -> Result<(), Error> {
    let history = History::open(repo)?;
    let is_seen = |id: &RecordId| history.mark_of(id).is_some();
    let records = edits_perhaps_held(&history, &repo.changes_to_commit()?, &is_seen)?;
    history.warn_of_unreviewed();
    refuse_unreviewed(repo, &records)
}

fn staged_records(repo: &Repo) -> Result<Vec<Record>, Error> {
    held_by(repo, &repo.changes_to_commit()?, None)
}

fn held_by(repo: &Repo, changes: &[ChangedFile], replaced: Option<CommitId>) -> Result<Vec<Record>, Error> {
    let held = edits_held(&History::open(repo)?, changes, replaced)?;
    Ok(held.into_iter().map(|(record, _)| record).collect())
}

/// Whether the word behind an option of `git commit` is its value: `-m TEXT`, also behind others as in `-qam TEXT`.
fn takes_another(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(name) => matches!(name, "message" | "file" | "author" | "date" | "template" | "trailer" | "cleanup"),
        None => option.starts_with('-') && option.ends_with(['m', 'F', 'C', 'c', 't']),
    }
}

/// Whether the commit that is being made takes the place of HEAD. Git does not say so to a hook; its own words do.
fn is_amend(env: &Env) -> bool {
    let Some(words) = env.caller("git") else { return false };
    let mut words = words.iter().map(String::as_str).skip_while(|word| *word != "commit").skip(1);
    while let Some(word) = words.next() {
        match word {
            "--" => return false,
            // Git takes the beginning of an option for it, where it is that of one only.
            _ if word.len() >= "--am".len() && "--amend".starts_with(word) => return true,
            _ if takes_another(word) => _ = words.next(),
            _ => {}
        }
    }
    false
}

/// Refuses conflict markers and omission placeholders that the commit adds to files that an agent edited.
fn refuse_leftovers(repo: &Repo) -> Result<(), Error> {
    let index = repo.read_index(&repo.index_path())?;
    let records = staged_records(repo)?;
    let paths: BTreeSet<_> = records.iter().flat_map(|record| &record.files).map(|file| &file.path).collect();
    for path in paths {
        let crate::git::IndexLookup::Entry(entry) = index.lookup(path) else { continue };
        let new = repo.blob(&entry.id)?;
        let old = repo.head_entry(path)?.map(|head| repo.blob(&head.id)).transpose()?.unwrap_or_default();
        policy::refuse_leftovers(path, &old, &new)?;
    }
    Ok(())
}

/// Adds trailers for the agent edits that a commit holds to its message, or sees to it that [`commit_msg`] does.
///
/// # Errors
/// Where they cannot be found out or written.
pub fn prepare_commit_msg(env: &Env, message: &Path, source: MessageSource) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    if is_recording(env) || !has_records(repo)? {
        return Ok(());
    }
    let amended = if is_amend(env) { repo.amended_changes()? } else { None };
    let records = match amended {
        Some(changes) => held_by(repo, &changes, repo.head_id()?)?,
        None => staged_records(repo)?,
    };
    if !workspace.settings()?.commit_rules.is_empty() {
        // The hook before this one has told it.
        drop(env.untold().take::<HistoryWarning>());
    }
    let credits = Credits::by(workspace.settings()?.trailer);
    let credits = records.iter().fold(credits, |credits, record| credits.and(&record.id, &record.meta));
    commit_message::begin(repo, &env.cwd().join(message), source, &credits.trailers())
}

/// Adds the trailers to a message that had no text before a person wrote it.
///
/// # Errors
/// Where they cannot be written.
pub fn commit_msg(env: &Env, message: &Path) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    if is_recording(env) {
        return Ok(());
    }
    commit_message::end(workspace.repo(), &env.cwd().join(message))
}

/// Notes which records the commit that was just made holds.
///
/// # Errors
/// Where there is no repository, git fails, or the list of commits cannot be written.
pub fn post_commit(env: &Env) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    if is_recording(env) || !has_records(repo)? {
        return Ok(());
    }
    let Some(head) = repo.head_id()? else { return Ok(()) };
    let changes: Vec<ChangedFile> =
        repo.changes_of_commits([head])?.into_iter().flat_map(|commit| commit.files).collect();
    let held = edits_held(&History::open(repo)?, &changes, None)?;
    let held = held.iter().map(|(record, share)| (&record.id, *share));
    CommitsOfRecords::note(&StateDir::of(repo), held, head).map_err(Error::io("note", "the commits of records"))
}

/// Notes what commits hold that were made of others: `pairs` are git's lines of an old and a new one.
///
/// # Errors
/// Where there is no repository, or the list of commits cannot be written.
pub fn post_rewrite(env: &Env, pairs: &str) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    if !has_records(repo)? {
        return Ok(());
    }
    let pairs = pairs.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    });
    Ok(note_rewritten(&History::open(repo)?, &pairs.collect::<Vec<_>>())?)
}

// -- for the command line -----------------------------------------------------------------------------------------

/// A hook that was called with the wrong words.
pub fn bad_call(what: &'static str) -> Error {
    CommitRefusal::BadCall(what).into()
}
