//! Requests that were answered before: sent again with the same id, the recorded answer comes back.
//!
//! Owns `<git dir>/redraft/requests/`, one small file for each id whose record is sealed; newer ones are in the journal.

use crate::error::Error;
use crate::git::blob_id;
use crate::id::BlobId;
use crate::policy::Finding;
use crate::record::RecordMeta;
use crate::state_dir::{Durability, StateDir, make_private, read, write};
use crate::transaction::{Entry, Intent, Outcome, State, Transaction, peek};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;

#[derive(Debug, Serialize, Deserialize)]
struct Answered {
    request_id: String,
    request_hash: BlobId,
    answer: String,
}

/// The answer to an earlier request with this id and the same bytes; none where the id is new.
///
/// # Errors
/// [`Finding::RequestIdReused`] where its bytes were others; the system's.
pub fn answer_to(place: &StateDir, request_id: &str, request_hash: BlobId) -> Result<Option<String>, Error> {
    let Some(state) = State::open_existing(place)? else { return Ok(None) };
    let entries = peek(state.dir())?.entries;
    let in_journal = entries.iter().find_map(|entry| answered_by(entry, request_id));
    let found = match in_journal {
        Some(found) => Some(found),
        None => sealed(place, request_id)?,
    };
    match found {
        None => Ok(None),
        Some(found) if found.request_hash == request_hash => Ok(Some(found.answer)),
        Some(_) => Err(Finding::RequestIdReused(request_id.to_owned()).into()),
    }
}

/// Refuses where the same id was answered while this request waited for the lock.
///
/// # Errors
/// [`Finding::RequestIdReused`]; the caller asks [`answer_to`] again.
pub fn refuse_answered(transaction: &Transaction, meta: &RecordMeta) -> Result<(), Error> {
    let Some(request_id) = &meta.request_id else { return Ok(()) };
    let entries = transaction.entries()?;
    let is_known = entries.iter().any(|entry| answered_by(entry, request_id).is_some());
    if is_known || sealed(transaction.state().place(), request_id)?.is_some() {
        return Err(Finding::RequestIdReused(request_id.clone()).into());
    }
    Ok(())
}

/// Keeps the answers of sealed records.
///
/// # Errors
/// The system's.
pub fn keep<'a>(place: &StateDir, intents: impl Iterator<Item = &'a Intent>) -> io::Result<()> {
    for meta in intents.map(|intent| &intent.meta) {
        if let (Some(request_id), Some(request_hash), Some(answer)) =
            (&meta.request_id, meta.request_hash, &meta.answer)
        {
            let answered = Answered { request_id: request_id.clone(), request_hash, answer: answer.clone() };
            make_private(&place.requests())?;
            write(&file(place, request_id), &serde_json::to_vec(&answered)?, Durability::Full)?;
        }
    }
    Ok(())
}

fn answered_by(entry: &Entry, request_id: &str) -> Option<Answered> {
    let meta = &entry.intent.meta;
    if entry.outcome == Outcome::Aborted || meta.request_id.as_deref() != Some(request_id) {
        return None;
    }
    Some(Answered { request_id: request_id.to_owned(), request_hash: meta.request_hash?, answer: meta.answer.clone()? })
}

fn sealed(place: &StateDir, request_id: &str) -> Result<Option<Answered>, Error> {
    let bytes = read(&file(place, request_id)).map_err(Error::io("read", "an answered request"))?;
    let found: Option<Answered> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(found.filter(|found| found.request_id == request_id))
}

fn file(place: &StateDir, request_id: &str) -> PathBuf {
    place.requests().join(blob_id(request_id.as_bytes()).to_string())
}
