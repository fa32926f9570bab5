//! history.git: a bare repository of git objects, below the common git directory.
//!
//! Owns where it is, how it comes to be, its chains of records (refs) and reading its objects. Knows nothing of what a
//! record means. Invariant: a clone writes only its own chains, and only under its worktree's lock.

use crate::env::Env;
use crate::git::{Repo, object_id_of};
use crate::history::error::{HistoryError, Nothing};
use crate::id::BlobId;
use crate::state_dir;
use crate::state_dir::{Durability, StateDir};
use gix::objs::Kind;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// In front of every chain's name.
const REFS: &str = "refs/redraft/";

/// The name of a chain: one per clone, worktree and month.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chain {
    /// 8 letters, made with history.git.
    pub clone: String,
    /// Of the worktree.
    pub worktree: String,
    /// `yyyy-mm`.
    pub month: String,
}

impl Chain {
    /// The full name of the ref.
    pub fn ref_name(&self) -> String {
        format!("{REFS}{}/{}/{}", self.clone, self.worktree, self.month)
    }

    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(REFS)?.splitn(3, '/');
        let (clone, worktree, month) = (parts.next()?, parts.next()?, parts.next()?);
        let is_name = |part: &str| !part.is_empty() && !part.contains('/');
        (is_name(worktree) && is_name(month)).then(|| Self {
            clone: clone.to_owned(),
            worktree: worktree.to_owned(),
            month: month.to_owned(),
        })
    }
}

/// The repository of records, if there is one yet.
pub struct Store {
    path: PathBuf,
    worktree: String,
    clone: Option<String>,
    objects: OnceCell<gix::odb::Handle>,
    env: Env,
}

impl Store {
    /// The store of a repository; it may not exist yet.
    ///
    /// # Errors
    /// The system's.
    pub fn open(repo: &Repo) -> Result<Self, HistoryError> {
        let path = StateDir::of(repo).history();
        let clone = read_clone(&path)?;
        Ok(Self { path, worktree: repo.worktree_name(), clone, objects: OnceCell::new(), env: repo.env().clone() })
    }

    /// Makes it where it is missing.
    ///
    /// It appears whole, under its name, so that two worktrees may make it at once.
    ///
    /// # Errors
    /// The system's.
    pub fn create(repo: &Repo, durability: Durability) -> Result<Self, HistoryError> {
        let store = Self::open(repo)?;
        if store.clone.is_some() {
            return Ok(store);
        }
        let parent = store.path.parent().expect("it is below the git directory").to_owned();
        state_dir::make_private(&parent).map_err(HistoryError::io("make", &parent))?;
        let clone = random_letters(repo.env())?;
        let fresh = parent.join(format!("history.git.{clone}"));
        let io = |verb| HistoryError::io(verb, &fresh);
        for folder in ["objects/info", "objects/pack", "refs/heads", "refs/redraft", "ledgers", "info"] {
            std::fs::create_dir_all(fresh.join(folder)).map_err(io("make"))?;
        }
        let config = format!(
            "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogallrefupdates = false\n[gc]\n\tauto = 0\n\
             [redraft]\n\tclone = {clone}\n"
        );
        for (name, text) in [("HEAD", "ref: refs/heads/none\n"), ("clone", &format!("{clone}\n")), ("config", &config)]
        {
            write_file(&fresh.join(name), text.as_bytes(), durability)?;
        }
        sync_dir(&fresh, durability)?;
        match std::fs::rename(&fresh, &store.path) {
            Ok(()) => {}
            // Another worktree was first.
            Err(_) if store.path.join("clone").is_file() => {
                let _ = std::fs::remove_dir_all(&fresh);
            }
            Err(error) => return Err(io("name")(error)),
        }
        sync_dir(&parent, durability)?;
        Self::open(repo)
    }

    /// The bare repository.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// This clone's name; none before the first checkpoint.
    pub fn clone_name(&self) -> Option<&str> {
        self.clone.as_deref()
    }

    /// The chain of this worktree for a month.
    pub fn chain(&self, month: &str) -> Option<Chain> {
        let clone = self.clone.clone()?;
        Some(Chain { clone, worktree: self.worktree.clone(), month: month.to_owned() })
    }

    /// Whether a chain is this worktree's own.
    pub fn is_own(&self, chain: &Chain) -> bool {
        self.clone.as_ref() == Some(&chain.clone) && chain.worktree == self.worktree
    }

