//! Whether a ref is, or ever was, at some commit: for recovery after a kill.
//!
//! Owns how far back that is looked for. Reads only, and with a repository opened anew, for what was read before the lock
//! was taken may be old.

use super::{ObjectId, RepoError};
use crate::id::CommitId;
use bstr::ByteSlice;
use std::path::Path;

/// How far back is looked: an interrupted edit is recovered by the next one.
const MOST: usize = 1000;

/// The commit that is looked for.
#[derive(Debug, Clone, Copy)]
pub enum Sought<'a> {
    /// The one with this id.
    Commit(CommitId),
    /// Any whose message has this line, as a trailer.
    Line(&'a str),
    /// The same, whose first parent this is; none for one without parents.
    LineOn(&'a str, Option<CommitId>),
}

/// Whether the ref `name` of the worktree with this git directory is, or was, at a commit. A ref that has moved on, by other
/// commits or away from them, was there all the same.
///
/// # Errors
/// Where the repository cannot be read.
pub fn ref_was_at(git_dir: &Path, name: &str, sought: Sought<'_>) -> Result<bool, RepoError> {
    let failed = || RepoError::git("read the refs");
    let options = gix::open::Options::isolated().with(gix::sec::Trust::Full).open_path_as_is(true);
    let repo =
        gix::open_opts(git_dir, options).map_err(|error| RepoError::Git { verb: "open", cause: error.to_string() })?;
    let sought = Matcher::of(sought);
    let Some(mut reference) = repo.try_find_reference(name).map_err(failed())? else { return Ok(false) };
    let now = value(&repo, &mut reference)?;
    // Git writes the log before it moves the ref: a line counts only where the ref was then left at what the line says.
    let mut left_at = now;
    let mut log = reference.log_iter();
    let lines = log.rev().map_err(|error| RepoError::Git { verb: "read a reflog", cause: error.to_string() })?;
    for line in lines.into_iter().flatten().take(MOST).flatten() {
        if left_at == Some(line.new_oid) && sought.is(&repo, &line.new_oid) {
            return Ok(true);
        }
        left_at = Some(line.previous_oid);
    }
    let mut at = now;
    for _ in 0..MOST {
        let Some(id) = at else { break };
        if sought.is(&repo, &id) {
            return Ok(true);
        }
        at = repo.find_commit(id).ok().and_then(|commit| commit.parent_ids().next().map(gix::Id::detach));
    }
    Ok(false)
}

/// The commit that a ref is at; none where it names a branch that is not born.
fn value(repo: &gix::Repository, reference: &mut gix::Reference<'_>) -> Result<Option<gix::ObjectId>, RepoError> {
    let failed = || RepoError::git("read the refs");
    if let gix::refs::TargetRef::Symbolic(name) = reference.target()
        && repo.try_find_reference(name).map_err(failed())?.is_none()
    {
        return Ok(None);
    }
    Ok(Some(reference.peel_to_id().map_err(failed())?.detach()))
}

enum Matcher {
    Commit(gix::ObjectId),
    Line(String),
    LineOn(String, Option<gix::ObjectId>),
}

impl Matcher {
    fn of(sought: Sought<'_>) -> Self {
        match sought {
            Sought::Commit(id) => Self::Commit(id.to_gix()),
            Sought::Line(line) => Self::Line(format!("\n{line}\n")),
            Sought::LineOn(line, parent) => Self::LineOn(format!("\n{line}\n"), parent.map(|id| id.to_gix())),
        }
    }

    fn is(&self, repo: &gix::Repository, id: &gix::ObjectId) -> bool {
        match self {
            Self::Commit(commit) => id == commit,
            Self::Line(line) => repo.find_commit(*id).is_ok_and(|commit| commit.data.contains_str(line)),
            Self::LineOn(line, parent) => repo.find_commit(*id).is_ok_and(|commit| {
                commit.data.contains_str(line) && commit.parent_ids().next().map(gix::Id::detach) == *parent
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::tests::{commit_id as id, open};
    use crate::testing::TestRepo;

    #[test]
    fn a_ref_was_at_a_commit_that_it_has_left_or_passed_and_at_no_other() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        repo.git(&["commit", "-q", "--allow-empty", "-m", "second\n\nEdit: one"]);
        repo.git(&["commit", "-q", "--allow-empty", "-m", "third"]);
        let [first, second, third] = ["HEAD~2", "HEAD~", "HEAD"].map(|name| id(&repo, name).expect("an id"));
        repo.git(&["branch", "other", "HEAD~2"]);
        let was_at = |name: &str, sought| ref_was_at(open(&repo).git_dir(), name, sought).expect("the refs");
        let at = |name: &str| [first, second, third].map(|id| was_at(name, Sought::Commit(id)));
        assert_eq!(
            (at("HEAD"), at("refs/heads/other"), at("refs/heads/none")),
            ([true; 3], [true, false, false], [false; 3])
        );
        let on = |line, parent| was_at("HEAD", Sought::LineOn(line, parent));
        let lines = ["Edit: one", "Edit: on", "Edit: two"].map(|line| was_at("HEAD", Sought::Line(line)));
        assert_eq!(lines, [true, false, false]);
        assert_eq!([Some(first), Some(second), None].map(|parent| on("Edit: one", parent)), [true, false, false]);
        assert!(!on("Edit: two", Some(first)));
        repo.git(&["branch", "passed", "HEAD"]);
        assert_eq!(at("refs/heads/passed"), [true; 3], "they are behind it, and its log has none of them");
        // It was moved away from them, and only its log tells; then not even that.
        repo.git(&["reset", "-q", "--hard", "other"]);
        assert_eq!((at("HEAD"), was_at("HEAD", Sought::Line("Edit: one"))), ([true; 3], true));
        repo.git(&["reflog", "expire", "--expire=all", "--all"]);
        assert_eq!((at("HEAD"), was_at("HEAD", Sought::Line("Edit: one"))), ([true, false, false], false));
        repo.git(&["checkout", "-q", "--orphan", "new"]);
        assert_eq!(at("HEAD"), [false; 3], "it is not born");
    }

    #[test]
    fn a_line_of_a_log_whose_move_was_never_made_tells_nothing() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let first = id(&repo, "main").expect("an id");
        let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
        let never = repo.git(&["commit-tree", "-p", "HEAD", "-m", "never", tree.trim()]);
        let never: CommitId = never.trim().parse().expect("an id");
        let log = open(&repo).git_dir().join("logs/refs/heads/main");
        let line = format!("{first} {never} Ada <a@x> 1700000000 +0000\tcommit: never\n");
        std::fs::write(&log, [std::fs::read(&log).expect("a log"), line.into_bytes()].concat()).expect("written");
        let was_at = |id| ref_was_at(open(&repo).git_dir(), "refs/heads/main", Sought::Commit(id)).expect("the refs");
        assert_eq!([first, never].map(was_at), [true, false]);
    }
}
