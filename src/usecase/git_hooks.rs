//! Git hooks: putting redraft's in place without losing those that are there, and what they do.
//!
//! Owns the files in git's folder of hooks that redraft made, and no others. Invariant: uninstalling restores what was
//! there, byte for byte.

use crate::env::Env;
use crate::error::Error;
use crate::git::{ChangedFile, GitCall, Repo};
use crate::git_record::RECORDING;
use crate::git_record::{assisted_by, trailers};
use crate::history::{CommitsOfRecords, History, edits_held, note_rewritten};
use crate::id::RecordId;
use crate::policy::{self, CommitRefusal, CommitRule};
use crate::record::Record;
use crate::state_dir::{StateDir, append_lines};
use crate::transaction::{State, is_settled};
use crate::workspace::Workspace;
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The hooks, by name, with their scripts.
pub const HOOKS: [(&str, &str); 4] = [
    ("pre-commit", include_str!("../../hooks/git/pre-commit")),
    ("prepare-commit-msg", include_str!("../../hooks/git/prepare-commit-msg")),
    ("post-commit", include_str!("../../hooks/git/post-commit")),
    ("post-rewrite", include_str!("../../hooks/git/post-rewrite")),
];

/// What redraft's scripts have in their second line.
const MARK: &str = "\n# redraft hook: ";
/// The name of a hook that was there before.
const BEFORE: &str = ".before-redraft";

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
            Self::Changed => "changed",
        }
    }
}

