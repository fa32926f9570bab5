//! What a transaction makes beside the working tree: new files that wait, and backups of the old ones.
//!
//! Owns where they are, and what is exchanged with what. Invariant of [`Staged`]: dropping it takes everything away again,
//! until the journal decides.

use super::backup_folder::{BackedUp, BackupFolder};
use super::error::TransactionError as Error;
use super::plan::{Plan, PlannedFile};
use super::state::State;
use super::step::Step;
use super::swap::{Content, Names, Slot, Swap};
use super::{Durability, Transaction};
use crate::change::ChangeKind;
use crate::path::RepoPath;
use crate::worktree::dir::Dir;
use crate::worktree::root::Place;
use crate::worktree::{Meta, WorktreeError};
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::io::Write;
use std::rc::Rc;

/// A plan with what is made of it so far.
pub(super) struct Staged<'t> {
    pub transaction: &'t mut Transaction,
    pub plan: Plan<'t>,
    pub slots: Vec<Slots>,
    /// None as long as nothing is backed up.
    pub backup: Option<BackupFolder>,
    /// The files whose backups are the old files themselves.
    linked: BTreeSet<usize>,
    /// Set when the intent is written: from then on the journal decides what goes.
    pub is_committed: bool,
}

/// Where the parts of one file wait.
#[derive(Debug)]
pub(super) struct Slots {
    pub stage: Slot,
    pub hold: Slot,
}

/// What becomes of the backups at the end of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backups {
    /// It happened.
    Keep,
    /// It did not happen.
    Remove,
}

impl<'t> Staged<'t> {
    /// Nothing yet.
    pub fn new(transaction: &'t mut Transaction, plan: Plan<'t>) -> Self {
        Self { transaction, plan, slots: Vec::new(), backup: None, linked: BTreeSet::new(), is_committed: false }
    }

    /// Stages file `n`: the new bytes, with the old file's mode, owner, attributes and ACLs.
    pub fn stage(&mut self, n: usize) -> Result<(), Error> {
        self.transaction.watch.before(Step::Stage(n))?;
        let file = &self.plan.files[n];
        let slots = self.slots_of(n, file)?;
        self.slots.push(slots);
        let (file, slots) = (&self.plan.files[n], &self.slots[n]);
        // A deletion stages an empty file: as long as something is staged, a killed run's backups are found and removed.
        let after = file.after_bytes();
        let shown = file.place.path.to_string_lossy();
        let io = |verb| Error::io(verb, format!("the new version of {shown}"));
        let mode = file.new_mode().unwrap_or(0o666);
        let mut staged = self.create(slots, mode).map_err(io("stage"))?;
        staged.write_all(after).map_err(io("write"))?;
        if let (Some(base), Some(_)) = (&file.base, &file.after) {
            let source = file.source();
            let dir = source.dir().ok_or_else(|| WorktreeError::NoSuchFile(source.path.to_string_lossy()))?;
            let open = || dir.read(source.name()).map_err(Error::io("open", source.path.to_string_lossy()));
            let old = base.file.has_attributes.then(open).transpose()?;
            Dir::copy_metadata(old.as_ref(), &base.file.meta, &staged).map_err(io("set the mode of"))?;
        }
        if file.base.is_none() && file.after.is_some() {
            // As if it had been made there: a directory hands down its group, where it is set-group-id, and its default ACL.
            let heir = self.nearest_dir(&file.place).map_err(io("look at the directory of"))?;
            Dir::inherit(&staged, mode, &heir).map_err(io("set group and ACL of"))?;
            file.heir_of.iter().for_each(|backup| self.inherit_from(backup, &staged));
        }
        if let Some(mode) = file.mode.filter(|&mode| file.base_meta().is_none_or(|meta| meta.mode != mode)) {
            Dir::set_mode(&staged, mode).map_err(io("set the mode of"))?;
        }
        Ok(())
    }

    /// Gives a file that comes back the owner, attributes and ACLs of its backup, as far as that is there and this user may: they are no part of
    /// what is recorded.
    fn inherit_from(&self, backup: &RepoPath, staged: &std::fs::File) {
        let inherit = || -> std::io::Result<()> {
            let dir = self.transaction.hold.state.backups().beneath(backup.parent().as_ref())?;
            let old = dir.read(backup.file_name())?;
            let (meta, own) = (Dir::meta_of(&old)?, Dir::meta_of(staged)?);
            let attributes = Some(&old).filter(|old| Dir::has_attributes(old));
            let of_own = |_| Dir::copy_metadata(attributes, &Meta { owner: own.owner, ..meta }, staged);
            Dir::copy_metadata(attributes, &meta, staged).or_else(of_own)
        };
        let _ = inherit();
    }

