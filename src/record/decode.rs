//! A record as `meta.json` has it, and the check that every record from disk or from another clone passes.
//!
//! Owns the stored form. A number, a name or a path that no record can have is refused, with the reason.

use super::file_of_record::{Record, RecordFile, TextsKept, VERSION};
use super::meta::{RecordClass, RecordMeta};
use super::splice_list::{BadSplices, Row, SpliceList};
use crate::change::{ChangeKind, PathState};
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::request::RecordKind;
use crate::text::Encoding;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Why bytes are no record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// They are not the JSON of a record.
    #[error("it is no record: {0}")]
    Json(#[from] serde_json::Error),
    /// A later version of redraft wrote it.
    #[error("it has version {0}, and this redraft knows {VERSION}; use the redraft that wrote it")]
    Version(u32),
    /// Its time is outside of the years that have a name.
    #[error("its time ({0} ms) is no time")]
    Time(i64),
    /// It says nothing.
    #[error("it has no files")]
    NoFiles,
    /// What it inverts is told for another number of files.
    #[error("it says for {targets} files what they invert, and has {files}")]
    Targets {
        /// Told.
        targets: usize,
        /// There.
        files: usize,
    },
    /// A file's splices are none.
    #[error("{path}: {bad}")]
    Splices {
        /// Of the file.
        path: String,
        /// What is wrong.
        bad: BadSplices,
    },
    /// What happened to a file does not go with what else is told of it.
    #[error("{path}: {what}")]
    File {
        /// Of the file.
        path: String,
        /// What is wrong.
        what: &'static str,
    },
}

#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    version: u32,
    id: Cow<'a, RecordId>,
    kind: RecordClass,
    time_ms: i64,
    #[serde(flatten)]
    meta: Cow<'a, RecordMeta>,
    files: Vec<StoredFile<'a>>,
}

#[derive(Serialize, Deserialize)]
struct StoredFile<'a> {
    path: Cow<'a, RepoPath>,
    from: Cow<'a, Option<RepoPath>>,
    change: ChangeKind,
    before: Option<BlobId>,
    after: Option<BlobId>,
    before_len: usize,
    after_len: usize,
    mode_before: Option<u32>,
    mode_after: Option<u32>,
    state: Option<PathState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoding: Option<Encoding>,
    #[serde(default)]
    git_before: Option<BlobId>,
    #[serde(default)]
    git_after: Option<BlobId>,
    #[serde(default)]
    kept: TextsKept,
    backup: Cow<'a, Option<RepoPath>>,
    lines: Option<(usize, usize)>,
    splice_count: usize,
    splices: Vec<Row>,
}

impl Record {
    /// The record as it is stored.
    pub fn encode(&self) -> Vec<u8> {
        let stored = Stored {
            version: self.version,
            id: Cow::Borrowed(&self.id),
            kind: self.kind,
            time_ms: self.time_ms,
            meta: Cow::Borrowed(&self.meta),
            files: self.files.iter().map(stored_file).collect(),
        };
        serde_json::to_vec(&stored).expect("a record has string keys and no failing serializer")
    }

    /// The record that these bytes are.
    ///
    /// # Errors
    /// [`BadRecord`], where they are none.
    pub fn decode(bytes: &[u8]) -> Result<Self, BadRecord> {
        let Stored { version, id, kind, time_ms, meta, files } = serde_json::from_slice(bytes)?;
        let files = files.into_iter().map(file).collect::<Result<_, _>>()?;
        let record = Self { version, id: id.into_owned(), kind, time_ms, meta: meta.into_owned(), files };
        record.check()?;
        Ok(record)
    }

    /// Whether this can be a record; what each type promises by itself is not asked again.
    ///
    /// # Errors
    /// [`BadRecord`]: what is wrong.
    pub fn check(&self) -> Result<(), BadRecord> {
        if self.version != VERSION {
            return Err(BadRecord::Version(self.version));
        }
        if jiff::Timestamp::from_millisecond(self.time_ms).is_err() {
            return Err(BadRecord::Time(self.time_ms));
        }
        // A git commit of what is in the files already is in the journal alone.
        if self.files.is_empty() && self.meta.record != RecordKind::None {
            return Err(BadRecord::NoFiles);
        }
        let (targets, files) = (self.meta.targets.len(), self.files.len());
        if targets != 0 && targets != files {
            return Err(BadRecord::Targets { targets, files });
        }
        self.files.iter().try_for_each(RecordFile::check)
    }
}

