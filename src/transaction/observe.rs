//! A change that another program made, taken into the journal: the old texts are kept, and nothing in the working tree is touched.
//!
//! Owns the order: the old texts first, then the entry, then its mark. Does not find out what changed.
//! Invariant: recovery never writes a file for such an entry; who wrote the files is not this program.

use super::backup_folder::BackupFolder;
use super::error::TransactionError as Error;
use super::intent::{Intent, IntentFile, intent_splices};
use super::journal_bytes::Outcome;
use super::state::State;
use super::step::Step;
use super::{Durability, Transaction};
use crate::change::{ChangeKind, PathState};
use crate::id::{BlobId, RecordId};
use crate::patch::FilePatch;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordMeta};
use crate::text::Encoding;
use bstr::ByteSlice;

/// The texts of one record hold at most so many bytes: an entry of the journal is limited.
const MOST_OBSERVED: u64 = 1 << 30;

/// So many files are synced one by one.
const MOST_SYNCED_ALONE: usize = 32;

/// A file at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// All of it.
    pub bytes: Vec<u8>,
    /// Their git blob id.
    pub id: BlobId,
    /// Unix permission bits.
    pub mode: u32,
}

/// A file that another program changed.
#[derive(Debug)]
pub struct ObservedFile {
    /// What it did.
    pub change: ChangeKind,
    /// Where the file is afterwards (for a deletion: where it was).
    pub path: RepoPath,
    /// Where it was, for a rename.
    pub from: Option<RepoPath>,
    /// None where there was no file.
    pub before: Option<Version>,
    /// None where there is no file.
    pub after: Option<Version>,
    /// From the text before to the one after, each of which may be empty for want of a file.
    pub patch: FilePatch,
    /// Against HEAD, before; none where there was no file.
    pub state: Option<PathState>,
    /// What the texts are in, where that is known and not UTF-8.
    pub encoding: Option<Encoding>,
}

/// All of a change that another program made.
#[derive(Debug)]
pub struct Observation {
    /// Of the record.
    pub id: RecordId,
    /// For the record; says who made the change.
    pub meta: RecordMeta,
    /// At least one.
    pub files: Vec<ObservedFile>,
}

impl Intent {
    /// Whether another program made the change, and redraft only saw it.
    pub fn is_observed(&self) -> bool {
        self.meta.observed.is_some()
    }
}

impl Transaction {
    /// Records a change that is made already.
    ///
    /// # Errors
    /// Where an old text or the journal cannot be written, as on a full disk; then nothing is recorded.
    pub fn observe(&mut self, observation: Observation) -> Result<(), Error> {
        let Observation { id, meta, files } = observation;
        // As long as something is staged, the backups of a killed run are found and removed.
        let marker = format!("{id}-0");
        let marker = marker.as_bytes().as_bstr();
        self.hold.stage.create_new(marker, 0o600).map_err(Error::io("make", "a note of what is observed"))?;
        let recorded = self.record_observed(id, meta, &files);
        let _ = self.hold.stage.unlink(marker);
        recorded
    }

    fn record_observed(&mut self, id: RecordId, meta: RecordMeta, files: &[ObservedFile]) -> Result<(), Error> {
        let versions = files.iter().flat_map(|file| file.before.iter().chain(&file.after));
        if versions.map(|version| version.bytes.len() as u64).sum::<u64>() > MOST_OBSERVED {
            let much = std::io::Error::other(format!("it is more than {MOST_OBSERVED} bytes; run less at once"));
            return Err(Error::io("record", "what was changed")(much));
        }
        let time = self.env.clock().now();
        let backups = self.keep_old_texts(State::backup_name(time, &id), files)?;
        let intent_file = |file: &ObservedFile| {
            let source = file.from.as_ref().unwrap_or(&file.path);
            let text = file.before.as_ref().map_or(&[][..], |before| &before.bytes);
            IntentFile {
                path: file.path.clone(),
                from: file.from.clone(),
                change: file.change,
                before: file.before.as_ref().map(|before| before.id),
                after: file.after.as_ref().map(|after| after.id),
                before_len: text.len(),
                mode_before: file.before.as_ref().map(|before| before.mode),
                mode_after: file.after.as_ref().map(|after| after.mode),
                state: file.state,
                encoding: file.encoding,
                splices: intent_splices(&file.patch, text),
                backup: backups.as_ref().filter(|_| file.before.is_some()).map(|backups| backups.path_of(source)),
                stage: None,
            }
        };
        let intent = Intent {
            id,
            time_ms: time.as_millisecond(),
            class: RecordClass::Edit,
            meta,
            files: files.iter().map(intent_file).collect(),
            made_dirs: Vec::new(),
            verify: false,
        };
        self.watch.before(Step::CommitIntent)?;
        if let Err(error) = self.hold.journal.borrow_mut().commit(&intent) {
            if let Some(backups) = backups {
                backups.remove(&self.hold.state.backups);
            }
            return Err(error);
        }
        // The mark is a hint: without it recovery says the same.
        let _ = self
            .watch
            .before(Step::MarkApplied)
            .and_then(|()| self.hold.journal.borrow_mut().mark(&intent, Outcome::Applied));
        Ok(())
    }

    /// Writes the old texts among the backups, durably: they are nowhere else. None where there is none.
    fn keep_old_texts(&self, name: String, files: &[ObservedFile]) -> Result<Option<BackupFolder>, Error> {
        let mut old =
            files.iter().filter_map(|file| Some((file.from.as_ref().unwrap_or(&file.path), file.before.as_ref()?)));
        let Some(first) = old.next() else { return Ok(None) };
        let are_many = files.len() > MOST_SYNCED_ALONE;
        let mut folder = BackupFolder::make(&self.hold.state.backups, name)?;
        for (n, (path, version)) in std::iter::once(first).chain(old).enumerate() {
            let kept = self.watch.before(Step::BackUp(n)).and_then(|()| folder.keep(path, &version.bytes));
            let kept = kept.and_then(|file| match self.hold.durability {
                Durability::Full if !are_many => file.sync_all().map_err(Error::io("sync", "a backup")),
                Durability::Full | Durability::Fast => Ok(()),
            });
            if let Err(error) = kept {
                folder.remove(&self.hold.state.backups);
                return Err(error);
            }
        }
        if self.hold.durability == Durability::Full
            && let Err(error) = self.sync_kept(&folder, files)
        {
            folder.remove(&self.hold.state.backups);
            return Err(Error::io("sync", "the folder of backups")(error));
        }
        Ok(Some(folder))
    }

    /// Makes the kept texts durable: of a few the names, of many all at once, with all else in the file system.
    fn sync_kept(&self, folder: &BackupFolder, files: &[ObservedFile]) -> std::io::Result<()> {
        if files.len() <= MOST_SYNCED_ALONE {
            return folder.sync_names(&self.hold.state.backups);
        }
        if self.hold.state.backups.sync_all_of_it()? {
            return Ok(());
        }
        for file in files.iter().filter(|file| file.before.is_some()) {
            let at = folder.path_of(file.from.as_ref().unwrap_or(&file.path));
            self.hold.state.backups.beneath(at.parent().as_ref())?.read(at.file_name())?.sync_all()?;
        }
        folder.sync_names(&self.hold.state.backups)
    }
}
