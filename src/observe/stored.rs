//! A snapshot on disk.
//!
//! Owns its form. Invariant: who reads one finds all of it, or nothing.
//!
//! ```text
//! observed/<name>.table   what nothing was done to, and behind it which files of the index are not in it (postcard)
//! observed/<name>.texts   the texts that git does not have, one behind the other
//! observed/<name>.tree    what is said of the look and how many files differ from the table, then each of these (postcard), then the
//!                         CRC-32 of the texts, and of all that stands before it, little-endian
//! ```

use super::files::{Files, Tracked};
use super::seen::{Seen, Text};
use super::snapshot::{Earlier, HeadThen, Scope, Snapshot};
use super::table::Table;
use crate::git::{IndexStamp, Remembered};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::state_dir::{self, Durability};
use crate::worktree::{Kind, Meta};
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What stands first.
#[derive(Serialize, Deserialize)]
struct Head {
    /// As JSON.
    scope: Vec<u8>,
    head: HeadThen,
    newest: Option<RecordId>,
    began_ns: i128,
    /// The name of the table, if there is one.
    table: Option<String>,
    tracked: StoredTracked,
    stashed: Vec<CommitId>,
    tips: Vec<CommitId>,
    count: usize,
}

#[derive(Serialize, Deserialize)]
enum StoredTracked {
    /// Not all files of the index were looked at.
    Nothing,
    /// What stands behind the table.
    AsTheTable,
    These(Index),
}

/// The files of an index that are not in the table.
#[derive(Serialize, Deserialize)]
struct Index {
    index: Option<IndexStamp>,
    apart: Vec<(Vec<u8>, Option<Remembered>)>,
}

/// What stands behind a table.
#[derive(Serialize, Deserialize)]
struct Behind {
    tracked: Index,
    /// When the look began that it was made by.
    began_ns: i128,
}

/// Each file; one that is not there looks like nothing.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    path: &'a [u8],
    seen: Option<StoredSeen>,
}

#[derive(Serialize, Deserialize)]
struct StoredSeen {
    identity: (u64, u64),
    links: u64,
    size: u64,
    mtime_ns: i128,
    ctime_ns: i128,
    mode: u32,
    owner: (u32, u32),
    text: StoredText,
}

#[derive(Serialize, Deserialize)]
enum StoredText {
    InGit(BlobId),
    /// Where it begins among the texts, and how long it is.
    Kept(u64, u64),
    NotKept,
    Link,
}

/// The files of a snapshot.
pub(super) fn files_of(folder: &Path, name: &str) -> [PathBuf; 2] {
    ["tree", "texts"].map(|suffix| folder.join(format!("{name}.{suffix}")))
}

/// The file of a table.
pub(super) fn table_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.table"))
}

impl Index {
    fn of(tracked: &Tracked) -> Self {
        let apart = tracked.apart.iter().map(|(path, known)| (path.as_bstr().to_vec(), *known)).collect();
        Self { index: tracked.index.clone(), apart }
    }

    fn tracked(self) -> Option<Rc<Tracked>> {
        let apart = self.apart.into_iter().map(|(path, known)| Some((RepoPath::new(&path).ok()?, known)));
        Some(Rc::new(Tracked { index: self.index, apart: apart.collect::<Option<_>>()? }))
    }
}

/// Writes the table of a snapshot under a name.
pub(super) fn write_table(
    folder: &Path,
    name: &str,
    (table, snapshot): (&Rc<Table>, &Snapshot),
) -> io::Result<Earlier> {
    let tracked = snapshot.tracked.clone().unwrap_or_default();
    let behind = Behind { tracked: Index::of(&tracked), began_ns: snapshot.began_ns };
    let behind = postcard::to_extend(&behind, Vec::new()).map_err(io::Error::other)?;
    table.write(&table_file(folder, name), &behind)?;
    Ok(Earlier { table: Rc::clone(table), tracked, began_ns: snapshot.began_ns })
}

/// Reads a table, or what is needed of it; none where it is not there or not whole.
pub(super) fn read_table(folder: &Path, name: &str) -> Option<Earlier> {
    let (table, behind) = Table::open(&table_file(folder, name))?;
    let Behind { tracked, began_ns } = postcard::from_bytes(&behind).ok()?;
    Some(Earlier { table: Rc::new(table), tracked: tracked.tracked()?, began_ns })
}

