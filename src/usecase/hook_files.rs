//! Redraft's scripts among git's hooks: putting them in place without losing those that are there, taking them away again.
//!
//! Owns the files in git's folder of hooks that redraft made, and no others. Where a manager owns that folder, it is left alone
//! (`hook_managers.rs`). Invariant: uninstalling restores what was there, byte for byte.

use super::hook_managers::{Manager, add, take_away};
use super::hook_scripts::HOOKS;
use super::kept_hooks::KeptHooks;
use crate::env::Env;
use crate::error::Error;
use crate::git::Repo;
use crate::policy::CommitRefusal;
use crate::workspace::Workspace;
use bstr::ByteSlice;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What redraft's scripts have in their second line.
const MARK: &str = "\n# redraft hook: ";

/// How one hook stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookState {
    /// There is none.
    Missing,
    /// There is another one, and redraft's is not.
    Other,
    /// Redraft's is there.
    Installed,
    /// Redraft's is there, and runs the one that was there before.
    Chained,
    /// There is another one, and redraft's was there: somebody overwrote it.
    Overwritten,
    /// Redraft's is there in another version, or changed by somebody.
    Changed,
}

impl HookState {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Other => "other",
            Self::Installed => "installed",
            Self::Chained => "chained",
            Self::Overwritten => "overwritten",
            Self::Changed => "changed",
        }
    }
}

/// The folder of hooks, and how each of redraft's stands.
#[derive(Debug, Clone)]
pub struct HookReport {
    /// `core.hooksPath`, else that of the repository.
    pub folder: PathBuf,
    /// Who else owns the hooks there.
    pub manager: Option<Manager>,
    /// In the order of [`HOOKS`].
    pub hooks: Vec<(&'static str, HookState)>,
    /// What a person is to add to files of the manager's.
    pub to_add: Vec<(PathBuf, String)>,
    /// Scripts of redraft's to which somebody had added something: where they are now.
    pub aside: Vec<PathBuf>,
}

/// How the hooks stand.
///
/// # Errors
/// Where there is no repository.
pub fn status(env: &Env) -> Result<HookReport, Error> {
    let workspace = Workspace::discover(env)?;
    report(workspace.repo(), workspace.repo().hooks()?.folder())
}

/// Puts redraft's hooks in place; those that are there are kept and run first. Where a manager owns the hooks, nothing of it
/// is touched: what is to be added to its files is told, and added to the files `into`.
///
/// # Errors
/// Where a file cannot be read, moved or written, or `into` is no file for a hook.
pub fn install(env: &Env, into: &[PathBuf]) -> Result<HookReport, Error> {
    let workspace = Workspace::discover(env)?;
    let (repo, folder) = (workspace.repo(), workspace.repo().hooks()?.folder().to_owned());
    let manager = Manager::of(repo, &folder);
    let aside = match manager {
        Some(manager) if !manager.lets_hooks_be() => {
            // An older redraft put its own hooks there, and switched the manager's off.
            let aside = remove_from(&folder)?;
            into.iter().try_for_each(|file| add_into(env, manager, file))?;
            aside
        }
        _ if !into.is_empty() => return Err(CommitRefusal::NoHookManager.into()),
        _ if folder.exists() && !folder.is_dir() => return Err(CommitRefusal::NoHookFolder(folder).into()),
        _ => put_into(&folder)?,
    };
    Ok(HookReport { aside, ..report(repo, &folder)? })
}

fn add_into(env: &Env, manager: Manager, file: &Path) -> Result<(), Error> {
    let path = env.cwd().join(file);
    let stem = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match manager {
        Manager::Husky if HOOKS.iter().any(|(name, _)| *name == stem) => add(manager, &stem, &path),
        Manager::Lefthook if [".yml", ".yaml"].iter().any(|end| stem.ends_with(end)) => {
            HOOKS.iter().try_for_each(|(name, _)| add(manager, name, &path))
        }
        Manager::Husky | Manager::Lefthook | Manager::PreCommit => Err(CommitRefusal::NoHookFile(path).into()),
    }
}

fn put_into(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    fs::create_dir_all(folder).map_err(io_error("make", folder))?;
    let (kept, mut aside) = (KeptHooks::of(folder), Vec::new());
    for (name, script) in HOOKS {
        let place = folder.join(name);
        match state(folder, name, script)? {
            HookState::Installed | HookState::Chained => continue,
            HookState::Changed => aside.extend(put_aside(&place, script)?),
            HookState::Missing => {}
            HookState::Overwritten => {
                drop_copies(folder, name)?;
                kept.keep(name)?;
            }
            HookState::Other => kept.keep(name)?,
        }
        write_executable(&place, script).map_err(io_error("write", &place))?;
    }
    // The new scripts look in both places: there is a moment for neither.
    kept.settle()?;
    Ok(aside)
}

/// What the name of a script ends with to which somebody had added something.
const ASIDE: &str = ".redraft-changed";

/// Copies a script of redraft's to which somebody added something; an older one is no such.
fn put_aside(place: &Path, script: &str) -> Result<Option<PathBuf>, Error> {
    let bytes = fs::read(place).map_err(io_error("read", place))?;
    let mut lines = bytes.lines();
    let is_added_to = script.as_bytes().lines().all(|own| lines.any(|line| line == own));
    if !is_added_to {
        return Ok(None);
    }
    let mut aside = place.as_os_str().to_owned();
    aside.push(ASIDE);
    let aside = PathBuf::from(aside);
    fs::copy(place, &aside).map_err(io_error("write", &aside))?;
    Ok(Some(aside))
}

/// Removes copies of our hook that a manager made when it overwrote it: it would run twice.
fn drop_copies(folder: &Path, name: &str) -> Result<(), Error> {
    for copy in [".legacy", ".old"].map(|end| folder.join(format!("{name}{end}"))) {
        if fs::read(&copy).is_ok_and(|bytes| bytes.contains_str(MARK)) {
            fs::remove_file(&copy).map_err(io_error("remove", &copy))?;
        }
    }
    Ok(())
}

/// Takes redraft's hooks away, and puts back what was there before; where a manager owns the hooks, takes out of its files what
/// `install` adds to them.
///
/// # Errors
/// Where a file cannot be read, moved or removed, or asks for redraft in other words than those that `install` adds.
pub fn uninstall(env: &Env) -> Result<HookReport, Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    let folder = repo.hooks()?.folder().to_owned();
    let mut aside = remove_from(&folder)?;
    // Where `core.hooksPath` was set since, they are still where git looked then.
    let own = repo.common_dir().join("hooks");
    if own != folder {
        aside.extend(remove_from(&own)?);
    }
    if let Some(manager) = Manager::of(repo, &folder).filter(|manager| !manager.lets_hooks_be()) {
        HOOKS.iter().try_for_each(|(name, _)| take_away(manager, name, &manager.file(repo, name)))?;
        let left: Vec<String> = HOOKS.iter().flat_map(|(name, _)| manager.lines_asking_for(repo, name)).collect();
        if !left.is_empty() {
            return Err(CommitRefusal::HookLinesLeft(left).into());
        }
    }
    Ok(HookReport { to_add: Vec::new(), aside, ..report(repo, &folder)? })
}

