//! Putting redraft's hooks and its server into the configuration of harnesses, and taking them out as if they had never been there.
//!
//! Owns what is written, and the receipts by which a file comes back byte for byte where nothing else changed it since.
//! Invariant: a file that is not understood, or another's, is not touched.

use super::codex_trust::{self, Trust};
use crate::change::ChangeKind;
use crate::env::Env;
use crate::error::Error;
use crate::harness::Harness;
use crate::install::{Place, Reach, harnesses, places, server, without_editors};
use crate::patch::diff::differing_lines;
use crate::patch::{DiffFile, DiffLimits, FilePatch, Origin, Replacement, preview};
use crate::path::RepoPath;
use crate::state_dir::{self, Durability};
use crate::strategy::Strategy;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// The hooks are to be there.
    Install,
    /// They are to be gone.
    Uninstall,
}

/// How a call is made.
#[derive(Debug, Clone, Copy)]
pub struct InstallOptions {
    /// Whose configuration.
    pub reach: Reach,
    /// What is wanted.
    pub wish: Wish,
    /// Which of what redraft has to put there.
    pub parts: Parts,
    /// Whether only to say what would be done.
    pub dry_run: bool,
}

/// What redraft has to put into a harness's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// The hooks.
    pub hooks: bool,
    /// The MCP server.
    pub server: bool,
    /// What takes the harness's own editors away.
    pub only_redraft: bool,
}

impl Parts {
    /// All that there may be.
    pub const ALL: Self = Self { hooks: true, server: true, only_redraft: true };

    fn places(self, harness: Harness, reach: Reach, base: &Path) -> Vec<Place> {
        let mut found = if self.hooks { places(harness, reach, base) } else { Vec::new() };
        found.extend(self.server.then(|| server(harness, reach, base)).flatten());
        found.extend(self.only_redraft.then(|| without_editors(harness, reach, base)).flatten());
        found
    }
}

/// What is done with one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileDone {
    /// Whose it is.
    pub harness: &'static str,
    /// The file.
    pub file: PathBuf,
    /// Whether it is another one than before, or would be.
    pub is_changed: bool,
    /// What changes, as a diff.
    pub diff: String,
    /// Why nothing was done; none where it was, or nothing had to be.
    pub refused: Option<String>,
}

/// How a harness stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Whose it is.
    pub harness: &'static str,
    /// Whether it seems to be used here: its folder is there.
    pub is_there: bool,
    /// The user's files that have the hooks.
    pub user: Vec<PathBuf>,
    /// The repository's files that have them.
    pub project: Vec<PathBuf>,
    /// The files, yours and the repository's, that name the MCP server.
    pub server: Vec<PathBuf>,
    /// When a hook of it last ran in this repository, milliseconds since 1970-01-01 UTC.
    pub fired_ms: Option<i64>,
    /// Whether the harness lets the hooks run, where it needs the user's trust and tells; none elsewhere.
    pub trust: Option<Trust>,
}

/// A file as it was before its hooks were put in, and as they were put in; by its path.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Receipts(BTreeMap<String, Receipt>);

#[derive(Debug, Serialize, Deserialize)]
struct Receipt {
    /// None where there was no file.
    before: Option<String>,
    after: String,
    /// The folders that were made for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    made: Vec<PathBuf>,
}

/// Does what is wanted in the files of these harnesses.
///
/// # Errors
/// Where there is no home, or no repository, or a file cannot be read or written.
pub fn install(env: &Env, named: &[Harness], options: InstallOptions) -> Result<Vec<FileDone>, Error> {
    let base = base(env, options.reach)?;
    let receipts_file = receipts_file(env)?;
    let mut receipts = read_receipts(&receipts_file);
    let (mut done, mut made) = (Vec::new(), Vec::new());
    for harness in named {
        for place in options.parts.places(*harness, options.reach, &base) {
            let file = one(&place, *harness, options, (&mut receipts, &mut made))?;
            // A file that is as it was before all of it is so once.
            if !done.contains(&file) {
                done.push(file);
            }
        }
    }
    // The deepest first; one that something else is in stays.
    made.sort();
    made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    if !options.dry_run && done.iter().any(|file| file.is_changed) {
        let failed = |error| Error::io("write", receipts_file.to_string_lossy())(error);
        receipts_file.parent().map_or(Ok(()), state_dir::make_private).map_err(failed)?;
        let bytes = serde_json::to_vec(&receipts).map_err(std::io::Error::from).map_err(failed)?;
        state_dir::write(&receipts_file, &bytes, Durability::Full).map_err(failed)?;
    }
    Ok(done)
}

