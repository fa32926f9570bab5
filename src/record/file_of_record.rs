//! One entry of the history, as `meta.json` has it.
//!
//! Owns the format of a record. Does not know where it is kept.
//! Invariant: a record is enough to undo by itself, together with the blobs that it names.

use crate::change::{ChangeKind, PathState};
use crate::id::{BlobId, RecordId};
use crate::patch::carry::trim;
use crate::patch::{FilePatch, Origin, Replacement, Splice, SpliceError};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordMeta};
use crate::strategy::Strategy;
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The format of `meta.json`.
pub const VERSION: u32 = 1;

/// Whether the texts of a file are in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// As blobs.
    #[default]
    Stored,
    /// Not: git ignores the path, so it may hold secrets; there is the backup.
    Ignored,
    /// Not: it is larger than the history takes; there is the backup.
    Large,
    /// Not: the backup was gone, or not what it should be, when the record was sealed.
    Lost,
    /// Not any more: `redraft purge` removed them.
    Purged,
}

/// Where a splice is in both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpliceRange {
    /// In bytes of the text before.
    pub before: Range<usize>,
    /// In bytes of the text after.
    pub after: Range<usize>,
    /// The 0-based index of the edit within its file.
    pub edit: usize,
    /// How the place was found.
    pub strategy: Strategy,
}

/// One file of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordFile {
    /// Where it is afterwards (for a deletion: where it was).
    pub path: RepoPath,
    /// Where it was, for a rename.
    pub from: Option<RepoPath>,
    /// What happened.
    pub change: ChangeKind,
    /// Raw bytes before; none where there was no file.
    pub before: Option<BlobId>,
    /// Raw bytes after; none where there is no file.
    pub after: Option<BlobId>,
    /// In bytes.
    pub before_len: usize,
    /// In bytes.
    pub after_len: usize,
    /// Unix permission bits before.
    pub mode_before: Option<u32>,
    /// Unix permission bits after.
    pub mode_after: Option<u32>,
    /// Against HEAD, before the edit; none where there was no file.
    pub state: Option<PathState>,
    /// What git would store for the text before; none where a filter decides, or the texts are not kept.
    #[serde(default)]
    pub git_before: Option<BlobId>,
    /// What git would store for the text after.
    #[serde(default)]
    pub git_after: Option<BlobId>,
    /// Whether the texts are in the history.
    #[serde(default)]
    pub kept: Kept,
    /// The backup, relative to `<git dir>/redraft/backups`.
    pub backup: Option<String>,
    /// Lines added and removed; none where that is not known yet.
    pub lines: Option<(usize, usize)>,
    /// The number of splices, also where [`Self::splices`] are left out.
    pub splice_count: usize,
    /// In order; not in the ledger.
    #[serde(with = "splice_list")]
    pub splices: Vec<SpliceRange>,
}

/// One entry of the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// `VERSION`.
    pub version: u32,
    /// 16 letters.
    pub id: RecordId,
    /// What sort of entry.
    pub kind: RecordClass,
    /// Milliseconds since 1970-01-01 UTC.
    pub time_ms: i64,
    /// Who, why, on what.
    #[serde(flatten)]
    pub meta: RecordMeta,
    /// At least one.
    pub files: Vec<RecordFile>,
}

impl Record {
    /// A line for a person: what was done to which file.
    pub fn subject(&self) -> String {
        let Some(first) = self.files.first() else { return "nothing".to_owned() };
        let done = match (self.kind, first.change) {
            (RecordClass::Undo, _) => "undo",
            (RecordClass::Redo, _) => "redo",
            (RecordClass::External, _) => "external",
            (RecordClass::Edit, ChangeKind::Modify) => "edit",
            (RecordClass::Edit, ChangeKind::Create) => "create",
            (RecordClass::Edit, ChangeKind::Delete) => "delete",
            (RecordClass::Edit, ChangeKind::Rename) => "rename",
        };
        let what = match &first.from {
            Some(from) => format!("{} to {}", plain(from), plain(&first.path)),
            None => plain(&first.path),
        };
        match self.files.len() {
            1 => format!("{done} {what}"),
            2 => format!("{done} {what} (+1 file)"),
            n => format!("{done} {what} (+{} files)", n - 1),
        }
    }
}

