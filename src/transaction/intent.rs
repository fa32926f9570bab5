//! What a transaction is about to do: the entry of the journal, and later the source of the record.
//!
//! Owns the types and their bytes. Does not read or write files.
//! Invariant: an intent is enough to make the new text from the old one and the old one from the new one.

use crate::change::{ChangeKind, PathState};
use crate::id::{BlobId, RecordId};
use crate::patch::{FilePatch, Origin, Splice};
use crate::path::RepoPath;
use crate::record::{
    BadRecord, BadSplices, Record, RecordClass, RecordFile, RecordMeta, Row, SpliceList, SpliceRange, TextsKept,
    VERSION,
};
use crate::request::RecordKind;
use crate::strategy::Strategy;
use crate::text::Encoding;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// One splice with both its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentSplice {
    /// In bytes of the file before.
    pub before: Range<usize>,
    /// In bytes of the file after.
    pub after: Range<usize>,
    /// The bytes that it removes.
    pub old: Vec<u8>,
    /// The bytes that it puts there.
    pub new: Vec<u8>,
    /// The 0-based index of the edit within its file.
    pub edit: usize,
    /// How the place was found.
    pub strategy: Strategy,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentFile {
    /// Where the file is afterwards (for a deletion: where it was).
    pub path: RepoPath,
    /// Where it was, for a rename.
    pub from: Option<RepoPath>,
    /// What happens.
    pub change: ChangeKind,
    /// Raw bytes before; none where there is no file.
    pub before: Option<BlobId>,
    /// Raw bytes after; none where there is no file.
    pub after: Option<BlobId>,
    /// Length before, in bytes.
    pub before_len: usize,
    /// Unix permission bits before.
    pub mode_before: Option<u32>,
    /// Unix permission bits after.
    pub mode_after: Option<u32>,
    /// Against HEAD, before the edit.
    pub state: Option<PathState>,
    /// What the texts are in, where that is known and not UTF-8.
    pub encoding: Option<Encoding>,
    /// Against the text before, in order.
    pub splices: Vec<IntentSplice>,
    /// The backup, relative to the folder of backups.
    pub backup: Option<RepoPath>,
    /// The staged file, by its name in the folder of staged files; none for a deletion, or where it is beside the target.
    pub stage: Option<String>,
}

impl IntentFile {
    /// The splices as a patch of the text before.
    ///
    /// # Errors
    /// Where the entry is damaged.
    pub fn patch(&self) -> Result<FilePatch, crate::patch::SpliceError> {
        let splices = self.splices.iter().map(|s| Splice {
            range: s.before.clone(),
            replacement: s.new.clone(),
            origin: vec![Origin { edit: s.edit, strategy: s.strategy }],
        });
        FilePatch::new(self.before_len, splices.collect())
    }

    /// The text before, made from the text after; `None` where `after` cannot be the text that this entry left.
    pub fn invert(&self, after: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(after.len());
        let mut from = 0;
        for splice in &self.splices {
            out.extend_from_slice(after.get(from..splice.after.start)?);
            (after.get(splice.after.clone())? == splice.new).then_some(())?;
            out.extend_from_slice(&splice.old);
            from = splice.after.end;
        }
        out.extend_from_slice(after.get(from..)?);
        (out.len() == self.before_len).then_some(out)
    }

    /// The text after, made from the text before; `None` where `before` cannot be the text that this entry was made for.
    pub fn apply(&self, before: &[u8]) -> Option<Vec<u8>> {
        if before.len() != self.before_len {
            return None;
        }
        self.patch().ok().map(|patch| patch.apply(before))
    }
}

/// One transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// Of the record, too.
    pub id: RecordId,
    /// Milliseconds since 1970-01-01 UTC, taken after the new files were staged.
    pub time_ms: i64,
    /// What sort of record.
    pub class: RecordClass,
    /// For the record.
    pub meta: RecordMeta,
    /// At least one.
    pub files: Vec<IntentFile>,
    /// Directories that the transaction makes, outermost first.
    pub made_dirs: Vec<RepoPath>,
    /// Whether a command is still to approve the result, or something is still to follow elsewhere; such a transaction is
    /// undone by recovery, unless [`Settle`](super::Settle) finds that it was done.
    pub verify: bool,
}

