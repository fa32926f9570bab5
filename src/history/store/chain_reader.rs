//! Reads the sealed records of chains, newest first: from their log indexes, and from the commits where an index lags behind
//! or is damaged.
//!
//! Owns the way along a chain, and keeping its index. Writes an index only at a checkpoint, a `gc` or a `sync`; a reader that
//! finds one out of date reads the commits and leaves it as it is.
//! Invariant: every record that can be read is given, once, in the order of the chain; every one that cannot is an error in
//! its place, and the ones behind it follow.

use crate::git::ObjectId;
use crate::history::error::HistoryError;
use crate::history::store::chain::Chain;
use crate::history::store::index_file::{Filter, IndexReader, TAIL, Taken, leads_to, path};
use crate::history::store::log_index;
use crate::history::store::repository::Store;
use crate::id::{BlobId, CommitId, TreeId};
use crate::record::Record;
use crate::state_dir::{self, Durability};
use std::collections::HashSet;
use std::io::Write;

/// A sealed record.
#[derive(Debug, Clone)]
pub struct Sealed {
    /// Its commit in history.git.
    pub commit: CommitId,
    /// Without splices, where it comes from a log index.
    pub record: Record,
}

/// All records of this worktree's chains, newest first.
///
/// # Errors
/// Where the chains cannot be listed.
pub(crate) fn own(store: &Store) -> Result<impl Iterator<Item = Result<Sealed, HistoryError>> + '_, HistoryError> {
    let mut chains: Vec<(Chain, CommitId)> =
        store.chains()?.into_iter().filter(|(chain, _)| store.is_own(chain)).collect();
    chains.sort_by(|a, b| b.0.month.cmp(&a.0.month));
    Ok(chains.into_iter().flat_map(move |(chain, tip)| of_chain(store, &chain, tip, Filter::default())))
}

/// The records of one chain that pass the filter, newest first; what cannot be read is an error among them.
pub(crate) fn of_chain<'a>(store: &'a Store, chain: &Chain, tip: CommitId, filter: Filter) -> Walk<'a> {
    let index = IndexReader::open(store.path(), chain, TAIL);
    Walk { store, name: chain.ref_name(), index, next: Some(tip), filter, from_commits: HashSet::new() }
}

/// All records of one chain from its commits, newest first, for a check.
pub(crate) fn of_commits<'a>(store: &'a Store, chain: &Chain, tip: CommitId) -> Walk<'a> {
    Walk { index: IndexReader::empty(), ..of_chain(store, chain, tip, Filter::default()) }
}

/// On the way along a chain.
pub(crate) struct Walk<'a> {
    store: &'a Store,
    name: String,
    index: IndexReader,
    next: Option<CommitId>,
    filter: Filter,
    /// The commits that were read as such.
    from_commits: HashSet<CommitId>,
}

impl Iterator for Walk<'_> {
    type Item = Result<Sealed, HistoryError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let commit = self.next?;
            // 1. From the index, where that is at this commit.
            match self.index.take(commit, &self.filter) {
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
    fn read(&mut self, commit: CommitId) -> Result<Sealed, HistoryError> {
        let way_out = |index: &mut IndexReader| index.newest().filter(|newest| *newest != commit);
        if !self.from_commits.insert(commit) {
            self.next = None;
            return Err(HistoryError::Damaged(format!("{}: the chain is a ring", self.name)));
        }
        let (parent, tree) = match read_parts(self.store, commit) {
            Ok(parts) => parts,
            Err(error) => {
                self.next = way_out(&mut self.index).filter(|newest| !self.from_commits.contains(newest));
                return Err(error);
            }
        };
        self.next = parent;
        Ok(Sealed { commit, record: decode(self.store, commit, tree)? })
    }
}

/// What became of a chain's log index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Appended {
    /// It has the entries.
    AtItsEnd,
    /// It was damaged or out of date, and is written anew.
    Rebuilt,
}