/// A path on one line.
fn plain(path: &RepoPath) -> String {
    path.to_string_lossy().chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

impl RecordFile {
    /// Whether this file was, or is, at `path`, or below the directory `path`.
    pub fn is_at(&self, path: &RepoPath) -> bool {
        let below = |own: &RepoPath| {
            let rest = own.as_bstr().as_bytes().strip_prefix(path.as_bstr().as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        };
        below(&self.path) || self.from.as_ref().is_some_and(below)
    }

    /// The edit as a patch of the text before.
    ///
    /// # Errors
    /// Where the record does not belong to these texts.
    pub fn patch(&self, after: &[u8]) -> Result<FilePatch, SpliceError> {
        let splices = self.splices.iter().enumerate().map(|(n, s)| {
            let bytes = after.get(s.after.clone()).ok_or(SpliceError::OutOfBounds(n))?;
            Ok(s.replacing(s.before.clone(), bytes))
        });
        FilePatch::new(self.before_len, splices.collect::<Result<_, _>>()?)
    }

    /// What must be done to the text after to get these splices out of it (all where `which` is none), trimmed; with the
    /// index of the splice that each comes from.
    pub fn undo_pieces(&self, before: &[u8], after: &[u8], which: Option<&[usize]>) -> Vec<(usize, Splice)> {
        self.trimmed(which, |s| trim(after, &s.replacing(s.after.clone(), &before[s.before.clone()])))
    }

    /// What must be done to the text before to get these splices into it, trimmed.
    pub fn redo_pieces(&self, before: &[u8], after: &[u8], which: Option<&[usize]>) -> Vec<(usize, Splice)> {
        self.trimmed(which, |s| trim(before, &s.replacing(s.before.clone(), &after[s.after.clone()])))
    }

    fn trimmed(&self, which: Option<&[usize]>, make: impl Fn(&SpliceRange) -> Option<Splice>) -> Vec<(usize, Splice)> {
        let wanted = |n: &usize| which.is_none_or(|which| which.contains(n));
        let numbered = self.splices.iter().enumerate().filter(|(n, _)| wanted(n));
        numbered.filter_map(|(n, splice)| make(splice).map(|splice| (n, splice))).collect()
    }
}

impl SpliceRange {
    /// The splice of the same edit that puts `bytes` in the place of `range`.
    fn replacing(&self, range: Range<usize>, bytes: &[u8]) -> Splice {
        Replacement { range, bytes: bytes.to_vec() }.by(Origin { edit: self.edit, strategy: self.strategy })
    }
}

/// Start before, length before, length after, edit, strategy; starts after follow by addition.
mod splice_list {
    use super::SpliceRange;
    use crate::strategy::Strategy;
    use serde::{Deserialize, Deserializer, Serializer, de};

    type Row = (usize, usize, usize, usize, Strategy);

    pub fn serialize<S: Serializer>(splices: &[SpliceRange], serializer: S) -> Result<S::Ok, S::Error> {
        let row = |s: &SpliceRange| (s.before.start, s.before.len(), s.after.len(), s.edit, s.strategy);
        serializer.collect_seq(splices.iter().map(row))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SpliceRange>, D::Error> {
        let mut shift = 0_isize;
        let rows = Vec::<Row>::deserialize(deserializer)?;
        rows.into_iter()
            .map(|(start, old, new, edit, strategy)| {
                let damaged = || de::Error::custom("splices out of order");
                let at = start.checked_add_signed(shift).ok_or_else(damaged)?;
                shift += new as isize - old as isize;
                Ok(SpliceRange { before: start..start + old, after: at..at + new, edit, strategy })
            })
            .collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::request::RecordKind;

    /// A record of one modified file.
    pub fn record(seed: u8, path: &str) -> Record {
        let splice =
            |b: Range<usize>, a: Range<usize>| SpliceRange { before: b, after: a, edit: 0, strategy: Strategy::Exact };
        Record {
            version: VERSION,
            id: RecordId::from_random([seed; 8]),
            kind: RecordClass::Edit,
            time_ms: 1_700_000_000_123 + i64::from(seed),
            meta: RecordMeta {
                message: Some("why".into()),
                agent: Some("tester".into()),
                session: Some(format!("s{seed}")),
                record: RecordKind::History,
                ..RecordMeta::default()
            },
            files: vec![RecordFile {
                path: RepoPath::new(path.as_bytes()).expect("a path"),
                from: None,
                change: ChangeKind::Modify,
                before: Some(BlobId::from_bytes([1; 20])),
                after: Some(BlobId::from_bytes([2; 20])),
                before_len: 10,
                after_len: 12,
                mode_before: Some(0o644),
                mode_after: Some(0o644),
                state: Some(PathState::Clean),
                git_before: None,
                git_after: None,
                kept: Kept::Stored,
                backup: Some("x/y".into()),
                lines: Some((1, 2)),
                splice_count: 2,
                splices: vec![splice(1..2, 1..4), splice(5..7, 7..9)],
            }],
        }
    }

    #[test]
    fn a_record_goes_to_json_and_back() {
        let record = record(3, "a/b.rs");
        let json = serde_json::to_string(&record).expect("JSON");
        assert_eq!(serde_json::from_str::<Record>(&json).expect("its own JSON"), record);
        assert_eq!(record.subject(), "edit a/b.rs");
    }

    #[test]
    fn a_path_stands_for_all_below_it() {
        let file = &record(1, "a/b.rs").files[0];
        let at = |path: &str| file.is_at(&RepoPath::new(path.as_bytes()).expect("a path"));
        assert!(at("a/b.rs") && at("a") && !at("a/b") && !at("b.rs"));
    }
}
