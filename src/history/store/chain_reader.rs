//! Reads the sealed records of chains, newest first: from their log indexes, and from the commits where an index lags behind
//! or is damaged.
//!
//! Owns the way along a chain, and keeping its index. Writes an index only at a checkpoint, a `gc` or a `sync`; a reader that
//! finds one out of date reads the commits and leaves it as it is.
//! Invariant: every record that can be read is given, once, in the order of the chain; every one that cannot is an error in
//! its place, and the ones behind it follow.

use crate::history::error::HistoryError;
use crate::history::store::log_index::{self, Entry, Raw};
use crate::history::store::repository::{Chain, Store};
use crate::id::BlobId;
use crate::record::{Record, RecordClass};
use crate::state_dir::{self, Durability};
use gix::objs::Kind;
use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Of the indexes, in history.git.
const FOLDER: &str = "log-index";
/// So much of the end of an index is read at first.
const TAIL: u64 = 128 << 10;

/// So much, where only the newest entry is asked for.
const SHORT_TAIL: u64 = 4 << 10;

/// A sealed record.
#[derive(Debug, Clone)]
pub struct Sealed {
    /// Its commit in history.git.
    pub commit: BlobId,
    /// Without splices, where it comes from a log index.
    pub record: Record,
}

/// Which sealed records a reader wants to see decoded.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Bytes of which an entry must contain some (a path, an agent's name); none lets everything pass. Undo and redo
    /// records pass always, because they say what is in force.
    any: Vec<Vec<u8>>,
}

impl Filter {
    /// Lets pass what contains one of these.
    pub fn of<'a>(any: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self { any: any.into_iter().map(<[u8]>::to_vec).collect() }
    }

    fn passes(&self, raw: &Raw<'_>) -> bool {
        self.any.is_empty()
            || matches!(raw.class(), Some(RecordClass::Undo | RecordClass::Redo) | None)
            || self.any.iter().any(|bytes| raw.may_have(bytes))
    }
}

/// All records of this worktree's chains, newest first.
///
/// # Errors
/// Where the chains cannot be listed.
pub(crate) fn own(store: &Store) -> Result<impl Iterator<Item = Result<Sealed, HistoryError>> + '_, HistoryError> {
    let mut chains: Vec<(Chain, BlobId)> =
        store.chains()?.into_iter().filter(|(chain, _)| store.is_own(chain)).collect();
    chains.sort_by(|a, b| b.0.month.cmp(&a.0.month));
    Ok(chains.into_iter().flat_map(move |(chain, tip)| of_chain(store, &chain, &tip, Filter::default())))
}

/// The records of one chain that pass the filter, newest first; what cannot be read is an error among them.
pub(crate) fn of_chain<'a>(store: &'a Store, chain: &Chain, tip: &BlobId, filter: Filter) -> Walk<'a> {
    let index = IndexReader::open(store, chain, TAIL);
    Walk { store, name: chain.ref_name(), index, next: Some(*tip), filter, from_commits: HashSet::new() }
}

/// All records of one chain from its commits, newest first, for a check.
pub(crate) fn of_commits<'a>(store: &'a Store, chain: &Chain, tip: &BlobId) -> Walk<'a> {
    Walk {
        index: IndexReader { file: None, bytes: Vec::new(), from: 0 },
        ..of_chain(store, chain, tip, Filter::default())
    }
}

/// On the way along a chain.
pub(crate) struct Walk<'a> {
    store: &'a Store,
    name: String,
    index: IndexReader,
    next: Option<BlobId>,
    filter: Filter,
    /// The commits that were read as such.
    from_commits: HashSet<BlobId>,
}

impl Iterator for Walk<'_> {
    type Item = Result<Sealed, HistoryError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let commit = self.next?;
            // 1. From the index, where that is at this commit.
            match self.index.take(&commit, &self.filter) {
                Taken::Entry(entry) => {
                    self.next = entry.parent;
                    return Some(Ok(Sealed { commit, record: entry.record }));
                }
                Taken::Filtered(parent) => self.next = parent,
                Taken::Missing => return Some(self.read(commit)),
            }
        }
    }
}

