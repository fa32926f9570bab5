//! The tour's repository: a new one, in which two agents and a person have worked for a day.
//!
//! Owns the order: a folder, a repository in it, one moment after the other (`day.rs` has them, `act.rs` does them). What is then looked
//! at, and how, is the command line's.
//! Invariant: nothing outside of the folder is read or written, neither of the user's nor of another repository: no variable and no
//! configuration but the repository's own counts. Ids of records are the same in every tour.

mod act;
mod day;
mod place;

pub use place::place;

use crate::env::{Env, FixedClock, SeededRandomness};
use crate::error::Error;
use crate::git::{GitCall, RepoError, init};
use crate::id::RecordId;
use crate::workspace::Workspace;
use crate::worktree::WorktreeError;
use act::Acting;
use day::{DAY, MAIL, PERSON};
use jiff::{SignedDuration, Timestamp};
use std::fs;
use std::path::Path;

/// With which the random numbers of the first moment begin.
const SEED: u64 = 0x7ed_4af7;

/// A repository with a day in it.
#[derive(Debug)]
pub struct Day {
    records: Vec<(&'static str, RecordId)>,
}

impl Day {
    /// The records by what they are called in the tour.
    pub fn records(&self) -> impl Iterator<Item = (&'static str, &RecordId)> {
        self.records.iter().map(|(name, id)| (*name, id))
    }
}

/// The surroundings of the tour's repository: nobody's.
///
/// # Errors
/// Where its folder is gone.
pub fn surroundings(root: &Path) -> Result<Env, Error> {
    let shown = root.to_string_lossy().into_owned();
    Ok(Env::in_dir(root).map_err(Error::io("find", shown))?.with_variable("GIT_PAGER", "cat"))
}

/// Makes an empty folder the tour's repository; its day ends at `now`.
///
/// # Errors
/// Where git cannot be run or fails, or the folder cannot be written.
pub fn make(root: &Path, now: Timestamp) -> Result<Day, Error> {
    let env = surroundings(root)?;
    let workspace = new_repository(root, &env)?;
    for (key, value) in settings() {
        workspace.repo().run_git(GitCall::new(["config", key, value]))?;
    }
    let mut records = Vec::new();
    for (seed, moment) in (SEED..).zip(DAY) {
        let time = now.checked_sub(SignedDuration::from_mins(moment.minutes_ago)).unwrap_or(now);
        let date = format!("{} +0000", time.as_second());
        let env = env
            .clone()
            .with_clock(FixedClock(time))
            .with_randomness(SeededRandomness::new(seed.wrapping_mul(seed)))
            .with_variable("GIT_AUTHOR_DATE", &date)
            .with_variable("GIT_COMMITTER_DATE", &date);
        let workspace = Workspace::discover(&env)?;
        let id = Acting::in_tree(&workspace).act(&moment.act)?;
        records.extend(id.map(|id| (moment.name, id)));
    }
    Ok(Day { records })
}

/// Makes the repository; of one that cannot be worked in nothing is left.
fn new_repository(root: &Path, env: &Env) -> Result<Workspace, Error> {
    let opened = init(env).and_then(|()| Workspace::discover(env));
    opened.map_err(|error| {
        // The folder was empty. That it cannot be emptied again says less than why there is no tour.
        let _ = fs::remove_dir_all(root.join(".git"));
        match error {
            RepoError::UnsafeOwner(_) => WorktreeError::OthersFolder(root.to_string_lossy().into_owned()).into(),
            error => error.into(),
        }
    })
}

/// What the repository says for itself, so that nothing of the user's own configuration decides there.
fn settings() -> [(&'static str, &'static str); 7] {
    [
        ("user.name", PERSON),
        ("user.email", MAIL),
        ("commit.gpgSign", "false"),
        ("tag.gpgSign", "false"),
        ("core.hooksPath", ".git/hooks"),
        ("core.autocrlf", "false"),
        ("core.fsmonitor", "false"),
    ]
}
