//! A repository of the usual kind, found with the few looks that it needs.
//!
//! Owns what "usual" means: the git directory is a directory `.git` at the root of the working tree, owned by the user as its root is,
//! nothing in the environment leads elsewhere, and no setting changes where things lie or what they mean. gix makes about a hundred
//! looks for the same answer, HEAD and the packed refs several times among them; whatever is not usual is left to it.
//! Invariant: what is found here is what gix finds, configuration included, or nothing is found here.

use super::{head_file, listed_config};
use crate::env::Env;
use gix::config::{File, Source};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A repository as it was found.
pub(super) struct Plain {
    /// Absolute, symlinks resolved.
    pub(super) root: PathBuf,
    /// `.git` below it, a directory.
    pub(super) git_dir: PathBuf,
    /// All of it, the most specific last.
    pub(super) config: File,
}

/// Variables of git that lead to another repository, object, reference or setting (git(1), "Environment Variables").
const DECIDING: [&str; 18] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_REFERENCE_BACKEND",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// The repository that holds the directory of `env`; `None` where gix is to look.
pub(super) fn find(env: &Env) -> Option<Plain> {
    if !cfg!(unix) || DECIDING.iter().any(|name| env.variable(name).is_some()) {
        return None;
    }
    // The directory of a process is real; one that was handed in may be spelled with symlinks.
    if !env.has_user_configuration() && std::fs::canonicalize(env.cwd()).ok()? != env.cwd() {
        return None;
    }
    let root = root_above(env.cwd())?;
    let git_dir = root.join(".git");
    let is_ours = |path: &Path| matches!(gix::sec::Trust::from_path_ownership(path), Ok(gix::sec::Trust::Full));
    let is_dir = |name: &str| git_dir.join(name).is_dir();
    let is_linked = || git_dir.join("commondir").symlink_metadata().is_ok();
    let is_git = is_ours(&git_dir) && is_ours(root) && is_dir("objects") && is_dir("refs") && !is_linked();
    if !is_git || !head_file::is_valid(&git_dir) {
        return None;
    }
    let config = config(env, &git_dir)?;
    is_usual(&config).then(|| Plain { root: root.to_owned(), git_dir, config })
}

/// The nearest directory with a git directory, where nothing on the way may be a repository of another kind, nor on another file
/// system, where git looks no further.
fn root_above(cwd: &Path) -> Option<&Path> {
    let mut device = None;
    for dir in cwd.ancestors() {
        let here = device_of(dir)?;
        if *device.get_or_insert(here) != here {
            return None;
        }
        match dir.join(".git").symlink_metadata() {
            Ok(found) => return found.is_dir().then_some(dir),
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return None,
            Err(_) => {}
        }
        // With one it may be a bare repository, or a git directory.
        if dir.join("HEAD").symlink_metadata().is_ok() {
            return None;
        }
    }
    None
}

#[cfg(unix)]
fn device_of(dir: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(dir).ok().filter(std::fs::Metadata::is_dir).map(|dir| dir.dev())
}

#[cfg(not(unix))]
fn device_of(_: &Path) -> Option<u64> {
    None
}

/// The configuration of the system, the user and the repository; `None` where a file of it cannot be read, or says what cannot be
/// understood: what is made of that is gix's to decide.
fn config(env: &Env, git_dir: &Path) -> Option<File> {
    let mut sources = Vec::new();
    if env.has_user_configuration() {
        // Where git looks for the user's files without it is told by the system.
        env.variable("HOME").filter(|home| !home.is_empty())?;
        let mut variable = |name: &str| env.variable(name).map(OsString::from);
        for source in [Source::System, Source::Git, Source::User] {
            sources.extend(source.storage_location(&mut variable).map(|path| (source, env.cwd().join(path))));
        }
    }
    sources.push((Source::Local, git_dir.join("config")));
    let mut metas = sources
        .into_iter()
        .map(|(source, path)| gix::config::file::Metadata::from(source).at(path).with(gix::sec::Trust::Full));
    let options = gix::config::file::init::Options { lossy: true, ..Default::default() };
    let read = File::from_paths_metadata_buf(&mut metas, &mut Vec::with_capacity(512), false, options);
    read.ok().map(Option::unwrap_or_default)
}

/// Whether no setting changes where things lie, which other files count, or what objects and references are.
fn is_usual(config: &File) -> bool {
    let mut names = config.sections().map(|section| section.header().name().to_ascii_lowercase());
    let is_strange = |name: &[u8]| matches!(name, b"include" | b"includeif" | b"extensions" | b"gitoxide");
    let is_off = |key: &str| matches!(config.boolean(key), Ok(None | Some(false)));
    !names.any(|name| is_strange(&name))
        && !listed_config::has_core_without_value(config)
        && config.string("core.worktree").is_none()
        && is_off("core.bare")
        && is_off("core.precomposeUnicode")
        && matches!(config.integer("core.repositoryFormatVersion"), Ok(None | Some(0 | 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_that_git_counts_to_a_repository_decides_or_changes_nothing_that_is_found_here() {
        // The index is looked up by its own path, and the prefix only says where a command was called.
        const OTHERS: [&str; 2] = ["GIT_INDEX_FILE", "GIT_PREFIX"];
        let listed = std::process::Command::new("git").args(["rev-parse", "--local-env-vars"]).output();
        let listed = String::from_utf8(listed.expect("git runs").stdout).expect("names");
        let missing = listed.lines().filter(|name| !DECIDING.contains(name) && !OTHERS.contains(name));
        assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}
