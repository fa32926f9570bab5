//! The two things that take something out of the history: retention (`gc`) and `purge`.
//!
//! Both write chains anew, with the records that stay, each with its old tree (or, purged, one without the texts). Record
//! ids stay; git commits of history.git change.
//! Invariant: a chain's ref moves only when all that it will need is written; undo of a record that stays still works.

use super::error::HistoryError;
use super::ledgers::{self, Sieve};
use super::pack::PackWriter;
use super::record::{Kept, Record};
use super::seal::add_record;
use super::store::{Chain, Store};
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What stays; silence keeps everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Retention {
    /// None older than so many seconds.
    pub age_seconds: Option<u64>,
    /// At most so many records of each worktree.
    pub records: Option<usize>,
    /// At most about so many bytes in all.
    pub bytes: Option<u64>,
}

/// What a `gc` did, or would do.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Collected {
    /// Records that stay.
    pub kept: usize,
    /// Records that go.
    pub dropped: usize,
    /// Pinned records that stay beyond the retention.
    pub pinned: usize,
    /// Bytes of history.git before.
    pub bytes_before: u64,
    /// Bytes of history.git after; before in a dry run.
    pub bytes_after: u64,
}

/// Drops the records of this clone beyond the retention, but for pinned ones, and packs what stays.
///
/// # Errors
/// The system's, or git's.
pub fn collect(store: &Store, retention: Retention, now_ms: i64, dry_run: bool) -> Result<Collected, HistoryError> {
    let Some(clone) = store.clone_name() else { return Ok(Collected::default()) };
    let pins = pins(store)?;
    let total = store.size();
    let mut collected = Collected { bytes_before: total, bytes_after: total, ..Collected::default() };
    let mut chains: Vec<(Chain, BlobId)> =
        store.chains()?.into_iter().filter(|(chain, _)| chain.clone == clone).collect();
    // Newest months first, one worktree after the other.
    chains.sort_by(|a, b| (&a.0.worktree, &b.0.month).cmp(&(&b.0.worktree, &a.0.month)));
    let all: u64 = weigh(store, &chains)?;
    let (mut worktree, mut count, mut weight) = (String::new(), 0, 0_u64);
    let mut rewrites: Vec<(Chain, Vec<Record>)> = Vec::new();
    for (chain, tip) in &chains {
        if chain.worktree != worktree {
            (worktree, count) = (chain.worktree.clone(), 0);
        }
        let (mut staying, mut dropped) = (Vec::new(), 0);
        for sealed in ledgers::of_chain(store, chain, tip, Sieve::default()) {
            let sealed = sealed?;
            let record = sealed.record;
            count += 1;
            weight += weight_of(&record);
            let age = u64::try_from((now_ms - record.time_ms) / 1000).unwrap_or(0);
            let bytes = if all == 0 { 0 } else { (u128::from(total) * u128::from(weight) / u128::from(all)) as u64 };
            let over = retention.age_seconds.is_some_and(|most| age > most)
                || retention.records.is_some_and(|most| count > most)
                || retention.bytes.is_some_and(|most| bytes > most);
            let pinned = pins.contains(&record.id);
            if over && !pinned {
                dropped += 1;
            } else {
                collected.pinned += usize::from(over);
                staying.push(sealed.commit);
            }
        }
        collected.kept += staying.len();
        collected.dropped += dropped;
        if dropped > 0 && !dry_run {
            let records = staying.iter().rev().map(|commit| Ok(ledgers::read_commit(store, commit)?.0));
            rewrites.push((chain.clone(), records.collect::<Result<_, HistoryError>>()?));
        }
    }
    if dry_run {
        return Ok(collected);
    }
    for (chain, records) in rewrites {
        write_chain(store, &chain, records)?;
    }
    store.repack("--prune=1.hour.ago")?;
    collected.bytes_after = store.size();
    Ok(collected)
}

fn weigh(store: &Store, chains: &[(Chain, BlobId)]) -> Result<u64, HistoryError> {
    let mut all = 0;
    for (chain, tip) in chains {
        for sealed in ledgers::of_chain(store, chain, tip, Sieve::default()) {
            all += weight_of(&sealed?.record);
        }
    }
    Ok(all)
}

/// How much of the history a record is, by a rough measure.
fn weight_of(record: &Record) -> u64 {
    let texts: usize = record.files.iter().map(|file| file.before_len + file.after_len).sum();
    1024 + texts as u64 / 4
}

