//! Writes git packs: many objects at once, old versions of a text as deltas of the newer ones.
//!
//! Owns the formats of packs and their indexes (git's own: gitformat-pack). Reads nothing.
//! Invariant: a pack is whole by itself, and its index is written before anything refers to its objects.

use crate::git::ObjectId;
use crate::history::error::HistoryError;
use crate::history::store::files::{sync_dir, write_file};
use crate::id::BlobId;
use crate::state_dir::Durability;
use gix::objs::Kind;
use gix::zlib::stream::deflate::{Compress, FlushCompress};
use gix::zlib::{Compression, Status};
use sha1::{Digest, Sha1};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A longer chain of deltas is slow to read; git's own limit.
const MAX_DEPTH: u32 = 50;

/// What is so short becomes no shorter by compressing it, in bytes.
const SHORT: usize = 96;

/// A stored block of a zlib stream holds so much at most, in bytes.
const LONGEST_STORED: usize = 0xffff;

/// One step of a delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeltaStep<'a> {
    /// These bytes of the base: start and length.
    Copy(usize, usize),
    /// New bytes.
    Insert(&'a [u8]),
}

/// Git takes a shorter delta for a damaged one (`DELTA_SIZE_MIN` in its `delta.h`): that of an empty text.
const SHORTEST_DELTA: usize = 4;

/// A pack in the making.
pub(crate) struct PackWriter {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    known: HashMap<[u8; 20], usize>,
    /// One for all objects: to make one takes longer than to compress a small object.
    deflate: Compress,
}

struct Entry {
    id: [u8; 20],
    offset: usize,
    crc: u32,
    depth: u32,
}

impl PackWriter {
    /// A pack without objects.
    pub(crate) fn new() -> Self {
        let mut bytes = b"PACK".to_vec();
        bytes.extend_from_slice(&2_u32.to_be_bytes());
        // The number of objects is put here at the end.
        bytes.extend_from_slice(&0_u32.to_be_bytes());
        let deflate = Compress::new(Compression::DEFAULT);
        Self { bytes, entries: Vec::new(), known: HashMap::new(), deflate }
    }

    /// Whether the pack has the object.
    pub(crate) fn has(&self, id: impl ObjectId) -> bool {
        self.known.contains_key(id.as_bytes())
    }

    /// Adds an object, unless it is there already; gives its id.
    pub(crate) fn add<I: ObjectId>(&mut self, data: &[u8]) -> I {
        let id = I::of(data);
        if !self.has(id) {
            let number = match I::KIND {
                Kind::Commit => 1,
                Kind::Tree => 2,
                Kind::Blob => 3,
                Kind::Tag => 4,
            };
            let start = self.bytes.len();
            self.put_head(number, data.len());
            // A tree is ids for the most part, which nothing makes shorter.
            if I::KIND == Kind::Tree && data.len() <= LONGEST_STORED {
                self.put_stored(data);
            } else {
                self.put_compressed(data);
            }
            self.note(*id.as_bytes(), start, 0);
        }
        id
    }

