//! The journal: an append-only list of intents and of what became of them.
//!
//! Owns the frames and their checksums. Does not know files of the working tree.
//! Invariants: an intent counts once its frame is whole and synced; a torn tail is as if it were not there; every frame
//! carries its own offset in its checksum, so that stale bytes never pass for a frame.
//!
//! A frame: magic (4 bytes), payload length (4, little endian), kind (1), zeros (3), CRC-32 of offset, kind and payload
//! (4), payload. An intent's payload: boot id (16), the intent. A mark's: boot id (16), record id (16), transactions
//! since the last checkpoint (4).

use super::error::TransactionError;
use super::intent::Intent;
use super::state::State;
use crate::id::RecordId;
use crate::state_dir::Durability;
use crate::worktree::dir::Dir;
use bstr::ByteSlice;
use std::fs::File;
use std::io;

const FILE_HEAD: &[u8; 16] = b"redraft journal\n";
const MAGIC: &[u8; 4] = b"rdj1";
const FRAME_HEAD: usize = 16;
const MARK_PAYLOAD: usize = 36;
const MARK_FRAME: usize = FRAME_HEAD + MARK_PAYLOAD;

/// Identifies one run of the operating system; the page cache lives as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BootId([u8; 16]);

impl BootId {
    /// This run's. Where the system does not tell, one that equals no other, not even itself of before.
    pub fn current() -> Self {
        let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let mut bytes = [0; 16];
        let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
        if digits.len() == 32 {
            for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
                *byte = (pair[0] * 16 + pair[1]) as u8;
            }
        }
        Self(bytes)
    }

    /// Whether both are known and the same.
    pub fn is_same(self, other: Self) -> bool {
        self == other && self.0 != [0; 16]
    }
}

/// What became of an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is said: it was interrupted, or its mark did not reach the disk.
    Open,
    /// All its files were exchanged.
    Applied,
    /// None of its files is.
    Aborted,
}

/// An intent in the journal.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What was to be done.
    pub intent: Intent,
    /// In which run of the system.
    pub boot: BootId,
    /// What became of it.
    pub outcome: Outcome,
}

/// All of the journal.
#[derive(Debug, Default)]
pub struct Contents {
    /// In order.
    pub entries: Vec<Entry>,
    /// Where the next frame goes; what stands behind is torn.
    pub end: u64,
}

/// What the end of the journal says, without reading all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// No transaction since the last checkpoint.
    Empty,
    /// The last one is finished; so many since the last checkpoint, in this run of the system.
    Settled(u32),
    /// Something is unfinished, or from another run of the system: read all and recover.
    Unsettled,
}

/// The journal, open for appending; only under the lock.
#[derive(Debug)]
pub struct Journal {
    file: File,
    end: u64,
    boot: BootId,
    count: u32,
    durability: Durability,
    /// A half frame stands at the end and could not be cut off: whatever came behind it would be unreadable.
    spoilt: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    Intent = 1,
    Applied = 2,
    Aborted = 3,
}

impl Journal {
    /// The name of the file in the state folder.
    pub const NAME: &'static str = "journal";

    /// Opens the journal of a state, made where it is missing. A new one is named durably before anything is written.
    ///
    /// # Errors
    /// Where it cannot be opened, or a new one not be written or synced.
    pub fn open(state: &State, durability: Durability) -> Result<Self, TransactionError> {
        let io = |verb| TransactionError::io(verb, "the journal");
        let file = state.dir.append(Self::NAME.as_bytes().as_bstr()).map_err(io("open"))?;
        let end = file.metadata().map_err(io("look at"))?.len();
        let mut journal = Self { file, end, boot: BootId::current(), count: 0, durability, spoilt: false };
        if end < FILE_HEAD.len() as u64 {
            // 1. The names first: the head says that they are durable.
            if durability == Durability::Full {
                state.place().sync_names().map_err(TransactionError::io("sync", "redraft's folder"))?;
            }
            // 2. Then the head; the sync of the first intent covers it.
            journal.file.set_len(0).map_err(io("empty"))?;
            journal.end = 0;
            journal.write(FILE_HEAD)?;
        }
        Ok(journal)
    }

