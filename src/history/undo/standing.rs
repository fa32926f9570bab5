//! What of a record is in the files, whatever the log says: a checkout, another branch or an editor may have taken an edit
//! back, or an undo.
//!
//! Owns that look, one record and one file at a time, and what is asked of files. The log's word counts where the files
//! prove nothing. Writes nothing.
//! Invariant: what is said to be in force, or taken back, is proven by the text of the file as it is.

use super::known::{is_touched_since, known_since};
use super::replay::{OneFile, Slot, is_text};
use super::request::Misfits;
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::in_force::{Effect, FileEffect};
use crate::history::reader::{History, Item};
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, Target};
use crate::worktree::WorktreeError;
use std::cell::Cell;

/// So many files of records are looked at; of more the log's word counts.
const MOST_LOOKS: usize = 64;

/// What is in a file of the working tree; none where there is no file.
type Found = Result<Option<Vec<u8>>, WorktreeError>;

/// The files of the working tree, as an undo looks at them.
pub struct Files<'a> {
    /// The text of a file as it is.
    pub read: &'a dyn Fn(&RepoPath) -> Found,
    /// The one file that has exactly this text, by blob id and length; none where there is none, or several.
    pub find: &'a dyn Fn(BlobId, usize) -> Option<RepoPath>,
    /// Whether git had a file at a path when a record was made.
    pub was_tracked: &'a dyn Fn(&Record, &RepoPath) -> bool,
}

/// How one file of a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// What it did is there.
    InForce,
    /// What was before it is there.
    TakenBack,
    /// Neither is proven.
    Unknown,
}

/// The records, as the files have them.
pub(super) struct InFiles<'a> {
    history: &'a History<'a>,
    files: &'a Files<'a>,
    looks: Cell<usize>,
}

impl<'a> InFiles<'a> {
    /// Nothing is looked at yet.
    pub(super) fn new(history: &'a History<'a>, files: &'a Files<'a>) -> Self {
        Self { history, files, looks: Cell::new(MOST_LOOKS) }
    }

    /// What of a record is in force where the log says `effect`: what was undone, and is there again, is in force.
    pub(super) fn corrected(&self, item: &Item, effect: Effect) -> Result<Effect, HistoryError> {
        if effect.files.iter().all(|file| *file == FileEffect::InForce) {
            return Ok(effect);
        }
        let Some(record) = self.history.full_if_whole(item) else { return Ok(effect) };
        let mut files = Vec::with_capacity(effect.files.len());
        for (n, effect) in effect.files.into_iter().enumerate() {
            let undone = match &effect {
                FileEffect::InForce => None,
                FileEffect::Undone(_) => Some(None),
                FileEffect::Partly(undone, _) => Some(Some(undone.iter().copied().collect())),
            };
            let by = match &effect {
                FileEffect::InForce => None,
                FileEffect::Undone(by) | FileEffect::Partly(_, by) => Some(by),
            };
            let is_back = match (undone, by) {
                (Some(splices), Some(by)) => {
                    self.standing(item, &record, n, splices.clone())? == Standing::InForce
                        && !self.was_made_again(item, &record, n, splices, by)?
                }
                _ => false,
            };
            files.push(if is_back { FileEffect::InForce } else { effect });
        }
        Ok(Effect { files })
    }

    /// The files of a record, in these paths, that the log calls in force, if all of them are as they were before it.
    pub(super) fn taken_back(
        &self,
        item: &Item,
        effect: &Effect,
        is_meant: impl Fn(usize) -> bool,
    ) -> Result<Option<Vec<String>>, HistoryError> {
        let Some(record) = self.history.full_if_whole(item) else { return Ok(None) };
        let mut paths = Vec::new();
        for (n, file) in effect.files.iter().enumerate().filter(|(n, _)| is_meant(*n)) {
            if matches!(file, FileEffect::Undone(_)) {
                continue;
            }
            if self.standing(item, &record, n, None)? != Standing::TakenBack {
                return Ok(None);
            }
            paths.extend(record.files.get(n).map(|file| file.path.to_string_lossy()));
        }
        Ok((!paths.is_empty()).then_some(paths))
    }

