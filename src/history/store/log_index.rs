//! The log index of a chain: what `log` needs of every record, in one file that is read from its end.
//!
//! Owns that file's format. It is derived from the chain's commits and may be thrown away at any time. Every entry names its
//! commit and that commit's parent, so that a reader sees where the index lags behind, has a hole or is of another chain.
//! Invariant: an entry is its record without splices, answer and the like; what is damaged is as if it were not there.
//!
//! An entry: length of the payload (4 bytes, little endian), CRC-32 of the payload (4), payload, length again (4). The
//! payload begins with the commit (20), its parent (20, zeros for none), the record id (16), the class (1), then the rest in
//! order of declaration.

use crate::change::{ChangeKind, PathState};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordFile, SpliceList, TextsKept};
use crate::record::{RecordClass, RecordMeta};
use crate::request::RecordKind;
use crate::text::Encoding;
use bstr::ByteSlice;
use memchr::memmem::Finder;

/// In front of all entries.
pub(crate) const HEAD: &[u8; 16] = b"redraft index 1\n";

/// Beside what is kept of a file: that the name of its encoding stands at its end.
const HAS_ENCODING: usize = 8;

/// In place of a length: there is no text.
const NOTHING: u8 = 0;

/// Commit, parent, id and class.
const SHORTEST: usize = 57;

/// A record as the index has it, with the commit that it is sealed in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) commit: CommitId,
    pub(crate) parent: Option<CommitId>,
    /// Without splices.
    pub(crate) record: Record,
}

/// One entry, not decoded yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raw<'a>(&'a [u8]);

impl Raw<'_> {
    pub(crate) fn commit(&self) -> CommitId {
        CommitId::from_bytes(self.0[..20].try_into().expect("checked when it was read"))
    }

    /// The commit that it is built on; none for the first of a chain.
    pub(crate) fn parent(&self) -> Option<CommitId> {
        let parent = CommitId::from_bytes(self.0[20..40].try_into().expect("checked when it was read"));
        (parent != CommitId::NONE).then_some(parent)
    }

    pub(crate) fn class(&self) -> Option<RecordClass> {
        class_of(self.0[SHORTEST - 1])
    }

    /// Whether the bytes of a text occur anywhere in the entry: `false` rules a path or a name out.
    pub(crate) fn may_have(&self, text: &Finder<'_>) -> bool {
        text.find(self.0).is_some()
    }

    /// Whether a file may have this path, and be given another name or have been given this one: `false` rules it out. Behind the path of a file
    /// stands the length of the name before, or nothing; behind a name before, what was done.
    pub(crate) fn may_rename(&self, path: &Finder<'_>) -> bool {
        let length = path.needle().len();
        path.find_iter(self.0).any(|at| self.0.get(at + length) != Some(&NOTHING))
    }

    /// The whole entry; `None` where it is not one of this version.
    pub(crate) fn decode(&self) -> Option<Entry> {
        let commit = self.commit();
        let record = decode(&self.0[40..]).filter(|record| record.check().is_ok())?;
        Some(Entry { commit, parent: self.parent(), record })
    }
}

/// The entries of an index from the newest to the oldest.
pub(crate) struct Backwards<'a> {
    bytes: &'a [u8],
}

/// The number of bytes of an index up to the first that are damaged.
pub(crate) fn good_length(bytes: &[u8]) -> usize {
    if !bytes.starts_with(HEAD) {
        return 0;
    }
    let mut at = HEAD.len();
    while let Some(next) = entry_end(bytes, at) {
        at = next;
    }
    at
}

/// The oldest entry of an index that begins so.
pub(crate) fn oldest(bytes: &[u8]) -> Option<Raw<'_>> {
    let end = entry_end(bytes, HEAD.len()).filter(|_| bytes.starts_with(HEAD))?;
    Some(Raw(&bytes[HEAD.len() + 8..end - 4]))
}

