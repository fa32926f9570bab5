//! Commits and trees by their ids, without loading what grows with the repository.
//!
//! gix reads a table of every pack index that it opens from end to end. Here the few entries on the way to one object are
//! read, and nothing else. What is not found this way (alternates, replaced objects, damage) is left to gix.
//! Invariant: an object that is given has the id that was asked for; it is hashed.

use super::object_id::ObjectId;
use gix::objs::Kind;
use gix::odb::pack;
use gix::oid;

use std::cell::{OnceCell, RefCell};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

/// The object directory of a repository: its loose objects and its packs.
pub(super) struct Objects {
    folder: PathBuf,
    packs: OnceCell<Vec<Pack>>,
    inflate: RefCell<gix::zlib::Inflate>,
}

struct Pack {
    index: PathBuf,
    table: OnceCell<Option<Table>>,
    data: OnceCell<Option<pack::data::File>>,
}

impl Objects {
    /// Of the object directory `folder`.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), packs: OnceCell::new(), inflate: RefCell::default() }
    }

    /// The object with this id; `None` where it is not found here.
    pub fn find<I: ObjectId>(&self, id: I) -> Option<Vec<u8>> {
        let (mut out, name) = (Vec::new(), id.to_gix());
        let found = self.loose(&name, &mut out).or_else(|| self.in_packs(&name, &mut out))?;
        (found == I::KIND && I::of(&out) == id).then_some(out)
    }

    /// A loose object of moderate size, as those of HEAD are.
    fn loose(&self, id: &oid, out: &mut Vec<u8>) -> Option<Kind> {
        const LARGEST: usize = 1 << 20;
        let name = id.to_string();
        let packed = std::fs::read(self.folder.join(&name[..2]).join(&name[2..])).ok()?;
        let mut inflate = self.inflate.borrow_mut();
        let mut size = (packed.len() * 4).max(1 << 10);
        let read = loop {
            out.resize(size, 0);
            inflate.reset();
            match inflate.once(&packed, out) {
                Ok((gix::zlib::Status::StreamEnd, _, read)) => break read,
                _ if size >= LARGEST => return None,
                _ => size *= 4,
            }
        };
        out.truncate(read);
        let (kind, size, head) = gix::objs::decode::loose_header(out).ok()?;
        out.drain(..head);
        (out.len() as u64 == size).then_some(kind)
    }

    fn in_packs(&self, id: &oid, out: &mut Vec<u8>) -> Option<Kind> {
        self.packs().iter().find_map(|pack| {
            let offset = pack.table()?.offset_of(id).ok()??;
            let data = pack.data()?;
            let entry = data.entry(offset).ok()?;
            let base = |id: &oid, _: &mut Vec<u8>| {
                let offset = pack.table().and_then(|table| table.offset_of(id).ok()?);
                offset.map(|offset| data.entry(offset).map(pack::data::decode::entry::ResolvedBase::InPack)).transpose()
            };
            let mut inflate = self.inflate.borrow_mut();
            let done = data.decode_entry(entry, out, &mut inflate, &base, &mut pack::cache::Never);
            Some(done.ok()?.kind)
        })
    }

    fn packs(&self) -> &[Pack] {
        self.packs.get_or_init(|| {
            let entries = std::fs::read_dir(self.folder.join("pack")).into_iter().flatten();
            let indices = entries.filter_map(|entry| Some(entry.ok()?.path()));
            indices
                .filter(|path| path.extension().is_some_and(|extension| extension == "idx"))
                .map(|index| Pack { index, table: OnceCell::new(), data: OnceCell::new() })
                .collect()
        })
    }
}

impl Pack {
    fn table(&self) -> Option<&Table> {
        self.table.get_or_init(|| Table::open(&self.index).ok()?).as_ref()
    }

    fn data(&self) -> Option<&pack::data::File> {
        self.data.get_or_init(|| pack::data::File::at(self.index.with_extension("pack"), SHA1).ok()).as_ref()
    }
}

/// A pack index of version 2, read where it is needed (gitformat-pack(5)).
#[derive(Debug)]
struct Table {
    file: File,
    fan: Box<[u8; 1024]>,
}

const HEAD: u64 = 8;
const FAN: u64 = 1024;

impl Table {
    /// `None` for other versions.
    fn open(path: &Path) -> io::Result<Option<Self>> {
        let file = File::open(path)?;
        let mut head = [0; (HEAD + FAN) as usize];
        read_at(&file, &mut head, 0)?;
        let fan = head.last_chunk::<{ FAN as usize }>().expect("the head is longer").to_owned();
        Ok(head.starts_with(b"\xfftOc\0\0\0\x02").then(|| Self { file, fan: Box::new(fan) }))
    }

