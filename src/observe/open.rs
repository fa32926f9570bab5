//! Looks at the tree that are not ended yet, kept where redraft's own edits find them: what another program did to a file before such
//! an edit has to be recorded before it.
//!
//! Owns their form on disk. One that nobody ends any more counts no longer: what came since is nobody's.
//! Invariant: who reads one finds all of it, or nothing.
//!
//! ```text
//! observed/<id>.owner   locked as long as whoever looks is there
//! observed/<id>.texts   the texts that git does not have, one behind the other
//! observed/<id>.tree    a line of JSON about it, then one for each file, by path
//! ```

use super::snapshot::{Seen, Snapshot, Text};
use crate::id::{BlobId, CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::RecordMeta;
use crate::state_dir::{self, Durability, StateDir};
use crate::transaction::{Claim, is_claimed};
use crate::worktree::{Kind, Meta};
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head<'a> {
    meta: Cow<'a, RecordMeta>,
    head: Option<CommitId>,
    newest: Option<RecordId>,
    ready_ns: i128,
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

/// A look that is not ended; it is when this is dropped.
#[derive(Debug)]
pub struct Open {
    files: [PathBuf; 3],
    claim: Claim,
}

impl Drop for Open {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = state_dir::remove(file);
        }
    }
}

/// The files of one look.
fn files_of(place: &StateDir, id: &str) -> [PathBuf; 3] {
    ["tree", "texts", "owner"].map(|suffix| place.observations().join(format!("{id}.{suffix}")))
}

impl Open {
    /// Begins a look, and takes away what killed ones left.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub fn begin(place: &StateDir, id: &RecordId) -> io::Result<Self> {
        state_dir::make_private(&place.observations())?;
        remove_left(place);
        let files = files_of(place, id.as_str());
        Ok(Self { claim: Claim::take(&files[2])?, files })
    }

    /// Keeps what was seen for redraft's own edits, and says in it from when on the tree may be changed; `meta` says who does.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, snapshot: &mut Snapshot, meta: &RecordMeta) -> io::Result<()> {
        snapshot.is_ready_at(self.claim.next_tick()?);
        let [tree_file, texts_file, _] = &self.files;
        let Snapshot { files: seen, head, newest, ready_ns } = snapshot;
        let head = Head { meta: Cow::Borrowed(meta), head: *head, newest: newest.clone(), ready_ns: *ready_ns };
        let mut tree = serde_json::to_vec(&head)?;
        let mut texts = Vec::new();
        for (path, Seen { meta, text }) in seen {
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
            serde_json::to_writer(
                &mut tree,
                &Line { path, identity, links, size, mtime_ns, ctime_ns, mode, owner, text },
            )?;
        }
        tree.push(b'\n');
        state_dir::write(texts_file, &texts, Durability::Fast)?;
        state_dir::write(tree_file, &tree, Durability::Fast)
    }
}

/// Removes what killed runs left, also half-written files.
fn remove_left(place: &StateDir) {
    for (id, names) in looks(place) {
        if !is_claimed(&files_of(place, &id)[2]) {
            names.iter().for_each(|name| drop(state_dir::remove(&place.observations().join(name))));
        }
    }
}

/// All that lies there, by id.
fn looks(place: &StateDir) -> BTreeMap<String, Vec<String>> {
    let mut looks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(place.observations()) else { return looks };
    for name in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
        let id = name.split('.').next().unwrap_or(&name).to_owned();
        looks.entry(id).or_default().push(name);
    }
    looks
}

/// A look that is not ended, as another process has it.
#[derive(Debug)]
pub struct Look {
    /// Who is looked at.
    pub meta: RecordMeta,
    /// What was seen.
    pub snapshot: Snapshot,
}

/// All looks that are not ended, the oldest first. What cannot be read is none.
pub fn open_looks(place: &StateDir) -> Vec<Look> {
    let live = looks(place).into_keys().filter(|id| is_claimed(&files_of(place, id)[2]));
    let mut looks: Vec<Look> = live.filter_map(|id| read(place, &id)).collect();
    looks.sort_by_key(|look| look.snapshot.ready_ns);
    looks
}

fn read(place: &StateDir, id: &str) -> Option<Look> {
    let [tree, texts, _] = files_of(place, id);
    let (tree, texts) = (state_dir::read(&tree).ok()??, state_dir::read(&texts).ok()??);
    let mut lines = tree.lines();
    let Head { meta, head, newest, ready_ns } = serde_json::from_slice(lines.next()?).ok()?;
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
                Text::Kept(texts.get(start..start.checked_add(length)?)?.to_vec())
            }
        };
        files.insert(path.into_owned(), Seen { meta, text });
    }
    Some(Look { meta: meta.into_owned(), snapshot: Snapshot { files, head, newest, ready_ns } })
}