/// Writes a chain anew with these records, oldest first; without any it goes.
fn write_chain(store: &Store, chain: &Chain, records: Vec<Record>) -> Result<(), HistoryError> {
    if records.is_empty() {
        store.remove_chain(chain)?;
        ledgers::remove(store, chain);
        return Ok(());
    }
    let mut pack = PackWriter::new();
    let mut tip = None;
    for record in &records {
        tip = Some(add_record(&mut pack, record, tip.as_ref()));
    }
    pack.finish(&store.path().join("objects/pack"), true)?;
    let tip = tip.expect("there is a record");
    store.set_chain(chain, &tip, true)?;
    // The new objects are in a pack that this process has not looked for.
    let fresh = store.again();
    ledgers::rebuild(&fresh, chain, &tip)
}

/// What a `purge` did, or would do.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Purged {
    /// Records that had texts of the path.
    pub records: usize,
    /// Texts that are removed.
    pub texts: usize,
}

/// Removes the texts of a path (or of all below it) from the history of this clone; the records stay, as tombstones.
///
/// # Errors
/// The system's, or git's.
pub fn purge(store: &Store, path: &RepoPath, dry_run: bool) -> Result<Purged, HistoryError> {
    let mut purged = Purged::default();
    let Some(clone) = store.clone_name() else { return Ok(purged) };
    for (chain, tip) in store.chains()?.into_iter().filter(|(chain, _)| chain.clone == clone) {
        let mut records = Vec::new();
        let mut touched = false;
        for sealed in ledgers::of_chain(store, &chain, &tip, Sieve::default()) {
            let mut record = ledgers::read_commit(store, &sealed?.commit)?.0;
            let mut hit = false;
            for file in record.files.iter_mut().filter(|file| file.is_at(path) && file.kept == Kept::Stored) {
                hit = true;
                purged.texts += usize::from(file.before.is_some()) + usize::from(file.after.is_some());
                file.kept = Kept::Purged;
                file.backup = None;
            }
            if hit {
                purged.records += 1;
                // An answer carries a diff.
                record.meta.answer = None;
                touched = true;
            }
            records.push(record);
        }
        if touched && !dry_run {
            records.reverse();
            write_chain(store, &chain, records)?;
        }
    }
    if purged.records > 0 && !dry_run {
        store.repack("--prune=now")?;
    }
    Ok(purged)
}

/// Removes what `<git dir>/redraft` has of a path beside the journal: backups, and recorded answers that name it.
///
/// # Errors
/// The system's.
pub fn purge_state(state: &Path, path: &RepoPath) -> Result<(), HistoryError> {
    let backups = state.join("backups");
    for folder in entries(&backups)? {
        let file = folder.join(path.to_path());
        let removed = if file.is_dir() { fs::remove_dir_all(&file) } else { fs::remove_file(&file) };
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
            removed => removed.map_err(HistoryError::io("remove", &file))?,
        }
    }
    // An answer shows a diff of its files; which ones it names is in it.
    let name = serde_json::to_string(&path.to_string_lossy()).unwrap_or_default();
    let name = name.trim_matches('"');
    for answer in entries(&state.join("requests"))? {
        if fs::read_to_string(&answer).is_ok_and(|text| text.contains(name)) {
            fs::remove_file(&answer).map_err(HistoryError::io("remove", &answer))?;
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, HistoryError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(HistoryError::io("list", folder)(error)),
        Ok(entries) => Ok(entries.filter_map(Result::ok).map(|entry| entry.path()).collect()),
    }
}

/// Records that no retention drops.
///
/// # Errors
/// The system's.
pub fn pins(store: &Store) -> Result<BTreeSet<RecordId>, HistoryError> {
    let path = store.path().join("pins");
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(text.lines().filter_map(RecordId::parse).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(HistoryError::io("read", &path)(error)),
    }
}

/// Pins a record, or lets it go.
///
/// # Errors
/// The system's.
pub fn pin(store: &Store, id: &RecordId, pinned: bool) -> Result<(), HistoryError> {
    let mut all = pins(store)?;
    if pinned {
        all.insert(id.clone());
    } else {
        all.remove(id);
    }
    let text: String = all.iter().map(|id| format!("{id}\n")).collect();
    super::store::write_file(&store.path().join("pins"), text.as_bytes(), true)
}
