//! What is being looked at in a working tree: the calls that may be changing it, and how it was when it was last looked at.
//!
//! Owns the file that says so, the lock on it, and which calls cannot go on any more. Does not look at the tree.
//! Invariant: one process at a time changes it; who reads it finds calls and the snapshot that belongs to them.
//!
//! ```text
//! observed/lock         of the ledger; never deleted, or two processes could hold two
//! observed/ledger       one JSON object, and on a line of its own its CRC-32
//! observed/<id>.owner   locked as long as the process of a command is there
//! observed/<name>.*     the snapshot that the ledger names, and the table
//! ```

use super::call::{Call, Lifetime};
use super::session::Sessions;
use super::snapshot::{Earlier, Scope, Snapshot};
use super::stored;
use crate::env::may_run;
use crate::id::RecordId;
use crate::state_dir::{self, Durability, StateDir};
use crate::transaction::{Claim, is_claimed};
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// A call that nobody ends counts so long, in milliseconds: a day.
const LONGEST_CALL_MS: i64 = 24 * 60 * 60 * 1000;

/// So often a reader begins anew where the snapshot is replaced meanwhile.
const MOST_READS: usize = 20;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Content {
    /// Of the form; another one is not read.
    version: u32,
    calls: Vec<Call>,
    /// The name of the snapshot.
    snapshot: Option<String>,
    /// The name of the table that the snapshot is beside, or that the next one may be.
    table: Option<String>,
    /// So many were taken.
    taken: u64,
    sessions: Sessions,
    /// Of the worktree that all of it is about.
    incarnation: Option<String>,
}

impl Content {
    /// What was written of this worktree: nothing of one that was removed, and had its name.
    fn parse(bytes: &[u8], incarnation: Option<&str>) -> io::Result<Self> {
        let content = Self::read(bytes)?;
        let is_other = content.incarnation.as_deref().zip(incarnation).is_some_and(|(was, is)| was != is);
        // The names that were given are not given again.
        Ok(if is_other { Self { version: content.version, taken: content.taken, ..Self::default() } } else { content })
    }

    fn read(bytes: &[u8]) -> io::Result<Self> {
        let (json, checksum) = match bytes.split_once_str("\n") {
            Some((json, checksum)) => (json, Some(checksum)),
            None => (bytes, None),
        };
        let content: Self = serde_json::from_slice(json)?;
        // Redraft before wrote none.
        let is_whole = match checksum {
            Some(checksum) => checksum == checksum_of(json).as_bytes(),
            None => content.version < 5,
        };
        if is_whole { Ok(content) } else { Err(io::ErrorKind::InvalidData.into()) }
    }

    fn write(&self) -> io::Result<Vec<u8>> {
        let json = serde_json::to_vec(self)?;
        let checksum = checksum_of(&json);
        Ok([json, b"\n".to_vec(), checksum.into_bytes()].concat())
    }
}

fn checksum_of(json: &[u8]) -> String {
    format!("{:08x}\n", crc32fast::hash(json))
}

/// The ledger, locked.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    lock: Claim,
    content: Content,
    is_damaged: bool,
    /// Read when it is first asked for.
    snapshot: OnceCell<Option<Snapshot>>,
    table: OnceCell<Option<Earlier>>,
}

impl Ledger {
    /// Locks and reads it; what cannot be read is as if it were not there.
    ///
    /// # Errors
    /// Where its folder cannot be written, or others have it for so long.
    pub fn open(place: &StateDir, timeout: Duration) -> io::Result<Self> {
        let folder = place.observations();
        state_dir::make_private(&folder)?;
        state_dir::make_way(&folder.join("lock"))?;
        let lock = Claim::wait_for(&folder.join("lock"), timeout)?;
        let bytes = state_dir::read_regular(&folder.join(NAME))?;
        let incarnation = place.incarnation();
        let read = bytes.as_ref().map(|bytes| Content::parse(bytes, incarnation.as_deref()));
        let is_damaged = matches!(read, Some(Err(_)));
        let content = Content { incarnation, ..read.and_then(Result::ok).unwrap_or_default() };
        if content.version > VERSION {
            return Err(io::Error::other("it was written by a newer redraft"));
        }
        Ok(Self { folder, lock, content, is_damaged, snapshot: OnceCell::new(), table: OnceCell::new() })
    }

    /// Whether something of it could not be read: then calls that were on their way are not known, or what they changed.
    pub fn is_damaged(&self) -> bool {
        let is_lost = self.snapshot.get().is_some_and(Option::is_none) && self.content.snapshot.is_some();
        self.is_damaged || is_lost
    }

    /// The calls that may be changing files.
    pub fn calls(&self) -> &[Call] {
        &self.content.calls
    }

    /// The calls, to be changed; it counts once the ledger is [saved](Self::save).
    pub fn calls_mut(&mut self) -> &mut Vec<Call> {
        &mut self.content.calls
    }

