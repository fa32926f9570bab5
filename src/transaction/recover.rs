//! Finishes what was interrupted: whoever takes the lock next runs it, and it may itself be interrupted anywhere.
//!
//! Two cases. In the same run of the system (a process was killed) everything written is still there, and only the last
//! transaction can be open: it rolls forward if each of its files holds exactly the old or the new bytes, else back. After a
//! reboot, anything since the last checkpoint may be lost but the journal: every file is made again from its backup and
//! splices, unless somebody wrote it later.
//! Invariant: identity is content, never inode numbers; what is foreign stays.
//! Long because both cases share what they know of a file, and would otherwise say it twice.

use super::Settle;
use super::error::TransactionError as Error;
use super::intent::{Intent, IntentFile};
use super::journal::{Contents, Entry, Outcome};
use super::swap::{Content, Refused, Slot, Swap};
use super::{Durability, Transaction};
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::worktree::WorktreeError;
use crate::worktree::dir::Dir;
use crate::worktree::root::{Place, ReadFile};
use bstr::{BStr, BString, ByteSlice};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::rc::Rc;

/// What recovery did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Transactions that are now applied in full.
    pub forward: Vec<RecordId>,
    /// Transactions that are now undone in full.
    pub back: Vec<RecordId>,
    /// Files that were made again after a reboot.
    pub remade: Vec<RepoPath>,
    /// Files of a transaction that was taken back which somebody had changed after the interruption: they stay as they
    /// are, with the interrupted edit in them. In words, with the place of the old version.
    pub left: Vec<String>,
    /// What a person should know of the journal and the records beside.
    pub notes: Vec<String>,
}

impl Recovered {
    /// Whether nothing had to be done.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// How one file of an open transaction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    Old,
    New,
    /// A rename whose new file is there and whose old one is not gone yet.
    Half,
    Foreign,
}

impl Transaction {
    pub(super) fn recover(&mut self, settle: &dyn Settle) -> Result<(), Error> {
        let contents = self.journal.contents()?;
        // What is damaged stays in the file until a checkpoint puts it aside; only a torn tail goes.
        let boot = self.journal.boot();
        let rebooted = contents.entries.iter().any(|entry| !entry.boot.is_same(boot));
        if contents.damage.is_empty() {
            if !rebooted {
                self.keep_cut_off(&contents)?;
            }
            self.journal.cut_torn_tail(contents.end)?;
        } else {
            self.must_checkpoint = true;
        }
        if rebooted {
            self.remake(&contents.entries)?;
            for entry in contents.entries.iter().filter(|e| e.outcome == Outcome::Open && !e.boot.is_same(boot)) {
                settle.settle(&entry.intent)?;
            }
            self.must_checkpoint = true;
        }
        if let Some(last) = contents.entries.last().filter(|e| e.outcome == Outcome::Open && e.boot.is_same(boot)) {
            self.finish(&last.intent, settle)?;
        }
        self.count = u32::try_from(contents.entries.len()).unwrap_or(u32::MAX);
        self.clean_leftovers(Some(&contents))?;
        if rebooted {
            self.unlink_orphan_backups(&contents)?;
        }
        Ok(())
    }

    /// A process that is killed while it writes an intent leaves staged files behind. Half an entry without any was whole
    /// once, and was cut off: what is left of it is kept.
    fn keep_cut_off(&mut self, contents: &Contents) -> Result<(), Error> {
        let staged = self.stage.names().map_err(Error::io("list", "the folder of staged files"))?;
        if contents.end >= self.journal.size() || !staged.is_empty() {
            return Ok(());
        }
        let name = self.journal.copy_aside(&self.state)?;
        let why = "the journal was cut off in the middle of an entry; what was recorded there and behind it is lost";
        self.notes.push(format!("{why}; the rest is kept as {}", self.state.path().join(name).display()));
        Ok(())
    }

    // -- the same run of the system ---------------------------------------------------------------------------