    /// Looks at the end of the journal; a fixed amount of work.
    ///
    /// # Errors
    /// The system's.
    pub fn tail(&mut self) -> Result<Tail, TransactionError> {
        if self.end == FILE_HEAD.len() as u64 {
            return Ok(Tail::Empty);
        }
        let mut bytes = [0; MARK_FRAME];
        let Some(at) = self.end.checked_sub(MARK_FRAME as u64) else { return Ok(Tail::Unsettled) };
        read_exact_at(&self.file, &mut bytes, at).map_err(TransactionError::io("read", "the journal"))?;
        match frame_at(&bytes, at, 0) {
            Some((Frame::Applied | Frame::Aborted, payload, _)) if boot_of(payload).is_same(self.boot) => {
                self.count = count_of(payload);
                Ok(Tail::Settled(self.count))
            }
            _ => Ok(Tail::Unsettled),
        }
    }

    /// Reads everything.
    ///
    /// # Errors
    /// The system's.
    pub fn contents(&self) -> Result<Contents, TransactionError> {
        let mut bytes = vec![0; usize::try_from(self.end).unwrap_or(usize::MAX)];
        read_exact_at(&self.file, &mut bytes, 0).map_err(TransactionError::io("read", "the journal"))?;
        Ok(parse(&bytes))
    }

    /// The bytes in use.
    pub fn size(&self) -> u64 {
        self.end
    }

    /// This run of the system.
    pub fn boot(&self) -> BootId {
        self.boot
    }

    /// Writes an intent and syncs it: the commit point. After an error it is as if it had not been written.
    ///
    /// # Errors
    /// The system's.
    pub fn commit(&mut self, intent: &Intent) -> Result<(), TransactionError> {
        let start = self.end;
        let mut payload = self.boot.0.to_vec();
        payload.extend_from_slice(&intent.encode());
        let frame = frame(Frame::Intent, start, &payload);
        let done = self.write(&frame).and_then(|()| self.sync());
        if done.is_err() {
            self.cut(start);
        }
        done
    }

    /// Takes back what stands behind `start`: with a mark where the file cannot be cut.
    fn cut(&mut self, start: u64) {
        if self.file.set_len(start).is_ok() {
            self.end = start;
            let _ = self.file.sync_data();
        }
    }

    /// Says what became of the last intent.
    ///
    /// An abort is synced, as is the end of a verified transaction: recovery would take either for the other thing.
    ///
    /// # Errors
    /// The system's.
    pub fn mark(&mut self, intent: &Intent, outcome: Outcome) -> Result<(), TransactionError> {
        let kind = match outcome {
            Outcome::Applied => Frame::Applied,
            Outcome::Aborted | Outcome::Open => Frame::Aborted,
        };
        self.count += 1;
        let mut payload = Vec::with_capacity(MARK_PAYLOAD);
        payload.extend_from_slice(&self.boot.0);
        payload.extend_from_slice(intent.id.as_str().as_bytes());
        payload.extend_from_slice(&self.count.to_le_bytes());
        let frame = frame(kind, self.end, &payload);
        self.write(&frame)?;
        if kind == Frame::Aborted || intent.verify { self.sync() } else { Ok(()) }
    }

    /// Forgets a torn tail.
    ///
    /// # Errors
    /// The system's.
    pub fn cut_torn_tail(&mut self, end: u64) -> Result<(), TransactionError> {
        if end < self.end {
            let end = end.max(FILE_HEAD.len() as u64);
            self.file.set_len(end).map_err(TransactionError::io("shorten", "the journal"))?;
            self.end = end;
        }
        Ok(())
    }

    /// Empties the journal after a checkpoint, durably.
    ///
    /// # Errors
    /// The system's.
    pub fn clear(&mut self) -> Result<(), TransactionError> {
        let head = FILE_HEAD.len() as u64;
        self.file.set_len(head).map_err(TransactionError::io("shorten", "the journal"))?;
        self.end = head;
        self.count = 0;
        self.sync()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), TransactionError> {
        use std::io::Write;
        let start = self.end;
        if self.spoilt {
            return Err(TransactionError::io("write", "the journal")(io::Error::other("an earlier write failed")));
        }
        match (&self.file).write_all(bytes) {
            Ok(()) => {
                self.end += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A half frame is harmless, but the next one must not stand behind it.
                self.spoilt = self.file.set_len(start).is_err();
                Err(TransactionError::io("write", "the journal")(error))
            }
        }
    }

