//! Names that somebody else gave to files, which an undo found under them: since when a file has such a name, and which records are of it.
//!
//! Owns what the texts of other records tell of that. What a name leads to is `renames`' affair.
//! Invariant: a record is of another file only where it left, or met, a text with hardly a line in common with the one beside it in the log.

use super::likeness::are_partly_one;
use super::log::{Known, Log};
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::path::RepoPath;
use std::sync::Arc;

/// The records that are of a file which was found under a new name, by its name before that.
pub(super) struct Found {
    /// The oldest that is known to be of it, so many steps back; none where that is not looked at.
    oldest: Option<usize>,
    /// Whether older ones of the name are of another file.
    is_all: bool,
}

impl Found {
    /// From the record that was taken back; none where that knew the file by another name than the one it was left with.
    pub(super) fn of(oldest: Option<usize>) -> Self {
        Self { oldest, is_all: false }
    }

    /// Whether a record of the name, so many steps back, is of it.
    pub(super) fn is_of(&self, record: usize) -> bool {
        !self.is_all || self.oldest.is_none_or(|oldest| record <= oldest)
    }

    /// Looks at an older record, so many steps back.
    pub(super) fn go_back(&mut self, log: &Log<'_>, name: &RepoPath, (at, item): (usize, &Item)) {
        let Some(oldest) = self.oldest.filter(|oldest| at > *oldest && !self.is_all) else { return };
        let Some(n) = item.record.files.iter().position(|file| file.path == *name) else { return };
        let (older, newer) = (log.known(item, n), known_at(log, oldest, name).ok().flatten());
        let (Some(older), Some(newer)) = (older, newer) else { return };
        self.is_all = match (older.texts.after(), newer.texts.before()) {
            (Some(left), Some(met)) => are_others(left, met),
            _ => false,
        };
        if !self.is_all {
            // What it was called before is not looked at.
            self.oldest = (item.record.files[n].change == ChangeKind::Modify).then_some(at);
        }
    }
}

/// The first record after the one at `at`, and before the one at `later`, that tells that a file had the other one of these names: it met
/// just what was left of it there, or another file where it had been.
pub(super) fn first_behind(
    log: &Log<'_>,
    (was, found): (&RepoPath, &RepoPath),
    at: usize,
    later: usize,
) -> Result<Option<usize>, HistoryError> {
    let Some(mut last) = known_at(log, at, was)? else { return Ok(None) };
    for at in (later + 1..at).rev() {
        let left = last.texts.after().unwrap_or_default();
        let met_it = |known: Arc<Known>| !left.is_empty() && known.texts.before() == Some(left);
        if known_at(log, at, found)?.is_some_and(met_it) {
            return Ok(Some(at));
        }
        let Some(next) = known_at(log, at, was)? else { continue };
        if next.texts.before().is_some_and(|met| are_others(left, met)) {
            return Ok(Some(at));
        }
        last = next;
    }
    Ok(None)
}

/// What the record that is so many steps back did to the file that it left under a name.
fn known_at(log: &Log<'_>, at: usize, name: &RepoPath) -> Result<Option<Arc<Known>>, HistoryError> {
    let Some(item) = log.nth(at)? else { return Ok(None) };
    let n = item.record.files.iter().position(|file| file.path == *name);
    Ok(n.and_then(|n| log.known(&item, n)))
}

fn are_others(left: &[u8], met: &[u8]) -> bool {
    left != met && !are_partly_one(left, met)
}