impl RecordFile {
    fn check(&self) -> Result<(), BadRecord> {
        let bad = |what| Err(BadRecord::File { path: self.path.to_string_lossy(), what });
        let is_there = (self.before.is_some(), self.after.is_some());
        let fits = match self.change {
            ChangeKind::Create => is_there == (false, true),
            ChangeKind::Delete => is_there == (true, false),
            ChangeKind::Modify | ChangeKind::Rename => is_there == (true, true),
        };
        if !fits || self.from.is_some() != (self.change == ChangeKind::Rename) {
            return bad("what happened to it does not go with where it was before and after");
        }
        let lengths = (self.splices.before_len(), self.splices.after_len());
        if (!is_there.0 && lengths.0 != 0) || (!is_there.1 && lengths.1 != 0) {
            return bad("a file that is not there has a length");
        }
        if [self.mode_before, self.mode_after].into_iter().flatten().any(|mode| mode > 0o7777) {
            return bad("its mode has bits that are no permissions");
        }
        Ok(())
    }
}

fn stored_file(file: &RecordFile) -> StoredFile<'_> {
    StoredFile {
        path: Cow::Borrowed(&file.path),
        from: Cow::Borrowed(&file.from),
        change: file.change,
        before: file.before,
        after: file.after,
        before_len: file.splices.before_len(),
        after_len: file.splices.after_len(),
        mode_before: file.mode_before,
        mode_after: file.mode_after,
        state: file.state,
        encoding: file.encoding,
        git_before: file.git_before,
        git_after: file.git_after,
        kept: file.kept,
        backup: Cow::Borrowed(&file.backup),
        lines: file.lines,
        splice_count: file.splices.count(),
        splices: file.splices.rows().collect(),
    }
}

fn file(stored: StoredFile<'_>) -> Result<RecordFile, BadRecord> {
    let splices = splices(&stored).map_err(|bad| BadRecord::Splices { path: stored.path.to_string_lossy(), bad })?;
    Ok(RecordFile {
        path: stored.path.into_owned(),
        from: stored.from.into_owned(),
        change: stored.change,
        before: stored.before,
        after: stored.after,
        mode_before: stored.mode_before,
        mode_after: stored.mode_after,
        state: stored.state,
        encoding: stored.encoding,
        git_before: stored.git_before,
        git_after: stored.git_after,
        kept: stored.kept,
        backup: stored.backup.into_owned(),
        lines: stored.lines,
        splices,
    })
}

