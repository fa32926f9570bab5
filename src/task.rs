//! One file on its way through a change: one type for each state, each made of the one before it.
//!
//! Owns the states: [`Found`] (read), [`Compiled`] (its edits fit), [`Judged`] (its ids and its state against HEAD are
//! known, and nothing speaks against it). Does not know who brings a file from one to the next: that is `flow/`.
//! Invariant: a state has all that its name says; nothing in it is filled in later. Texts are moved, never copied.

use crate::change::{ChangeKind, PathState};
use crate::id::BlobId;
use crate::patch::merge::Uncertain;
use crate::patch::{EditOutcome, FilePatch};
use crate::path::RepoPath;
use crate::policy::check;
use crate::text::Encoding;
use crate::transaction::{Base, NewText, PlannedFile};
use crate::worktree::{Place, ReadFile};

/// What sort of change is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// The file must be there.
    Modify,
    /// The file must not be there, unless it may be overwritten.
    Create {
        /// Whether a file that is there is replaced.
        overwrite: bool,
    },
    /// The file must be there.
    Delete,
    /// The old path must be there, the new one not.
    Rename,
}

/// Where a file is afterwards, and where it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paths<'a> {
    /// Afterwards (for a deletion: now).
    pub path: &'a RepoPath,
    /// Now, for a rename.
    pub from: Option<&'a RepoPath>,
}

impl<'a> Paths<'a> {
    /// Where the file is now.
    pub fn source(&self) -> &'a RepoPath {
        self.from.unwrap_or(self.path)
    }
}

/// A patch, with what is told of it.
#[derive(Debug, Clone, Default)]
pub struct PatchOutcome {
    /// Against the text that was given.
    pub patch: FilePatch,
    /// One per edit.
    pub edits: Vec<EditOutcome>,
    /// The edits whose places are not certain, each with what was taken for it.
    pub uncertain: Vec<(usize, Uncertain)>,
    /// Permission bits to set; none keeps them.
    pub mode: Option<u32>,
    /// The backup of a file that comes back, below the folder of backups: it gets that one's owner, attributes and ACLs.
    pub heir_of: Option<RepoPath>,
    /// What git commits made of the file, if it is just that which is taken back: the newest first.
    pub inverts: Vec<Ids>,
}

impl From<FilePatch> for PatchOutcome {
    /// A patch that comes from no edit of a request, so that there is nothing to tell of it.
    fn from(patch: FilePatch) -> Self {
        Self { patch, ..Self::default() }
    }
}

/// A task's file, read.
#[derive(Debug)]
pub struct Found {
    /// Where it is afterwards.
    pub place: Place,
    /// Where it is, for a rename.
    pub from: Option<Place>,
    /// What really happens (an overwriting creation modifies).
    pub change: ChangeKind,
    /// As it was read; none where there is no file.
    pub base: Option<ReadFile>,
}

impl Found {
    /// Where the file is now.
    pub fn source(&self) -> &Place {
        self.from.as_ref().unwrap_or(&self.place)
    }
}

/// The encoding that a caller names is not the one that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overruled {
    /// Of the file.
    pub path: RepoPath,
    /// The one that the caller names.
    pub named: Encoding,
    /// The one that counts.
    pub counts: Encoding,
    /// What tells that.
    pub by: Stronger,
}

/// What counts more than what a caller names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stronger {
    /// A byte order mark.
    Mark,
    /// `working-tree-encoding`.
    Attribute,
}

impl Overruled {
    /// Whether what `named` a file's encoding was not followed, of a file that reads as `read` says; none is UTF-8, or bytes.
    pub fn of(path: &RepoPath, bytes: &[u8], named: Option<Encoding>, read: Option<Encoding>) -> Option<Self> {
        let named = named?;
        let (counts, by) = match (Encoding::of_mark(bytes), read) {
            (Some(marked), _) => (marked, Stronger::Mark),
            (None, Some(read)) => (read, Stronger::Attribute),
            (None, None) => return None,
        };
        let is_other = !counts.is_meant_by(named);
        is_other.then(|| Self { path: path.clone(), named, counts, by })
    }
}

/// A found file whose edits fit its text.
#[derive(Debug)]
pub struct Compiled {
    /// The file.
    pub found: Found,
    /// What becomes of it.
    pub outcome: PatchOutcome,
    /// The whole new text; none for a deletion.
    pub after: Option<Vec<u8>>,
    /// What it is in, where that is to be read and is not UTF-8.
    pub encoding: Option<Encoding>,
    /// That this is not what the caller named.
    pub overruled: Option<Overruled>,
}

/// Git blob ids of a file before and after; none where there is no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ids {
    /// Before.
    pub before: Option<BlobId>,
    /// After.
    pub after: Option<BlobId>,
}

/// What is known of a base beside its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BaseState {
    /// Its git blob id.
    pub id: BlobId,
    /// Against HEAD.
    pub state: PathState,
}

/// A found file with what is known of it: what a task's own conditions are asked of, whether its edits fit or not.
#[derive(Debug)]
pub struct KnownFile<'a> {
    /// The file.
    pub found: &'a Found,
    /// None where there is no file.
    pub base: Option<BaseState>,
}

impl KnownFile<'_> {
    /// As `policy/` wants it; none where there is no file.
    pub fn known(&self) -> Option<check::Known<'_>> {
        let (file, base) = (self.found.base.as_ref()?, self.base?);
        Some(check::Known {
            path: &self.found.source().path,
            blob: base.id,
            mtime_ms: file.meta.mtime_ms(),
            size_bytes: file.meta.size,
            bytes: &file.bytes,
        })
    }
}

/// A compiled file that nothing speaks against: ready for a transaction, with what is told of its edits.
#[derive(Debug)]
pub struct Judged {
    /// What a transaction needs of it.
    pub planned: PlannedFile,
    /// What is told.
    pub report: Report,
}

/// What is told of the edits of a file.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// One per edit.
    pub edits: Vec<EditOutcome>,
    /// The edits whose places are not certain, each with what was taken for it.
    pub uncertain: Vec<(usize, Uncertain)>,
    /// As [`PatchOutcome::inverts`].
    pub inverts: Vec<Ids>,
    /// As [`Compiled::overruled`].
    pub overruled: Option<Overruled>,
}

impl Compiled {
    /// The same file, with what was found out about its texts. `base` is none exactly where there is no file, and `after`
    /// where none is left.
    pub fn judged(self, base: Option<BaseState>, after: Option<BlobId>) -> Judged {
        let Self { found, outcome, after: text, encoding, overruled } = self;
        let Found { place, from, change, base: file } = found;
        let PatchOutcome { patch, edits, uncertain, mode, heir_of, inverts } = outcome;
        debug_assert_eq!((file.is_some(), text.is_some()), (base.is_some(), after.is_some()), "of {}", place.path);
        let base = file.zip(base).map(|(file, BaseState { id, state })| Base { file, id, state });
        let after = text.zip(after).map(|(bytes, id)| NewText { bytes, id });
        let planned = PlannedFile { change, place, from, base, patch, after, encoding, mode, heir_of };
        Judged { planned, report: Report { edits, uncertain, inverts, overruled } }
    }
}

impl Judged {
    /// The ids of both texts.
    pub fn ids(&self) -> Ids {
        Ids { before: self.planned.before_id(), after: self.planned.after_id() }
    }
}
