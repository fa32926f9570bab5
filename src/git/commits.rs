//! What git commits did to files: blobs before and after, by git's own diff of trees.
//!
//! Owns the questions and how git's raw diff is read. Does not look into blobs, and knows no records.
//! Invariant: of a merge only what differs from every parent is told.

use super::object_id::ObjectId;
use super::{GitCall, Repo, RepoError, branch_files};
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use bstr::{BStr, ByteSlice};
use std::collections::{BTreeSet, HashMap, HashSet};

/// More paths than these bytes of them are not named to git, which then tells of all files.
const MOST_PATH_BYTES: usize = 64 << 10;

/// Without a commit to end at, so many commits back are looked at.
const MOST_COMMITS: &str = "1000";

/// So many commits of a remote are looked at.
const MOST_PUSHED: &str = "100000";

/// A file that a commit, or the index, has otherwise than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Where it is, or was where it is gone.
    pub path: RepoPath,
    /// Where it was, for a rename.
    pub from: Option<RepoPath>,
    /// In each parent; none where it was not there.
    pub old: Vec<Option<BlobId>>,
    /// None where it is gone.
    pub new: Option<BlobId>,
    /// Whether it may be run, where that is otherwise in each parent.
    pub sets_bit: Option<bool>,
}

/// A commit, and what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitCommit {
    /// Its id.
    pub id: CommitId,
    /// In git's order.
    pub files: Vec<ChangedFile>,
}

/// Where a search for commits begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tips {
    /// HEAD.
    Head,
    /// All local branches, but what HEAD has.
    OtherBranches,
    /// HEAD and this commit, but what both have.
    Beside(CommitId),
}

/// The tree without anything in it, which every repository has.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// Who wrote a commit, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorship {
    /// The author's name, as the commit has it.
    pub name: String,
    /// When it was written, milliseconds since 1970-01-01 UTC.
    pub time_ms: i64,
}

impl Repo {
    /// The commits that touch some paths, oldest first, back to `since` (not told itself).
    ///
    /// # Errors
    /// Where git fails.
    pub fn commits_touching(
        &self,
        tips: Tips,
        since: Option<CommitId>,
        paths: &[RepoPath],
    ) -> Result<Vec<GitCommit>, RepoError> {
        let mut call = log_oldest_first().arg("--full-diff");
        if since.is_none() {
            call = call.arg("-n").arg(MOST_COMMITS);
        }
        call = match tips {
            Tips::Head => call.arg("HEAD"),
            Tips::OtherBranches => call.arg("--branches").arg("^HEAD"),
            Tips::Beside(other) => call.arg(format!("HEAD...{other}")),
        };
        if let Some(since) = since {
            call = call.arg(format!("^{since}"));
        }
        call = call.arg("--");
        if paths.iter().map(|path| path.as_bstr().len()).sum::<usize>() < MOST_PATH_BYTES {
            call = paths.iter().fold(call, |call, path| call.arg(path.to_path()));
        }
        Ok(commits(&self.run_git(call.env("GIT_LITERAL_PATHSPECS", "1"))?))
    }

    /// The newest commits of HEAD, oldest first, back to `since` (not told itself).
    ///
    /// # Errors
    /// Where git fails.
    pub fn newest_commits(&self, since: Option<CommitId>, most: usize) -> Result<Vec<GitCommit>, RepoError> {
        let mut call = log_oldest_first().arg(format!("-n{most}")).arg("HEAD");
        if let Some(since) = since {
            call = call.arg(format!("^{since}"));
        }
        Ok(commits(&self.run_git(call.arg("--"))?))
    }

    /// What these commits did, in their order.
    ///
    /// # Errors
    /// Where git fails, or there is no such commit.
    pub fn changes_of_commits(&self, ids: impl IntoIterator<Item = CommitId>) -> Result<Vec<GitCommit>, RepoError> {
        let ids: String = ids.into_iter().map(|id| format!("{id}\n")).collect();
        let call = raw(GitCall::new(["-c", "log.showRoot=true", "log", "--no-walk=unsorted", "--stdin"]));
        let call = call.arg("--no-show-signature").arg("--format=%H").arg("--");
        if ids.is_empty() { Ok(Vec::new()) } else { Ok(commits(&self.run_git(call.input(ids))?)) }
    }

