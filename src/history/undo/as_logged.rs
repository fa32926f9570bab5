//! Since when nobody but the records of the log changed a file: each record found it as the one before had left it, and it is
//! as the newest left it.
//!
//! Owns that question, which the ids of texts answer, without a text but that of the file as it is. Where it is so, what the
//! log says of a record needs no look at lines.
//! Invariant: a name that was given to another file, or that a record met twice, is not followed.

use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::RecordFile;
use std::cell::RefCell;
use std::collections::HashMap;

/// For each file, by the name that it has today, how far back that is known.
#[derive(Default)]
pub(super) struct AsLogged(RefCell<HashMap<RepoPath, Unbroken>>);

/// The records back to which a file is as the log has it.
struct Unbroken {
    /// What the file was called, and its text, when the next record that is looked at had been made.
    name: RepoPath,
    blob: Option<BlobId>,
    /// So many records were looked at, from the newest on.
    records: usize,
    is_broken: bool,
}

impl AsLogged {
    /// Whether all that was undone of a record, or done again, in the file that is called so today is as the log has it.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn is_since_undone(
        &self,
        whereabouts: &Whereabouts<'_>,
        record: &RecordId,
        today: &RepoPath,
    ) -> Result<bool, HistoryError> {
        let log = whereabouts.log();
        let mut files = self.0.borrow_mut();
        let unbroken = files.entry(today.clone()).or_insert_with(|| Unbroken::of(whereabouts, today));
        while !unbroken.is_broken {
            let Some(item) = log.nth(unbroken.records)? else { return Ok(false) };
            if item.record.id == *record {
                return Ok(true);
            }
            unbroken.step(&item.record.files);
        }
        // Before that, nobody may have undone it.
        for n in unbroken.records.. {
            let Some(item) = log.nth(n)? else { break };
            if item.record.id == *record {
                return Ok(true);
            }
            if item.record.meta.undoes.contains(record) {
                break;
            }
        }
        Ok(false)
    }
}

impl Unbroken {
    fn of(whereabouts: &Whereabouts<'_>, today: &RepoPath) -> Self {
        let read = (whereabouts.files().read)(today);
        let is_broken = read.is_err();
        let blob = read.ok().flatten().map(|text| blob_id(&text));
        Self { name: today.clone(), blob, records: 0, is_broken }
    }

    /// Goes back over the next record; where it did not leave the file as it was found later, no farther.
    fn step(&mut self, files: &[RecordFile]) {
        let is_met = |file: &&RecordFile| file.path == self.name || file.from.as_ref() == Some(&self.name);
        let mut met = files.iter().filter(is_met);
        match (met.next(), met.next()) {
            (None, _) => self.records += 1,
            (Some(file), None) if file.path == self.name && file.after == self.blob => {
                self.records += 1;
                self.blob = file.before;
                self.name = file.from.clone().unwrap_or_else(|| self.name.clone());
            }
            _ => self.is_broken = true,
        }
    }
}
