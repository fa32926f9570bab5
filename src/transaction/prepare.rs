//! Makes everything ready beside the working tree: staged files, backups, the intent. Nothing of the user's changes here.
//!
//! Invariant of [`Prepared`]: dropping it takes everything back.

use super::Transaction;
use super::error::TransactionError as Error;
use super::intent::{Intent, IntentFile, intent_splices};
use super::plan::{Plan, PlannedFile};
use super::step::Step;
use super::swap::{Content, Slot, Swap, copy};
use crate::change::ChangeKind;
use crate::path::RepoPath;
use crate::record::LARGEST_KEPT;
use crate::worktree::WorktreeError;
use crate::worktree::dir::Dir;
use crate::worktree::root::Place;
use bstr::ByteSlice;
use std::collections::BTreeMap;
use std::io::Write;
use std::rc::Rc;

/// A transaction whose new files are staged and whose old files are backed up; nothing is exchanged.
#[must_use = "dropping it takes everything back"]
#[derive(Debug)]
pub struct Prepared<'t> {
    pub(super) transaction: &'t mut Transaction,
    pub(super) plan: Plan,
    pub(super) intent: Intent,
    pub(super) slots: Vec<Slots>,
    pub(super) backup: Option<BackupFolder>,
    /// Set when the intent is written: from then on the journal decides.
    pub(super) committed: bool,
}

/// Where the parts of one file wait.
#[derive(Debug)]
pub(super) struct Slots {
    pub stage: Slot,
    pub hold: Slot,
}

/// The folder of one transaction's backups.
#[derive(Debug)]
pub struct BackupFolder {
    top: Dir,
    name: String,
    dirs: BTreeMap<RepoPath, Dir>,
    files: Vec<RepoPath>,
}

impl Transaction {
    /// Stages the new files and backs up the old ones.
    ///
    /// # Errors
    /// The system's; everything made so far is taken back.
    pub fn prepare(&mut self, plan: Plan) -> Result<Prepared<'_>, Error> {
        let intent = Intent {
            id: plan.id.clone(),
            time_ms: 0,
            class: plan.class,
            meta: plan.meta.clone(),
            files: Vec::with_capacity(plan.files.len()),
            made_dirs: Vec::new(),
            verify: plan.verify,
        };
        let mut prepared =
            Prepared { transaction: self, plan, intent, slots: Vec::new(), backup: None, committed: false };
        for n in 0..prepared.plan.files.len() {
            prepared.stage(n)?;
        }
        for n in 0..prepared.plan.files.len() {
            prepared.back_up(n)?;
        }
        prepared.write_intent();
        Ok(prepared)
    }
}