    fn sync(&self) -> Result<(), TransactionError> {
        match self.durability {
            Durability::Full => self.file.sync_data().map_err(TransactionError::io("sync", "the journal")),
            Durability::Fast => Ok(()),
        }
    }
}

/// Reads the journal of a state folder without the lock: what a reader may see. Missing is empty.
///
/// # Errors
/// The system's.
pub fn peek(state: &Dir) -> Result<Contents, TransactionError> {
    let name = Journal::NAME.as_bytes().as_bstr();
    if state.look(name).map_err(TransactionError::io("look at", "the journal"))?.is_none() {
        return Ok(Contents::default());
    }
    let mut bytes = Vec::new();
    let file = state.read(name).map_err(TransactionError::io("open", "the journal"))?;
    io::Read::read_to_end(&mut &file, &mut bytes).map_err(TransactionError::io("read", "the journal"))?;
    Ok(parse(&bytes))
}

fn parse(bytes: &[u8]) -> Contents {
    let mut contents = Contents { entries: Vec::new(), end: FILE_HEAD.len() as u64 };
    if !bytes.starts_with(FILE_HEAD) {
        contents.end = 0;
        return contents;
    }
    let mut at = FILE_HEAD.len();
    while let Some(found) = next_frame(bytes, at) {
        let (kind, payload, end) = found;
        match kind {
            Frame::Intent => match payload.get(16..).map(Intent::decode) {
                Some(Ok(intent)) => {
                    contents.entries.push(Entry { intent, boot: boot_of(payload), outcome: Outcome::Open });
                }
                _ => break,
            },
            Frame::Applied | Frame::Aborted => {
                let id = payload.get(16..32).and_then(|id| std::str::from_utf8(id).ok()).and_then(RecordId::parse);
                let last = contents.entries.last_mut().filter(|entry| Some(&entry.intent.id) == id.as_ref());
                if let Some(entry) = last {
                    entry.outcome = if kind == Frame::Applied { Outcome::Applied } else { Outcome::Aborted };
                }
            }
        }
        at = end;
        contents.end = at as u64;
    }
    contents
}

/// The frame at `from`, or, where that one is damaged (a bad sector), the next whole one behind it: kind, payload, end.
fn next_frame(bytes: &[u8], from: usize) -> Option<(Frame, &[u8], usize)> {
    let at_offset = |at: usize| {
        let (kind, payload, length) = frame_at(&bytes[at..], at as u64, 0)?;
        Some((kind, payload, at + length))
    };
    at_offset(from).or_else(|| {
        let behind = bytes.get(from + 1..)?;
        memchr::memmem::find_iter(behind, MAGIC).find_map(|at| at_offset(from + 1 + at))
    })
}

fn frame(kind: Frame, offset: u64, payload: &[u8]) -> Vec<u8> {
    let length =
        u32::try_from(payload.len()).expect("requests are limited to 64 MiB, their intents to a few times that");
    let mut out = Vec::with_capacity(FRAME_HEAD + payload.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&[kind as u8, 0, 0, 0]);
    out.extend_from_slice(&checksum(kind, offset, payload).to_le_bytes());
    out.extend_from_slice(payload);
    out
}

/// The frame at `from` of `bytes`, which begin at `offset` of the file: kind, payload, whole length.
fn frame_at(bytes: &[u8], offset: u64, from: usize) -> Option<(Frame, &[u8], usize)> {
    let head = bytes.get(from..from + FRAME_HEAD)?;
    let length = u32::from_le_bytes(head[4..8].try_into().ok()?) as usize;
    let kind = match head[8..12] {
        [1, 0, 0, 0] => Frame::Intent,
        [2, 0, 0, 0] => Frame::Applied,
        [3, 0, 0, 0] => Frame::Aborted,
        _ => return None,
    };
    let payload = bytes.get(from + FRAME_HEAD..(from + FRAME_HEAD).checked_add(length)?)?;
    let sum = u32::from_le_bytes(head[12..16].try_into().ok()?);
    let good = head.starts_with(MAGIC) && payload.len() >= 16 && sum == checksum(kind, offset, payload);
    good.then_some((kind, payload, FRAME_HEAD + length))
}

