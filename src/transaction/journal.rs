//! The journal: an append-only list of intents and of what became of them.
//!
//! Owns the file. What its bytes say is `journal_bytes.rs`'s. Does not know files of the working tree.
//! Invariants: an intent counts once its frame is whole and synced; a torn tail is as if it were not there; no byte of a
//! damaged journal is ever thrown away.
//!
//! Behind the last frame there is room: zeros, made many frames ahead. A sync of bytes that are written over others has no
//! size of the file to make durable, which takes a third to two thirds of the time.

use super::error::TransactionError;
use super::intent::Intent;
use super::journal_bytes::{
    BootId, Contents, Entry, FILE_HEAD, Frame, MARK_FRAME, MARK_PAYLOAD, Outcome, boot_of, count_of, frame, is_whole,
    last_frame, parse, used,
};
use super::state::State;
use crate::id::RecordId;
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

/// The file grows by so many bytes. The last frame ends in the last of these parts, unless a process was killed.
const ROOM: u64 = 32 << 10;

/// The number in a mark behind which others are still open: it is not the last word.
const OTHERS_ARE_OPEN: u32 = u32::MAX;

/// Where an intent stands.
#[derive(Debug, Clone)]
pub struct Written {
    id: RecordId,
    start: u64,
    end: u64,
}

/// The journal, open for writing; only under the lock.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Where the next frame goes.
    end: u64,
    /// Of the file: the room behind the last frame included.
    length: u64,
    boot: BootId,
    count: u32,
    /// The intents that have no mark yet.
    open: u32,
    /// So far the file is synced.
    synced: u64,
    /// A sync failed: nobody knows what is on the disk of those that shared it.
    is_failing: bool,
    durability: Durability,
    /// A half frame stands at the end and could not be cut off: whatever came behind it would be unreadable.
    spoilt: bool,
}

impl Journal {
    /// The name of the file in the state folder.
    pub const NAME: &'static str = "journal";

    /// Opens the journal of a state, made where it is missing. A new one is named durably before anything is written. Where its
    /// frames end is not known before [`Self::tail`] or [`Self::contents`] was asked.
    ///
    /// # Errors
    /// Where it cannot be opened, or a new one not be written or synced.
    pub fn open(state: &State, durability: Durability) -> Result<Self, TransactionError> {
        let io = |verb| TransactionError::io(verb, "the journal");
        let file = state.dir.update(Self::NAME.as_bytes().as_bstr()).map_err(io("open"))?;
        let length = file.metadata().map_err(io("look at"))?.len();
        let boot = BootId::current();
        let mut journal = Self {
            file,
            end: length,
            length,
            boot,
            count: 0,
            open: 0,
            synced: 0,
            is_failing: false,
            durability,
            spoilt: false,
        };
        if length < FILE_HEAD.len() as u64 {
            // 1. The names first: the head says that they are durable.
            if durability == Durability::Full {
                state.place().sync_names().map_err(TransactionError::io("sync", "redraft's folder"))?;
            }
            // 2. Then the head; the sync of the first intent covers it.
            journal.shorten(0).map_err(io("empty"))?;
            journal.write(FILE_HEAD)?;
        }
        Ok(journal)
    }

