//! Whether there is another branch than HEAD's commit, where branches are plain files, as they mostly are.
//!
//! gix is opened for it only where something is not as plain as here: packed branches, names of names, damage.

use super::Repo;
use super::head_file;
use super::packed_refs::PackedRefs;
use crate::id::CommitId;
use std::ffi::OsStr;
use std::path::Path;

/// Whether a local branch of a repository of the usual kind is somewhere else than this commit; none where it takes more than
/// a look to tell.
pub(super) fn any_elsewhere(repo: &Repo, head: CommitId) -> Option<bool> {
    let is_plain = !PackedRefs::read(repo)?.may_have_below("refs/heads/");
    if is_plain { below(&repo.common_dir().join("refs/heads"), head) } else { None }
}

fn below(dir: &Path, head: CommitId) -> Option<bool> {
    for entry in dir.read_dir().ok()? {
        let entry = entry.ok()?;
        let kind = entry.file_type().ok()?;
        // What git or gix leaves out of the branches for its name is theirs to tell.
        if Path::new(&entry.file_name()).extension() == Some(OsStr::new("lock")) {
            return None;
        }
        let is_elsewhere =
            if kind.is_dir() { below(&entry.path(), head)? } else { head_file::commit_of(&entry.path())? != head };
        if is_elsewhere {
            return Some(true);
        }
    }
    Some(false)
}
