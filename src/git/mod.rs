//! The git repository: where it is, what HEAD has, how a path stands, what git's configuration says.
//!
//! The only user of gix besides `history/`. Loads the index only where a path is not in HEAD, because the index costs with
//! the size of the repository. Only what `program.rs` does runs git itself, and only what `objects.rs` and `index.rs` do
//! writes: both are for `record: commit`, `record: stash` and `--index`.
//! Invariant: an open [`Repo`] has a working tree, and a format that redraft can read.

mod blob;
mod config;
mod error;
mod head;
mod index;

mod head_objects;
mod objects;
mod operation;
mod pattern;
mod program;
mod reflog;
mod state;

pub use blob::{blob_id, blob_ids};
pub use error::RepoError;
pub use head::{HeadEntry, HeadLookup};
pub(crate) use head::{blob_id_of, object_id_of};
pub use index::{Index, IndexChange, IndexEntry, IndexLock, IndexLookup};

pub use objects::{Author, CommitObject, Signing, TreeChange, TreeEntry};
pub use operation::Operation;
pub use pattern::Patterns;
pub use program::{GitCall, GitRun, Hooks};
pub use reflog::{Sought, ref_was_at};
pub use state::GitForm;

use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// An open repository with a working tree.
pub struct Repo {
    pub(crate) git: gix::Repository,
    root: PathBuf,
    root_given: Option<PathBuf>,
    git_dir: PathBuf,
    common_dir: PathBuf,
    head: RefCell<head::HeadCache>,
    lookup: head_objects::Objects,
    /// Whether any object is replaced by another (git-replace(1)).
    replaces: Cell<Option<bool>>,
}

impl Repo {
    /// Finds the repository that holds the directory `dir`, as git does.
    ///
    /// Honours `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`, `GIT_CEILING_DIRECTORIES` and `GIT_CONFIG_*`. A relative
    /// `GIT_DIR` is relative to the current directory, so a caller with `-C` changes there first.
    ///
    /// # Errors
    /// See [`RepoError`].
    pub fn discover(dir: &Path) -> Result<Self, RepoError> {
        let git = match std::env::var_os("GIT_DIR") {
            Some(git_dir) => open_given(dir, Path::new(&git_dir))?,
            None => open_found(dir)?,
        };
        if let Some(extension) = unsupported_extension(git.config_snapshot().plumbing()) {
            return Err(RepoError::Unsupported { extension });
        }
        let absolute = |path: &Path| {
            std::fs::canonicalize(path).map_err(|source| RepoError::Io { verb: "find", path: path.into(), source })
        };
        let Some(workdir) = git.workdir() else {
            return Err(RepoError::Bare(git.git_dir().to_owned()));
        };
        let root = absolute(workdir)?;
        let root_given = given_spelling(dir, workdir, &root);
        let git_dir = absolute(git.git_dir())?;
        let common_dir = if git.common_dir() == git.git_dir() { git_dir.clone() } else { absolute(git.common_dir())? };
        let lookup = head_objects::Objects::new(git.objects.store_ref().path());
        Ok(Self {
            git,
            root,
            root_given,
            git_dir,
            common_dir,
            head: RefCell::default(),
            lookup,
            replaces: Cell::default(),
        })
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
        match std::env::var_os("GIT_INDEX_FILE").filter(|path| !path.is_empty()) {
            Some(path) => self.root.join(path),
            None => self.git_dir.join("index"),
        }
    }

    /// The name of this worktree: `main`, or the name of the linked worktree's git directory.
    pub fn worktree_name(&self) -> String {
        if self.git_dir == self.common_dir {
            return "main".to_owned();
        }
        self.git_dir.file_name().map_or_else(|| "main".to_owned(), |name| name.to_string_lossy().into_owned())
    }
}

fn options() -> gix::open::Options {
    let parameters = std::env::var_os("GIT_CONFIG_PARAMETERS").map(|v| config::parameters(v.as_encoded_bytes()));
    gix::open::Options::default().bail_if_untrusted(true).cli_overrides(parameters.unwrap_or_default())
}

fn open_found(dir: &Path) -> Result<gix::Repository, RepoError> {
    let mut search = gix::discover::upwards::Options::default().apply_environment();
    search.match_ceiling_dir_or_error = false;
    if let Some(across) = std::env::var_os("GIT_DISCOVERY_ACROSS_FILESYSTEM") {
        search.cross_fs = matches!(across.as_encoded_bytes(), b"1" | b"true" | b"yes" | b"on");
    }
    let trust = gix::sec::trust::Mapping { full: options(), reduced: options() };
    gix::ThreadSafeRepository::discover_opts(dir, search, trust)
        .map(|repo| repo.to_thread_local())
        .map_err(|err| explain_failure(dir, None, &err))
}

