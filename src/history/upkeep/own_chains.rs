//! Which of this clone's own chains may be sent to a remote: those that go on from, or were written anew of, what was sent there from here.
//!
//! Owns what is remembered of that, in `history.git/sent`: a line for each remote and chain, with the commit that was sent last. A copy of
//! the repository, or a backup that was restored, has this clone's name as well; what it sent is not to be overwritten.
//! Invariant: where it cannot be told that what the remote has came from here, it stays.

use crate::git::{Remote, blob_id};
use crate::history::error::HistoryError;
use crate::history::store::chain::{Chain, REFS};
use crate::history::store::repository::Store;
use crate::id::{BlobId, CommitId};
use crate::state_dir::{self, Durability};
use bstr::ByteSlice;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is to be sent, and what may not be.
#[derive(Default)]
pub(super) struct OwnChains {
    /// Each with what is here, and what the remote has, if anything.
    pub(super) to_send: Vec<(Chain, CommitId, Option<CommitId>)>,
    /// What the remote has from another copy of this clone.
    pub(super) of_copies: Vec<Chain>,
}

impl OwnChains {
    /// This clone's chains beside what the remote has of them.
    ///
    /// # Errors
    /// Where git fails, or the chains cannot be read.
    pub(super) fn beside(store: &Store, remote: &Remote, clone: &str) -> Result<Self, HistoryError> {
        let mut there = of_remote(store, remote, clone)?;
        let sent = read(store)?;
        let mut found = Self::default();
        for (chain, tip) in store.chains()?.into_iter().filter(|(chain, _)| chain.clone == clone) {
            let has = there.remove(&chain.ref_name());
            let last = sent.get(&(key(remote), chain.ref_name())).copied();
            let is_from_here = has.is_none_or(|has| has == tip || Some(has) == last || is_behind(store, has, tip));
            if is_from_here {
                found.to_send.push((chain, tip, has));
            } else {
                found.of_copies.push(chain);
            }
        }
        Ok(found)
    }

    /// Notes what was sent.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(super) fn note(&self, store: &Store, remote: &Remote) -> Result<(), HistoryError> {
        let mut sent = read(store)?;
        let before = sent.clone();
        sent.extend(self.to_send.iter().map(|(chain, tip, _)| ((key(remote), chain.ref_name()), *tip)));
        if sent == before {
            return Ok(());
        }
        let lines: String = sent.iter().map(|((key, name), tip)| format!("{key} {name} {tip}\n")).collect();
        let path = path(store);
        state_dir::write(&path, lines.as_bytes(), Durability::Full).map_err(HistoryError::io("write", &path))
    }
}

/// For each remote, by its key, and each chain's ref the commit that was sent last.
type Sent = BTreeMap<(BlobId, String), CommitId>;

fn path(store: &Store) -> PathBuf {
    store.path().join("sent")
}

/// An address may hold a password.
fn key(remote: &Remote) -> BlobId {
    blob_id(remote.address().as_bytes())
}

/// What is remembered; a line that says nothing is as if there were none.
fn read(store: &Store) -> Result<Sent, HistoryError> {
    let path = path(store);
    let text = state_dir::read(&path).map_err(HistoryError::io("read", &path))?.unwrap_or_default();
    let entry = |line: &[u8]| {
        let mut parts = line.to_str().ok()?.split(' ');
        Some(((parts.next()?.parse().ok()?, parts.next()?.to_owned()), parts.next()?.parse().ok()?))
    };
    Ok(text.lines().filter_map(entry).collect())
}

/// What a remote has of a clone's chains, by their refs.
fn of_remote(store: &Store, remote: &Remote, clone: &str) -> Result<BTreeMap<String, CommitId>, HistoryError> {
    let pattern = format!("{REFS}{clone}/*");
    let out = store.git_with(&["ls-remote", "--", remote.address(), &pattern], remote.settings(), b"")?;
    let line = |line: &[u8]| {
        let (id, name) = line.to_str().ok()?.split_once('\t')?;
        Some((name.to_owned(), id.parse().ok()?))
    };
    Ok(out.lines().filter_map(line).collect())
}

/// Whether one commit led to another one, as far as both are here.
fn is_behind(store: &Store, one: CommitId, other: CommitId) -> bool {
    store.git(&["merge-base", "--is-ancestor", &one.to_string(), &other.to_string()]).is_ok()
}