    /// What is known of sessions.
    pub fn sessions_mut(&mut self) -> &mut Sessions {
        &mut self.content.sessions
    }

    /// How the tree was when it was last looked at.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        let read = || {
            let name = self.content.snapshot.as_ref()?;
            let (snapshot, table) = stored::read(&self.folder, name)?;
            // What is asked of all of the tree is asked of each row.
            if self.scope().has_tree && !snapshot.files.table.as_ref().is_none_or(|table| table.is_whole()) {
                return None;
            }
            if let Some((name, table)) = table
                && self.content.table == Some(name)
            {
                let _ = self.table.set(Some(table));
            }
            Some(snapshot)
        };
        self.snapshot.get_or_init(read).as_ref()
    }

    /// A look at all of the tree, however long ago.
    pub fn earlier(&self) -> Option<&Earlier> {
        self.snapshot();
        let read = || stored::read_table(&self.folder, self.content.table.as_ref()?);
        self.table.get_or_init(read).as_ref()
    }

    /// Forgets that look, where nothing is beside it.
    pub fn forget_earlier(&mut self) {
        if self.content.calls.is_empty() {
            self.content.table = None;
        }
    }

    /// Leaves out calls that cannot go on any more: what changes now is nobody's of them.
    pub fn forget_the_dead(&mut self, now_ms: i64) {
        let Self { folder, content, .. } = self;
        content.calls.retain(|call| is_alive(folder, call, now_ms));
        content.sessions.forget_old(now_ms);
    }

    /// What has to be looked at for the calls.
    pub fn scope(&self) -> Scope {
        let mut scope = Scope::default();
        for call in &self.content.calls {
            match &call.reach {
                super::Reach::Tree | super::Reach::Rest => scope.has_tree = true,
                super::Reach::Paths(paths) => scope.paths.extend(paths.iter().cloned()),
            }
        }
        scope
    }

    /// From this moment on what is written is younger than what was looked at.
    ///
    /// # Errors
    /// Where the lock file cannot be written.
    pub fn next_tick(&self) -> io::Result<i128> {
        self.lock.next_tick()
    }

    /// Claims for this process that a call goes on; it does as long as what is returned is held.
    ///
    /// # Errors
    /// Where the file cannot be made.
    pub fn claim(&self, call: &RecordId) -> io::Result<(Lifetime, Owner)> {
        let name = format!("{call}.owner");
        let file = self.folder.join(&name);
        Ok((Lifetime::Claim(name), Owner { _claim: Claim::take(&file)?, file }))
    }

    /// Writes it, with another snapshot or the one that it has; without calls there is none.
    ///
    /// # Errors
    /// Where it cannot be written; then it is as it was.
    pub fn save(mut self, snapshot: Option<&Snapshot>) -> io::Result<()> {
        self.content.version = VERSION;
        if let Some(snapshot) = snapshot.filter(|_| !self.content.calls.is_empty()) {
            self.content.taken += 1;
            let name = format!("{}", self.content.taken);
            let table = self.table_of(snapshot, &name)?;
            stored::write(&self.folder, &name, (snapshot, table.as_ref().map(|(name, table)| (name.as_str(), table))))?;
            self.content.snapshot = Some(name);
            self.content.table = table.map(|(name, _)| name).or(self.content.table);
        }
        if self.content.calls.is_empty() {
            self.content.snapshot = None;
        }
        let ledger = self.folder.join(NAME);
        if self.content.calls.is_empty() && self.content.sessions.is_empty() {
            self.content.table = None;
            state_dir::remove(&ledger)?;
        } else {
            state_dir::write(&ledger, &self.content.write()?, Durability::Fast)?;
        }
        self.remove_left();
        Ok(())
    }

    /// The table of a snapshot, which is written under this name if it is a new one.
    fn table_of(&self, snapshot: &Snapshot, name: &str) -> io::Result<Option<(String, Earlier)>> {
        let Some(table) = &snapshot.files.table else { return Ok(None) };
        let known = self.table.get().and_then(Option::as_ref).zip(self.content.table.clone());
        if let Some((known, name)) = known.filter(|(known, _)| Rc::ptr_eq(&known.table, table)) {
            return Ok(Some((name, known.clone())));
        }
        let written = stored::write_table(&self.folder, name, (table, snapshot))?;
        Ok(Some((name.to_owned(), written)))
    }

    /// Removes snapshots that nobody names, half-written files, and the claims of processes that are gone.
    fn remove_left(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for name in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
            let is_of =
                |kept: &String| name.strip_prefix(kept.as_str()).is_some_and(|rest| matches!(rest, ".tree" | ".texts"));
            let is_live = || name.ends_with(".owner") && is_held(&self.folder.join(&name));
            let is_table = || self.content.table.as_ref().is_some_and(|table| name == format!("{table}.table"));
            let is_kept = KEPT.contains(&name.as_str()) || name.starts_with(super::troubles::FIRED) || is_table();
            if !is_kept && !self.content.snapshot.iter().any(is_of) && !is_live() {
                let _ = state_dir::remove(&self.folder.join(&name));
            }
        }
    }
}

