//! Requests that were answered before: sent again with the same id, the recorded answer comes back.
//!
//! Owns `<git dir>/redraft/requests/`, one small file for each id whose record is sealed; newer ones are in the journal.

use crate::error::Error;
use crate::git::blob_id;
use crate::id::BlobId;
use crate::policy::Finding;
use crate::record::RecordMeta;
use crate::transaction::{Entry, Intent, Outcome, State, Transaction, peek};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
pub fn answer_to(git_dir: &Path, request_id: &str, request_hash: BlobId) -> Result<Option<String>, Error> {
    let Some(state) = State::open_existing(git_dir)? else { return Ok(None) };
    let entries = peek(state.dir())?.entries;
    let in_journal = entries.iter().find_map(|entry| answered_by(entry, request_id));
    let found = match in_journal {
        Some(found) => Some(found),
        None => sealed(state.path(), request_id)?,
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
    if is_known || sealed(transaction.state().path(), request_id)?.is_some() {
        return Err(Finding::RequestIdReused(request_id.clone()).into());
    }
    Ok(())
}

/// Keeps the answers of sealed records.
///
/// # Errors
/// The system's.
pub fn keep<'a>(state: &Path, intents: impl Iterator<Item = &'a Intent>) -> io::Result<()> {
    for meta in intents.map(|intent| &intent.meta) {
        if let (Some(request_id), Some(request_hash), Some(answer)) =
            (&meta.request_id, meta.request_hash, &meta.answer)
        {
            let answered = Answered { request_id: request_id.clone(), request_hash, answer: answer.clone() };
            fs::create_dir_all(state.join("requests"))?;
            fs::write(file(state, request_id), serde_json::to_vec(&answered)?)?;
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

fn sealed(state: &Path, request_id: &str) -> Result<Option<Answered>, Error> {
    match fs::read(file(state, request_id)) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok().filter(|found: &Answered| found.request_id == request_id)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", "an answered request")(error)),
    }
}

fn file(state: &Path, request_id: &str) -> PathBuf {
    state.join("requests").join(blob_id(request_id.as_bytes()).to_string())
}