    /// How many objects have a first byte up to `first`.
    fn up_to(&self, first: usize) -> u64 {
        let at = first * 4;
        let bytes = self.fan[at..at + 4].first_chunk::<4>().copied().unwrap_or_default();
        u64::from(u32::from_be_bytes(bytes))
    }

    /// Where in the pack the object is.
    fn offset_of(&self, id: &oid) -> io::Result<Option<u64>> {
        // A window of a page or so; ids are spread evenly, so the first one mostly has the one that is wanted.
        const WINDOW: u64 = 64;
        let first = usize::from(id.first_byte());
        let (mut low, mut high) = (first.checked_sub(1).map_or(0, |before| self.up_to(before)), self.up_to(first));
        let share = id.as_bytes()[1..4].iter().fold(0, |sum, &byte| (sum << 8) | u64::from(byte));
        let mut guess = low + ((high.saturating_sub(low) * share) >> 24);
        let mut names = [0; (WINDOW * 20) as usize];
        while low < high {
            let count = (high - low).min(WINDOW);
            let from = guess.saturating_sub(count / 2).clamp(low, high - count);
            let names = &mut names[..(count * 20) as usize];
            read_at(&self.file, names, HEAD + FAN + from * 20)?;
            let (names, _) = names.as_chunks::<20>();
            match names.binary_search_by(|name| name[..].cmp(id.as_bytes())) {
                Ok(n) => return self.offset(from + n as u64).map(Some),
                Err(0) => high = from,
                Err(n) if n as u64 == count => low = from + count,
                Err(_) => return Ok(None),
            }
            guess = low + high.saturating_sub(low) / 2;
        }
        Ok(None)
    }

    /// The offset of entry `n`: 31 bits, or the number of one of 64 bits.
    fn offset(&self, n: u64) -> io::Result<u64> {
        let all = self.up_to(255);
        // Behind the ids stands a checksum of 4 bytes for each.
        let offsets = HEAD + FAN + all * 24;
        let mut small = [0; 4];
        read_at(&self.file, &mut small, offsets + n * 4)?;
        let small = u32::from_be_bytes(small);
        if small >> 31 == 0 {
            return Ok(u64::from(small));
        }
        let mut large = [0; 8];
        read_at(&self.file, &mut large, offsets + all * 4 + u64::from(small & 0x7fff_ffff) * 8)?;
        Ok(u64::from_be_bytes(large))
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of these ids, in order; the offset of each is its place times 10, the last one's beyond 32 bits.
    fn index(ids: &[[u8; 20]]) -> Vec<u8> {
        let mut out = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255 {
            let count = ids.iter().filter(|id| id[0] <= first).count();
            out.extend_from_slice(&u32::try_from(count).expect("few").to_be_bytes());
        }
        out.extend(ids.iter().flatten());
        out.extend(ids.iter().flat_map(|_| [0; 4]));
        for n in 1..ids.len() {
            out.extend_from_slice(&u32::try_from((n - 1) * 10).expect("few").to_be_bytes());
        }
        out.extend_from_slice(&[0x80, 0, 0, 0]);
        out.extend_from_slice(&(1_u64 << 40).to_be_bytes());
        out
    }

    #[test]
    fn every_id_of_a_pack_is_found_in_its_index_however_unevenly_they_are_spread() {
        let spread = |n: u32| blob_id_of(&n.to_be_bytes());
        let crowded = |n: u32| {
            let mut id = [7; 20];
            id[16..].copy_from_slice(&n.to_be_bytes());
            id
        };
        for count in [1, 63, 64, 65, 1000, 5000] {
            let mut ids: Vec<_> = (0..count).map(spread).chain((0..count).map(crowded)).collect();
            ids.sort_unstable();
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("pack-x.idx");
            std::fs::write(&path, index(&ids)).expect("writes");
            let table = Table::open(&path).expect("opens").expect("version 2");
            let find = |id: &[u8; 20]| table.offset_of(oid::from_bytes_unchecked(id)).expect("reads");
            let (last, others) = ids.split_last().expect("some");
            for (n, id) in others.iter().enumerate() {
                assert_eq!(find(id), Some(n as u64 * 10), "{count}, {n}");
            }
            assert_eq!(find(last), Some(1 << 40));
            assert_eq!(find(&[0; 20]), None);
            assert_eq!(find(&[0xff; 20]), None);
            assert_eq!(find(&crowded(count)), None);
        }
    }

    fn blob_id_of(bytes: &[u8]) -> [u8; 20] {
        *crate::git::blob_id(bytes).as_bytes()
    }
}
