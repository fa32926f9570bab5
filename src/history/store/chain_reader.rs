//! Reads the sealed records of chains, newest first: from their ledgers, and from the commits where a ledger lags behind.
//!
//! Writes ledgers only at a checkpoint; a reader that finds one out of date reads the commits and leaves it as it is.

use crate::history::error::HistoryError;
use crate::history::store::ledger_format::{self, Entry};
use crate::history::store::repository::{Chain, Store};
use crate::id::BlobId;
use crate::record::Record;
use crate::record::RecordClass;
use gix::objs::Kind;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// So much of the end of a ledger is read at first.
const TAIL: u64 = 128 << 10;

/// A sealed record.
#[derive(Debug, Clone)]
pub struct Sealed {
    /// Its commit in history.git.
    pub commit: BlobId,
    /// Without splices, where it comes from a ledger.
    pub record: Record,
}

/// Which sealed records a reader wants to see decoded.
#[derive(Debug, Clone, Default)]
pub struct Sieve {
    /// Bytes of which an entry must contain some (a path, an agent's name); none lets everything pass. Undo and redo
    /// records pass always, because they say what is in force.
    any: Vec<Vec<u8>>,
}

impl Sieve {
    /// Lets pass what contains one of these.
    pub fn of<'a>(any: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self { any: any.into_iter().map(<[u8]>::to_vec).collect() }
    }

    fn passes(&self, raw: &ledger_format::Raw<'_>) -> bool {
        self.any.is_empty()
            || matches!(raw.class(), Some(RecordClass::Undo | RecordClass::Redo) | None)
            || self.any.iter().any(|bytes| raw.may_have(bytes))
    }
}

/// All records of this worktree's chains, newest first.
///
/// # Errors
/// The system's.
pub(crate) fn own(store: &Store) -> Result<impl Iterator<Item = Result<Sealed, HistoryError>> + '_, HistoryError> {
    let mut chains: Vec<(Chain, BlobId)> =
        store.chains()?.into_iter().filter(|(chain, _)| store.is_own(chain)).collect();
    chains.sort_by(|a, b| b.0.month.cmp(&a.0.month));
    Ok(chains.into_iter().flat_map(move |(chain, tip)| of_chain(store, &chain, &tip, Sieve::default())))
}

/// The records of one chain that pass the sieve, newest first.
pub(crate) fn of_chain<'a>(
    store: &'a Store,
    chain: &Chain,
    tip: &BlobId,
    sieve: Sieve,
) -> Box<dyn Iterator<Item = Result<Sealed, HistoryError>> + 'a> {
    let mut reader = LedgerReader::open(store, chain);
    let known = reader.newest();
    // What the ledger lacks, from the commits.
    let mut next = (known.as_ref() != Some(tip)).then_some(*tip);
    let mut failed = false;
    let behind = std::iter::from_fn(move || {
        let commit = next.filter(|commit| !failed && known.as_ref() != Some(commit))?;
        match read_commit(store, &commit) {
            Ok((record, parent)) => {
                next = parent;
                Some(Ok(Sealed { commit, record }))
            }
            Err(error) => {
                failed = true;
                Some(Err(error))
            }
        }
    });
    // Where the ledger's newest commit is not on the way, the commits give everything, and the ledger counts for nothing.
    let tip = *tip;
    let ledger = std::iter::from_fn(move || reader.next(&sieve)).map(Ok);
    if known_is_ancestor(store, known, tip) { Box::new(behind.chain(ledger)) } else { Box::new(behind) }
}

/// Whether the ledger's newest commit is the tip, or one that the tip was built on.
fn known_is_ancestor(store: &Store, known: Option<BlobId>, tip: BlobId) -> bool {
    let Some(known) = known else { return false };
    let mut at = Some(tip);
    while let Some(commit) = at {
        if commit == known {
            return true;
        }
        at = read_parent(store, &commit).ok().flatten();
    }
    false
}

/// Adds entries to a chain's ledger. What goes wrong is of no consequence: readers see that it lags behind.
pub(crate) fn append(store: &Store, chain: &Chain, entries: &[u8]) {
    let path = path(store, chain);
    let add = || -> std::io::Result<()> {
        std::fs::create_dir_all(path.parent().expect("it is in a folder"))?;
        let mut file = std::fs::OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let good = ledger_format::good_length(&bytes);
        if good < bytes.len() {
            file.set_len(good as u64)?;
        }
        if good == 0 {
            file.write_all(ledger_format::HEAD)?;
        }
        file.write_all(entries)
    };
    let _ = add();
}

/// Removes a chain's ledger.
pub(crate) fn remove(store: &Store, chain: &Chain) {
    let _ = std::fs::remove_file(path(store, chain));
}