    /// The commits that came after one, of HEAD and the local branches; the one itself is among them.
    ///
    /// # Errors
    /// Where git fails, or there is no such commit.
    pub fn commits_since(&self, commit: CommitId) -> Result<HashSet<CommitId>, RepoError> {
        let call = GitCall::new(["rev-list", "--ancestry-path", "--branches", "HEAD"]).arg(format!("^{commit}"));
        let out = self.run_git(call.arg("--"))?;
        let later = out.lines().filter_map(|line| line.to_str().ok()?.parse().ok());
        Ok(later.chain([commit]).collect())
    }

    /// What is staged: the index against HEAD.
    ///
    /// # Errors
    /// Where git fails.
    pub fn staged_changes(&self) -> Result<Vec<ChangedFile>, RepoError> {
        self.changes_by(GitCall::new(["diff", "--cached"]))
    }

    /// What a commit would bring that is made now: the index against HEAD; where a merge is going on, what none of the parents has.
    ///
    /// # Errors
    /// Where git fails, or what is merged cannot be read.
    pub fn changes_to_commit(&self) -> Result<Vec<ChangedFile>, RepoError> {
        let mut changes = self.staged_changes()?;
        for parent in self.merged()? {
            let others = self.changes_by(GitCall::new(["diff", "--cached"]).arg(parent.to_string()))?;
            let old_in_both = |mut file: ChangedFile| {
                let other = others.iter().find(|other| other.path == file.path)?;
                // As git tells of a commit of several parents.
                file.from = None;
                file.old.extend_from_slice(&other.old);
                file.sets_bit = file.sets_bit.filter(|_| file.sets_bit == other.sets_bit);
                Some(file)
            };
            changes = changes.into_iter().filter_map(old_in_both).collect();
        }
        Ok(changes)
    }

    fn changes_by(&self, diff: GitCall) -> Result<Vec<ChangedFile>, RepoError> {
        // A file may have the name of what is compared.
        let out = self.run_git(raw(diff).arg("--"))?;
        let changed = [CommitId::NONE.to_string().as_bytes(), b"\0", &out].concat();
        Ok(commits(&changed).pop().map(|changed| changed.files).unwrap_or_default())
    }

    /// What is otherwise in the working tree than in a commit, of what git tracks.
    ///
    /// # Errors
    /// Where git fails, or there is no such commit.
    pub fn changed_since(&self, base: CommitId) -> Result<Vec<ChangedFile>, RepoError> {
        self.changes_by(GitCall::new(["diff"]).arg(base.to_string()))
    }

    /// The same against nothing: all that is in the working tree and that git tracks.
    ///
    /// # Errors
    /// Where git fails.
    pub fn changed_since_nothing(&self) -> Result<Vec<ChangedFile>, RepoError> {
        self.changes_by(GitCall::new(["diff"]).arg(EMPTY_TREE))
    }

    /// What an amend would make of HEAD: the index against its parent, or against nothing; none where HEAD is a merge, or not
    /// born.
    ///
    /// # Errors
    /// Where git fails.
    pub fn amended_changes(&self) -> Result<Option<Vec<ChangedFile>>, RepoError> {
        let Some(head) = self.head_id()? else { return Ok(None) };
        let out = self.run_git(GitCall::new(["rev-list", "--parents", "-n", "1"]).arg(head.to_string()).arg("--"))?;
        let mut parents = out.split_str(" ").skip(1).filter_map(|word| id(word.trim_end()));
        let base = match (parents.next(), parents.next()) {
            (Some(parent), None) => parent.to_string(),
            (None, _) => EMPTY_TREE.to_owned(),
            (Some(_), Some(_)) => return Ok(None),
        };
        self.changes_by(GitCall::new(["diff", "--cached"]).arg(base)).map(Some)
    }

    /// Those of some commits that HEAD or a local branch has.
    ///
    /// # Errors
    /// Where git fails.
    pub fn reachable(&self, ids: impl IntoIterator<Item = CommitId>) -> Result<HashSet<CommitId>, RepoError> {
        self.reachable_from(ids, &["^HEAD", "--not", "--branches", "--not"])
    }

    /// Those of some commits that HEAD has.
    ///
    /// # Errors
    /// Where git fails.
    pub fn in_head(&self, ids: impl IntoIterator<Item = CommitId>) -> Result<HashSet<CommitId>, RepoError> {
        self.reachable_from(ids, &["^HEAD"])
    }

