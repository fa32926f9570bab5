//! Looking after the history: checks, retention, exchange with other clones.
//!
//! Everything here first seals what the journal has, so that it works on all records.

use super::Noted;
use crate::env::Env;
use crate::error::Error;
use crate::flow::{Flow, begin, checkpoint, replayed_requests};
use crate::git::Remote;
use crate::history::upkeep::Extent;
use crate::history::upkeep::pins::{Pin, pins};
use crate::history::{
    Checked, Collected, History, HistoryError, HistoryWarning, Retention, Store, Synced, collect, fsck as check, pin,
    refresh_indexes, sync as exchange,
};
use crate::observe::forget_the_dead;
use crate::state_dir::StateDir;
use crate::transaction::{Entry, State, Transaction, is_settled, note_unrecorded, peek};
use crate::warning::Warning;
use crate::workspace::Workspace;
use crate::worktree::Root;
use std::path::PathBuf;
use std::time::Duration;

/// What is wrong is looked at so often, and so long after.
const LOOKS: usize = 5;
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Checks the history and the journal.
///
/// # Errors
/// Where they cannot be read; what is wrong in them is no error here.
pub fn fsck(env: &Env) -> Result<Checked, Error> {
    let workspace = Workspace::discover(env)?;
    // Nobody is kept from writing meanwhile: what is wrong only for a moment is looked at again.
    let mut checked = check(&History::open(workspace.repo())?)?;
    for _ in 1..LOOKS {
        if checked.problems.is_empty() {
            break;
        }
        std::thread::sleep(BETWEEN_LOOKS);
        let again = check(&History::open(workspace.repo())?)?;
        let is_same = again.problems == checked.problems;
        checked = again;
        if is_same {
            break;
        }
    }
    Ok(checked)
}

/// Does the next checkpoint now, where it is near and nobody has the lock, so that fewer callers wait for it. What was
/// interrupted or damaged is left to the next edit, which tells of it.
///
/// # Errors
/// As the checkpoint that is due, which is tried all the same.
pub fn checkpoint_near(workspace: &Workspace) -> Result<(), Error> {
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    let Some(state) = State::open_existing(&StateDir::of(repo))? else { return Ok(()) };
    let journal = peek(state.dir())?;
    if !journal.damage.is_empty() || !journal.entries.iter().all(Entry::is_finished) {
        return Ok(());
    }
    let root = Flow::open_root_of(repo, settings)?;
    let mut transaction = begin(repo, settings, root, state, Duration::ZERO)?;
    if transaction.is_checkpoint_near() {
        checkpoint(&mut transaction, repo, settings)?;
    }
    Ok(())
}

/// What `gc` is to do.
#[derive(Debug, Clone, Default)]
pub struct GcRequest {
    /// What stays.
    pub keep: Retention,
    /// Records to pin first, by name.
    pub pin: Vec<String>,
    /// Records to let go first, by name.
    pub unpin: Vec<String>,
    /// Write nothing.
    pub extent: Extent,
}

/// Seals, pins, drops what is beyond the retention, packs.
///
/// # Errors
/// Where the lock is not free, a record to pin is not found, or history.git is damaged or cannot be written.
pub fn gc(env: &Env, request: &GcRequest) -> Result<Noted<Collected>, Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    let keep = kept(&workspace, request)?;
    if request.extent == Extent::DryRun {
        return Ok(Noted { done: would_drop(&workspace, request, keep)?, notes: Vec::new() });
    }
    let mut unfinished = Vec::new();
    let mut noted = with_lock(&workspace, |_| {
        unfinished = seal_removed(&workspace)?;
        let history = History::open(repo)?;
        for (names, pinned) in [(&request.pin, Pin::Keep), (&request.unpin, Pin::LetGo)] {
            for name in names {
                let item = history.find(name)?;
                pin(history.store(), &item.record.id, pinned)?;
            }
        }
        let store = Store::open(repo)?;
        let collected = collect(&store, pins(&store)?, keep, env.now_ms(), Extent::Whole)?;
        // The answer to a request goes with its record.
        replayed_requests::forget(&StateDir::of(repo), &collected.gone)
            .map_err(Error::io("forget", "the requests of dropped records"))?;
        replayed_requests::forget_shelved(repo)?;
        // Its backup stays, and tells of no loss.
        for place in StateDir::of(repo).all().map_err(Error::io("list", "the worktrees"))? {
            note_unrecorded(&place, &collected.gone, workspace.settings()?.durability)
                .map_err(Error::io("write", "the list of edits without a record"))?;
        }
        // What is kept for calls that cannot go on any more.
        let place = StateDir::of(repo);
        forget_the_dead(&place, workspace.settings()?.lock_timeout, env.now_ms())
            .map_err(Error::io("change", "what is kept for calls on their way"))?;
        Ok(collected)
    })?;
    noted.notes.extend(unfinished.into_iter().map(Warning::UnfinishedElsewhere));
    Ok(noted)
}