    /// All chains with their newest commits.
    ///
    /// # Errors
    /// The system's.
    pub fn chains(&self) -> Result<BTreeMap<Chain, BlobId>, HistoryError> {
        let mut found = BTreeMap::new();
        let packed = self.path.join("packed-refs");
        match std::fs::read_to_string(&packed) {
            Ok(text) => {
                for line in text.lines() {
                    let Some((id, name)) = line.split_once(' ') else { continue };
                    if let (Ok(id), Some(chain)) = (id.parse(), Chain::parse(name)) {
                        found.insert(chain, id);
                    }
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(HistoryError::io("read", &packed)(error)),
        }
        let mut names = Vec::new();
        walk_refs(&self.path.join("refs/redraft"), REFS.trim_end_matches('/'), &mut names)?;
        for name in names {
            let Some(chain) = Chain::parse(&name) else { continue };
            let path = self.path.join(&name);
            let text = std::fs::read_to_string(&path).map_err(HistoryError::io("read", &path))?;
            let id = text.trim_end().parse().map_err(|_| HistoryError::Damaged(format!("{name} holds no id")))?;
            found.insert(chain, id);
        }
        Ok(found)
    }

    /// Moves a chain to a new commit, by git's own lock protocol.
    ///
    /// # Errors
    /// The system's, or where another process holds the lock of the ref.
    pub fn set_chain(&self, chain: &Chain, commit: &BlobId, durability: Durability) -> Result<(), HistoryError> {
        let path = self.path.join(chain.ref_name());
        let parent = path.parent().expect("a ref has a folder");
        std::fs::create_dir_all(parent).map_err(HistoryError::io("make", parent))?;
        let lock = path.with_extension("lock");
        // Only this worktree writes its chains, and it holds its own lock: a lock file that is there is from a crash.
        let written = state_dir::write_by(&lock, &path, format!("{commit}\n").as_bytes(), durability);
        written.map_err(HistoryError::io("write", &path))?;
        let mut at = parent;
        while at.starts_with(self.path.join("refs")) {
            sync_dir(at, durability)?;
            at = at.parent().expect("below the repository");
        }
        Ok(())
    }

    /// Removes a chain.
    ///
    /// # Errors
    /// The system's, or git's.
    pub fn remove_chain(&self, chain: &Chain) -> Result<(), HistoryError> {
        // Git does it right in packed-refs, too.
        self.git(&["update-ref", "-d", &chain.ref_name()]).map(drop)
    }

    /// Runs git in the store, where it is asked for by name: `gc`, `fsck`, `sync`.
    ///
    /// # Errors
    /// Where it fails.
    pub fn git(&self, args: &[&str]) -> Result<Vec<u8>, HistoryError> {
        let mut command = std::process::Command::new("git");
        self.env.lay_on(&mut command);
        let output = command
            .current_dir(&self.path)
            .arg("--git-dir")
            .arg(&self.path)
            .args(args)
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .env_remove("GIT_OBJECT_DIRECTORY")
            .env_remove("GIT_ALTERNATE_OBJECT_DIRECTORIES")
            .stdin(std::process::Stdio::null())
            .output()
            .map_err(HistoryError::io("run", Path::new("git")))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        Err(HistoryError::GitFailed {
            command: args.first().copied().unwrap_or_default().to_owned(),
            output: String::from_utf8_lossy(&said).trim_end().to_owned(),
        })
    }

    /// Reads an object.
    ///
    /// # Errors
    /// Where it is missing or damaged.
    pub fn object(&self, id: &BlobId, kind: Kind) -> Result<Vec<u8>, HistoryError> {
        use gix::objs::Find;
        let mut data = Vec::new();
        let missing = || HistoryError::Damaged(format!("{kind} {id} is missing"));
        let found = self.objects()?.try_find(&object_id_of(id), &mut data).map_err(|_| missing())?;
        match found.map(|object| object.kind) {
            Some(found) if found == kind => Ok(data),
            _ => Err(missing()),
        }
    }

    /// Whether there is such an object.
    ///
    /// # Errors
    /// The system's.
    pub fn has(&self, id: &BlobId) -> Result<bool, HistoryError> {
        use gix::objs::Exists;
        Ok(self.objects()?.exists(&object_id_of(id)))
    }

    /// The same store, looked at anew: new packs were written.
    pub(crate) fn again(&self) -> Self {
        let (path, worktree, clone) = (self.path.clone(), self.worktree.clone(), self.clone.clone());
        Self { path, worktree, clone, objects: OnceCell::new(), env: self.env.clone() }
    }

    /// The right to add or remove objects, which all worktrees share; given back when dropped, also by death.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn lock(&self) -> Result<std::fs::File, HistoryError> {
        let path = self.path.join("objects.lock");
        let file = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(HistoryError::io("open", &path))?;
        file.lock().map_err(HistoryError::io("lock", &path))?;
        Ok(file)
    }

    /// Packs everything, and removes what nothing refers to.
    ///
    /// # Errors
    /// Git's.
    pub(crate) fn repack(&self, prune: &str) -> Result<(), HistoryError> {
        let _lock = self.lock()?;
        self.git(&["-c", "gc.pruneExpire=now", "reflog", "expire", "--expire=now", "--all"])?;
        let expire = prune.strip_prefix("--prune=").unwrap_or("now");
        if expire == "now" {
            self.git(&["repack", "-a", "-d", "-q"])?;
            self.git(&["prune", "--expire=now"])?;
        } else {
            self.git(&["gc", "--quiet", prune])?;
        }
        Ok(())
    }

    /// The bytes of its objects.
    pub(crate) fn size(&self) -> u64 {
        fn walk(folder: &Path) -> u64 {
            let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
            entries
                .map(|entry| match entry.metadata() {
                    Ok(meta) if meta.is_dir() => walk(&entry.path()),
                    Ok(meta) => meta.len(),
                    Err(_) => 0,
                })
                .sum()
        }
        walk(&self.path.join("objects"))
    }

    /// Fetches the chains of other clones from a remote, and pushes this clone's own; gives what git said.
    ///
    /// # Errors
    /// Git's.
    pub fn sync(&self, repo: &Repo, remote: &str) -> Result<String, HistoryError> {
        let Some(clone) = &self.clone else {
            return Err(HistoryError::NothingToUndo(Nothing::ToSync));
        };
        let url = repo.remote_url(remote).unwrap_or_else(|| remote.to_owned());
        // A relative address is meant from the user's repository.
        let here = repo.root().join(&url);
        let url = if url.contains("://") || !here.exists() { url } else { here.to_string_lossy().into_owned() };
        let own = format!("{REFS}{clone}/*");
        let (all, not_own, push) = (format!("+{REFS}*:{REFS}*"), format!("^{own}"), format!("+{own}:{own}"));
        self.git(&["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", &url, &all, &not_own])?;
        let said = self.git(&["push", "--porcelain", &url, &push])?;
        Ok(String::from_utf8_lossy(&said).trim_end().to_owned())
    }

    fn objects(&self) -> Result<&gix::odb::Handle, HistoryError> {
        if let Some(handle) = self.objects.get() {
            return Ok(handle);
        }
        let folder = self.path.join("objects");
        let mut handle = gix::odb::at(&folder, gix::hash::Kind::Sha1).map_err(HistoryError::io("open", &folder))?;
        // A miss means that it is missing: nobody else writes what we look for.
        handle.refresh_never();
        let _ = self.objects.set(handle);
        Ok(self.objects.get().expect("it was just set"))
    }
}

/// 8 random letters.
fn random_letters(env: &Env) -> Result<String, HistoryError> {
    let bytes: [u8; 8] = env.random().map_err(HistoryError::io("read", Path::new("the system's random numbers")))?;
    Ok(bytes.iter().map(|byte| char::from(b'a' + byte % 26)).collect())
}

fn read_clone(path: &Path) -> Result<Option<String>, HistoryError> {
    let file = path.join("clone");
    match std::fs::read_to_string(&file) {
        Ok(text) => Ok(Some(text.trim_end().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(HistoryError::io("read", &file)(error)),
    }
}

fn walk_refs(folder: &Path, name: &str, found: &mut Vec<String>) -> Result<(), HistoryError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(HistoryError::io("list", folder)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(HistoryError::io("list", folder))?;
        let Ok(part) = entry.file_name().into_string() else { continue };
        let below = format!("{name}/{part}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk_refs(&entry.path(), &below, found)?,
            Ok(_) if !part.ends_with(".lock") => found.push(below),
            _ => {}
        }
    }
    Ok(())
}

/// Writes a small file of history.git.
pub(crate) fn write_file(path: &Path, bytes: &[u8], durability: Durability) -> Result<(), HistoryError> {
    state_dir::write(path, bytes, durability).map_err(HistoryError::io("write", path))
}

/// Makes the names in a folder durable, where that is wanted.
pub(crate) fn sync_dir(path: &Path, durability: Durability) -> Result<(), HistoryError> {
    match durability {
        Durability::Full => state_dir::sync_dir(path).map_err(HistoryError::io("sync", path)),
        Durability::Fast => Ok(()),
    }
}
