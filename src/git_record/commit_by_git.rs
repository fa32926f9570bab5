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
use crate::git::{GitCall, IndexLock, RefPatience};
use crate::history::{CommitsOfRecords, Share};
use crate::id::{CommitId, RecordId};
use crate::record::PendingGit;
use crate::state_dir::StateDir;
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
    changes: GitChanges,
    index: Option<WaitingIndex<'a>>,
    commit_index: CommitIndex,
    scratch: PathBuf,
    lock_timeout: Duration,
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
        let CommitParts { head, changes, index, .. } = parts;
        let commit_index = CommitIndex::write(edit, &head, &changes)?;
        let record = edit.credits.records().first().filter(|first| *first != edit.id).cloned();
        let (id, message, scratch) = (edit.id.clone(), edit.message(), edit.scratch("index"));
        Ok(Self {
            head,
            id,
            record,
            message,
            options,
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
        if let Err(error) = self.follow_hooks() {
            warnings.push(GitWarning::HookChangesNotStaged(error));
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
                    false => Error::Hook(said),
                })
            }
        }
    }

    /// What a pre-commit hook changed in the files of the edit (a formatter) goes into the index, too, where the user had
    /// nothing else staged; else the next commit would take it back.
    fn follow_hooks(&self) -> Result<(), Error> {
        let repo = self.head.repo;
        let mut late = Vec::new();
        for (path, entry) in &self.changes.tree {
            let now = repo.head_entry(path)?.map(|entry| (entry.id, entry.mode));
            let was = entry.map(|entry| (entry.id, entry.mode));
            if now != was && self.changes.index.iter().any(|(other, staged)| other == path && *staged == was) {
                late.push((path.clone(), now));
            }
        }
        if late.is_empty() {
            return Ok(());
        }
        let lock = IndexLock::take(repo, &repo.index_path(), LATE_LOCK, &self.scratch)?;
        lock.write(&lock.read()?, &late)?;
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