/// Where `GIT_DIR` is set, git looks nowhere else, trusts it whoever owns it, and takes the current directory as the
/// root of the working tree unless told otherwise.
fn open_given(dir: &Path, git_dir: &Path) -> Result<gix::Repository, RepoError> {
    let options = options()
        .with(gix::sec::Trust::Full)
        .bail_if_untrusted(false)
        .filter_config_section(|_: &gix::config::file::Metadata| true)
        .open_path_as_is(true);
    let mut repo = gix::ThreadSafeRepository::open_opts(git_dir, options)
        .map(|repo| repo.to_thread_local())
        .map_err(|err| explain_failure(dir, Some(git_dir), &err))?;
    let is_told =
        std::env::var_os("GIT_WORK_TREE").is_some() || repo.config_snapshot().string("core.worktree").is_some();
    if !is_told && repo.config_snapshot().boolean("core.bare") != Some(true) {
        let here =
            std::path::absolute(dir).map_err(|source| RepoError::Io { verb: "find", path: dir.into(), source })?;
        repo.set_workdir(here).map_err(RepoError::git("set the root of the working tree"))?;
    }
    Ok(repo)
}

/// Says why opening failed. gix's errors are not finely typed, so a failure is looked into with fresh eyes.
fn explain_failure(dir: &Path, git_dir: Option<&Path>, err: &gix::Error) -> RepoError {
    let found = match git_dir {
        Some(git_dir) => Some(git_dir.to_owned()),
        None => gix::discover::upwards(dir).ok().map(|(path, _)| path.into_repository_and_work_tree_directories().0),
    };
    let Some(found) = found.filter(|found| found.exists()) else {
        return RepoError::NotARepository(dir.to_owned());
    };
    let common = std::fs::read_to_string(found.join("commondir")).map(|text| found.join(text.trim_end()));
    let config = common.unwrap_or_else(|_| found.clone()).join("config");
    if let Ok(config) = gix::config::File::from_path_no_includes(config, gix::config::Source::Local)
        && let Some(extension) = unsupported_extension(&config)
    {
        return RepoError::Unsupported { extension };
    }
    if err.is_permission_denied() {
        let shown = if found.file_name() == Some(OsStr::new(".git")) { found.parent() } else { None };
        return RepoError::UnsafeOwner(shown.unwrap_or(&found).to_owned());
    }
    if err.is_not_found() {
        return RepoError::NotARepository(dir.to_owned());
    }
    let verb = "open the repository";
    RepoError::Git { verb, cause: err.probable_cause().to_string() }
}

/// The first setting of the repository's format that redraft does not know, as `key=value`.
///
/// The rules are git's own (`check_repository_format` in its setup.c): an unknown extension counts from version 1 on.
fn unsupported_extension(config: &gix::config::File) -> Option<String> {
    let version = config.integer("core.repositoryFormatVersion").ok().flatten().unwrap_or(0);
    if version > 1 {
        return Some(format!("core.repositoryformatversion={version}"));
    }
    let sections = config.sections_by_name("extensions").into_iter().flatten();
    for section in sections {
        if !matches!(section.meta().source.kind(), gix::config::source::Kind::Repository) {
            continue;
        }
        for name in section.value_names() {
            let name = name.to_string().to_ascii_lowercase();
            let value = section.value(&name).map(|value| value.to_string()).unwrap_or_default();
            let known = match name.as_str() {
                "objectformat" => value.eq_ignore_ascii_case("sha1"),
                "refstorage" => value.eq_ignore_ascii_case("files"),
                "noop" | "noop-v1" | "partialclone" | "preciousobjects" | "worktreeconfig" | "relativeworktrees" => {
                    true
                }
                _ => version == 0,
            };
            if !known {
                return Some(format!("extensions.{name}={value}"));
            }
        }
    }
    None
}

/// The root as the caller spells it, where symlinks make that another spelling.
///
/// A shell's `PWD` keeps the symlinks that the current directory was entered by, so it is believed where it leads to the
/// same place.
fn given_spelling(dir: &Path, workdir: &Path, root: &Path) -> Option<PathBuf> {
    let differs = |path: PathBuf| (path != root).then_some(path);
    let spelled = std::path::absolute(workdir).ok()?;
    let spelled: PathBuf = spelled.components().collect();
    let is_plain = !spelled.components().any(|part| part == std::path::Component::ParentDir);
    if let Some(given) = differs(spelled).filter(|_| is_plain) {
        return Some(given);
    }
    let here = std::env::current_dir().ok()?;
    let shell = PathBuf::from(std::env::var_os("PWD")?);
    if !shell.is_absolute() || shell == here || std::fs::canonicalize(&shell).ok()? != here {
        return None;
    }
    let below = std::fs::canonicalize(dir).ok()?;
    let steps = if below == here { here.strip_prefix(root).ok()? } else { return None };
    let mut given = shell;
    for step in steps.components().rev() {
        if given.file_name() != Some(step.as_os_str()) || !given.pop() {
            return None;
        }
    }
    (std::fs::canonicalize(&given).ok()? == root).then_some(given).and_then(differs)
}
