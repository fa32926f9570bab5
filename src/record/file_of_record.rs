//! One entry of the history.
//!
//! Owns what a record says, and what can be computed with it. Its stored form is `decode.rs`'s.
//! Invariant: a record is enough to undo by itself, together with the blobs that it names; one from disk passed
//! [`Record::check`].

use crate::change::{ChangeKind, PathState};
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordMeta, SpliceList};
use crate::text::{Encoding, quoted_path};
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};

/// The format of `meta.json`.
pub const VERSION: u32 = 1;

/// Larger texts are not kept, in bytes.
pub const LARGEST_KEPT: usize = 8 << 20;

/// Whether the texts of a file are in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextsKept {
    /// As blobs.
    #[default]
    Stored,
    /// Not: git ignores the path, so it may hold secrets; there is the backup.
    Ignored,
    /// Not: it is larger than [`LARGEST_KEPT`]; there is the backup.
    Large,
    /// Not: the backup was gone, or not what it should be, when the record was sealed.
    Lost,
    /// Not any more: `redraft purge` removed them.
    Purged,
}

/// One file of a record.
#[derive(Debug, Clone, PartialEq)]
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
    /// Unix permission bits before.
    pub mode_before: Option<u32>,
    /// Unix permission bits after.
    pub mode_after: Option<u32>,
    /// Against HEAD, before the edit; none where there was no file.
    pub state: Option<PathState>,
    /// What its texts are in, where that is known and not UTF-8.
    pub encoding: Option<Encoding>,
    /// What git would store for the text before; none where a filter decides, or the texts are not kept.
    pub git_before: Option<BlobId>,
    /// What git would store for the text after.
    pub git_after: Option<BlobId>,
    /// Whether the texts are in the history.
    pub kept: TextsKept,
    /// The backup, relative to `<git dir>/redraft/backups`.
    pub backup: Option<RepoPath>,
    /// Lines added and removed; none where that is not known yet.
    pub lines: Option<(usize, usize)>,
    /// The splices and the lengths of both texts; only their number comes from the log index.
    pub splices: SpliceList,
}

/// One entry of the history.
#[derive(Debug, Clone, PartialEq)]
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
    pub meta: RecordMeta,
    /// At least one.
    pub files: Vec<RecordFile>,
}

impl Record {
    /// Whether it put an entry of its file `n` into the index.
    pub fn has_staged(&self, n: usize) -> bool {
        let staged = self.meta.git.as_ref().map_or(&[][..], |git| &git.staged);
        let is_of_file = |file: &RecordFile| staged.iter().any(|staged| staged.path == file.path);
        // What was noted before files were named is of all of them.
        self.meta.is_in_index() && (staged.is_empty() || self.files.get(n).is_some_and(is_of_file))
    }

    /// A line for a person: what was done to which file.
    pub fn subject(&self) -> String {
        let Some(RecordFile { change, from, path, .. }) = self.files.first() else { return "nothing".to_owned() };
        subject(self.kind, *change, from.as_ref(), path, self.files.len())
    }

    /// The same for who may see nothing but what is below this directory: of those files alone, and of their names there.
    #[cfg_attr(not(feature = "mcp"), allow(dead_code, reason = "only an MCP server of a folder sees a part"))]
    pub fn subject_within(&self, within: &RepoPath) -> String {
        let seen = |file: &RecordFile| {
            let [path, from] =
                [Some(&file.path), file.from.as_ref()].map(|path| path.filter(|path| path.is_below(within)));
            Some((file.change, path.or(from)?.clone(), path.and(from).cloned()))
        };
        let files: Vec<_> = self.files.iter().filter_map(seen).collect();
        let Some((change, path, from)) = files.first() else { return "nothing".to_owned() };
        subject(self.kind, *change, from.as_ref(), path, files.len())
    }
}

/// What was done to the first of `count` files, on one line.
pub fn subject(
    class: RecordClass,
    change: ChangeKind,
    from: Option<&RepoPath>,
    path: &RepoPath,
    count: usize,
) -> String {
    let done = match (class, change) {
        (RecordClass::Undo, _) => "undo",
        (RecordClass::Redo, _) => "redo",
        (RecordClass::External, _) => "external",
        (RecordClass::Edit, ChangeKind::Modify) => "edit",
        (RecordClass::Edit, ChangeKind::Create) => "create",
        (RecordClass::Edit, ChangeKind::Delete) => "delete",
        (RecordClass::Edit, ChangeKind::Rename) => "rename",
    };
    let what = match from {
        Some(from) => format!("{} to {}", plain(from), plain(path)),
        None => plain(path),
    };
    match count {
        0 | 1 => format!("{done} {what}"),
        2 => format!("{done} {what} (+1 file)"),
        n => format!("{done} {what} (+{} files)", n - 1),
    }
}

/// A path on one line, as git quotes it.
fn plain(path: &RepoPath) -> String {
    quoted_path(path).into_owned()
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

    /// Whether it was only said that the file may be run, or may not, as far as git keeps that; then which.
    pub fn bit_alone(&self) -> Option<bool> {
        const EXECUTABLE: u32 = 0o100;
        let (before, after) = (self.mode_before?, self.mode_after?);
        let is_alone = self.from.is_none() && self.before.is_some() && self.before == self.after;
        (is_alone && (before ^ after) & EXECUTABLE != 0).then_some(after & EXECUTABLE != 0)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::request::RecordKind;
    use crate::strategy::Strategy;

    /// A record of one modified file.
    pub fn record(seed: u8, path: &str) -> Record {
        let rows = [(1, 1, 3, 0, Strategy::Exact), (5, 2, 2, 0, Strategy::Exact)];
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
                mode_before: Some(0o644),
                mode_after: Some(0o644),
                state: Some(PathState::Clean),
                encoding: Encoding::named("shift_jis"),
                git_before: None,
                git_after: None,
                kept: TextsKept::Stored,
                backup: Some(RepoPath::new(b"x/y").expect("a path")),
                lines: Some((1, 2)),
                splices: SpliceList::new(10, &rows).expect("in order"),
            }],
        }
    }

    #[test]
    fn a_record_has_a_subject() {
        assert_eq!(record(3, "a/b.rs").subject(), "edit a/b.rs");
    }

    #[test]
    fn a_path_stands_for_all_below_it() {
        let file = &record(1, "a/b.rs").files[0];
        let at = |path: &str| file.is_at(&RepoPath::new(path.as_bytes()).expect("a path"));
        assert!(at("a/b.rs") && at("a") && !at("a/b") && !at("b.rs"));
    }
}