fn splices(stored: &StoredFile<'_>) -> Result<SpliceList, BadSplices> {
    let told = (stored.after_len, stored.splice_count);
    // A large file that was removed has its old text among the backups only.
    if stored.change == ChangeKind::Delete && stored.splices.is_empty() && told == (0, 0) {
        return SpliceList::unlisted(stored.before_len, 0, 0);
    }
    let list = SpliceList::new(stored.before_len, &stored.splices)?;
    match (list.after_len(), list.count()) {
        made if made == told => Ok(list),
        (made, count) if count == told.1 => Err(BadSplices::Length { made, told: told.0 }),
        (_, found) => Err(BadSplices::Count { found, told: told.1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::file_of_record::tests::record;
    use serde_json::{Value, json};

    /// What is said of a record in which `change` was done to its JSON.
    fn told(change: impl Fn(&mut Value)) -> String {
        let mut json: Value = serde_json::from_slice(&record(3, "a/b.rs").encode()).expect("JSON");
        change(&mut json);
        match Record::decode(json.to_string().as_bytes()) {
            Ok(record) => format!("taken: {record:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_record_goes_to_json_and_back() {
        let record = record(3, "a/b.rs");
        assert_eq!(Record::decode(&record.encode()).expect("its own JSON"), record);
    }

    #[test]
    fn what_no_record_can_say_is_refused_with_the_reason() {
        let file = |key: &'static str, value: Value| told(|json| json["files"][0][key] = value.clone());
        let top = |key: &'static str, value: Value| told(|json| json[key] = value.clone());
        let row = |row: Value| file("splices", json!([row, [5, 2, 2, 0, "exact"]]));
        for (told, want) in [
            (top("version", json!(2)), "version 2"),
            (top("id", json!("../../etc/passwd")), "16 letters"),
            (top("id", json!("k\u{e9}mnopqrstuvwxyz")), "16 letters"),
            (top("time_ms", json!(i64::MAX)), "is no time"),
            (top("files", json!([])), "no files"),
            (top("targets", json!([[], []])), "for 2 files"),
            (top("commit", json!("\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}")), "no git id"),
            (top("undoes", json!(["x"])), "16 letters"),
            (file("path", json!("../x")), "outside"),
            (file("path", json!(".git/config")), ".git"),
            (file("backup", json!("/etc/passwd")), "absolute"),
            (file("backup", json!("x/../../../y")), "outside"),
            (file("before_len", json!(3)), "outside of its text"),
            (file("before_len", json!(usize::MAX)), "beyond all memory"),
            (file("after_len", json!(13)), "12 bytes, and 13 are told"),
            (file("splice_count", json!(3)), "2 splices, and 3 are told"),
            (file("mode_after", json!(0o100_644)), "no permissions"),
            (file("before", json!(null)), "does not go with"),
            (file("change", json!("rename")), "does not go with"),
            (row(json!([6, 1, 3, 0, "exact"])), "begins before"),
            (row(json!([1, 9_000_000_000_000_000_000_u64, 3, 0, "exact"])), "outside of its text"),
            (row(json!([1, 1, 18_446_744_073_709_551_615_u64, 0, "exact"])), "beyond all memory"),
            (row(json!([-1, 1, 3, 0, "exact"])), "invalid"),
            (row(json!([1, 1, 3, 0, "guess"])), "no such strategy"),
            (told(|json| made(json, "create", "before")), "not there has a length"),
            (told(|json| made(json, "delete", "after")), "not there has a length"),
            (told(|json| unlisted(json, "modify", 10)), "10 bytes, and 0 are told"),
        ] {
            assert!(told.contains(want), "{told}, and not {want}");
        }
    }

    /// The file was made or removed, and still has both lengths.
    fn made(json: &mut Value, change: &str, absent: &str) {
        json["files"][0]["change"] = json!(change);
        json["files"][0][absent] = json!(null);
    }

    /// No splice is listed, and nothing is left of the text.
    fn unlisted(json: &mut Value, change: &str, before_len: usize) {
        let file = &mut json["files"][0];
        (file["change"], file["before_len"], file["after_len"]) = (json!(change), json!(before_len), json!(0));
        (file["splices"], file["splice_count"]) = (json!([]), json!(0));
    }

    #[test]
    fn a_removed_file_has_its_text_as_a_splice_or_among_the_backups_only() {
        let removed = |change: &dyn Fn(&mut Value)| {
            let mut json: Value = serde_json::from_slice(&record(3, "a/b.rs").encode()).expect("JSON");
            unlisted(&mut json, "delete", 10);
            json["files"][0]["after"] = json!(null);
            change(&mut json["files"][0]);
            let record = Record::decode(json.to_string().as_bytes()).expect("a record");
            assert_eq!(Record::decode(&record.encode()).expect("its own JSON"), record);
            let splices = &record.files[0].splices;
            (splices.before_len(), splices.after_len(), splices.ranges().len())
        };
        assert_eq!(removed(&|_| ()), (10, 0, 0), "it was too large to be listed");
        let listed = |file: &mut Value| {
            (file["splices"], file["splice_count"]) = (json!([[0, 10, 0, 0, "exact"]]), json!(1));
        };
        assert_eq!(removed(&listed), (10, 0, 1));
    }

    #[test]
    fn every_permission_bit_may_be_set() {
        let told = told(|json| json["files"][0]["mode_after"] = json!(0o7777));
        assert!(told.starts_with("taken: "), "{told}");
    }
}