impl Prepared<'_> {
    /// Stages file `n`: the new bytes, with the old file's mode, owner, attributes and ACLs.
    fn stage(&mut self, n: usize) -> Result<(), Error> {
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
        if let (None, Some(dir)) = (&file.base, file.place.dir()) {
            // As if it had been made there: a set-group-id directory hands its group down.
            Dir::inherit_group(&staged, dir).map_err(io("set the group of"))?;
        }
        if let Some(mode) = file.mode.filter(|&mode| file.base_meta().is_none_or(|meta| meta.mode != mode)) {
            Dir::set_mode(&staged, mode).map_err(io("set the mode of"))?;
        }
        Ok(())
    }

    /// A new file in the stage folder by tempfile, or beside the target.
    fn create(&self, slots: &Slots, mode: u32) -> std::io::Result<std::fs::File> {
        if !Rc::ptr_eq(&slots.stage.dir, &self.transaction.stage) {
            return slots.stage.dir.create_new(slots.stage.name.as_bstr(), mode & 0o777);
        }
        let name = slots.stage.name.to_str_lossy();
        let mut builder = tempfile::Builder::new();
        builder.prefix(&*name).rand_bytes(0);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode & 0o777));
        let (file, path) = builder.tempfile_in(self.transaction.state.stage_path())?.into_parts();
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
        let device = |dir: &Rc<Dir>| dir.meta().map(|meta| meta.identity.0).map_err(io(&file.place));
        let elsewhere = match dir {
            Some(dir) if device(dir)? != self.transaction.stage_device => Some(dir),
            _ => None,
        };
        let Some(dir) = elsewhere else {
            let slot = |suffix| {
                Slot::new(Rc::clone(&self.transaction.stage), format!("{id}-{n}{suffix}").as_bytes().as_bstr())
            };
            return Ok(Slots { stage: slot(""), hold: slot("o") });
        };
        // Recovery finds what is beside a target by a note of its place in the stage folder.
        let note = format!("{id}-{n}@");
        let made = self.transaction.stage.create_new(note.as_bytes().as_bstr(), 0o600);
        let bytes = parent.as_ref().map_or(&b""[..], |parent| parent.as_bstr());
        made.and_then(|mut note| note.write_all(bytes)).map_err(Error::io("note the place of", note))?;
        let slot = |suffix| Slot::new(Rc::clone(dir), format!(".redraft-{id}-{n}{suffix}").as_bytes().as_bstr());
        Ok(Slots { stage: slot(""), hold: slot("o") })
    }

    /// Backs up the old version of file `n`: by a second name where the file system can, else by copy.
    fn back_up(&mut self, n: usize) -> Result<(), Error> {
        self.transaction.watch.before(Step::BackUp(n))?;
        if self.plan.files[n].base.is_none() {
            return Ok(());
        }
        self.open_backup()?;
        let source = self.plan.files[n].source();
        let path = &source.path;
        let shown = path.to_string_lossy();
        let from = source.dir().ok_or_else(|| WorktreeError::NoSuchFile(shown.clone()))?;
        let backup = self.backup.as_mut().expect("made just above");
        backup.files.push(path.clone());
        let to = backup.dir_of(path).map_err(Error::io("make", format!("the folder of the backup of {shown}")))?;
        if from.link(source.name(), to, path.file_name()).is_err() {
            let to = Slot::new(
                Rc::new(to.beneath(None).map_err(Error::io("open", "the folder of backups"))?),
                path.file_name(),
            );
            copy(&Slot::new(Rc::clone(from), source.name()), &to).map_err(Error::io("back up", shown))?;
        }
        Ok(())
    }

    fn open_backup(&mut self) -> Result<(), Error> {
        if self.backup.is_none() {
            let name = super::State::backup_name(self.plan.time, &self.plan.id);
            let backups = &self.transaction.state.backups;
            let raw = name.as_bytes().as_bstr();
            let top = backups.mkdir(raw, 0o700).and_then(|_| backups.child(raw));
            let top = top.map_err(Error::io("make", "the folder of backups"))?;
            self.backup = Some(BackupFolder { top, name, dirs: BTreeMap::new(), files: Vec::new() });
        }
        Ok(())
    }

    fn write_intent(&mut self) {
        for (file, slots) in self.plan.files.iter().zip(&self.slots) {
            let base = file.base_bytes();
            let in_stage = Rc::ptr_eq(&slots.stage.dir, &self.transaction.stage);
            let too_much = file.change == ChangeKind::Delete && base.len() > LARGEST_KEPT;
            let backup = self.backup.as_ref().filter(|_| file.base.is_some());
            self.intent.files.push(IntentFile {
                path: file.place.path.clone(),
                from: file.from.as_ref().map(|from| from.path.clone()),
                change: file.change,
                before: file.before_id(),
                after: file.after_id(),
                before_len: base.len(),
                mode_before: file.base_meta().map(|meta| meta.mode),
                mode_after: file.after.as_ref().and(file.new_mode()),
                state: file.base.as_ref().map(|base| base.state),
                splices: if too_much { Vec::new() } else { intent_splices(&file.patch, base) },
                backup: backup.map(|backup| format!("{}/{}", backup.name, file.source().path)),
                stage: in_stage.then(|| slots.stage.name.to_string()),
            });
            self.intent.made_dirs.extend(missing_dirs(&file.place, &self.intent.made_dirs, &self.transaction.root));
        }
        // The time comes last: no staged file is younger, which recovery after a power cut relies on.
        self.intent.time_ms = self.transaction.env.now_ms();
    }

    /// The exchanges of all files, in order.
    pub(super) fn swaps(&self) -> Vec<Swap<'_>> {
        let slot = |place: &Place| place.dir().map(|dir| Slot::new(Rc::clone(dir), place.name()));
        let swap = |(file, slots): (&'_ PlannedFile, &Slots)| {
            let target = slot(&file.place).unwrap_or_else(|| slots.stage.clone());
            Swap {
                shown: file.place.path.to_string_lossy(),
                change: file.change,
                target,
                source: file.from.as_ref().and_then(slot),
                stage: slots.stage.clone(),
                hold: slots.hold.clone(),
                before: None,
                after: file.after_id(),
            }
        };
        let mut swaps: Vec<Swap<'_>> = self.plan.files.iter().zip(&self.slots).map(swap).collect();
        for (swap, file) in swaps.iter_mut().zip(&self.plan.files) {
            swap.before = file.base.as_ref().map(|base| Content::Exactly(&base.file.bytes, &base.file.meta));
        }
        swaps
    }

    /// Removes staged files and, where asked, backups; failures are cleaned up by the next transaction.
    pub(super) fn clean_up(&mut self, keep_backups: bool) {
        // The backups go first: as long as something is staged, the next transaction looks for them.
        if !keep_backups && let Some(backup) = self.backup.take() {
            backup.remove(&self.transaction.state.backups);
        }
        for (file, slots) in self.plan.files.iter().zip(&self.slots) {
            let _ = slots.stage.dir.unlink(slots.stage.name.as_bstr());
            // An exchange that was done holds nothing back.
            if !(keep_backups && matches!(file.change, ChangeKind::Modify | ChangeKind::Create)) {
                let _ = slots.hold.dir.unlink(slots.hold.name.as_bstr());
            }
        }
        if self.slots.iter().any(|slots| !Rc::ptr_eq(&slots.stage.dir, &self.transaction.stage)) {
            for n in 0..self.slots.len() {
                let _ = self.transaction.stage.unlink(format!("{}-{n}@", self.plan.id).as_bytes().as_bstr());
            }
        }
    }

    /// Where the version of file `n` goes that is neither the old nor the new one: among the backups.
    pub(super) fn aside(&mut self, n: usize) -> Result<Slot, Error> {
        let path = self.plan.files[n].place.path.clone();
        let shown = path.to_string_lossy();
        let io = || Error::io("make", format!("the folder of the changed version of {shown}"));
        self.open_backup()?;
        let backup = self.backup.as_mut().expect("opened just above");
        let dir = backup.dir_of(&path).and_then(|dir| dir.beneath(None)).map_err(io())?;
        Ok(Slot::new(Rc::new(dir), format!("changed-{n}").as_bytes().as_bstr()))
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        if !self.committed {
            self.clean_up(false);
        }
    }
}

