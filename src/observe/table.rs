//! Files that nothing was done to, row by row: how each looked, and which blob has its text.
//!
//! Owns the form. One file is found by a few reads, and all of them are compared with the tree without one being taken apart, so that
//! what a look costs grows with what differs. Invariants: the rows are sorted by path; a table does not change once it is made; what is
//! damaged is an error, never another row.
//!
//! ```text
//! rows, each of ROW bytes | the paths, one behind the other | more, for others | lengths of the paths and of more, count | CRC-32 of the
//! rows and paths, CRC-32 of more and the lengths, SIGN
//! ```
//! Each row ends with the CRC-32 of the rest of it and of its path, for who reads but a few of them.

use super::seen::{Seen, Text};
use super::tree::each_of;
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::state_dir::{self, Durability};
use crate::worktree::{Kind, Meta, Root};
use bstr::ByteSlice;
use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Place and length of the path, device, inode, size, both times, mode, owner, group, kind, blob.
const SAID: usize = 4 + 4 + 8 * 5 + 4 * 3 + 1 + 20;

/// That, and its checksum.
const ROW: usize = SAID + 4;

/// Three lengths.
const LENGTHS: usize = 8 * 3;

/// These, two checksums, and a sign that it is one.
const END: usize = LENGTHS + 4 + 4 + 8;

/// Redraft before had no checksums, and another digit.
const SIGN: &[u8; 8] = b"redraft2";

/// Symlinks have no blob here.
const LINK: u8 = 1;

/// A table, in memory or on disk.
#[derive(Debug, Clone)]
pub(super) struct Table {
    count: usize,
    /// Where the paths begin, and what is behind them.
    paths: (usize, usize),
    /// Read when all of it is asked for.
    bytes: OnceCell<Vec<u8>>,
    /// Of the rows and paths on disk.
    checksum: u32,
    file: Option<std::rc::Rc<RefCell<File>>>,
}

impl Table {
    /// Opens one, and gives what stands behind it; none where it is not there or not whole.
    pub(super) fn open(path: &Path) -> Option<(Self, Vec<u8>)> {
        let mut file = File::open(Some(path).filter(|path| state_dir::is_regular(path))?).ok()?;
        let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
        let end = read_at(&mut file, length.checked_sub(END)?, END).ok()?;
        let number = |at: usize| usize::try_from(u64::from_le_bytes(end[at..at + 8].try_into().ok()?)).ok();
        let (paths, more, count) = (number(0)?, number(8)?, number(16)?);
        let start = count.checked_mul(ROW)?;
        let is_whole = start.checked_add(paths)?.checked_add(more)?.checked_add(END)? == length;
        let (checksum, of_more) = (u32::from_le_bytes(number_in(&end, LENGTHS)), number_in(&end, LENGTHS + 4));
        if &end[LENGTHS + 8..] != SIGN || !is_whole {
            return None;
        }
        let more = read_at(&mut file, start + paths, more).ok()?;
        if checksum_of(&[&more, &end[..LENGTHS]]).to_le_bytes() != of_more {
            return None;
        }
        let file = Some(std::rc::Rc::new(RefCell::new(file)));
        Some((Self { count, paths: (start, start + paths), bytes: OnceCell::new(), checksum, file }, more))
    }

    /// Writes it with something behind it.
    pub(super) fn write(&self, path: &Path, more: &[u8]) -> io::Result<()> {
        let (start, end) = self.paths;
        let lengths = [end - start, more.len(), self.count].map(|number| (number as u64).to_le_bytes());
        let (all, lengths) = (&self.all()?[..end], lengths.as_flattened());
        let checksums = [checksum_of(&[all]), checksum_of(&[more, lengths])].map(u32::to_le_bytes);
        state_dir::write_parts(path, &[all, more, lengths, checksums.as_flattened(), SIGN], Durability::Fast)
    }

    /// The file at a path; none where there is no row for it.
    ///
    /// # Errors
    /// Where the table cannot be read.
    pub(super) fn get(&self, path: &RepoPath) -> io::Result<Option<Seen>> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            let row = self.part(middle * ROW, ROW)?;
            let (from, length) = place(&row);
            let own = self.part(self.paths.0.saturating_add(from), length)?;
            if checksum_of(&[&row[..SAID], &own]).to_le_bytes() != row[SAID..] {
                return Err(damaged());
            }
            match own.as_slice().cmp(path.as_bstr()) {
                Ordering::Equal => return Ok(Some(seen(&row))),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// All rows, by path.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn rows(&self) -> io::Result<impl Iterator<Item = Row<'_>>> {
        let all = self.all()?;
        Ok((0..self.count).map(|at| self.row(all, at)))
    }