fn entry_end(bytes: &[u8], at: usize) -> Option<usize> {
    let length = u32_at(bytes, at)? as usize;
    let end = at.checked_add(length)?.checked_add(12)?;
    let payload = bytes.get(at + 8..end - 4)?;
    let sum = u32_at(bytes, at + 4)?;
    let again = u32_at(bytes, end - 4)? as usize;
    (length >= SHORTEST && again == length && sum == crc32fast::hash(payload)).then_some(end)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The entries of a whole index, or of the last part of one, newest first.
pub(crate) fn backwards(bytes: &[u8]) -> Backwards<'_> {
    Backwards { bytes }
}

impl Backwards<'_> {
    /// The number of bytes that are not read yet.
    pub(crate) fn rest_len(&self) -> usize {
        self.bytes.len()
    }
}

impl<'a> Iterator for Backwards<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        let end = self.bytes.len();
        let length = u32_at(self.bytes, end.checked_sub(4)?)? as usize;
        let start = end.checked_sub(length.checked_add(12)?)?;
        if entry_end(self.bytes, start) != Some(end) {
            return None;
        }
        let payload = &self.bytes[start + 8..end - 4];
        self.bytes = &self.bytes[..start];
        Some(Raw(payload))
    }
}

/// Whether the last part of an index ends in entries that lead to `tip`, one to the next.
pub(crate) fn ends_at(bytes: &[u8], tip: Option<CommitId>) -> bool {
    let mut next = tip;
    let mut entries = backwards(bytes).peekable();
    let has_some = entries.peek().is_some();
    has_some
        && entries.all(|raw| {
            let follows = next == Some(raw.commit());
            next = raw.parent();
            follows
        })
}

/// Whether an index is whole and leads from a chain's first commit to `tip`.
pub(crate) fn is_whole(bytes: &[u8], tip: Option<CommitId>) -> bool {
    let mut next = tip;
    let mut entries = backwards(bytes);
    for raw in entries.by_ref() {
        if next != Some(raw.commit()) {
            return false;
        }
        next = raw.parent();
    }
    next.is_none() && (entries.bytes == HEAD || (tip.is_none() && bytes.is_empty()))
}

/// The bytes of an entry.
pub(crate) fn encode(commit: CommitId, parent: Option<CommitId>, record: &Record) -> Vec<u8> {
    let mut out = vec![0; 8];
    out.extend_from_slice(commit.as_bytes());
    out.extend_from_slice(parent.unwrap_or(CommitId::NONE).as_bytes());
    out.extend_from_slice(record.id.as_str().as_bytes());
    out.push(class_byte(record.kind));
    out.extend_from_slice(&record.time_ms.to_le_bytes());
    let meta = &record.meta;
    let id = |id: Option<CommitId>| id.map(|id| id.to_string());
    for text in [
        &meta.message,
        &meta.agent,
        &meta.model,
        &meta.session,
        &meta.call_id,
        &id(meta.base),
        &meta.dialect,
        &id(meta.commit),
        &id(meta.stash),
        &meta.request_id,
        &meta.request_hash.map(|id| id.to_string()),
        &Some(meta.record.as_str().to_owned()),
        &targets_text(record),
    ] {
        put_text(&mut out, text.as_deref().map(str::as_bytes));
    }
    put_number(&mut out, meta.undoes.len());
    meta.undoes.iter().for_each(|id| out.extend_from_slice(id.as_str().as_bytes()));
    put_number(&mut out, record.files.len());
    record.files.iter().for_each(|file| put_file(&mut out, file));
    // Only where there is any: what was written before there were any of them reads as it did.
    if meta.observed.is_some() || meta.turn.is_some() || meta.subagent.is_some() || meta.branch.is_some() {
        let observed = meta.observed.as_ref().map(|observed| serde_json::to_vec(observed).expect("texts are JSON"));
        put_text(&mut out, observed.as_deref());
        put_text(&mut out, meta.turn.as_deref().map(str::as_bytes));
        put_text(&mut out, meta.subagent.as_deref().map(str::as_bytes));
    }
    if meta.branch.is_some() {
        put_text(&mut out, meta.branch.as_deref().map(str::as_bytes));
    }
    let length = (out.len() - 8) as u32;
    let sum = crc32fast::hash(&out[8..]);
    out[..4].copy_from_slice(&length.to_le_bytes());
    out[4..8].copy_from_slice(&sum.to_le_bytes());
    out.extend_from_slice(&length.to_le_bytes());
    out
}