impl Walk<'_> {
    /// Reads the record of a commit; where even its parent is not to be had, the way goes on where the index is.
    fn read(&mut self, commit: BlobId) -> Result<Sealed, HistoryError> {
        let way_out = |index: &mut IndexReader| index.newest().filter(|newest| *newest != commit);
        if !self.from_commits.insert(commit) {
            self.next = None;
            return Err(HistoryError::Damaged(format!("{}: the chain is a ring", self.name)));
        }
        let (parent, meta) = match read_parts(self.store, &commit) {
            Ok(parts) => parts,
            Err(error) => {
                self.next = way_out(&mut self.index).filter(|newest| !self.from_commits.contains(newest));
                return Err(error);
            }
        };
        self.next = parent;
        Ok(Sealed { commit, record: decode(self.store, &commit, &meta)? })
    }
}

/// Adds entries to a chain's log index, which led to `parent` before. An index that did not is written anew from the commits,
/// which is told.
///
/// What goes wrong is of no consequence: readers see what is missing.
pub(crate) fn append(store: &Store, chain: &Chain, parent: Option<&BlobId>, entries: &[u8]) -> Option<String> {
    let path = path(store, chain);
    let bytes = state_dir::read(&path).ok().flatten().unwrap_or_default();
    if !log_index::is_whole(&bytes, parent.copied()) {
        let store = store.again();
        let tip = store.chains().ok()?.remove(chain)?;
        rebuild(&store, chain, &tip).ok()?;
        return Some(format!("the log index of {} was damaged or out of date and is written anew", chain.ref_name()));
    }
    let add = || -> std::io::Result<()> {
        state_dir::make_private(path.parent().expect("it is in a folder"))?;
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&path)?;
        let head: &[u8] = if bytes.is_empty() { log_index::HEAD } else { b"" };
        file.write_all(&[head, entries].concat())
    };
    let _ = add();
    None
}

/// Removes a chain's log index.
pub(crate) fn remove(store: &Store, chain: &Chain) {
    let _ = state_dir::remove(&path(store, chain));
}

/// Writes the log index of a chain anew, from its commits. A record that cannot be read is left out: readers find the hole.
///
/// # Errors
/// Where a commit on the way cannot be read, or the index not be written; the old one stays then.
pub(crate) fn rebuild(store: &Store, chain: &Chain, tip: &BlobId) -> Result<(), HistoryError> {
    let mut entries = Vec::new();
    let mut next = Some(*tip);
    let mut seen = HashSet::new();
    while let Some(commit) = next.filter(|commit| seen.insert(*commit)) {
        // What an index knows beyond a commit that is lost is known nowhere else.
        let (parent, tree) = read_parts(store, &commit)?;
        let record = decode(store, &commit, &tree);
        entries.extend(record.map(|record| log_index::encode(&commit, parent.as_ref(), &record)));
        next = parent;
    }
    entries.push(log_index::HEAD.to_vec());
    entries.reverse();
    let path = path(store, chain);
    let folder = path.parent().expect("it is in a folder");
    state_dir::make_private(folder).map_err(HistoryError::io("make", folder))?;
    state_dir::write(&path, &entries.concat(), Durability::Fast).map_err(HistoryError::io("write", &path))
}

/// Writes the log indexes anew that are damaged or lag behind, such as those of chains that were fetched.
///
/// # Errors
/// Where the chains cannot be listed.
pub(crate) fn refresh(store: &Store) -> Result<(), HistoryError> {
    for (chain, tip) in store.readable_chains()?.chains {
        if !is_current(store, &chain, &tip) {
            let _ = rebuild(store, &chain, &tip);
        }
    }
    Ok(())
}

/// Whether a chain's log index leads from its first record to its newest.
pub(crate) fn is_current(store: &Store, chain: &Chain, tip: &BlobId) -> bool {
    let bytes = state_dir::read(&path(store, chain)).ok().flatten().unwrap_or_default();
    log_index::is_whole(&bytes, Some(*tip))
}

fn path(store: &Store, chain: &Chain) -> PathBuf {
    store.path().join(FOLDER).join(chain.index_name())
}

/// The chains that have a log index, with the newest commit that it knows.
pub(crate) fn indexed_tips(store: &Store) -> Vec<(Chain, BlobId)> {
    let entries = std::fs::read_dir(store.path().join(FOLDER)).into_iter().flatten().filter_map(Result::ok);
    let chains = entries.filter_map(|entry| Chain::of_index(&entry.file_name().into_string().ok()?));
    chains
        .filter_map(|chain| Some((IndexReader::open(store, &chain, SHORT_TAIL).newest()?, chain)))
        .map(|(tip, chain)| (chain, tip))
        .collect()
}