/// Writes the ledger of a chain anew, from its commits.
pub(crate) fn rebuild(store: &Store, chain: &Chain, tip: &BlobId) -> Result<(), HistoryError> {
    remove(store, chain);
    let mut sealed = of_chain(store, chain, tip, Sieve::default()).collect::<Result<Vec<_>, _>>()?;
    sealed.reverse();
    let entries: Vec<u8> = sealed.iter().flat_map(|s| ledger_format::encode(&s.commit, &s.record)).collect();
    append(store, chain, &entries);
    Ok(())
}

/// Whether a chain's ledger has all its records.
pub(crate) fn is_current(store: &Store, chain: &Chain, tip: &BlobId, count: usize) -> bool {
    let mut reader = LedgerReader::open(store, chain);
    reader.newest().as_ref() == Some(tip) && std::iter::from_fn(|| reader.next(&Sieve::default())).count() == count
}

fn path(store: &Store, chain: &Chain) -> PathBuf {
    store.path().join("ledgers").join(format!("{}.{}.{}", chain.clone, chain.worktree, chain.month))
}

/// Reads a ledger from its end, as much of it as is asked for.
struct LedgerReader {
    file: Option<std::fs::File>,
    /// The part read so far that is not used up; it begins at `from`.
    bytes: Vec<u8>,
    from: u64,
}

impl LedgerReader {
    fn open(store: &Store, chain: &Chain) -> Self {
        let mut reader = Self { file: std::fs::File::open(path(store, chain)).ok(), bytes: Vec::new(), from: 0 };
        let length = reader.file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |meta| meta.len());
        reader.load(length.saturating_sub(TAIL));
        if ledger_format::backwards(&reader.bytes).next().is_none() {
            // Torn at its end, or one huge entry: look at all of it.
            reader.load(0);
            let good = ledger_format::good_length(&reader.bytes);
            reader.bytes.truncate(good);
        }
        reader
    }

    fn load(&mut self, from: u64) {
        self.bytes.clear();
        self.from = from;
        if let Some(file) = &mut self.file {
            let read = file.seek(SeekFrom::Start(from)).and_then(|_| file.read_to_end(&mut self.bytes));
            if read.is_err() {
                self.bytes.clear();
            }
        }
    }

    fn newest(&self) -> Option<BlobId> {
        ledger_format::backwards(&self.bytes).next().map(|raw| raw.commit())
    }

    fn next(&mut self, sieve: &Sieve) -> Option<Sealed> {
        loop {
            let mut entries = ledger_format::backwards(&self.bytes);
            let mut found = None;
            for raw in entries.by_ref() {
                if sieve.passes(&raw) {
                    found = raw.decode();
                    break;
                }
            }
            let left = entries.rest_len();
            if let Some(Entry { commit, record }) = found {
                self.bytes.truncate(left);
                return Some(Sealed { commit, record });
            }
            if self.from == 0 {
                return None;
            }
            // The rest of the tail is the middle of an entry: go on with all that is before it.
            let end = self.from + left as u64;
            self.load(0);
            self.bytes.truncate(usize::try_from(end).unwrap_or(usize::MAX));
        }
    }
}

/// The record that a commit holds, and its parent.
///
/// # Errors
/// Where the commit is no record.
pub(crate) fn read_commit(store: &Store, commit: &BlobId) -> Result<(Record, Option<BlobId>), HistoryError> {
    let damaged = |what: &str| HistoryError::Damaged(format!("commit {commit} {what}"));
    let data = store.object(commit, Kind::Commit)?;
    let parsed = gix::objs::CommitRef::from_bytes(&data, gix::hash::Kind::Sha1).map_err(|_| damaged("is no commit"))?;
    let parent = parsed.parents().next().map(|id| crate::git::blob_id_of(&id));
    let tree = store.object(&crate::git::blob_id_of(&parsed.tree()), Kind::Tree)?;
    let meta = gix::objs::TreeRefIter::from_bytes(&tree, gix::hash::Kind::Sha1)
        .filter_map(Result::ok)
        .find(|entry| entry.filename == "meta.json")
        .map(|entry| crate::git::blob_id_of(entry.oid))
        .ok_or_else(|| damaged("has no meta.json"))?;
    let json = store.object(&meta, Kind::Blob)?;
    let record = serde_json::from_slice(&json).map_err(|error| damaged(&format!("has a bad meta.json: {error}")))?;
    Ok((record, parent))
}

fn read_parent(store: &Store, commit: &BlobId) -> Result<Option<BlobId>, HistoryError> {
    let data = store.object(commit, Kind::Commit)?;
    let parsed = gix::objs::CommitRef::from_bytes(&data, gix::hash::Kind::Sha1)
        .map_err(|_| HistoryError::Damaged(format!("{commit} is no commit")))?;
    Ok(parsed.parents().next().map(|id| crate::git::blob_id_of(&id)))
}
