//! What the bytes of a journal say: frames, entries, damage.
//!
//! Owns the bytes. Does not read or write files.
//! Invariants: every frame carries its own offset in its checksum, so that stale bytes never pass for a frame; damage costs
//! what it hit and nothing else: frames in front of it and behind it are read.
//!
//! Behind the last frame stand zeros, if anything. A frame: magic (4 bytes), payload length (4, little endian), kind (1),
//! zeros (3), CRC-32 of offset, kind and payload (4), payload. An intent's payload: boot id (16), the intent. A mark's: boot
//! id (16), record id (16), transactions since the last checkpoint (4), or all ones where others that shared its sync have
//! no mark yet.

use super::intent::Intent;
use crate::id::RecordId;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::sync::OnceLock;

pub(super) const FILE_HEAD: &[u8; 16] = b"redraft journal\n";
const MAGIC: &[u8; 4] = b"rdj1";
pub(super) const FRAME_HEAD: usize = 16;
pub(super) const MARK_PAYLOAD: usize = 36;
pub(super) const MARK_FRAME: usize = FRAME_HEAD + MARK_PAYLOAD;

/// Identifies one run of the operating system; the page cache lives as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BootId(pub(super) [u8; 16]);

impl BootId {
    /// This run's. Where the system does not tell, one that equals no other, not even itself of before.
    pub fn current() -> Self {
        static CURRENT: OnceLock<BootId> = OnceLock::new();
        *CURRENT.get_or_init(Self::read)
    }

    fn read() -> Self {
        // The file says no length, and reading it to its end would ask four times.
        let mut text = [0; 64];
        let read = File::open("/proc/sys/kernel/random/boot_id").and_then(|mut file| file.read(&mut text));
        let mut bytes = [0; 16];
        let text = text.get(..read.unwrap_or_default()).unwrap_or_default();
        let digits: Vec<u32> = text.iter().filter_map(|&byte| char::from(byte).to_digit(16)).collect();
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

impl Entry {
    /// Whether its files are what its outcome says: it has one, and the system did not go down since.
    pub fn is_finished(&self) -> bool {
        self.outcome != Outcome::Open && self.boot.is_same(BootId::current())
    }
}

/// All of the journal.
#[derive(Debug, Default)]
pub struct Contents {
    /// In order.
    pub entries: Vec<Entry>,
    /// Where the last frame that is whole ends.
    pub end: u64,
    /// What cannot be read, in order.
    pub damage: Vec<Damage>,
    /// The number of bytes behind [`Self::end`], without the zeros at the end: an entry that is being written, or was cut off.
    pub torn: u64,
}

/// A part of the journal that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// In bytes of the file.
    pub bytes: Range<usize>,
    /// The record that was there, where a mark behind it tells.
    pub record: Option<RecordId>,
    /// Why.
    pub why: String,
}

impl Damage {
    fn new(bytes: Range<usize>, why: impl Into<String>) -> Self {
        Self { bytes, record: None, why: why.into() }
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bytes {} to {}", self.bytes.start, self.bytes.end)?;
        if let Some(record) = &self.record {
            write!(f, " (record {record})")?;
        }
        write!(f, ": {}", self.why)
    }
}

/// What a frame is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    Intent = 1,
    Applied = 2,
    Aborted = 3,
    /// An intent that was written while others had no mark yet.
    Joined = 4,
}

/// Reads the bytes of a journal: every frame that is whole, and what of it is not.
pub fn parse(bytes: &[u8]) -> Contents {
    let end = bytes.len().min(FILE_HEAD.len()) as u64;
    let mut contents = Contents { entries: Vec::new(), end, damage: Vec::new(), torn: 0 };
    if !bytes.starts_with(&FILE_HEAD[..bytes.len().min(FILE_HEAD.len())]) {
        let end = bytes.len().min(FILE_HEAD.len());
        contents.damage.push(Damage::new(0..end, "the head is not that of a journal"));
    }
    let mut at = FILE_HEAD.len();
    let mut unwritten: Vec<(Damage, BootId)> = Vec::new();
    while let Some((start, kind, payload, end)) = next_frame(bytes, at) {
        if start > at {
            let gap = Damage::new(at..start, "its checksum is wrong");
            match has_unwritten_sector(bytes, at..start) {
                true => unwritten.push((gap, boot_of(payload))),
                false => contents.damage.push(gap),
            }
        }
        // The system went down before it had written what was to be synced together, unless something was made of that.
        if matches!(kind, Frame::Applied | Frame::Aborted) {
            let was_synced = |(_, boot): &mut (_, BootId)| boot_of(payload) == *boot;
            contents.damage.extend(unwritten.extract_if(.., was_synced).map(|(damage, _)| damage));
            contents.damage.sort_by_key(|damage| damage.bytes.start);
        }
        let bad = match kind {
            Frame::Intent => contents.add_intent(payload),
            Frame::Joined => contents.join_intent(payload),
            Frame::Applied => contents.add_mark(payload, Outcome::Applied),
            Frame::Aborted => contents.add_mark(payload, Outcome::Aborted),
        };
        if let Err(why) = bad {
            contents.damage.push(Damage::new(start..end, why));
        }
        at = end;
        contents.end = at as u64;
    }
    let end = used(bytes);
    match damaged_frame(bytes, at) {
        Some(frame) => contents.damage.push(Damage::new(frame, "its checksum is wrong")),
        None => contents.torn = (end as u64).saturating_sub(contents.end),
    }
    contents
}

