//! Git's index: entries read by gix, new ones written by git itself under its lock.
//!
//! gix drops the untracked cache, flattens a split index and turns version 4 into 2; git keeps what it finds. So the index
//! is copied, git changes the copy, and the copy becomes `index.lock`, which a rename puts in place.
//! Invariant of [`IndexLock`]: as long as it lives, `<index>.lock` exists and is ours; dropping it takes it away.

use super::index_sum::{index_id, sum_of};
use super::lock_file::{LockFile, is_one_file};
use super::{GitCall, ObjectId, Repo, RepoError};
use crate::id::BlobId;
use crate::path::RepoPath;
use bstr::ByteSlice;
use gix::index::entry::{Mode, Stage};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An entry of the index, not in conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry {
    /// Of its contents, in git's form.
    pub id: BlobId,
    /// As in a tree.
    pub mode: u32,
    /// Only noted (`git add -N`): the contents are not staged.
    pub intent_to_add: bool,
}

/// What the index has at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexLookup {
    /// Nothing.
    Missing,
    /// A file.
    Entry(IndexEntry),
    /// Nothing of its own: a directory above it is as in HEAD (a sparse index).
    AsInHead,
    /// A conflict.
    Unmerged,
}

/// What the user told git to overlook of a file: whoever writes its entry anew writes it with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overlooked {
    /// `git update-index --skip-worktree`.
    SkipWorktree,
    /// `git update-index --assume-unchanged`.
    AssumeUnchanged,
}

impl Overlooked {
    const ALL: [Self; 2] = [Self::SkipWorktree, Self::AssumeUnchanged];

    fn flag(self) -> gix::index::entry::Flags {
        match self {
            Self::SkipWorktree => gix::index::entry::Flags::SKIP_WORKTREE,
            Self::AssumeUnchanged => gix::index::entry::Flags::ASSUME_VALID,
        }
    }

    fn option(self) -> &'static str {
        match self {
            Self::SkipWorktree => "--skip-worktree",
            Self::AssumeUnchanged => "--assume-unchanged",
        }
    }
}

/// A change of the index: an entry (id and mode), or none.
pub type IndexChange = (RepoPath, Option<(BlobId, u32)>);

/// An index as it was read.
pub struct Index(gix::index::State);

impl Index {
    /// What it has at a path.
    pub fn lookup(&self, path: &RepoPath) -> IndexLookup {
        let raw = path.as_bstr();
        if let Some(entry) = self.0.entry_by_path_and_stage(raw, Stage::Unconflicted) {
            let intent_to_add = entry.flags.contains(gix::index::entry::Flags::INTENT_TO_ADD);
            return IndexLookup::Entry(IndexEntry {
                id: BlobId::from_gix(&entry.id),
                mode: entry.mode.bits(),
                intent_to_add,
            });
        }
        if [Stage::Base, Stage::Ours, Stage::Theirs].iter().any(|&s| self.0.entry_by_path_and_stage(raw, s).is_some()) {
            return IndexLookup::Unmerged;
        }
        let mut above = path.parent();
        while let Some(dir) = above {
            let name = [dir.as_bstr().as_bytes(), b"/"].concat();
            let sparse = self.0.entry_by_path_and_stage(name.as_bstr(), Stage::Unconflicted);
            if sparse.is_some_and(|entry| entry.mode == Mode::DIR) {
                return IndexLookup::AsInHead;
            }
            above = dir.parent();
        }
        IndexLookup::Missing
    }

    /// All of it, as gix has it.
    pub(super) fn state(&self) -> &gix::index::State {
        &self.0
    }

    fn is_overlooked(&self, path: &RepoPath, how: Overlooked) -> bool {
        let entry = self.0.entry_by_path_and_stage(path.as_bstr(), Stage::Unconflicted);
        entry.is_some_and(|entry| entry.flags.contains(how.flag()))
    }

    /// Whether there is an entry for a path, in whatever stage.
    pub fn has(&self, path: &RepoPath) -> bool {
        self.0.entry_index_by_path(path.as_bstr()).is_ok()
    }

