//! Notes on git commits, and what is said of commits beside what they did.
//!
//! Owns the calls of `git notes`. Writes the ref of the notes, and nothing else.

use super::{GitCall, Repo, RepoError};
use crate::id::CommitId;
use bstr::ByteSlice;
use std::collections::HashMap;

/// Who made a commit, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitFacts {
    /// Its id.
    pub id: CommitId,
    /// As git says it: `Name <address>`.
    pub author: String,
    /// When it was committed, seconds since 1970-01-01 UTC.
    pub time: i64,
}

impl Repo {
    /// The commits that these words name, as git reads them: a commit each, or a range (`A..B`); in their order, each once, of a range the
    /// newest first.
    ///
    /// # Errors
    /// Where git knows no such commit.
    pub fn commits_named(&self, names: &[String]) -> Result<Vec<CommitFacts>, RepoError> {
        let mut found: Vec<CommitFacts> = Vec::new();
        for name in names {
            let mut call = GitCall::new(["log", "--no-show-signature", "--format=%H%x00%an <%ae>%x00%ct"]);
            if !name.contains("..") {
                call = call.arg("--no-walk");
            }
            let out = self.run_git(call.arg("--end-of-options").arg(name).arg("--"))?;
            for facts in out.lines().filter_map(facts) {
                if !found.iter().any(|known| known.id == facts.id) {
                    found.push(facts);
                }
            }
        }
        Ok(found)
    }

    /// The notes below a ref, by the commits that they are on.
    ///
    /// # Errors
    /// Where git fails.
    pub fn notes(&self, notes_ref: &str) -> Result<HashMap<CommitId, Vec<u8>>, RepoError> {
        let list = self.run_git(GitCall::new(["notes", "--ref", notes_ref, "list"]))?;
        let mut notes = HashMap::new();
        for line in list.lines() {
            let Some((note, commit)) = line.to_str().ok().and_then(|line| line.split_once(' ')) else { continue };
            if let (Ok(note), Ok(commit)) = (note.parse(), commit.parse()) {
                notes.insert(commit, self.blob(&note)?);
            }
        }
        Ok(notes)
    }

    /// Puts a note on a commit, in place of the one that it has.
    ///
    /// # Errors
    /// Where git fails.
    pub fn put_note(&self, notes_ref: &str, commit: CommitId, text: &[u8]) -> Result<(), RepoError> {
        let blob = self.write_blob(text)?;
        let call = GitCall::new(["notes", "--ref", notes_ref, "add", "-f", "-C"]);
        self.run_git(call.arg(blob.to_string()).arg(commit.to_string())).map(drop)
    }

    /// Takes the note of a commit away.
    ///
    /// # Errors
    /// Where git fails.
    pub fn remove_note(&self, notes_ref: &str, commit: CommitId) -> Result<(), RepoError> {
        let call = GitCall::new(["notes", "--ref", notes_ref, "remove", "--ignore-missing"]);
        self.run_git(call.arg(commit.to_string())).map(drop)
    }
}

fn facts(line: &[u8]) -> Option<CommitFacts> {
    let mut fields = line.split_str("\0");
    let id = fields.next()?.to_str().ok()?.parse().ok()?;
    let author = fields.next()?.to_str_lossy().into_owned();
    let time = fields.next()?.to_str().ok()?.parse().ok()?;
    Some(CommitFacts { id, author, time })
}
