//! Whether an open repository is still what it was opened as.
//!
//! Owns the list of what an open [`Repo`] remembers of the disk, and what makes that stale: docs/serve.md has it as a table. What
//! is read anew for each request (HEAD and refs, objects, attributes, ignore rules) is not on it.
//! Invariant: where it cannot be told, an open repository counts as stale.

use super::Repo;
use crate::env::Env;
use gix::config::Source;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// What an open repository was made from, as it was.
pub struct Fingerprint(Vec<(PathBuf, Option<Stamp>)>);

/// What tells a file from another one, and one state of it from the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    owner: u32,
    /// None of a directory that only has to be the same one.
    state: Option<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    size: u64,
    /// Nanoseconds since 1970-01-01 UTC.
    modified: i128,
    changed: i128,
}

/// A file that changed so little before it was read, in nanoseconds, may change again with the same time: clocks of file systems
/// tick every few milliseconds.
const RACY: i128 = 100_000_000;

impl Repo {
    /// What it was made from; none where that can change without its being seen: configuration that includes other files, by
    /// conditions or by names, and files that changed just before `opened_ns` (nanoseconds since 1970-01-01 UTC) or later.
    pub fn fingerprint(&self, opened_ns: i128) -> Option<Fingerprint> {
        let sections = || self.config.sections();
        if sections()
            .any(|section| matches!(section.header().name().to_ascii_lowercase().as_slice(), b"include" | b"includeif"))
        {
            return None;
        }
        let mut seen = Vec::new();
        for dir in self.env().cwd().ancestors().take_while(|dir| dir.starts_with(self.root())) {
            seen.push((dir.to_owned(), Stamp::of_dir(dir)));
            let git = dir.join(".git");
            let stamp = if git.is_dir() { Stamp::of_dir(&git) } else { Stamp::of(&git) };
            seen.push((git, stamp));
        }
        for dir in [self.root(), self.git_dir(), self.common_dir()] {
            seen.push((dir.to_owned(), Stamp::of_dir(dir)));
        }
        let read = sections().filter_map(|section| section.meta().path.clone());
        let read: Vec<PathBuf> = read.collect();
        let whole = self.places(self.env()).into_iter().chain(read.iter().cloned());
        seen.extend(whole.map(|path| (Stamp::of(&path), path)).map(|(stamp, path)| (path, stamp)));
        // Several are named twice: directories as the root and as one above the caller's, files as they are and as they may come.
        let place =
            |(path, stamp): &(PathBuf, Option<Stamp>)| (path.clone(), stamp.is_some_and(|stamp| stamp.state.is_none()));
        seen.sort_by_cached_key(place);
        seen.dedup_by_key(|one| place(one));
        let is_settled = |(path, stamp): &(PathBuf, Option<Stamp>)| match stamp {
            None => !read.contains(path),
            Some(Stamp { state: None, .. }) => true,
            Some(Stamp { state: Some(state), .. }) => state.modified.max(state.changed) < opened_ns - RACY,
        };
        seen.iter().all(is_settled).then_some(Fingerprint(seen))
    }

    /// The files that say how others are read and written, and who may change them, by device and inode: configuration,
    /// and what it names. Those that are found by their names in the working tree are not among them. None where it
    /// cannot be told which they are.
    pub fn rule_files(&self) -> Option<Vec<(u64, u64)>> {
        let mut files = self.places(self.env());
        for section in self.config.sections() {
            if matches!(section.header().name().to_ascii_lowercase().as_slice(), b"include" | b"includeif") {
                return None;
            }
            files.extend(section.meta().path.clone());
        }
        files.extend(self.other_attributes());
        files.extend(self.config_path("core.excludesFile").ok()?.or_else(|| self.user_file("ignore")));
        let identity = |stamp: Stamp| (stamp.device, stamp.inode);
        Some(files.iter().filter_map(|file| Stamp::of_dir(file)).map(identity).collect())
    }

    /// The files that are remembered where they are there, and that may come.
    fn places(&self, env: &Env) -> Vec<PathBuf> {
        let common = self.common_dir();
        let mut places = vec![
            common.join("config"),
            self.git_dir().join("config.worktree"),
            self.git_dir().join("commondir"),
            common.join("packed-refs"),
            common.join("refs/replace"),
            common.join("objects/info/alternates"),
            common.join("objects/pack"),
            self.index_path(),
        ];
        if env.has_user_configuration() {
            let mut variable = |name: &str| env.variable(name).map(std::ffi::OsStr::to_owned);
            let sources = [Source::System, Source::Git, Source::User];
            let named = sources.into_iter().filter_map(|source| source.storage_location(&mut variable));
            places.extend(named.map(|path| env.cwd().join(path)));
        }
        places
    }
}

impl Fingerprint {
    /// Whether all of it is as it was.
    pub fn holds(&self) -> bool {
        self.0.iter().all(|(path, stamp)| match stamp {
            Some(Stamp { state: None, .. }) => Stamp::of_dir(path) == *stamp,
            _ => Stamp::of(path) == *stamp,
        })
    }
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|meta| Self { state: Some(State::of(&meta)), ..Self::identity(&meta) })
    }

    fn of_dir(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|meta| Self::identity(&meta))
    }

    #[cfg(unix)]
    fn identity(meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: meta.dev(), inode: meta.ino(), owner: meta.uid(), state: None }
    }

    #[cfg(not(unix))]
    fn identity(_: &Metadata) -> Self {
        Self { device: 0, inode: 0, owner: 0, state: None }
    }
}

impl State {
    #[cfg(unix)]
    fn of(meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let ns = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Self {
            size: meta.size(),
            modified: ns(meta.mtime(), meta.mtime_nsec()),
            changed: ns(meta.ctime(), meta.ctime_nsec()),
        }
    }

    /// Where files have no numbers nothing can be told, so that nothing is kept.
    #[cfg(not(unix))]
    fn of(meta: &Metadata) -> Self {
        Self { size: meta.len(), modified: i128::MAX, changed: i128::MAX }
    }
}
