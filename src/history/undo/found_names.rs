//! Names that somebody else gave to files, which an undo found under them: since when a file has such a name, and which older records of the
//! name that it had are of it.
//!
//! Owns what the texts of other records tell of that. What a name leads to is `renames`' affair.
//! Invariant: a record met another file only where that is a version of what git had under the name that the file was found under, and has
//! more in common with that than with what was left of the file; who rewrote a file did not make it another one. What is not known tells nothing.

use super::likeness::{are_versions, is_closer};
use super::log::{Known, Log};
use crate::change::ChangeKind;
use crate::git::Filters;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};
use crate::text::{has_word, split_lines};
use std::sync::Arc;

/// So many texts of one name are compared.
const MOST_COMPARED: usize = 16;

/// The name that a file had, and the one that it was found under.
#[derive(Clone, Copy)]
pub(super) struct FoundUnder<'n> {
    pub(super) was: &'n RepoPath,
    pub(super) found: &'n RepoPath,
}

/// Which records of the name that a file had are of it, counted in steps back: the newest record is 0.
pub(super) struct FoundName {
    /// The oldest that is known to be of it.
    oldest: usize,
    older: Older,
    compared: usize,
}

/// Whose the records of the name are that are older.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Older {
    /// They are still to be looked at.
    Unread,
    /// The file's, as far as is known.
    Its,
    /// Another file's, which had the name before.
    Others,
}

impl FoundName {
    /// From the record that was taken back.
    pub(super) fn of(record: usize) -> Self {
        Self { oldest: record, older: Older::Unread, compared: 0 }
    }

    /// The same where that is not looked at: all older ones are its.
    pub(super) fn of_all() -> Self {
        Self { oldest: 0, older: Older::Its, compared: 0 }
    }

    /// Whether a record that knows a file by the name is about this one.
    pub(super) fn is_of(&self, record: usize) -> bool {
        self.older != Older::Others || record <= self.oldest
    }

    /// Looks at the next older record.
    pub(super) fn look_at(&mut self, log: &Log<'_>, names: FoundUnder<'_>, (at, item): (usize, &Item)) {
        if self.older != Older::Unread || at <= self.oldest {
            return;
        }
        let Some(file) = file_at(item, names.was) else { return };
        if self.is_of_another(log, names, (at, item)) {
            self.older = Older::Others;
            return;
        }
        self.oldest = at;
        self.older = match file.change {
            ChangeKind::Create if item.record.kind == RecordClass::Edit => Older::Others,
            ChangeKind::Modify if self.compared < MOST_COMPARED => Older::Unread,
            // What it was called before is not looked at.
            ChangeKind::Create | ChangeKind::Modify | ChangeKind::Rename | ChangeKind::Delete => Older::Its,
        };
    }

    fn is_of_another(&mut self, log: &Log<'_>, names: FoundUnder<'_>, (at, item): (usize, &Item)) -> bool {
        let left = file_at(item, names.was).and_then(|file| file.after);
        let met = log.nth(self.oldest).ok().flatten().and_then(|item| Some(file_at(&item, names.was)?.before));
        if met == Some(left) {
            return false;
        }
        self.compared += 1;
        let [older, newer] = [at, self.oldest].map(|at| known_at(log, at, names.was));
        let (Some(older), Some(newer)) = (older, newer) else { return false };
        let other = had(log, item, names.found);
        is_another(older.texts.after(), newer.texts.before(), other.as_deref())
    }
}