fn targets_text(record: &Record) -> Option<String> {
    let targets = &record.meta.targets;
    (!targets.is_empty()).then(|| serde_json::to_string(targets).expect("numbers and ids are JSON"))
}

fn put_file(out: &mut Vec<u8>, file: &RecordFile) {
    put_text(out, Some(file.path.as_bstr().as_bytes()));
    put_text(out, file.from.as_ref().map(|from| from.as_bstr().as_bytes()));
    out.push(match file.change {
        ChangeKind::Modify => 0,
        ChangeKind::Create => 1,
        ChangeKind::Delete => 2,
        ChangeKind::Rename => 3,
    });
    for id in [&file.before, &file.after] {
        put_text(out, id.as_ref().map(|id| &id.as_bytes()[..]));
    }
    let number = |n: Option<usize>| n.map_or(0, |n| n + 1);
    for value in [
        file.splices.before_len(),
        file.splices.after_len(),
        number(file.mode_before.map(|mode| mode as usize)),
        number(file.mode_after.map(|mode| mode as usize)),
        number(file.lines.map(|lines| lines.0)),
        number(file.lines.map(|lines| lines.1)),
        number(file.state.map(|state| state as usize)),
        file.kept as usize | if file.encoding.is_some() { HAS_ENCODING } else { 0 },
        file.splices.count(),
    ] {
        put_number(out, value);
    }
    put_text(out, file.backup.as_ref().map(|path| path.as_bstr().as_bytes()));
    if let Some(encoding) = file.encoding {
        put_text(out, Some(encoding.name().as_bytes()));
    }
}

/// 7 bits a byte, the least significant first.
fn put_number(out: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        out.push(0x80 | (number & 0x7f) as u8);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Length and one, 0 for none; then the bytes.
fn put_text(out: &mut Vec<u8>, text: Option<&[u8]>) {
    put_number(out, text.map_or(0, |text| text.len() + 1));
    out.extend_from_slice(text.unwrap_or_default());
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (mine, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(mine)
    }

    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0_usize, 0);
        loop {
            let byte = self.take(1)?[0];
            let bits = usize::from(byte & 0x7f);
            number |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn bytes(&mut self) -> Option<Option<&'a [u8]>> {
        match self.number()?.checked_sub(1) {
            None => Some(None),
            Some(length) => self.take(length).map(Some),
        }
    }

    fn text(&mut self) -> Option<Option<String>> {
        self.bytes().map(|bytes| bytes.map(|bytes| bytes.to_str_lossy().into_owned()))
    }

    /// A git id as its digits; the outer `None` where it is none.
    fn id_text<I: std::str::FromStr>(&mut self) -> Option<Option<I>> {
        self.text()?.map(|id| id.parse()).transpose().ok()
    }

    fn id(&mut self) -> Option<RecordId> {
        RecordId::parse(self.take(RecordId::LEN)?.to_str().ok()?)
    }

    fn blob(&mut self) -> Option<Option<BlobId>> {
        match self.bytes()? {
            None => Some(None),
            Some(bytes) => Some(Some(BlobId::from_bytes(bytes.try_into().ok()?))),
        }
    }

    fn mode(&mut self) -> Option<Option<u32>> {
        match self.option()? {
            None => Some(None),
            Some(mode) => u32::try_from(mode).ok().map(Some),
        }
    }

    fn option(&mut self) -> Option<Option<usize>> {
        self.number().map(|n| n.checked_sub(1))
    }
}

