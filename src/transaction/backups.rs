//! The plain copies kept for a human: listed, restored with `cp`, pruned by count, age and size.
//!
//! Owns what is in their folder once a transaction is over; `backup_folder.rs` fills it. Does not know which records there
//! are. Invariant: a backup goes only by the retention, or by a purge, and of a transaction that did not happen.

use super::error::TransactionError as Error;
use super::state::State;
use super::swap::{Slot, copy};
use super::{Durability, Transaction};
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::state_dir::StateDir;
use crate::worktree::dir::{Dir, Kind, Meta};
use bstr::{BStr, ByteSlice};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::PathBuf;
use std::rc::Rc;

/// A backup on its way from a name of the user's file to a copy of it, among the staged files.
const PARTED: &str = "parted";

/// Of a file: device and inode.
type Identity = (u64, u64);

/// The old files of one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// The name of the folder: UTC timestamp and record.
    pub name: String,
    /// When, as the name says: `20261121T040141.123Z`.
    pub time: jiff::Timestamp,
    /// Of the transaction.
    pub id: RecordId,
    /// The absolute folder.
    pub folder: PathBuf,
    /// The files in it, with their sizes in bytes.
    pub files: Vec<(RepoPath, u64)>,
}

impl Backup {
    /// All its files, in bytes.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|(_, size)| size).sum()
    }
}

/// How many backups stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupRetention {
    /// At most so many transactions.
    pub count: Option<usize>,
    /// None older than so many seconds.
    pub age_seconds: Option<u64>,
    /// At most so many bytes.
    pub bytes: Option<u64>,
}

impl BackupRetention {
    /// Whether the backup with this number, the newest being 1, of so many seconds ago stays, as far as its size has nothing to do with it.
    fn keeps(&self, number: usize, seconds: i64) -> bool {
        let age = u64::try_from(seconds).unwrap_or(0);
        self.count.is_none_or(|most| number <= most) && self.age_seconds.is_none_or(|most| age <= most)
    }
}

impl Default for BackupRetention {
    fn default() -> Self {
        Self { count: Some(1000), age_seconds: Some(30 * 24 * 3600), bytes: Some(1 << 30) }
    }
}

/// The backups, newest first.
///
/// # Errors
/// Where the folder of backups, or one in it, cannot be listed.
pub fn backups(state: &State) -> Result<Vec<Backup>, Error> {
    let io = |verb| Error::io(verb, "the folder of backups");
    let mut found = Vec::new();
    for name in state.backups.names().map_err(io("list"))? {
        let Some((time, id)) = parse_name(name.as_bstr()) else { continue };
        let dir = state.backups.child(name.as_bstr()).map_err(io("open"))?;
        let mut files = Vec::new();
        list(&dir, None, &mut files).map_err(io("list"))?;
        let name = name.to_string();
        found.push(Backup { folder: state.backups_path().join(&name), name, time, id, files });
    }
    found.sort_by(|a, b| b.name.cmp(&a.name));
    Ok(found)
}

/// The backups beyond the retention, but for those in `keep` (their records are not sealed yet).
///
/// # Errors
/// Where the folder cannot be read.
pub fn surplus(
    state: &State,
    retention: BackupRetention,
    now: jiff::Timestamp,
    keep: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Backup>, Error> {
    let (mut count, mut bytes) = (0, 0_u64);
    let mut found = backups(state)?;
    found.retain(|backup| {
        count += 1;
        bytes = bytes.saturating_add(backup.size());
        let is_over = !retention.keeps(count, now.as_second() - backup.time.as_second())
            || retention.bytes.is_some_and(|most| bytes > most);
        is_over && !keep(&backup.id)
    });
    Ok(found)
}

/// Removes the backups beyond the retention, once all records are sealed; returns what was removed.
///
/// # Errors
/// Where one cannot be removed; the others after it stay.
pub fn prune(state: &State, retention: BackupRetention, now: jiff::Timestamp) -> Result<Vec<Backup>, Error> {
    let surplus = surplus(state, retention, now, &|_| false)?;
    for backup in &surplus {
        let raw = backup.name.as_bytes().as_bstr();
        remove_tree(&state.backups, raw).map_err(Error::io("remove", format!("backup {}", backup.name)))?;
    }
    Ok(surplus)
}

/// Removes those of the backups beyond the retention whose names tell it: by their number and age. Looking at their sizes takes a
/// hundred times as long.
///
/// # Errors
/// As [`prune`].
pub fn prune_by_name(state: &State, retention: BackupRetention, now: jiff::Timestamp) -> Result<(), Error> {
    let names = state.backups.names().map_err(Error::io("list", "the folder of backups"))?;
    let mut found: Vec<(&BStr, jiff::Timestamp)> =
        names.iter().filter_map(|name| Some((name.as_bstr(), parse_name(name.as_bstr())?.0))).collect();
    found.sort_by(|a, b| b.0.cmp(a.0));
    for (before, (name, time)) in found.into_iter().enumerate() {
        if !retention.keeps(before + 1, now.as_second() - time.as_second()) {
            remove_tree(&state.backups, name).map_err(Error::io("remove", format!("backup {name}")))?;
        }
    }
    Ok(())
}

/// How many names each of these files has among the backups: where a run was killed or the power was cut, a backup may still
/// be the file itself. When the next transaction begins, it is parted from it.
///
/// # Errors
/// Where the folder of backups, or one in it, cannot be listed.
pub fn backup_links<'m>(
    place: &StateDir,
    files: impl Iterator<Item = &'m Meta>,
) -> Result<HashMap<Identity, u64>, Error> {
    let mut links = HashMap::new();
    if let Some(state) = State::open_existing(place)? {
        at_links(&state, files, &mut |_, _, identity| {
            *links.entry(identity).or_default() += 1;
            Ok(())
        })?;
    }
    Ok(links)
}

