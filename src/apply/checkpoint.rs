//! The checkpoint of the transaction layer, with the history as its keeper of records.

use super::requests;
use crate::config::Settings;
use crate::error::Error;
use crate::history::{HistoryError, ToSeal, seal};
use crate::repo::Repo;
use crate::transaction::{Durability, Texts, Transaction};

/// Seals the records since the last checkpoint and empties the journal.
///
/// # Errors
/// The system's, and the history's; the journal then stays as it is.
pub fn checkpoint(transaction: &mut Transaction, repo: &Repo, settings: &Settings) -> Result<(), Error> {
    let durable = settings.durability == Durability::Full;
    let state = transaction.state().path().to_owned();
    transaction.checkpoint(|sealable| {
        type Reader<'a> = Box<dyn Fn(usize) -> Result<Texts, HistoryError> + 'a>;
        let texts: Vec<Reader<'_>> =
            sealable.iter().map(|one| Box::new(|n| one.texts(n).map_err(HistoryError::from)) as Reader<'_>).collect();
        let records: Vec<ToSeal<'_>> =
            sealable.iter().zip(&texts).map(|(one, texts)| ToSeal { intent: one.intent, texts }).collect();
        seal(repo, &records, durable)?;
        requests::keep(&state, sealable.iter().map(|one| one.intent))
            .map_err(Error::io("keep", "the answers of requests with an id"))
    })
}
