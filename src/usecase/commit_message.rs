//! Redraft's trailers in the message of a commit that git is making.
//!
//! Owns when they go into it. Git runs `prepare-commit-msg` before a person writes the message, and takes an empty one, or a template that
//! stayed as it was, for a person's wish to make no commit. Invariant: with trailers a message is empty for git if it is without them.
//! So they go at once only into a message that has a text of its own; else what is to be added waits in a file for `commit-msg`, by when the
//! text is there, or not. What a person takes out in the editor stays out.

use crate::error::Error;
use crate::git::{GitCall, Repo};
use crate::state_dir::{self, Durability, StateDir};
use bstr::ByteSlice;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Where the message comes from that `prepare-commit-msg` is given, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageSource {
    /// Nobody wrote any of it yet.
    Nobody,
    /// A template (`-t`, `commit.template`), which a person is to change.
    Template,
    /// Somebody gave it, or git made it: `-m`, `-F`, another commit, a merge.
    Given,
}

impl MessageSource {
    /// By git's word for it.
    pub fn of(word: Option<&str>) -> Self {
        match word {
            None | Some("") => Self::Nobody,
            Some("template") => Self::Template,
            Some(_) => Self::Given,
        }
    }
}

/// Trailers of which the message is looked at again, once it is written.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Waiting {
    /// The HEAD of the commit that is being made: what waits for another one was given up.
    head: String,
    trailers: Vec<String>,
    /// What the message said when nothing was added to it, so that they are still to be; none where they are in it.
    unwritten: Option<String>,
}

/// Puts trailers into a message before a person sees it, or keeps them until it is written.
///
/// # Errors
/// Where git fails, or a file cannot be read or written.
pub(super) fn begin(repo: &Repo, message: &Path, source: MessageSource, trailers: &str) -> Result<(), Error> {
    let place = StateDir::of(repo).trailers();
    state_dir::remove(&place).map_err(Error::io("remove", place.display().to_string()))?;
    if trailers.is_empty() {
        return Ok(());
    }
    let trailers: Vec<String> = trailers.lines().map(str::to_owned).collect();
    // Git says so where nobody is asked for the message; then it leaves in it what else would be comments, as in `-m '#12: a fix'`.
    let is_final = repo.env().variable("GIT_EDITOR").is_some_and(|editor| editor == ":");
    let text = text_of(repo, message, &trailers)?;
    let has_text = !text.is_empty() || (is_final && source == MessageSource::Given && !is_blank(message)?);
    let is_now = has_text && source != MessageSource::Template;
    if is_now {
        add(repo, message, &trailers)?;
    }
    if is_now && is_final {
        return Ok(());
    }
    let waiting = Waiting { head: head(repo)?, trailers, unwritten: (!is_now).then_some(text) };
    let bytes = serde_json::to_vec(&waiting).map_err(|error| Error::io("write", "trailers")(error.into()))?;
    state_dir::write(&place, &bytes, Durability::Fast).map_err(Error::io("write", place.display().to_string()))
}

/// Adds to a message that is written what waits for it; takes trailers out of one in which nothing else is left.
///
/// # Errors
/// As [`begin`].
pub(super) fn end(repo: &Repo, message: &Path) -> Result<(), Error> {
    let place = StateDir::of(repo).trailers();
    let io = |verb| Error::io(verb, place.display().to_string());
    let Some(bytes) = state_dir::read_regular(&place).map_err(io("read"))? else { return Ok(()) };
    state_dir::remove(&place).map_err(io("remove"))?;
    let Ok(waiting) = serde_json::from_slice::<Waiting>(&bytes) else { return Ok(()) };
    if waiting.head != head(repo)? {
        return Ok(());
    }
    let text = text_of(repo, message, &waiting.trailers)?;
    if text.is_empty() {
        return take_out(message, &waiting.trailers);
    }
    match waiting.unwritten {
        Some(unwritten) if unwritten != text => add(repo, message, &waiting.trailers),
        _ => Ok(()),
    }
}

fn head(repo: &Repo) -> Result<String, Error> {
    Ok(repo.head_id()?.map(|head| head.to_string()).unwrap_or_default())
}

/// Git knows where trailers go, among comments and cut lines too.
fn add(repo: &Repo, message: &Path, trailers: &[String]) -> Result<(), Error> {
    let call = GitCall::new(["interpret-trailers", "--in-place", "--if-exists", "addIfDifferent"]);
    let call = trailers.iter().fold(call, |call, line| call.arg("--trailer").arg(line));
    repo.run_git(call.arg(message))?;
    Ok(())
}

fn take_out(message: &Path, trailers: &[String]) -> Result<(), Error> {
    let old = read(message)?;
    let new: Vec<u8> = old.lines_with_terminator().filter(|line| !is_ours(line, trailers)).flatten().copied().collect();
    if new == old {
        return Ok(());
    }
    fs::write(message, new).map_err(Error::io("write", message.display().to_string()))
}

/// What git puts above what it cuts off: the diff of `commit -v`, say.
const CUT: &str = " ------------------------ >8 ------------------------";

/// What the message says but for comments, for our trailers, and for signatures, which make no message for git either.
fn text_of(repo: &Repo, message: &Path, trailers: &[String]) -> Result<String, Error> {
    let bytes = read(message)?;
    let above: Vec<u8> = bytes
        .lines_with_terminator()
        .take_while(|line| !line.trim_end().ends_with(CUT.as_bytes()))
        .flatten()
        .copied()
        .collect();
    let said = repo.run_git(GitCall::new(["stripspace", "--strip-comments"]).input(above))?;
    let counts = |line: &&[u8]| !is_ours(line, trailers) && !line.starts_with(b"Signed-off-by: ");
    let text: Vec<&[u8]> = said.lines().filter(counts).collect();
    Ok(text.join(&b"\n"[..]).trim().to_str_lossy().into_owned())
}

fn is_ours(line: &[u8], trailers: &[String]) -> bool {
    line.starts_with(b"Redraft-Id: ") || trailers.iter().any(|one| one.as_bytes() == line.trim_end())
}

fn is_blank(message: &Path) -> Result<bool, Error> {
    Ok(read(message)?.trim().is_empty())
}

fn read(message: &Path) -> Result<Vec<u8>, Error> {
    fs::read(message).map_err(Error::io("read", message.display().to_string()))
}
