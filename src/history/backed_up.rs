//! What a backup has, held against what is recorded of the files that were replaced.
//!
//! Owns which of its files is the old one, and where else its text is to be had. Writes nothing, and tells nobody.
//! Invariant: a text that is given has the recorded id, or is of a backup of which nothing that is kept tells anything.

use super::error::HistoryError;
use super::old_file::{BackupNote, Condition, OldFile};
use super::reader::{History, Item};
use crate::git::blob_id;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::{Record, RecordFile};
use crate::transaction::{Backup, Outcome};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Who tells what a transaction replaced.
#[derive(Debug, Clone)]
enum Teller {
    /// Its record.
    Record(Box<(Item, Record)>),
    /// Its entry in the journal alone: it left no record.
    Entry,
}

/// The files that a transaction replaced, with the ids of their texts.
#[derive(Debug, Clone)]
struct Replaced {
    files: Vec<(RepoPath, BlobId)>,
    teller: Teller,
}

/// A backup with what is known of its files.
#[derive(Debug, Clone)]
pub struct BackedUp {
    backup: Backup,
    files: Vec<OldFile>,
    /// None where nothing that is kept tells it.
    replaced: Option<Replaced>,
}

impl BackedUp {
    /// Looks at a backup of this worktree, and at what is recorded of it.
    ///
    /// # Errors
    /// Where the history cannot be read.
    pub fn look(history: &History<'_>, backup: Backup) -> Result<Self, HistoryError> {
        let replaced = Replaced::of(history, &backup)?;
        let recorded = replaced.as_ref().map_or(&[][..], |replaced| &replaced.files);
        let condition = |path: &RepoPath| match (&replaced, recorded.iter().find(|(known, _)| known == path)) {
            (None, _) => Condition::Unproven,
            (Some(_), None) => Condition::Foreign,
            (Some(_), Some((_, id))) if proven(&backup.folder, path, *id).is_some() => Condition::Whole,
            (Some(_), Some(_)) => Condition::Damaged,
        };
        let there = backup.files.iter();
        let mut files: Vec<OldFile> = there
            .map(|(path, size)| OldFile { path: path.clone(), size: Some(*size), condition: condition(path) })
            .collect();
        let is_there = |path: &RepoPath| backup.files.iter().any(|(there, _)| there == path);
        let gone = recorded.iter().filter(|(path, _)| !is_there(path));
        files.extend(gone.map(|(path, _)| OldFile { path: path.clone(), size: None, condition: Condition::Gone }));
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Self { backup, files, replaced })
    }

    /// The backup as it lies there.
    pub fn backup(&self) -> &Backup {
        &self.backup
    }

    /// Its files, and those that it should have.
    pub fn files(&self) -> &[OldFile] {
        &self.files
    }

    /// The old text of a file that is to be brought back; none where no text is proven to be it.
    ///
    /// # Errors
    /// Where nothing tells what it should be, and it cannot be read.
    pub fn text(&self, history: &History<'_>, path: &RepoPath) -> Result<Option<Vec<u8>>, HistoryError> {
        let Some(replaced) = &self.replaced else {
            let file = self.backup.folder.join(path.to_path());
            return std::fs::read(&file).map(Some).map_err(HistoryError::io("read", &file));
        };
        let Some((_, id)) = replaced.files.iter().find(|(known, _)| known == path) else { return Ok(None) };
        Ok(proven(&self.backup.folder, path, *id).or_else(|| replaced.recorded(history, path, *id)))
    }

    /// The permission bits of an old file, as they are recorded, or else those of the backup, which are no wider; none where it has none.
    pub fn mode(&self, path: &RepoPath) -> Option<u32> {
        let told = self.replaced.as_ref().and_then(|replaced| replaced.mode(path));
        let there =
            || std::fs::metadata(self.backup.folder.join(path.to_path())).ok().filter(std::fs::Metadata::is_file);
        told.or_else(|| Some(there()?.permissions().mode() & 0o7777))
    }

    /// The backup of a file, below the folder of backups.
    pub fn place(&self, path: &RepoPath) -> Option<RepoPath> {
        let folder = self.backup.folder.file_name()?.as_encoded_bytes();
        RepoPath::new(&[folder, b"/", path.as_bstr()].concat()).ok()
    }

    /// What is to be known of the files that are not the old ones.
    pub fn notes(&self, history: &History<'_>) -> Vec<BackupNote> {
        let broken = self.files.iter().filter(|file| matches!(file.condition, Condition::Damaged | Condition::Gone));
        let note = |file: &OldFile| BackupNote::NotWhole {
            record: self.backup.id.clone(),
            path: file.path.clone(),
            condition: file.condition,
            is_known: matches!(self.text(history, &file.path), Ok(Some(_))),
        };
        broken.map(note).collect()
    }
}

impl Replaced {
    /// None where nothing that is kept tells it: its record was dropped, or lost to damage, or it never had one.
    fn of(history: &History<'_>, backup: &Backup) -> Result<Option<Self>, HistoryError> {
        let id = &backup.id;
        match history.find(id.as_str()) {
            Ok(item) => {
                // What the index has of a record that cannot be read is enough to compare with.
                let record = history.full_if_whole(&item).unwrap_or_else(|| item.record.clone());
                let files = with_backup(&record);
                return Ok(Some(Self { files, teller: Teller::Record(Box::new((item, record))) }));
            }
            Err(HistoryError::NoSuchRecord(_)) => {}
            Err(error) => return Err(error),
        }
        let Some((intent, outcome)) = history.own_entry(id) else { return Ok(None) };
        let mut files = with_backup(&intent.record());
        if outcome == Outcome::Aborted {
            // It did not happen, so what was never replaced has its own place, and no backup any more.
            files.retain(|(path, _)| backup.files.iter().any(|(there, _)| there == path));
        }
        Ok(Some(Self { files, teller: Teller::Entry }))
    }

    /// As the record has it.
    fn mode(&self, path: &RepoPath) -> Option<u32> {
        let Teller::Record(told) = &self.teller else { return None };
        told.1.files.iter().find(|file| file.backup.is_some() && old_path(file) == path)?.mode_before
    }

    /// The text of a file as the history has it.
    fn recorded(&self, history: &History<'_>, path: &RepoPath, id: BlobId) -> Option<Vec<u8>> {
        let Teller::Record(told) = &self.teller else { return None };
        let (item, record) = &**told;
        let n = record.files.iter().position(|file| file.backup.is_some() && old_path(file) == path)?;
        let text = history.texts(item, record, n).ok()?.into_before();
        text.filter(|text| blob_id(text) == id)
    }
}

/// The files of a record that have a backup, as they were called.
fn with_backup(record: &Record) -> Vec<(RepoPath, BlobId)> {
    let files = record.files.iter().filter(|file| file.backup.is_some());
    files.filter_map(|file| Some((old_path(file).clone(), file.before?))).collect()
}

fn old_path(file: &RecordFile) -> &RepoPath {
    file.from.as_ref().unwrap_or(&file.path)
}

/// The text of a file of a backup, if it is the one with this id.
fn proven(folder: &Path, path: &RepoPath, id: BlobId) -> Option<Vec<u8>> {
    let file = folder.join(path.to_path());
    // Of a pipe nobody would ever read the end.
    std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file)?;
    std::fs::read(&file).ok().filter(|text| blob_id(text) == id)
}