fn checksum(kind: Frame, offset: u64, payload: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&offset.to_le_bytes());
    sum.update(&[kind as u8]);
    sum.update(payload);
    sum.finalize()
}

fn boot_of(payload: &[u8]) -> BootId {
    BootId(payload.first_chunk::<16>().copied().unwrap_or_default())
}

fn count_of(payload: &[u8]) -> u32 {
    payload.get(32..36).and_then(|bytes| bytes.try_into().ok()).map_or(u32::MAX, u32::from_le_bytes)
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = file;
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{RecordClass, RecordMeta};

    fn intent(n: u8) -> Intent {
        Intent {
            id: RecordId::from_random([n; 8]),
            time_ms: 0,
            class: RecordClass::Edit,
            meta: RecordMeta::default(),
            files: Vec::new(),
            made_dirs: Vec::new(),
            verify: false,
        }
    }

    fn place(folder: &std::path::Path) -> crate::state_dir::StateDir {
        crate::state_dir::StateDir::new(folder, "main")
    }

    fn open(folder: &std::path::Path) -> Journal {
        let state = State::open(&place(folder)).expect("opens");
        Journal::open(&state, Durability::Fast).expect("opens")
    }

    #[test]
    fn the_tail_tells_whether_the_last_transaction_is_finished() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        assert_eq!(journal.tail().expect("reads"), Tail::Empty);
        journal.commit(&intent(1)).expect("writes");
        assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Unsettled);
        journal.mark(&intent(1), Outcome::Applied).expect("writes");
        assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Settled(1));
    }

    #[test]
    fn a_journal_cut_anywhere_keeps_the_whole_entries_before_the_cut() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        for n in 0..3 {
            journal.commit(&intent(n)).expect("writes");
            journal.mark(&intent(n), if n == 1 { Outcome::Aborted } else { Outcome::Applied }).expect("writes");
        }
        let bytes = std::fs::read(place(folder.path()).path().join(Journal::NAME)).expect("reads");
        let outcomes = |contents: &Contents| contents.entries.iter().map(|e| e.outcome).collect::<Vec<_>>();
        assert_eq!(outcomes(&parse(&bytes)), [Outcome::Applied, Outcome::Aborted, Outcome::Applied]);
        for end in 0..bytes.len() {
            let mut torn = bytes[..end].to_vec();
            let cut = parse(&torn);
            torn.resize(bytes.len(), 0);
            let nuls = parse(&torn);
            // A frame that ends in zeros is whole again when zeros stand for its end.
            assert!(outcomes(&cut) == outcomes(&nuls) || torn == bytes || bytes[end] == 0, "{end}");
            assert!(cut.entries.len() <= 3 && cut.end <= end as u64, "{end}");
        }
    }

    #[test]
    fn a_damaged_entry_does_not_hide_the_ones_behind_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        let mut starts = Vec::new();
        for n in 0..3 {
            starts.push(journal.size() as usize);
            journal.commit(&intent(n)).expect("writes");
            journal.mark(&intent(n), Outcome::Applied).expect("writes");
        }
        let mut bytes = std::fs::read(place(folder.path()).path().join(Journal::NAME)).expect("reads");
        bytes[starts[1] + 40] ^= 1;
        let contents = parse(&bytes);
        let ids: Vec<_> = contents.entries.iter().map(|entry| entry.intent.id.clone()).collect();
        assert_eq!(ids, [intent(0).id, intent(2).id]);
        assert_eq!(contents.end, bytes.len() as u64);
    }

    #[test]
    fn a_frame_at_another_offset_is_no_frame() {
        let whole = frame(Frame::Applied, 16, &[0; MARK_PAYLOAD]);
        assert!(frame_at(&whole, 16, 0).is_some());
        assert!(frame_at(&whole, 17, 0).is_none());
    }
}
