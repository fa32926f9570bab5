//! Whether a ref is, or ever was, at some commit: for recovery after a kill.
//!
//! Owns how far back that is looked for. Reads only, and with a repository opened anew, for what was read before the lock
//! was taken may be old.

use super::{ObjectId, Repo, RepoError};
use crate::id::CommitId;
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::io::{Read, Seek, SeekFrom};
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

/// One move of HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadMove {
    /// None where it was unborn.
    pub from: Option<CommitId>,
    /// Where it went.
    pub to: CommitId,
    /// Whether it went to a commit of what was in the tree; else git wrote the files.
    pub is_commit: bool,
}

impl Repo {
    /// How HEAD came from a commit (none where it was unborn) to where it is, oldest first; none where no log tells.
    pub fn head_moves_since(&self, start: Option<CommitId>) -> Option<Vec<HeadMove>> {
        let moves = self.head_moves_until(&|to| to == start)?;
        let goes = |pair: &[HeadMove]| Some(pair[0].to) == pair[1].from;
        let is_whole = moves.first().is_some_and(|first| first.from == start) && moves.windows(2).all(goes);
        is_whole.then_some(moves)
    }

    /// How many bytes the log of HEAD has; none where it is no file.
    pub fn head_log_len(&self) -> u64 {
        std::fs::metadata(self.git_dir().join("logs/HEAD")).map_or(0, |meta| meta.len())
    }

    /// The commits that the log of HEAD has behind so many bytes, oldest first; none where it was cut since.
    pub fn commits_behind(&self, len: u64) -> Vec<HeadMove> {
        let commit = |line: &[u8]| {
            let (who, message) = line.split_once_str("\t")?;
            let mut ids = who.split_str(" ").map(|id| id.to_str().ok()?.parse().ok());
            let (from, to) = (ids.next()??, ids.next()??);
            let from = Some(from).filter(|from| *from != CommitId::from_bytes([0; 20]));
            message.starts_with(b"commit").then_some(HeadMove { from, to, is_commit: true })
        };
        self.head_log_behind(len).lines().filter_map(commit).collect()
    }

    /// The commits that HEAD's log has behind so many bytes as made there of what was in the tree, and of no other commit.
    pub fn made_behind(&self, len: u64) -> BTreeSet<CommitId> {
        let made = |line: &[u8]| {
            let (who, message) = line.split_once_str("\t")?;
            let is_made = message.starts_with(b"commit") && !message.starts_with(b"commit (cherry-pick)");
            who.split_str(" ").nth(1).filter(|_| is_made)?.to_str().ok()?.parse().ok()
        };
        self.head_log_behind(len).lines().filter_map(made).collect()
    }

    /// The commits that git may have made here, by what HEAD's log has behind so many bytes: all but those to which it only moved; and those of worktrees
    /// that were made since `began_s`, seconds since 1970-01-01 UTC. None where no log tells.
    pub fn created_behind(&self, len: u64, began_s: i64) -> Option<BTreeSet<CommitId>> {
        let now = self.head_log_len();
        if now == 0 || now < len {
            return None;
        }
        let created = |line: &[u8]| {
            let (who, message) = line.split_once_str("\t")?;
            who.split_str(" ").nth(1).filter(|_| !is_only_moved(message))?.to_str().ok()?.parse().ok()
        };
        let logs = std::iter::once(self.head_log_behind(len)).chain(self.head_logs_since(began_s));
        Some(logs.flat_map(|log| log.lines().filter_map(created).collect::<Vec<_>>()).collect())
    }

    /// The logs of HEAD of linked worktrees, as far as they were begun since a time.
    fn head_logs_since(&self, began_s: i64) -> impl Iterator<Item = Vec<u8>> {
        let folders = std::fs::read_dir(self.common_dir().join("worktrees")).into_iter().flatten().flatten();
        let logs = folders.filter_map(|folder| std::fs::read(folder.path().join("logs/HEAD")).ok());
        logs.filter(move |log| {
            // The first one may have no message.
            let who = log.lines().next().and_then(|line| line.split_str("\t").next());
            let time = who.and_then(|who| who.rsplitn_str(3, " ").nth(1)?.to_str().ok()?.parse::<i64>().ok());
            time.is_some_and(|time| time >= began_s)
        })
    }

    /// Whether HEAD's log has nothing behind so many bytes but commits of what was in the tree, as far as it was not cut since.
    pub fn has_only_commits_behind(&self, len: u64) -> bool {
        let is_plain = |line: &[u8]| {
            let message = line.split_once_str("\t").map(|(_, message)| message).unwrap_or_default();
            ["commit: ", "commit (initial): ", "commit (amend): "]
                .iter()
                .any(|plain| message.starts_with(plain.as_bytes()))
        };
        self.head_log_len() >= len && self.head_log_behind(len).lines().all(is_plain)
    }

