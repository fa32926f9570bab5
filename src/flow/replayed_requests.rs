//! Requests that were answered before: sent again with the same id, the recorded answer comes back.
//!
//! Owns `requests/` of a worktree's state: for each id whose record is sealed one small file, named by the id's hash, that
//! says which record has the answer, or, for an edit that went into the stash only, the answer itself. Newer ones are in the
//! journal.
//! Invariant: from the commit point on, a request is found by its id until its record goes: in the journal, or by a name in
//! `requests/` that was durable before the journal was emptied.

use super::shelved_requests::ShelvedRequest;
use crate::answer::Envelope;
use crate::error::Error;
use crate::git::{Repo, blob_id};
use crate::history::upkeep::Extent;
use crate::history::{History, HistoryError};
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::policy::Finding;
use crate::record::{Record, RecordMeta};
use crate::state_dir::{Durability, StateDir, Tenant, make_private, read, remove, sync_dir, write};
use crate::transaction::{Contents, Entry, Intent, JournalDamage, Outcome, State, Transaction, peek_mentioning};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

/// What is known of a request's id.
pub enum Earlier {
    /// There was none with this id, or nothing came of it.
    None,
    /// Nothing tells of one with this id, and the journal is damaged: it may have been done.
    Unknown(JournalDamage),
    /// It was interrupted, or is being done by another process. What comes of it knows who has the lock.
    Unfinished,
    /// It was done.
    Answered(Answered),
}

/// What an earlier request came to.
pub enum Answered {
    /// A record, which has the answer.
    Recorded(Box<Record>),
    /// An entry of the stash only.
    Shelved(Box<Envelope>),
}

/// What an earlier request with this id and the same meaning came to.
///
/// # Errors
/// [`Finding::RequestIdReused`] where it meant something else; where the journal or the history cannot be read, so that nobody
/// knows whether it was done.
pub fn find(repo: &Repo, request_id: &str, request_hash: BlobId) -> Result<Earlier, Error> {
    let place = StateDir::of(repo);
    let Some(state) = State::open_existing(&place)? else { return Ok(Earlier::None) };
    // What was asked of a worktree that was removed is not done in this one.
    if place.tenant().map_err(Error::io("read", "which worktree redraft's folder is of"))? == Tenant::Earlier {
        return Ok(Earlier::None);
    }
    let Contents { entries, damage, .. } = peek_mentioning(state.dir(), &as_written(request_id))?;
    let found = match entries.iter().find(|entry| is_of(entry, request_id)) {
        Some(entry) if !entry.is_finished() => return Ok(Earlier::Unfinished),
        Some(entry) => Some(entry.intent.record()),
        None => match read(&file(&place, request_id)).map_err(Error::io("read", "an answered request"))? {
            None => return Ok(JournalDamage::of(&damage).map_or(Earlier::None, Earlier::Unknown)),
            Some(bytes) => match ShelvedRequest::parse(&bytes) {
                Some(shelved) => return find_shelved(repo, (request_id, request_hash), shelved),
                None => sealed(repo, &place, request_id, &bytes)?,
            },
        },
    };
    match found {
        None => Ok(Earlier::None),
        Some(record) if record.meta.request_hash == Some(request_hash) => {
            Ok(Earlier::Answered(Answered::Recorded(Box::new(record))))
        }
        Some(_) => Err(reused(request_id)),
    }
}

/// An id as an intent has it in the journal.
fn as_written(request_id: &str) -> Vec<u8> {
    serde_json::Value::from(request_id).to_string().into_bytes()
}

fn find_shelved(
    repo: &Repo,
    (request_id, request_hash): (&str, BlobId),
    shelved: ShelvedRequest,
) -> Result<Earlier, Error> {
    if shelved.is_there(repo)? {
        let is_same = shelved.request_hash == request_hash;
        return if is_same {
            Ok(Earlier::Answered(Answered::Shelved(shelved.answer)))
        } else {
            Err(reused(request_id))
        };
    }
    // It was killed before the entry was made, or the entry was applied or dropped since: the request is a new one. Or the entry is being
    // made: whoever has the lock knows.
    Ok(Earlier::None)
}

