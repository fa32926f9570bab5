//! The commit of HEAD, where HEAD and its branch are plain files, as they mostly are.
//!
//! gix looks at eight files for it, and at some of them three times. What is not as plain as here (names of names, damage) is left
//! to gix; both say the same, or this says nothing.

use super::Repo;
use super::packed_refs::PackedRefs;
use crate::id::CommitId;
use bstr::{BStr, ByteSlice};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The commit that HEAD names, by itself or by its branch.
pub(super) fn commit(repo: &Repo) -> Option<CommitId> {
    let head = text(&repo.git_dir().join("HEAD"))?;
    let Some(name) = branch(&head) else { return id(&head) };
    let loose = repo.common_dir().join(name.to_path().ok()?);
    match read(&loose) {
        Ok(text) => id(&text?),
        // Git removes it only after it is among the packed ones.
        Err(error) if error.kind() == ErrorKind::NotFound => PackedRefs::read(repo)?.commit(name),
        Err(_) => None,
    }
}

/// What HEAD is: a branch, by its full name, or a commit by itself, which has none; the outer `None` where it is not as plain.
pub(super) fn branch_name(repo: &Repo) -> Option<Option<String>> {
    let head = text(&repo.git_dir().join("HEAD"))?;
    match branch(&head) {
        Some(name) => Some(Some(name.to_str_lossy().into_owned())),
        None => id(&head).map(|_| None),
    }
}

/// Whether the HEAD of a git directory names a branch, or a commit by itself.
pub(super) fn is_valid(git_dir: &Path) -> bool {
    text(&git_dir.join("HEAD")).is_some_and(|head| branch(&head).is_some() || id(&head).is_some())
}

/// The commit that the file of a branch names by itself.
pub(super) fn commit_of(branch: &Path) -> Option<CommitId> {
    id(&text(branch)?)
}

/// The full name of the branch that a text of HEAD names.
fn branch(head: &[u8]) -> Option<&BStr> {
    // Spaces around it, also letters that are spaces elsewhere, are as git has them.
    let name = head.strip_prefix(b"ref:")?.trim_ascii().as_bstr();
    (name.starts_with(b"refs/heads/") && gix::validate::reference::name(name).is_ok()).then_some(name)
}

/// The text of a file that is as short as those of references are.
fn text(path: &Path) -> Option<Vec<u8>> {
    read(path).ok()?
}

/// The same, none where it is too long.
fn read(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    const LONGEST: usize = 1024;
    let mut bytes = vec![0; LONGEST];
    let length = File::open(path)?.read(&mut bytes)?;
    bytes.truncate(length);
    Ok((length < LONGEST).then_some(bytes))
}

fn id(text: &[u8]) -> Option<CommitId> {
    text.trim_ascii_end().to_str().ok()?.parse().ok()
}
