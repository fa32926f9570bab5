//! Recording an edit in git beside the history: as a git commit, or as a stash entry.
//!
//! Owns the order of effects in git. The objects and the new index are made before the files change; the ref moves after,
//! and with it the edit is final; then the new index takes its place. A run that is killed before the ref moved is taken
//! back by recovery, one that is killed after it is finished ([`Landing`]).
//!
//! 1. Lock the index, read HEAD, fit the edit to both.
//! 2. Write objects; without hooks the commit itself.
//! 3. Write the new index as `index.lock`.
//! 4. (The transaction exchanges the files, and verifies them.)
//! 5. Move the ref: by `git update-ref`, or by `git commit` with an index of its own, so that the user's hooks run.
//! 6. Rename `index.lock`.

use super::message::message;
use super::staged_edit::Staged;
use crate::git::{GitCall, IndexLock, Repo};
use crate::git_record::{EditedFile, GitChanges, GitRecordError as Error, Objects, fit_to_git};
use crate::history::CommitsOfRecords;
use crate::id::{BlobId, RecordId};
use crate::record::RecordMeta;
use crate::record::{LockedIndex, PendingGit};
use crate::request::RecordKind;
use crate::state_dir::StateDir;
use crate::transaction::TransactionError;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a request wants of git, beside where it is recorded.
#[derive(Debug, Clone, Default)]
pub struct GitWishes {
    /// `--no-verify`: the hooks that may refuse a commit are skipped.
    pub no_verify: bool,
    /// `--author`: another author than the user.
    pub author: Option<String>,
    /// `--shelve`: the edit goes into the stash only.
    pub shelve: bool,
    /// `--index`: the staged version is edited, too.
    pub index: bool,
}

impl GitWishes {
    /// Refuses wishes that make no sense together.
    ///
    /// # Errors
    /// [`Error::Contradictory`].
    pub fn check(&self, kind: RecordKind) -> Result<(), Error> {
        let contradictory = |what| Err(Error::Contradictory(what));
        if self.shelve && kind != RecordKind::Stash {
            return contradictory("--shelve puts the edit into the stash only; leave it out, or send record: stash");
        }
        if self.author.is_some() && kind != RecordKind::Commit {
            return contradictory("--author is for git commits; leave it out, or send record: commit");
        }
        if self.index && matches!(kind, RecordKind::Commit | RecordKind::Stash) {
            return contradictory("--index stages the edit, and the commit comes later; leave one of the two out");
        }
        Ok(())
    }
}

/// What was made in git.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InGit {
    /// The git commit.
    pub commit: Option<String>,
    /// The stash commit.
    pub stash: Option<String>,
}

/// The environment of a `git commit` that redraft runs: its own hooks know by it that the record is in the making.
pub const RECORDING: &str = "REDRAFT_RECORD";

/// An edit that is ready in git but for the ref and the index.
pub struct Recording<'a> {
    repo: &'a Repo,
    state: PathBuf,
    id: RecordId,
    old: Option<String>,
    message: String,
    lock: Option<IndexLock<'a>>,
    how: How<'a>,
    /// What was made.
    pub in_git: InGit,
}

enum How<'a> {
    /// The commit is made; the ref is to move.
    Ref(String),
    /// Git is to make the commit, with this index.
    Git { index: PathBuf, wishes: GitWishes, changes: GitChanges },
    /// The stash commit is made.
    Stash(String),
    /// Only indexes change; in the order of their locks.
    Index(Vec<IndexLock<'a>>),
}

/// Whether the index is looked at, too: it costs with the size of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// HEAD only.
    Head,
    /// HEAD and the index.
    Index,
}

