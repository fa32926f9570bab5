//! Which git commits hold each record, as far as it was looked up when they were made: a cache.
//!
//! Owns the format of `commits` in redraft's folder, an append-only list of lines: `all ID COMMIT` and `part ID COMMIT`.
//! Hooks of several processes add to it without a lock. What is noted was seen in the commit itself (`held.rs`), never in
//! its message; a note counts only while HEAD or a branch has its commit. Nothing is lost with the list: what is not noted
//! is looked for. A damaged line says nothing, and neither do lines of older versions, which believed what messages say.

use crate::id::{CommitId, RecordId};
use crate::state_dir::{StateDir, append_lines, read};
use std::collections::{BTreeSet, HashMap};
use std::io;

/// How much of a record a commit holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// All of it.
    All,
    /// Some of its lines.
    Part,
}

/// What is known, read at once.
#[derive(Debug, Clone, Default)]
pub struct CommitsOfRecords {
    records: HashMap<RecordId, Vec<(CommitId, Share)>>,
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
            let [share, id, commit] = words[..] else { continue };
            let share = match share {
                "all" => Share::All,
                "part" => Share::Part,
                _ => continue,
            };
            let (Some(id), Ok(commit)) = (RecordId::parse(id), commit.parse()) else { continue };
            let noted = commits.records.entry(id).or_default();
            noted.retain(|(other, _)| *other != commit);
            noted.push((commit, share));
        }
        commits
    }

    /// The commits that are noted for a record, in the order in which that was done.
    pub fn of(&self, record: &RecordId) -> &[(CommitId, Share)] {
        self.records.get(record).map(Vec::as_slice).unwrap_or_default()
    }

    /// All commits that are noted.
    pub fn commits(&self) -> BTreeSet<CommitId> {
        self.records.values().flatten().map(|(commit, _)| *commit).collect()
    }

    /// The records of which something is noted to be in a commit.
    pub fn records_in(&self, commit: CommitId) -> impl Iterator<Item = &RecordId> {
        let is_in = move |noted: &[(CommitId, Share)]| noted.iter().any(|(one, _)| *one == commit);
        self.records.iter().filter(move |(_, noted)| is_in(noted)).map(|(id, _)| id)
    }

    /// Notes that records are in a commit.
    ///
    /// # Errors
    /// Where the list cannot be written.
    pub fn note<'a>(
        place: &StateDir,
        records: impl IntoIterator<Item = (&'a RecordId, Share)>,
        commit: CommitId,
    ) -> io::Result<()> {
        let word = |share| match share {
            Share::All => "all",
            Share::Part => "part",
        };
        let lines = records.into_iter().map(|(id, share)| format!("{} {id} {commit}\n", word(share)));
        append_lines(&place.commits(), lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_last_of_a_commit_counts_and_foreign_lines_say_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = StateDir::new(dir.path(), "main");
        let [a, b] = [1, 2].map(|n| CommitId::from_bytes([n; 20]));
        let id = RecordId::from_random([1; 8]);
        assert_eq!(CommitsOfRecords::read(&place).expect("nothing").of(&id), []);
        append_lines(&place.commits(), [format!("record {id} {b}\n"), format!("commit {a} {b}\n")]).expect("lines");
        for (share, commit) in [(Share::Part, a), (Share::All, b), (Share::All, a)] {
            CommitsOfRecords::note(&place, [(&id, share)], commit).expect("a line");
        }
        append_lines(&place.commits(), ["all x y\n".into(), "all\n".into()]).expect("lines");
        let read = CommitsOfRecords::read(&place).expect("lines");
        assert_eq!(read.of(&id), [(b, Share::All), (a, Share::All)]);
        assert_eq!(read.records_in(a).collect::<Vec<_>>(), [&id]);
        let other = RecordId::from_random([2; 8]);
        CommitsOfRecords::note(&place, [(&other, Share::Part)], b).expect("a line");
        let read = CommitsOfRecords::read(&place).expect("lines");
        assert_eq!(read.of(&other), [(b, Share::Part)]);
        assert_eq!(read.records_in(a).collect::<Vec<_>>(), [&id]);
    }
}