/// Does one file; folders that were made for one that is gone again are added to the list.
fn one(
    place: &Place,
    harness: Harness,
    options: InstallOptions,
    (receipts, gone): (&mut Receipts, &mut Vec<PathBuf>),
) -> Result<FileDone, Error> {
    // A file that is a symlink stays one: what it leads to is changed.
    let file = fs::canonicalize(&place.file).unwrap_or_else(|_| place.file.clone());
    let shown = file.to_string_lossy().into_owned();
    let before = state_dir::read(&file).map_err(Error::io("read", shown.clone()))?;
    let wanted = match options.wish {
        Wish::Install => place.content.added_to(before.as_deref()).map(Some),
        Wish::Uninstall => match (&before, receipts.0.get(&shown)) {
            (None, _) => Ok(None),
            (Some(now), Some(receipt)) if receipt.after.as_bytes() == now => {
                Ok(receipt.before.clone().map(String::into_bytes))
            }
            (Some(now), _) => place.content.taken_from(now),
        },
    };
    let done = |after: Option<&Vec<u8>>, refused: Option<String>| FileDone {
        harness: harness.name(),
        file: place.file.clone(),
        is_changed: after != before.as_ref() && refused.is_none(),
        diff: text_diff(&place.file.to_string_lossy(), before.as_deref(), after.map(Vec::as_slice)),
        refused,
    };
    let after = match wanted {
        Ok(after) => after,
        Err(why) => return Ok(done(before.as_ref(), Some(why))),
    };
    let told = done(after.as_ref(), None);
    if !told.is_changed || options.dry_run {
        return Ok(told);
    }
    match (options.wish, &after) {
        (Wish::Install, Some(after)) => {
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            // The first one counts: what was there before redraft was.
            let old = receipts.0.remove(&shown);
            let made = old.as_ref().map_or_else(|| missing_folders(&file), |receipt| receipt.made.clone());
            let before = old.map_or_else(|| before.map(text), |receipt| receipt.before);
            receipts.0.insert(shown.clone(), Receipt { before, after: text(after.clone()), made });
        }
        (Wish::Uninstall, None) => gone.extend(receipts.0.remove(&shown).into_iter().flat_map(|receipt| receipt.made)),
        _ => drop(receipts.0.remove(&shown)),
    }
    put(&file, after.as_deref(), place).map_err(Error::io("write", shown))?;
    Ok(told)
}

/// What changes, as a diff; the path without its first slash, as diffs have it.
fn text_diff(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let Ok(path) = RepoPath::new(path.trim_start_matches('/').as_bytes()) else { return String::new() };
    let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
    let origin = Origin { edit: 0, strategy: Strategy::Exact };
    let splices = differing_lines(old, new).into_iter();
    let splices = splices.map(|(from, to)| Replacement { range: from, bytes: new[to].to_vec() }.by(origin)).collect();
    let change = match (before, after) {
        (None, _) => ChangeKind::Create,
        (_, None) => ChangeKind::Delete,
        _ => ChangeKind::Modify,
    };
    let patch = FilePatch::new(old.len(), splices).expect("lines that differ are sorted and disjoint");
    let file = DiffFile {
        path: &path,
        from: None,
        change,
        mode: 0o100_644,
        mode_before: None,
        before_id: None,
        after_id: None,
        base: old,
        patch: &patch,
    };
    preview(&[file], DiffLimits { lines: 0, bytes: 0 }).text
}