/// Whether every byte that was written is part of a whole frame, or of one that was cut off; reads no entry.
pub fn is_whole(bytes: &[u8]) -> bool {
    if !bytes.starts_with(&FILE_HEAD[..bytes.len().min(FILE_HEAD.len())]) {
        return false;
    }
    let mut at = FILE_HEAD.len();
    while let Some((start, _, _, end)) = next_frame(bytes, at) {
        if start > at {
            return false;
        }
        at = end;
    }
    damaged_frame(bytes, at).is_none()
}

/// Whether records may have been in the bytes of a journal that cannot be read: there are none in its head.
pub fn may_lack_records(bytes: &[u8]) -> bool {
    let Contents { damage, torn, .. } = parse(bytes);
    torn > 0 || damage.iter().any(|damage| damage.bytes.end > FILE_HEAD.len())
}

impl Contents {
    fn add_intent(&mut self, payload: &[u8]) -> Result<(), String> {
        let known = self.entries.len();
        self.join_intent(payload)?;
        // An intent is followed by one that did not join it only after it was settled: that mark was lost. Most are applied; what is
        // not is told by the damage.
        let (before, added) = self.entries.split_at_mut(known);
        let is_open = |entry: &&mut Entry| entry.outcome == Outcome::Open && entry.boot.is_same(added[0].boot);
        before.iter_mut().filter(is_open).for_each(|entry| entry.outcome = Outcome::Applied);
        Ok(())
    }

    fn join_intent(&mut self, payload: &[u8]) -> Result<(), String> {
        let intent = Intent::decode(payload.get(16..).unwrap_or_default()).map_err(|bad| bad.to_string())?;
        self.entries.push(Entry { intent, boot: boot_of(payload), outcome: Outcome::Open });
        Ok(())
    }

    fn add_mark(&mut self, payload: &[u8], outcome: Outcome) -> Result<(), String> {
        let id = payload.get(16..32).and_then(|id| std::str::from_utf8(id).ok()).and_then(RecordId::parse);
        let id = id.ok_or("it names no record")?;
        match self.entries.iter_mut().rev().find(|entry| entry.intent.id == id) {
            Some(entry) => entry.outcome = outcome,
            None => match self.damage.last_mut() {
                // The intent itself is in what could not be read.
                Some(damage) => damage.record = Some(id),
                None => return Err(format!("the entry of record {id} is missing")),
            },
        }
        Ok(())
    }
}

/// The frame at `from`, or, where that one is damaged (a bad sector), the next whole one behind it: start, kind, payload, end.
fn next_frame(bytes: &[u8], from: usize) -> Option<(usize, Frame, &[u8], usize)> {
    let at_offset = |at: usize| {
        let (kind, payload, length) = frame_at(bytes.get(at..)?, at as u64, 0)?;
        Some((at, kind, payload, at + length))
    };
    at_offset(from).or_else(|| {
        let behind = bytes.get(from.checked_add(1)?..)?;
        memchr::memmem::find_iter(behind, MAGIC).find_map(|at| at_offset(from + 1 + at))
    })
}

/// How many bytes there are before the zeros at the end.
pub(super) fn used(bytes: &[u8]) -> usize {
    let zeros = bytes.rchunks_exact(64).take_while(|part| **part == [0; 64]).count() * 64;
    bytes[..bytes.len() - zeros].iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)
}

