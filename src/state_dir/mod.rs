//! redraft's own folder, `<common git dir>/redraft`: where everything in it lies, and the one way small files are written.
//!
//! Owns the names, and that whoever reads a small file finds the old one or the new one, never a part. Does not know what
//! the files say, and does not hold the lock.
//! Invariant: mode 0700; nothing here lies in a worktree's own git directory, so that `git worktree remove` takes no record.
//!
//! ```text
//! redraft/worktrees/<name>/{lock,journal,stage,backups,unrecorded,requests,sessions,observed,incarnation,trailers}   of one worktree: `main`, or a linked one's name
//! redraft/history.git                                                       of all
//! redraft/{commits,reviewed}                                                of all, told by git's hooks
//! redraft/hunk-edit-<process>.diff                                          while an editor has it
//! ```

mod small_file;

pub use small_file::{
    Durability, append_lines, blank_out, is_regular, make_private, make_way, read, read_regular, remove, sync_dir,
    write, write_by, write_parts,
};

use crate::git::Repo;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const NAME: &str = "redraft";
const WORKTREES: &str = "worktrees";

/// The places of redraft's files, for one worktree; nothing of it need exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDir {
    top: PathBuf,
    worktree: String,
    path: PathBuf,
}

impl StateDir {
    /// That of a worktree, by the git directory that all worktrees share and by its name.
    pub fn new(common_dir: &Path, worktree: &str) -> Self {
        let top = common_dir.join(NAME);
        let path = top.join(WORKTREES).join(worktree);
        Self { top, worktree: worktree.to_owned(), path }
    }

    /// That of a repository's worktree.
    pub fn of(repo: &Repo) -> Self {
        Self::new(repo.common_dir(), &repo.worktree_name())
    }

    /// That of another worktree of the same repository.
    pub fn of_worktree(&self, worktree: &str) -> Self {
        let path = self.top.join(WORKTREES).join(worktree);
        Self { top: self.top.clone(), worktree: worktree.to_owned(), path }
    }

    /// The name of the worktree.
    pub fn worktree(&self) -> &str {
        &self.worktree
    }

    /// What tells a linked worktree from an earlier one of its name, which was removed: when its git directory was made, in ns since 1970 UTC.
    /// None for the main one, and where the system does not tell it.
    pub fn incarnation(&self) -> Option<String> {
        let name = (self.worktree != "main").then(|| self.worktree.strip_prefix("wt-").unwrap_or(&self.worktree))?;
        made_ns(&self.top.parent()?.join("worktrees").join(name)).map(|made| made.to_string())
    }

    /// Whose the state is that lies here.
    ///
    /// # Errors
    /// Where the note of it cannot be read.
    pub fn tenant(&self) -> io::Result<Tenant> {
        let now = self.incarnation().and_then(|made| made.parse::<u128>().ok());
        let Some(now) = now else { return Ok(Tenant::This) };
        let noted = read(&self.tenant_note())?;
        let noted = noted.and_then(|bytes| std::str::from_utf8(&bytes).ok()?.strip_suffix('\n')?.parse::<u128>().ok());
        Ok(match noted {
            Some(noted) if noted == now => Tenant::This,
            Some(_) => Tenant::Earlier,
            // Redraft before the note, or a damaged one: what was made before the worktree was is none of its own.
            None if made_ns(&self.path).is_some_and(|made| made < now) => Tenant::Earlier,
            None => Tenant::Unnoted,
        })
    }

    /// Notes that the state is this worktree's from now on.
    ///
    /// # Errors
    /// Where the note cannot be written.
    pub fn note_tenant(&self, durability: Durability) -> io::Result<()> {
        let Some(now) = self.incarnation() else { return Ok(()) };
        write(&self.tenant_note(), format!("{now}\n").as_bytes(), durability)
    }

    fn tenant_note(&self) -> PathBuf {
        self.path.join("incarnation")
    }