    fn finish(&mut self, intent: &Intent, settle: &dyn Settle) -> Result<(), Error> {
        // Git moved its ref only after all files were exchanged, so what differs now was changed later.
        if settle.settle(intent)? {
            self.journal.mark(intent, Outcome::Applied)?;
            self.recovered.forward.push(intent.id.clone());
            return Ok(());
        }
        let mut stands = self.stands(intent)?;
        if !stands.contains(&Stand::Foreign) && !intent.verify {
            self.make_dirs_again(intent)?;
            let mut foreign = false;
            for (n, &stand) in stands.iter().enumerate().filter(|(_, stand)| **stand != Stand::New) {
                foreign |= !self.forward(intent, n, stand)?;
            }
            if !foreign {
                self.journal.mark(intent, Outcome::Applied)?;
                self.recovered.forward.push(intent.id.clone());
                return Ok(());
            }
            stands = self.stands(intent)?;
        }
        for n in (0..intent.files.len()).rev() {
            if matches!(stands[n], Stand::New | Stand::Half) {
                self.backward(intent, n)?;
            }
        }
        for dir in intent.made_dirs.iter().rev() {
            if let Ok(parent) = self.root.dir().beneath(dir.parent().as_ref()) {
                let _ = parent.rmdir(dir.file_name());
            }
        }
        let foreign = intent.files.iter().zip(&stands).filter(|(_, stand)| **stand == Stand::Foreign);
        let left: Vec<String> = foreign.map(|(file, _)| self.left_alone(intent, file)).collect();
        if left.is_empty() {
            self.remove_backups_of(&intent.id)?;
        } else {
            // The old versions of what is left alone stay among the backups; the others have their own place again.
            for n in 0..intent.files.len() {
                let (slots, ..) = self.slots(intent, n)?;
                for slot in [slots.stage, slots.hold] {
                    slot.dir.unlink(slot.name.as_bstr()).map_err(Error::io("remove", "a staged file"))?;
                }
            }
            self.unlink_backups_of(&intent.id)?;
            self.recovered.left.extend(left);
        }
        self.journal.mark(intent, Outcome::Aborted)?;
        self.recovered.back.push(intent.id.clone());
        Ok(())
    }

    fn left_alone(&self, intent: &Intent, file: &IntentFile) -> String {
        let backup = file.backup.as_ref().map(|backup| self.state.backups_path().join(backup));
        let old = backup.map_or(String::new(), |backup| format!("; its old version is {}", backup.display()));
        format!(
            "{} was changed after the edit {} was interrupted, so it is left as it is, while the edit's other files are taken \
             back{old}",
            file.path, intent.id
        )
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
        let (slots, stage, hold) = self.slots(intent, n)?;
        let foreign_in = |id: Option<BlobId>| id.is_some_and(|id| Some(id) != file.before && Some(id) != file.after);
        // What came out of the tree and is neither version was somebody's edit: it goes back before anything else.
        if file.change == ChangeKind::Modify && target == file.after && foreign_in(stage) {
            self.swap(file, slots)?.back().map_err(|refused| self.stuck(intent, refused))?;
            return Ok(Stand::Foreign);
        }
        if matches!(file.change, ChangeKind::Delete | ChangeKind::Rename) && foreign_in(hold) {
            let source = self.slot_of(file.from.as_ref().unwrap_or(&file.path))?;
            let put = slots.hold.dir.rename_new(slots.hold.name.as_bstr(), &source.dir, source.name.as_bstr());
            put.map_err(Error::io("put back", file.path.to_string_lossy()))?;
            return Ok(Stand::Foreign);
        }
        let (old, new) = (target == file.before, target == file.after);
        Ok(match file.change {
            ChangeKind::Rename => {
                let source = match &file.from {
                    Some(from) => self.id_at(from)?,
                    None => None,
                };
                match (target, source) {
                    (_, None) if new => Stand::New,
                    (_, source) if new && source == file.before => Stand::Half,
                    (None, source) if source == file.before => Stand::Old,
                    _ => Stand::Foreign,
                }
            }
            _ if new => Stand::New,
            _ if old => Stand::Old,
            _ => Stand::Foreign,
        })
    }