impl Intent {
    /// Whether the entry is for recovery only and leaves no record.
    pub fn is_unrecorded(&self) -> bool {
        self.meta.record == RecordKind::None
    }
}

/// The JSON part of the entry; the bytes of the splices follow it, so that text is not escaped twice.
#[derive(Serialize, Deserialize)]
struct Head<'a> {
    id: RecordId,
    time_ms: i64,
    class: RecordClass,
    meta: std::borrow::Cow<'a, RecordMeta>,
    files: Vec<FileHead>,
    made_dirs: std::borrow::Cow<'a, [RepoPath]>,
    verify: bool,
}

#[derive(Serialize, Deserialize)]
struct FileHead {
    path: RepoPath,
    from: Option<RepoPath>,
    change: ChangeKind,
    before: Option<BlobId>,
    after: Option<BlobId>,
    before_len: usize,
    mode_before: Option<u32>,
    mode_after: Option<u32>,
    state: Option<PathState>,
    backup: Option<RepoPath>,
    stage: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoding: Option<Encoding>,
    splices: Vec<Row>,
}

/// Why bytes are no entry of the journal.
#[derive(Debug, thiserror::Error)]
pub enum BadIntent {
    /// They end too early.
    #[error("it is cut off")]
    CutOff,
    /// More bytes follow than its splices have.
    #[error("{0} bytes too many follow it")]
    TooLong(usize),
    /// Its head is not what this version writes.
    #[error("its head is damaged: {0}")]
    Head(#[from] serde_json::Error),
    /// A file's splices are none.
    #[error("its splices are damaged: {0}")]
    Splices(#[from] BadSplices),
    /// No record can say what it says.
    #[error(transparent)]
    Record(#[from] BadRecord),
    /// The name of a staged file leads elsewhere.
    #[error("{0:?} is no name of a staged file")]
    Stage(String),
}

impl Intent {
    /// The bytes of the entry: the length of a JSON head (4 bytes, little endian), the head, the splices' old and new bytes.
    pub fn encode(&self) -> Vec<u8> {
        let head = Head {
            id: self.id.clone(),
            time_ms: self.time_ms,
            class: self.class,
            meta: std::borrow::Cow::Borrowed(&self.meta),
            files: self.files.iter().map(file_head).collect(),
            made_dirs: std::borrow::Cow::Borrowed(&self.made_dirs),
            verify: self.verify,
        };
        let json = serde_json::to_vec(&head).expect("the head has string keys and no failing serializer");
        let length = u32::try_from(json.len()).expect("a head of 4 GiB would need more edits than a request may have");
        let splices = || self.files.iter().flat_map(|file| &file.splices);
        let text: usize = splices().map(|s| s.old.len() + s.new.len()).sum();
        let mut out = Vec::with_capacity(4 + json.len() + text);
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&json);
        for splice in splices() {
            out.extend_from_slice(&splice.old);
            out.extend_from_slice(&splice.new);
        }
        out
    }

    /// The entry that these bytes are.
    ///
    /// # Errors
    /// [`BadIntent`] where they are not one.
    pub fn decode(bytes: &[u8]) -> Result<Self, BadIntent> {
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or(BadIntent::CutOff)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (json, mut text) = rest.split_at_checked(length).ok_or(BadIntent::CutOff)?;
        let head: Head<'_> = serde_json::from_slice(json)?;
        let files = head.files.into_iter().map(|file| file_of(file, &mut text)).collect::<Result<_, _>>()?;
        if !text.is_empty() {
            return Err(BadIntent::TooLong(text.len()));
        }
        let intent = Self {
            id: head.id,
            time_ms: head.time_ms,
            class: head.class,
            meta: head.meta.into_owned(),
            files,
            made_dirs: head.made_dirs.into_owned(),
            verify: head.verify,
        };
        intent.record().check()?;
        Ok(intent)
    }

    /// The record that the transaction leaves, as far as its intent tells.
    pub fn record(&self) -> Record {
        Record {
            version: VERSION,
            id: self.id.clone(),
            kind: self.class,
            time_ms: self.time_ms,
            meta: self.meta.clone(),
            files: self.files.iter().map(IntentFile::record).collect(),
        }
    }
}

impl IntentFile {
    fn record(&self) -> RecordFile {
        RecordFile {
            path: self.path.clone(),
            from: self.from.clone(),
            change: self.change,
            before: self.before,
            after: self.after,
            mode_before: self.mode_before,
            mode_after: self.mode_after,
            state: self.state,
            encoding: self.encoding,
            git_before: None,
            git_after: None,
            kept: TextsKept::Stored,
            backup: self.backup.clone(),
            lines: None,
            splices: self.splice_list(),
        }
    }

    /// Where the splices are; unlisted where the old text was too large for the entry.
    fn splice_list(&self) -> SpliceList {
        let rows: Vec<Row> = self.rows().collect();
        let list = match self.after {
            None if rows.is_empty() => SpliceList::unlisted(self.before_len, 0, 0),
            _ => SpliceList::new(self.before_len, &rows),
        };
        list.expect("an intent is made from a patch, or was checked when it was read")
    }

    fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.splices.iter().map(|s| (s.before.start, s.old.len(), s.new.len(), s.edit, s.strategy))
    }
}

/// One file of an entry; the texts of its splices are taken off the front of `text`.
fn file_of(file: FileHead, text: &mut &[u8]) -> Result<IntentFile, BadIntent> {
    let list = SpliceList::new(file.before_len, &file.splices)?;
    let mut take = |n: usize| -> Result<Vec<u8>, BadIntent> {
        let (mine, others) = text.split_at_checked(n).ok_or(BadIntent::CutOff)?;
        *text = others;
        Ok(mine.to_vec())
    };
    let mut splices = Vec::with_capacity(list.count());
    for SpliceRange { before, after, edit, strategy } in list.ranges().iter().cloned() {
        let (old, new) = (take(before.len())?, take(after.len())?);
        splices.push(IntentSplice { before, after, old, new, edit, strategy });
    }
    if let Some(name) =
        file.stage.as_ref().filter(|name| name.is_empty() || name.contains(['/', '\0']) || name.starts_with('.'))
    {
        return Err(BadIntent::Stage(name.clone()));
    }
    let FileHead {
        path,
        from,
        change,
        before,
        after,
        before_len,
        mode_before,
        mode_after,
        state,
        backup,
        stage,
        encoding,
        ..
    } = file;
    Ok(IntentFile {
        path,
        from,
        change,
        before,
        after,
        before_len,
        mode_before,
        mode_after,
        state,
        encoding,
        splices,
        backup,
        stage,
    })
}

fn file_head(file: &IntentFile) -> FileHead {
    FileHead {
        path: file.path.clone(),
        from: file.from.clone(),
        change: file.change,
        before: file.before,
        after: file.after,
        before_len: file.before_len,
        mode_before: file.mode_before,
        mode_after: file.mode_after,
        state: file.state,
        backup: file.backup.clone(),
        stage: file.stage.clone(),
        encoding: file.encoding,
        splices: file.rows().collect(),
    }
}

/// The splices of a patch with both their texts.
pub fn intent_splices(patch: &FilePatch, base: &[u8]) -> Vec<IntentSplice> {
    patch
        .splices()
        .iter()
        .zip(patch.result_ranges())
        .map(|(splice, after)| IntentSplice {
            before: splice.range.clone(),
            after,
            old: base[splice.range.clone()].to_vec(),
            new: splice.replacement.clone(),
            edit: splice.origin[0].edit,
            strategy: splice.origin[0].strategy,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bstr::ByteSlice;

    fn intent() -> Intent {
        let base = b"one two three";
        let splice = |range: Range<usize>, text: &str, edit| Splice {
            range,
            replacement: text.into(),
            origin: vec![Origin { edit, strategy: Strategy::Exact }],
        };
        let patch =
            FilePatch::new(base.len(), vec![splice(0..3, "1", 1), splice(8..13, "drei!", 0)]).expect("disjoint");
        let file = IntentFile {
            path: RepoPath::new(b"a/\xff.txt").expect("a path"),
            from: None,
            change: ChangeKind::Modify,
            before: Some(BlobId::from_bytes([1; 20])),
            after: Some(BlobId::from_bytes([2; 20])),
            before_len: base.len(),
            mode_before: Some(0o644),
            mode_after: Some(0o644),
            state: Some(PathState::Clean),
            encoding: None,
            splices: intent_splices(&patch, base),
            backup: Some(RepoPath::new(b"x/a").expect("a path")),
            stage: None,
        };
        Intent {
            id: RecordId::from_random([7; 8]),
            time_ms: 5,
            class: RecordClass::Edit,
            meta: RecordMeta { record: RecordKind::History, ..RecordMeta::default() },
            files: vec![file],
            made_dirs: vec![RepoPath::new(b"a").expect("a path")],
            verify: false,
        }
    }

    #[test]
    fn an_intent_goes_to_bytes_and_back() {
        let intent = intent();
        assert_eq!(Intent::decode(&intent.encode()).expect("its own bytes"), intent);
    }

    #[test]
    fn an_intent_makes_the_new_text_and_the_old_one_again() {
        let file = &intent().files[0];
        assert_eq!(file.apply(b"one two three").as_deref(), Some(&b"1 two drei!"[..]));
        assert_eq!(file.invert(b"1 two drei!").as_deref(), Some(&b"one two three"[..]));
        assert_eq!(file.invert(b"2 two drei!"), None);
        assert_eq!(file.apply(b"short"), None);
    }

    #[test]
    fn an_entry_that_names_files_elsewhere_is_refused() {
        for stage in ["../x", ".", "", "a/b", "a\0b", ".a"] {
            let mut intent = intent();
            intent.files[0].stage = Some(stage.into());
            assert!(Intent::decode(&intent.encode()).is_err(), "{stage}");
        }
        let bytes = intent().encode();
        let at = bytes.find(b"\"x/a\"").expect("the backup's path") + 1;
        for backup in [b"../", b"/xa"] {
            let mut bytes = bytes.clone();
            bytes[at..at + 3].copy_from_slice(backup);
            assert!(Intent::decode(&bytes).is_err(), "{backup:?}");
        }
        assert!(Intent::decode(&bytes).is_ok());
    }

    #[test]
    fn the_record_of_an_entry_has_its_splices_and_of_a_large_file_only_the_length() {
        let mut intent = intent();
        let splices = &intent.record().files[0].splices;
        assert_eq!((splices.before_len(), splices.after_len(), splices.count()), (13, 11, 2));
        assert_eq!(splices.ranges().iter().map(|s| s.after.clone()).collect::<Vec<_>>(), [0..1, 6..11]);
        let file = &mut intent.files[0];
        (file.change, file.after, file.mode_after) = (ChangeKind::Delete, None, None);
        let whole = FilePatch::new(
            13,
            vec![Splice {
                range: 0..13,
                replacement: Vec::new(),
                origin: vec![Origin { edit: 0, strategy: Strategy::Exact }],
            }],
        );
        file.splices = intent_splices(&whole.expect("one splice"), b"one two three");
        let splices = &intent.record().files[0].splices;
        assert_eq!((splices.before_len(), splices.after_len(), splices.count()), (13, 0, 1));
        intent.files[0].splices.clear();
        let splices = &intent.record().files[0].splices;
        assert_eq!((splices.before_len(), splices.after_len(), splices.count()), (13, 0, 0));
    }

    #[test]
    fn a_cut_entry_is_refused() {
        let bytes = intent().encode();
        for end in 0..bytes.len() {
            assert!(Intent::decode(&bytes[..end]).is_err(), "{end}");
        }
    }
}
