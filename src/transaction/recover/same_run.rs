//! The same run of the system: a process was killed, and all that it wrote is still there.
//!
//! Owns whether an open transaction goes forward or back, and how.

use super::interrupted_file::Waiting;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::id::BlobId;
use crate::transaction::Settle;
use crate::transaction::Transaction;
use crate::transaction::error::TransactionError as Error;
use crate::transaction::intent::{Intent, IntentFile};
use crate::transaction::journal_bytes::Outcome;
use crate::transaction::note::{LeftAlone, Note};
use crate::transaction::swap::Refused;
use bstr::ByteSlice;

/// How one file of an open transaction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    Old,
    New,
    /// A rename whose new file is there and whose old one is not gone yet.
    Half,
    /// The new version is there, and somebody linked the old one before it came out.
    Linked,
    Foreign,
}

impl Stand {
    fn allows_forward(self) -> bool {
        !matches!(self, Self::Linked | Self::Foreign)
    }
}

impl Transaction {
    /// Finishes an open transaction: forward if that is safe, else back.
    pub(super) fn finish(&mut self, intent: &Intent, settle: &dyn Settle) -> Result<(), Error> {
        // It was done before it was written down.
        if intent.is_observed() {
            self.hold.journal.borrow_mut().mark(intent, Outcome::Applied)?;
            self.recovered.forward.push(intent.id.clone());
            return Ok(());
        }
        // Git moved its ref only after all files were exchanged, so what differs now was changed later.
        if settle.settle(intent)? {
            self.hold.journal.borrow_mut().mark(intent, Outcome::Applied)?;
            self.recovered.forward.push(intent.id.clone());
            return Ok(());
        }
        let mut stands = self.stands(intent)?;
        if stands.iter().all(|stand| stand.allows_forward()) && !intent.verify {
            self.make_dirs_again(intent)?;
            let mut foreign = false;
            for (n, &stand) in stands.iter().enumerate().filter(|(_, stand)| **stand != Stand::New) {
                foreign |= !self.forward(intent, n, stand)?;
            }
            if !foreign {
                self.hold.journal.borrow_mut().mark(intent, Outcome::Applied)?;
                self.recovered.forward.push(intent.id.clone());
                return Ok(());
            }
            stands = self.stands(intent)?;
        }
        self.take_back_interrupted(intent, &stands)?;
        self.recovered.back.push(intent.id.clone());
        Ok(())
    }

    /// Takes back what of an interrupted transaction is in the tree; what somebody changed since stays as it is.
    fn take_back_interrupted(&mut self, intent: &Intent, stands: &[Stand]) -> Result<(), Error> {
        for n in (0..intent.files.len()).rev() {
            if matches!(stands[n], Stand::New | Stand::Half | Stand::Linked) {
                self.backward(intent, n)?;
            }
        }
        for dir in intent.made_dirs.iter().rev() {
            if let Ok(parent) = self.root.dir().beneath(dir.parent().as_ref()) {
                let _ = parent.rmdir(dir.file_name());
            }
        }
        let foreign = intent.files.iter().zip(stands).filter(|(_, stand)| **stand == Stand::Foreign);
        let left: Vec<LeftAlone> = foreign.map(|(file, _)| self.left_alone(intent, file)).collect();
        if left.is_empty() {
            self.remove_backups_of(&intent.id)?;
        } else {
            // The old versions of what is left alone stay among the backups; the others have their own place again.
            for n in 0..intent.files.len() {
                let Waiting { slots, .. } = self.waiting(intent, n)?;
                for slot in [slots.stage, slots.hold] {
                    slot.dir.unlink(slot.name.as_bstr()).map_err(Error::io("remove", "a staged file"))?;
                }
            }
            self.unlink_backups_of(&intent.id)?;
            self.notes.extend(left.iter().cloned().map(Note::LeftAlone));
            self.recovered.left.extend(left);
        }
        self.hold.journal.borrow_mut().mark(intent, Outcome::Aborted)
    }

    fn left_alone(&self, intent: &Intent, file: &IntentFile) -> LeftAlone {
        let backup = file.backup.as_ref().map(|backup| self.hold.state.backups_path().join(backup.to_path()));
        LeftAlone { path: file.path.clone(), id: intent.id.clone(), backup }
    }

    fn make_dirs_again(&self, intent: &Intent) -> Result<(), Error> {
        for dir in &intent.made_dirs {
            let parent = self.root.dir().beneath(dir.parent().as_ref());
            let made = parent.and_then(|parent| parent.mkdir(dir.file_name(), 0o777));
            made.map_err(Error::io("make the directory", dir.to_string_lossy()))?;
        }
        self.root.look_again();
        Ok(())
    }

    fn stands(&self, intent: &Intent) -> Result<Vec<Stand>, Error> {
        (0..intent.files.len()).map(|n| self.stand(intent, n)).collect()
    }