    /// The folders that its parts lie in, outermost first.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        [self.top.as_path()].into_iter().chain(self.path.parent()).chain([self.path.as_path()])
    }

    /// The folder of this worktree's own state.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A hunk, while a person edits it for a process.
    pub fn hunk_edit(&self, process: u32) -> PathBuf {
        self.top.join(format!("hunk-edit-{process}.diff"))
    }

    /// The journal.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal")
    }

    /// Damaged journals that were put aside.
    pub fn journals_aside(&self) -> Vec<PathBuf> {
        let is_aside = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("journal.damaged-"))
        };
        let entries = fs::read_dir(&self.path).into_iter().flatten().filter_map(Result::ok);
        let mut aside: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_aside).collect();
        aside.sort();
        aside
    }

    /// Where new files are staged.
    pub fn stage(&self) -> PathBuf {
        self.path.join("stage")
    }

    /// Where old files are kept for people.
    pub fn backups(&self) -> PathBuf {
        self.path.join("backups")
    }

    /// Which edits have a backup and no record, as it should be.
    pub fn unrecorded(&self) -> PathBuf {
        self.path.join("unrecorded")
    }

    /// Which requests were answered.
    pub fn requests(&self) -> PathBuf {
        self.path.join("requests")
    }

    /// Forgets which requests were answered.
    ///
    /// # Errors
    /// Where the folder is there and cannot be removed.
    pub fn forget_requests(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.requests()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    /// The receipts of reads, a folder for each session.
    pub fn sessions(&self) -> PathBuf {
        self.path.join("sessions")
    }

    /// Trailers for the commit that git is making, until its message is written.
    pub fn trailers(&self) -> PathBuf {
        self.path.join("trailers")
    }

    /// Looks at the tree that are not ended: what other programs do is recorded at their end.
    pub fn observations(&self) -> PathBuf {
        self.path.join("observed")
    }

    /// Sealed records, of all worktrees.
    pub fn history(&self) -> PathBuf {
        self.top.join("history.git")
    }

    /// Which git commit each record is in, of all worktrees.
    pub fn commits(&self) -> PathBuf {
        self.top.join("commits")
    }

    /// Which records a person has looked at, of all worktrees.
    pub fn reviewed(&self) -> PathBuf {
        self.top.join("reviewed")
    }

    /// Where a damaged list of those is kept.
    pub fn reviewed_aside(&self, time_ms: i64) -> PathBuf {
        self.top.join(format!("reviewed.damaged-{time_ms}"))
    }

    /// Whether a transaction was ever begun in this worktree. Who removed the backups to make room has a journal still.
    pub fn exists(&self) -> bool {
        (self.backups().is_dir() && self.stage().is_dir()) || self.journal().is_file()
    }

    /// The state of every worktree that has some, this one's too, in the order of their names; also of such as are gone.
    ///
    /// # Errors
    /// Where the folder of worktrees cannot be listed.
    pub fn all(&self) -> io::Result<Vec<Self>> {
        let entries = match fs::read_dir(self.top.join(WORKTREES)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let Ok(worktree) = entry?.file_name().into_string() else { continue };
            found.push(self.of_worktree(&worktree));
        }
        found.retain(Self::exists);
        found.sort_by(|a, b| a.worktree.cmp(&b.worktree));
        Ok(found)
    }

    /// Makes the folder of this worktree's state, and those above it, for their owner only.
    ///
    /// # Errors
    /// Where a folder cannot be made: the disk is full, the git directory read-only, a file in the way.
    pub fn make(&self) -> io::Result<()> {
        make_private(&self.path)
    }

    /// Makes the names of all these folders durable, up to the git directory's entry for the first.
    ///
    /// # Errors
    /// Where a folder cannot be synced.
    pub fn sync_names(&self) -> io::Result<()> {
        let mut at = Some(self.path.as_path());
        while let Some(folder) = at.filter(|folder| folder.starts_with(&self.top)) {
            sync_dir(folder)?;
            at = folder.parent();
        }
        at.map_or(Ok(()), sync_dir)
    }
}

/// Whose the state of a worktree is: a linked one that was removed leaves its own to the next one of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tenant {
    /// The worktree's that is there.
    This,
    /// Perhaps the worktree's that is there: nothing says so yet, and nothing speaks against it.
    Unnoted,
    /// An earlier one's.
    Earlier,
}

/// When a file or folder was made, in ns since 1970 UTC; none where the system does not tell it.
fn made_ns(path: &Path) -> Option<u128> {
    let made = fs::metadata(path).ok()?.created().ok()?;
    Some(made.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_every_worktree_lies_below_the_common_git_directory() {
        let git = tempfile::tempdir().expect("a folder");
        let (main, linked) = (StateDir::new(git.path(), "main"), StateDir::new(git.path(), "linked"));
        assert_eq!(main.all().expect("nothing yet"), []);
        for state in [&main, &linked] {
            state.make().expect("made");
            std::fs::create_dir(state.stage()).expect("made");
            std::fs::create_dir(state.backups()).expect("made");
        }
        assert_eq!(main.all().expect("listed"), [linked.clone(), main.clone()]);
        assert_eq!(main.history(), linked.history());
        assert!(linked.path().ends_with("redraft/worktrees/linked"));
        linked.sync_names().expect("synced");
    }
}