/// The directories that must be made for a place, outermost first, but for those that are listed already.
fn missing_dirs(place: &Place, listed: &[RepoPath], root: &crate::worktree::root::Root) -> Vec<RepoPath> {
    let mut missing = Vec::new();
    if place.dir().is_some() {
        return missing;
    }
    let mut at = place.path.parent();
    while let Some(dir) = at {
        if listed.contains(&dir) || root.dir().beneath(Some(&dir)).is_ok() {
            break;
        }
        at = dir.parent();
        missing.push(dir);
    }
    missing.reverse();
    missing
}

impl BackupFolder {
    /// The name of the folder below `backups`.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn dir_of(&mut self, path: &RepoPath) -> std::io::Result<&Dir> {
        let Some(parent) = path.parent() else { return Ok(&self.top) };
        if !self.dirs.contains_key(&parent) {
            let mut prefix: Option<RepoPath> = None;
            for name in parent.components() {
                let below = RepoPath::new(name).map_err(std::io::Error::other)?.below(prefix.as_ref());
                if !self.dirs.contains_key(&below) {
                    let above = prefix.as_ref().and_then(|prefix| self.dirs.get(prefix)).unwrap_or(&self.top);
                    above.mkdir(name, 0o700)?;
                    let dir = above.child(name)?;
                    self.dirs.insert(below.clone(), dir);
                }
                prefix = Some(below);
            }
        }
        Ok(self.dirs.get(&parent).unwrap_or(&self.top))
    }

    /// Takes the backups away again: a second name would make the user's own file look hard-linked.
    fn remove(self, backups: &Dir) {
        for path in &self.files {
            let dir = path.parent().and_then(|parent| self.dirs.get(&parent)).unwrap_or(&self.top);
            let _ = dir.unlink(path.file_name());
        }
        // Innermost directories first.
        for path in self.dirs.keys().rev() {
            let above = path.parent().and_then(|parent| self.dirs.get(&parent)).unwrap_or(&self.top);
            let _ = above.rmdir(path.file_name());
        }
        let _ = backups.rmdir(self.name.as_bytes().as_bstr());
    }
}
