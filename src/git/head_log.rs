//! What HEAD's log tells of what was done here: which commits were made, and which were there before.
//!
//! Owns the form of its lines. Reads only; a log that was cut since one looked tells nothing.

use super::put_together::written_ns;
use super::{ObjectId, Repo};
use crate::id::CommitId;
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// How far back is looked.
const MOST: usize = 1000;

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

/// A line of HEAD's log.
#[derive(Clone, Copy)]
struct Line<'a> {
    from: Option<&'a [u8]>,
    to: Option<&'a [u8]>,
    /// Name and address of who moved HEAD; none where that is no such thing.
    who: Option<&'a [u8]>,
    /// What was done, and of what; git writes none where it has none.
    message: Option<&'a [u8]>,
}

impl<'a> Line<'a> {
    fn of(line: &'a [u8]) -> Self {
        let (move_, message) = match line.split_once_str("\t") {
            Some((move_, message)) => (move_, Some(message)),
            None => (line, None),
        };
        let mut parts = move_.splitn_str(3, " ");
        let (from, to, who) = (parts.next(), parts.next(), parts.next().unwrap_or_default());
        Self { from, to, who: who.find_byte(b'>').map(|end| &who[..=end]), message }
    }

    /// Where HEAD went.
    fn to(self) -> Option<CommitId> {
        id(self.to)
    }

    /// The same, where something that is asked holds of what was done.
    fn to_if(self, is_so: impl FnOnce(&[u8]) -> bool) -> Option<CommitId> {
        self.to().filter(|_| self.message.is_some_and(is_so))
    }
}

fn id(text: Option<&[u8]>) -> Option<CommitId> {
    text?.to_str().ok()?.parse().ok()
}