    /// `but_those` leaves out what is meant.
    fn reachable_from(
        &self,
        ids: impl IntoIterator<Item = CommitId>,
        but_those: &[&str],
    ) -> Result<HashSet<CommitId>, RepoError> {
        let mut found: HashSet<CommitId> = ids.into_iter().filter(|id| self.has_commit(*id)).collect();
        if found.is_empty() {
            return Ok(found);
        }
        let input: String = found.iter().map(|id| format!("{id}\n")).collect();
        // What is read from standard input must not be negated, whenever git reads it.
        let call = but_those.iter().fold(GitCall::new(["rev-list", "--stdin"]), |call, arg| call.arg(*arg)).arg("--");
        for lost in self.run_git(call.input(input))?.lines().filter_map(id) {
            found.remove(&lost);
        }
        Ok(found)
    }

    /// Those of some commits that a remote has, as far as it was seen when it was last asked. Of those that are not here, and those
    /// behind very many others, it is not told.
    ///
    /// The remote's commits are listed, the newest first, back to the time of the oldest that is wanted: what is listed is surely there,
    /// and the history before it is not read.
    ///
    /// # Errors
    /// Where git fails.
    pub fn pushed_to(
        &self,
        remote: &str,
        ids: impl IntoIterator<Item = CommitId>,
    ) -> Result<HashSet<CommitId>, RepoError> {
        let git = self.gix()?;
        let time = |id: &CommitId| Some(git.find_commit(id.to_gix()).ok()?.committer().ok()?.seconds());
        let wanted: HashSet<CommitId> = ids.into_iter().collect();
        let Some(oldest) = wanted.iter().filter_map(time).min() else { return Ok(HashSet::new()) };
        let call = GitCall::new(["rev-list", "-n", MOST_PUSHED]).arg(format!("--max-age={}", oldest.max(0)));
        let out = self.run_git(call.arg(format!("--remotes={remote}")).arg("--"))?;
        Ok(out.lines().filter_map(id).filter(|id| wanted.contains(id)).collect())
    }

    /// The parents of all commits that HEAD and the local branches have, back to `since`.
    ///
    /// # Errors
    /// Where git fails.
    pub fn parents_since(&self, since: CommitId) -> Result<HashMap<CommitId, Vec<CommitId>>, RepoError> {
        let call = GitCall::new(["rev-list", "--parents", "HEAD", "--branches"]).arg(format!("^{since}"));
        let out = self.run_git(call.arg("--"))?;
        let ids = out.lines().map(|line| line.split_str(" ").filter_map(id));
        Ok(ids.filter_map(|mut ids| Some((ids.next()?, ids.collect()))).collect())
    }

    /// The parents of a commit; none where it is not here.
    pub fn parents(&self, id: CommitId) -> Vec<CommitId> {
        let commit = self.gix().ok().and_then(|git| git.find_commit(id.to_gix()).ok());
        commit.map(|commit| commit.parent_ids().map(|id| CommitId::from_gix(&id)).collect()).unwrap_or_default()
    }

    /// The newest commit that both of these have; none where git finds none.
    pub fn merge_base(&self, one: CommitId, other: CommitId) -> Option<CommitId> {
        let call = GitCall::new(["merge-base"]).arg(one.to_string()).arg(other.to_string());
        id(&self.run_git(call).ok()?)
    }

    /// Those of these commits that are neither HEAD nor behind it, as all are where HEAD is not born; what git does not have is left out.
    ///
    /// # Errors
    /// Where git fails.
    pub fn not_behind_head(&self, commits: &BTreeSet<CommitId>) -> Result<HashSet<CommitId>, RepoError> {
        if commits.is_empty() {
            return Ok(HashSet::new());
        }
        let lines: String = commits.iter().map(|commit| format!("{commit}\n")).collect();
        let call = GitCall::new(["rev-list", "--ignore-missing", "--stdin", "^HEAD", "--"]).input(lines.into_bytes());
        let out = self.run_git(call)?;
        Ok(out.lines().filter_map(id).filter(|id| commits.contains(id)).collect())
    }

