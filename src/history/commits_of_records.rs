//! Which git commit each record landed in, as git's own hooks tell it: after a commit, an amend, a rebase.
//!
//! Owns the format of `commits` in redraft's folder, an append-only list of lines: `record ID COMMIT` and `commit OLD NEW`.
//! Hooks of several processes add to it without a lock. It is a help for people, never what an undo relies on: a damaged
//! line says nothing.

use crate::id::{CommitId, RecordId};
use crate::state_dir::{StateDir, append_lines, read};
use std::collections::HashMap;
use std::io;

/// What is known, read at once.
#[derive(Debug, Clone, Default)]
pub struct CommitsOfRecords {
    records: HashMap<RecordId, CommitId>,
    rewritten: HashMap<CommitId, CommitId>,
}

impl CommitsOfRecords {
    /// Reads the list of a repository; without one nothing is known.
    ///
    /// # Errors
    /// Where the list is there and cannot be read.
    pub fn read(place: &StateDir) -> io::Result<Self> {
        Ok(Self::parse(&read(&place.commits())?.unwrap_or_default()))
    }

    /// The list that these bytes are; lines that are none of it are left out.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut commits = Self::default();
        for line in bytes.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok()) {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["record", id, commit] => commits.records.extend(RecordId::parse(id).zip(commit.parse().ok())),
                ["commit", old, new] => commits.rewritten.extend(Self::rewrite(old, new)),
                _ => {}
            }
        }
        commits
    }

    /// The commit that a record is in now; none where it is in none that is known.
    pub fn commit_of(&self, record: &RecordId) -> Option<CommitId> {
        self.records.get(record).map(|commit| self.now(*commit))
    }

    /// What a commit became by amends and rebases.
    pub fn now(&self, commit: CommitId) -> CommitId {
        let mut at = commit;
        // A commit may come back to an earlier id; then the chain is a ring, and is left after one turn.
        for _ in 0..=self.rewritten.len() {
            match self.rewritten.get(&at) {
                Some(&next) if next != commit => at = next,
                _ => break,
            }
        }
        at
    }

    /// Notes that records are in a commit.
    ///
    /// # Errors
    /// Where the list cannot be written.
    pub fn note(place: &StateDir, records: &[RecordId], commit: CommitId) -> io::Result<()> {
        append_lines(&place.commits(), records.iter().map(|id| format!("record {id} {commit}\n")))
    }

    /// Notes that commits became others.
    ///
    /// # Errors
    /// Where the list cannot be written.
    pub fn note_rewritten(place: &StateDir, pairs: impl Iterator<Item = (CommitId, CommitId)>) -> io::Result<()> {
        append_lines(&place.commits(), pairs.map(|(old, new)| format!("commit {old} {new}\n")))
    }

    /// A commit and what it became, as git and the list have them; none where a word is no id, or nothing changed.
    pub fn rewrite(old: &str, new: &str) -> Option<(CommitId, CommitId)> {
        let (old, new) = (old.parse().ok()?, new.parse().ok()?);
        (old != new).then_some((old, new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_followed_over_amends_and_rebases() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = StateDir::new(dir.path(), "main");
        let [a, b, c] = [1, 2, 3].map(|n| CommitId::from_bytes([n; 20]));
        let id = RecordId::from_random([1; 8]);
        assert_eq!(CommitsOfRecords::read(&place).expect("nothing").commit_of(&id), None);
        CommitsOfRecords::note(&place, std::slice::from_ref(&id), a).expect("a line");
        CommitsOfRecords::note_rewritten(&place, [(a, b), (b, c)].into_iter()).expect("lines");
        assert_eq!(CommitsOfRecords::read(&place).expect("lines").commit_of(&id), Some(c));
        CommitsOfRecords::note_rewritten(&place, [(c, a)].into_iter()).expect("a line");
        assert_eq!(CommitsOfRecords::read(&place).expect("lines").commit_of(&id), Some(c));
    }
}