fn remove_from(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let (kept, mut aside) = (KeptHooks::of(folder), Vec::new());
    for (name, script) in HOOKS {
        let place = folder.join(name);
        match state(folder, name, script)? {
            HookState::Missing | HookState::Other | HookState::Overwritten => continue,
            HookState::Changed => aside.extend(put_aside(&place, script)?),
            HookState::Installed | HookState::Chained => {}
        }
        // One rename where there is something to put back: there is a hook at every moment.
        let done = match kept.get(name) {
            Some(kept) => fs::rename(kept, &place),
            None => fs::remove_file(&place),
        };
        done.map_err(io_error("remove", &place))?;
    }
    kept.clear()?;
    Ok(aside)
}

fn report(repo: &Repo, folder: &Path) -> Result<HookReport, Error> {
    let manager = Manager::of(repo, folder);
    let owner = manager.filter(|manager| !manager.lets_hooks_be());
    let stands = |name: &str, script: &str| match owner {
        Some(owner) if owner.asks_for(repo, name) => Ok(HookState::Installed),
        Some(_) => Ok(HookState::Missing),
        None => state(folder, name, script),
    };
    let hooks = HOOKS.iter().map(|(name, script)| Ok((*name, stands(name, script)?)));
    let hooks: Vec<(&'static str, HookState)> = hooks.collect::<Result<_, Error>>()?;
    let missing = hooks.iter().filter(|(_, state)| *state == HookState::Missing).map(|(name, _)| *name);
    let to_add = owner.into_iter().flat_map(|owner| missing.clone().map(move |name| (owner, name)));
    let to_add = to_add.map(|(owner, name)| (owner.file(repo, name), owner.lines(name))).collect();
    Ok(HookReport { folder: folder.to_owned(), manager, hooks, to_add, aside: Vec::new() })
}

fn state(folder: &Path, name: &str, script: &str) -> Result<HookState, Error> {
    let place = folder.join(name);
    let is_kept = KeptHooks::of(folder).get(name).is_some();
    match fs::read(&place) {
        Ok(bytes) if bytes == script.as_bytes() => Ok(if is_kept { HookState::Chained } else { HookState::Installed }),
        Ok(bytes) if bytes.contains_str(MARK) => Ok(HookState::Changed),
        Ok(_) if is_kept => Ok(HookState::Overwritten),
        Ok(_) => Ok(HookState::Other),
        // A link to nothing is somebody's, too.
        Err(error) if error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(&place).is_ok() => {
            Ok(HookState::Other)
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(HookState::Missing)
        }
        Err(error) => Err(io_error("read", &place)(error)),
    }
}

/// Under another name first: a half-written script never runs.
fn write_executable(place: &Path, script: &str) -> io::Result<()> {
    let mut draft = place.as_os_str().to_owned();
    draft.push(".redraft-new");
    let draft = PathBuf::from(draft);
    let mut file = fs::File::create(&draft)?;
    file.write_all(script.as_bytes())?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    drop(file);
    fs::rename(&draft, place)
}

fn io_error(verb: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    Error::io(verb, path.display().to_string())
}