    /// Whether a record that is newer than the undo did the same: then it is that record's, and not to be undone by the
    /// name of this one.
    fn was_made_again(
        &self,
        item: &Item,
        record: &Record,
        n: usize,
        splices: Option<Vec<usize>>,
        undo: &RecordId,
    ) -> Result<bool, HistoryError> {
        let Some(file) = record.files.get(n) else { return Ok(false) };
        if file.change != ChangeKind::Modify {
            // Of names there is nothing that tells one time from another.
            return is_touched_since(self.history, undo, file);
        }
        let OneFile { step, now, .. } = OneFile::new(self.history, item, record, n, splices.clone())?;
        let mut slot = Slot::at(&file.path);
        slot.add(step, now, Target { id: record.id.clone(), file: n, splices });
        let is_there = |text: Option<&[u8]>| {
            let found = text.map(|text| (text, slot.replay(Some(text), Misfits::Refused)));
            found.is_some_and(|(text, found)| found.is_ok_and(|found| found.text.as_deref() != Some(text)))
        };
        let later = known_since(self.history, undo, &file.path)?;
        let mut later = later.iter().filter(|known| known.id != *undo);
        Ok(later.any(|known| is_there(known.texts.after()) && !is_there(known.texts.before())))
    }

    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        // What cannot be read is told where it is to be changed.
        (self.files.read)(path).ok().flatten()
    }

    fn standing(
        &self,
        item: &Item,
        record: &Record,
        n: usize,
        splices: Option<Vec<usize>>,
    ) -> Result<Standing, HistoryError> {
        let Some(left) = self.looks.get().checked_sub(1) else { return Ok(Standing::Unknown) };
        self.looks.set(left);
        let Some(file) = record.files.get(n) else { return Ok(Standing::Unknown) };
        let text = self.read(&file.path);
        let is_elsewhere = || {
            let length = file.splices.after_len();
            file.after.filter(|_| length > 0).is_some_and(|after| (self.files.find)(after, length).is_some())
        };
        let standing = match (file.change, &text) {
            // Somebody moved it.
            (ChangeKind::Create, None) if is_elsewhere() => Standing::Unknown,
            (ChangeKind::Create, None) | (ChangeKind::Delete, Some(_)) => {
                let is_as_before = text.as_ref().is_none_or(|text| is_text(text, file.before));
                if is_as_before { Standing::TakenBack } else { Standing::Unknown }
            }
            (ChangeKind::Create, Some(text)) if is_text(text, file.after) => Standing::InForce,
            (ChangeKind::Delete, None) => Standing::InForce,
            (ChangeKind::Modify | ChangeKind::Rename, Some(text)) => {
                let target = Target { id: record.id.clone(), file: n, splices: splices.clone() };
                let OneFile { step, now, .. } = OneFile::new(self.history, item, record, n, splices)?;
                let is_moved = now.as_ref() != Some(&file.path);
                let mut slot = Slot::at(&file.path);
                slot.add(step, now, target);
                slot.find_base(Some(text));
                match slot.replay(Some(text), Misfits::Refused) {
                    Ok(outcome) if is_moved || outcome.text.as_ref() != Some(text) => Standing::InForce,
                    Ok(_) if !slot.changes_mode() => Standing::TakenBack,
                    Ok(_) | Err(_) => Standing::Unknown,
                }
            }
            (ChangeKind::Rename, None) => match file.from.as_ref().and_then(|from| self.read(from)) {
                Some(text) if is_text(&text, file.before) => Standing::TakenBack,
                _ => Standing::Unknown,
            },
            (ChangeKind::Create | ChangeKind::Modify, _) => Standing::Unknown,
        };
        Ok(standing)
    }
}
