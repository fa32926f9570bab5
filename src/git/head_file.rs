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
    let Some(name) = head.strip_prefix(b"ref:") else { return id(&head) };
    // Spaces around it, also letters that are spaces elsewhere, are as git has them.
    let name = gix::validate::reference::name(name.trim_ascii().as_bstr()).ok()?;
    name.starts_with(b"refs/heads/").then_some(())?;
    id(&text(&repo.common_dir().join(name.to_path().ok()?))?)
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
    text.trim_ascii_end().to_str().ok()?.parse().ok()
}