    /// Puts the new version of file `n` in; says whether it could (a foreign edit may come at any time).
    fn forward(&self, intent: &Intent, n: usize, stand: Stand) -> Result<bool, Error> {
        let file = &intent.files[n];
        let (slots, stage, _) = self.slots(intent, n)?;
        if file.after.is_some() && stage != file.after && stand != Stand::Half {
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
        let (slots, stage, hold) = self.slots(intent, n)?;
        let waiting = if file.change == ChangeKind::Modify { stage } else { hold };
        let needs_old = file.change != ChangeKind::Create && waiting != file.before;
        let source_is_old =
            file.from.as_ref().is_some_and(|from| matches!(self.id_at(from), Ok(id) if id == file.before));
        if needs_old && !source_is_old {
            let slot = if file.change == ChangeKind::Modify { &slots.stage } else { &slots.hold };
            let old = self.old_text(file)?.ok_or_else(|| self.needed(intent, file, "its old version is gone"))?;
            let target = self.found_at(&file.path)?.map(|_| &file.path);
            self.stage_again(slot, &old, target, file.mode_before)?;
        }
        let swap = self.swap(file, slots)?;
        swap.back().map_err(|refused| self.stuck(intent, refused))?;
        swap.clean_up();
        Ok(())
    }

    /// The text before an entry: its backup, or made from the text after.
    fn old_text(&self, file: &IntentFile) -> Result<Option<Vec<u8>>, Error> {
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

    /// The backup of an entry, if it is whole.
    pub(super) fn backup_bytes(&self, file: &IntentFile) -> Result<Option<Vec<u8>>, Error> {
        let Some(name) = &file.backup else { return Ok(None) };
        let Ok(path) = RepoPath::new(name.as_bytes()) else { return Ok(None) };
        let Ok(dir) = self.state.backups.beneath(path.parent().as_ref()) else { return Ok(None) };
        let slot = Slot::new(Rc::new(dir), path.file_name());
        let found = slot.read().map_err(Error::io("read the backup of", file.path.to_string_lossy()))?;
        Ok(found.map(|(_, bytes)| bytes).filter(|bytes| Some(blob_id(bytes)) == file.before))
    }

    fn stage_again(&self, slot: &Slot, bytes: &[u8], like: Option<&RepoPath>, mode: Option<u32>) -> Result<(), Error> {
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

    fn found_at(&self, path: &RepoPath) -> Result<Option<ReadFile>, Error> {
        match self.root.place(path).and_then(|place| self.root.read(&place)) {
            Ok(found) => Ok(found),
            // Something that is no regular file is foreign, whatever it is.
            Err(error @ WorktreeError::Io { .. }) => Err(error.into()),
            Err(error @ WorktreeError::Unreadable { .. }) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    /// The blob id of what is at a path; that of no text where it is no regular file.
    fn id_at(&self, path: &RepoPath) -> Result<Option<BlobId>, Error> {
        let place = match self.root.place(path) {
            Ok(place) => place,
            Err(error @ WorktreeError::Io { .. }) => return Err(error.into()),
            Err(_) => return Ok(Some(BlobId::from_bytes([0; 20]))),
        };
        match self.root.read(&place) {
            Ok(found) => Ok(found.map(|found| blob_id(&found.bytes))),
            Err(error @ WorktreeError::Io { .. }) => Err(error.into()),
            Err(_) => Ok(Some(BlobId::from_bytes([0; 20]))),
        }
    }

    fn slot_of(&self, path: &RepoPath) -> Result<Slot, Error> {
        let place = self.root.place(path)?;
        let dir = place.dir().ok_or_else(|| WorktreeError::NoSuchFile(path.to_string_lossy()))?;
        Ok(Slot::new(Rc::clone(dir), place.name()))
    }

    /// The slots of file `n`, with the blob ids of what is in them.
    fn slots(
        &self,
        intent: &Intent,
        n: usize,
    ) -> Result<(super::prepare::Slots, Option<BlobId>, Option<BlobId>), Error> {
        let file = &intent.files[n];
        let named = |suffix: &str| match &file.stage {
            Some(name) => {
                Ok::<_, Error>(Slot::new(Rc::clone(&self.stage), format!("{name}{suffix}").as_bytes().as_bstr()))
            }
            None => {
                let place = self.root.place(&file.path)?;
                let name = format!(".redraft-{}-{n}{suffix}", intent.id);
                let dir = place.dir().unwrap_or(self.root.dir());
                Ok(Slot::new(Rc::clone(dir), name.as_bytes().as_bstr()))
            }
        };
        let (stage, hold) = (named("")?, named("o")?);
        let id = |slot: &Slot| {
            let found = slot.read().map_err(Error::io("look at", "a staged file"))?;
            Ok::<_, Error>(found.map(|(_, bytes)| blob_id(&bytes)))
        };
        let ids = (id(&stage)?, id(&hold)?);
        // A deletion stages an empty file, which says nothing.
        let staged = if file.change == ChangeKind::Delete { None } else { ids.0 };
        Ok((super::prepare::Slots { stage, hold }, staged, ids.1))
    }

    fn swap<'a>(&self, file: &'a IntentFile, slots: super::prepare::Slots) -> Result<Swap<'a>, Error> {
        Ok(Swap {
            shown: file.path.to_string_lossy(),
            change: file.change,
            target: self.slot_of(&file.path)?,
            source: file.from.as_ref().map(|from| self.slot_of(from)).transpose()?,
            stage: slots.stage,
            hold: slots.hold,
            before: file.before.map(Content::Id),
            after: file.after,
        })
    }

    fn stuck(&self, intent: &Intent, refused: Refused) -> Error {
        match refused {
            Refused::Failed(error) | Refused::Stuck(error) => error,
            Refused::Foreign(what) => self.needed(intent, &intent.files[0], &what),
        }
    }

    fn needed(&self, intent: &Intent, file: &IntentFile, what: &str) -> Error {
        let backup = file.backup.as_ref().map(|backup| self.state.backups_path().join(backup));
        let backup = backup.map_or("none".to_owned(), |backup| backup.display().to_string());
        let tree = self.root.path().join(file.path.to_path());
        Error::RecoveryNeeded {
            id: intent.id.clone(),
            what: format!("{}: {what}", file.path),
            versions: format!("backup {backup}, working tree {}", tree.display()),
        }
    }

    // -- after a reboot -----------------------------------------------------------------------------------------

    /// Makes every file of the unsealed transactions again, unless it is as it should be or somebody wrote it later.
    fn remake(&mut self, entries: &[Entry]) -> Result<(), Error> {
        let boot = self.journal.boot();
        let mut wanted: BTreeMap<RepoPath, Wanted<'_>> = BTreeMap::new();
        for entry in entries {
            // An open one of this run is finished by the other way.
            if entry.outcome == Outcome::Open && entry.boot.is_same(boot) {
                continue;
            }
            for file in &entry.intent.files {
                self.want(entry, file, &mut wanted)?;
            }
        }
        for (path, want) in &wanted {
            if self.put_wanted(path, want)? {
                self.recovered.remade.push(path.clone());
            }
        }
        Ok(())
    }

    /// Adds what one entry leaves to what is wanted.
    fn want<'e>(
        &self,
        entry: &'e Entry,
        file: &'e IntentFile,
        wanted: &mut BTreeMap<RepoPath, Wanted<'e>>,
    ) -> Result<(), Error> {
        let source = file.from.as_ref().unwrap_or(&file.path);
        let now = self.found_at(source)?;
        let is_base = |bytes: &[u8]| Some(blob_id(bytes)) == file.before;
        let earlier =
            wanted.get(source).and_then(|want| want.text.bytes()).filter(|bytes| is_base(bytes)).map(<[u8]>::to_vec);
        let base = match (file.change, earlier) {
            (ChangeKind::Create, _) => Some(Vec::new()),
            (_, Some(bytes)) => Some(bytes),
            _ => match self.backup_bytes(file)? {
                Some(bytes) => Some(bytes),
                None => now.map(|now| now.bytes).filter(|bytes| is_base(bytes)),
            },
        };
        let mut earlier = wanted.get(&file.path).map(|want| want.earlier.clone()).unwrap_or_default();
        earlier.extend(base.clone());
        let want = |text, earlier| Wanted { text, entry, file, earlier };
        if entry.outcome == Outcome::Aborted {
            // The files were exchanged back, but the disk may have kept the first exchange only.
            let is_new = self.id_at(&file.path)? == file.after;
            if let (true, ChangeKind::Modify, Some(base)) = (is_new, file.change, base) {
                wanted.insert(file.path.clone(), want(Text::Bytes(base), earlier));
            }
            return Ok(());
        }
        let after = match file.after {
            None => Text::Absent,
            Some(id) => match base.and_then(|base| file.apply(&base)).filter(|after| blob_id(after) == id) {
                Some(after) => Text::Bytes(after),
                None => Text::Unknown,
            },
        };
        if let Some(from) = &file.from {
            wanted.insert(from.clone(), want(Text::Absent, Vec::new()));
        }
        wanted.insert(file.path.clone(), want(after, earlier));
        Ok(())
    }

    /// Brings one path to what is wanted; says whether it had to be written.
    fn put_wanted(&self, path: &RepoPath, want: &Wanted<'_>) -> Result<bool, Error> {
        let (intent, file) = (&want.entry.intent, want.file);
        let place = match self.root.place(path) {
            Ok(place) => place,
            Err(error @ WorktreeError::Io { .. }) => return Err(error.into()),
            Err(_) => return Ok(false),
        };
        let now = match self.root.read(&place) {
            Ok(now) => now,
            Err(error @ WorktreeError::Io { .. }) => return Err(error.into()),
            Err(_) => return Ok(false),
        };
        match (&want.text, &now) {
            (Text::Bytes(bytes), Some(now)) if now.bytes == *bytes => Ok(false),
            (Text::Unknown, Some(now)) if Some(blob_id(&now.bytes)) == file.after => Ok(false),
            // Something that no transaction wrote or found and no power cut leaves of it, such as a file unpacked from an
            // archive with its old time.
            (Text::Bytes(bytes), Some(now)) if !want.may_be_left_as(&now.bytes, bytes) => Ok(false),
            // Written after the transaction: somebody's own edit, which stays.
            (_, Some(now)) if now.meta.mtime_ms() > intent.time_ms => Ok(false),
            (Text::Unknown, _) => Err(self.needed(intent, file, "neither its old nor its new version is whole")),
            (Text::Absent, None) => Ok(false),
            (Text::Absent, Some(now)) => {
                if Some(blob_id(&now.bytes)) != file.before {
                    return Ok(false);
                }
                let slot = self.slot_of(path)?;
                slot.dir.unlink(slot.name.as_bstr()).map_err(Error::io("remove", path.to_string_lossy()))?;
                Ok(true)
            }
            (Text::Bytes(_), None) if self.is_dir_younger(&place, intent.time_ms)? => Ok(false),
            (Text::Bytes(bytes), now) => {
                self.write_again(path, bytes, now.is_some(), file)?;
                Ok(true)
            }
        }
    }

    /// Whether the directory of a missing file changed after the transaction: then somebody may have removed the file.
    fn is_dir_younger(&self, place: &Place, time_ms: i64) -> Result<bool, Error> {
        match place.dir() {
            None => Ok(false),
            Some(dir) => {
                let meta = dir.meta().map_err(Error::io("look at the directory of", place.path.to_string_lossy()))?;
                Ok(meta.mtime_ms() > time_ms + 1000)
            }
        }
    }

    fn write_again(&self, path: &RepoPath, bytes: &[u8], exists: bool, file: &IntentFile) -> Result<(), Error> {
        let shown = || path.to_string_lossy();
        let mut at: Option<RepoPath> = None;
        for name in path.parent().iter().flat_map(RepoPath::components) {
            let below = RepoPath::new(name).map_err(|_| WorktreeError::NoSuchFile(shown()))?.below(at.as_ref());
            let parent = self.root.dir().beneath(at.as_ref());
            let made = parent.and_then(|parent| parent.mkdir(name, 0o777));
            made.map_err(Error::io("make the directory", below.to_string_lossy()))?;
            at = Some(below);
        }
        self.root.look_again();
        let target = self.slot_of(path)?;
        let device = |dir: &Dir| dir.meta().map(|meta| meta.identity.0).map_err(Error::io("look at", shown()));
        let (dir, name) = if device(&target.dir)? == self.stage_device {
            (Rc::clone(&self.stage), "recovered".to_owned())
        } else {
            (Rc::clone(&target.dir), ".redraft-recovered".to_owned())
        };
        let slot = Slot::new(dir, name.as_bytes().as_bstr());
        let mode = if exists { None } else { file.mode_after };
        self.stage_again(&slot, bytes, exists.then_some(path), mode)?;
        let put = slot.dir.rename(slot.name.as_bstr(), &target.dir, target.name.as_bstr());
        put.map_err(Error::io("make again", shown()))
    }

    // -- leftovers ----------------------------------------------------------------------------------------------

    /// Removes what killed runs staged, and the backups of those that never came to their commit point.
    pub(super) fn clean_leftovers(&mut self, contents: Option<&Contents>) -> Result<(), Error> {
        let names = self.stage.names().map_err(Error::io("list", "the folder of staged files"))?;
        if names.is_empty() {
            return Ok(());
        }
        let read;
        let contents = match contents {
            Some(contents) => contents,
            None => {
                read = self.journal.contents()?;
                &read
            }
        };
        let ids: BTreeSet<RecordId> = names.iter().filter_map(|name| owner(name.as_bstr())).collect();
        for id in ids {
            let entry = contents.entries.iter().find(|entry| entry.intent.id == id);
            match entry.map(|entry| entry.outcome) {
                None => self.remove_backups_of(&id)?,
                Some(Outcome::Aborted) => self.unlink_backups_of(&id)?,
                Some(Outcome::Applied | Outcome::Open) => {}
            }
        }
        // The staged files go last: as long as one is there, the backups are looked for.
        for name in &names {
            if name.ends_with(b"@") {
                self.remove_beside(name)?;
            }
            self.stage.unlink(name.as_bstr()).map_err(Error::io("remove", "a staged file"))?;
        }
        Ok(())
    }

    /// Removes a file that was staged beside its target, by the note of its place.
    fn remove_beside(&self, note: &BString) -> Result<(), Error> {
        let slot = Slot::new(Rc::clone(&self.stage), note.as_bstr());
        let Some((_, place)) = slot.read().map_err(Error::io("read", "the note of a staged file"))? else {
            return Ok(());
        };
        let parent = RepoPath::new(&place).ok();
        let Ok(dir) = self.root.dir().beneath(parent.as_ref()) else { return Ok(()) };
        let name = note.strip_suffix(b"@").unwrap_or(note).as_bstr();
        for suffix in ["", "o"] {
            let name = format!(".redraft-{name}{suffix}");
            dir.unlink(name.as_bytes().as_bstr()).map_err(Error::io("remove", name))?;
        }
        Ok(())
    }

    /// Removes the backups of a transaction that did not happen.
    fn remove_backups_of(&self, id: &RecordId) -> Result<(), Error> {
        let io = |verb| Error::io(verb, "the folder of backups");
        for name in self.state.backups.names().map_err(io("list"))? {
            if name.ends_with(id.as_str().as_bytes()) {
                super::backups::remove_tree(&self.state.backups, name.as_bstr()).map_err(io("empty"))?;
            }
        }
        Ok(())
    }

    fn unlink_backups_of(&self, id: &RecordId) -> Result<(), Error> {
        let io = |verb| Error::io(verb, "the folder of backups");
        for name in self.state.backups.names().map_err(io("list"))? {
            if name.ends_with(id.as_str().as_bytes()) {
                super::backups::unlink_shared(&self.state.backups, name.as_bstr()).map_err(io("clean"))?;
            }
        }
        Ok(())
    }

    /// After a power cut a backup's name may be on disk although its transaction is not: the user's own file would look
    /// hard-linked.
    fn unlink_orphan_backups(&self, contents: &Contents) -> Result<(), Error> {
        let io = |verb| Error::io(verb, "the folder of backups");
        for name in self.state.backups.names().map_err(io("list"))? {
            let is_of = |entry: &Entry| {
                name.ends_with(entry.intent.id.as_str().as_bytes()) && entry.outcome != Outcome::Aborted
            };
            if !contents.entries.iter().any(is_of) {
                super::backups::unlink_shared(&self.state.backups, name.as_bstr()).map_err(io("clean"))?;
            }
        }
        Ok(())
    }

    /// Whether syncs are wanted.
    pub(super) fn is_durable(&self) -> bool {
        self.durability == Durability::Full
    }
}

/// What a path should hold.
struct Wanted<'e> {
    text: Text,
    entry: &'e Entry,
    file: &'e IntentFile,
    /// What it held before, transaction by transaction.
    earlier: Vec<Vec<u8>>,
}

impl Wanted<'_> {
    /// Whether a power cut may have left `now`: an earlier version, or as much of a version as came to the disk, zeros
    /// standing for the rest.
    fn may_be_left_as(&self, now: &[u8], wanted: &[u8]) -> bool {
        let whole = now.trim_end_with(|c| c == '\0');
        wanted.starts_with(whole) || self.earlier.iter().any(|version| version.starts_with(whole))
    }
}

enum Text {
    Bytes(Vec<u8>),
    Absent,
    /// Its base is lost; the file itself may still be right.
    Unknown,
}

impl Text {
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Absent | Self::Unknown => None,
        }
    }
}

/// The record that a staged file belongs to, by its name.
fn owner(name: &BStr) -> Option<RecordId> {
    name.get(..RecordId::LEN).and_then(|id| id.to_str().ok()).and_then(RecordId::parse)
}