/// The oldest record, of those that are newer than the one at `at` and older than the one at `later`, which tells that a file had the name
/// already that it was found under: it met just what was left of it there, and no newer one went on under the name from before; or it met
/// another file under that.
pub(super) fn first_behind(
    log: &Log<'_>,
    names: FoundUnder<'_>,
    at: usize,
    later: usize,
) -> Result<Option<usize>, HistoryError> {
    let Some(first) = log.nth(at)? else { return Ok(None) };
    let Some(mut last) = file_at(&first, names.was).cloned() else { return Ok(None) };
    let (mut last_at, mut compared) = (at, 0);
    let mut behind = None;
    for n in (later + 1..at).rev() {
        let Some(item) = log.nth(n)? else { break };
        let is_it = |file: &RecordFile| file.before == last.after && last.splices.after_len() > 0;
        let found = file_at(&item, names.found).filter(|file| file.change == ChangeKind::Modify);
        if found.is_some_and(is_it) {
            behind = behind.or(Some(n));
        }
        let Some(next) = file_at(&item, names.was) else { continue };
        if next.before == last.after {
            behind = None;
        } else {
            compared += 1;
            let [left, met] = [last_at, n].map(|at| known_at(log, at, names.was));
            let (Some(left), Some(met), true) = (left, met, compared <= MOST_COMPARED) else { return Ok(None) };
            let (left, met) = (left.texts.after(), met.texts.before());
            if is_another(left, met, had(log, &first, names.found).as_deref()) {
                return Ok(behind.or(Some(n)));
            }
            behind = behind.filter(|_| !left.zip(met).is_some_and(|(left, met)| are_versions(left, met)));
        }
        (last, last_at) = (next.clone(), n);
    }
    Ok(behind)
}

/// What a record did to the file that it left under a name.
fn file_at<'i>(item: &'i Item, name: &RepoPath) -> Option<&'i RecordFile> {
    item.record.files.iter().find(|file| file.path == *name)
}

/// The same with its texts, of the record that is so many steps back.
fn known_at(log: &Log<'_>, at: usize, name: &RepoPath) -> Option<Arc<Known>> {
    let item = log.nth(at).ok().flatten()?;
    let n = item.record.files.iter().position(|file| file.path == *name)?;
    log.known(&item, n)
}

/// What git had under a name when a record was made.
fn had(log: &Log<'_>, item: &Item, name: &RepoPath) -> Option<Vec<u8>> {
    let repo = log.history().repo();
    let entry = repo.entry_in(item.record.meta.base?, name).ok()??;
    repo.checked_out(name, entry.id, Filters::Skip).ok()
}

/// Whether what a record met is another file than what was left there: a version of the one that git had under the other name.
fn is_another(left: Option<&[u8]>, met: Option<&[u8]>, other: Option<&[u8]>) -> bool {
    let (Some(left), Some(met), Some(other)) = (left, met, other) else { return false };
    split_lines(left).any(has_word) && are_versions(other, met) && is_closer(met, other, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "own 1\nown 2\nown 3\nboth\n";
    const OTHER: &str = "other 1\nother 2\nother 3\nboth\n";

    fn is_so(left: &str, met: &str, other: Option<&str>) -> bool {
        is_another(Some(left.as_bytes()), Some(met.as_bytes()), other.map(str::as_bytes))
    }

    #[test]
    fn another_file_is_one_that_git_had_under_the_other_name_and_not_one_that_was_rewritten() {
        assert!(is_so(OWN, OTHER, Some(OTHER)));
        assert!(is_so(OWN, &OTHER.replace("other 3", "changed"), Some(OTHER)));
        assert!(!is_so(OWN, "all\nof it\nis new\n", Some(OTHER)), "rewritten");
        assert!(!is_so(OWN, OTHER, None), "git had none");
        assert!(!is_so(OWN, &OWN.replace("own 3", "changed"), Some(OWN)), "as like the one as the other");
        assert!(!is_so("{\n}\n", OTHER, Some(OTHER)), "nothing was left that tells it");
        assert!(!is_another(None, Some(OTHER.as_bytes()), Some(OTHER.as_bytes())), "what was left is not kept");
        assert!(!is_another(Some(OWN.as_bytes()), None, Some(OTHER.as_bytes())), "nor what was met");
    }

    #[test]
    fn older_records_are_of_the_file_until_one_is_known_to_be_of_another() {
        let found = |older| FoundName { oldest: 3, older, compared: 0 };
        assert!([Older::Unread, Older::Its].into_iter().all(|older| found(older).is_of(9)));
        assert_eq!([2, 3, 4].map(|record| found(Older::Others).is_of(record)), [true, true, false]);
        assert!(FoundName::of(3).is_of(9) && FoundName::of_all().is_of(9));
    }
}