/// Writes one; what is under this name is another one's no more. `table` is the name of its table, with what stands behind that.
pub(super) fn write(
    folder: &Path,
    name: &str,
    (snapshot, table): (&Snapshot, Option<(&str, &Earlier)>),
) -> io::Result<()> {
    let Snapshot { scope, files, tracked, head, stashed, tips, newest, began_ns } = snapshot;
    let is_behind = |tracked: &Rc<Tracked>| table.is_some_and(|(_, earlier)| Rc::ptr_eq(&earlier.tracked, tracked));
    let tracked = match tracked {
        None => StoredTracked::Nothing,
        Some(tracked) if is_behind(tracked) => StoredTracked::AsTheTable,
        Some(tracked) => StoredTracked::These(Index::of(tracked)),
    };
    let head = Head {
        scope: serde_json::to_vec(scope)?,
        head: *head,
        newest: newest.clone(),
        began_ns: *began_ns,
        table: table.map(|(name, _)| name.to_owned()),
        tracked,
        stashed: stashed.clone(),
        tips: tips.clone(),
        count: files.beside.len(),
    };
    let mut tree = postcard::to_extend(&head, Vec::new()).map_err(io::Error::other)?;
    let mut texts = Vec::new();
    for (path, seen) in &files.beside {
        let seen = seen.as_ref().map(|seen| StoredSeen::of(seen, &mut texts));
        let line = Line { path: path.as_bstr().as_bytes(), seen };
        tree = postcard::to_extend(&line, tree).map_err(io::Error::other)?;
    }
    // An undo would write a text that nobody ever had.
    tree.extend(crc32fast::hash(&texts).to_le_bytes());
    tree.extend(crc32fast::hash(&tree).to_le_bytes());
    let [tree_file, texts_file] = files_of(folder, name);
    state_dir::write(&texts_file, &texts, Durability::Fast)?;
    state_dir::write(&tree_file, &tree, Durability::Fast)
}

impl StoredSeen {
    fn of(Seen { meta, text }: &Seen, texts: &mut Vec<u8>) -> Self {
        let text = match text {
            Text::InGit(id) => StoredText::InGit(*id),
            Text::NotKept => StoredText::NotKept,
            Text::Link => StoredText::Link,
            Text::Kept(bytes) => {
                texts.extend_from_slice(bytes);
                StoredText::Kept((texts.len() - bytes.len()) as u64, bytes.len() as u64)
            }
        };
        let Meta { kind: _, identity, links, size, mtime_ns, ctime_ns, mode, owner } = *meta;
        Self { identity, links, size, mtime_ns, ctime_ns, mode, owner, text }
    }

    /// None where the texts are not those that belong to it.
    fn seen(self, texts: &[u8]) -> Option<Seen> {
        let Self { identity, links, size, mtime_ns, ctime_ns, mode, owner, text } = self;
        let kind = if matches!(text, StoredText::Link) { Kind::Symlink } else { Kind::File };
        let meta = Meta { kind, identity, links, size, mtime_ns, ctime_ns, mode, owner };
        let text = match text {
            StoredText::InGit(id) => Text::InGit(id),
            StoredText::NotKept => Text::NotKept,
            StoredText::Link => Text::Link,
            StoredText::Kept(start, length) => {
                let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).ok()?);
                Text::Kept(Rc::new(texts.get(start..start.checked_add(length)?)?.to_vec()))
            }
        };
        Some(Seen { meta, text })
    }
}

/// What stands before the checksums; none where they are not those of it and of the texts.
fn whole<'t>(tree: &'t [u8], texts: &[u8]) -> Option<&'t [u8]> {
    let (before, of_all) = tree.split_last_chunk::<4>()?;
    let (said, of_texts) = before.split_last_chunk::<4>()?;
    let is_whole =
        *of_all == crc32fast::hash(before).to_le_bytes() && *of_texts == crc32fast::hash(texts).to_le_bytes();
    is_whole.then_some(said)
}

