//! Whether a commit that was to be made came to be: for recovery after a kill.

use crate::git::RepoError;
use crate::id::RecordId;
use bstr::ByteSlice;
use gix::ObjectId;
use std::path::Path;

/// How far back is looked: an interrupted edit is recovered by the next one.
const MOST: usize = 1000;

/// Whether the ref `name` of the worktree with this git directory is, or was, at the commit of a record: at `commit`, or
/// where that is not known at one whose message names the record.
///
/// # Errors
/// Where the repository cannot be read.
pub fn has_landed(git_dir: &Path, name: &str, commit: Option<&str>, record: &RecordId) -> Result<bool, RepoError> {
    let failed = || RepoError::git("read the refs");
    let options = gix::open::Options::isolated().with(gix::sec::Trust::Full).open_path_as_is(true);
    let repo =
        gix::open_opts(git_dir, options).map_err(|error| RepoError::Git { verb: "open", cause: error.to_string() })?;
    let Some(mut reference) = repo.try_find_reference(name).map_err(failed())? else { return Ok(false) };
    let known = commit.and_then(|commit| ObjectId::from_hex(commit.as_bytes()).ok());
    let trailer = format!("\nRedraft-Id: {record}\n");
    let is_it = |id: &ObjectId| match known {
        Some(known) => *id == known,
        None => repo.find_commit(*id).is_ok_and(|commit| commit.data.contains_str(&trailer)),
    };
    // A ref that has moved on, by other commits or away from them, was there all the same.
    let mut log = reference.log_iter();
    let lines = log.rev().map_err(|error| RepoError::Git { verb: "read a reflog", cause: error.to_string() })?;
    for line in lines.into_iter().flatten().take(MOST).flatten() {
        if is_it(&line.new_oid) {
            return Ok(true);
        }
    }
    let tip = reference.peel_to_id().map_err(failed())?.detach();
    let mut at = Some(tip);
    for _ in 0..MOST {
        let Some(id) = at else { break };
        if is_it(&id) {
            return Ok(true);
        }
        at = repo.find_commit(id).ok().and_then(|commit| commit.parent_ids().next().map(gix::Id::detach));
    }
    Ok(false)
}
