//! Retention: which records go, because they are old, many or large.
//!
//! Owns the limits, and what they say of each record. Chains are written anew with the records that stay, each with its old
//! tree, by `rewrite_chain.rs`: record ids stay, git commits of history.git change.
//! Invariant: a chain's ref moves only when all that it will need is written; undo of a record that stays still works.

use super::Extent;
use crate::history::error::HistoryError;
use crate::history::store::chain::Chain;
use crate::history::store::chain_reader::{self, Sealed};
use crate::history::store::index_file::Filter;
use crate::history::store::repository::Store;
use crate::history::store::rewrite_chain::write_chain;
use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordFile};
use serde::Serialize;
use std::collections::BTreeSet;

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
    /// The ids of those.
    #[serde(skip)]
    pub gone: BTreeSet<RecordId>,
    /// The sessions of the records that go.
    #[serde(skip)]
    pub sessions: BTreeSet<String>,
    /// The files of the records that go.
    #[serde(skip)]
    pub files: BTreeSet<RepoPath>,
    /// What could not be done, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Drops the records of this clone beyond the retention, but for these that are pinned, and packs what stays.
///
/// # Errors
/// Where chains cannot be read, a chain not be written, or git fails to pack.
pub fn collect(
    store: &Store,
    pins: BTreeSet<RecordId>,
    retention: Retention,
    now_ms: i64,
    extent: Extent,
) -> Result<Collected, HistoryError> {
    let Some(clone) = store.clone_name() else { return Ok(Collected::default()) };
    let total = store.size();
    let mut collected = Collected { bytes_before: total, bytes_after: total, ..Collected::default() };
    let mut chains: Vec<(Chain, CommitId)> =
        store.chains()?.into_iter().filter(|(chain, _)| chain.clone == clone).collect();
    // Newest months first, one worktree after the other.
    chains.sort_by(|a, b| (&a.0.worktree, &b.0.month).cmp(&(&b.0.worktree, &a.0.month)));
    let mut limits = Limits { retention, now_ms, pins, total, all: weigh(store, &chains), ..Limits::default() };
    let mut rewrites: Vec<(Chain, Vec<Record>)> = Vec::new();
    for (chain, tip) in &chains {
        let mut marks = limits.mark(store, chain, *tip);
        let records = match marks.damage.take() {
            None if marks.dropped.is_empty() => Ok(Vec::new()),
            None => marks.staying.iter().rev().map(|commit| Ok(chain_reader::read_commit(store, *commit)?.0)).collect(),
            Some(error) => Err(error),
        };
        // What cannot be read cannot be written anew: such a chain stays whole.
        if let (Err(error), false) = (&records, marks.dropped.is_empty()) {
            collected.notes.push(format!("{} is left as it is: {error}", chain.ref_name()));
            marks.staying.extend(std::iter::repeat_n(*tip, std::mem::take(&mut marks.dropped).len()));
            (marks.sessions, marks.files) = Default::default();
        }
        collected.kept += marks.staying.len();
        collected.dropped += marks.dropped.len();
        collected.pinned += marks.pinned;
        collected.sessions.append(&mut marks.sessions);
        collected.files.append(&mut marks.files);
        if !marks.dropped.is_empty() && extent == Extent::Whole {
            collected.gone.extend(marks.dropped);
            rewrites.push((chain.clone(), records?));
        }
    }
    if extent == Extent::DryRun {
        return Ok(collected);
    }
    for (chain, records) in rewrites {
        write_chain(store, &chain, records)?;
    }
    let store = &store.again();
    chain_reader::refresh(store)?;
    store.repack("--prune=1.hour.ago")?;
    collected.bytes_after = store.size();
    Ok(collected)
}

/// Counts and weighs records from the newest to the oldest, and marks each.
#[derive(Default)]
struct Limits {
    retention: Retention,
    now_ms: i64,
    pins: BTreeSet<RecordId>,
    /// Bytes of history.git.
    total: u64,
    /// The weight of all records.
    all: u64,
    worktree: String,
    count: usize,
    weight: u64,
}

/// What becomes of a chain's records.
#[derive(Default)]
struct Marks {
    /// Their commits, newest first.
    staying: Vec<CommitId>,
    dropped: Vec<RecordId>,
    /// The sessions and files of those.
    sessions: BTreeSet<String>,
    files: BTreeSet<RepoPath>,
    /// How many stay beyond the retention.
    pinned: usize,
    /// Why one of them cannot be marks.
    damage: Option<HistoryError>,
}

impl Limits {
    fn mark(&mut self, store: &Store, chain: &Chain, tip: CommitId) -> Marks {
        if chain.worktree != self.worktree {
            (self.worktree, self.count) = (chain.worktree.clone(), 0);
        }
        let mut marks = Marks::default();
        for sealed in chain_reader::of_chain(store, chain, tip, Filter::default()) {
            let Ok(Sealed { commit, record }) = sealed.map_err(|error| marks.damage = Some(error)) else { continue };
            let over = self.is_over(&record);
            if over && !self.pins.contains(&record.id) {
                marks.sessions.extend(record.meta.session);
                marks.files.extend(record.files.into_iter().map(|file| file.path));
                marks.dropped.push(record.id);
            } else {
                marks.pinned += usize::from(over);
                marks.staying.push(commit);
            }
        }
        marks
    }

    fn is_over(&mut self, record: &Record) -> bool {
        self.count += 1;
        self.weight = self.weight.saturating_add(weight_of(record));
        let age = u64::try_from(self.now_ms.saturating_sub(record.time_ms) / 1000).unwrap_or(0);
        let part = u128::from(self.total) * u128::from(self.weight);
        let bytes = part.checked_div(u128::from(self.all)).map_or(0, |bytes| bytes as u64);
        self.retention.age_seconds.is_some_and(|most| age > most)
            || self.retention.records.is_some_and(|most| self.count > most)
            || self.retention.bytes.is_some_and(|most| bytes > most)
    }
}

fn weigh(store: &Store, chains: &[(Chain, CommitId)]) -> u64 {
    let mut all = 0_u64;
    for (chain, tip) in chains {
        for sealed in chain_reader::of_chain(store, chain, *tip, Filter::default()) {
            all = sealed.map_or(all, |sealed| all.saturating_add(weight_of(&sealed.record)));
        }
    }
    all
}

/// How much of the history a record is, by a rough measure.
fn weight_of(record: &Record) -> u64 {
    let length = |file: &RecordFile| (file.splices.before_len() + file.splices.after_len()) as u64;
    record.files.iter().map(length).fold(1024, |sum, length| sum.saturating_add(length / 4))
}
