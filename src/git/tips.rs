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
        let out = self.run_git(call.arg(most.to_string()).arg("--").input(lines))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::tests::open;
    use crate::testing::TestRepo;

    fn id_of(repo: &TestRepo, name: &str) -> CommitId {
        repo.git(&["rev-parse", name]).trim().parse().expect("an id")
    }

    fn commit_at(repo: &TestRepo, time_s: u32) -> CommitId {
        let commit = format!(
            "tree {}\nauthor Ada <a@x> {time_s} +0000\ncommitter Bob <b@x> {} +0000\n\nx\n",
            repo.git(&["rev-parse", "HEAD^{tree}"]).trim(),
            time_s + 1
        );
        repo.write("commit", commit);
        repo.git(&["hash-object", "-t", "commit", "-w", "commit"]).trim().parse().expect("an id")
    }

    #[test]
    fn tips_are_those_of_all_branches_each_once_and_the_youngest_are_told_first() {
        let repo = TestRepo::new();
        assert_eq!(open(&repo).tips(16), []);
        repo.write("a", "x\n");
        repo.commit_all("first");
        let ids: Vec<CommitId> = (0..6).map(|n| commit_at(&repo, n)).collect();
        for (name, n) in [("heads/b", 3), ("heads/again", 3), ("remotes/o/c", 5), ("remotes/o/d", 0), ("tags/t", 4)] {
            repo.git(&["update-ref", &format!("refs/{name}"), &ids[n].to_string()]);
        }
        let found = open(&repo);
        let mut all = vec![ids[0], ids[3], ids[5], id_of(&repo, "main")];
        all.sort_unstable();
        assert_eq!(found.tips(16), all);
        assert_eq!([0, 1, 3].map(|most| found.tips(most).len()), [0, 1, 2]);
        let unknown: CommitId = "0123456789012345678901234567890123456789".parse().expect("an id");
        let young = |most| found.youngest(&[ids[3], unknown, ids[5], ids[0]], most).expect("git tells");
        assert_eq!((young(2), young(9)), (vec![ids[5], ids[3]], vec![ids[5], ids[3], ids[0]]));
        assert_eq!(found.youngest(&[], 9).expect("nothing"), []);
    }

    #[test]
    fn what_commits_did_is_told_of_those_that_one_does_not_have() {
        let repo = TestRepo::with_files(&[("a", "x\n"), ("b", "x\n")]);
        repo.git(&["checkout", "-q", "-b", "other"]);
        for (file, text) in [("a", "y\n"), ("b", "y\n")] {
            repo.write(file, text);
            repo.commit_all(file);
        }
        let [main, before, other] = ["main", "other~", "other"].map(|name| id_of(&repo, name));
        let found = open(&repo);
        let path = RepoPath::new(b"a").expect("a path");
        let ids = |which, not, most| -> Vec<CommitId> {
            let commits = found.commits_beside(&[other, main], (not, which), most).expect("git tells");
            commits.into_iter().map(|commit| commit.id).collect()
        };
        assert_eq!(ids(Which::All, Some(main), 9), [other, before]);
        assert_eq!(ids(Which::All, Some(main), 1), [other]);
        assert_eq!(ids(Which::Of(&path), Some(main), 9), [before]);
        assert_eq!(ids(Which::All, None, 9).len(), 3);
        assert_eq!(found.commits_beside(&[], (None, Which::All), 9).expect("nothing"), []);
    }

    #[test]
    fn who_made_a_commit_and_who_wrote_it_are_told_apart_and_a_copy_has_the_same_writer() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let [one, other] = [7, 8].map(|n| commit_at(&repo, n));
        let found = open(&repo);
        let made = found.made_by(one).expect("a commit");
        let want = Made { by: b"Bob <b@x>".to_vec(), time_s: 8, written_by: b"Ada <a@x>".to_vec(), written_s: 7 };
        assert_eq!(made, want);
        assert!(found.has_written(one, &made) && !found.has_written(other, &made));
        let unknown: CommitId = "0123456789012345678901234567890123456789".parse().expect("an id");
        assert!(found.made_by(unknown).is_none() && !found.has_written(unknown, &made));
        assert_eq!(found.put_aside(), []);
        repo.write(".git/FETCH_HEAD", format!("{one}\tnot-for-merge\tbranch 'x' of y\nno id\n"));
        repo.write(".git/MERGE_HEAD", format!("{other}\n"));
        assert_eq!(open(&repo).put_aside(), [other, one]);
    }
}