    /// Name and address of everybody who moved HEAD, by what its log has behind so many bytes.
    pub fn makers_behind(&self, len: u64) -> BTreeSet<Vec<u8>> {
        let maker = |line: &[u8]| {
            let (_, who) = line.split_once_str(" ")?.1.split_once_str(" ")?;
            let end = who.find_byte(b'>')?;
            Some(who[..=end].to_vec())
        };
        self.head_log_behind(len).lines().filter_map(maker).collect()
    }

    /// Empty where the log was cut since.
    fn head_log_behind(&self, len: u64) -> Vec<u8> {
        let read = || {
            let mut log = std::fs::File::open(self.git_dir().join("logs/HEAD"))?;
            log.seek(SeekFrom::Start(len))?;
            let mut tail = Vec::new();
            log.read_to_end(&mut tail).map(|_| tail)
        };
        read().unwrap_or_default()
    }

    /// The moves of HEAD since it went where `is_end` says, oldest first; none where its log cannot be read.
    pub(super) fn head_moves_until(&self, is_end: &dyn Fn(Option<CommitId>) -> bool) -> Option<Vec<HeadMove>> {
        let head = self.gix().ok()?.find_reference("HEAD").ok()?;
        let mut log = head.log_iter();
        let mut moves = Vec::new();
        let commit = |id: gix::ObjectId| (!id.is_null()).then(|| CommitId::from_gix(&id));
        for line in log.rev().ok()??.take(MOST) {
            let line = line.ok()?;
            let to = commit(line.new_oid);
            if is_end(to) {
                break;
            }
            let (from, is_commit) = (commit(line.previous_oid), line.message.starts_with(b"commit"));
            moves.push(HeadMove { from, to: to?, is_commit });
        }
        moves.reverse();
        Some(moves)
    }
}