    /// Adds a blob whose id and length are known as what `steps` make of the blob `base`, which is in this pack; `false`
    /// where that chain would be too long, or the steps shorter than git reads.
    pub(crate) fn add_delta(
        &mut self,
        id: BlobId,
        length: usize,
        base: BlobId,
        base_length: usize,
        steps: &[DeltaStep<'_>],
    ) -> bool {
        if self.has(id) {
            return true;
        }
        let Some(&at) = self.known.get(base.as_bytes()) else { return false };
        let (base_offset, depth) = (self.entries[at].offset, self.entries[at].depth + 1);
        if depth > MAX_DEPTH {
            return false;
        }
        let mut delta = Vec::new();
        put_size(&mut delta, base_length);
        put_size(&mut delta, length);
        steps.iter().for_each(|step| put_step(&mut delta, step));
        if delta.len() < SHORTEST_DELTA {
            return false;
        }
        let start = self.bytes.len();
        self.put_head(6, delta.len());
        let distance = start - base_offset;
        self.put_distance(distance);
        self.put_compressed(&delta);
        self.note(*id.as_bytes(), start, depth);
        true
    }

    /// Type and length: 4 bits of the length, then 7 a byte.
    fn put_head(&mut self, number: u8, length: usize) {
        let mut byte = (number << 4) | (length & 15) as u8;
        let mut rest = length >> 4;
        while rest > 0 {
            self.bytes.push(byte | 0x80);
            byte = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        self.bytes.push(byte);
    }

    /// The offset encoding of git: 7 bits a byte, the most significant first, each further byte counting from one.
    fn put_distance(&mut self, distance: usize) {
        let mut rest = distance;
        let mut bytes = vec![(rest & 0x7f) as u8];
        rest >>= 7;
        while rest > 0 {
            rest -= 1;
            bytes.push(0x80 | (rest & 0x7f) as u8);
            rest >>= 7;
        }
        self.bytes.extend(bytes.iter().rev());
    }

    fn note(&mut self, id: [u8; 20], start: usize, depth: u32) {
        let crc = crc32fast::hash(&self.bytes[start..]);
        self.known.insert(id, self.entries.len());
        self.entries.push(Entry { id, offset: start, crc, depth });
    }

    /// As a zlib stream of one stored block: to begin a compressed one takes longer than all else of a small object.
    fn put_stored(&mut self, data: &[u8]) {
        let length = u16::try_from(data.len()).expect("it is no longer than such a block");
        self.bytes.extend_from_slice(&[0x78, 0x01, 0x01]);
        self.bytes.extend_from_slice(&length.to_le_bytes());
        self.bytes.extend_from_slice(&(!length).to_le_bytes());
        self.bytes.extend_from_slice(data);
        self.bytes.extend_from_slice(&adler2::adler32_slice(data).to_be_bytes());
    }

    fn put_compressed(&mut self, mut data: &[u8]) {
        if data.len() <= SHORT {
            return self.put_stored(data);
        }
        self.deflate.reset();
        loop {
            let (at, so_far) = (self.bytes.len(), (self.deflate.total_in(), self.deflate.total_out()));
            self.bytes.resize(at + data.len() + data.len() / 16 + 64, 0);
            let status = self.deflate.compress(data, &mut self.bytes[at..], FlushCompress::Finish);
            let status = status.expect("compressing into memory cannot fail");
            let length = |now: u64, before: u64| usize::try_from(now - before).unwrap_or(usize::MAX);
            self.bytes.truncate(at + length(self.deflate.total_out(), so_far.1));
            data = &data[length(self.deflate.total_in(), so_far.0)..];
            if status == Status::StreamEnd {
                return;
            }
        }
    }

    /// Writes pack and index into `folder` (`objects/pack`), durably where asked; gives the path of the pack.
    ///
    /// # Errors
    /// Where a file of the pack cannot be written or synced: a full disk, a folder that is read-only.
    pub(crate) fn finish(mut self, folder: &Path, durability: Durability) -> Result<PathBuf, HistoryError> {
        let count = u32::try_from(self.entries.len()).expect("a checkpoint has some hundred records");
        self.bytes[8..12].copy_from_slice(&count.to_be_bytes());
        let sum: [u8; 20] = Sha1::digest(&self.bytes).into();
        self.bytes.extend_from_slice(&sum);
        let name = format!("pack-{}", BlobId::from_bytes(sum));
        let pack = folder.join(format!("{name}.pack"));
        let index = self.index(&sum);
        // 1. The pack; without an index nobody looks at it. 2. The index.
        write_file(&pack, &self.bytes, durability)?;
        write_file(&folder.join(format!("{name}.idx")), &index, durability)?;
        sync_dir(folder, durability)?;
        Ok(pack)
    }

    /// The pack index, version 2.
    fn index(&mut self, sum: &[u8; 20]) -> Vec<u8> {
        self.entries.sort_by_key(|entry| entry.id);
        let mut out = b"\xfftOc".to_vec();
        out.extend_from_slice(&2_u32.to_be_bytes());
        for first in 0..=255_u8 {
            let up_to = self.entries.partition_point(|entry| entry.id[0] <= first);
            out.extend_from_slice(&(up_to as u32).to_be_bytes());
        }
        self.entries.iter().for_each(|entry| out.extend_from_slice(&entry.id));
        self.entries.iter().for_each(|entry| out.extend_from_slice(&entry.crc.to_be_bytes()));
        let mut far = Vec::new();
        for entry in &self.entries {
            match u32::try_from(entry.offset).ok().filter(|&offset| offset < 1 << 31) {
                Some(offset) => out.extend_from_slice(&offset.to_be_bytes()),
                None => {
                    out.extend_from_slice(&((1_u32 << 31) | (far.len() / 8) as u32).to_be_bytes());
                    far.extend_from_slice(&(entry.offset as u64).to_be_bytes());
                }
            }
        }
        out.extend_from_slice(&far);
        out.extend_from_slice(sum);
        let own: [u8; 20] = Sha1::digest(&out).into();
        out.extend_from_slice(&own);
        out
    }
}

/// Lengths in a delta: 7 bits a byte, the least significant first.
fn put_size(out: &mut Vec<u8>, mut size: usize) {
    while size > 0x7f {
        out.push(0x80 | (size & 0x7f) as u8);
        size >>= 7;
    }
    out.push(size as u8);
}

fn put_step(out: &mut Vec<u8>, step: &DeltaStep<'_>) {
    match *step {
        DeltaStep::Insert(bytes) => {
            for part in bytes.chunks(127) {
                out.push(part.len() as u8);
                out.extend_from_slice(part);
            }
        }
        DeltaStep::Copy(mut start, mut length) => {
            const MOST: usize = 0xff_ffff;
            while length > 0 {
                let now = length.min(MOST);
                let flags_at = out.len();
                out.push(0x80);
                for (bit, value) in
                    [start, start >> 8, start >> 16, start >> 24, now, now >> 8, now >> 16].iter().enumerate()
                {
                    let byte = (value & 0xff) as u8;
                    if byte != 0 {
                        out.push(byte);
                        out[flags_at] |= 1 << bit;
                    }
                }
                start += now;
                length -= now;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TreeId;

    #[test]
    fn a_copy_has_the_bytes_of_its_start_and_length_that_are_not_zero() {
        let put = |step| {
            let mut out = Vec::new();
            put_step(&mut out, &step);
            out
        };
        assert_eq!(put(DeltaStep::Copy(0x0102_0304, 0x05_0607)), [0xff, 4, 3, 2, 1, 7, 6, 5]);
        assert_eq!(put(DeltaStep::Copy(0, 0x1_0000)), [0xc0, 1]);
        assert_eq!(put(DeltaStep::Copy(0x0100_0000, 1)), [0x98, 1, 1]);
        let long = put(DeltaStep::Copy(5, 0x100_0001));
        assert_eq!(long, [0xf1, 5, 0xff, 0xff, 0xff, 0x99, 4, 1, 2], "two copies, one behind the other");
        assert_eq!(put(DeltaStep::Copy(7, 0)), b"");
        let text = vec![9; 130];
        assert_eq!(put(DeltaStep::Insert(&text)), [&[127][..], &text[..127], &[3], &text[127..]].concat());
        let size = |n| {
            let mut out = Vec::new();
            put_size(&mut out, n);
            out
        };
        assert_eq!((size(0), size(127), size(128)), (vec![0], vec![127], vec![0x80, 1]));
    }

    #[test]
    fn git_reads_objects_of_every_length_stored_and_compressed() {
        let folder = tempfile::tempdir().expect("a folder");
        let git = |args: &[&str]| {
            let output =
                std::process::Command::new("git").args(args).current_dir(folder.path()).output().expect("git runs");
            assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        git(&["init", "-q", "--bare", "."]);
        let mut pack = PackWriter::new();
        let blobs = [0, 1, SHORT - 1, SHORT, SHORT + 1, 0xffff, 0x1_0000].map(|length| vec![b'x'; length]);
        let blobs = blobs.map(|text| (pack.add::<BlobId>(&text), text));
        // Trees on both sides of the longest stored block: rows of 35 bytes.
        let trees = [0, 1, LONGEST_STORED / 35, LONGEST_STORED / 35 + 1].map(|rows| {
            let row = |n: usize| [format!("100644 {n:07}\0").as_bytes(), blobs[0].0.as_bytes()].concat();
            (pack.add::<TreeId>(&(0..rows).flat_map(row).collect::<Vec<u8>>()), rows)
        });
        let path = pack.finish(&folder.path().join("objects/pack"), Durability::Full).expect("written");
        git(&["verify-pack", path.to_str().expect("UTF-8")]);
        for (id, text) in blobs {
            assert_eq!(git(&["cat-file", "blob", &id.to_string()]), text);
        }
        for (id, rows) in trees {
            let listed = git(&["ls-tree", &id.to_string()]);
            assert_eq!(listed.iter().filter(|&&byte| byte == b'\n').count(), rows);
        }
    }

    #[test]
    fn git_reads_the_packs_and_their_deltas() {
        let folder = tempfile::tempdir().expect("a folder");
        let git = |args: &[&str]| {
            let output =
                std::process::Command::new("git").args(args).current_dir(folder.path()).output().expect("git runs");
            assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        git(&["init", "-q", "--bare", "."]);
        let mut text: Vec<u8> = (0..20_000).map(|n| format!("line {n}\n")).collect::<String>().into_bytes();
        let mut pack = PackWriter::new();
        let mut ids = vec![(pack.add::<BlobId>(&text), text.clone())];
        for n in 0..60 {
            let older = [&text[..n * 10], b"older\n", &text[n * 10 + 5..]].concat();
            let steps = [
                DeltaStep::Copy(0, n * 10),
                DeltaStep::Insert(b"older\n"),
                DeltaStep::Copy(n * 10 + 5, text.len() - n * 10 - 5),
            ];
            let id = BlobId::of(&older);
            let is_delta = pack.add_delta(id, older.len(), ids[n].0, text.len(), &steps);
            assert_eq!(is_delta, n != 50, "git reads no longer chains");
            if !is_delta {
                pack.add::<BlobId>(&older);
            }
            assert_eq!(pack.add::<BlobId>(&older), id, "it is there already");
            ids.push((id, older.clone()));
            text = older;
        }
        assert_eq!(pack.entries.len(), 61);
        let path = pack.finish(&folder.path().join("objects/pack"), Durability::Full).expect("written");
        git(&["verify-pack", path.to_str().expect("UTF-8")]);
        for (id, text) in ids {
            assert_eq!(git(&["cat-file", "blob", &id.to_string()]), text);
        }
    }
}
