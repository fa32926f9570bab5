//! The journal: an append-only list of intents and of what became of them.
//!
//! Owns the file. What its bytes say is `journal_bytes.rs`'s. Does not know files of the working tree.
//! Invariants: an intent counts once its frame is whole and synced; a torn tail is as if it were not there; no byte of a
//! damaged journal is ever thrown away.

use super::error::TransactionError;
use super::intent::Intent;
use super::journal_bytes::{
    BootId, Contents, FILE_HEAD, Frame, MARK_FRAME, MARK_PAYLOAD, Outcome, boot_of, count_of, frame, frame_at, parse,
};
use super::state::State;
use crate::state_dir::Durability;
use crate::worktree::dir::Dir;
use bstr::ByteSlice;
use std::fs::File;
use std::io;

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
    /// Where the end of the journal cannot be read.
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
    /// Where the journal cannot be read; damage is no error.
    pub fn contents(&self) -> Result<Contents, TransactionError> {
        Ok(parse(&self.bytes()?))
    }

    /// As [`Self::contents`], where these bytes are somewhere in it; else nothing.
    ///
    /// # Errors
    /// As there.
    pub fn contents_mentioning(&self, words: &[u8]) -> Result<Contents, TransactionError> {
        Ok(parse_mentioning(&self.bytes()?, words))
    }

    fn bytes(&self) -> Result<Vec<u8>, TransactionError> {
        let mut bytes = vec![0; usize::try_from(self.end).unwrap_or(usize::MAX)];
        read_exact_at(&self.file, &mut bytes, 0).map_err(TransactionError::io("read", "the journal"))?;
        Ok(bytes)
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
    /// Where it cannot be written or synced: a full disk, a failing one.
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
    /// Where it cannot be written or synced.
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
    /// Where the journal cannot be shortened.
    pub fn cut_torn_tail(&mut self, end: u64) -> Result<(), TransactionError> {
        if end < self.end {
            let end = end.max(FILE_HEAD.len() as u64);
            self.file.set_len(end).map_err(TransactionError::io("shorten", "the journal"))?;
            self.end = end;
        }
        Ok(())
    }

    /// Puts a damaged journal aside, under a name that nothing else has, and begins a new one; gives the name.
    ///
    /// # Errors
    /// Where it cannot be renamed, or the new one not be made.
    pub fn put_aside(&mut self, state: &State, now_ms: i64) -> Result<String, TransactionError> {
        let name = format!("{}.damaged-{now_ms}", Self::NAME);
        let io = |verb| TransactionError::io(verb, "the damaged journal");
        let old = Self::NAME.as_bytes().as_bstr();
        state.dir.rename_new(old, &state.dir, name.as_bytes().as_bstr()).map_err(io("put aside"))?;
        *self = Self::open(state, self.durability)?;
        self.sync()?;
        Ok(name)
    }

    /// Copies the journal aside as it is; gives the name.
    ///
    /// # Errors
    /// Where it cannot be read, or the copy not be written.
    pub fn copy_aside(&self, state: &State) -> Result<String, TransactionError> {
        let bytes = self.bytes()?;
        let name = format!("{}.damaged-{:08x}", Self::NAME, crc32fast::hash(&bytes));
        let written = crate::state_dir::write(&state.path().join(&name), &bytes, self.durability);
        written.map_err(TransactionError::io("put aside", "the damaged journal"))?;
        Ok(name)
    }

    /// Empties the journal after a checkpoint, durably.
    ///
    /// # Errors
    /// Where it cannot be shortened or synced.
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
/// Where the journal is there and cannot be read; damage is no error.
pub fn peek(state: &Dir) -> Result<Contents, TransactionError> {
    Ok(parse(&peek_bytes(state)?))
}

/// As [`peek`], of a journal that has these bytes somewhere in it; nothing of one that has not. Looking for bytes takes a hundredth of
/// the time of reading entries.
///
/// # Errors
/// As [`peek`].
pub fn peek_mentioning(state: &Dir, words: &[u8]) -> Result<Contents, TransactionError> {
    Ok(parse_mentioning(&peek_bytes(state)?, words))
}

fn parse_mentioning(bytes: &[u8], words: &[u8]) -> Contents {
    if memchr::memmem::find(bytes, words).is_some() { parse(bytes) } else { Contents::default() }
}

fn peek_bytes(state: &Dir) -> Result<Vec<u8>, TransactionError> {
    let name = Journal::NAME.as_bytes().as_bstr();
    let mut bytes = Vec::new();
    if state.look(name).map_err(TransactionError::io("look at", "the journal"))?.is_some() {
        let file = state.read(name).map_err(TransactionError::io("open", "the journal"))?;
        io::Read::read_to_end(&mut &file, &mut bytes).map_err(TransactionError::io("read", "the journal"))?;
    }
    Ok(bytes)
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
    use crate::change::ChangeKind;
    use crate::id::BlobId;
    use crate::id::RecordId;
    use crate::path::RepoPath;
    use crate::record::{RecordClass, RecordMeta};
    use crate::transaction::IntentFile;
    use crate::transaction::journal_bytes::FRAME_HEAD;

    fn intent(n: u8) -> Intent {
        let file = IntentFile {
            path: RepoPath::new(b"a.txt").expect("a path"),
            from: None,
            change: ChangeKind::Create,
            before: None,
            after: Some(BlobId::from_bytes([1; 20])),
            before_len: 0,
            mode_before: None,
            mode_after: Some(0o644),
            state: None,
            encoding: None,
            splices: Vec::new(),
            backup: None,
            stage: None,
        };
        Intent {
            id: RecordId::from_random([n; 8]),
            time_ms: 0,
            class: RecordClass::Edit,
            meta: RecordMeta::default(),
            files: vec![file],
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
        let damage: Vec<_> = contents.damage.iter().map(|damage| damage.record.clone()).collect();
        assert_eq!(damage, [Some(intent(1).id)], "the mark behind it tells whose it was");
    }

    #[test]
    fn a_flipped_bit_costs_one_entry_at_most_and_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        for n in 0..3 {
            journal.commit(&intent(n)).expect("writes");
            journal.mark(&intent(n), Outcome::Applied).expect("writes");
        }
        let bytes = std::fs::read(place(folder.path()).journal()).expect("reads");
        assert_eq!(parse(&bytes).damage, []);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                let contents = parse(&flipped);
                let applied = contents.entries.iter().filter(|entry| entry.outcome == Outcome::Applied).count();
                assert!(applied >= 2, "{at}.{bit}: {:?}", contents.damage);
                // Of the last mark, all may look as if it had never been whole.
                let is_told = !contents.damage.is_empty() || at >= bytes.len() - MARK_FRAME;
                assert!(is_told, "{at}.{bit}");
            }
        }
    }

    #[test]
    fn a_damaged_journal_is_put_aside_whole_and_a_new_one_begins() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = State::open(&place(folder.path())).expect("opens");
        let mut journal = Journal::open(&state, Durability::Fast).expect("opens");
        journal.commit(&intent(1)).expect("writes");
        let bytes = std::fs::read(place(folder.path()).journal()).expect("reads");
        let name = journal.put_aside(&state, 7).expect("renamed");
        assert_eq!((&name[..], journal.tail().expect("reads")), ("journal.damaged-7", Tail::Empty));
        assert_eq!(std::fs::read(state.path().join(name)).expect("kept"), bytes);
        journal.commit(&intent(2)).expect("writes");
        assert_eq!(journal.contents().expect("reads").entries.len(), 1);
    }

    #[test]
    fn the_tail_counts_since_the_last_checkpoint() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        for n in 1..=2 {
            journal.commit(&intent(n)).expect("writes");
            assert_eq!(journal.tail().expect("reads"), Tail::Unsettled);
            journal.mark(&intent(n), Outcome::Applied).expect("writes");
            assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Settled(n.into()));
        }
        journal.clear().expect("shortened");
        assert_eq!((journal.tail().expect("reads"), journal.size()), (Tail::Empty, FILE_HEAD.len() as u64));
        assert_eq!(std::fs::read(place(folder.path()).journal()).expect("reads"), FILE_HEAD);
        journal.commit(&intent(3)).expect("writes");
        journal.mark(&intent(3), Outcome::Aborted).expect("writes");
        assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Settled(1));
    }

    #[test]
    fn what_another_run_of_the_system_finished_is_looked_at_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        journal.commit(&intent(1)).expect("writes");
        journal.boot = BootId([9; 16]);
        journal.mark(&intent(1), Outcome::Applied).expect("writes");
        assert_eq!(journal.tail().expect("reads"), Tail::Settled(1));
        assert_eq!(open(folder.path()).tail().expect("reads"), Tail::Unsettled);
    }

    #[test]
    fn what_could_not_be_synced_is_as_if_it_had_not_been_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        journal.commit(&intent(1)).expect("writes");
        journal.mark(&intent(1), Outcome::Applied).expect("writes");
        let bytes = std::fs::read(place(folder.path()).journal()).expect("reads");
        journal.commit(&intent(2)).expect("writes");
        journal.cut(bytes.len() as u64);
        assert_eq!((journal.tail().expect("reads"), journal.size()), (Tail::Settled(1), bytes.len() as u64));
        assert_eq!(std::fs::read(place(folder.path()).journal()).expect("reads"), bytes);
    }

    #[test]
    fn a_torn_tail_is_cut_and_the_next_entry_stands_in_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        journal.commit(&intent(1)).expect("writes");
        journal.mark(&intent(1), Outcome::Applied).expect("writes");
        let whole = journal.size();
        journal.write(b"rdj1 and half an entry").expect("writes");
        let contents = journal.contents().expect("reads");
        assert_eq!((contents.end, contents.torn), (whole, 22));
        journal.cut_torn_tail(contents.end).expect("shortened");
        assert_eq!((journal.size(), journal.tail().expect("reads")), (whole, Tail::Settled(1)));
        journal.commit(&intent(2)).expect("writes");
        assert_eq!(open(folder.path()).contents().expect("reads").entries.len(), 2);
        journal.cut_torn_tail(0).expect("shortened");
        assert_eq!((journal.size(), journal.tail().expect("reads")), (FILE_HEAD.len() as u64, Tail::Empty));
    }

    #[test]
    fn a_copy_aside_is_the_journal_as_it_is_and_the_journal_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = State::open(&place(folder.path())).expect("opens");
        let mut journal = Journal::open(&state, Durability::Fast).expect("opens");
        journal.commit(&intent(1)).expect("writes");
        let name = journal.copy_aside(&state).expect("written");
        let bytes = std::fs::read(state.path().join(Journal::NAME)).expect("reads");
        assert_eq!(name, format!("journal.damaged-{:08x}", crc32fast::hash(&bytes)));
        assert_eq!(std::fs::read(state.path().join(name)).expect("kept"), bytes);
        assert_eq!(journal.contents().expect("reads").entries.len(), 1);
    }

    #[test]
    fn a_reader_sees_what_is_there_and_makes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = State::open(&place(folder.path())).expect("opens");
        assert_eq!(peek(state.dir()).expect("nothing").entries.len(), 0);
        assert!(!place(folder.path()).journal().exists());
        let mut journal = Journal::open(&state, Durability::Fast).expect("opens");
        journal.commit(&intent(1)).expect("writes");
        assert_eq!(peek(state.dir()).expect("reads").entries[0].intent, intent(1));
    }

    #[test]
    fn a_last_entry_that_was_whole_is_told_and_one_that_was_cut_off_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = open(folder.path());
        journal.commit(&intent(1)).expect("writes");
        journal.mark(&intent(1), Outcome::Applied).expect("writes");
        let start = journal.size() as usize;
        journal.commit(&intent(2)).expect("writes");
        let bytes = std::fs::read(place(folder.path()).journal()).expect("reads");
        let told = |bytes: &[u8]| {
            let contents = parse(bytes);
            (
                contents.damage.iter().map(|damage| (damage.bytes.start, damage.bytes.end)).collect::<Vec<_>>(),
                contents.torn,
            )
        };
        assert_eq!(told(&bytes), (vec![], 0));
        let mut flipped = bytes.clone();
        flipped[start + FRAME_HEAD + 20] ^= 1;
        assert_eq!(told(&flipped), (vec![(start, bytes.len())], 0), "it is as long as it says");
        for torn in start + 1..bytes.len() {
            assert_eq!(told(&bytes[..torn]), (vec![], (torn - start) as u64), "{torn}: it ends too early");
            let zeros = [&bytes[..torn], &vec![0; bytes.len() - torn][..]].concat();
            assert!(told(&zeros).0.is_empty(), "{torn}: it ends in zeros");
        }
        let mark = [&bytes[..start], &[0xff; MARK_FRAME]].concat();
        assert_eq!(told(&mark), (vec![(start, mark.len())], 0), "a mark that was overwritten");
        for length in [1, FRAME_HEAD, MARK_FRAME - 1, MARK_FRAME + 1] {
            let other = [&bytes[..start], &vec![0xff; length][..]].concat();
            assert_eq!(told(&other), (vec![], length as u64), "{length}: no entry ever had this length");
        }
        let no_head = [&bytes[..start], &[0; FRAME_HEAD], &[0xff; MARK_PAYLOAD]].concat();
        assert_eq!(told(&no_head), (vec![], MARK_FRAME as u64), "its head was not written");
        let empty = [&bytes[..start], b"rdj1\0\0\0\0\x01\0\0\0sumX"].concat();
        assert_eq!(told(&empty), (vec![], FRAME_HEAD as u64), "no entry is empty");
    }

    #[test]
    fn a_frame_at_another_offset_is_no_frame() {
        let whole = frame(Frame::Applied, 16, &[0; MARK_PAYLOAD]);
        assert!(frame_at(&whole, 16, 0).is_some());
        assert!(frame_at(&whole, 17, 0).is_none());
    }
}
