//! The git repository: where it is, what HEAD has, how a path stands, what git's configuration says.
//!
//! The only user of gix besides `history/store/`. Loads the index only where a path is not in HEAD, because the index costs with
//! the size of the repository. Only what `program.rs` does runs git itself, and only what `objects.rs`, `index.rs` and
//! `lock_file.rs` do writes: both are for `record: commit`, `record: stash` and `--index`.
//! Invariant: an open [`Repo`] has a working tree, and a format that redraft can read.

mod attributes;
mod blame;
mod blob;
mod branch_files;
mod checked_out;
mod commit_age;
mod commits;
mod config;
mod delta_bases;
mod error;
mod freshness;
mod head;
mod head_cache;
mod head_file;
mod head_log;
mod head_objects;
mod index;
mod index_sum;
mod init;
mod listed_config;
mod lock_file;
mod notes;
mod object_id;
mod objects;
mod open;
mod operation;
mod packed_refs;
mod past_ignores;
mod pattern;
mod plain;
mod program;
mod put_together;
mod ref_lock;
mod reflog;
mod remote;
mod rule_files;
mod state;
#[cfg(test)]
mod tests;
mod tips;
mod working_files;
mod worktrees;

pub use attributes::{LineEnds, TreeEncoding};
pub use blame::CommittedLine;
pub use blob::{blob_id, blob_ids};
pub use checked_out::Filters;
pub use commits::{Authorship, ChangedFile, GitCommit, Tips};
pub use config::ConfigEntry;
pub use delta_bases::keep as keep_delta_bases;
pub use error::RepoError;
pub use freshness::Fingerprint;
pub use head::{HeadEntry, HeadLookup};
pub use head_log::HeadMove;
pub use index::{Index, IndexChange, IndexEntry, IndexLock, IndexLookup};
pub use index_sum::is_index;
pub use init::init;
pub use lock_file::release_left_lock;
pub use notes::CommitFacts;
pub(crate) use object_id::ObjectId;
pub use objects::{Author, CommitObject, Signing, TreeChange, TreeEntry};
pub use past_ignores::PastIgnores;
pub use pattern::{DeadPattern, Letters, Patterns, Reach};
pub use program::GitCall;
pub use ref_lock::RefPatience;
pub use reflog::{Sought, ref_was_at};
pub use remote::Remote;
pub use state::{GitForm, GitForms, Ignores, RawFile};
pub use tips::{Made, Which};
pub use working_files::{IndexStamp, OtherFiles, Remembered, TrackedFiles};

use crate::env::Env;
use std::cell::{Cell, OnceCell, RefCell};
use std::path::{Path, PathBuf};

/// An open repository with a working tree.
pub struct Repo {
    env: Env,
    /// All of git's configuration, the most specific last.
    config: gix::config::File,
    /// As gix has it, from where it is first needed.
    opened: OnceCell<gix::Repository>,
    root: PathBuf,
    root_given: Option<PathBuf>,
    git_dir: PathBuf,
    common_dir: PathBuf,
    head: RefCell<head_cache::HeadCache>,
    lookup: head_objects::Objects,
    /// Whether any object is replaced by another (git-replace(1)).
    replaces: Cell<Option<bool>>,
}

impl Repo {
    /// What surrounds it.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// What surrounds it from now on: the same but for the clock, randomness, and whether to stop.
    pub(crate) fn set_env(&mut self, env: &Env) {
        self.env = env.clone();
    }

    /// The root of the working tree: absolute, symlinks resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The root as the caller spells it (through symlinks), where that differs from [`Self::root`].
    pub fn root_given(&self) -> Option<&Path> {
        self.root_given.as_deref()
    }

    /// The git directory of this worktree: absolute, symlinks resolved.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The git directory that all worktrees share: absolute, symlinks resolved.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The index file that git would use: `GIT_INDEX_FILE`, relative to the root as git has it, else its own.
    pub fn index_path(&self) -> PathBuf {
        match self.env.variable("GIT_INDEX_FILE").filter(|path| !path.is_empty()) {
            Some(path) => self.root.join(path),
            None => self.git_dir.join("index"),
        }
    }

    /// The name of this worktree: `main`, or that of the linked worktree's git directory, with `wt-` before it where it would
    /// be taken for the main one's.
    pub fn worktree_name(&self) -> String {
        let linked = (self.git_dir != self.common_dir).then(|| self.git_dir.file_name()).flatten();
        match linked.map(std::ffi::OsStr::to_string_lossy) {
            Some(name) if name == "main" || name.starts_with("wt-") => format!("wt-{name}"),
            Some(name) => name.into_owned(),
            None => "main".to_owned(),
        }
    }
}
