//! The two things that take something out of the history: retention (`gc`) and `purge`.
//!
//! Both write chains anew, with the records that stay, each with its old tree (or, purged, one without the texts). Record
//! ids stay; git commits of history.git change.
//! Invariant: a chain's ref moves only when all that it will need is written; undo of a record that stays still works.

use super::pins::pins;
use crate::history::error::HistoryError;
use crate::history::store::chain_reader::{self, Sieve};
use crate::history::store::repository::{Chain, Store};
use crate::history::store::rewrite_chain::write_chain;
use crate::id::BlobId;
use crate::record::Record;
use serde::Serialize;

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
        for sealed in chain_reader::of_chain(store, chain, tip, Sieve::default()) {
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
            let records = staying.iter().rev().map(|commit| Ok(chain_reader::read_commit(store, commit)?.0));
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
        for sealed in chain_reader::of_chain(store, chain, tip, Sieve::default()) {
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
