//! What git puts into the working tree of several versions, with HEAD where it is: by a merge that is not committed, a squash, a cherry-pick
//! without a commit, or a stash entry.
//!
//! Owns how git tells of it, and since when. Whose the lines are is not its affair.
//! Invariant: nothing is written.

use super::{GitCall, HeadEntry, HeadLookup, ObjectId, Repo, RepoError};
use crate::id::{BlobId, CommitId, TreeId};
use crate::path::RepoPath;
use bstr::ByteSlice;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// When a file was written last, nanoseconds since 1970-01-01 UTC.
pub(super) fn written_ns(path: &Path) -> Option<i128> {
    let written = std::fs::symlink_metadata(path).ok()?.modified().ok()?;
    i128::try_from(written.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok()
}

impl Repo {
    /// Whether git wrote the index at a time or since; it does whenever it writes files.
    pub fn has_written_index_since(&self, time_ns: i128) -> bool {
        written_ns(&self.index_path()).is_some_and(|written| written >= time_ns)
    }

    /// Whether git left a trace since a time of something that it brought: a merge, a rebase, a pick that stopped, a fetch.
    pub fn has_trace_since(&self, time_ns: i128) -> bool {
        let names =
            ["ORIG_HEAD", "AUTO_MERGE", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "FETCH_HEAD", "SQUASH_MSG"];
        names.iter().any(|name| written_ns(&self.git_dir().join(name)).is_some_and(|written| written >= time_ns))
    }

    /// The tree that git put together last, conflicts with their markers, if that was not before a time (nanoseconds since 1970-01-01 UTC).
    pub fn put_together_since(&self, time_ns: i128) -> Option<TreeId> {
        self.written_since("AUTO_MERGE", time_ns)?.trim().to_str().ok()?.parse().ok()
    }

    /// The commit that was squashed into the tree, if that was not before a time.
    pub fn squashed_since(&self, time_ns: i128) -> Option<CommitId> {
        let message = self.written_since("SQUASH_MSG", time_ns)?;
        message.lines().find_map(|line| line.strip_prefix(b"commit ")?.to_str().ok()?.parse().ok())
    }

    fn written_since(&self, name: &str, time_ns: i128) -> Option<Vec<u8>> {
        let path = self.git_dir().join(name);
        std::fs::read(&path).ok().filter(|_| written_ns(&path).is_some_and(|written| written >= time_ns))
    }

    /// The entries of the stash, the newest first: this many at most; none where their log is not a file.
    pub fn stashed(&self, most: usize) -> Vec<CommitId> {
        let log = std::fs::read(self.common_dir().join("logs/refs/stash")).unwrap_or_default();
        let id = |line: &[u8]| line.split_str(" ").nth(1)?.to_str().ok()?.parse().ok();
        log.lines().rev().take(most).filter_map(id).collect()
    }

    /// Whether an object was here before a time; one in a pack was.
    pub fn had_commit(&self, id: CommitId, time_ns: i128) -> bool {
        self.had(&id.to_string(), time_ns) && self.has_commit(id)
    }

    /// As [`Self::had_commit`], of a blob.
    pub fn had_blob(&self, id: BlobId, time_ns: i128) -> bool {
        self.had(&id.to_string(), time_ns) && self.has_blob(id)
    }

    /// Whether git has a blob.
    pub fn has_blob(&self, id: BlobId) -> bool {
        self.gix().is_ok_and(|git| git.has_object(id.to_gix()))
    }

    /// Whether the file of a commit was written before a time; not where it has none of its own.
    pub fn has_older_file(&self, id: CommitId, time_ns: i128) -> bool {
        written_ns(&self.loose_file(&id.to_string())).is_some_and(|written| written < time_ns)
    }

    fn had(&self, name: &str, time_ns: i128) -> bool {
        written_ns(&self.loose_file(name)).is_none_or(|written| written < time_ns)
    }

    /// Where an object is that has a file of its own.
    pub(super) fn loose_file(&self, name: &str) -> std::path::PathBuf {
        let (folder, file) = name.split_at_checked(2).unwrap_or_default();
        self.common_dir().join("objects").join(folder).join(file)
    }

    /// The file that a tree has at `path`.
    ///
    /// # Errors
    /// Where a tree cannot be read.
    pub fn entry_in_tree(&self, tree: TreeId, path: &RepoPath) -> Result<Option<HeadEntry>, RepoError> {
        Ok(match self.lookup_below(tree, path)? {
            HeadLookup::File(entry) => Some(entry),
            HeadLookup::Missing | HeadLookup::Submodule(_) => None,
        })
    }

    /// What git makes of two versions of a file and the one that both come from, conflicts with their markers; none where an older git is
    /// not able to say it.
    pub fn merged_text(&self, ours: BlobId, base: BlobId, theirs: BlobId) -> Option<Vec<u8>> {
        let call = GitCall::new(["merge-file", "-p", "-q", "--object-id"]);
        let call = [ours, base, theirs].iter().fold(call, |call, id| call.arg(id.to_string()));
        // The exit status is the number of conflicts.
        let run = self.try_git(call).ok()?;
        (run.ok || !run.out.is_empty()).then_some(run.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::git::tests::open;
    use crate::testing::TestRepo;
    use std::fs::File;
    use std::time::Duration;

    const WRITTEN_S: u64 = 1_700_000_000;
    const WRITTEN_NS: i128 = 1_700_000_000_000_000_000;

    fn id_of(repo: &TestRepo, name: &str) -> String {
        repo.git(&["rev-parse", name]).trim().to_owned()
    }

    fn blob(repo: &TestRepo, text: &str) -> BlobId {
        repo.write("text", text);
        repo.git(&["hash-object", "-w", "text"]).trim().parse().expect("an id")
    }

    fn set_time(path: &Path) {
        let written = UNIX_EPOCH + Duration::from_secs(WRITTEN_S);
        File::open(path).expect("a file").set_modified(written).expect("a time");
    }

    #[test]
    fn what_is_written_at_the_very_time_is_since_then() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let [tree, commit] = ["HEAD^{tree}", "HEAD"].map(|name| id_of(&repo, name));
        repo.write(".git/AUTO_MERGE", format!("{tree}\n"));
        repo.write(".git/SQUASH_MSG", format!("Squashed commit of the following:\n\ncommit {commit}\nAuthor: Ada\n"));
        let found = open(&repo);
        for name in ["AUTO_MERGE", "SQUASH_MSG"] {
            set_time(&found.git_dir().join(name));
        }
        let since = |time_ns| (found.put_together_since(time_ns), found.squashed_since(time_ns));
        let both = (tree.parse().ok(), commit.parse().ok());
        assert!(both.0.is_some() && both.1.is_some());
        assert_eq!([WRITTEN_NS - 1, WRITTEN_NS, WRITTEN_NS + 1].map(since), [both, both, (None, None)]);
    }

    #[test]
    fn an_object_was_here_before_a_time_where_it_is_older_or_in_a_pack() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let [commit, text] = ["HEAD", "HEAD:a"].map(|name| id_of(&repo, name));
        let found = open(&repo);
        let had = |time_ns| {
            let (commit, text) = (commit.parse().expect("an id"), text.parse().expect("an id"));
            [found.had_commit(commit, time_ns), found.had_blob(text, time_ns)]
        };
        for id in [&commit, &text] {
            set_time(&found.loose_file(id));
        }
        assert_eq!([WRITTEN_NS - 1, WRITTEN_NS, WRITTEN_NS + 1].map(had), [[false; 2], [false; 2], [true; 2]]);
        repo.git(&["gc", "-q"]);
        assert_eq!(had(WRITTEN_NS - 1), [true; 2]);
        let unknown = "0123456789012345678901234567890123456789";
        assert!(!found.had_commit(unknown.parse().expect("an id"), WRITTEN_NS));
        assert!(!found.had_blob(unknown.parse().expect("an id"), WRITTEN_NS));
    }

    #[test]
    fn a_merge_of_texts_is_one_that_is_empty_or_has_conflicts_and_none_of_what_is_not_there() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let found = open(&repo);
        let [base, one, two, empty] = ["x\n", "one\n", "two\n", ""].map(|text| blob(&repo, text));
        let merged = |ours, theirs| found.merged_text(ours, base, theirs);
        assert_eq!(merged(base, one), Some(b"one\n".to_vec()));
        assert_eq!(merged(empty, base), Some(Vec::new()));
        let conflict = merged(one, two).expect("a text");
        assert!(conflict.starts_with(b"<<<<<<<") && conflict.contains_str("one\n=======\ntwo\n"));
        let unknown = "0123456789012345678901234567890123456789".parse().expect("an id");
        assert_eq!(merged(base, unknown), None);
    }

    #[test]
    fn the_newest_entries_of_the_stash_are_told_first_in_each_worktree_and_none_without_a_log() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let stashed = |most| open(&repo).stashed(most).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(stashed(16), [""; 0]);
        for n in 0..3 {
            repo.write("a", format!("{n}\n"));
            repo.git(&["stash", "push", "-q", "-m", &format!("entry {n} of it")]);
        }
        let entries = ["stash@{0}", "stash@{1}", "stash@{2}"].map(|name| id_of(&repo, name));
        assert_eq!([0, 2, 3, 16].map(stashed), [&entries[..0], &entries[..2], &entries[..], &entries[..]]);
        repo.git(&["worktree", "add", "-q", "../linked"]);
        let linked = Env::in_dir(repo.outside().join("linked")).expect("an absolute directory");
        let linked = Repo::discover(&linked).expect("a repository").stashed(16);
        assert_eq!(linked.iter().map(ToString::to_string).collect::<Vec<_>>(), entries);
        repo.git(&["stash", "drop", "-q", "stash@{1}"]);
        assert_eq!(stashed(16), [&entries[0], &entries[2]].map(String::as_str));
        repo.git(&["stash", "clear"]);
        assert_eq!(stashed(16), [""; 0]);
    }

    #[test]
    fn git_has_written_the_index_or_left_a_trace_since_a_time_where_a_file_tells_so() {
        let repo = TestRepo::new();
        let found = open(&repo);
        let since = |time_ns| (found.has_written_index_since(time_ns), found.has_trace_since(time_ns));
        assert_eq!(since(0), (false, false), "there are no such files");
        repo.write(".git/index", "");
        set_time(&found.index_path());
        assert_eq!(since(0), (true, false));
        repo.write(".git/FETCH_HEAD", "");
        set_time(&found.git_dir().join("FETCH_HEAD"));
        let both = [WRITTEN_NS - 1, WRITTEN_NS, WRITTEN_NS + 1].map(since);
        assert_eq!(both, [(true, true), (true, true), (false, false)]);
    }

    #[test]
    fn a_commit_has_an_older_file_only_where_it_has_one_of_its_own() {
        let repo = TestRepo::with_files(&[("a", "x\n")]);
        let (found, commit) = (open(&repo), id_of(&repo, "HEAD"));
        let is_older = |time_ns| found.has_older_file(commit.parse().expect("an id"), time_ns);
        set_time(&found.loose_file(&commit));
        assert_eq!([WRITTEN_NS - 1, WRITTEN_NS, WRITTEN_NS + 1].map(is_older), [false, false, true]);
        repo.git(&["gc", "-q"]);
        assert!(!is_older(i128::MAX));
    }
}