/// Whether a message of HEAD's log is of a move to a commit that was there; what nobody knows (`GIT_REFLOG_ACTION`) may have made one.
/// The subject of a commit, behind what was done, tells nothing.
fn is_only_moved(message: &[u8]) -> bool {
    const MOVES: [&str; 5] = ["checkout", "reset", "clone", "branch", "Branch"];
    let Some((done, rest)) = message.split_once_str(": ") else { return false };
    MOVES.iter().any(|moves| done == moves.as_bytes())
        || ["(start)", "(finish)", "(abort)"].iter().any(|part| done.ends_with(part.as_bytes()))
        || rest.eq_ignore_ascii_case(b"fast-forward")
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
    use crate::env::Env;
    use crate::testing::TestRepo;

    fn open(repo: &TestRepo) -> Repo {
        Repo::discover(&Env::in_dir(repo.root()).expect("an absolute directory")).expect("a repository")
    }

    fn id(repo: &TestRepo, name: &str) -> Option<CommitId> {
        repo.git(&["rev-parse", name]).trim().parse().ok()
    }

    /// Where the commits behind so many bytes of the log came from and went.
    fn behind(repo: &TestRepo, len: u64) -> Vec<(Option<CommitId>, Option<CommitId>)> {
        open(repo).commits_behind(len).iter().map(|step| (step.from, Some(step.to))).collect()
    }

    #[test]
    fn the_commits_behind_a_look_are_told_oldest_first_and_no_other_moves_of_head() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let len = open(&repo).head_log_len();
        assert_eq!((behind(&repo, len), behind(&repo, 0)), (vec![], vec![(None, id(&repo, "HEAD"))]));
        repo.git(&["checkout", "-q", "-b", "other"]);
        repo.commit_all("second");
        repo.git(&["commit", "-q", "--allow-empty", "--amend", "-m", "amended"]);
        repo.git(&["checkout", "-q", "main"]);
        repo.git(&["reset", "-q", "--hard", "other"]);
        repo.commit_all("third\tcommit");
        let [main, other, first] = ["HEAD", "other", "other~"].map(|name| id(&repo, name));
        let second = id(&repo, "other@{1}");
        assert_eq!(behind(&repo, len), [(first, second), (second, other), (other, main)]);
        assert!(open(&repo).commits_behind(len).iter().all(|step| step.is_commit));
    }

    #[test]
    fn the_first_commit_of_an_orphan_branch_came_from_nowhere() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let (len, main) = (open(&repo).head_log_len(), id(&repo, "HEAD"));
        repo.git(&["checkout", "-q", "--orphan", "new"]);
        assert_eq!(behind(&repo, len), []);
        repo.commit_all("first of new");
        assert_eq!(behind(&repo, len), [(None, id(&repo, "new"))]);
        // It came from no commit to that one.
        assert_eq!([main, None].map(|from| open(&repo).head_moves_since(from)), [None, None]);
    }

    #[test]
    fn behind_a_log_that_was_cut_since_only_new_commits_are_told() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        (0..4).for_each(|n| repo.commit_all(&format!("commit {n}")));
        let len = open(&repo).head_log_len();
        let first = id(&repo, "HEAD~4");
        repo.git(&["reflog", "expire", "--expire=all", "HEAD"]);
        assert_eq!((open(&repo).head_log_len(), behind(&repo, len)), (0, vec![]));
        assert_eq!(open(&repo).head_moves_since(first), None);
        let mut made = Vec::new();
        for n in 0..9 {
            repo.commit_all(&format!("later {n}"));
            made.push((id(&repo, "HEAD~"), id(&repo, "HEAD")));
        }
        assert!(open(&repo).head_log_len() > len);
        for at in len - 200..=len {
            let found = behind(&repo, at);
            assert!(!found.is_empty() && made.ends_with(&found), "{at}: {found:?}");
        }
    }

    #[test]
    fn what_was_made_by_a_command_is_told_from_what_it_picked_and_who_did_so() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let at = |repo: &TestRepo| open(repo).head_log_len();
        let start = at(&repo);
        let found = |len| (open(&repo).made_behind(len), open(&repo).has_only_commits_behind(len));
        assert_eq!((found(start), open(&repo).makers_behind(start)), ((BTreeSet::new(), true), BTreeSet::new()));
        repo.commit_all("second");
        let second = id(&repo, "HEAD").expect("an id");
        assert_eq!(found(start), (BTreeSet::from([second]), true));
        repo.git(&[
            "-c",
            "user.name=Eve",
            "-c",
            "user.email=eve@x",
            "commit",
            "-q",
            "--allow-empty",
            "--amend",
            "-m",
            "amended",
        ]);
        let amended = id(&repo, "HEAD").expect("an id");
        assert_eq!(found(start), (BTreeSet::from([second, amended]), true));
        assert!(open(&repo).makers_behind(start).contains(&b"Eve <eve@x>"[..]));
        let before = at(&repo);
        repo.git(&["checkout", "-q", "-b", "other", "HEAD~"]);
        repo.git(&["cherry-pick", "--allow-empty", "main"]);
        assert_eq!(found(before), (BTreeSet::new(), false));
        // Of a log that was cut nobody can say it.
        assert!(!open(&repo).has_only_commits_behind(at(&repo) + 1));
    }

    #[test]
    fn a_move_to_a_commit_that_was_there_is_told_by_what_was_done_and_not_by_a_subject() {
        let moved = |message: &str| is_only_moved(message.as_bytes());
        for message in [
            "checkout: moving from main to bob",
            "reset: moving to HEAD~1",
            "merge bob: Fast-forward",
            "pull https://host.example/x main: Fast-forward",
            "cherry-pick: fast-forward",
            "rebase (start): checkout bob",
            "pull --rebase (finish): returning to refs/heads/main",
        ] {
            assert!(moved(message), "{message}");
        }
        for message in [
            "cherry-pick: merge: Fast-forward where it can",
            "rebase (pick): mend (start): once",
            "revert: checkout: not twice",
            "merge bob: Merge made by the 'ort' strategy.",
            "own action",
        ] {
            assert!(!moved(message), "{message}");
        }
    }

    #[test]
    fn without_a_log_nothing_is_known_of_heads_moves() {
        let repo = TestRepo::new();
        repo.git(&["config", "core.logAllRefUpdates", "false"]);
        assert_eq!((open(&repo).head_log_len(), behind(&repo, 0)), (0, vec![]));
        repo.commit_all("first");
        let first = id(&repo, "HEAD");
        repo.commit_all("second");
        assert_eq!((open(&repo).head_log_len(), behind(&repo, 0)), (0, vec![]));
        assert_eq!(open(&repo).head_moves_since(first), None);
    }

    #[test]
    fn a_pick_that_somebody_had_to_resolve_made_no_commit_of_his() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        repo.git(&["checkout", "-q", "-b", "other"]);
        repo.write("a", "other\n");
        repo.commit_all("other");
        repo.git(&["checkout", "-q", "main"]);
        let len = open(&repo).head_log_len();
        repo.write(".git/CHERRY_PICK_HEAD", repo.git(&["rev-parse", "other"]));
        repo.write("a", "resolved\n");
        repo.commit_all("picked");
        assert_eq!(repo.git(&["log", "-1", "-g", "--format=%gs"]).trim(), "commit (cherry-pick): picked");
        assert_eq!(open(&repo).made_behind(len), BTreeSet::new());
    }

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
