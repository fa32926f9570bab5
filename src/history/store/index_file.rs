//! The log indexes in history.git, as files: one for each chain, read from its end.
//!
//! Owns where they lie and how they are read. What is in them is `log_index.rs`'s; when they are written, `chain_reader.rs`'s.

use crate::history::store::chain::Chain;
use crate::history::store::log_index::{self, Entry, Raw};
use crate::id::CommitId;
use crate::record::RecordClass;
use memchr::memmem::Finder;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Of the indexes, in history.git.
const FOLDER: &str = "log-index";
/// So much of the end of an index is read at first: some sixty records, and few pages that nobody has touched.
pub(crate) const TAIL: u64 = 16 << 10;

/// So much is read then, and four times as much where that is less than an entry.
const MORE: u64 = 128 << 10;

/// So much, where only the newest entry is asked for.
const SHORT_TAIL: u64 = 4 << 10;

/// So much, where only the oldest is.
const LONG_HEAD: u64 = 64 << 10;

/// Which sealed records a reader wants to see decoded.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Bytes of which an entry must contain some (a path, an agent's name); none lets everything pass. Undo and redo
    /// records pass always, because they say what is in force.
    any: Vec<Finder<'static>>,
    /// Of these, only what gives a file one of those names, or takes one away.
    renames: bool,
}