    /// Looks at the end of the journal; a fixed amount of work.
    ///
    /// # Errors
    /// Where the end of the journal cannot be read.
    pub fn tail(&mut self) -> Result<Tail, TransactionError> {
        // The last mark ends there, and may begin before.
        let start = self.length.saturating_sub(ROOM + MARK_FRAME as u64);
        let mut bytes = vec![0; usize::try_from(self.length - start).unwrap_or(usize::MAX)];
        read_exact_at(&self.file, &mut bytes, start).map_err(TransactionError::io("read", "the journal"))?;
        if start == 0 && bytes.starts_with(FILE_HEAD) && used(&bytes) == FILE_HEAD.len() {
            self.end = FILE_HEAD.len() as u64;
            return Ok(Tail::Empty);
        }
        match last_frame(&bytes, start) {
            Some((Frame::Applied | Frame::Aborted, payload, end))
                if boot_of(payload).is_same(self.boot) && count_of(payload) != OTHERS_ARE_OPEN =>
            {
                self.end = end;
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
        let written = self.write_intent(intent)?;
        self.sync_intent(&written)
    }

    /// Writes an intent, which counts once it is [synced](Self::sync_intent).
    ///
    /// # Errors
    /// Where it cannot be written: a full disk.
    pub fn write_intent(&mut self, intent: &Intent) -> Result<Written, TransactionError> {
        let start = self.end;
        let mut payload = self.boot.0.to_vec();
        payload.extend_from_slice(&intent.encode());
        let kind = if self.open == 0 { Frame::Intent } else { Frame::Joined };
        self.write(&frame(kind, start, &payload))?;
        self.open += 1;
        Ok(Written { id: intent.id.clone(), start, end: self.end })
    }

    /// Whether an intent is synced.
    pub fn is_synced(&self, written: &Written) -> bool {
        self.synced >= written.end
    }

    /// Syncs an intent, unless another one's sync did: the commit point. After an error it is as if it had not been written; those that
    /// were to share the sync fail with it.
    ///
    /// # Errors
    /// Where it cannot be synced; [`TransactionError::RecoveryNeeded`] where it cannot be taken back either, and recovery will do it.
    pub fn sync_intent(&mut self, written: &Written) -> Result<(), TransactionError> {
        if self.is_synced(written) {
            return Ok(());
        }
        let done = if self.is_failing {
            Err(TransactionError::io("sync", "the journal")(io::Error::other("an earlier sync failed")))
        } else {
            self.sync()
        };
        let Err(unsynced) = done else { return Ok(()) };
        let cut = self.cut(written.start);
        self.open -= 1;
        self.is_failing = self.open > 0;
        Err(match cut {
            Ok(()) => unsynced,
            Err(error) => TransactionError::RecoveryNeeded {
                id: written.id.clone(),
                what: format!("{unsynced}; and its entry cannot be taken out of it: {error}"),
                versions: "the old one in its place, the new one in the journal; run `redraft recover`".to_owned(),
            },
        })
    }

    /// Takes back what stands behind `start`: with zeros where the file cannot be cut, or recovery would do what was refused.
    fn cut(&mut self, start: u64) -> io::Result<()> {
        if self.shorten(start).is_err() {
            let zeros = vec![0; usize::try_from(self.end.saturating_sub(start)).unwrap_or_default()];
            write_all_at(&self.file, &zeros, start).inspect_err(|_| self.spoilt = true)?;
            (self.end, self.synced) = (start, self.synced.min(start));
        }
        // Where this fails as well, a power cut may bring it back: nothing more can be done about that here.
        let _ = self.file.sync_data();
        Ok(())
    }

    /// The transactions since the last checkpoint.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether each intent that was written here has its mark.
    pub fn is_settled(&self) -> bool {
        self.open == 0
    }

    /// Says what became of an intent that was written here.
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
        let open = self.open.saturating_sub(1);
        let count = if open == 0 { self.count } else { OTHERS_ARE_OPEN };
        let mut payload = Vec::with_capacity(MARK_PAYLOAD);
        payload.extend_from_slice(&self.boot.0);
        payload.extend_from_slice(intent.id.as_str().as_bytes());
        payload.extend_from_slice(&count.to_le_bytes());
        let frame = frame(kind, self.end, &payload);
        self.write(&frame)?;
        self.open = open;
        if kind == Frame::Aborted || intent.verify { self.sync() } else { Ok(()) }
    }

    /// Goes on behind what was read: a torn tail is forgotten, what is damaged stays.
    ///
    /// # Errors
    /// Where the journal cannot be shortened.
    pub fn go_on_behind(&mut self, contents: &Contents) -> Result<(), TransactionError> {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let is_open = |entry: &&Entry| entry.outcome == Outcome::Open && entry.boot.is_same(self.boot);
        // As long as one of several is open, no mark is the last word: recovery may be killed between them.
        self.open = number(contents.entries.iter().filter(is_open).count());
        self.count = number(contents.entries.len()).saturating_sub(self.open);
        self.end = contents.end.max(FILE_HEAD.len() as u64);
        match (contents.torn, contents.damage.is_empty()) {
            (0, true) => Ok(()),
            (_, true) => self.shorten(self.end).map_err(TransactionError::io("shorten", "the journal")),
            (torn, false) => {
                let damaged = contents.damage.iter().map(|damage| damage.bytes.end as u64).max();
                self.end = (self.end + torn).max(damaged.unwrap_or_default());
                Ok(())
            }
        }
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
        self.shorten(FILE_HEAD.len() as u64).map_err(TransactionError::io("shorten", "the journal"))?;
        self.count = 0;
        self.sync()
    }

    fn shorten(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        (self.end, self.length, self.synced) = (length, length, self.synced.min(length));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), TransactionError> {
        let start = self.end;
        if self.spoilt {
            return Err(TransactionError::io("write", "the journal")(io::Error::other("an earlier write failed")));
        }
        let end = start + bytes.len() as u64;
        // What does not fit makes the room for those that follow; on a disk that is too full for that, only its own.
        let written = if end > self.length && self.write_with_room(bytes).is_ok() {
            Ok(())
        } else {
            write_all_at(&self.file, bytes, start)
        };
        match written {
            Ok(()) => {
                (self.end, self.length) = (end, self.length.max(end));
                Ok(())
            }
            Err(error) => {
                // A half frame is harmless, but the next one must not stand behind it.
                self.spoilt = self.shorten(start).is_err();
                Err(TransactionError::io("write", "the journal")(error))
            }
        }
    }

    fn write_with_room(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = (self.end + bytes.len() as u64).next_multiple_of(ROOM);
        let mut padded = vec![0; usize::try_from(length - self.end).unwrap_or(usize::MAX)];
        padded[..bytes.len()].copy_from_slice(bytes);
        write_all_at(&self.file, &padded, self.end)?;
        self.length = length;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), TransactionError> {
        if self.durability == Durability::Full {
            self.file.sync_data().map_err(TransactionError::io("sync", "the journal"))?;
        }
        self.synced = self.end;
        Ok(())
    }
}

/// Reads the journal of a state folder without the lock: what a reader may see. Missing is empty.
///
/// # Errors
/// Where the journal is there and cannot be read; damage is no error.
pub fn peek(state: &Dir) -> Result<Contents, TransactionError> {
    Ok(parse(&peek_bytes(state)?))
}

/// As [`peek`], of a journal that is damaged or has these bytes somewhere in it; nothing of any other. Looking for bytes takes a hundredth
/// of the time of reading entries.
///
/// # Errors
/// As [`peek`].
pub fn peek_mentioning(state: &Dir, words: &[u8]) -> Result<Contents, TransactionError> {
    Ok(parse_mentioning(&peek_bytes(state)?, words))
}

fn parse_mentioning(bytes: &[u8], words: &[u8]) -> Contents {
    if memchr::memmem::find(bytes, words).is_some() || !is_whole(bytes) { parse(bytes) } else { Contents::default() }
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
fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(not(unix))]
fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    let mut file = file;
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
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
mod tests;