    /// The files that look other than they did, or are gone, or were changed at this time or later.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn differing(&self, root: &Root, young_ns: i128) -> io::Result<Vec<(RepoPath, Seen)>> {
        let (all, paths, count) = (self.all()?, self.paths, self.count);
        let row = |at: usize| row_in(all, paths, at);
        let differs = each_of(root, count, |tree, at| {
            let row = row(at);
            let meta = row.meta();
            let is_old = meta.mtime_ns.max(meta.ctime_ns) < young_ns;
            let is_same = is_old && matches!(tree.look(row.path), Ok(Some(now)) if meta.looks_like(&now));
            (!is_same).then_some(at)
        });
        let found = differs.into_iter().map(row);
        Ok(found.filter_map(|row| Some((RepoPath::new(row.path).ok()?, row.seen()))).collect())
    }

    /// Whether all of it is as it was written; it is in memory then.
    pub(super) fn is_whole(&self) -> bool {
        self.all().is_ok()
    }

    /// Whether all of it is in memory.
    #[cfg(test)]
    pub(super) fn is_read(&self) -> bool {
        self.bytes.get().is_some()
    }

    fn row<'b>(&self, all: &'b [u8], at: usize) -> Row<'b> {
        row_in(all, self.paths, at)
    }

    fn all(&self) -> io::Result<&[u8]> {
        if let Some(bytes) = self.bytes.get() {
            return Ok(bytes);
        }
        let read = self.part(0, self.paths.1)?;
        if checksum_of(&[&read]) != self.checksum {
            return Err(damaged());
        }
        Ok(self.bytes.get_or_init(|| read))
    }

    fn part(&self, from: usize, length: usize) -> io::Result<Vec<u8>> {
        if let Some(bytes) = self.bytes.get() {
            let part = from.checked_add(length).and_then(|end| bytes.get(from..end));
            return part.map(<[u8]>::to_vec).ok_or_else(damaged);
        }
        let file = self.file.as_ref().ok_or_else(damaged)?;
        // What a row says is not believed.
        let is_inside = from.checked_add(length).is_some_and(|end| end <= self.paths.1);
        if is_inside { read_at(&mut file.borrow_mut(), from, length) } else { Err(damaged()) }
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the look before was damaged")
}

fn checksum_of(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

fn read_at(file: &mut File, from: usize, length: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from as u64))?;
    let mut bytes = Vec::with_capacity(length);
    file.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() == length { Ok(bytes) } else { Err(damaged()) }
}

/// One row.
#[derive(Clone, Copy)]
pub(super) struct Row<'b> {
    pub(super) path: &'b [u8],
    bytes: &'b [u8],
}

impl Row<'_> {
    pub(super) fn meta(&self) -> Meta {
        meta(self.bytes)
    }

    fn seen(&self) -> Seen {
        seen(self.bytes)
    }
}

fn row_in(all: &[u8], paths: (usize, usize), at: usize) -> Row<'_> {
    let bytes = &all[at * ROW..(at + 1) * ROW];
    let (from, length) = place(bytes);
    // A path that is not there is one of no file.
    Row { path: all[paths.0..paths.1].get(from..from + length).unwrap_or_default(), bytes }
}

fn number_in<const N: usize>(row: &[u8], at: usize) -> [u8; N] {
    row.get(at..at + N).and_then(|part| part.try_into().ok()).unwrap_or([0; N])
}

fn place(row: &[u8]) -> (usize, usize) {
    (u32::from_le_bytes(number_in(row, 0)) as usize, u32::from_le_bytes(number_in(row, 4)) as usize)
}

fn meta(row: &[u8]) -> Meta {
    let long = |n: usize| u64::from_le_bytes(number_in(row, 8 + 8 * n));
    let time = |n: usize| i128::from(i64::from_le_bytes(number_in(row, 8 + 8 * n)));
    let short = |n: usize| u32::from_le_bytes(number_in(row, 48 + 4 * n));
    Meta {
        kind: if row[60] == LINK { Kind::Symlink } else { Kind::File },
        identity: (long(0), long(1)),
        links: 1,
        size: long(2),
        mtime_ns: time(3),
        ctime_ns: time(4),
        mode: short(0),
        owner: (short(1), short(2)),
    }
}

fn seen(row: &[u8]) -> Seen {
    let text = if row[60] == LINK { Text::Link } else { Text::InGit(BlobId::from_bytes(number_in(row, 61))) };
    Seen { meta: meta(row), text }
}

/// A table that is being made.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<u8>,
    paths: Vec<u8>,
}

impl Rows {
    /// Room for so many, with paths of so many bytes in all.
    pub(super) fn with_capacity(count: usize, paths: usize) -> Self {
        Self { rows: Vec::with_capacity(count * ROW + paths), paths: Vec::with_capacity(paths) }
    }

    /// Adds a file, in the order of the paths; says whether a row can say all that is known of it.
    pub(super) fn push(&mut self, path: &[u8], Seen { meta, text }: &Seen) -> bool {
        let blob = match text {
            Text::InGit(id) => *id,
            Text::Link => BlobId::NONE,
            Text::Kept(_) | Text::NotKept => return false,
        };
        let times = i64::try_from(meta.mtime_ns).ok().zip(i64::try_from(meta.ctime_ns).ok());
        let place = u32::try_from(self.paths.len()).ok().zip(u32::try_from(path.len()).ok());
        let (Some((mtime, ctime)), Some((from, length)), 1) = (times, place, meta.links) else { return false };
        let (kind, (device, inode)) = (u8::from(meta.kind == Kind::Symlink) * LINK, meta.identity);
        let row = &mut self.rows;
        [from, length].iter().for_each(|number| row.extend(number.to_le_bytes()));
        [device, inode, meta.size].iter().for_each(|number| row.extend(number.to_le_bytes()));
        [mtime, ctime].iter().for_each(|number| row.extend(number.to_le_bytes()));
        [meta.mode, meta.owner.0, meta.owner.1].iter().for_each(|number| row.extend(number.to_le_bytes()));
        row.push(kind);
        row.extend(blob.as_bytes());
        let checksum = checksum_of(&[&row[row.len() - SAID..], path]);
        row.extend(checksum.to_le_bytes());
        self.paths.extend(path.as_bytes());
        true
    }

    /// All of them.
    pub(super) fn done(self) -> Table {
        let Self { rows: mut bytes, paths } = self;
        let (count, start) = (bytes.len() / ROW, bytes.len());
        bytes.extend(paths);
        // What is on no disk is damaged on none.
        Table { count, paths: (start, bytes.len()), bytes: OnceCell::from(bytes), checksum: 0, file: None }
    }
}
