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
    begun_ns: i128,
}

/// Every other line; the path comes first, by which it is found.
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
}

/// A look that is not ended; it is when this is dropped.
#[derive(Debug)]
pub struct Open {
    files: [PathBuf; 3],
    _claim: Claim,
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
    /// Keeps a snapshot for redraft's own edits, until it is dropped; `meta` says who is looked at.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(place: &StateDir, id: &RecordId, snapshot: &Snapshot, meta: &RecordMeta) -> io::Result<Self> {
        state_dir::make_private(&place.observations())?;
        remove_left(place);
        let files = files_of(place, id.as_str());
        let [tree_file, texts_file, owner] = &files;
        let open = Self { _claim: Claim::take(owner)?, files: files.clone() };
        let Snapshot { files: seen, head, newest, begun_ns } = snapshot;
        let head = Head { meta: Cow::Borrowed(meta), head: *head, newest: newest.clone(), begun_ns: *begun_ns };
        let mut tree = serde_json::to_vec(&head)?;
        let mut texts = Vec::new();
        for (path, Seen { meta, text }) in seen {
            let text = match text {
                Text::InGit(id) => StoredText::InGit(*id),
                Text::NotKept => StoredText::NotKept,
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
        state_dir::write(tree_file, &tree, Durability::Fast)?;
        Ok(open)
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

/// What of a look is read of files that are asked for.
#[derive(Debug)]
pub struct Part {
    /// Who is looked at.
    pub meta: RecordMeta,
    /// Only the files that were asked for.
    pub snapshot: Snapshot,
}

/// All looks that are not ended, the oldest first, with what they saw at these paths. What cannot be read is none.
pub fn open_at(place: &StateDir, paths: &[&RepoPath]) -> Vec<Part> {
    let live = looks(place).into_keys().filter(|id| is_claimed(&files_of(place, id)[2]));
    let mut parts: Vec<Part> = live.filter_map(|id| part(place, &id, paths)).collect();
    parts.sort_by_key(|part| part.snapshot.begun_ns);
    parts
}

fn part(place: &StateDir, id: &str, paths: &[&RepoPath]) -> Option<Part> {
    let [tree, texts, _] = files_of(place, id);
    let tree = state_dir::read(&tree).ok()??;
    let head: Head<'_> = serde_json::from_slice(tree.lines().next()?).ok()?;
    let mut files = BTreeMap::new();
    for path in paths {
        let start = format!("\n{{\"path\":{},", serde_json::to_string(path).ok()?);
        let Some(at) = memchr::memmem::find(&tree, start.as_bytes()) else { continue };
        let line: Line<'_> = serde_json::from_slice(tree[at + 1..].lines().next()?).ok()?;
        let Line { identity, links, size, mtime_ns, ctime_ns, mode, owner, .. } = line;
        let meta = Meta { kind: Kind::File, identity, links, size, mtime_ns, ctime_ns, mode, owner };
        let text = match line.text {
            StoredText::InGit(id) => Text::InGit(id),
            StoredText::NotKept => Text::NotKept,
            StoredText::Kept(start, length) => {
                let texts = state_dir::read(&texts).ok()??;
                let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).ok()?);
                Text::Kept(texts.get(start..start.checked_add(length)?)?.to_vec())
            }
        };
        files.insert((*path).clone(), Seen { meta, text });
    }
    let Head { meta, head, newest, begun_ns } = head;
    Some(Part { meta: meta.into_owned(), snapshot: Snapshot { files, head, newest, begun_ns } })
}
