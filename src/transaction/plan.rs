//! What a transaction is to do, before anything is written.
//!
//! Owns the types. Invariant: a file of a plan has the very bytes that its patch was made for.

use super::error::TransactionError;
use super::verify::Verify;
use crate::change::{ChangeKind, PathState};
use crate::id::{BlobId, RecordId};
use crate::patch::{EditOutcome, FilePatch, Readable};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordMeta};
use crate::text::Encoding;
use crate::worktree::Meta;
use crate::worktree::root::{Place, ReadFile};

/// One file of the plan.
#[derive(Debug)]
pub struct PlannedFile {
    /// What happens to it.
    pub change: ChangeKind,
    /// Where it is afterwards (for a deletion: where it is).
    pub place: Place,
    /// Where it is, for a rename.
    pub from: Option<Place>,
    /// What the patch was made for; none for a creation.
    pub base: Option<Base>,
    /// Against the base; against nothing for a creation.
    pub patch: FilePatch,
    /// The whole new file; none for a deletion.
    pub after: Option<NewText>,
    /// What its texts are in, where they are to be read and are not UTF-8.
    pub encoding: Option<Encoding>,
    /// Permission bits to set; none keeps those of the base (a new file gets the system's default).
    pub mode: Option<u32>,
    /// The backup of a file that comes back, below the folder of backups: it gets that one's owner, attributes and ACLs.
    pub heir_of: Option<RepoPath>,
}

/// The file that a patch was made for.
#[derive(Debug)]
pub struct Base {
    /// As it was read.
    pub file: ReadFile,
    /// Its git blob id.
    pub id: BlobId,
    /// Against HEAD.
    pub state: PathState,
}

/// A text that is to be written.
#[derive(Debug)]
pub struct NewText {
    /// All of it.
    pub bytes: Vec<u8>,
    /// Its git blob id.
    pub id: BlobId,
}

impl PlannedFile {
    /// The text before; empty for a creation.
    pub fn base_bytes(&self) -> &[u8] {
        self.base.as_ref().map_or(&[], |base| &base.file.bytes)
    }

    /// The base's mode, owner, times; none for a creation.
    pub fn base_meta(&self) -> Option<&Meta> {
        self.base.as_ref().map(|base| &base.file.meta)
    }

    /// The text after; empty for a deletion.
    pub fn after_bytes(&self) -> &[u8] {
        self.after.as_ref().map_or(&[], |after| &after.bytes)
    }

    /// The id of the text before; none for a creation.
    pub fn before_id(&self) -> Option<BlobId> {
        self.base.as_ref().map(|base| base.id)
    }

    /// The id of the text after; none for a deletion.
    pub fn after_id(&self) -> Option<BlobId> {
        self.after.as_ref().map(|after| after.id)
    }

    /// What it reads as, with the edits that asked for the patch; none where the bytes are the text.
    pub fn readable(&self, edits: &[EditOutcome]) -> Option<Readable> {
        Readable::new(self.base_bytes(), &self.patch, edits, self.encoding?)
    }

    /// The permission bits that the new file is to have; none for the system's default.
    pub fn new_mode(&self) -> Option<u32> {
        self.mode.or(self.base_meta().map(|meta| meta.mode))
    }

    /// Where the old file is.
    pub fn source(&self) -> &Place {
        self.from.as_ref().unwrap_or(&self.place)
    }
}

/// A whole transaction.
pub struct Plan<'a> {
    /// Of the record.
    pub id: RecordId,
    /// Names the folder of the backups.
    pub time: jiff::Timestamp,
    /// What sort of record.
    pub class: RecordClass,
    /// For the record.
    pub meta: RecordMeta,
    /// At least one; of a transaction that is recorded nowhere there may be none.
    pub files: Vec<PlannedFile>,
    /// Approves the result; until then, recovery takes it back.
    pub verify: Option<&'a Verify>,
    /// Has to succeed after the exchange; until then, recovery takes it back, unless [`Settle`](super::Settle) finds it done.
    pub follow_up: Option<FollowUp<'a>>,
}

/// What has to become true outside of the working tree once the files are exchanged: handed in, for this layer knows no git.
///
/// Run once, after the exchange and the verification. Its failure takes the files back, so it may only fail where it has
/// done nothing that lasts. The plan's metadata has to say what is to come, so that
/// after a kill [`Settle`](super::Settle) finds out whether it was done.
pub type FollowUp<'a> = &'a mut dyn FnMut() -> Result<(), TransactionError>;

impl Plan<'_> {
    /// Whether the transaction is not final with the exchange of its files.
    pub(super) fn is_provisional(&self) -> bool {
        self.verify.is_some() || self.follow_up.is_some()
    }
}