/// What [`gc`] is going to drop, once all records are sealed, which this does.
///
/// # Errors
/// As [`gc`].
pub fn before_gc(env: &Env, request: &GcRequest) -> Result<Noted<Collected>, Error> {
    let workspace = Workspace::discover(env)?;
    let keep = kept(&workspace, request)?;
    if keep == Retention::default() {
        return Ok(Noted::default());
    }
    with_lock(&workspace, |_| {
        seal_removed(&workspace)?;
        would_drop(&workspace, request, keep)
    })
}

/// What stays, as the request or else the configuration says.
fn kept(workspace: &Workspace, request: &GcRequest) -> Result<Retention, Error> {
    if request.keep == Retention::default() { configured(workspace) } else { Ok(request.keep) }
}

fn would_drop(workspace: &Workspace, request: &GcRequest, keep: Retention) -> Result<Collected, Error> {
    let store = Store::open(workspace.repo())?;
    let mut pins = pins(&store)?;
    let history = History::open(workspace.repo())?;
    for name in &request.pin {
        pins.insert(history.find(name)?.record.id);
    }
    for name in &request.unpin {
        pins.remove(&history.find(name)?.record.id);
    }
    Ok(collect(&store, pins, keep, workspace.env().now_ms(), Extent::DryRun)?)
}

/// What is to be done for a working tree that is gone.
pub(super) enum Gone {
    /// What its journal had is in the history; it stays locked.
    Sealed(Box<Transaction>),
    /// This journal has an edit that was interrupted: what became of its files can never be known.
    Unfinished(PathBuf),
}

/// Seals what the journal of a working tree has that is gone. None of its files is to be synced.
///
/// # Errors
/// Where its lock is not free, or the history cannot be written.
pub(super) fn seal_gone(workspace: &Workspace, state: State) -> Result<Gone, Error> {
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    if !is_settled(&state)? {
        return Ok(Gone::Unfinished(state.place().journal()));
    }
    let root = Root::open(&state.place().stage())?;
    let mut transaction = begin(repo, settings, root, state, settings.lock_timeout)?;
    checkpoint(&mut transaction, repo, settings)?;
    Ok(Gone::Sealed(Box::new(transaction)))
}

/// Seals what the journal of another worktree has, whether or not that is there, and keeps it locked.
///
/// # Errors
/// Where its lock is not free, it has an unfinished edit and is gone, or the history cannot be written.
pub(super) fn seal_other(workspace: &Workspace, place: &StateDir) -> Result<Transaction, Error> {
    let (repo, settings, state) = (workspace.repo(), workspace.settings()?, State::open(place)?);
    let there = repo.root_of_worktree(place.worktree());
    let there = there.and_then(|root| workspace.env().clone().in_another_repository(&root).ok());
    let there = there.and_then(|env| Workspace::discover(&env).ok());
    if let Some(there) = there.filter(|there| StateDir::of(there.repo()) == *place) {
        let root = Flow::open_root_of(there.repo(), settings)?;
        let mut transaction = begin(there.repo(), settings, root, state, settings.lock_timeout)?;
        checkpoint(&mut transaction, there.repo(), settings)?;
        return Ok(transaction);
    }
    match seal_gone(workspace, state)? {
        Gone::Sealed(transaction) => Ok(*transaction),
        Gone::Unfinished(journal) => {
            let what = format!("{} has an unfinished edit of a working tree that is gone", journal.display());
            Err(HistoryError::Damaged(what).into())
        }
    }
}

