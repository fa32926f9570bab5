//! history.git: a bare repository of git objects, below the common git directory.
//!
//! Owns where it is, how it comes to be, its chains of records (refs) and reading its objects. Knows nothing of what a
//! record means. Invariant: a clone writes only its own chains, and only under its worktree's lock.

use crate::env::Env;
use crate::git::{ObjectId, Repo, keep_delta_bases};
use crate::history::error::HistoryError;
use crate::history::store::chain::{Chain, REFS};
use crate::history::store::files::sync_dir;
use crate::history::store::index_file;
use crate::history::store::skeleton::{self, Name};
use crate::id::{BlobId, CommitId};
use crate::state_dir;
use crate::state_dir::{Durability, StateDir};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The variables by which git would work on the user's repository: all that are of one (`git rev-parse --local-env-vars`), but for settings,
/// and what names its commits or hides its refs.
const ELSEWHERE: [&str; 16] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Refs that seem to be damaged are looked at again so often, and so long after.
const LOOKS: usize = 3;
const BETWEEN_LOOKS: Duration = Duration::from_millis(15);

/// The chains, as far as their refs can be read.
#[derive(Debug, Default)]
pub struct Readable {
    /// With their newest commits.
    pub chains: BTreeMap<Chain, CommitId>,
    /// What is wrong with the others, a sentence each.
    pub damage: Vec<String>,
}

impl Readable {
    fn add_packed(&mut self, line: &str) {
        let parts = line.split_once(' ').and_then(|(id, name)| Some((id.parse().ok()?, name)));
        match parts.and_then(|(id, name)| Some((Chain::parse(name)?, id))) {
            Some((chain, id)) => drop(self.chains.insert(chain, id)),
            None => self.damage.push(format!("a line of history.git/packed-refs is damaged: {line:?}")),
        }
    }
}

/// The repository of records, if there is one yet.
pub struct Store {
    path: PathBuf,
    worktree: String,
    clone: Option<String>,
    /// What was wrong with its name.
    damage: Option<String>,
    /// What was wrong when it was opened to be written, and is mended.
    mended: Vec<String>,
    objects: OnceCell<gix::odb::Handle>,
    /// The same, which looks again where something is not found: another process may have packed everything anew.
    looking_again: OnceCell<gix::odb::Handle>,
    env: Env,
}

impl Store {
    /// The store of a repository; it may not exist yet.
    ///
    /// # Errors
    /// Where it is there, and its name is damaged or cannot be read.
    pub fn open(repo: &Repo) -> Result<Self, HistoryError> {
        let path = StateDir::of(repo).history();
        let Name { clone, damage } = Name::read(&path)?;
        Ok(Self {
            path,
            worktree: repo.worktree_name(),
            clone,
            damage,
            mended: Vec::new(),
            objects: OnceCell::new(),
            looking_again: OnceCell::new(),
            env: repo.env().clone(),
        })
    }

    /// Makes it where it is missing, and mends what git and the name of this clone need ([`Self::mended`]).
    ///
    /// It appears whole, under its name, so that two worktrees may make it at once.
    ///
    /// # Errors
    /// Where a file or folder of it cannot be made: a full disk, a git directory that is read-only.
    pub fn create(repo: &Repo, durability: Durability) -> Result<Self, HistoryError> {
        let store = Self::open(repo)?;
        if skeleton::is_begun(&store.path) {
            return store.mend(repo, durability);
        }
        let parent = store.path.parent().expect("it is below the git directory").to_owned();
        state_dir::make_private(&parent).map_err(HistoryError::io("make", &parent))?;
        let clone = skeleton::random_letters(repo.env())?;
        let fresh = parent.join(format!("history.git.{clone}"));
        let named = skeleton::make(&fresh, &clone, durability)
            .and_then(|()| std::fs::rename(&fresh, &store.path).map_err(HistoryError::io("name", &fresh)));
        if let Err(error) = named {
            let _ = std::fs::remove_dir_all(&fresh);
            // Else another worktree was first.
            if !skeleton::is_begun(&store.path) {
                return Err(error);
            }
        }
        sync_dir(&parent, durability)?;
        Self::open(repo)
    }