fn decode(bytes: &[u8]) -> Option<Record> {
    let mut reader = Reader(bytes);
    let id = reader.id()?;
    let kind = class_of(reader.take(1)?[0])?;
    let time_ms = i64::from_le_bytes(reader.take(8)?.try_into().ok()?);
    let mut meta = RecordMeta {
        message: reader.text()?,
        agent: reader.text()?,
        model: reader.text()?,
        session: reader.text()?,
        call_id: reader.text()?,
        base: reader.id_text()?,
        dialect: reader.text()?,
        commit: reader.id_text()?,
        stash: reader.id_text()?,
        request_id: reader.text()?,
        ..RecordMeta::default()
    };
    meta.request_hash = reader.id_text()?;
    meta.record = RecordKind::from_name(&reader.text()??)?;
    if let Some(targets) = reader.text()? {
        meta.targets = serde_json::from_str(&targets).ok()?;
    }
    let undoes = reader.number()?;
    meta.undoes = (0..undoes).map(|_| reader.id()).collect::<Option<_>>()?;
    let count = reader.number()?;
    let files = (0..count).map(|_| file(&mut reader)).collect::<Option<_>>()?;
    if !reader.0.is_empty() {
        meta.observed = reader.bytes()?.map(serde_json::from_slice).transpose().ok()?;
        (meta.turn, meta.subagent) = (reader.text()?, reader.text()?);
    }
    if !reader.0.is_empty() {
        meta.branch = reader.text()?;
    }
    let record = Record { version: crate::record::VERSION, id, kind, time_ms, meta, files };
    reader.0.is_empty().then_some(record)
}

fn file(reader: &mut Reader<'_>) -> Option<RecordFile> {
    let path = RepoPath::new(reader.bytes()??).ok()?;
    let from = match reader.bytes()? {
        None => None,
        Some(from) => Some(RepoPath::new(from).ok()?),
    };
    let change = match reader.take(1)?[0] {
        0 => ChangeKind::Modify,
        1 => ChangeKind::Create,
        2 => ChangeKind::Delete,
        3 => ChangeKind::Rename,
        _ => return None,
    };
    let (before, after) = (reader.blob()?, reader.blob()?);
    let (before_len, after_len) = (reader.number()?, reader.number()?);
    let (mode_before, mode_after) = (reader.mode()?, reader.mode()?);
    let lines = reader.option()?.zip(reader.option()?);
    const STATES: [PathState; 5] =
        [PathState::Clean, PathState::Modified, PathState::Added, PathState::Untracked, PathState::Ignored];
    let state = match reader.option()? {
        None => None,
        Some(n) => Some(*STATES.get(n)?),
    };
    const KEPT: [TextsKept; 5] =
        [TextsKept::Stored, TextsKept::Ignored, TextsKept::Large, TextsKept::Lost, TextsKept::Purged];
    let kept = reader.number()?;
    let has_encoding = kept & HAS_ENCODING != 0;
    let kept = *KEPT.get(kept & !HAS_ENCODING)?;
    let splice_count = reader.number()?;
    let backup = match reader.bytes()? {
        None => None,
        Some(path) => Some(RepoPath::new(path).ok()?),
    };
    let encoding = if has_encoding { Some(Encoding::named(&reader.text()??)?) } else { None };
    Some(RecordFile {
        path,
        from,
        change,
        before,
        after,
        mode_before,
        mode_after,
        state,
        encoding,
        git_before: None,
        git_after: None,
        kept,
        backup,
        lines,
        splices: SpliceList::unlisted(before_len, after_len, splice_count).ok()?,
    })
}

fn class_byte(class: RecordClass) -> u8 {
    match class {
        RecordClass::Edit => 0,
        RecordClass::Undo => 1,
        RecordClass::Redo => 2,
        RecordClass::External => 3,
    }
}