/// The mark that ends before the zeros at the end of these bytes, which begin at `offset` of the file: kind, payload, and where it ends in
/// the file. None where something else stands there.
pub(super) fn last_frame(bytes: &[u8], offset: u64) -> Option<(Frame, &[u8], u64)> {
    // A mark may end in zeros itself: those of the number at its end.
    let used = used(bytes);
    (used..=bytes.len().min(used + 3)).find_map(|end| {
        let start = end.checked_sub(MARK_FRAME)?;
        let at = offset + start as u64;
        let (kind, payload, length) = frame_at(&bytes[..end], at, start)?;
        (length == MARK_FRAME).then_some((kind, payload, at + length as u64))
    })
}

/// The frame that begins at `start`, was whole, and is not any more. One that was never written to its end is torn: such ones
/// end too early or in zeros, or have a sector that was never written.
fn damaged_frame(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = bytes.get(start..).unwrap_or_default();
    let used = &rest[..used(rest)];
    let length = used.get(4..8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes) as usize;
    // A head that is there tells the length, also of an intent that was cut off; without one, what has that of a mark was one.
    let whole = if used.starts_with(MAGIC) { FRAME_HEAD.saturating_add(length) } else { MARK_FRAME };
    // A mark, and the text of a file in UTF-16, end in zeros themselves.
    let is_whole = used.len() <= whole && used.len() + 3 >= whole && rest.len() >= whole;
    let is_damaged = is_whole
        && whole > FRAME_HEAD
        && used[..FRAME_HEAD] != [0; FRAME_HEAD]
        && !has_unwritten_sector(bytes, start..start + used.len());
    is_damaged.then(|| start..start + whole)
}

/// Whether the part of these bytes in some sector of the disk is all zeros, as it is where the system went down before it
/// was written. What is behind the part shares its sector, which was written then. A frame with a binary text may hold as
/// many zeros: it is taken for one that was never written.
fn has_unwritten_sector(bytes: &[u8], part: Range<usize>) -> bool {
    const SECTOR: usize = 512;
    let mut at = part.start;
    while let end = (at + 1).next_multiple_of(SECTOR)
        && end <= part.end
    {
        if bytes[at..end].iter().all(|byte| *byte == 0) {
            return true;
        }
        at = end;
    }
    false
}

pub(super) fn frame(kind: Frame, offset: u64, payload: &[u8]) -> Vec<u8> {
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
pub(super) fn frame_at(bytes: &[u8], offset: u64, from: usize) -> Option<(Frame, &[u8], usize)> {
    let head = bytes.get(from..from + FRAME_HEAD)?;
    let length = u32::from_le_bytes(head[4..8].try_into().ok()?) as usize;
    let kind = match head[8..12] {
        [1, 0, 0, 0] => Frame::Intent,
        [2, 0, 0, 0] => Frame::Applied,
        [3, 0, 0, 0] => Frame::Aborted,
        [4, 0, 0, 0] => Frame::Joined,
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

pub(super) fn boot_of(payload: &[u8]) -> BootId {
    BootId(payload.first_chunk::<16>().copied().unwrap_or_default())
}

pub(super) fn count_of(payload: &[u8]) -> u32 {
    payload.get(32..36).and_then(|bytes| bytes.try_into().ok()).map_or(u32::MAX, u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_run_of_the_system_is_known_by_all_its_digits() {
        let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("Linux tells");
        let told: String = BootId::current().0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(told, text.trim().replace('-', ""));
    }

    #[test]
    fn a_run_of_the_system_that_is_not_known_is_not_even_itself() {
        let [unknown, one, two] = [0, 1, 2].map(|n| BootId([n; 16]));
        assert!(one.is_same(one) && !one.is_same(two) && !one.is_same(unknown) && !unknown.is_same(unknown));
    }

    #[test]
    fn damage_is_told_with_its_place_and_its_record() {
        let mut damage = Damage::new(16..99, "it is cut off");
        assert_eq!(damage.to_string(), "bytes 16 to 99: it is cut off");
        damage.record = RecordId::parse("kkkkkkkkkkkkkkkk");
        assert_eq!(damage.to_string(), "bytes 16 to 99 (record kkkkkkkkkkkkkkkk): it is cut off");
    }

    #[test]
    fn a_mark_without_an_entry_is_damage() {
        let payload = [&[1; 16][..], b"kkkkkkkkkkkkkkkk", &[1, 0, 0, 0]].concat();
        let bytes = [&FILE_HEAD[..], &frame(Frame::Applied, 16, &payload)].concat();
        let told: Vec<_> = parse(&bytes).damage.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["bytes 16 to 68: the entry of record kkkkkkkkkkkkkkkk is missing"]);
    }
}