/// Refuses what does not fit, without writing anything: for dry runs, and before the lock.
///
/// # Errors
/// As [`prepare`].
pub fn check(
    repo: &Repo,
    record: RecordKind,
    wishes: &GitWishes,
    files: &[EditedFile<'_>],
    look: Look,
) -> Result<(), Error> {
    match record {
        RecordKind::Commit => {
            refuse_operation(repo)?;
            author(wishes)?;
            let index = (look == Look::Index).then(|| repo.read_index(&repo.index_path())).transpose()?;
            fit_to_git(repo, files, index.as_ref(), Objects::Compute)?;
        }
        RecordKind::Stash => {
            repo.head_id()?.ok_or(Error::Unborn)?;
            fit_to_git(repo, files, None, Objects::Compute)?;
        }
        RecordKind::History | RecordKind::None => {}
    }
    Ok(())
}

/// Makes everything ready; notes in the record's metadata what recovery must know.
///
/// # Errors
/// Where the edit does not fit HEAD or the index, something is in progress, or git fails. Nothing but objects is left.
pub fn prepare<'a>(
    repo: &'a Repo,
    state: &Path,
    wishes: &GitWishes,
    files: &[EditedFile<'_>],
    (id, meta): (&RecordId, &mut RecordMeta),
    timeout: Duration,
) -> Result<Option<Recording<'a>>, Error> {
    let kind = meta.record;
    if !matches!(kind, RecordKind::Commit | RecordKind::Stash) {
        return Ok(None);
    }
    repo.refresh();
    let old = repo.head_id()?;
    if old != meta.base {
        return Err(Error::HeadMoved);
    }
    let message = message(id, meta, files);
    let state = state.to_owned();
    let recording = Recording {
        repo,
        state,
        id: id.clone(),
        old,
        message,
        lock: None,
        how: How::Ref(String::new()),
        in_git: InGit::default(),
    };
    let (recording, landing) = match kind {
        RecordKind::Stash => recording.stash(files)?,
        _ => recording.commit(files, wishes, timeout)?,
    };
    meta.commit.clone_from(&recording.in_git.commit);
    meta.stash.clone_from(&recording.in_git.stash);
    meta.git = Some(landing);
    Ok(Some(recording))
}

/// Makes the new index ready for staged files.
///
/// # Errors
/// As those of the index lock.
pub fn prepare_staged<'a>(
    repo: &'a Repo,
    state: &Path,
    staged: &Staged<'a>,
    (id, meta): (&RecordId, &mut RecordMeta),
    timeout: Duration,
) -> Result<Recording<'a>, Error> {
    let (locks, indexes) = staged.lock(state, timeout)?;
    let landing = PendingGit { indexes, ..PendingGit::default() };
    meta.git = Some(landing);
    Ok(Recording {
        repo,
        state: state.to_owned(),
        id: id.clone(),
        old: None,
        message: String::new(),
        lock: None,
        how: How::Index(locks),
        in_git: InGit::default(),
    })
}