    /// The paths that it has; one that redraft would never touch is left out.
    pub fn paths(&self) -> impl Iterator<Item = RepoPath> + '_ {
        self.0.entries().iter().filter_map(|entry| RepoPath::new(entry.path(&self.0)).ok())
    }

    /// The paths of the files that have a blob for which `is_it`.
    pub fn paths_of(&self, is_it: &dyn Fn(BlobId) -> bool) -> impl Iterator<Item = RepoPath> {
        let has = |entry: &&gix::index::Entry| is_it(BlobId::from_gix(&entry.id));
        self.0.entries().iter().filter(has).filter_map(|entry| RepoPath::new(entry.path(&self.0)).ok())
    }

    /// Whether something is below a path.
    pub fn has_below(&self, path: &RepoPath) -> bool {
        let prefix = [path.as_bstr().as_bytes(), b"/"].concat();
        self.0.prefixed_entries(prefix.as_bstr()).is_some()
    }
}

impl Repo {
    /// Reads an index file anew; a missing one is empty.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read_index(&self, path: &Path) -> Result<Index, RepoError> {
        let skip_hash = self.config_bool("index.skipHash")?.unwrap_or(false);
        read(path, if skip_hash { Sum::Overlooked } else { Sum::Checked })
    }

    /// As [`Self::read_index`], without adding up its bytes, which takes longer than all the rest: git does not, either.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn read_index_unchecked(&self, path: &Path) -> Result<Index, RepoError> {
        read(path, Sum::Overlooked)
    }

    /// Changes entries of an index file with git itself.
    ///
    /// # Errors
    /// [`RepoError::Program`].
    pub fn update_index(&self, index: &Path, changes: &[IndexChange]) -> Result<(), RepoError> {
        let mut input = Vec::new();
        for (path, entry) in changes {
            let (id, mode) = entry.unwrap_or((BlobId::NONE, 0));
            input.extend_from_slice(format!("{mode:06o} {id}\t").as_bytes());
            input.extend_from_slice(path.as_bstr());
            input.push(0);
        }
        let call = GitCall::new(["update-index", "--add", "-z", "--index-info"]).index(index).input(input);
        self.run_git(call).map(drop)
    }
}

/// Whether an index is taken for whole only where its bytes add up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    Checked,
    Overlooked,
}

fn read(path: &Path, sum: Sum) -> Result<Index, RepoError> {
    if !path.exists() {
        return Ok(Index(gix::index::State::new(gix::hash::Kind::Sha1)));
    }
    let at = |skip_hash| {
        let options = gix::index::decode::Options::default();
        let file = gix::index::File::at(path, gix::hash::Kind::Sha1, skip_hash, options);
        file.map_err(|error| RepoError::Git { verb: "read the index", cause: error.to_string() })
    };
    let file = match (sum, is_worth_a_thread(path)) {
        (Sum::Overlooked, _) => at(true)?,
        // What does not add up gix says as well as it can be said.
        (Sum::Checked, true) => match read_beside_sum(path, || at(true)) {
            Some(file) => file,
            None => at(false)?,
        },
        (Sum::Checked, false) => at(false)?,
    };
    Ok(Index(file.into_parts().0))
}

/// A smaller index is read at once.
const LARGE: u64 = 1 << 20;

/// Of a split index gix adds up both files.
fn is_worth_a_thread(path: &Path) -> bool {
    let is_shared = |entry: fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b"sharedindex.");
    let is_split = || fs::read_dir(path.parent()?).ok().map(|entries| entries.flatten().any(is_shared));
    fs::metadata(path).is_ok_and(|meta| meta.len() >= LARGE) && is_split() == Some(false)
}

/// What `read` gives, if the index adds up meanwhile.
fn read_beside_sum(
    path: &Path,
    read: impl FnOnce() -> Result<gix::index::File, RepoError>,
) -> Option<gix::index::File> {
    std::thread::scope(|scope| {
        let sum = std::thread::Builder::new().spawn_scoped(scope, || sum_of(path)).ok()?;
        let file = read();
        let sum = sum.join().ok()?.ok()?;
        file.ok().filter(|file| file.checksum().is_none_or(|said| said.as_bytes() == sum))
    })
}

/// The right to change an index, by git's own protocol.
pub struct IndexLock<'r> {
    repo: &'r Repo,
    index: PathBuf,
    lock: LockFile,
    scratch: PathBuf,
}

