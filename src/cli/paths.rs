//! Paths on the command line, which need not be UTF-8.
//!
//! Owns how an argument becomes a path of the repository: as git takes them, from the current directory on, and from the root
//! where they begin with `:/` or `:(top)`. Does not look at files. (The paths in requests are relative to the root.)

use crate::env::Env;
use crate::error::Error;
use crate::git::Repo;
use crate::path::{PathError, RepoPath};
use crate::text::quoted_file;
use crate::usecase::here;
use crate::workspace::Workspace;
use bstr::{BString, ByteSlice};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Paths of the command line, below the root of the repository that holds the current directory; none stands for all.
pub(super) fn parse(raw: &[PathBuf], env: &Env) -> Result<Vec<RepoPath>, Error> {
    if raw.is_empty() {
        return Ok(Vec::new());
    }
    Ok(parse_in(raw, Workspace::discover(env)?.repo())?)
}

/// The same, where the repository is known.
pub(super) fn parse_in(raw: &[PathBuf], repo: &Repo) -> Result<Vec<RepoPath>, PathError> {
    let found: Vec<Option<RepoPath>> = raw.iter().map(|path| below_root(path, repo)).collect::<Result<_, _>>()?;
    // The whole tree and something in it is the whole tree.
    Ok(if found.contains(&None) { Vec::new() } else { found.into_iter().flatten().collect() })
}

/// Paths that each name something below the root.
pub(super) fn parts_of(raw: &[PathBuf], env: &Env) -> Result<Vec<RepoPath>, Error> {
    if raw.is_empty() {
        return Ok(Vec::new());
    }
    let workspace = Workspace::discover(env)?;
    Ok(raw.iter().map(|path| one(path, workspace.repo())).collect::<Result<_, _>>()?)
}

/// One of them.
pub(super) fn one(path: &Path, repo: &Repo) -> Result<RepoPath, PathError> {
    below_root(path, repo)?.ok_or(PathError::Root)
}

/// An argument for an answer that repeats it: itself where it is UTF-8, and as git quotes it elsewhere.
pub(super) fn as_given(path: &Path) -> String {
    path.to_str().map_or_else(|| quoted_file(path), str::to_owned)
}

/// An object about a path, which stands in front: as a person reads it, and its bytes in base64 where it is not UTF-8.
pub(super) fn json(path: &RepoPath, rest: Value) -> Value {
    let mut told = json!({"path": path.to_string_lossy()});
    if let Some(base64) = path.base64() {
        told["path_b64"] = json!(base64);
    }
    if let (Value::Object(told), Value::Object(rest)) = (&mut told, rest) {
        told.extend(rest);
    }
    told
}

/// Several paths, as a person reads them.
pub(super) fn strings(paths: &[RepoPath]) -> Vec<String> {
    paths.iter().map(RepoPath::to_string_lossy).collect()
}

/// Adds their bytes in base64 to an object, each in its place, where one of them is not UTF-8.
pub(super) fn add_bytes(told: &mut Value, key: &str, paths: &[RepoPath]) {
    if let Some(all) = RepoPath::base64_of_all(paths) {
        told[key] = json!(all);
    }
}

/// None is the root itself.
fn below_root(path: &Path, repo: &Repo) -> Result<Option<RepoPath>, PathError> {
    // Where the system has names that are no bytes, git has no such name either.
    let lossy = path.to_string_lossy();
    let raw = <[u8]>::from_path(path).unwrap_or(lossy.as_bytes());
    if raw.is_empty() {
        return Err(PathError::Empty);
    }
    let whole: BString = match raw.strip_prefix(b":(top)").or_else(|| raw.strip_prefix(b":/")) {
        Some(from_root) => from_root.into(),
        None if path.is_absolute() => {
            let roots = [Some(repo.root()), repo.root_given()];
            let below = roots.into_iter().flatten().find_map(|root| path.strip_prefix(root).ok());
            below.and_then(<[u8]>::from_path).ok_or_else(|| PathError::Absolute(raw.into()))?.into()
        }
        None => [&here(repo)[..], b"/", raw].concat().into(),
    };
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in whole.split_str("/") {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop().ok_or_else(|| PathError::Outside(raw.into()))?),
            part => parts.push(part),
        }
    }
    if parts.is_empty() { Ok(None) } else { RepoPath::new(&bstr::join("/", parts)).map(Some) }
}