/// Seals what the journals of all other worktrees have, one after the other; gives those that cannot be, a sentence each.
fn seal_elsewhere(workspace: &Workspace) -> Result<Vec<String>, Error> {
    let own = StateDir::of(workspace.repo());
    let mut unsealed = Vec::new();
    for place in own.all().map_err(Error::io("list", "the worktrees"))?.iter().filter(|place| **place != own) {
        if State::open_existing(place)?.is_some()
            && let Err(error) = seal_other(workspace, place)
        {
            unsealed.push(format!("the newest records of worktree {:?} are not sent: {error}", place.worktree()));
        }
    }
    Ok(unsealed)
}

/// Seals the journals of all worktrees that are gone: nobody works there any more, who would. Gives those that cannot be.
fn seal_removed(workspace: &Workspace) -> Result<Vec<PathBuf>, Error> {
    let repo = workspace.repo();
    let own = StateDir::of(repo);
    let mut unfinished = Vec::new();
    for place in own.all().map_err(Error::io("list", "the worktrees"))? {
        let is_gone = place != own && repo.root_of_worktree(place.worktree()).is_none();
        let Some(state) = is_gone.then(|| State::open_existing(&place)).transpose()?.flatten() else { continue };
        if let Gone::Unfinished(journal) = seal_gone(workspace, state)? {
            unfinished.push(journal);
        }
    }
    Ok(unfinished)
}

/// What the configuration keeps.
fn configured(workspace: &Workspace) -> Result<Retention, Error> {
    let words = workspace.settings()?.history_retention;
    Ok(Retention { age_seconds: words.age_seconds, records: words.count, bytes: words.bytes })
}

/// Exchanges records with other clones through a remote, named as git names it. The chains of the clones in `rewritten` are taken as they are
/// there.
///
/// # Errors
/// Where git fails; what was not taken is no error here ([`refused`]).
pub fn sync(env: &Env, remote: &str, rewritten: &[String]) -> Result<Noted<Synced>, Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    let remote = Remote::of(repo, remote)?;
    let durability = workspace.settings()?.durability;
    let unsealed = seal_elsewhere(&workspace)?;
    let mut noted = with_lock(&workspace, |_| {
        // A fresh clone has records of others to fetch before it has any of its own.
        let store = Store::create(repo, durability)?;
        let synced = exchange(repo, &store, &remote, rewritten)?;
        // What came has no log index yet; without one it is only slower to read.
        let _ = refresh_indexes(&store.again());
        Ok(synced)
    })?;
    noted.done.unsent.extend(unsealed);
    let of_chains = std::mem::take(&mut noted.done.warnings);
    noted.notes.extend(of_chains.into_iter().map(Warning::History));
    Ok(noted)
}

/// Why chains were not taken, for the exit status.
pub fn refused(synced: Synced) -> Error {
    let Synced { refused, rewritten, unsent, .. } = synced;
    if !unsent.is_empty() {
        return HistoryError::NotSent(unsent.into_iter().chain(refused).collect()).into();
    }
    HistoryError::RefusedChains { refused, rewritten: rewritten.into_iter().collect() }.into()
}

/// Takes the lock, finishes what was interrupted, seals what the journal has.
pub(super) fn with_lock<T>(
    workspace: &Workspace,
    work: impl FnOnce(&State) -> Result<T, Error>,
) -> Result<Noted<T>, Error> {
    let (repo, settings) = (workspace.repo(), workspace.settings()?);
    let state = State::open(&StateDir::of(repo))?;
    let root = Flow::open_root_of(repo, settings)?;
    let mut transaction = begin(repo, settings, root, state, settings.lock_timeout)?;
    // What git needs of the history, also where there is nothing to seal.
    let mended = Store::mend_existing(repo, settings.durability)?;
    let mut notes = checkpoint(&mut transaction, repo, settings)?;
    notes.extend(mended.into_iter().map(|what| Warning::History(HistoryWarning::Mended(what))));
    notes.extend(settings.warnings.iter().cloned().map(Warning::Config));
    Ok(Noted { done: work(transaction.state())?, notes })
}

/// Why the history has problems, for the exit status.
pub fn damaged(checked: &Checked) -> Error {
    HistoryError::Damaged(checked.problems.join("; ")).into()
}