    /// As [`Self::create`], where it is there.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn mend_existing(repo: &Repo, durability: Durability) -> Result<Vec<String>, HistoryError> {
        let store = Self::open(repo)?;
        if skeleton::is_begun(&store.path) { Ok(store.mend(repo, durability)?.mended) } else { Ok(Vec::new()) }
    }

    fn mend(self, repo: &Repo, durability: Durability) -> Result<Self, HistoryError> {
        let mut mended: Vec<String> = self.damage.iter().cloned().collect();
        mended.extend(skeleton::faults(&self.path)?);
        if mended.is_empty() {
            return Ok(self);
        }
        // Without a name and without chains, any name is right.
        let clone = self.clone.map_or_else(|| skeleton::random_letters(repo.env()), Ok)?;
        skeleton::mend(&self.path, &clone, durability)?;
        Ok(Self { mended, ..Self::open(repo)? })
    }

    /// What was wrong with it and is mended, a sentence each.
    pub fn mended(&self) -> &[String] {
        &self.mended
    }

    /// What git finds wrong with it as a repository, a sentence each; the next writer mends that.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn faults(&self) -> Result<Vec<String>, HistoryError> {
        skeleton::faults(&self.path)
    }

    /// The same, for another worktree's records.
    #[must_use]
    pub fn of_worktree(mut self, worktree: &str) -> Self {
        worktree.clone_into(&mut self.worktree);
        self
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
    /// Where the refs cannot be read, or one of them is damaged: what is written then might hide records for good.
    pub fn chains(&self) -> Result<BTreeMap<Chain, CommitId>, HistoryError> {
        let Readable { chains, damage } = self.readable_chains()?;
        if damage.is_empty() { Ok(chains) } else { Err(HistoryError::Damaged(damage.join("; "))) }
    }

    /// All chains whose newest commit can be found: where a ref is damaged, its log index may know.
    ///
    /// # Errors
    /// Where the refs cannot be read at all.
    pub fn readable_chains(&self) -> Result<Readable, HistoryError> {
        let mut found = self.chains_now()?;
        for _ in 0..LOOKS {
            if found.damage.is_empty() {
                break;
            }
            // Another process may be writing or packing refs: what was read is before it here, and behind it there.
            std::thread::sleep(BETWEEN_LOOKS);
            found = self.chains_now()?;
        }
        Ok(found)
    }

    fn chains_now(&self) -> Result<Readable, HistoryError> {
        let mut found = Readable { damage: self.damage.iter().cloned().collect(), ..Readable::default() };
        let packed = self.path.join("packed-refs");
        let text = state_dir::read(&packed).map_err(HistoryError::io("read", &packed))?.unwrap_or_default();
        for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty() && !line.starts_with(b"#")) {
            found.add_packed(&String::from_utf8_lossy(line));
        }
        let mut names = Vec::new();
        walk_refs(&self.path.join("refs/redraft"), REFS.trim_end_matches('/'), &mut names)?;
        for name in names {
            let path = self.path.join(&name);
            let text = state_dir::read(&path).map_err(HistoryError::io("read", &path))?.unwrap_or_default();
            let id = std::str::from_utf8(&text).ok().and_then(|text| text.trim_end().parse().ok());
            match (Chain::parse(&name), id) {
                (Some(chain), Some(id)) => drop(found.chains.insert(chain, id)),
                (chain, _) => {
                    chain.map(|chain| found.chains.remove(&chain));
                    found.damage.push(format!("{} holds no commit", path.display()));
                }
            }
        }
        // A chain that has a log index had a ref.
        let mut unsure: BTreeSet<Chain> = found.chains.keys().cloned().collect();
        for (chain, tip) in index_file::tips(&self.path) {
            unsure.remove(&chain);
            match found.chains.get(&chain) {
                Some(known) if *known == tip || self.has_now(*known)? => {}
                _ => {
                    found.damage.push(self.lost_ref(&chain, tip));
                    found.chains.insert(chain, tip);
                }
            }
        }
        for (chain, tip) in found.chains.iter().filter(|(chain, _)| unsure.contains(chain)) {
            if !self.has_now(*tip)? {
                found.damage.push(format!("the newest commit of {} is missing", chain.ref_name()));
            }
        }
        Ok(found)
    }

    fn lost_ref(&self, chain: &Chain, tip: CommitId) -> String {
        let name = chain.ref_name();
        let mend = format!(
            "where no redraft is at work and `redraft fsck` says it again, `git update-ref {name} {tip}` in {} puts it back",
            self.path.display()
        );
        format!("the ref {name} is lost; by its log index it was {tip} ({mend})")
    }

    /// Moves a chain to a new commit, by git's own lock protocol.
    ///
    /// # Errors
    /// Where the ref cannot be written or synced.
    pub fn set_chain(&self, chain: &Chain, commit: CommitId, durability: Durability) -> Result<(), HistoryError> {
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
    /// Where git refuses, as where another process holds the lock of the ref.
    pub fn remove_chain(&self, chain: &Chain) -> Result<(), HistoryError> {
        // Git does it right in packed-refs, too.
        self.git(&["update-ref", "-d", &chain.ref_name()]).map(drop)
    }

    /// Runs git in the store, where it is asked for by name: `gc`, `fsck`, `sync`.
    ///
    /// # Errors
    /// Where it fails.
    pub fn git(&self, args: &[&str]) -> Result<Vec<u8>, HistoryError> {
        self.git_with(args, &[], b"")
    }

    /// As [`Self::git`], with settings of git beside its own, and with standard input, which must be short.
    ///
    /// # Errors
    /// Where it fails.
    pub(crate) fn git_with(
        &self,
        args: &[&str],
        settings: &[(String, String)],
        input: &[u8],
    ) -> Result<Vec<u8>, HistoryError> {
        let mut command = Command::new("git");
        self.env.lay_on(&mut command);
        for name in ELSEWHERE {
            command.env_remove(name);
        }
        command.current_dir(&self.path).arg("--git-dir").arg(&self.path).args(args);
        command.envs(self.with_settings(settings));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let run = command.spawn().and_then(|mut child| {
            let mut stdin = child.stdin.take().expect("it was asked for");
            // That it ends without reading is its own affair.
            let _ = stdin.write_all(input);
            drop(stdin);
            child.wait_with_output()
        });
        let output = run.map_err(HistoryError::io("run", Path::new("git")))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        Err(HistoryError::GitFailed {
            command: args.first().copied().unwrap_or_default().to_owned(),
            output: String::from_utf8_lossy(&said).trim_end().to_owned(),
        })
    }

    /// The variables by which git takes settings, behind those that it has from outside already.
    fn with_settings(&self, settings: &[(String, String)]) -> Vec<(String, String)> {
        if settings.is_empty() {
            return Vec::new();
        }
        let count = self.env.variable("GIT_CONFIG_COUNT").and_then(|count| count.to_str()?.parse().ok());
        let first: usize = count.unwrap_or(0);
        let mut variables = vec![("GIT_CONFIG_COUNT".to_owned(), (first + settings.len()).to_string())];
        for (n, (key, value)) in settings.iter().enumerate() {
            variables.push((format!("GIT_CONFIG_KEY_{}", first + n), key.clone()));
            variables.push((format!("GIT_CONFIG_VALUE_{}", first + n), value.clone()));
        }
        variables
    }

    /// Reads an object, which has the hash that it was asked for by.
    ///
    /// # Errors
    /// Where it is missing or damaged, or another one lies in its place.
    pub(crate) fn object<I: ObjectId>(&self, id: I) -> Result<Vec<u8>, HistoryError> {
        let data = self.unhashed(id)?;
        match I::of(&data) {
            found if found == id => Ok(data),
            found => Err(HistoryError::Damaged(format!(
                "{} {id} of history.git is another one ({found} lies in its place)",
                I::KIND
            ))),
        }
    }

    /// Reads what lies in the place of a text: whoever takes it for the text of a record compares it with that.
    ///
    /// # Errors
    /// Where it is missing or damaged.
    pub(crate) fn text(&self, id: BlobId) -> Result<Vec<u8>, HistoryError> {
        self.unhashed(id)
    }

    fn unhashed<I: ObjectId>(&self, id: I) -> Result<Vec<u8>, HistoryError> {
        use gix::objs::Find;
        let mut data = Vec::new();
        let missing = || HistoryError::Damaged(format!("{} {id} is missing", I::KIND));
        let mut kind_in = |objects: &gix::odb::Handle| {
            let found = objects.try_find(&id.to_gix(), &mut data);
            found.ok().flatten().map(|object| object.kind)
        };
        let kind = match kind_in(self.objects()?) {
            None => kind_in(self.objects_again()?),
            kind => kind,
        };
        if kind == Some(I::KIND) { Ok(data) } else { Err(missing()) }
    }

    /// Whether there is such an object.
    ///
    /// # Errors
    /// Where the folder of objects cannot be opened.
    pub(crate) fn has(&self, id: impl ObjectId) -> Result<bool, HistoryError> {
        use gix::objs::Exists;
        Ok(self.objects()?.exists(&id.to_gix()))
    }

    /// The same, where another process may have written it just now.
    fn has_now(&self, id: impl ObjectId) -> Result<bool, HistoryError> {
        use gix::objs::Exists;
        Ok(self.has(id)? || self.objects_again()?.exists(&id.to_gix()))
    }

    /// The same store, looked at anew: new packs were written.
    pub(crate) fn again(&self) -> Self {
        let (path, worktree, clone) = (self.path.clone(), self.worktree.clone(), self.clone.clone());
        let (objects, looking_again) = (OnceCell::new(), OnceCell::new());
        Self { path, worktree, clone, damage: None, mended: Vec::new(), objects, looking_again, env: self.env.clone() }
    }

    /// The right to add or remove objects, which all worktrees share; given back when dropped, also by death.
    ///
    /// # Errors
    /// Where the lock file cannot be opened or locked.
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
    /// Where git fails, as where an object is missing or the disk is full.
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

    fn objects(&self) -> Result<&gix::odb::Handle, HistoryError> {
        if let Some(handle) = self.objects.get() {
            return Ok(handle);
        }
        let mut handle = self.handle()?;
        // What is looked for is mostly there, or new.
        handle.refresh_never();
        Ok(self.objects.get_or_init(|| handle))
    }

    fn objects_again(&self) -> Result<&gix::odb::Handle, HistoryError> {
        if let Some(handle) = self.looking_again.get() {
            return Ok(handle);
        }
        let handle = self.handle()?;
        Ok(self.looking_again.get_or_init(|| handle))
    }

    fn handle(&self) -> Result<gix::odb::Handle, HistoryError> {
        let folder = self.path.join("objects");
        let mut handle = gix::odb::at(&folder, gix::hash::Kind::Sha1).map_err(HistoryError::io("open", &folder))?;
        keep_delta_bases(&mut handle);
        Ok(handle)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_in_the_store_sees_no_variable_of_another_repository_but_settings() {
        let listed = Command::new("git").args(["rev-parse", "--local-env-vars"]).output().expect("git runs").stdout;
        let listed = String::from_utf8(listed).expect("names");
        let is_setting = |name: &str| name.starts_with("GIT_CONFIG");
        let missing: Vec<_> = listed.lines().filter(|name| !is_setting(name) && !ELSEWHERE.contains(name)).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }
}