/// The folders above a file that are not there yet.
fn missing_folders(file: &Path) -> Vec<PathBuf> {
    let above = file.ancestors().skip(1).take_while(|folder| !folder.exists());
    above.map(Path::to_owned).collect()
}

/// Writes a file, with the mode that it has or is to have, or removes it.
fn put(file: &Path, text: Option<&[u8]>, place: &Place) -> std::io::Result<()> {
    let Some(text) = text else { return state_dir::remove(file) };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mode = fs::metadata(file).ok().map(|meta| meta.permissions());
    state_dir::write(file, text, Durability::Full)?;
    #[cfg(unix)]
    let mode = mode.or_else(|| match place.content {
        crate::install::Content::Own(_, mode) => Some(std::os::unix::fs::PermissionsExt::from_mode(mode)),
        _ => None,
    });
    mode.map_or(Ok(()), |mode| fs::set_permissions(file, mode))
}

/// How each harness stands.
///
/// # Errors
/// Where there is no home.
pub fn standings(env: &Env) -> Result<Vec<Standing>, Error> {
    let home = home(env)?;
    let workspace = Workspace::discover(env).ok();
    let root = workspace.as_ref().map(|workspace| workspace.repo().root().to_owned());
    let place = workspace.as_ref().map(|workspace| state_dir::StateDir::of(workspace.repo()));
    let with_hooks = |harness, reach, base: &Path| -> Vec<PathBuf> {
        let has = |place: &Place| matches!(state_dir::read(&place.file), Ok(Some(text)) if place.content.is_in(&text));
        places(harness, reach, base).into_iter().filter(has).map(|place| place.file).collect()
    };
    let with_server = |harness| -> Vec<PathBuf> {
        let project = root.as_ref().and_then(|root| server(harness, Reach::Project, root));
        let both = server(harness, Reach::User, &home).into_iter().chain(project);
        let has = |place: &Place| matches!(state_dir::read(&place.file), Ok(Some(text)) if place.content.is_in(&text));
        both.filter(has).map(|place| place.file).collect()
    };
    let standing = |(harness, folder, _): &(Harness, &str, _)| Standing {
        harness: harness.name(),
        is_there: home.join(folder).is_dir(),
        user: with_hooks(*harness, Reach::User, &home),
        project: root.as_ref().map(|root| with_hooks(*harness, Reach::Project, root)).unwrap_or_default(),
        server: with_server(*harness),
        fired_ms: place.as_ref().and_then(|place| crate::observe::fired(place, harness.name())),
        trust: None,
    };
    Ok(harnesses().iter().map(standing).collect())
}

/// As [`standings`], and asks harnesses that skip hooks in silence whether they do.
///
/// # Errors
/// As there.
pub fn checked(env: &Env) -> Result<Vec<Standing>, Error> {
    let mut found = standings(env)?;
    let workspace = Workspace::discover(env).ok();
    let dir = workspace.as_ref().map_or(env.cwd(), |workspace| workspace.repo().root());
    for one in &mut found {
        let is_installed = !one.user.is_empty() || !one.project.is_empty();
        if is_installed && one.harness == Harness::Codex.name() {
            one.trust = codex_trust::ask(env, dir);
        }
    }
    Ok(found)
}

fn base(env: &Env, reach: Reach) -> Result<PathBuf, Error> {
    match reach {
        Reach::User => home(env),
        Reach::Project => Ok(Workspace::discover(env)?.repo().root().to_owned()),
    }
}

fn home(env: &Env) -> Result<PathBuf, Error> {
    let home = env.variable("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    home.ok_or_else(|| Error::io("find", "the home directory ($HOME)")(std::io::ErrorKind::NotFound.into()))
}

fn receipts_file(env: &Env) -> Result<PathBuf, Error> {
    Ok(home(env)?.join(".local/state/redraft/installed.json"))
}

fn read_receipts(file: &Path) -> Receipts {
    let bytes = state_dir::read(file).ok().flatten().unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}