fn lines(log: &[u8]) -> impl Iterator<Item = Line<'_>> {
    log.lines().map(Line::of)
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
        let commit = |line: Line<'_>| {
            let to = line.to_if(|message| message.starts_with(b"commit"))?;
            let from = id(line.from)?;
            Some(HeadMove { from: Some(from).filter(|from| *from != CommitId::NONE), to, is_commit: true })
        };
        lines(&self.head_log_behind(len)).filter_map(commit).collect()
    }

    /// The commits that HEAD's log has behind so many bytes as made there of what was in the tree, and of no other commit.
    pub fn made_behind(&self, len: u64) -> BTreeSet<CommitId> {
        let is_made = |message: &[u8]| message.starts_with(b"commit") && !message.starts_with(b"commit (cherry-pick)");
        lines(&self.head_log_behind(len)).filter_map(|line| line.to_if(is_made)).collect()
    }

    /// The commits that git may have made here, by what HEAD's log has behind so many bytes: all but those to which it only moved; and those of worktrees
    /// that were made since `began_ns`, nanoseconds since 1970-01-01 UTC. None where no log tells.
    pub fn created_behind(&self, len: u64, began_ns: i128) -> Option<BTreeSet<CommitId>> {
        let now = self.head_log_len();
        if now == 0 || now < len {
            return None;
        }
        let created = |line: Line<'_>| line.to_if(|message| !is_only_moved(message));
        let logs = std::iter::once(self.head_log_behind(len)).chain(self.head_logs_since(began_ns));
        Some(logs.flat_map(|log| lines(&log).filter_map(created).collect::<Vec<_>>()).collect())
    }

    /// The logs of HEAD of linked worktrees that were made since a time.
    fn head_logs_since(&self, began_ns: i128) -> impl Iterator<Item = Vec<u8>> {
        let folders = std::fs::read_dir(self.common_dir().join("worktrees")).into_iter().flatten().flatten();
        // Git writes this file when it makes the worktree, and never again; the log has whole seconds only.
        let is_new = move |folder: &Path| written_ns(&folder.join("commondir")).is_some_and(|made| made >= began_ns);
        let folders = folders.map(|folder| folder.path()).filter(move |folder| is_new(folder));
        folders.filter_map(|folder| std::fs::read(folder.join("logs/HEAD")).ok())
    }

    /// Whether HEAD's log has nothing behind so many bytes but commits of what was in the tree, as far as it was not cut since.
    pub fn has_only_commits_behind(&self, len: u64) -> bool {
        let is_plain = |line: Line<'_>| {
            let message = line.message.unwrap_or_default();
            ["commit: ", "commit (initial): ", "commit (amend): "]
                .iter()
                .any(|plain| message.starts_with(plain.as_bytes()))
        };
        self.head_log_len() >= len && lines(&self.head_log_behind(len)).all(is_plain)
    }

    /// Name and address of everybody who moved HEAD, by what its log has behind so many bytes.
    pub fn makers_behind(&self, len: u64) -> BTreeSet<Vec<u8>> {
        lines(&self.head_log_behind(len)).filter_map(|line| line.who.map(<[u8]>::to_vec)).collect()
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
    let is_forward = match rest {
        b"Fast-forward" => ["merge", "pull"].iter().any(|word| done.starts_with(word.as_bytes())),
        b"fast-forward" => done == b"cherry-pick",
        _ => false,
    };
    MOVES.iter().any(|moves| done == moves.as_bytes())
        || ["(start)", "(finish)", "(abort)"].iter().any(|part| done.ends_with(part.as_bytes()))
        || is_forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::tests::{commit_id as id, open};
    use crate::testing::TestRepo;

    #[test]
    fn a_line_is_told_apart_as_git_writes_it_with_a_message_or_without() {
        let (zero, one) = ("0".repeat(40), "1".repeat(40));
        let text = format!("{zero} {one} Ada B. <a@x> 1700000000 +0100\tcommit: a\tb");
        let line = Line::of(text.as_bytes());
        assert_eq!((line.from, line.to), (Some(zero.as_bytes()), Some(one.as_bytes())));
        assert_eq!(line.who, Some(&b"Ada B. <a@x>"[..]));
        assert_eq!(line.message, Some(&b"commit: a\tb"[..]));
        let text = format!("{zero} {one} Ada <a@x> 1700000000 +0100");
        let line = Line::of(text.as_bytes());
        assert_eq!((line.who, line.message), (Some(&b"Ada <a@x>"[..]), None));
        // A line that a crash cut off.
        let line = Line::of(zero.as_bytes());
        assert_eq!((line.to(), line.who, line.message), (None, None, None));
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
            "rebase (abort): returning to refs/heads/main",
            "clone: from https://host.example/x",
            "Branch: renamed refs/heads/a to refs/heads/b",
            "branch: Created from bob",
        ] {
            assert!(moved(message), "{message}");
        }
        for message in [
            "cherry-pick: merge: Fast-forward where it can",
            "cherry-pick: Fast-forward",
            "rebase (pick): Fast-forward",
            "rebase (pick): mend (start): once",
            "revert: checkout: not twice",
            "merge bob: Merge made by the 'ort' strategy.",
            "own action",
            "checkout",
            "rebases (start) of: Ada",
        ] {
            assert!(!moved(message), "{message}");
        }
    }

    #[test]
    fn commits_that_git_may_have_made_here_are_told_from_those_that_were_there_and_nothing_is_where_no_log_tells() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        repo.git(&["branch", "bob"]);
        let len = open(&repo).head_log_len();
        let created = |len| open(&repo).created_behind(len, i128::MAX).map(Vec::from_iter);
        assert_eq!(created(len), Some(vec![]));
        repo.git(&["checkout", "-q", "bob"]);
        assert_eq!(created(len), Some(vec![]));
        repo.commit_all("Bob's");
        let bobs = id(&repo, "bob").expect("an id");
        assert_eq!(created(len), Some(vec![bobs]));
        let behind = open(&repo).head_log_len();
        repo.git(&["checkout", "-q", "main"]);
        repo.git(&["merge", "-q", "bob"]);
        repo.git(&["reset", "-q", "--hard", "HEAD~"]);
        assert_eq!(created(behind), Some(vec![]));
        repo.commit_all("own");
        let own = id(&repo, "main").expect("an id");
        repo.git(&["cherry-pick", "--allow-empty", "bob"]);
        let copied = id(&repo, "main").expect("an id");
        assert_eq!(created(behind), Some(Vec::from_iter(BTreeSet::from([own, copied]))));
        assert_eq!(created(open(&repo).head_log_len() + 1), None, "it was cut since");
        repo.git(&["reflog", "expire", "--expire=all", "HEAD"]);
        assert_eq!((created(0), created(len)), (None, None));
    }

    #[test]
    fn commits_of_a_worktree_that_was_made_meanwhile_may_have_been_made_here_and_those_of_one_that_was_there_not() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let len = open(&repo).head_log_len();
        let there = repo.outside().join("there");
        let there = there.to_str().expect("UTF-8");
        repo.git(&["worktree", "add", "-q", "-b", "there", there]);
        repo.git(&["-C", there, "commit", "-q", "--allow-empty", "-m", "there"]);
        let made = id(&repo, "there").expect("an id");
        let began = written_ns(&repo.root().join(".git/worktrees/there/commondir")).expect("a time");
        let created = |since| open(&repo).created_behind(len, since).map(|found| found.contains(&made));
        assert_eq!([began - 1, began, began + 1].map(created), [Some(true), Some(true), Some(false)]);
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
}
