//! A git commit that git itself makes after the files changed, with the user's hooks and signing.
//!
//! Owns the index that `git commit` gets, which holds HEAD and the edit and nothing else, and what hooks changed of it.
//! Recovery knows such a commit by its trailer, for its id comes last.

use super::commit::CommitParts;
use super::edit::{DoneInGit, GitEdit, GitResult, Head};
use super::error::GitRecordError as Error;
use super::fit::GitChanges;
use super::options::CommitOptions;
use super::waiting_index::WaitingIndex;
use super::warning::GitWarning;
use crate::git::{GitCall, IndexLock, IndexLookup, RefPatience};
use crate::history::{CommitsOfRecords, Share};
use crate::id::{BlobId, CommitId, RecordId, TreeId};
use crate::path::RepoPath;
use crate::record::PendingGit;
use crate::state_dir::StateDir;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The environment of a `git commit` that redraft runs: its own hooks know by it that the record is in the making.
pub const RECORDING: &str = "REDRAFT_RECORD";

/// What the index of a commit that git makes is called, with the id of the transaction behind it.
pub(super) const COMMIT_INDEX: &str = "commit-index";

/// How long what a hook changed waits for the index: the commit is made, and must not seem to hang.
const LATE_LOCK: Duration = Duration::from_secs(5);

/// A commit that git is to make.
pub(super) struct CommitByGit<'a> {
    head: Head<'a>,
    id: RecordId,
    /// The first of the records that the commit is of, where the transaction is none of them.
    record: Option<RecordId>,
    message: String,
    options: CommitOptions,
    /// What is to be committed.
    tree: TreeId,
    changes: GitChanges,
    index: Option<WaitingIndex<'a>>,
    commit_index: CommitIndex,
    scratch: PathBuf,
    lock_timeout: Duration,
}

/// What git has of a file: its blob and mode; none where there is no file.
type Staged = Option<(BlobId, u32)>;

/// What hooks made of a file of the commit.
struct HookChange {
    path: RepoPath,
    /// As it would be without them.
    was: Staged,
    now: Staged,
}

/// An index of our own, there as long as this lives.
struct CommitIndex(PathBuf);

impl Drop for CommitIndex {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl<'a> CommitByGit<'a> {
    /// Makes the index ready.
    pub fn prepare(edit: &GitEdit<'a, '_>, options: CommitOptions, parts: CommitParts<'a>) -> Result<Self, Error> {
        let CommitParts { head, tree, changes, index } = parts;
        let commit_index = CommitIndex::write(edit, &head, &changes)?;
        let record = edit.credits.records().first().filter(|first| *first != edit.id).cloned();
        let (id, message, scratch) = (edit.id.clone(), edit.message(), edit.scratch("index"));
        Ok(Self {
            head,
            id,
            record,
            message,
            options,
            tree,
            changes,
            index,
            commit_index,
            scratch,
            lock_timeout: edit.lock_timeout,
        })
    }

    /// What is to come.
    pub fn pending(&self) -> PendingGit {
        let indexes = self.index.iter().map(|index| index.locked.clone()).collect();
        let record = self.record.clone();
        PendingGit { reference: Some("HEAD".to_owned()), record, indexes, ..PendingGit::default() }
    }

    /// Runs `git commit`, then puts the index in its place, then adds what hooks changed.
    pub fn finish(&mut self) -> Result<DoneInGit, Error> {
        let commit = self.run()?;
        let mut warnings = Vec::new();
        let place = StateDir::of(self.head.repo);
        if self.record.is_none()
            && let Err(error) = CommitsOfRecords::note(&place, [(&self.id, Share::All)], commit)
        {
            warnings.push(GitWarning::CommitNotNoted(error));
        }
        warnings.extend(WaitingIndex::follow_commit(&mut self.index));
        match self.changed_by_hooks(commit) {
            Ok(changed) if changed.is_empty() => {}
            Ok(changed) => {
                if let Err(error) = self.follow_hooks(&changed) {
                    warnings.push(GitWarning::HookChangesNotStaged(error));
                }
                warnings.push(GitWarning::HookChanges(changed.into_iter().map(|change| change.path).collect()));
            }
            Err(error) => warnings.push(GitWarning::HookChangesNotStaged(error)),
        }
        Ok(DoneInGit { made: GitResult::Commit(commit), warnings })
    }

