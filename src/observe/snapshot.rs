//! The working tree at one time: what each file looked like, and where its text is.
//!
//! Owns taking it. The text of a file that is as the index has it is not read; that of every other one is kept, as nobody else has it.

use super::tree::{Tree, looks};
use crate::git::{Remembered, Repo, RepoError, WorkingFiles, blob_id};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::LARGEST_KEPT;
use crate::worktree::{Kind, Meta, Root};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

/// Where the text of a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    /// The blob has it, in git's form.
    InGit(BlobId),
    /// Here.
    Kept(Rc<Vec<u8>>),
    /// Nowhere: it was too much, or not to be read.
    NotKept,
    /// It has none: it is a symlink.
    Link,
}

/// A file as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) meta: Meta,
    pub(super) text: Text,
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scope {
    /// All files that git knows of or would add.
    pub has_tree: bool,
    /// These, whatever git thinks of them.
    pub paths: BTreeSet<RepoPath>,
}

impl Scope {
    /// These files alone.
    pub fn of(paths: BTreeSet<RepoPath>) -> Self {
        Self { has_tree: false, paths }
    }

    /// Whether everything in `other` is in it.
    pub fn holds(&self, other: &Self) -> bool {
        (self.has_tree || !other.has_tree) && other.paths.is_subset(&self.paths)
    }

    /// The files in it, each with what the index remembers of it where that is asked.
    pub(super) fn files(&self, repo: &Repo) -> Result<WorkingFiles, RepoError> {
        let mut files = if self.has_tree { repo.working_files()? } else { WorkingFiles::new() };
        for path in &self.paths {
            files.entry(path.clone()).or_insert(None);
        }
        Ok(files)
    }
}

/// The working tree at one time, or some files of it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub(super) scope: Scope,
    pub(super) files: BTreeMap<RepoPath, Seen>,
    /// HEAD then; none where it was unborn.
    pub(super) head: Option<CommitId>,
    /// The newest record of this worktree then; none where there was none.
    pub(super) newest: Option<RecordId>,
    /// By the clock of the file system: what was made from then on was made after the look began. Nanoseconds since 1970-01-01 UTC.
    pub(super) began_ns: i128,
}

impl Snapshot {
    /// Whether a record was the newest then.
    pub fn is_newest(&self, id: &RecordId) -> bool {
        self.newest.as_ref() == Some(id)
    }

    /// Says which record was the newest then.
    pub fn newest_is(&mut self, newest: Option<RecordId>) {
        self.newest = newest;
    }

    /// The newest record then.
    pub fn newest(&self) -> Option<&RecordId> {
        self.newest.as_ref()
    }

    /// Takes another look at some of the files in.
    pub fn replace(&mut self, other: Self) {
        other.scope.paths.iter().for_each(|path| drop(self.files.remove(path)));
        self.files.extend(other.files);
    }

    /// The same, but for what another look knows.
    #[must_use]
    pub fn but_for(mut self, other: Self) -> Self {
        if other.scope.has_tree {
            self.files.retain(|path, _| self.scope.paths.contains(path) && !other.scope.paths.contains(path));
        }
        self.replace(other);
        self
    }

    /// What was looked at.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Whether it says how a file was, or that it was not there.
    pub fn knows(&self, path: &RepoPath) -> bool {
        self.scope.paths.contains(path) || self.files.contains_key(path)
    }

    /// Looks at the files of a scope. Up to `most_kept` bytes of texts that git does not have are kept; `newest` is the newest record.
    /// Whoever changes the tree is to wait until the clock of the file system has moved on.
    ///
    /// # Errors
    /// Where the index cannot be read, git fails, or HEAD cannot be read. A file that may not be looked at is none.
    pub fn take(
        repo: &Repo,
        root: &Root,
        scope: Scope,
        newest: Option<RecordId>,
        most_kept: u64,
    ) -> Result<Self, RepoError> {
        let head = repo.head_id()?;
        let mut tree = Tree::new(root);
        let (mut files, mut room) = (BTreeMap::new(), most_kept);
        let wanted = scope.files(repo)?;
        let looked = looks(root, &wanted.keys().collect::<Vec<_>>());
        for ((path, remembered), meta) in wanted.into_iter().zip(looked) {
            let Ok(Some(meta)) = meta else { continue };
            let text = text_of(&mut tree, &path, (&meta, remembered), &mut room);
            files.insert(path, Seen { meta, text });
        }
        Ok(Self { scope, files, head, newest, began_ns: i128::MAX })
    }

    /// Says when the look began, by the clock of the file system.
    pub fn began_at(&mut self, time_ns: i128) {
        self.began_ns = time_ns;
    }

    /// Gives up the texts of some files; says of how many.
    pub(super) fn forget_texts(&mut self, is_about: impl Fn(&RepoPath) -> bool) -> usize {
        let mut count = 0;
        for (path, seen) in &mut self.files {
            if matches!(seen.text, Text::Kept(_)) && is_about(path) {
                seen.text = Text::NotKept;
                count += 1;
            }
        }
        count
    }

    /// Gives up texts that git does not have beyond so many bytes.
    pub fn keep_at_most(&mut self, most_kept: u64) {
        let mut room = most_kept;
        for seen in self.files.values_mut() {
            let Text::Kept(bytes) = &seen.text else { continue };
            match room.checked_sub(bytes.len() as u64) {
                Some(left) => room = left,
                None => seen.text = Text::NotKept,
            }
        }
    }

    /// The files, by device and inode.
    pub(super) fn identities(&self) -> HashSet<(u64, u64)> {
        self.files.values().map(|seen| seen.meta.identity).collect()
    }
}

pub(super) fn text_of(
    tree: &mut Tree<'_>,
    path: &RepoPath,
    (meta, remembered): (&Meta, Option<Remembered>),
    room: &mut u64,
) -> Text {
    if meta.kind == Kind::Symlink {
        return Text::Link;
    }
    let looks = (meta.size, meta.mtime_ns, meta.ctime_ns);
    if let Some(remembered) = remembered.filter(|remembered| remembered.is_certainly(looks)) {
        return Text::InGit(remembered.id);
    }
    if meta.size > LARGEST_KEPT as u64 {
        return Text::NotKept;
    }
    let Ok(Some((_, bytes))) = tree.read(path) else { return Text::NotKept };
    if let Some(id) = remembered.map(|remembered| remembered.id).filter(|id| *id == blob_id(&bytes)) {
        return Text::InGit(id);
    }
    match room.checked_sub(bytes.len() as u64) {
        Some(left) => {
            *room = left;
            Text::Kept(Rc::new(bytes))
        }
        None => Text::NotKept,
    }
}
