//! The checkpoint of the transaction layer, with the history as its keeper of records.
//!
//! Owns what is sealed and pruned then, and what is told of it. When one is due says the transaction.

use super::replayed_requests;
use crate::error::Error;
use crate::git::Repo;
use crate::history::{HistoryError, HistoryWarning, Mended, ToSeal, seal};
use crate::id::RecordId;
use crate::policy::Settings;
use crate::record::{RecordFile, RecordedTexts};
use crate::transaction::{Durability, Sealable, State, Transaction, prune, prune_by_name};
use crate::warning::Warning;

/// What a transaction has to tell so far.
pub fn notes(transaction: &mut Transaction) -> Vec<Warning> {
    transaction.take_notes().into_iter().map(Warning::from).collect()
}

/// Seals the records since the last checkpoint, empties the journal, and prunes the backups that are not kept any longer.
/// Gives what is to be known of that, and of the transaction so far.
///
/// # Errors
/// Where a file cannot be synced or the history not be written; the journal then stays as it is.
pub fn checkpoint(transaction: &mut Transaction, repo: &Repo, settings: &Settings) -> Result<Vec<Warning>, Error> {
    let mut mended = Mended::default();
    let mut sealed = Sealed::default();
    let place = transaction.state().place().clone();
    transaction.checkpoint(|records| {
        sealed = Sealed::of(records);
        mended = seal_all(repo, place.worktree(), records, settings.durability)?;
        replayed_requests::keep(&place, records.iter().map(|record| record.intent), settings.durability)
            .map_err(Error::io("keep", "the answered requests"))
    })?;
    prune_backups(transaction.state(), repo, settings, &sealed)?;
    let mut warnings = notes(transaction);
    warnings.extend(mended.indexes.into_iter().map(Warning::IndexRebuilt));
    warnings.extend(mended.store.into_iter().map(|what| Warning::History(HistoryWarning::Mended(what))));
    let lost = mended.lost.into_iter().map(|(record, path)| HistoryWarning::OldTextLost { record, path });
    warnings.extend(lost.map(Warning::History));
    Ok(warnings)
}

/// Seals the records where it is time for that; what goes wrong then takes nothing back. Gives what is to be known of the transaction
/// so far.
pub fn checkpoint_if_due(transaction: &mut Transaction, repo: &Repo, settings: &Settings) -> Vec<Warning> {
    if !transaction.is_checkpoint_due() {
        return notes(transaction);
    }
    checkpoint(transaction, repo, settings).unwrap_or_else(|error| {
        let mut warnings = notes(transaction);
        warnings.push(Warning::CheckpointFailed(error));
        warnings
    })
}

/// The checkpoint that must come before the next transaction. Where only the history is damaged, files are synced all the
/// same and the journal goes on, so that the next edit is recorded there; that is told.
///
/// # Errors
/// As [`checkpoint`], but for damage of the history.
pub fn checkpoint_first(
    transaction: &mut Transaction,
    repo: &Repo,
    settings: &Settings,
) -> Result<Vec<Warning>, Error> {
    match checkpoint(transaction, repo, settings) {
        Err(Error::History(error @ HistoryError::Damaged(_))) => {
            let mut warnings = notes(transaction);
            warnings.push(Warning::NotSealed(error));
            Ok(warnings)
        }
        done => done,
    }
}

fn seal_all(repo: &Repo, worktree: &str, records: &[Sealable<'_>], durability: Durability) -> Result<Mended, Error> {
    let of = |record: &Sealable<'_>, file: &RecordFile, n: usize| -> Result<RecordedTexts, HistoryError> {
        Ok(record.texts(file, n)?)
    };
    let texts: Vec<_> = records.iter().map(|record| move |file: &RecordFile, n: usize| of(record, file, n)).collect();
    let sealed: Vec<ToSeal<'_>> =
        records.iter().zip(&texts).map(|(record, texts)| ToSeal { intent: record.intent, texts }).collect();
    Ok(seal(repo, worktree, &sealed, durability)?)
}

/// What a checkpoint sealed.
#[derive(Debug, Default)]
struct Sealed {
    /// How large the old texts were, in bytes.
    bytes: u64,
    newest: Option<RecordId>,
}

impl Sealed {
    fn of(records: &[Sealable<'_>]) -> Self {
        let files = records.iter().flat_map(|record| &record.intent.files);
        let newest = records.last().map(|record| record.intent.id.clone());
        Self { bytes: files.map(|file| file.before_len as u64).sum(), newest }
    }

    /// Whether the sizes of all backups are to be looked at: where these may weigh, and else by chance, once in about eight times.
    fn may_weigh(&self, settings: &Settings) -> bool {
        let weighs = settings.backup_retention.bytes.is_some_and(|most| self.bytes >= most / 16);
        let chance = self.newest.as_ref().and_then(|id| id.as_str().bytes().last());
        weighs || chance.is_none_or(|letter| letter % 8 == 0)
    }
}

/// After a checkpoint no backup is needed by redraft itself; what stays is for people.
fn prune_backups(state: &State, repo: &Repo, settings: &Settings, sealed: &Sealed) -> Result<(), Error> {
    let (retention, now) = (settings.backup_retention, repo.env().clock().now());
    if sealed.may_weigh(settings) {
        prune(state, retention, now)?;
    } else {
        prune_by_name(state, retention, now)?;
    }
    Ok(())
}