fn class_of(byte: u8) -> Option<RecordClass> {
    [RecordClass::Edit, RecordClass::Undo, RecordClass::Redo, RecordClass::External].get(usize::from(byte)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::file_of_record::tests::record;
    use crate::record::{Observed, Target};

    fn commit(n: u8) -> CommitId {
        CommitId::from_bytes([n + 1; 20])
    }

    fn index(count: u8) -> (Vec<u8>, Vec<Record>) {
        let mut bytes = HEAD.to_vec();
        let mut records = Vec::new();
        for n in 0..count {
            let mut record = record(n, &format!("dir/file{n}.rs"));
            record.meta.undoes = vec![RecordId::from_random([9; 8])];
            record.meta.branch = (n % 2 == 0).then(|| format!("topic/{n}"));
            let targets = vec![vec![Target {
                id: RecordId::from_random([9; 8]),
                file: 0,
                splices: Some(vec![1]),
                is_cancelled: true,
                was_gone: true,
            }]];
            record.meta.targets = targets;
            bytes.extend(encode(commit(n), n.checked_sub(1).map(commit), &record));
            record.files[0].splices.clear();
            records.push(record);
        }
        (bytes, records)
    }

    #[test]
    fn an_index_is_read_from_its_end() {
        let (bytes, mut records) = index(5);
        records.reverse();
        assert_eq!(oldest(&bytes).and_then(|raw| raw.decode()).map(|entry| entry.record), records.last().cloned());
        assert!(oldest(&bytes[..bytes.len() / 9]).is_none() && oldest(&bytes[1..]).is_none());
        let read: Vec<Entry> = backwards(&bytes).map(|raw| raw.decode().expect("an entry")).collect();
        assert_eq!(read.iter().map(|e| e.record.clone()).collect::<Vec<_>>(), records);
        assert_eq!((read[0].commit, read[0].parent, read[4].parent), (commit(4), Some(commit(3)), None));
        let newest = backwards(&bytes).next().expect("an entry");
        assert!(newest.may_have(&Finder::new("file4")) && !newest.may_have(&Finder::new("file3")));
        assert_eq!((newest.class(), newest.commit()), (Some(RecordClass::Edit), commit(4)));
    }

    #[test]
    fn a_number_has_as_many_bytes_as_it_needs() {
        for (number, length) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (usize::MAX, 10)] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            assert_eq!((bytes.len(), Reader(&bytes).number()), (length, Some(number)), "{number}");
        }
    }

    #[test]
    fn an_index_is_whole_only_from_the_first_commit_to_the_tip() {
        let (bytes, _) = index(3);
        assert!(is_whole(&bytes, Some(commit(2))) && is_whole(b"", None) && is_whole(HEAD, None));
        assert!(!is_whole(b"x", None) && !is_whole(&bytes[1..], Some(commit(2))));
        assert!(!is_whole(&bytes, Some(commit(1))) && !is_whole(&bytes, None) && !is_whole(b"", Some(commit(2))));
        let first = entry_end(&bytes, HEAD.len()).expect("an entry");
        let holed = [HEAD, &bytes[first..]].concat();
        assert!(!is_whole(&holed, Some(commit(2))));
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 4;
            assert!(!is_whole(&flipped, Some(commit(2))), "{at}");
        }
    }

    #[test]
    fn a_torn_tail_is_as_if_it_were_not_there() {
        let (bytes, _) = index(3);
        let whole = backwards(&bytes).count();
        let mut last = good_length(&bytes);
        assert_eq!((whole, last), (3, bytes.len()));
        for end in (HEAD.len()..bytes.len()).rev() {
            let good = good_length(&bytes[..end]);
            assert!(good <= end && good <= last);
            last = good;
        }
    }

    #[test]
    fn each_field_of_a_later_version_is_read_where_the_others_are_lacking() {
        let named = |is_there: bool, name: &str| is_there.then(|| name.to_owned());
        for fields in 0..16 {
            let [observed, turn, subagent, branch] = [1, 2, 4, 8].map(|field| fields & field != 0);
            let mut written = record(1, "f");
            written.meta.observed =
                observed.then(|| Observed { tool: "sed".to_owned(), command: None, shared: Vec::new() });
            written.meta.turn = named(turn, "t1");
            written.meta.subagent = named(subagent, "reviewer");
            written.meta.branch = named(branch, "topic");
            let bytes = [HEAD, &encode(commit(0), None, &written)[..]].concat();
            let read = backwards(&bytes).next().expect("an entry").decode().expect("it is whole");
            assert_eq!(read.record.meta, written.meta, "{fields:04b}");
        }
    }
}