/// Reads one, with the name of its table; none where it is not there or not whole.
pub(super) fn read(folder: &Path, name: &str) -> Option<(Snapshot, Option<(String, Earlier)>)> {
    let [tree, texts] = files_of(folder, name);
    let (tree, texts) = (state_dir::read_regular(&tree).ok()??, state_dir::read_regular(&texts).ok()??);
    let (head, mut rest): (Head, _) = postcard::take_from_bytes(whole(&tree, &texts)?).ok()?;
    let Head { scope, head, newest, began_ns, table: table_name, tracked, stashed, tips, count } = head;
    let table = match table_name {
        Some(name) => Some((read_table(folder, &name)?, name)),
        None => None,
    };
    let tracked = match tracked {
        StoredTracked::Nothing => None,
        StoredTracked::AsTheTable => Some(Rc::clone(&table.as_ref()?.0.tracked)),
        StoredTracked::These(index) => Some(index.tracked()?),
    };
    let mut files = Files::of(table.as_ref().map(|(earlier, _)| Rc::clone(&earlier.table)));
    for _ in 0..count {
        let line: Line<'_>;
        (line, rest) = postcard::take_from_bytes(rest).ok()?;
        let seen = match line.seen {
            Some(seen) => Some(seen.seen(&texts)?),
            None => None,
        };
        files.beside.insert(RepoPath::new(line.path).ok()?, seen);
    }
    let scope: Scope = serde_json::from_slice(&scope).ok()?;
    let snapshot = Snapshot { scope, files, tracked, head, stashed, tips, newest, began_ns };
    rest.is_empty().then_some((snapshot, table.map(|(earlier, name)| (name, earlier))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::table::Rows;

    /// Beside a table, and without one.
    fn snapshots() -> [Snapshot; 2] {
        let meta = |size| Meta {
            kind: Kind::File,
            identity: (1, 2),
            links: 1,
            size,
            mtime_ns: 1_700_000_000_000_000_001,
            ctime_ns: -1,
            mode: 0o100_644,
            owner: (3, 4),
        };
        let path = |name: &[u8]| RepoPath::new(name).expect("a path");
        let kept = Text::Kept(Rc::new(b"kept\0\xff".to_vec()));
        let link = Meta { kind: Kind::Symlink, ..meta(4) };
        let in_git = Text::InGit(BlobId::from_bytes([7; 20]));
        let mut rows = Rows::default();
        assert!(rows.push(b"a", &Seen { meta: meta(5), text: in_git.clone() }));
        assert!(!rows.push(b"b", &Seen { meta: meta(5), text: kept.clone() }));
        assert!(!rows.push(b"b", &Seen { meta: Meta { links: 2, ..meta(5) }, text: in_git.clone() }));
        assert!(rows.push(b"c/\xff\n", &Seen { meta: meta(6), text: in_git.clone() }));
        assert!(rows.push(b"d", &Seen { meta: link, text: Text::Link }));
        let mut files = Files::of(Some(Rc::new(rows.done())));
        files.set(path(b"a"), Some(Seen { meta: meta(6), text: kept.clone() }));
        files.set(path(b"d"), None);
        let mut others = Files::default();
        others.set(path(b"b/\xff\n"), Some(Seen { meta: meta(5), text: in_git }));
        others.set(path(b"c"), Some(Seen { meta: link, text: Text::Link }));
        others.set(path(b"d"), Some(Seen { meta: meta(9), text: Text::NotKept }));
        others.set(path(b"e"), Some(Seen { meta: meta(6), text: kept }));
        let apart = [(path(b"f"), None), (path(b"g"), Some(Remembered::text(BlobId::from_bytes([8; 20]))))];
        let tracked = Some(Rc::new(Tracked { index: None, apart: apart.into() }));
        [(files, tracked), (others, None)].map(|(files, tracked)| {
            let scope = Scope { has_tree: tracked.is_some(), paths: [path(b"x")].into() };
            let newest = Some(RecordId::from_random([1; 8]));
            let [stashed, tips] = [4, 6].map(|n| vec![CommitId::from_bytes([n; 20])]);
            Snapshot { scope, files, tracked, head: HeadThen { id: None, log: 7 }, stashed, tips, newest, began_ns: 5 }
        })
    }

    /// All that a snapshot says.
    fn said(snapshot: &Snapshot) -> String {
        let Snapshot { scope, files, tracked, head, stashed, tips, newest, began_ns } = snapshot;
        let rows = files.table.iter().flat_map(|table| table.rows().expect("read"));
        let rows =
            rows.map(|row| (row.path.to_vec(), files.get(&RepoPath::new(row.path).expect("a path")).expect("read")));
        let rows: Vec<_> = rows.collect();
        format!("{scope:?} {rows:?} {:?} {tracked:?} {head:?} {stashed:?} {tips:?} {newest:?} {began_ns}", files.beside)
    }

    #[test]
    fn a_snapshot_is_read_as_it_was_written_or_not_at_all() {
        let folder = crate::testing::TestRepo::new();
        let folder = folder.root();
        for snapshot in snapshots() {
            let table = snapshot.files.table.clone();
            let written = table.map(|table| write_table(&folder, "t", (&table, &snapshot)).expect("written"));
            write(&folder, "1", (&snapshot, written.as_ref().map(|table| ("t", table)))).expect("written");
            let read_again = || read(&folder, "1").map(|(snapshot, _)| said(&snapshot));
            assert_eq!(read_again(), Some(said(&snapshot)));
            for file in files_of(&folder, "1") {
                let whole = std::fs::read(&file).expect("there");
                for bit in 0..8 * whole.len() {
                    let mut flipped = whole.clone();
                    flipped[bit / 8] ^= 1 << (bit % 8);
                    std::fs::write(&file, &flipped).expect("written");
                    assert!(read_again().is_none(), "{}, bit {bit}", file.display());
                }
                std::fs::write(&file, &whole).expect("written");
            }
            let table = written.map(|_| table_file(&folder, "t"));
            let whole = table.as_ref().map(|file| std::fs::read(file).expect("there")).unwrap_or_default();
            for bit in 0..8 * whole.len() {
                let mut flipped = whole.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                std::fs::write(table.as_ref().expect("a table"), &flipped).expect("written");
                let Some((read, _)) = read(&folder, "1") else { continue };
                let table = read.files.table.expect("a table");
                for name in [b"a", b"d"] {
                    let found = table.get(&RepoPath::new(name).expect("a path"));
                    let want = snapshot.files.table.as_ref().expect("one").get(&RepoPath::new(name).expect("a path"));
                    let is_same = |found| format!("{found:?}") == format!("{:?}", want.as_ref().expect("read"));
                    assert!(found.is_err() || found.is_ok_and(is_same), "bit {bit}");
                }
                assert!(!table.is_whole(), "bit {bit}");
            }
            if let Some(table) = &table {
                std::fs::write(table, &whole).expect("written");
            }
            for file in files_of(&folder, "1").into_iter().chain(table) {
                let whole = std::fs::read(&file).expect("there");
                for end in 0..whole.len() {
                    std::fs::write(&file, &whole[..end]).expect("written");
                    assert!(read_again().is_none(), "{} cut at {end}", file.display());
                }
                std::fs::write(&file, &whole).expect("written");
            }
            assert!(read_again().is_some());
        }
        // The form of before.
        let [tree, _] = files_of(&folder, "1");
        std::fs::write(
            tree,
            "{\"scope\":{\"has_tree\":true,\"paths\":[]},\"head\":null,\"newest\":null,\"began_ns\":1}\n",
        )
        .expect("written");
        assert!(read(&folder, "1").is_none());
    }

    #[test]
    fn one_file_is_found_among_many_rows_without_reading_all_of_them() {
        let folder = crate::testing::TestRepo::new();
        let folder = folder.root();
        let [snapshot, _] = snapshots();
        let Some(Seen { meta, .. }) = snapshot.files.get(&RepoPath::new(b"a").expect("a path")).expect("read") else {
            panic!("no file")
        };
        let mut rows = Rows::default();
        let name = |n: u64| format!("d{:02}/f{n:04}", n / 100);
        for n in (0..1_000).filter(|n| n % 3 != 0) {
            let text = Text::InGit(BlobId::from_bytes([n as u8; 20]));
            rows.push(name(n).as_bytes(), &Seen { meta: Meta { size: n, ..meta }, text });
        }
        let table = Rc::new(rows.done());
        write_table(&folder, "t", (&table, &snapshot)).expect("written");
        let Earlier { table, .. } = read_table(&folder, "t").expect("read");
        for n in 0..1_000 {
            let seen = table.get(&RepoPath::new(name(n).as_bytes()).expect("a path")).expect("read");
            assert_eq!(seen.map(|seen| seen.meta.size), (n % 3 != 0).then_some(n));
        }
        assert!(!table.is_read(), "a few rows are enough");
    }
}
