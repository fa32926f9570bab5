//! What recovery knows of one file: what is at its place, in its slots and among the backups, by content.
//!
//! Owns how a version of it is made again. Does not decide which one is wanted.

use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::transaction::Transaction;
use crate::transaction::error::TransactionError as Error;
use crate::transaction::intent::{Intent, IntentFile};
use crate::transaction::staging::Slots;
use crate::transaction::swap::{Content, Names, Slot, Swap};
use crate::worktree::WorktreeError;
use crate::worktree::dir::Dir;
use crate::worktree::root::ReadFile;
use bstr::ByteSlice;
use std::io::Write;
use std::rc::Rc;

/// The slots of a file, with the blob ids of what is in them.
pub(super) struct Waiting {
    pub slots: Slots,
    /// None where nothing is staged, or what is staged says nothing (a deletion's empty file).
    pub staged: Option<BlobId>,
    pub held: Option<BlobId>,
    /// Whether what came out of the tree has a name that somebody gave it before that.
    pub is_linked: bool,
}

impl Transaction {
    /// The regular file at a path.
    pub(super) fn found_at(&self, path: &RepoPath) -> Result<Option<ReadFile>, Error> {
        match self.root.place(path).and_then(|place| self.root.read(&place)) {
            Ok(found) => Ok(found),
            // Something that is no regular file is foreign, whatever it is.
            Err(error @ WorktreeError::Io { .. }) => Err(error.into()),
            Err(error @ WorktreeError::Unreadable { .. }) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    /// The blob id of what is at a path; that of no text where it is no regular file.
    pub(super) fn id_at(&self, path: &RepoPath) -> Result<Option<BlobId>, Error> {
        let place = match self.root.place(path) {
            Ok(place) => place,
            Err(error @ WorktreeError::Io { .. }) => return Err(error.into()),
            Err(_) => return Ok(Some(BlobId::NONE)),
        };
        match self.root.read(&place) {
            Ok(found) => Ok(found.map(|found| blob_id(&found.bytes))),
            Err(error @ WorktreeError::Io { .. }) => Err(error.into()),
            Err(_) => Ok(Some(BlobId::NONE)),
        }
    }

    pub(in crate::transaction) fn slot_of(&self, path: &RepoPath) -> Result<Slot, Error> {
        let place = self.root.place(path)?;
        let dir = place.dir().ok_or_else(|| WorktreeError::NoSuchFile(path.to_string_lossy()))?;
        Ok(Slot::new(Rc::clone(dir), place.name()))
    }

    /// The slots of file `n`, with the blob ids of what is in them.
    pub(super) fn waiting(&self, intent: &Intent, n: usize) -> Result<Waiting, Error> {
        let file = &intent.files[n];
        let named = |suffix: &str| match &file.stage {
            Some(name) => {
                Ok::<_, Error>(Slot::new(Rc::clone(&self.hold.stage), format!("{name}{suffix}").as_bytes().as_bstr()))
            }
            None => {
                let place = self.root.place(&file.path)?;
                let name = format!(".redraft-{}-{n}{suffix}", intent.id);
                let dir = place.dir().unwrap_or(self.root.dir());
                Ok(Slot::new(Rc::clone(dir), name.as_bytes().as_bstr()))
            }
        };
        let (stage, hold) = (named("")?, named("o")?);
        let names = self.names_of_old(file)?;
        let look = |slot: &Slot| {
            let found = slot.read().map_err(Error::io("look at", "a staged file"))?;
            Ok::<_, Error>(found.map(|(meta, bytes)| (blob_id(&bytes), names.is_exceeded_by(&meta))))
        };
        // A deletion stages an empty file, which says nothing.
        let staged = if file.change == ChangeKind::Delete { None } else { look(&stage)? };
        let held = look(&hold)?;
        let is_linked = [staged, held].iter().flatten().any(|&(id, is_linked)| is_linked && Some(id) == file.before);
        let id = |(id, _)| id;
        Ok(Waiting { slots: Slots { stage, hold }, staged: staged.map(id), held: held.map(id), is_linked })
    }

    pub(super) fn swap<'a>(&self, file: &'a IntentFile, slots: Slots) -> Result<Swap<'a>, Error> {
        Ok(Swap {
            shown: file.path.to_string_lossy(),
            change: file.change,
            target: self.slot_of(&file.path)?,
            source: file.from.as_ref().map(|from| self.slot_of(from)).transpose()?,
            stage: slots.stage,
            hold: slots.hold,
            before: file.before.map(Content::Id),
            names: self.names_of_old(file)?,
            after: file.after,
        })
    }

