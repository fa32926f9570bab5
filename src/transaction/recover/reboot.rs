//! After a reboot: of all that was written since the last checkpoint only the journal is sure to be there.
//!
//! Owns what each path should hold by the journal, and when a file is made again: only where a power cut may have left what
//! is there.

use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::path::RepoPath;
use crate::transaction::Transaction;
use crate::transaction::error::TransactionError as Error;
use crate::transaction::intent::IntentFile;
use crate::transaction::journal_bytes::{Entry, Outcome};
use crate::transaction::swap::Slot;
use crate::worktree::WorktreeError;
use crate::worktree::root::{Place, ReadFile};
use bstr::ByteSlice;
use std::collections::BTreeMap;
use std::rc::Rc;

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

impl Transaction {
    /// Makes every file of the unsealed transactions again, unless it is as it should be or somebody wrote it later.
    pub(super) fn remake(&mut self, entries: &[Entry]) -> Result<(), Error> {
        let boot = self.hold.journal.borrow().boot();
        let mut wanted: BTreeMap<RepoPath, Wanted<'_>> = BTreeMap::new();
        for entry in entries {
            // An open one of this run is finished by the other way.
            if entry.outcome == Outcome::Open && entry.boot.is_same(boot) {
                continue;
            }
            if entry.intent.is_observed() {
                // What another program wrote is its own to make durable; what was wanted before it, it did away with.
                for file in &entry.intent.files {
                    wanted.remove(&file.path);
                    file.from.as_ref().map(|from| wanted.remove(from));
                }
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
                self.write_again(path, bytes, now.as_ref(), file)?;
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

    /// Puts a text at a path, with the metadata of what is there now, else with those that the transaction gave it.
    fn write_again(
        &self,
        path: &RepoPath,
        text: &[u8],
        now: Option<&ReadFile>,
        file: &IntentFile,
    ) -> Result<(), Error> {
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
        let mount = target.dir.mount().map_err(Error::io("look at", shown()))?;
        let (dir, name) = if mount == self.hold.stage_mount {
            (Rc::clone(&self.hold.stage), "recovered".to_owned())
        } else {
            (Rc::clone(&target.dir), ".redraft-recovered".to_owned())
        };
        let slot = Slot::new(dir, name.as_bytes().as_bstr());
        let (like, mode) = match now {
            Some(_) => (Some(path), None),
            None => (None, file.mode_after),
        };
        self.stage_again(&slot, text, like, mode)?;
        let put = slot.dir.rename(slot.name.as_bstr(), &target.dir, target.name.as_bstr());
        put.map_err(Error::io("make again", shown()))
    }
}
