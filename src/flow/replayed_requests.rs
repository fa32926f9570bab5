//! Requests that were answered before: sent again with the same id, the recorded answer comes back.
//!
//! Owns `requests/` of a worktree's state: for each id whose record is sealed one small file, named by the id's hash, that
//! says which record has the answer. Newer ones are in the journal.
//! Invariant: from the commit point on, a request is found by its id until its record goes: in the journal, or by a name in
//! `requests/` that was durable before the journal was emptied.

use crate::error::Error;
use crate::git::{Repo, blob_id};
use crate::history::{History, HistoryError};
use crate::id::{BlobId, RecordId};
use crate::policy::Finding;
use crate::record::{Record, RecordMeta};
use crate::state_dir::{Durability, StateDir, make_private, read, remove, sync_dir, write};
use crate::transaction::{Entry, Intent, Outcome, State, Transaction, peek};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

/// The record of an earlier request with this id and the same bytes; none where the id is new.
///
/// # Errors
/// [`Finding::RequestIdReused`] where its bytes were others; where the journal or the history cannot be read, so that nobody
/// knows whether it was done.
pub fn record_of(repo: &Repo, request_id: &str, request_hash: BlobId) -> Result<Option<Record>, Error> {
    let place = StateDir::of(repo);
    let Some(state) = State::open_existing(&place)? else { return Ok(None) };
    let entries = peek(state.dir())?.entries;
    let found = match entries.iter().find(|entry| is_of(entry, request_id)) {
        Some(entry) => Some(entry.intent.record()),
        None => sealed(repo, &place, request_id)?,
    };
    match found {
        None => Ok(None),
        Some(found) if found.meta.request_hash == Some(request_hash) => Ok(Some(found)),
        Some(_) => Err(Finding::RequestIdReused(request_id.to_owned()).into()),
    }
}

/// Refuses where the same id was answered while this request waited for the lock.
///
/// # Errors
/// [`Finding::RequestIdReused`]; the caller asks [`record_of`] again.
pub fn refuse_answered(transaction: &Transaction, meta: &RecordMeta) -> Result<(), Error> {
    let Some(request_id) = &meta.request_id else { return Ok(()) };
    let is_known = transaction.entries()?.iter().any(|entry| is_of(entry, request_id));
    if is_known || file(transaction.state().place(), request_id).exists() {
        return Err(Finding::RequestIdReused(request_id.clone()).into());
    }
    Ok(())
}

/// Notes the ids of requests whose records are sealed; comes before the journal is emptied.
///
/// # Errors
/// Where they cannot be written or synced.
pub fn keep<'a>(place: &StateDir, intents: impl Iterator<Item = &'a Intent>, durability: Durability) -> io::Result<()> {
    let mut folder = None;
    for intent in intents {
        let (Some(request_id), Some(_)) = (&intent.meta.request_id, intent.meta.request_hash) else { continue };
        if folder.is_none() {
            make_private(&place.requests())?;
            folder = Some(place.requests());
        }
        // The name says that there was such a request; what is in the file can be found again.
        write(&file(place, request_id), format!("{}\n", intent.id).as_bytes(), Durability::Fast)?;
    }
    match folder {
        Some(folder) if durability == Durability::Full => {
            sync_dir(&folder)?;
            sync_dir(place.path())
        }
        _ => Ok(()),
    }
}

/// Forgets the requests of records that are gone, in all worktrees.
///
/// # Errors
/// Where the folders cannot be listed, or a file not be removed.
pub fn forget(place: &StateDir, gone: &BTreeSet<RecordId>) -> io::Result<()> {
    for place in place.all()?.iter().filter(|_| !gone.is_empty()) {
        let entries = match std::fs::read_dir(place.requests()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            if read(&path)?.and_then(|bytes| parse(&bytes)).is_some_and(|id| gone.contains(&id)) {
                remove(&path)?;
            }
        }
    }
    Ok(())
}

/// The record that a file of `requests/` names; none where it is damaged.
pub fn parse(bytes: &[u8]) -> Option<RecordId> {
    RecordId::parse(std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?)
}

fn is_of(entry: &Entry, request_id: &str) -> bool {
    entry.outcome != Outcome::Aborted && entry.intent.meta.request_id.as_deref() == Some(request_id)
}

/// The sealed record of a request. That there was one, the file's name says; which one, the file, or else the history.
fn sealed(repo: &Repo, place: &StateDir, request_id: &str) -> Result<Option<Record>, Error> {
    let path = file(place, request_id);
    let Some(bytes) = read(&path).map_err(Error::io("read", "an answered request"))? else { return Ok(None) };
    let history = History::open(repo)?;
    let found = match parse(&bytes).map(|id| history.find(id.as_str())) {
        Some(Ok(item)) => {
            Some(history.full(&item)?).filter(|record| record.meta.request_id.as_deref() == Some(request_id))
        }
        Some(Err(HistoryError::NoSuchRecord(_))) | None => None,
        Some(Err(error)) => return Err(error.into()),
    };
    let found = match found {
        Some(found) => Some(found),
        None => history.answered(request_id)?,
    };
    if found.is_none() {
        let notes = history.notes();
        if !notes.is_empty() {
            let what =
                format!("request {request_id:?} was sent before, and its record cannot be read: {}", notes.join("; "));
            return Err(HistoryError::Damaged(what).into());
        }
        // The record went by the retention, and the request with it.
        remove(&path).map_err(Error::io("remove", "an answered request"))?;
    }
    Ok(found)
}

fn file(place: &StateDir, request_id: &str) -> PathBuf {
    place.requests().join(blob_id(request_id.as_bytes()).to_string())
}
