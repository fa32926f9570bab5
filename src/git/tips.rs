//! The commits that branches are at, here and on remotes, and what their commits did that one commit does not have behind it.
//!
//! Owns these lists, and how far they go. Whose a commit is, is not its affair.

use super::commits::{GitCommit, commits, raw};
use super::{GitCall, ObjectId, Repo, RepoError};
use crate::id::CommitId;
use crate::path::RepoPath;
use bstr::ByteSlice;

/// So many commits behind one are asked who wrote them.
const MOST_BEHIND: &str = "1000";

/// Who made a commit and who wrote it, each as a line of git's, and when, seconds since 1970-01-01 UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Name and address of who made it.
    pub by: Vec<u8>,
    /// When it was made.
    pub time_s: i64,
    /// Name and address of who wrote it: of a copy, who wrote what was copied.
    pub written_by: Vec<u8>,
    /// When it was written.
    pub written_s: i64,
}

/// What is listed of commits.
#[derive(Debug, Clone, Copy)]
pub enum Which<'a> {
    /// What they did to any file.
    All,
    /// Those that touch one file, and what they did to it.
    Of(&'a RepoPath),
}

impl Repo {
    /// The commits that branches are at, also those of remotes, in no order: this many at most; none where the refs cannot be read.
    pub fn tips(&self, most: usize) -> Vec<CommitId> {
        let Ok(git) = self.gix() else { return Vec::new() };
        let Ok(refs) = git.references() else { return Vec::new() };
        let mut tips = Vec::new();
        for branches in [refs.local_branches(), refs.remote_branches()].into_iter().flatten() {
            let ids = branches.filter_map(Result::ok).filter_map(|branch| branch.try_id().map(|id| id.detach()));
            tips.extend(ids.take(most - tips.len()).map(|id| CommitId::from_gix(&id)));
        }
        tips.sort_unstable();
        tips.dedup();
        tips
    }

    /// Those of these commits that are here, this many at most, the youngest.
    ///
    /// # Errors
    /// Where git fails.
    pub fn youngest(&self, ids: &[CommitId], most: usize) -> Result<Vec<CommitId>, RepoError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let call = GitCall::new(["rev-list", "--no-walk=sorted", "--ignore-missing", "--stdin", "-n"]);
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        let out = self.run_git(call.arg(most.to_string()).input(lines))?;
        Ok(out.lines().filter_map(|line| line.to_str().ok()?.parse().ok()).collect())
    }

    /// What the commits did that are these or behind them, and not behind one (none takes none out), the newest first: this many at most.
    ///
    /// # Errors
    /// Where git fails.
    pub fn commits_beside(
        &self,
        tips: &[CommitId],
        (not, which): (Option<CommitId>, Which<'_>),
        most: usize,
    ) -> Result<Vec<GitCommit>, RepoError> {
        if tips.is_empty() {
            return Ok(Vec::new());
        }
        let call = GitCall::new(["-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--full-diff"]);
        let call = raw(call).arg("--no-show-signature").arg("--format=%H").arg("--ignore-missing").arg("--stdin");
        let not = not.map(|not| format!("^{not}\n"));
        let lines: String = tips.iter().map(|id| format!("{id}\n")).chain(not).collect();
        let call = call.arg("-n").arg(most.to_string()).arg("--");
        let call = match which {
            Which::All => call,
            Which::Of(path) => call.arg(path.to_path()),
        };
        Ok(commits(&self.run_git(call.env("GIT_LITERAL_PATHSPECS", "1").input(lines))?))
    }

    /// Who made a commit, and when; none where it is not here, or says nothing that can be read.
    pub fn made_by(&self, id: CommitId) -> Option<Made> {
        let commit = self.gix().ok()?.find_commit(id.to_gix()).ok()?;
        let (by, written) = (commit.committer().ok()?, commit.author().ok()?);
        let who =
            |who: &gix::actor::SignatureRef<'_>| [who.name.as_bytes(), b" <", who.email.as_bytes(), b">"].concat();
        Some(Made { by: who(&by), time_s: by.seconds(), written_by: who(&written), written_s: written.seconds() })
    }

    /// Whether a commit, or one behind it, was written by who wrote this one, at the same time.
    pub fn has_written(&self, commit: CommitId, written: &Made) -> bool {
        let call = GitCall::new(["log", "--no-show-signature", "--format=%at %an <%ae>", "-n", MOST_BEHIND]);
        let wanted = [written.written_s.to_string().as_bytes(), b" ", &written.written_by].concat();
        let out = self.run_git(call.arg(commit.to_string()).arg("--")).unwrap_or_default();
        out.lines().any(|line| line == wanted)
    }

    /// The commits that git has put aside while it puts something together: what is merged, picked, rebased, or was fetched.
    pub fn put_aside(&self) -> Vec<CommitId> {
        let names = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "FETCH_HEAD"];
        let texts = names.iter().filter_map(|name| std::fs::read(self.git_dir().join(name)).ok());
        let id = |line: &[u8]| line.fields().next()?.to_str().ok()?.parse().ok();
        texts.flat_map(|text| text.lines().filter_map(id).collect::<Vec<CommitId>>()).collect()
    }
}