    /// Whether a local branch is somewhere else than HEAD.
    ///
    /// # Errors
    /// Where the refs cannot be read.
    pub fn has_other_branches(&self) -> Result<bool, RepoError> {
        let failed = || RepoError::git("read the branches");
        let head = self.head_tip()?.map(|(head, _)| head);
        let plain = if self.is_opened() { None } else { head.and_then(|head| branch_files::any_elsewhere(self, head)) };
        if let Some(found) = plain {
            return Ok(found);
        }
        let head = head.map(CommitId::to_gix);
        let refs = self.gix()?.references().map_err(failed())?;
        let mut branches = refs.local_branches().map_err(failed())?;
        Ok(branches.any(|one| one.is_ok_and(|branch| branch.try_id().map(gix::Id::detach) != head)))
    }

    /// Who wrote a commit, and when; none where it is not here (a shallow clone), or says nothing that can be read.
    pub fn authorship(&self, id: CommitId) -> Option<Authorship> {
        let commit = self.gix().ok()?.find_commit(id.to_gix()).ok()?;
        let author = commit.author().ok()?;
        // The years -9999 to 9999, which times can be told of; commits may have any number.
        const SECONDS: std::ops::RangeInclusive<i64> = -377_705_023_201..=253_402_207_200;
        let seconds = author.seconds().clamp(*SECONDS.start(), *SECONDS.end());
        Some(Authorship { name: author.name.to_str_lossy().into_owned(), time_ms: seconds * 1000 })
    }

    /// Whether a commit is here.
    pub fn has_commit(&self, id: CommitId) -> bool {
        self.gix().is_ok_and(|git| git.has_object(id.to_gix()))
    }
}

/// A call that tells of commits, the oldest first.
fn log_oldest_first() -> GitCall {
    let call = raw(GitCall::new(["-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--reverse"]));
    call.arg("--topo-order").arg("--no-show-signature").arg("--format=%H")
}