    /// The text before an entry: its backup, or made from the text after.
    pub(super) fn old_text(&self, file: &IntentFile) -> Result<Option<Vec<u8>>, Error> {
        if let Some(found) = self.backup_bytes(file)? {
            return Ok(Some(found));
        }
        let now = self.found_at(&file.path)?;
        let old = match (&now, file.change) {
            (_, ChangeKind::Delete) => file.splices.first().map(|splice| splice.old.clone()),
            (Some(now), _) => file.invert(&now.bytes),
            (None, _) => None,
        };
        Ok(old.filter(|old| Some(blob_id(old)) == file.before))
    }

    /// How many names the old file may have: by what its backup is.
    pub(super) fn names_of_old(&self, file: &IntentFile) -> Result<Names, Error> {
        let Some(path) = &file.backup else { return Ok(Names::Any) };
        let Ok(dir) = self.hold.state.backups.beneath(path.parent().as_ref()) else { return Ok(Names::Any) };
        let meta =
            dir.look(path.file_name()).map_err(Error::io("look at the backup of", file.path.to_string_lossy()))?;
        Ok(if meta.is_some_and(|meta| meta.links > 1) { Names::WithBackup } else { Names::Any })
    }

    /// The backup of an entry, if it is whole.
    pub(in crate::transaction) fn backup_bytes(&self, file: &IntentFile) -> Result<Option<Vec<u8>>, Error> {
        let Some(path) = &file.backup else { return Ok(None) };
        let Ok(dir) = self.hold.state.backups.beneath(path.parent().as_ref()) else { return Ok(None) };
        let slot = Slot::new(Rc::new(dir), path.file_name());
        let found = slot.read().map_err(Error::io("read the backup of", file.path.to_string_lossy()))?;
        Ok(found.map(|(_, bytes)| bytes).filter(|bytes| Some(blob_id(bytes)) == file.before))
    }

    /// Stages a version anew, with the metadata of the file `like`.
    pub(super) fn stage_again(
        &self,
        slot: &Slot,
        bytes: &[u8],
        like: Option<&RepoPath>,
        mode: Option<u32>,
    ) -> Result<(), Error> {
        let io = |verb| Error::io(verb, "a file that is recovered");
        slot.dir.unlink(slot.name.as_bstr()).map_err(io("clear"))?;
        let like = like.map(|like| self.slot_of(like)).transpose()?;
        let old = like.map(|slot| slot.dir.read(slot.name.as_bstr())).transpose().map_err(io("open"))?;
        let meta = old.as_ref().map(Dir::meta_of).transpose().map_err(io("look at"))?;
        let mode = mode.or(meta.map(|meta| meta.mode));
        let made = slot.dir.create_new(slot.name.as_bstr(), mode.unwrap_or(0o666) & 0o777);
        let mut file = made.map_err(io("stage"))?;
        file.write_all(bytes).map_err(io("write"))?;
        if let (Some(old), Some(meta)) = (&old, &meta) {
            Dir::copy_metadata(Some(old), meta, &file).map_err(io("set the mode of"))?;
        }
        match mode {
            Some(mode) => Dir::set_mode(&file, mode).map_err(io("set the mode of")),
            None => Ok(()),
        }
    }

    /// That a person must decide.
    pub(super) fn needed(&self, intent: &Intent, file: &IntentFile, what: &str) -> Error {
        let backup = file.backup.as_ref().map(|backup| self.hold.state.backups_path().join(backup.to_path()));
        let backup = backup.map_or("none".to_owned(), |backup| backup.display().to_string());
        let tree = self.root.path().join(file.path.to_path());
        Error::RecoveryNeeded {
            id: intent.id.clone(),
            what: format!("{}: {what}", file.path),
            versions: format!("backup {backup}, working tree {}", tree.display()),
        }
    }
}
