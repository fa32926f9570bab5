//! The working tree at one time: what each file looked like, and where its text is.
//!
//! Owns taking it. The text of a file that is as the index has it is not read; that of every other one is kept, as nobody else has it.

use super::tree::Tree;
use crate::git::{Remembered, Repo, RepoError, blob_id};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::LARGEST_KEPT;
use crate::worktree::{Kind, Meta, Root};
use std::collections::{BTreeMap, HashSet};

/// Where the text of a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    /// The blob has it, in git's form.
    InGit(BlobId),
    /// Here.
    Kept(Vec<u8>),
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

/// The working tree at one time.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub(super) files: BTreeMap<RepoPath, Seen>,
    /// HEAD then; none where it was unborn.
    pub(super) head: Option<CommitId>,
    /// The newest record of this worktree then; none where there was none.
    pub(super) newest: Option<RecordId>,
    /// By the clock of the file system: what is written from then on came after the look. Nanoseconds since 1970-01-01 UTC.
    pub(super) ready_ns: i128,
}

impl Snapshot {
    /// Whether a record was the newest then.
    pub fn is_newest(&self, id: &RecordId) -> bool {
        self.newest.as_ref() == Some(id)
    }

    /// Looks at all files. Up to `most_kept` bytes of texts that git does not have are kept; `newest` is the newest record. Whoever
    /// changes the tree is to wait until [`Self::is_ready_at`].
    ///
    /// # Errors
    /// Where the index cannot be read, git fails, or HEAD cannot be read. A file that may not be looked at is none.
    pub fn take(repo: &Repo, root: &Root, newest: Option<RecordId>, most_kept: u64) -> Result<Self, RepoError> {
        let head = repo.head_id()?;
        let mut tree = Tree::new(root);
        let (mut files, mut room) = (BTreeMap::new(), most_kept);
        for (path, remembered) in repo.working_files()? {
            let Ok(Some(meta)) = tree.look(&path) else { continue };
            let text = text_of(&mut tree, &path, (&meta, remembered), &mut room);
            files.insert(path, Seen { meta, text });
        }
        Ok(Self { files, head, newest, ready_ns: i128::MAX })
    }

    /// From this time on, by the clock of the file system, the tree may be changed.
    pub fn is_ready_at(&mut self, time_ns: i128) {
        self.ready_ns = time_ns;
    }

    /// The files, by device and inode.
    pub(super) fn identities(&self) -> HashSet<(u64, u64)> {
        self.files.values().map(|seen| seen.meta.identity).collect()
    }
}

fn text_of(
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
            Text::Kept(bytes)
        }
        None => Text::NotKept,
    }
}
