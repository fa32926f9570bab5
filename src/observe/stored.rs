//! A snapshot on disk.
//!
//! Owns its form. Invariant: who reads one finds all of it, or nothing.
//!
//! ```text
//! observed/<name>.texts   the texts that git does not have, one behind the other
//! observed/<name>.tree    a line of JSON about it, then one for each file, by path
//! ```

use super::snapshot::{Scope, Seen, Snapshot, Text};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::state_dir::{self, Durability};
use crate::worktree::{Kind, Meta};
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head<'a> {
    scope: Cow<'a, Scope>,
    head: Option<CommitId>,
    newest: Option<RecordId>,
    began_ns: i128,
}

/// Every other line.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    path: Cow<'a, RepoPath>,
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
    let head = Head { scope: Cow::Borrowed(scope), head: *head, newest: newest.clone(), began_ns: *began_ns };
    let mut tree = serde_json::to_vec(&head)?;
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
        let path = Cow::Borrowed(path);
        tree.push(b'\n');
        serde_json::to_writer(&mut tree, &Line { path, identity, links, size, mtime_ns, ctime_ns, mode, owner, text })?;
    }
    tree.push(b'\n');
    let [tree_file, texts_file] = files_of(folder, name);
    state_dir::write(&texts_file, &texts, Durability::Fast)?;
    state_dir::write(&tree_file, &tree, Durability::Fast)
}

/// Reads one; none where it is not there or not whole.
pub(super) fn read(folder: &Path, name: &str) -> Option<Snapshot> {
    let [tree, texts] = files_of(folder, name);
    let (tree, texts) = (state_dir::read(&tree).ok()??, state_dir::read(&texts).ok()??);
    let mut lines = tree.lines();
    let Head { scope, head, newest, began_ns } = serde_json::from_slice(lines.next()?).ok()?;
    let mut files = BTreeMap::new();
    for line in lines {
        let Line { path, identity, links, size, mtime_ns, ctime_ns, mode, owner, text } =
            serde_json::from_slice(line).ok()?;
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
        files.insert(path.into_owned(), Seen { meta, text });
    }
    Some(Snapshot { scope: scope.into_owned(), files, head, newest, began_ns })
}