    /// The directory of a place; where that is still to be made, the nearest one above, from which it will have all this.
    fn nearest_dir(&self, place: &Place) -> std::io::Result<Rc<Dir>> {
        if let Some(dir) = place.dir() {
            return Ok(Rc::clone(dir));
        }
        let root = self.transaction.root.dir();
        let mut above = place.path.parent();
        while let Some(path) = above {
            match root.beneath(Some(&path)) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => above = path.parent(),
                dir => return dir.map(Rc::new),
            }
        }
        Ok(Rc::clone(root))
    }

    /// A new file in the stage folder by tempfile, or beside the target.
    fn create(&self, slots: &Slots, mode: u32) -> std::io::Result<std::fs::File> {
        if !Rc::ptr_eq(&slots.stage.dir, &self.transaction.hold.stage) {
            return slots.stage.dir.create_new(slots.stage.name.as_bstr(), mode & 0o777);
        }
        let name = slots.stage.name.to_str_lossy();
        let mut builder = tempfile::Builder::new();
        builder.prefix(&*name).rand_bytes(0);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode & 0o777));
        let (file, path) = builder.tempfile_in(self.transaction.hold.state.stage_path())?.into_parts();
        // From here on `Prepared` itself takes the name away, also when the file in it is another one.
        path.keep()?;
        Ok(file)
    }

    /// The stage folder where it is on the target's file system, else the target's own directory.
    fn slots_of(&self, n: usize, file: &PlannedFile) -> Result<Slots, Error> {
        let id = &self.plan.id;
        let io = |path: &Place| Error::io("look at the directory of", path.path.to_string_lossy());
        // A new file in a new directory is staged by the root's own file system.
        let dir = Some(file.place.dir().unwrap_or(self.transaction.root.dir()));
        let parent = file.place.dir().and_then(|_| file.place.path.parent());
        let mount = |dir: &Rc<Dir>| dir.mount().map_err(io(&file.place));
        let elsewhere = match dir {
            Some(dir) if mount(dir)? != self.transaction.hold.stage_mount => Some(dir),
            _ => None,
        };
        let Some(dir) = elsewhere else {
            let slot = |suffix| {
                Slot::new(Rc::clone(&self.transaction.hold.stage), format!("{id}-{n}{suffix}").as_bytes().as_bstr())
            };
            return Ok(Slots { stage: slot(""), hold: slot("o") });
        };
        // Recovery finds what is beside a target by a note of its place in the stage folder.
        let note = format!("{id}-{n}@");
        let made = self.transaction.hold.stage.create_new(note.as_bytes().as_bstr(), 0o600);
        let bytes = parent.as_ref().map_or(&b""[..], |parent| parent.as_bstr());
        made.and_then(|mut note| note.write_all(bytes)).map_err(Error::io("note the place of", note))?;
        let slot = |suffix| Slot::new(Rc::clone(dir), format!(".redraft-{id}-{n}{suffix}").as_bytes().as_bstr());
        Ok(Slots { stage: slot(""), hold: slot("o") })
    }

    /// Whether a slot is in the stage folder, not beside its target.
    pub fn is_in_stage(&self, slots: &Slots) -> bool {
        Rc::ptr_eq(&slots.stage.dir, &self.transaction.hold.stage)
    }

    /// Backs up the old version of file `n`, if there is one.
    pub fn back_up(&mut self, n: usize) -> Result<(), Error> {
        self.transaction.watch.before(Step::BackUp(n))?;
        let Some(links) = self.plan.files[n].base_meta().map(|meta| meta.links) else { return Ok(()) };
        let mut backup = self.take_backup()?;
        let done = backup.back_up(self.plan.files[n].source(), links);
        let backup = self.backup.insert(backup);
        match done? {
            BackedUp::Linked => {
                self.linked.insert(n);
                Ok(())
            }
            // The old text must outlast a power cut that comes when the new one is in its place.
            BackedUp::Copied(copy) if self.transaction.hold.durability == Durability::Full => {
                let synced = copy.sync_all().and_then(|()| backup.sync_names(&self.transaction.hold.state.backups));
                synced.map_err(Error::io("sync", "a backup"))
            }
            BackedUp::Copied(_) => Ok(()),
        }
    }

    /// Makes redraft's folders again where a check removed them: what is to come back needs a place to wait in. Says whether the journal
    /// went with them.
    pub fn make_folders_again(&mut self) -> Result<bool, Error> {
        let hold = &mut self.transaction.hold;
        let is_journal_gone = hold.state.dir().is_removed();
        if is_journal_gone || hold.stage.is_removed() || hold.state.backups.is_removed() {
            let made = Rc::new(State::open(hold.state.place())?);
            let gone = std::mem::replace(&mut hold.state, made);
            hold.stage = Rc::clone(&hold.state.stage);
            let slots = self.slots.iter_mut().flat_map(|slots| [&mut slots.stage, &mut slots.hold]);
            for slot in slots.filter(|slot| Rc::ptr_eq(&slot.dir, &gone.stage)) {
                slot.dir = Rc::clone(&hold.stage);
            }
        }
        self.backup = self.backup.take().filter(|backup| !backup.is_removed());
        Ok(is_journal_gone)
    }

    /// Makes the folders of files again that a check removed, as nothing was in them any more.
    pub fn make_emptied_folders_again(&mut self) -> Result<(), Error> {
        let is_removed = |place: &Place| place.dir().is_some_and(|dir| dir.is_removed());
        let root = &self.transaction.root;
        for (file, slots) in self.plan.files.iter_mut().zip(&mut self.slots) {
            for place in std::iter::once(&mut file.place).chain(&mut file.from).filter(|place| is_removed(place)) {
                let made = root.make_directories_of(&place.path);
                made.map_err(Error::io("make the directory of", place.path.to_string_lossy()))?;
                let again = root.place(&place.path)?;
                let gone = std::mem::replace(place, again);
                let (Some(gone), Some(dir)) = (gone.dir(), place.dir()) else { continue };
                for slot in [&mut slots.stage, &mut slots.hold].into_iter().filter(|slot| Rc::ptr_eq(&slot.dir, gone)) {
                    slot.dir = Rc::clone(dir);
                }
            }
        }
        Ok(())
    }

    /// Has the old version of file `n` wait where the exchange left it, to be put back, after all exchanges were right: a check that cleans
    /// up in the git directory, say, may have removed it there, or replaced it. Its backup is another name of it; without that it is
    /// made again from its bytes.
    pub fn keep_old(&self, n: usize) -> Result<(), Error> {
        let Some((slot, old)) = self.old_of(n) else { return Ok(()) };
        let is_old = |slot: &Slot| match slot.is_not(Some(old), Names::Any) {
            Ok(other) => Ok(other.is_none()),
            Err(error) => Err(self.of_old(n, "look at")(error)),
        };
        let backup = self.backup.as_ref().and_then(|backup| backup.slot_of(&self.plan.files[n].source().path));
        // Where the backup was written into as well, what is here is the old file, which somebody still has open.
        if !is_old(slot)? && backup.is_some_and(|backup| matches!(is_old(&backup), Ok(true))) {
            slot.dir.unlink(slot.name.as_bstr()).map_err(self.of_old(n, "replace"))?;
        }
        self.make_old_again(n)
    }

    /// As [`Self::keep_old`], where an exchange stopped: what waits there may be somebody's edit, and stays.
    pub fn make_old_again(&self, n: usize) -> Result<(), Error> {
        let Some((slot, _)) = self.old_of(n) else { return Ok(()) };
        let file = &self.plan.files[n];
        let is_there = slot.dir.look(slot.name.as_bstr()).map_err(self.of_old(n, "look at"))?.is_some();
        let Some(base) = file.base.as_ref().filter(|_| !is_there) else { return Ok(()) };
        let old = Content::Exactly(&base.file.bytes, &base.file.meta);
        let backup = self.backup.as_ref().and_then(|backup| backup.slot_of(&file.source().path));
        let backup = backup.filter(|backup| matches!(backup.is_not(Some(old), Names::Any), Ok(None)));
        if backup.is_some_and(|backup| backup.dir.link(backup.name.as_bstr(), &slot.dir, slot.name.as_bstr()).is_ok()) {
            return Ok(());
        }
        let made = slot.dir.create_new(slot.name.as_bstr(), base.file.meta.mode & 0o777);
        let mut made = made.map_err(self.of_old(n, "make again"))?;
        made.write_all(&base.file.bytes).map_err(self.of_old(n, "write"))?;
        // The new version has the attributes of the old one.
        let like = file.place.dir().filter(|_| base.file.has_attributes);
        let like = like.and_then(|dir| dir.read(file.place.name()).ok());
        Dir::copy_metadata(like.as_ref(), &base.file.meta, &made).map_err(self.of_old(n, "set the mode of"))?;
        match self.transaction.hold.durability {
            Durability::Full => made.sync_all().map_err(self.of_old(n, "sync")),
            Durability::Fast => Ok(()),
        }
    }

    /// Where the old version of file `n` waits once it is exchanged, and what it is; none where there is none.
    fn old_of(&self, n: usize) -> Option<(&Slot, Content<'_>)> {
        let (file, slots) = (&self.plan.files[n], &self.slots[n]);
        let base = file.base.as_ref()?;
        let slot = if file.change == ChangeKind::Modify { &slots.stage } else { &slots.hold };
        Some((slot, Content::Exactly(&base.file.bytes, &base.file.meta)))
    }

    fn of_old(&self, n: usize, verb: &'static str) -> impl FnOnce(std::io::Error) -> Error + use<> {
        Error::io(verb, format!("the old version of {}", self.plan.files[n].place.path.to_string_lossy()))
    }

    /// Where the version of file `n` goes that is neither the old nor the new one: among the backups.
    pub fn aside(&mut self, n: usize) -> Result<Slot, Error> {
        let mut backup = self.take_backup()?;
        let aside = backup.aside(n, &self.plan.files[n].place.path);
        self.backup = Some(backup);
        aside
    }

    /// The folder of backups, made where it is missing.
    fn take_backup(&mut self) -> Result<BackupFolder, Error> {
        let name = || State::backup_name(self.plan.time, &self.plan.id);
        self.backup.take().map_or_else(|| BackupFolder::make(&self.transaction.hold.state.backups, name()), Ok)
    }

    /// The exchanges of all files, in order.
    pub fn swaps(&self) -> Vec<Swap<'_>> {
        (0..self.slots.len()).map(|n| self.swap(n)).collect()
    }

    fn swap(&self, n: usize) -> Swap<'_> {
        let (file, slots) = (&self.plan.files[n], &self.slots[n]);
        let slot = |place: &Place| place.dir().map(|dir| Slot::new(Rc::clone(dir), place.name()));
        Swap {
            shown: file.place.path.to_string_lossy(),
            change: file.change,
            target: slot(&file.place).unwrap_or_else(|| slots.stage.clone()),
            source: file.from.as_ref().and_then(slot),
            stage: slots.stage.clone(),
            hold: slots.hold.clone(),
            before: file.base.as_ref().map(|base| Content::Exactly(&base.file.bytes, &base.file.meta)),
            names: if self.linked.contains(&n) { Names::WithBackup } else { Names::Any },
            after: file.after_id(),
        }
    }

    /// Removes staged files and, of a transaction that did not happen, backups; failures are cleaned up by the next transaction.
    pub fn clean_up(&mut self, backups: Backups) {
        // The backups go first: as long as something is staged, the next transaction looks for them.
        if backups == Backups::Remove
            && let Some(backup) = self.backup.take()
        {
            backup.remove(&self.transaction.hold.state.backups);
        }
        for (file, slots) in self.plan.files.iter().zip(&self.slots) {
            let _ = slots.stage.dir.unlink(slots.stage.name.as_bstr());
            // An exchange that was done holds nothing back.
            if !(backups == Backups::Keep && matches!(file.change, ChangeKind::Modify | ChangeKind::Create)) {
                let _ = slots.hold.dir.unlink(slots.hold.name.as_bstr());
            }
        }
        if self.slots.iter().any(|slots| !self.is_in_stage(slots)) {
            for n in 0..self.slots.len() {
                let _ = self.transaction.hold.stage.unlink(format!("{}-{n}@", self.plan.id).as_bytes().as_bstr());
            }
        }
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if !self.is_committed {
            self.clean_up(Backups::Remove);
        }
    }
}