/// Adds entries to a chain's log index, which led to `parent` before. An index that did not is written anew from the commits.
///
/// What goes wrong is of no consequence: readers see what is missing.
pub(crate) fn append(store: &Store, chain: &Chain, parent: Option<CommitId>, entries: &[u8]) -> Appended {
    let path = path(store.path(), chain);
    if !leads_to(store.path(), chain, parent, TAIL) {
        let store = store.again();
        let tip = store.chains().ok().and_then(|mut chains| chains.remove(chain));
        let rebuilt = tip.and_then(|tip| rebuild(&store, chain, tip).ok());
        return rebuilt.map_or(Appended::AtItsEnd, |()| Appended::Rebuilt);
    }
    let add = || -> std::io::Result<()> {
        state_dir::make_private(path.parent().expect("it is in a folder"))?;
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&path)?;
        let head: &[u8] = if file.metadata()?.len() == 0 { log_index::HEAD } else { b"" };
        file.write_all(&[head, entries].concat())
    };
    let _ = add();
    Appended::AtItsEnd
}

/// Removes a chain's log index.
pub(crate) fn remove(store: &Store, chain: &Chain) {
    let _ = state_dir::remove(&path(store.path(), chain));
}

/// Writes the log index of a chain anew, from its commits. A record that cannot be read is left out: readers find the hole.
///
/// # Errors
/// Where a commit on the way cannot be read, or the index not be written; the old one stays then.
pub(crate) fn rebuild(store: &Store, chain: &Chain, tip: CommitId) -> Result<(), HistoryError> {
    let mut entries = Vec::new();
    let mut next = Some(tip);
    let mut seen = HashSet::new();
    while let Some(commit) = next.filter(|commit| seen.insert(*commit)) {
        // What an index knows beyond a commit that is lost is known nowhere else.
        let (parent, tree) = read_parts(store, commit)?;
        let record = decode(store, commit, tree);
        entries.extend(record.map(|record| log_index::encode(commit, parent, &record)));
        next = parent;
    }
    entries.push(log_index::HEAD.to_vec());
    entries.reverse();
    let path = path(store.path(), chain);
    let folder = path.parent().expect("it is in a folder");
    state_dir::make_private(folder).map_err(HistoryError::io("make", folder))?;
    state_dir::write(&path, &entries.concat(), Durability::Fast).map_err(HistoryError::io("write", &path))
}

/// Writes the log indexes anew that are damaged or lag behind, such as those of chains that were fetched.
///
/// # Errors
/// Where the chains cannot be listed.
pub fn refresh(store: &Store) -> Result<(), HistoryError> {
    for (chain, tip) in store.readable_chains()?.chains {
        if !is_current(store, &chain, tip) {
            let _ = rebuild(store, &chain, tip);
        }
    }
    Ok(())
}

/// Whether a chain's log index leads from its first record to its newest.
pub(crate) fn is_current(store: &Store, chain: &Chain, tip: CommitId) -> bool {
    let bytes = state_dir::read(&path(store.path(), chain)).ok().flatten().unwrap_or_default();
    log_index::is_whole(&bytes, Some(tip))
}

/// The record that a commit holds, and its parent.
///
/// # Errors
/// Where the commit is no record.
pub(crate) fn read_commit(store: &Store, commit: CommitId) -> Result<(Record, Option<CommitId>), HistoryError> {
    let (parent, tree) = read_parts(store, commit)?;
    Ok((decode(store, commit, tree)?, parent))
}

/// The parent of a commit, and its tree.
fn read_parts(store: &Store, commit: CommitId) -> Result<(Option<CommitId>, TreeId), HistoryError> {
    let data = store.object(commit)?;
    let parsed = gix::objs::CommitRef::from_bytes(&data, gix::hash::Kind::Sha1)
        .map_err(|_| HistoryError::Damaged(format!("commit {commit} is no commit")))?;
    let parent = parsed.parents().next().map(|id| CommitId::from_gix(&id));
    Ok((parent, TreeId::from_gix(&parsed.tree())))
}

fn decode(store: &Store, commit: CommitId, tree: TreeId) -> Result<Record, HistoryError> {
    let damaged = |what: String| HistoryError::Damaged(format!("commit {commit} of history.git {what}"));
    let tree = store.object(tree).map_err(|error| damaged(format!("cannot be read ({error})")))?;
    let meta = gix::objs::TreeRefIter::from_bytes(&tree, gix::hash::Kind::Sha1)
        .filter_map(Result::ok)
        .find(|entry| entry.filename == "meta.json")
        .map(|entry| BlobId::from_gix(entry.oid))
        .ok_or_else(|| damaged("has no meta.json".to_owned()))?;
    let json = store.object(meta)?;
    Record::decode(&json).map_err(|error| damaged(format!("has a bad meta.json: {error}")))
}
