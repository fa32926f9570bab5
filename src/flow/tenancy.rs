//! A linked worktree that has the name of one that was removed: what the earlier one left is not taken for its own.
//!
//! Owns what of the state goes then: the answers to requests, which say that something was done in a tree that is gone. Records and
//! backups stay, receipts of reads hold by the text that was read, and calls on their way are the ledger's.

use super::checkpoint::checkpoint_first;
use crate::error::Error;
use crate::git::Repo;
use crate::policy::Settings;
use crate::state_dir::{Durability, Tenant};
use crate::transaction::Transaction;
use crate::warning::Warning;

/// Makes the state the worktree's own, where it is not. Gives what is to be known of that.
///
/// # Errors
/// Where what the earlier worktree left cannot be sealed or removed.
pub fn begin(transaction: &mut Transaction, repo: &Repo, settings: &Settings) -> Result<Vec<Warning>, Error> {
    let place = transaction.state().place().clone();
    let tenant = place.tenant().map_err(Error::io("read", "which worktree redraft's folder is of"))?;
    if tenant == Tenant::This {
        return Ok(Vec::new());
    }
    let mut warnings = Vec::new();
    if tenant == Tenant::Earlier {
        // The journal has requests, too: sealed, they are in the one folder that goes.
        warnings = checkpoint_first(transaction, repo, settings)?;
        if !is_empty(transaction)? {
            // The history is damaged. Until it is mended its requests are refused, as somebody else's would be.
            return Ok(warnings);
        }
        place.forget_requests().map_err(Error::io("remove", "the requests of an earlier worktree"))?;
    }
    // If a power cut takes the note, it is written again.
    place.note_tenant(Durability::Fast).map_err(Error::io("note", "which worktree redraft's folder is of"))?;
    Ok(warnings)
}

fn is_empty(transaction: &Transaction) -> Result<bool, Error> {
    Ok(transaction.entries_mentioning(b"")?.is_empty())
}
