//! The commit of HEAD, where HEAD and its branch are plain files, as they mostly are.
//!
//! gix looks at eight files for it, and at some of them three times. What is not as plain as here (packed branches, names of names,
//! namespaces, damage) is left to gix; both say the same, or this says nothing.

use super::Repo;
use crate::id::CommitId;
use bstr::ByteSlice;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The commit that HEAD names, by itself or by its branch.
pub(super) fn commit(repo: &Repo) -> Option<CommitId> {
    if repo.env().variable("GIT_NAMESPACE").is_some() {
        return None;
    }
    let head = text(&repo.git_dir().join("HEAD"))?;
    let Some(name) = head.strip_prefix(b"ref: ") else { return id(&head) };
    let branch = name.trim_end().strip_prefix(b"refs/heads/")?;
    // A name with such parts is none, and leads out of the folder.
    let is_name = !branch.is_empty() && branch.split_str("/").all(|part| !part.is_empty() && !part.starts_with(b"."));
    id(&text(&repo.common_dir().join("refs/heads").join(branch.to_path().ok().filter(|_| is_name)?))?)
}

/// A file that is as short as those of references are.
fn text(path: &Path) -> Option<Vec<u8>> {
    const LONGEST: usize = 1024;
    let mut bytes = vec![0; LONGEST];
    let length = File::open(path).ok()?.read(&mut bytes).ok().filter(|length| *length < LONGEST)?;
    bytes.truncate(length);
    Some(bytes)
}

fn id(text: &[u8]) -> Option<CommitId> {
    text.strip_suffix(b"\n")?.to_str().ok()?.parse().ok()
}