impl Filter {
    /// Lets pass what contains one of these.
    pub fn of<'a>(any: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self { any: any.into_iter().map(|bytes| Finder::new(bytes).into_owned()).collect(), renames: false }
    }

    /// Lets pass what renames a file that has one of these paths before or after, of undo and redo records, too.
    pub fn renames<'a>(paths: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self { renames: true, ..Self::of(paths) }
    }

    fn passes(&self, raw: &Raw<'_>) -> bool {
        if self.renames {
            return self.any.iter().any(|path| raw.may_rename(path));
        }
        self.any.is_empty()
            || matches!(raw.class(), Some(RecordClass::Undo | RecordClass::Redo) | None)
            || self.any.iter().any(|text| raw.may_have(text))
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

/// The oldest record of a chain, where its log index tells it at once.
pub(crate) fn oldest(store: &Path, chain: &Chain) -> Option<Entry> {
    let mut bytes = Vec::new();
    std::fs::File::open(path(store, chain)).ok()?.take(LONG_HEAD).read_to_end(&mut bytes).ok()?;
    log_index::oldest(&bytes)?.decode()
}

/// Whether an index leads to `tip`, by the last `tail` bytes: what is damaged before that is found by those who read it.
pub(crate) fn leads_to(store: &Path, chain: &Chain, tip: Option<CommitId>, tail: u64) -> bool {
    let mut reader = IndexReader::open(store, chain, tail);
    if reader.from > 0 && log_index::ends_at(&reader.bytes, tip) {
        return true;
    }
    let end = reader.from + reader.bytes.len() as u64;
    if reader.from > 0 {
        reader.load(0, end);
    }
    log_index::is_whole(&reader.bytes, tip)
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
        reader.load(length.saturating_sub(tail), length);
        reader
    }

    /// Reads this part of the file, and nothing where it cannot be read.
    fn load(&mut self, from: u64, end: u64) {
        self.bytes.clear();
        self.from = from;
        if let Some(file) = &mut self.file {
            // Else it is read by pieces that begin at 32 bytes.
            let _ = self.bytes.try_reserve(usize::try_from(end - from).unwrap_or_default());
            let part = file.seek(SeekFrom::Start(from)).map(|_| file.take(end - from));
            if part.and_then(|mut part| part.read_to_end(&mut self.bytes)).is_err() {
                self.bytes.clear();
            }
        }
    }

    /// Makes sure that the bytes end in an entry, if there is one that is whole: what is left over is the middle of an entry, and more
    /// of what stands before it is read until that is whole.
    fn settle(&mut self) {
        let mut more = MORE;
        while log_index::backwards(&self.bytes).next().is_none() {
            if self.from == 0 {
                // Damaged: what stands before the first damage is good.
                let good = log_index::good_length(&self.bytes);
                self.bytes.truncate(good);
                return;
            }
            self.load(self.from.saturating_sub(more), self.from + self.bytes.len() as u64);
            more = more.saturating_mul(4);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::ChangeKind;
    use crate::path::RepoPath;
    use crate::record::Record;
    use crate::record::file_of_record::tests::record;

    fn chain() -> Chain {
        Chain::parse("refs/redraft/kkkkkkkk/main/2026-01").expect("a chain")
    }

    fn commit(n: u8) -> CommitId {
        CommitId::from_bytes([n + 1; 20])
    }

    /// The index of a chain of these records, in a folder.
    fn index(records: &[Record]) -> (tempfile::TempDir, Vec<u8>) {
        let mut bytes = log_index::HEAD.to_vec();
        for (n, record) in (0..).zip(records) {
            bytes.extend(log_index::encode(commit(n), n.checked_sub(1).map(commit), record));
        }
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder, &bytes);
        (folder, bytes)
    }

    fn write(store: &tempfile::TempDir, bytes: &[u8]) {
        let path = path(store.path(), &chain());
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, bytes).expect("written");
    }

    fn records(count: u8) -> Vec<Record> {
        (0..count).map(|n| record(n, &format!("dir/file{n}.rs"))).collect()
    }

    /// What a reader that starts with `tail` bytes takes of the commits from `first` down: `n`, `filtered` or `missing`.
    fn taken(store: &tempfile::TempDir, tail: u64, first: u8, filter: &Filter) -> Vec<String> {
        let mut reader = IndexReader::open(store.path(), &chain(), tail);
        let take = |n| match reader.take(commit(n), filter) {
            Taken::Entry(entry) => {
                assert_eq!((entry.commit, entry.parent), (commit(n), n.checked_sub(1).map(commit)));
                entry.record.files[0].path.to_string_lossy()
            }
            Taken::Filtered(parent) => {
                assert_eq!(parent, n.checked_sub(1).map(commit));
                "filtered".to_owned()
            }
            Taken::Missing => "missing".to_owned(),
        };
        (0..=first).rev().map(take).collect()
    }

    #[test]
    fn whatever_part_is_read_at_first_every_record_is_taken() {
        let (store, bytes) = index(&records(3));
        let all = ["dir/file2.rs", "dir/file1.rs", "dir/file0.rs"];
        for tail in (0..=bytes.len() as u64 + 9).chain([TAIL]) {
            assert_eq!(taken(&store, tail, 2, &Filter::default()), all, "{tail}");
            assert_eq!(IndexReader::open(store.path(), &chain(), tail).newest(), Some(commit(2)), "{tail}");
        }
        assert_eq!(
            taken(&store, TAIL, 3, &Filter::default()),
            ["missing"].iter().chain(&all).copied().collect::<Vec<_>>()
        );
    }

    #[test]
    fn an_index_leads_to_its_newest_commit_whatever_part_of_it_is_looked_at() {
        let (store, bytes) = index(&records(4));
        let leads = |tip, tail| leads_to(store.path(), &chain(), tip, tail);
        let length = bytes.len() as u64;
        for tail in 0..=length {
            assert!(leads(Some(commit(3)), tail), "{tail}");
            assert!(!leads(Some(commit(2)), tail) && !leads(None, tail) && !leads(Some(commit(4)), tail), "{tail}");
        }
        for (at, tail) in [(bytes.len() - 20, 300), (bytes.len() - 20, TAIL), (30, length), (30, 10)] {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            write(&store, &flipped);
            assert!(!leads(Some(commit(3)), tail), "{at} {tail}");
        }
        // Far from its end it is not looked at, but where the end alone tells nothing.
        let mut flipped = bytes.clone();
        flipped[30] ^= 1;
        write(&store, &flipped);
        assert!(leads(Some(commit(3)), length / 2));
        let empty = tempfile::tempdir().expect("a folder");
        assert!(
            leads_to(empty.path(), &chain(), None, TAIL) && !leads_to(empty.path(), &chain(), Some(commit(0)), TAIL)
        );
    }

    #[test]
    fn of_a_damaged_index_the_part_before_the_damage_is_taken() {
        let (store, bytes) = index(&records(3));
        let last = bytes.len() - 20;
        for tail in [0, 50, 500, TAIL] {
            let mut flipped = bytes.clone();
            flipped[last] ^= 1;
            write(&store, &flipped);
            assert_eq!(
                taken(&store, tail, 2, &Filter::default()),
                ["missing", "dir/file1.rs", "dir/file0.rs"],
                "{tail}"
            );
            write(&store, &bytes[..last]);
            assert_eq!(IndexReader::open(store.path(), &chain(), tail).newest(), Some(commit(1)), "{tail}");
        }
        for bytes in [&bytes[1..], b"", log_index::HEAD] {
            write(&store, bytes);
            assert_eq!(tips(store.path()).len(), usize::from(bytes.len() > log_index::HEAD.len()));
        }
        let empty = tempfile::tempdir().expect("a folder");
        assert_eq!(taken(&empty, TAIL, 0, &Filter::default()), ["missing"]);
        assert_eq!(IndexReader::empty().newest(), None);
    }

    #[test]
    fn a_filter_lets_pass_what_has_one_of_its_words_and_every_undo() {
        let mut records = records(4);
        records[1].kind = RecordClass::Undo;
        records[2].kind = RecordClass::Redo;
        let (store, _) = index(&records);
        let (first, second) = ("dir/file1.rs", "dir/file2.rs");
        let other = Filter::of([&b"no/such"[..]]);
        assert_eq!(taken(&store, TAIL, 3, &other), ["filtered", second, first, "filtered"]);
        let some = Filter::of([&b"no/such"[..], b"file3"]);
        assert_eq!(taken(&store, TAIL, 3, &some), ["dir/file3.rs", second, first, "filtered"]);
    }

    #[test]
    fn a_filter_of_renames_lets_pass_what_gives_or_takes_one_of_its_names() {
        let mut records = records(4);
        let rename = |record: &mut Record, from: &str| {
            record.files[0].change = ChangeKind::Rename;
            record.files[0].from = Some(RepoPath::new(from.as_bytes()).expect("a path"));
        };
        rename(&mut records[2], "old.rs");
        rename(&mut records[3], "dir/file0.rs");
        records[3].kind = RecordClass::Undo;
        let (store, _) = index(&records);
        let names = ["dir/file3.rs", "dir/file2.rs"];
        let passing =
            |paths: &[&str]| taken(&store, TAIL, 3, &Filter::renames(paths.iter().map(|path| path.as_bytes())));
        assert_eq!(passing(&["dir/file0.rs", "dir/file1.rs"]), [names[0], "filtered", "filtered", "filtered"]);
        assert_eq!(passing(&["old.rs", "dir/file1.rs"]), ["filtered", names[1], "filtered", "filtered"]);
        assert_eq!(passing(&["dir/file2.rs", "dir/file3.rs"]), [names[0], names[1], "filtered", "filtered"]);
        assert_eq!(passing(&["no.rs"]), ["filtered"; 4]);
    }

    #[test]
    fn the_tips_are_those_of_every_index_that_is_a_chain_s() {
        let (store, _) = index(&records(2));
        std::fs::write(store.path().join(FOLDER).join("no chain"), b"x").expect("written");
        assert_eq!(tips(store.path()), [(chain(), commit(1))]);
        assert_eq!(tips(&store.path().join("nothing")), []);
    }
}