    fn stand(&self, intent: &Intent, n: usize) -> Result<Stand, Error> {
        let file = &intent.files[n];
        let target = self.id_at(&file.path)?;
        let Waiting { slots, staged, held, is_linked } = self.waiting(intent, n)?;
        let foreign_in = |id: Option<BlobId>| id.is_some_and(|id| Some(id) != file.before && Some(id) != file.after);
        // What came out of the tree and is neither version was somebody's edit: it goes back before anything else.
        if file.change == ChangeKind::Modify && target == file.after && foreign_in(staged) {
            self.swap(file, slots)?.back().map_err(|refused| self.stuck(intent, refused))?;
            return Ok(Stand::Foreign);
        }
        if matches!(file.change, ChangeKind::Delete | ChangeKind::Rename) && foreign_in(held) {
            let source = self.slot_of(file.from.as_ref().unwrap_or(&file.path))?;
            let put = slots.hold.dir.rename_new(slots.hold.name.as_bstr(), &source.dir, source.name.as_bstr());
            put.map_err(Error::io("put back", file.path.to_string_lossy()))?;
            return Ok(Stand::Foreign);
        }
        let (old, new) = (target == file.before, target == file.after);
        let done = if is_linked { Stand::Linked } else { Stand::New };
        Ok(match file.change {
            ChangeKind::Rename => {
                let source = match &file.from {
                    Some(from) => self.id_at(from)?,
                    None => None,
                };
                match (target, source) {
                    (_, None) if new => done,
                    (_, source) if new && source == file.before => Stand::Half,
                    (None, source) if source == file.before => Stand::Old,
                    _ => Stand::Foreign,
                }
            }
            _ if new => done,
            _ if old => Stand::Old,
            _ => Stand::Foreign,
        })
    }

    /// Puts the new version of file `n` in; says whether it could (a foreign edit may come at any time).
    fn forward(&self, intent: &Intent, n: usize, stand: Stand) -> Result<bool, Error> {
        let file = &intent.files[n];
        let Waiting { slots, staged, .. } = self.waiting(intent, n)?;
        if file.after.is_some() && staged != file.after && stand != Stand::Half {
            let source = file.from.as_ref().unwrap_or(&file.path);
            let base = self.found_at(source)?;
            let bytes = base.as_ref().map_or(&[][..], |base| &base.bytes);
            let after = file.apply(bytes).filter(|after| Some(blob_id(after)) == file.after);
            let after = after.ok_or_else(|| self.needed(intent, file, "its new version cannot be made again"))?;
            self.stage_again(&slots.stage, &after, base.as_ref().map(|_| source), file.mode_after)?;
        }
        let swap = self.swap(file, slots)?;
        let done = if stand == Stand::Half { swap.finish_rename() } else { swap.forward() };
        match done {
            Ok(()) => {
                swap.clean_up();
                Ok(true)
            }
            Err(Refused::Foreign(_)) => Ok(false),
            Err(Refused::Failed(error) | Refused::Stuck(error)) => Err(error),
        }
    }

    /// Puts the old version of file `n` back.
    fn backward(&self, intent: &Intent, n: usize) -> Result<(), Error> {
        let file = &intent.files[n];
        let Waiting { slots, staged, held, .. } = self.waiting(intent, n)?;
        let waiting = if file.change == ChangeKind::Modify { staged } else { held };
        let needs_old = file.change != ChangeKind::Create && waiting != file.before;
        let source_is_old =
            file.from.as_ref().is_some_and(|from| matches!(self.id_at(from), Ok(id) if id == file.before));
        if needs_old && !source_is_old {
            let slot = if file.change == ChangeKind::Modify { &slots.stage } else { &slots.hold };
            let old = self.old_text(file)?.ok_or_else(|| self.needed(intent, file, "its old version is gone"))?;
            let target = self.found_at(&file.path)?.map(|_| &file.path);
            self.stage_again(slot, &old, target, file.mode_before)?;
        }
        // Nothing was in the folder any more, and somebody removed it.
        for path in std::iter::once(&file.path).chain(&file.from) {
            if matches!(self.root.place(path), Ok(place) if place.dir().is_none()) {
                let made = self.root.make_directories_of(path);
                made.map_err(Error::io("make the directory of", path.to_string_lossy()))?;
            }
        }
        let swap = self.swap(file, slots)?;
        swap.back().map_err(|refused| self.stuck(intent, refused))?;
        swap.clean_up();
        Ok(())
    }

    fn stuck(&self, intent: &Intent, refused: Refused) -> Error {
        match refused {
            Refused::Failed(error) | Refused::Stuck(error) => error,
            Refused::Foreign(what) => self.needed(intent, &intent.files[0], &what),
        }
    }
}