impl<'a> Recording<'a> {
    fn commit(
        mut self,
        files: &[EditedFile<'_>],
        wishes: &GitWishes,
        timeout: Duration,
    ) -> Result<(Self, PendingGit), Error> {
        let repo = self.repo;
        refuse_operation(repo)?;
        let author = author(wishes)?;
        let lock = IndexLock::take(repo, &repo.index_path(), timeout)?;
        let index = lock.read()?;
        // What does not fit leaves no object behind.
        fit_to_git(repo, files, Some(&index), Objects::Compute)?;
        let changes = fit_to_git(repo, files, Some(&index), Objects::Write)?;
        let head_tree = repo.head_tree()?;
        let tree = repo.write_tree(&head_tree, &changes.tree)?;
        if tree == head_tree {
            return Err(nothing_to_commit(files));
        }
        let mut landing = PendingGit { reference: Some("HEAD".to_owned()), ..PendingGit::default() };
        if !changes.index.is_empty() {
            let id = lock.write(&changes.index, &self.scratch("index"))?;
            landing.indexes.push(locked(repo, &lock, id));
            self.lock = Some(lock);
        } else {
            // Nothing of the index changes, so nobody needs to wait for it.
            drop(lock);
        }
        let hooks = repo.hooks()?;
        let refusing = !wishes.no_verify && (hooks.has("pre-commit") || hooks.has("commit-msg"));
        if refusing || hooks.has("prepare-commit-msg") || hooks.has("post-commit") {
            let index = self.private_index(&changes)?;
            self.how = How::Git { index, wishes: wishes.clone(), changes };
        } else {
            let sign = repo.config_bool("commit.gpgSign")?.unwrap_or(false);
            let parents: Vec<String> = self.old.iter().cloned().collect();
            let author = author.as_ref().map(|(name, email)| (name.as_str(), email.as_str()));
            let made = repo.commit_tree(&tree, &parents, &self.message, sign, author);
            let commit = made.map_err(|error| match error {
                crate::git::RepoError::Program { output, .. } if sign => Error::Signing(output),
                error => error.into(),
            })?;
            landing.commit = Some(commit.clone());
            self.in_git.commit = Some(commit.clone());
            self.how = How::Ref(commit);
        }
        Ok((self, landing))
    }

    fn stash(mut self, files: &[EditedFile<'_>]) -> Result<(Self, PendingGit), Error> {
        let repo = self.repo;
        let head = self.old.clone().ok_or(Error::Unborn)?;
        let changes = fit_to_git(repo, files, None, Objects::Write)?;
        let head_tree = repo.head_tree()?;
        let tree = repo.write_tree(&head_tree, &changes.tree)?;
        if tree == head_tree {
            return Err(nothing_to_commit(files));
        }
        let branch = repo.head_name()?;
        let branch = branch.as_deref().and_then(|name| name.strip_prefix("refs/heads/")).unwrap_or("(no branch)");
        // The words are git's own.
        let staged = repo.commit_tree(
            &head_tree,
            std::slice::from_ref(&head),
            &format!("index on {branch}: {head}\n"),
            false,
            None,
        )?;
        self.message = format!("On {branch}: {}", self.message);
        let commit = repo.commit_tree(&tree, &[head, staged], &self.message, false, None)?;
        let reference = Some("refs/stash".to_owned());
        let landing = PendingGit { reference, commit: Some(commit.clone()), indexes: Vec::new() };
        self.in_git.stash = Some(commit.clone());
        self.how = How::Stash(commit);
        Ok((self, landing))
    }

    fn scratch(&self, what: &str) -> PathBuf {
        self.state.join(format!("{what}-{}", self.id))
    }

    /// An index with HEAD's tree and the edit, for `git commit`: what the user staged has no place in it.
    fn private_index(&self, changes: &GitChanges) -> Result<PathBuf, Error> {
        let path = self.scratch("commit-index");
        let made = (|| {
            // A copy knows the times of files, so that git need not look into each.
            let source = self.repo.index_path();
            if source.exists() {
                fs::copy(&source, &path).map_err(Error::io("copy", "the index"))?;
            }
            let read = match &self.old {
                Some(head) => GitCall::new(["read-tree", "--reset"]).arg(head),
                None => GitCall::new(["read-tree", "--empty"]),
            };
            self.repo.run_git(read.index(&path))?;
            let entries: Vec<_> = changes
                .tree
                .iter()
                .map(|(path, entry)| (path.clone(), entry.map(|entry| (entry.id, entry.mode))))
                .collect();
            self.repo.update_index(&path, &entries)?;
            Ok(path.clone())
        })();
        if made.is_err() {
            let _ = fs::remove_file(&path);
        }
        made
    }

    /// Moves the ref and the index. Gives warnings.
    ///
    /// # Errors
    /// Where the ref could not be moved; nothing lasts then.
    pub fn land(&mut self) -> Result<Vec<String>, TransactionError> {
        let told = |error: Error| TransactionError::Landing(Box::new(error.explain()));
        let mut warnings = Vec::new();
        if let How::Index(locks) = &mut self.how {
            return land_indexes(std::mem::take(locks));
        }
        match &self.how {
            How::Ref(commit) => self.move_head(commit).map_err(told)?,
            How::Git { index, wishes, changes } => {
                let commit = self.git_commit(index, wishes).map_err(told)?;
                if let Err(error) =
                    CommitsOfRecords::note(&StateDir::of(self.repo), std::slice::from_ref(&self.id), &commit)
                {
                    warnings.push(format!("the commit of the record could not be noted: {error}"));
                }
                self.in_git.commit = Some(commit);
                let changes = changes.clone();
                self.put_index_in_place(&mut warnings);
                if let Err(error) = self.follow_hooks(&changes) {
                    warnings.push(format!("what a hook added to the commit is not in the index: {error}"));
                }
            }
            How::Index(_) => {}
            How::Stash(commit) => {
                let subject = self.message.lines().next().unwrap_or_default();
                let call = GitCall::new(["stash", "store", "-q", "-m"]).arg(subject).arg(commit);
                self.repo.run_git(call).map_err(|error| told(error.into()))?;
            }
        }
        self.put_index_in_place(&mut warnings);
        Ok(warnings)
    }

    fn put_index_in_place(&mut self, warnings: &mut Vec<String>) {
        if let Some(Err(error)) = self.lock.take().map(IndexLock::commit) {
            warnings.push(format!("the commit is made, but the index is not updated ({error}): run `git reset -q`"));
        }
    }

    fn move_head(&self, commit: &str) -> Result<(), Error> {
        let subject = self.message.lines().next().unwrap_or_default();
        let what = if self.old.is_some() { "commit" } else { "commit (initial)" };
        let none = BlobId::from_bytes([0; 20]).to_string();
        let call = GitCall::new(["update-ref", "-m"])
            .arg(format!("{what}: {subject}"))
            .arg("HEAD")
            .arg(commit)
            .arg(self.old.as_deref().unwrap_or(&none));
        let run = self.repo.try_git(call)?;
        if run.ok {
            return Ok(());
        }
        self.repo.refresh();
        if self.repo.head_id()? != self.old {
            return Err(Error::HeadMoved);
        }
        // The one hook of a ref.
        Err(Error::Hook(run.said()))
    }

    /// `git commit`, with hooks and signing as the user has them. Gives the commit.
    fn git_commit(&self, index: &Path, wishes: &GitWishes) -> Result<String, Error> {
        let mut call = GitCall::new(["commit", "-q", "-F", "-"]).index(index).env(RECORDING, self.id.as_str());
        if wishes.no_verify {
            call = call.arg("--no-verify");
        }
        if let Some(author) = &wishes.author {
            call = call.arg("--author").arg(author);
        }
        self.repo.refresh();
        if self.repo.head_id()? != self.old {
            return Err(Error::HeadMoved);
        }
        let run = self.repo.try_git(call.input(self.message.as_bytes()))?;
        self.repo.refresh();
        let head = self.repo.head_id()?;
        match head {
            Some(head) if head != self.old.clone().unwrap_or_default() && run.ok => Ok(head),
            _ => {
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
    fn follow_hooks(&self, planned: &GitChanges) -> Result<(), Error> {
        let mut late = Vec::new();
        for (path, entry) in &planned.tree {
            let now = self.repo.head_entry(path)?.map(|entry| (entry.id, entry.mode));
            let was = entry.map(|entry| (entry.id, entry.mode));
            if now != was && planned.index.iter().any(|(other, staged)| other == path && *staged == was) {
                late.push((path.clone(), now));
            }
        }
        if late.is_empty() {
            return Ok(());
        }
        let lock = IndexLock::take(self.repo, &self.repo.index_path(), Duration::from_secs(5))?;
        lock.write(&late, &self.scratch("index"))?;
        Ok(lock.commit()?)
    }
}

/// Puts new indexes in their places. Gives warnings.
fn land_indexes(locks: Vec<IndexLock<'_>>) -> Result<Vec<String>, TransactionError> {
    let mut warnings = Vec::new();
    for (n, lock) in locks.into_iter().enumerate() {
        match lock.commit() {
            Ok(()) => {}
            Err(error) if n == 0 => return Err(TransactionError::Landing(Box::new(error.explain()))),
            Err(error) => warnings.push(format!("the edit is not in every index: {error}")),
        }
    }
    Ok(warnings)
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        if let How::Git { index, .. } = &self.how {
            let _ = fs::remove_file(index);
        }
    }
}

/// As recovery wants it: relative to the git directory, so that the record holds no path of this machine.
pub(crate) fn locked(repo: &Repo, lock: &IndexLock<'_>, id: BlobId) -> LockedIndex {
    let below = |path: &Path| path.strip_prefix(repo.git_dir()).unwrap_or(path).to_owned();
    LockedIndex { index: below(lock.index()), lock: below(lock.lock()), id }
}

fn refuse_operation(repo: &Repo) -> Result<(), Error> {
    match repo.operation() {
        Some(operation) => Err(Error::Operation(operation.as_str())),
        None => Ok(()),
    }
}

fn nothing_to_commit(files: &[EditedFile<'_>]) -> Error {
    let path = files.first().map(|file| file.path.to_string_lossy()).unwrap_or_default();
    let why = "git sees no difference after the edit".to_owned();
    Error::DoesNotFit { path, why, lines: Vec::new() }
}

/// `Name <address>`, taken apart.
fn author(wishes: &GitWishes) -> Result<Option<(String, String)>, Error> {
    let Some(author) = &wishes.author else { return Ok(None) };
    let bad = || Error::BadAuthor(author.clone());
    let (name, rest) = author.split_once('<').ok_or_else(bad)?;
    let email = rest.trim_end().strip_suffix('>').ok_or_else(bad)?;
    let (name, email) = (name.trim(), email.trim());
    if name.is_empty() || email.contains(['<', '>', '\n']) || name.contains(['\n', '>']) {
        return Err(bad());
    }
    Ok(Some((name.to_owned(), email.to_owned())))
}