/// The form of the answer, whatever the configuration says.
pub(super) fn raw(call: GitCall) -> GitCall {
    let form =
        ["-z", "--raw", "--no-abbrev", "-M", "-c", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative"];
    form.iter().fold(call, |call, word| call.arg(word)).arg("--ignore-submodules=none")
}

fn id(text: &[u8]) -> Option<CommitId> {
    text.to_str().ok()?.trim().parse().ok()
}

/// Reads commits, each its id and then its files; what is none of it is left out.
pub(super) fn commits(out: &[u8]) -> Vec<GitCommit> {
    let mut words = out.split(|&byte| byte == 0).map(|word| word.trim_start_with(|c| c == '\n'));
    let mut found: Vec<GitCommit> = Vec::new();
    while let Some(word) = words.next() {
        let Some(head) = word.strip_prefix(b":") else {
            found.extend(id(word).map(|id| GitCommit { id, files: Vec::new() }));
            continue;
        };
        let parents = 1 + head.iter().take_while(|&&byte| byte == b':').count();
        let fields: Vec<&[u8]> = head[parents - 1..].split(|&byte| byte == b' ').collect();
        let status = fields.last().and_then(|status| status.first());
        let is_pair = parents == 1 && matches!(status, Some(b'R' | b'C'));
        let (Some(first), second) = (words.next(), is_pair.then(|| words.next()).flatten()) else { break };
        if let (Some(file), Some(commit)) = (file(parents, &fields, (first, second)), found.last_mut()) {
            commit.files.push(file);
        }
    }
    found
}

/// Modes of the parents, mode, ids of the parents, id, status; then the paths. None where it is no file.
fn file(parents: usize, fields: &[&[u8]], paths: (&[u8], Option<&[u8]>)) -> Option<ChangedFile> {
    let (modes, ids) = (fields.get(..=parents)?, fields.get(parents + 1..2 * parents + 2)?);
    let id = |(mode, id): (&&[u8], &&[u8])| match mode.first() {
        Some(b'1') if *mode != b"160000" => BStr::new(id).to_str().ok()?.parse::<BlobId>().ok(),
        _ => None,
    };
    let mut old: Vec<Option<BlobId>> = modes.iter().zip(ids).map(id).collect();
    let new = old.pop()?;
    let runs = |mode: &&[u8]| match *mode {
        b"100755" => Some(true),
        b"100644" => Some(false),
        _ => None,
    };
    let (mode, before) = modes.split_last()?;
    let sets_bit = runs(mode).filter(|bit| before.iter().all(|mode| runs(mode) == Some(!bit)));
    let status = fields.last().and_then(|status| status.first());
    let (path, from) = match paths {
        (from, Some(path)) => (path, (status == Some(&b'R')).then_some(from)),
        (path, None) => (path, None),
    };
    // A copy is a new file.
    let old = if status == Some(&b'C') { vec![None] } else { old };
    let from = from.map(RepoPath::new).transpose().ok()?;
    Some(ChangedFile { path: RepoPath::new(path).ok()?, from, old, new, sets_bit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::tests::open;
    use crate::testing::TestRepo;

    fn path(name: &str) -> RepoPath {
        RepoPath::new(name.as_bytes()).expect("a path")
    }

    #[test]
    fn gits_raw_diff_is_read_with_renames_merges_and_what_is_no_file() {
        let id = |n: u8| BlobId::from_bytes([n; 20]);
        let (zero, one, two, three) = (id(0), id(1), id(2), id(3));
        let [c1, c2, c3] = [1, 2, 3].map(|n| CommitId::from_bytes([n; 20]));
        let out = format!(
            "{c1}\0\n:100644 100644 {one} {two} M\0a b\0:000000 100755 {zero} {one} A\0:odd\0\
             :100644 100644 {one} {two} R090\0from\0to\0:160000 160000 {one} {two} M\0sub\0{c2}\0\
             \n::100644 000000 100644 {one} {zero} {three} MA\0m\0:100644 000000 {one} {zero} D\0gone\0{c3}\0"
        );
        let file = |name: &str, from: Option<&str>, old: &[Option<BlobId>], new: Option<BlobId>| ChangedFile {
            path: path(name),
            from: from.map(path),
            old: old.to_vec(),
            new,
            sets_bit: None,
        };
        let found = commits(out.as_bytes());
        assert_eq!(found.iter().map(|commit| commit.id).collect::<Vec<_>>(), [c1, c2, c3]);
        let want = [
            file("a b", None, &[Some(one)], Some(two)),
            file(":odd", None, &[None], Some(one)),
            file("to", Some("from"), &[Some(one)], Some(two)),
            file("sub", None, &[None], None),
        ];
        assert_eq!(found[0].files, want);
        let want = [file("m", None, &[Some(one), None], Some(three)), file("gone", None, &[Some(one)], None)];
        assert_eq!(found[1].files, want);
        let bits = format!("{c1}\0\n:100644 100755 {one} {one} M\0a\0::100644 100755 100755 {one} {one} {one} MM\0b\0");
        let bits = commits(bits.as_bytes());
        assert_eq!(bits[0].files.iter().map(|file| file.sets_bit).collect::<Vec<_>>(), [Some(true), None]);
        assert_eq!(commits(b":100644 100644"), []);
        let cut = format!("{c1}\0:1 \0p\0");
        assert_eq!(commits(cut.as_bytes()), [GitCommit { id: c1, files: Vec::new() }]);
    }

    fn id_of(repo: &TestRepo, name: &str) -> CommitId {
        repo.git(&["rev-parse", name]).trim().parse().expect("an id")
    }

    #[test]
    fn commits_that_head_does_not_have_are_told_and_neither_its_own_nor_unknown_ones() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        repo.commit_all("second");
        repo.git(&["checkout", "-q", "-b", "other", "main~"]);
        repo.commit_all("on other");
        repo.commit_all("again");
        let [main, first, other, before] = ["main", "main~", "other", "other~"].map(|name| id_of(&repo, name));
        let unknown: CommitId = "0123456789012345678901234567890123456789".parse().expect("an id");
        let not_behind = |ids: &[CommitId]| open(&repo).not_behind_head(&ids.iter().copied().collect());
        let all = [main, first, other, before, unknown];
        assert_eq!(not_behind(&all).expect("an answer"), HashSet::from([main]));
        repo.git(&["checkout", "-q", "main"]);
        assert_eq!(not_behind(&all).expect("an answer"), HashSet::from([other, before]));
        // What is behind one that was asked for was not asked for.
        assert_eq!(not_behind(&[other]).expect("an answer"), HashSet::from([other]));
        assert_eq!(not_behind(&[unknown]).expect("an answer"), HashSet::new());
        repo.git(&["checkout", "-q", "--orphan", "new"]);
        assert_eq!(not_behind(&all).expect("an answer"), HashSet::from([main, first, other, before]));
        assert_eq!(not_behind(&[]).expect("an answer"), HashSet::new());
        repo.commit_all("first of new");
        assert_eq!(not_behind(&all).expect("an answer"), HashSet::from([main, first, other, before]));
    }
}
