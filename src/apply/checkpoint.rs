//! The checkpoint of the transaction layer, with the history as its keeper of records.

use crate::config::Settings;
use crate::error::Error;
use crate::repo::Repo;
use crate::transaction::Transaction;

/// Seals the records since the last checkpoint and empties the journal.
///
/// # Errors
/// The system's, and the history's; the journal then stays as it is.
pub fn checkpoint(transaction: &mut Transaction, repo: &Repo, settings: &Settings) -> Result<(), Error> {
    let _ = (repo, settings);
    transaction.checkpoint(|_sealable| Ok::<(), Error>(()))
}