/// Refuses where the same id was answered while this request waited for the lock.
///
/// # Errors
/// [`Finding::RequestIdReused`]; the caller asks [`find`] again.
pub fn refuse_answered(repo: &Repo, transaction: &Transaction, meta: &RecordMeta) -> Result<(), Error> {
    let Some(request_id) = &meta.request_id else { return Ok(()) };
    let is_known =
        transaction.entries_mentioning(&as_written(request_id))?.iter().any(|entry| is_of(entry, request_id));
    let note = file(transaction.state().place(), request_id);
    let noted = read(&note).map_err(Error::io("read", "an answered request"))?;
    let is_answered = match noted.as_deref().map(ShelvedRequest::parse) {
        None => false,
        Some(None) => true,
        Some(Some(shelved)) => shelved.is_there(repo)?,
    };
    if is_known || is_answered {
        return Err(reused(request_id));
    }
    // Nothing came of it, and with the lock held nothing does any more.
    if noted.is_some() {
        remove(&note).map_err(Error::io("remove", "an unfinished request"))?;
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

/// Notes a request whose edit is about to go into the stash only.
///
/// # Errors
/// Where the note cannot be written or synced.
pub fn begin_shelved(
    place: &StateDir,
    request_id: &str,
    note: &ShelvedRequest,
    durability: Durability,
) -> Result<(), Error> {
    note.begin(place, &file(place, request_id), durability).map_err(Error::io("note", "a request"))
}

/// Forgets the requests whose entry of the stash is gone, in all worktrees.
///
/// # Errors
/// Where the folders cannot be listed, or a file not be removed.
pub fn forget_shelved(repo: &Repo) -> Result<(), Error> {
    for (path, shelved) in all_shelved(&StateDir::of(repo)).map_err(Error::io("read", "the answered requests"))? {
        if !shelved.is_there(repo)? {
            remove(&path).map_err(Error::io("remove", "an answered request"))?;
        }
    }
    Ok(())
}

/// Takes the diff out of the answers to shelved requests about paths that `is_sought` names, in all worktrees; gives their
/// number.
///
/// # Errors
/// Where the folders cannot be listed, or a file not be written.
pub fn purge_shelved(place: &StateDir, is_sought: impl Fn(&RepoPath) -> bool, extent: Extent) -> io::Result<usize> {
    let mut count = 0;
    for (path, mut shelved) in all_shelved(place)? {
        let data = &shelved.answer.data;
        let is_about = data.files.iter().any(|file| {
            let from = file.from.as_ref().and_then(|from| RepoPath::told(from, file.from_b64.as_deref()));
            let names = [RepoPath::told(&file.path, file.path_b64.as_deref()), from];
            names.iter().flatten().any(&is_sought)
        });
        if !is_about || data.diff_preview.is_empty() {
            continue;
        }
        count += 1;
        if extent == Extent::Whole {
            *shelved.answer = shelved.answer.without_diff();
            shelved.write(&path, Durability::Full)?;
        }
    }
    Ok(count)
}

fn all_shelved(place: &StateDir) -> io::Result<Vec<(PathBuf, ShelvedRequest)>> {
    let mut found = Vec::new();
    for place in place.all()? {
        let entries = match std::fs::read_dir(place.requests()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            let shelved = read(&path)?.and_then(|bytes| ShelvedRequest::parse(&bytes));
            found.extend(shelved.map(|shelved| (path, shelved)));
        }
    }
    Ok(found)
}

fn reused(request_id: &str) -> Error {
    Finding::RequestIdReused(request_id.to_owned()).into()
}

/// The record that a file of `requests/` names; none where it is damaged.
pub fn parse(bytes: &[u8]) -> Option<RecordId> {
    RecordId::parse(std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?)
}

fn is_of(entry: &Entry, request_id: &str) -> bool {
    entry.outcome != Outcome::Aborted && entry.intent.meta.request_id.as_deref() == Some(request_id)
}

/// The sealed record of a request. That there was one, the file's name says; which one, the file, or else the history.
fn sealed(repo: &Repo, place: &StateDir, request_id: &str, bytes: &[u8]) -> Result<Option<Record>, Error> {
    let path = file(place, request_id);
    let history = History::open(repo)?;
    let found = match parse(bytes).map(|id| history.find(id.as_str())) {
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
        let unreadable: Vec<String> = history.take_warnings().iter().map(ToString::to_string).collect();
        if !unreadable.is_empty() {
            let what = format!(
                "request {request_id:?} was sent before, and its record cannot be read: {}",
                unreadable.join("; ")
            );
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
