//! The log indexes in history.git, as files: one for each chain, read from its end.
//!
//! Owns where they lie and how they are read. What is in them is `log_index.rs`'s; when they are written, `chain_reader.rs`'s.

use crate::history::store::chain::Chain;
use crate::history::store::log_index::{self, Entry, Raw};
use crate::id::CommitId;
use crate::record::RecordClass;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Of the indexes, in history.git.
const FOLDER: &str = "log-index";
/// So much of the end of an index is read at first.
pub(crate) const TAIL: u64 = 128 << 10;

/// So much, where only the newest entry is asked for.
const SHORT_TAIL: u64 = 4 << 10;

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

/// The chains that have a log index, with the newest commit that it knows.
pub(crate) fn tips(store: &Path) -> Vec<(Chain, CommitId)> {
    let entries = std::fs::read_dir(store.join(FOLDER)).into_iter().flatten().filter_map(Result::ok);
    let chains = entries.filter_map(|entry| Chain::of_index(&entry.file_name().into_string().ok()?));
    chains
        .filter_map(|chain| Some((IndexReader::open(store, &chain, SHORT_TAIL).newest()?, chain)))
        .map(|(tip, chain)| (chain, tip))
        .collect()
}

/// What an index has of a commit.
pub(crate) enum Taken {
    Entry(Box<Entry>),
    /// It does not pass; the parent.
    Filtered(Option<CommitId>),
    Missing,
}

/// Reads a log index from its end, as much of it as is asked for.
pub(crate) struct IndexReader {
    file: Option<std::fs::File>,
    /// The part read so far that is not used up; it begins at `from`.
    bytes: Vec<u8>,
    from: u64,
}

impl IndexReader {
    /// One of nothing.
    pub(crate) fn empty() -> Self {
        Self { file: None, bytes: Vec::new(), from: 0 }
    }

    pub(crate) fn open(store: &Path, chain: &Chain, tail: u64) -> Self {
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

    pub(crate) fn newest(&mut self) -> Option<CommitId> {
        self.settle();
        log_index::backwards(&self.bytes).next().map(|raw| raw.commit())
    }

    /// What it has of `commit`, if that is its newest that was not taken.
    pub(crate) fn take(&mut self, commit: CommitId, filter: &Filter) -> Taken {
        let mut is_settled = false;
        let (taken, left) = loop {
            let mut entries = log_index::backwards(&self.bytes);
            match entries.next() {
                Some(raw) if raw.commit() != commit => return Taken::Missing,
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

/// Where a chain's log index lies in history.git.
pub(crate) fn path(store: &Path, chain: &Chain) -> PathBuf {
    store.join(FOLDER).join(chain.index_name())
}