/// The folder of hooks, and how each of redraft's stands.
#[derive(Debug, Clone)]
pub struct HookReport {
    /// `core.hooksPath`, else that of the repository.
    pub folder: PathBuf,
    /// In the order of [`HOOKS`].
    pub hooks: Vec<(&'static str, HookState)>,
}

/// How the hooks stand.
///
/// # Errors
/// Where there is no repository.
pub fn status(env: &Env) -> Result<HookReport, Error> {
    report(&folder(env)?)
}

/// Puts redraft's hooks in place; those that are there are kept and run first.
///
/// # Errors
/// Where there is no repository, a hook is kept already under the name that one would get, or a hook cannot be moved or
/// written.
pub fn install(env: &Env) -> Result<HookReport, Error> {
    let folder = folder(env)?;
    fs::create_dir_all(&folder).map_err(io_error("make", &folder))?;
    for (name, script) in HOOKS {
        let place = folder.join(name);
        let kept = folder.join(format!("{name}{BEFORE}"));
        match state(&folder, name, script)? {
            HookState::Installed | HookState::Chained => continue,
            HookState::Changed | HookState::Missing => {}
            HookState::Other if fs::symlink_metadata(&kept).is_ok() => {
                let taken = io::Error::new(io::ErrorKind::AlreadyExists, "a hook is kept there already");
                return Err(io_error("keep the hook as", &kept)(taken));
            }
            HookState::Other => fs::rename(&place, &kept).map_err(io_error("keep", &place))?,
        }
        write_executable(&place, script).map_err(io_error("write", &place))?;
    }
    report(&folder)
}

/// Takes redraft's hooks away, and puts back what was there before.
///
/// # Errors
/// Where there is no repository, or a hook cannot be removed or put back.
pub fn uninstall(env: &Env) -> Result<HookReport, Error> {
    let folder = folder(env)?;
    for (name, script) in HOOKS {
        let place = folder.join(name);
        let kept = folder.join(format!("{name}{BEFORE}"));
        match state(&folder, name, script)? {
            HookState::Missing | HookState::Other => continue,
            HookState::Installed | HookState::Changed | HookState::Chained => {}
        }
        // One rename where there is something to put back: there is a hook at every moment.
        let done = match fs::symlink_metadata(&kept) {
            Ok(_) => fs::rename(&kept, &place),
            Err(_) => fs::remove_file(&place),
        };
        done.map_err(io_error("remove", &place))?;
    }
    report(&folder)
}

fn folder(env: &Env) -> Result<PathBuf, Error> {
    Ok(Workspace::discover(env)?.repo().hooks()?.folder().to_owned())
}

fn report(folder: &Path) -> Result<HookReport, Error> {
    let hooks = HOOKS.iter().map(|(name, script)| Ok((*name, state(folder, name, script)?)));
    Ok(HookReport { folder: folder.to_owned(), hooks: hooks.collect::<Result<_, Error>>()? })
}

fn state(folder: &Path, name: &str, script: &str) -> Result<HookState, Error> {
    let place = folder.join(name);
    let is_kept = fs::symlink_metadata(folder.join(format!("{name}{BEFORE}"))).is_ok();
    match fs::read(&place) {
        Ok(bytes) if bytes == script.as_bytes() => Ok(if is_kept { HookState::Chained } else { HookState::Installed }),
        Ok(bytes) if bytes.contains_str(MARK) => Ok(HookState::Changed),
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

// -- what they do -------------------------------------------------------------------------------------------------

/// How long a commit waits for an edit that is being made at this moment.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether redraft itself makes the commit, and so knows all that a hook could say.
fn is_recording(env: &Env) -> bool {
    env.variable(RECORDING).is_some()
}

/// Refuses a commit while an edit is unfinished, or against a policy (`redraft.hookPolicy`).
///
/// # Errors
/// The refusal.
pub fn pre_commit(env: &Env) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    if is_recording(env) {
        return Ok(());
    }
    let Some(state) = State::open_existing(&StateDir::of(repo))? else { return Ok(()) };
    let start = env.clock().instant();
    while !is_settled(&state)? {
        if env.clock().instant().duration_since(start) >= PATIENCE {
            return Err(CommitRefusal::Unfinished.into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let rules = &workspace.settings()?.commit_rules;
    rules.iter().try_for_each(|rule| match rule {
        CommitRule::Unreviewed => refuse_unreviewed(repo),
        CommitRule::Leftovers => refuse_leftovers(repo),
    })
}

fn staged_records(repo: &Repo) -> Result<Vec<Record>, Error> {
    let held = edits_held(&History::open(repo)?, &repo.staged_changes()?)?;
    Ok(held.into_iter().map(|(record, _)| record).collect())
}

fn refuse_unreviewed(repo: &Repo) -> Result<(), Error> {
    let reviewed = reviewed(repo)?;
    let open: Vec<String> = staged_records(repo)?
        .iter()
        .filter(|record| !reviewed.contains(&record.id))
        .map(|record| format!("{} ({})", record.id, record.subject()))
        .collect();
    if open.is_empty() { Ok(()) } else { Err(CommitRefusal::Unreviewed(open).into()) }
}

/// Refuses conflict markers and omission placeholders that the commit adds to files that an agent edited.
fn refuse_leftovers(repo: &Repo) -> Result<(), Error> {
    let index = repo.read_index(&repo.index_path())?;
    let records = staged_records(repo)?;
    let paths: BTreeSet<_> = records.iter().flat_map(|record| &record.files).map(|file| &file.path).collect();
    for path in paths {
        let crate::git::IndexLookup::Entry(entry) = index.lookup(path) else { continue };
        let new = repo.blob(&entry.id)?;
        let old = repo.head_entry(path)?.map(|head| repo.blob(&head.id)).transpose()?.unwrap_or_default();
        policy::refuse_leftovers(path, &old, &new)?;
    }
    Ok(())
}

/// Adds trailers for the agent edits that a commit holds to its message.
///
/// # Errors
/// Where they cannot be found out or written.
pub fn prepare_commit_msg(env: &Env, message: &Path) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    if is_recording(env) || !StateDir::of(repo).exists() {
        return Ok(());
    }
    let records = staged_records(repo)?;
    if records.is_empty() {
        return Ok(());
    }
    let ids: Vec<RecordId> = records.iter().map(|record| record.id.clone()).collect();
    let agents: Vec<Option<String>> = records.iter().map(|record| assisted_by(&record.meta)).collect();
    // Git knows where trailers go, among comments and cut lines too.
    let call = GitCall::new(["interpret-trailers", "--in-place", "--if-exists", "addIfDifferent"]);
    let lines = trailers(&ids, &agents);
    let call = lines.lines().fold(call, |call, line| call.arg("--trailer").arg(line));
    repo.run_git(call.arg(env.cwd().join(message)))?;
    Ok(())
}

/// Notes which records the commit that was just made holds.
///
/// # Errors
/// Where there is no repository, git fails, or the list of commits cannot be written.
pub fn post_commit(env: &Env) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    let place = StateDir::of(repo);
    if is_recording(env) || !place.exists() {
        return Ok(());
    }
    let Some(head) = repo.head_id()? else { return Ok(()) };
    let changes: Vec<ChangedFile> =
        repo.changes_of_commits([head])?.into_iter().flat_map(|commit| commit.files).collect();
    let held = edits_held(&History::open(repo)?, &changes)?;
    let held = held.iter().map(|(record, share)| (&record.id, *share));
    CommitsOfRecords::note(&place, held, head).map_err(Error::io("note", "the commits of records"))
}

/// Notes what commits hold that were made of others: `pairs` are git's lines of an old and a new one.
///
/// # Errors
/// Where there is no repository, or the list of commits cannot be written.
pub fn post_rewrite(env: &Env, pairs: &str) -> Result<(), Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    if !StateDir::of(repo).exists() {
        return Ok(());
    }
    let pairs = pairs.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    });
    Ok(note_rewritten(&History::open(repo)?, &pairs.collect::<Vec<_>>())?)
}

// -- reviews ------------------------------------------------------------------------------------------------------

/// Notes that a person has looked at records: the named ones, else all that the staged changes hold.
///
/// # Errors
/// Where a record is not found.
pub fn review(env: &Env, names: &[String]) -> Result<Vec<RecordId>, Error> {
    let workspace = Workspace::discover(env)?;
    let repo = workspace.repo();
    let ids: Vec<RecordId> = if names.is_empty() {
        staged_records(repo)?.into_iter().map(|record| record.id).collect()
    } else {
        let history = History::open(repo)?;
        names.iter().map(|name| Ok(history.find(name)?.record.id)).collect::<Result<_, Error>>()?
    };
    let place = StateDir::of(repo).reviewed();
    append_lines(&place, ids.iter().map(|id| format!("{id}\n"))).map_err(io_error("write", &place))?;
    Ok(ids)
}

fn reviewed(repo: &Repo) -> Result<BTreeSet<RecordId>, Error> {
    let place = StateDir::of(repo).reviewed();
    match fs::read_to_string(&place) {
        Ok(text) => Ok(text.lines().filter_map(RecordId::parse).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(io_error("read", &place)(error)),
    }
}

/// A hook that was called with the wrong words.
pub fn bad_call(what: &'static str) -> Error {
    CommitRefusal::BadCall(what).into()
}