    /// `git commit`, with hooks and signing as the user has them. Gives the commit.
    fn run(&self) -> Result<CommitId, Error> {
        let call = GitCall::new(["commit", "-q", "-F", "-"]);
        let mut call = call.index(&self.commit_index.0).env(RECORDING, self.id.as_str());
        if self.options.no_verify {
            call = call.arg("--no-verify");
        }
        if let Some(author) = &self.options.author {
            call = call.arg("--author").arg(author.to_string());
        }
        self.head.refuse_moved()?;
        let repo = self.head.repo;
        RefPatience::new(repo, self.lock_timeout).wait_for_head(repo)?;
        let run = repo.try_git(call.input(self.message.as_bytes()))?;
        repo.refresh();
        match repo.head_id()? {
            Some(head) if run.ok && self.head.id != Some(head) => Ok(head),
            head if head != self.head.id => Err(Error::HeadMoved),
            _ => {
                // A lock that is still there was in git's way, not a hook.
                RefPatience::new(repo, Duration::ZERO).wait_for_head(repo)?;
                let said = run.said();
                let by_signing = ["gpg failed to sign", "failed to write commit object", "error: Load key"];
                Err(match by_signing.iter().any(|words| said.contains(words)) {
                    true => Error::Signing(said),
                    false => Error::of_ref(said),
                })
            }
        }
    }

    /// What a pre-commit hook (a formatter, a generator) made of the commit beside the edit.
    fn changed_by_hooks(&self, commit: CommitId) -> Result<Vec<HookChange>, Error> {
        let repo = self.head.repo;
        if repo.head_tree()? == self.tree {
            return Ok(Vec::new());
        }
        let made = repo.changes_of_commits([commit])?.into_iter().flat_map(|commit| commit.files);
        // A rename is of two paths.
        let paths = made.flat_map(|file| [Some(file.path), file.from]).flatten();
        let paths: BTreeSet<RepoPath> = paths.chain(self.changes.tree.iter().map(|(path, _)| path.clone())).collect();
        let mut changed = Vec::new();
        for path in paths {
            let now = repo.head_entry(&path)?.map(|entry| (entry.id, entry.mode));
            let own = self.changes.tree.iter().find(|(other, _)| *other == path);
            let was = match own {
                Some((_, entry)) => entry.map(|entry| (entry.id, entry.mode)),
                None => self.entry_before(&path)?,
            };
            if now != was {
                changed.push(HookChange { path, was, now });
            }
        }
        Ok(changed)
    }

    /// What HEAD had before the commit.
    fn entry_before(&self, path: &RepoPath) -> Result<Staged, Error> {
        let Some(head) = self.head.id else { return Ok(None) };
        Ok(self.head.repo.entry_in(head, path)?.map(|entry| (entry.id, entry.mode)))
    }

    /// What hooks changed goes into the index, too, where the user had nothing else staged; else the next commit would take it back.
    fn follow_hooks(&self, changed: &[HookChange]) -> Result<(), Error> {
        let repo = self.head.repo;
        let lock = IndexLock::take(repo, &repo.index_path(), LATE_LOCK, &self.scratch)?;
        let index = lock.read()?;
        let is_as_before = |change: &&HookChange| match index.lookup(&change.path) {
            IndexLookup::Missing => change.was.is_none() && !index.has_below(&change.path),
            IndexLookup::Entry(entry) => change.was == Some((entry.id, entry.mode)),
            IndexLookup::AsInHead | IndexLookup::Unmerged => false,
        };
        let late: Vec<_> =
            changed.iter().filter(is_as_before).map(|change| (change.path.clone(), change.now)).collect();
        if late.is_empty() {
            return Ok(());
        }
        lock.write(&index, &late)?;
        Ok(lock.commit()?)
    }
}

impl CommitIndex {
    /// An index with HEAD's tree and the edit: what the user staged has no place in it.
    fn write(edit: &GitEdit<'_, '_>, head: &Head<'_>, changes: &GitChanges) -> Result<Self, Error> {
        let (repo, index) = (edit.repo, Self(edit.scratch(COMMIT_INDEX)));
        // A copy knows the times of files, so that git need not look into each.
        let source = repo.index_path();
        if source.exists() {
            fs::copy(&source, &index.0).map_err(Error::io("copy", "the index"))?;
        }
        let read = match head.id {
            Some(head) => GitCall::new(["read-tree", "--reset"]).arg(head.to_string()),
            None => GitCall::new(["read-tree", "--empty"]),
        };
        repo.run_git(read.index(&index.0))?;
        let entries = changes.tree.iter();
        let entries: Vec<_> =
            entries.map(|(path, entry)| (path.clone(), entry.map(|entry| (entry.id, entry.mode)))).collect();
        repo.update_index(&index.0, &entries)?;
        Ok(index)
    }
}