impl Transaction {
    /// Parts these files from the backups that are the very same files: such a backup becomes a copy, so that it stays what
    /// it is whatever becomes of the file, and the file has no name that is not the user's. One that a power cut took from its
    /// transaction is told from one of a record nowhere but in the history, so none is removed.
    ///
    /// # Errors
    /// Where the folder of backups cannot be read, or a copy not be made.
    pub fn part_from_backups<'m>(&self, files: impl Iterator<Item = &'m Meta>) -> Result<(), Error> {
        at_links(&self.hold.state, files, &mut |dir, name, _| {
            let copied = Slot::new(Rc::clone(&self.hold.stage), PARTED.into());
            self.hold.stage.unlink(PARTED.into())?;
            let copy = copy(&Slot::new(Rc::new(dir.beneath(None)?), name), &copied)?;
            if self.hold.durability == Durability::Full {
                copy.sync_all()?;
            }
            // Lost in a power cut, this leaves the backup as it was.
            self.hold.stage.rename(PARTED.into(), dir, name)
        })
    }
}

/// Calls `at` with each name among the backups that is one of these files itself.
fn at_links<'m>(
    state: &State,
    files: impl Iterator<Item = &'m Meta>,
    at: &mut dyn FnMut(&Dir, &BStr, Identity) -> io::Result<()>,
) -> Result<(), Error> {
    let linked: HashSet<Identity> = files.filter(|meta| meta.links > 1).map(|meta| meta.identity).collect();
    if linked.is_empty() {
        return Ok(());
    }
    let io = |verb| Error::io(verb, "the folder of backups");
    for folder in state.backups.names().map_err(io("list"))? {
        let mut look = |dir: &Dir, name: &BStr| match dir.look(name)?.map(|meta| meta.identity) {
            Some(identity) if linked.contains(&identity) => at(dir, name, identity),
            _ => Ok(()),
        };
        walk(&state.backups, folder.as_bstr(), &mut look, Folders::Stay).map_err(io("look through"))?;
    }
    Ok(())
}

/// The records that have a folder of backups in `folder`.
pub fn backup_ids(folder: &std::path::Path) -> Vec<RecordId> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter_map(|name| Some(parse_name(name.as_bytes().as_bstr())?.1)).collect()
}

/// The record whose old files a folder of backups has.
pub fn backup_id(folder: &std::path::Path) -> Option<RecordId> {
    Some(parse_name(folder.file_name()?.as_encoded_bytes().as_bstr())?.1)
}

fn parse_name(name: &BStr) -> Option<(jiff::Timestamp, RecordId)> {
    let (time, id) = name.to_str().ok()?.split_once('-')?;
    let digits = |from: usize, to: usize| time.get(from..to);
    let iso = format!(
        "{}-{}-{}T{}:{}:{}",
        digits(0, 4)?,
        digits(4, 6)?,
        digits(6, 8)?,
        digits(9, 11)?,
        digits(11, 13)?,
        digits(13, time.len())?
    );
    Some((iso.parse().ok()?, RecordId::parse(id)?))
}

fn list(dir: &Dir, at: Option<&RepoPath>, files: &mut Vec<(RepoPath, u64)>) -> io::Result<()> {
    let mut names = dir.names()?;
    names.sort();
    for name in names {
        let Ok(path) = RepoPath::new(&name) else { continue };
        let path = path.below(at);
        match dir.look(name.as_bstr())? {
            Some(meta) if meta.kind == Kind::Directory => list(&dir.child(name.as_bstr())?, Some(&path), files)?,
            Some(meta) => files.push((path, meta.size)),
            None => {}
        }
    }
    Ok(())
}

/// Removes a folder with all that is in it.
pub(super) fn remove_tree(parent: &Dir, name: &BStr) -> io::Result<()> {
    walk(parent, name, &mut |dir, file| dir.unlink(file), Folders::Go)?;
    parent.rmdir(name).map(drop)
}

/// Removes the files of a folder that have other names too, and the folders that are empty then.
pub(super) fn unlink_shared(parent: &Dir, name: &BStr) -> io::Result<()> {
    let mut unlink = |dir: &Dir, file: &BStr| match dir.look(file)? {
        Some(meta) if meta.links > 1 => dir.unlink(file),
        _ => Ok(()),
    };
    walk(parent, name, &mut unlink, Folders::Go)?;
    parent.rmdir(name).map(drop)
}

/// What becomes of the folders that are walked through, once their files were seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Folders {
    Stay,
    Go,
}

fn walk(
    parent: &Dir,
    name: &BStr,
    at_file: &mut dyn FnMut(&Dir, &BStr) -> io::Result<()>,
    folders: Folders,
) -> io::Result<()> {
    let dir = match parent.child(name) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(()),
        opened => opened?,
    };
    for name in dir.names()? {
        match dir.look(name.as_bstr())? {
            Some(meta) if meta.kind == Kind::Directory => {
                walk(&dir, name.as_bstr(), at_file, folders)?;
                if folders == Folders::Go {
                    dir.rmdir(name.as_bstr())?;
                }
            }
            Some(_) => at_file(&dir, name.as_bstr())?,
            None => {}
        }
    }
    Ok(())
}