/// The form of the ledger.
const VERSION: u32 = 5;

/// The ledger's own file.
const NAME: &str = "ledger";

/// What stays in the folder whatever the ledger says.
const KEPT: [&str; 3] = ["lock", NAME, super::troubles::NAME];

/// A claim on a call; it ends with this.
#[derive(Debug)]
#[must_use]
pub struct Owner {
    file: PathBuf,
    _claim: Claim,
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = state_dir::remove(&self.file);
    }
}

fn is_held(owner: &std::path::Path) -> bool {
    state_dir::is_regular(owner) && is_claimed(owner)
}

fn is_alive(folder: &std::path::Path, call: &Call, now_ms: i64) -> bool {
    let is_recent = now_ms - call.began_ms < LONGEST_CALL_MS;
    match &call.lifetime {
        Lifetime::Claim(name) => is_held(&folder.join(name)),
        Lifetime::Process(process) => is_recent && may_run(*process),
        Lifetime::Unknown => is_recent,
    }
}

/// The calls that are on their way, read without the lock.
pub fn calls(place: &StateDir, now_ms: i64) -> Vec<Call> {
    let folder = place.observations();
    let Ok(Some(bytes)) = state_dir::read_regular(&folder.join(NAME)) else { return Vec::new() };
    let mut calls = Content::parse(&bytes, place.incarnation().as_deref()).unwrap_or_default().calls;
    calls.retain(|call| is_alive(&folder, call, now_ms));
    calls
}

/// Gives up what is kept for calls that cannot go on any more.
///
/// # Errors
/// Where the ledger cannot be written, or others have it for so long.
pub fn forget_the_dead(place: &StateDir, timeout: Duration, now_ms: i64) -> io::Result<()> {
    if !is_used(place) {
        return Ok(());
    }
    let mut ledger = Ledger::open(place, timeout)?;
    ledger.forget_the_dead(now_ms);
    ledger.forget_earlier();
    ledger.save(None)
}

/// Gives up the kept texts of some files: what is changed in them is told from then on, and not recorded. Says how many there were.
///
/// # Errors
/// Where the ledger cannot be written, or others have it for so long.
pub fn forget_texts(
    place: &StateDir,
    timeout: Duration,
    is_about: impl Fn(&crate::path::RepoPath) -> bool,
) -> io::Result<usize> {
    if !is_used(place) {
        return Ok(0);
    }
    let ledger = Ledger::open(place, timeout)?;
    let Some(mut snapshot) = ledger.snapshot().cloned() else { return ledger.save(None).map(|()| 0) };
    let count = snapshot.forget_texts(is_about);
    ledger.save(Some(&snapshot))?;
    Ok(count)
}

/// Gives up what the command lines of calls say that may change some files, which a record of them would say again. Says how many there were.
///
/// # Errors
/// Where the ledger cannot be written, or others have it for so long.
pub fn forget_commands(
    place: &StateDir,
    timeout: Duration,
    is_about: impl Fn(&crate::path::RepoPath) -> bool,
) -> io::Result<usize> {
    if !is_used(place) {
        return Ok(0);
    }
    let mut ledger = Ledger::open(place, timeout)?;
    let count = ledger.calls_mut().iter_mut().filter_map(|call| call.forget_command(&is_about)).count();
    if count > 0 {
        ledger.save(None)?;
    }
    Ok(count)
}

/// How many texts of some files are kept; read without the lock.
pub fn kept_texts(place: &StateDir, is_about: impl Fn(&crate::path::RepoPath) -> bool) -> usize {
    let folder = place.observations();
    let bytes = state_dir::read_regular(&folder.join(NAME)).ok().flatten().unwrap_or_default();
    let content = Content::read(&bytes).unwrap_or_default();
    let snapshot = content.snapshot.and_then(|name| stored::read(&folder, &name));
    snapshot.map_or(0, |(mut snapshot, _)| snapshot.forget_texts(is_about))
}

/// Whether anything is, or was, looked at.
pub fn is_used(place: &StateDir) -> bool {
    place.observations().join(NAME).is_file()
}

/// The calls that may be changing the tree, and how it was; read without the lock. None where nothing is looked at.
pub fn peek(place: &StateDir, now_ms: i64) -> Option<(Vec<Call>, Snapshot)> {
    let folder = place.observations();
    let incarnation = place.incarnation();
    for _ in 0..MOST_READS {
        let bytes = state_dir::read_regular(&folder.join(NAME)).ok()??;
        let content = Content::parse(&bytes, incarnation.as_deref()).ok()?;
        let mut calls = content.calls;
        calls.retain(|call| is_alive(&folder, call, now_ms));
        let name = content.snapshot.filter(|_| !calls.is_empty())?;
        if let Some((snapshot, _)) = stored::read(&folder, &name) {
            return Some((calls, snapshot));
        }
    }
    None
}
