//! A snapshot on disk.
//!
//! Owns its form. Invariant: who reads one finds all of it, or nothing.
//!
//! ```text
//! observed/<name>.texts   the texts that git does not have, one behind the other
//! observed/<name>.tree    what is said of it and how many files it has, then each file, by path (postcard)
//! ```

use super::snapshot::{Scope, Seen, Snapshot, Text};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::state_dir::{self, Durability};
use crate::worktree::{Kind, Meta};
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What stands first.
#[derive(Serialize, Deserialize)]
struct Head {
    /// As JSON.
    scope: Vec<u8>,
    head: Option<CommitId>,
    newest: Option<RecordId>,
    began_ns: i128,
    count: usize,
}

/// Each file.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    path: &'a [u8],
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

/// Writes one; what is under this name is another one's no more.
pub(super) fn write(folder: &Path, name: &str, snapshot: &Snapshot) -> io::Result<()> {
    let Snapshot { scope, files, head, newest, began_ns } = snapshot;
    let scope = serde_json::to_vec(scope)?;
    let head = Head { scope, head: *head, newest: newest.clone(), began_ns: *began_ns, count: files.len() };
    let mut tree = postcard::to_extend(&head, Vec::new()).map_err(io::Error::other)?;
    let mut texts = Vec::new();
    for (path, Seen { meta, text }) in files {
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
        let path = path.as_bstr().as_bytes();
        let line = Line { path, identity, links, size, mtime_ns, ctime_ns, mode, owner, text };
        tree = postcard::to_extend(&line, tree).map_err(io::Error::other)?;
    }
    let [tree_file, texts_file] = files_of(folder, name);
    state_dir::write(&texts_file, &texts, Durability::Fast)?;
    state_dir::write(&tree_file, &tree, Durability::Fast)
}

/// Reads one; none where it is not there or not whole.
pub(super) fn read(folder: &Path, name: &str) -> Option<Snapshot> {
    let [tree, texts] = files_of(folder, name);
    let (tree, texts) = (state_dir::read(&tree).ok()??, state_dir::read(&texts).ok()??);
    let (Head { scope, head, newest, began_ns, count }, mut rest) = postcard::take_from_bytes(&tree).ok()?;
    let mut files = BTreeMap::new();
    for _ in 0..count {
        let line: Line<'_>;
        (line, rest) = postcard::take_from_bytes(rest).ok()?;
        let Line { path, identity, links, size, mtime_ns, ctime_ns, mode, owner, text } = line;
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
        files.insert(RepoPath::new(path).ok()?, Seen { meta, text });
    }
    let scope: Scope = serde_json::from_slice(&scope).ok()?;
    rest.is_empty().then_some(Snapshot { scope, files, head, newest, began_ns })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot() -> Snapshot {
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
        let files = BTreeMap::from([
            (path(b"a"), Seen { meta: meta(6), text: kept.clone() }),
            (path(b"b/\xff\n"), Seen { meta: meta(5), text: Text::InGit(BlobId::from_bytes([7; 20])) }),
            (path(b"c"), Seen { meta: link, text: Text::Link }),
            (path(b"d"), Seen { meta: meta(9), text: Text::NotKept }),
            (path(b"e"), Seen { meta: meta(6), text: kept }),
        ]);
        let scope = Scope { has_tree: true, paths: [path(b"x")].into() };
        let newest = Some(RecordId::from_random([1; 8]));
        Snapshot { scope, files, head: None, newest, began_ns: 5 }
    }

    #[test]
    fn a_snapshot_is_read_as_it_was_written_or_not_at_all() {
        let folder = crate::testing::TestRepo::new();
        let (folder, snapshot) = (folder.root(), snapshot());
        write(&folder, "1", &snapshot).expect("written");
        let read_again = || read(&folder, "1");
        assert_eq!(format!("{:?}", read_again()), format!("{:?}", Some(&snapshot)));
        for file in files_of(&folder, "1") {
            let whole = std::fs::read(&file).expect("there");
            for end in 0..whole.len() {
                std::fs::write(&file, &whole[..end]).expect("written");
                assert!(read_again().is_none(), "{} cut at {end}", file.display());
            }
            std::fs::write(&file, &whole).expect("written");
        }
        assert!(read_again().is_some());
        // The form of before.
        let [tree, _] = files_of(&folder, "1");
        std::fs::write(
            tree,
            "{\"scope\":{\"has_tree\":true,\"paths\":[]},\"head\":null,\"newest\":null,\"began_ns\":1}\n",
        )
        .expect("written");
        assert!(read_again().is_none());
    }
}