impl<'r> IndexLock<'r> {
    /// Locks the index file `index`; `scratch` is a file of our own, for what is on its way. A run that is killed leaves
    /// files whose names begin so, by which [`release_left_lock`](super::release_left_lock) knows the lock.
    ///
    /// # Errors
    /// [`RepoError::IndexLocked`] where somebody else holds it for longer than `timeout`.
    pub fn take(repo: &'r Repo, index: &Path, timeout: Duration, scratch: &Path) -> Result<Self, RepoError> {
        // Git follows a symlink to the index.
        let index = fs::canonicalize(index).unwrap_or_else(|_| index.to_owned());
        let mut lock = index.clone().into_os_string();
        lock.push(".lock");
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| RepoError::Io { verb: "lock", path, source }
        };
        let mut lock = LockFile::new(repo.git_dir(), PathBuf::from(lock), scratch).map_err(io(scratch))?;
        let start = repo.env.clock().instant();
        let mut pause = Duration::from_millis(1);
        loop {
            if lock.try_take().map_err(io(lock.path()))? {
                return Ok(Self { repo, index, lock, scratch: scratch.to_owned() });
            }
            let waited = repo.env.clock().instant().duration_since(start);
            if waited >= timeout {
                let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
                return Err(RepoError::IndexLocked { lock: lock.path().to_owned(), waited_ms });
            }
            std::thread::sleep(pause.min(timeout - waited));
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }

    /// The index, without symlinks.
    pub fn index(&self) -> &Path {
        &self.index
    }

    /// The lock file.
    pub fn lock(&self) -> &Path {
        self.lock.path()
    }

    /// The index as it is.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(&self) -> Result<Index, RepoError> {
        self.repo.read_index(&self.index)
    }

    /// Makes the lock file the new index: `old`, as it was read, with these changes. Gives by what [`is_index`](super::is_index)
    /// knows it again.
    ///
    /// # Errors
    /// Where the index cannot be copied, git refuses the entries, or the lock file cannot be replaced.
    pub fn write(&self, old: &Index, changes: &[IndexChange]) -> Result<BlobId, RepoError> {
        let scratch = self.scratch.as_path();
        let io = |verb, path: &Path| {
            let path = path.to_owned();
            move |source| RepoError::Io { verb, path, source }
        };
        // Git writes a new file and renames it, so a second name of the index is as good as a copy.
        remove(scratch).map_err(io("remove", scratch))?;
        if !cfg!(unix) || fs::hard_link(&self.index, scratch).is_err() {
            self.copy_to(scratch)?;
        }
        let written = self.repo.update_index(scratch, changes);
        let written = written.and_then(|()| self.overlook_again(old, changes, scratch));
        let done = written.and_then(|()| {
            if is_one_file(&self.index, scratch) {
                // Nothing was written. Two names of one file cannot take each other's place.
                self.copy_to(scratch)?;
            }
            let id = index_id(scratch).map_err(io("read", scratch))?;
            self.lock.replace(scratch).map_err(io("write", self.lock()))?;
            Ok(id)
        });
        if done.is_err() {
            let _ = fs::remove_file(scratch);
        }
        done
    }

    /// An entry that git writes anew loses what the user told of it, and the next `commit -a` would publish what was hidden.
    fn overlook_again(&self, old: &Index, changes: &[IndexChange], scratch: &Path) -> Result<(), RepoError> {
        for how in Overlooked::ALL {
            let written = changes.iter().filter(|(path, entry)| entry.is_some() && old.is_overlooked(path, how));
            let input: Vec<u8> = written.flat_map(|(path, _)| [path.as_bstr().as_bytes(), b"\0"].concat()).collect();
            if !input.is_empty() {
                let call = GitCall::new(["update-index", how.option(), "-z", "--stdin"]).index(scratch).input(input);
                self.repo.run_git(call)?;
            }
        }
        Ok(())
    }

    /// Copies the index to a file of our own, with its times, by which git knows what may have changed meanwhile.
    ///
    /// # Errors
    /// Where the copy cannot be written; a missing index is none.
    pub fn copy_to(&self, to: &Path) -> Result<(), RepoError> {
        let io = |source| RepoError::Io { verb: "copy the index to", path: to.to_owned(), source };
        // What a killed run left there may be a name of the index itself.
        remove(to).map_err(io)?;
        match fs::copy(&self.index, to) {
            Ok(_) => {
                let times = fs::metadata(&self.index).and_then(|meta| meta.modified()).map_err(io)?;
                fs::File::options().write(true).open(to).and_then(|file| file.set_modified(times)).map_err(io)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(io(error)),
        }
    }

    /// Puts the lock file in the index's place, which releases the lock.
    ///
    /// # Errors
    /// Where the rename fails; the lock is taken away then.
    pub fn commit(self) -> Result<(), RepoError> {
        let Self { index, lock, .. } = self;
        lock.commit(&index).map_err(|source| RepoError::Io { verb: "write", path: index, source })
    }
}

/// Takes a file away, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