/// What an index has of a commit.
enum Taken {
    Entry(Box<Entry>),
    /// It does not pass; the parent.
    Filtered(Option<BlobId>),
    Missing,
}

/// Reads a log index from its end, as much of it as is asked for.
struct IndexReader {
    file: Option<std::fs::File>,
    /// The part read so far that is not used up; it begins at `from`.
    bytes: Vec<u8>,
    from: u64,
}

impl IndexReader {
    fn open(store: &Store, chain: &Chain, tail: u64) -> Self {
        let mut reader = Self { file: std::fs::File::open(path(store, chain)).ok(), bytes: Vec::new(), from: 0 };
        let length = reader.file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |meta| meta.len());
        reader.load(length.saturating_sub(tail));
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

    /// Makes sure that the bytes end in an entry, if there is one that is whole.
    fn settle(&mut self) {
        if log_index::backwards(&self.bytes).next().is_some() {
            return;
        }
        if self.from > 0 {
            // The rest of the tail is the middle of an entry: go on with all that is before its end.
            let end = usize::try_from(self.from).unwrap_or(usize::MAX).saturating_add(self.bytes.len());
            self.load(0);
            self.bytes.truncate(end);
            if log_index::backwards(&self.bytes).next().is_some() {
                return;
            }
        }
        // Damaged: what stands before the first damage is good.
        let good = log_index::good_length(&self.bytes);
        self.bytes.truncate(good);
    }

    fn newest(&mut self) -> Option<BlobId> {
        self.settle();
        log_index::backwards(&self.bytes).next().map(|raw| raw.commit())
    }

    /// What it has of `commit`, if that is its newest that was not taken.
    fn take(&mut self, commit: &BlobId, filter: &Filter) -> Taken {
        let mut is_settled = false;
        let (taken, left) = loop {
            let mut entries = log_index::backwards(&self.bytes);
            match entries.next() {
                Some(raw) if raw.commit() != *commit => return Taken::Missing,
                Some(raw) if filter.passes(&raw) => {
                    break (
                        raw.decode().map_or(Taken::Missing, |entry| Taken::Entry(Box::new(entry))),
                        entries.rest_len(),
                    );
                }
                Some(raw) => break (Taken::Filtered(raw.parent()), entries.rest_len()),
                None if is_settled => return Taken::Missing,
                None => {
                    self.settle();
                    is_settled = true;
                }
            }
        };
        self.bytes.truncate(left);
        taken
    }
}

/// The record that a commit holds, and its parent.
///
/// # Errors
/// Where the commit is no record.
pub(crate) fn read_commit(store: &Store, commit: &BlobId) -> Result<(Record, Option<BlobId>), HistoryError> {
    let (parent, meta) = read_parts(store, commit)?;
    Ok((decode(store, commit, &meta)?, parent))
}

/// The parent of a commit, and its tree.
fn read_parts(store: &Store, commit: &BlobId) -> Result<(Option<BlobId>, BlobId), HistoryError> {
    let data = store.object(commit, Kind::Commit)?;
    let parsed = gix::objs::CommitRef::from_bytes(&data, gix::hash::Kind::Sha1)
        .map_err(|_| HistoryError::Damaged(format!("commit {commit} is no commit")))?;
    let parent = parsed.parents().next().map(|id| crate::git::blob_id_of(&id));
    Ok((parent, crate::git::blob_id_of(&parsed.tree())))
}

fn decode(store: &Store, commit: &BlobId, tree: &BlobId) -> Result<Record, HistoryError> {
    let damaged = |what: String| HistoryError::Damaged(format!("commit {commit} of history.git {what}"));
    let tree = store.object(tree, Kind::Tree).map_err(|error| damaged(format!("cannot be read ({error})")))?;
    let meta = gix::objs::TreeRefIter::from_bytes(&tree, gix::hash::Kind::Sha1)
        .filter_map(Result::ok)
        .find(|entry| entry.filename == "meta.json")
        .map(|entry| crate::git::blob_id_of(entry.oid))
        .ok_or_else(|| damaged("has no meta.json".to_owned()))?;
    let json = store.object(&meta, Kind::Blob)?;
    Record::decode(&json).map_err(|error| damaged(format!("has a bad meta.json: {error}")))
}
