//! How files were right after a record, as far as records tell.
//!
//! Owns telling it from the records around: what the record itself left, else what the next one found, else what the last one before it
//! left. What other programs did in between is seen where two of these differ.

use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::RecordFile;
use bstr::ByteSlice;
use std::collections::BTreeMap;

/// How a file was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsOf {
    /// None where there was none.
    pub file: Option<FileThen>,
    /// The record that tells it.
    pub told_by: RecordId,
    /// The one before it, where that left another text: something else changed the file in between, before or after the time that was asked
    /// for.
    pub differs_from: Option<RecordId>,
}

/// A file as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileThen {
    /// Its raw bytes.
    pub bytes: Vec<u8>,
    /// Its permission bits, where the record knows them.
    pub mode: Option<u32>,
}

impl FileThen {
    /// The blob that its bytes are.
    pub fn id(&self) -> BlobId {
        blob_id(&self.bytes)
    }
}

/// How a file was, and how records left it at last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Then {
    /// How it was.
    pub as_of: AsOf,
    /// What the newest record left there; none where that is nothing.
    pub newest: Option<BlobId>,
}

/// What goes with bringing a file back as it was, and its caller would not guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestoreNote {
    /// It had changes that no record has.
    Unrecorded(RepoPath),
    /// Something else changed it between these two records; it is as the second found it.
    Between {
        /// The file.
        path: RepoPath,
        /// The last record up to the one that was named.
        last: RecordId,
        /// The first one after it.
        next: RecordId,
    },
}

/// Which of a record's two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// One side of a file of a record.
struct Told {
    item: Item,
    file: usize,
    side: Side,
    /// The blob; none where there was no file.
    id: Option<BlobId>,
}

/// Each path of a file, with what was there on one side.
fn paths_of(file: &RecordFile, side: Side) -> Vec<(&RepoPath, Option<BlobId>)> {
    match (&file.from, side) {
        (Some(from), Side::Before) => vec![(from, file.before), (&file.path, None)],
        (Some(from), Side::After) => vec![(from, None), (&file.path, file.after)],
        (None, Side::Before) => vec![(&file.path, file.before)],
        (None, Side::After) => vec![(&file.path, file.after)],
    }
}

/// The files that a record and those after it touched, as they were right after it.
///
/// # Errors
/// [`HistoryError::NotInThisWorktree`]; [`HistoryError::TextNotKept`]; where one is damaged.
pub fn all_as_of(history: &History<'_>, at: &Item) -> Result<BTreeMap<RepoPath, Then>, HistoryError> {
    if !at.is_own {
        return Err(HistoryError::NotInThisWorktree(at.record.id.clone()));
    }
    let mut told: BTreeMap<RepoPath, (Told, Option<BlobId>)> = BTreeMap::new();
    for item in history.items(Scope::Own, Filter::default())? {
        let item = item?;
        let is_it = item.record.id == at.record.id;
        let side = if is_it { Side::After } else { Side::Before };
        for (n, file) in item.record.files.iter().enumerate() {
            let left: BTreeMap<&RepoPath, Option<BlobId>> = paths_of(file, Side::After).into_iter().collect();
            for (path, id) in paths_of(file, side) {
                let newest = told.get(path).map_or_else(|| left.get(path).copied().flatten(), |(_, newest)| *newest);
                told.insert(path.clone(), (Told { item: item.clone(), file: n, side, id }, newest));
            }
        }
        if is_it {
            break;
        }
    }
    let read = |(path, (told, newest)): (RepoPath, (Told, Option<BlobId>))| {
        Ok((path, Then { as_of: told.read(history)?, newest }))
    };
    told.into_iter().map(read).collect()
}

/// One file as it was right after a record.
///
/// # Errors
/// As [`all_as_of`]; [`HistoryError::NothingKept`] where no record is about the file.
pub fn as_of(history: &History<'_>, at: &Item, path: &RepoPath) -> Result<AsOf, HistoryError> {
    let of = |item: &Item, side| {
        let mut found = None;
        for (n, file) in item.record.files.iter().enumerate() {
            let at_path = paths_of(file, side).into_iter().find(|(other, _)| *other == path);
            found = at_path.map(|(_, id)| (n, id)).or(found);
        }
        found.map(|(file, id)| Told { item: item.clone(), file, side, id })
    };
    if let Some(told) = of(at, Side::After) {
        return told.read(history);
    }
    if !at.is_own {
        return Err(nothing_kept(path));
    }
    let names = [path.as_bstr().as_bytes(), at.record.id.as_str().as_bytes()];
    let (mut next, mut is_before): (Option<Told>, bool) = (None, false);
    for item in history.items(Scope::Own, Filter::of(names))? {
        let item = item?;
        is_before |= item.record.id == at.record.id;
        if !is_before {
            next = of(&item, Side::Before).or(next);
            continue;
        }
        let Some(last) = of(&item, Side::After) else { continue };
        return Ok(match next {
            Some(next) if next.id != last.id => AsOf { differs_from: Some(last.item.record.id), ..next.read(history)? },
            Some(next) => next.read(history)?,
            None => last.read(history)?,
        });
    }
    next.map_or_else(|| Err(nothing_kept(path)), |next| next.read(history))
}

impl Told {
    fn read(self, history: &History<'_>) -> Result<AsOf, HistoryError> {
        let told_by = self.item.record.id.clone();
        if self.id.is_none() {
            return Ok(AsOf { file: None, told_by, differs_from: None });
        }
        let record = history.full(&self.item)?;
        let texts = history.texts(&self.item, &record, self.file)?;
        let file = &record.files[self.file];
        let (bytes, mode) = match self.side {
            Side::Before => (texts.into_before(), file.mode_before),
            Side::After => (texts.into_after(), file.mode_after),
        };
        let not_kept = || HistoryError::TextNotKept { path: file.path.to_string_lossy(), record: told_by.clone() };
        let bytes = bytes.filter(|bytes| Some(blob_id(bytes)) == self.id).ok_or_else(not_kept)?;
        Ok(AsOf { file: Some(FileThen { bytes, mode }), told_by, differs_from: None })
    }
}

fn nothing_kept(path: &RepoPath) -> HistoryError {
    HistoryError::NothingKept { what: path.to_string_lossy(), near: Vec::new() }
}
