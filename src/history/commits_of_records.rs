//! Which git commit each record landed in, as git's own hooks tell it: after a commit, an amend, a rebase.
//!
//! Owns `<git dir>/redraft/landed/log`, an append-only list of lines: `record ID COMMIT` and `commit OLD NEW`. A line is
//! one small write, so that hooks of several processes need no lock. Damaged lines say nothing.

use crate::id::RecordId;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What is known, read at once.
#[derive(Debug, Clone, Default)]
pub struct Landed {
    records: HashMap<RecordId, String>,
    rewritten: HashMap<String, String>,
}

impl Landed {
    /// Reads the list of the worktree with this git directory; without one nothing is known.
    ///
    /// # Errors
    /// The system's.
    pub fn read(git_dir: &Path) -> io::Result<Self> {
        let text = match fs::read_to_string(place(git_dir)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        let mut landed = Self::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["record", id, commit] if is_commit(commit) => {
                    landed.records.extend(RecordId::parse(id).map(|id| (id, commit.to_owned())));
                }
                ["commit", old, new] if is_commit(old) && is_commit(new) && old != new => {
                    landed.rewritten.insert(old.to_owned(), new.to_owned());
                }
                _ => {}
            }
        }
        Ok(landed)
    }

    /// The commit that a record is in now; none where it is in none that is known.
    pub fn commit_of(&self, record: &RecordId) -> Option<&str> {
        self.records.get(record).map(|commit| self.now(commit))
    }

    /// What a commit became by amends and rebases.
    pub fn now<'a>(&'a self, commit: &'a str) -> &'a str {
        let mut at = commit;
        // A commit may come back to an earlier id; then the chain is a ring, and is left after one turn.
        for _ in 0..=self.rewritten.len() {
            match self.rewritten.get(at) {
                Some(next) if next != commit => at = next,
                _ => break,
            }
        }
        at
    }

    /// Notes that records are in a commit.
    ///
    /// # Errors
    /// The system's.
    pub fn note(git_dir: &Path, records: &[RecordId], commit: &str) -> io::Result<()> {
        append(git_dir, records.iter().map(|id| format!("record {id} {commit}\n")))
    }

    /// Notes that commits became others.
    ///
    /// # Errors
    /// The system's.
    pub fn note_rewritten<'a>(git_dir: &Path, pairs: impl Iterator<Item = (&'a str, &'a str)>) -> io::Result<()> {
        append(git_dir, pairs.map(|(old, new)| format!("commit {old} {new}\n")))
    }
}

fn place(git_dir: &Path) -> PathBuf {
    git_dir.join("redraft").join("landed").join("log")
}

fn append(git_dir: &Path, lines: impl Iterator<Item = String>) -> io::Result<()> {
    let lines: String = lines.collect();
    if lines.is_empty() {
        return Ok(());
    }
    let place = place(git_dir);
    fs::create_dir_all(place.parent().expect("two folders were just put in front of it"))?;
    fs::File::options().create(true).append(true).open(place)?.write_all(lines.as_bytes())
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_followed_over_amends_and_rebases() {
        let dir = tempfile::tempdir().expect("a directory");
        let (a, b, c) = ("a".repeat(40), "b".repeat(40), "c".repeat(40));
        let id = RecordId::from_random([1; 8]);
        assert_eq!(Landed::read(dir.path()).expect("nothing").commit_of(&id), None);
        Landed::note(dir.path(), std::slice::from_ref(&id), &a).expect("a line");
        Landed::note_rewritten(dir.path(), [(&a[..], &b[..]), (&b, &c)].into_iter()).expect("lines");
        assert_eq!(Landed::read(dir.path()).expect("lines").commit_of(&id), Some(&c[..]));
        Landed::note_rewritten(dir.path(), [(&c[..], &a[..])].into_iter()).expect("a line");
        assert_eq!(Landed::read(dir.path()).expect("lines").commit_of(&id), Some(&c[..]));
    }
}
