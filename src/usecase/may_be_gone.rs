//! Whether a place that reads otherwise in one line is another one than was meant: that one may be gone.
//!
//! Owns that question, which only git's text of the file answers. Invariant: nothing is read where no line was misquoted.

use crate::git::Repo;
use crate::patch::merge::Uncertain;
use crate::path::RepoPath;

/// Whether HEAD's text of a file has a line that an edit has otherwise than the file: it was there, and what stands in its place
/// now is no misquoted line of the same place.
pub(super) fn may_be_gone(repo: &Repo, path: &RepoPath, uncertain: &[(usize, Uncertain)]) -> bool {
    let mut sent = uncertain.iter().filter_map(|(_, one)| one.misquoted.as_deref()).peekable();
    if sent.peek().is_none() {
        return false;
    }
    let Ok(Some(head)) = repo.head_entry(path) else { return false };
    let Ok(text) = repo.blob(&head.id) else { return false };
    sent.any(|line| text.split(|&byte| byte == b'\n').any(|other| other.trim_ascii() == line.trim_ascii()))
}
