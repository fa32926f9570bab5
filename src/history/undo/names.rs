//! Which names the log has for a file of a record, beside the one that it goes by.
//!
//! Owns that look, and how far back it goes. Which of the names the file has today, and whether that is proven, is `whereabouts`' affair.
//! Invariant: a name is one that an older record gave or met, never one that only stands in the working tree.

use super::files::Files;
use super::left::Left;
use super::likeness::are_versions;
use super::log::Log;
use super::logged_files::MOST_LOOKED_BACK;
use super::step::is_text;
use crate::history::reader::Item;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordFile};
use std::rc::Rc;

/// The names that the log has for a file of a record: also those that what it inverts knew it by, and that of one which is gone and in
/// which an older record left just what this one met.
pub(super) fn names(log: &Log<'_>, files: &Files<'_>, left: &Left<'_>, today: Option<&RepoPath>) -> Vec<RepoPath> {
    let file = &left.record.files[left.file];
    let mut names: Vec<_> = [today, Some(&file.path), file.from.as_ref()].into_iter().flatten().cloned().collect();
    names.extend(names_of_inverted(log, left));
    let mut met = file.before;
    let mut detour: Option<Detour> = None;
    let items = log.items().map_while(Result::ok).take(MOST_LOOKED_BACK);
    for item in items.skip_while(|item| item.record.id != left.record.id).skip(1) {
        for file in item.record.files.iter().filter(|file| file.after.is_some()) {
            let is_own = names.contains(&file.path);
            let is_gone = || matches!((files.read)(&file.path), Ok(None));
            match &mut detour {
                // It leads back to the file, or the file was left so itself, and what the other one had was alike.
                Some(way) if is_own && (file.after == way.met || file.after == met) => {
                    if file.after == way.met {
                        names.append(&mut way.names);
                    }
                    met = file.before;
                    names.extend(names_in(file));
                    detour = None;
                }
                Some(way) if file.after == way.met && (way.names.contains(&file.path) || is_gone()) => way.go_on(file),
                None if file.after == met && is_own => {
                    met = file.before;
                    names.extend(names_in(file));
                }
                None if file.after == met && is_gone() => detour = Some(Detour::new(&item, file)),
                _ => {}
            }
        }
    }
    // Where git had the text under a name of the file's own when the other one got it, the two stood beside each other.
    let was_beside = |way: &Detour| {
        names.iter().any(|name| (files.had)(&way.item.record, name).is_some_and(|had| is_text(&had, met)))
    };
    let found = detour.filter(|way| !was_beside(way)).map(|way| way.names);
    names.extend(found.into_iter().flatten());
    names
}

/// Names under which older records left, in a file that is gone, just what the file had, before it is known whether they are the file's.
struct Detour {
    names: Vec<RepoPath>,
    /// What the oldest of these records met.
    met: Option<BlobId>,
    /// The newest of them.
    item: Rc<Item>,
}

impl Detour {
    /// From the newest of the records on.
    fn new(item: &Rc<Item>, file: &RecordFile) -> Self {
        Self { names: names_in(file).collect(), met: file.before, item: Rc::clone(item) }
    }

    /// Over an older one.
    fn go_on(&mut self, file: &RecordFile) {
        self.met = file.before;
        self.names.extend(names_in(file));
    }
}

/// The names that a record has for a file.
fn names_in(file: &RecordFile) -> impl Iterator<Item = RepoPath> {
    [Some(&file.path), file.from.as_ref()].into_iter().flatten().cloned()
}

/// The names that what a record inverts knew its file by, the newest first, and what that inverts in turn.
pub(super) fn names_of_inverted(log: &Log<'_>, left: &Left<'_>) -> Vec<RepoPath> {
    let targets =
        |record: &Record, n| record.meta.inverted_in(n).map(|target| (target.id.clone(), target.file)).collect();
    let mut wanted: Vec<(RecordId, usize)> = targets(left.record, left.file);
    let mut names = Vec::new();
    let mut items = log.items().map_while(Result::ok).take(MOST_LOOKED_BACK);
    while let Some(item) = (!wanted.is_empty()).then(|| items.next()).flatten() {
        for (n, file) in item.record.files.iter().enumerate() {
            let known = wanted.len();
            wanted.retain(|(id, of)| *id != item.record.id || *of != n);
            if wanted.len() < known {
                names.extend(names_in(file));
                wanted.extend::<Vec<_>>(targets(&item.record, n));
            }
        }
    }
    names
}

/// Whether a file had been renamed when a record met it, just as git, or an older record, had it under another name.
pub(super) fn was_called(log: &Log<'_>, files: &Files<'_>, left: &Left<'_>, path: &RepoPath) -> bool {
    let met = left.record.files[left.file].before;
    let as_left = || {
        let older = log.items().map_while(Result::ok).take(MOST_LOOKED_BACK);
        let older = older.skip_while(|item| item.record.id != left.record.id).skip(1);
        let last = older.flat_map(|item| item.record.files.clone()).find(|file| file.path == *path);
        last.is_some_and(|file| file.after == met)
    };
    met.is_some() && (is_as_git_had(files, left, path) || as_left())
}

/// Whether git had, under a name, just what a record met.
pub(super) fn is_as_git_had(files: &Files<'_>, left: &Left<'_>, path: &RepoPath) -> bool {
    let met = left.record.files[left.file].before;
    met.is_some() && (files.had)(left.record, path).is_some_and(|had| is_text(&had, met))
}

/// Whether a file that a record met had another name before, and was edited when it got the record's: git, or an older record, had a
/// version of it there, which is not what is there now, and the name that the record met is new to git.
pub(super) fn came_from(log: &Log<'_>, files: &Files<'_>, left: &Left<'_>, (path, now): (&RepoPath, &[u8])) -> bool {
    let Some(met) = left.texts.before() else { return false };
    // One that git has under the name that the record met is no other one of git's.
    let file = &left.record.files[left.file];
    if (files.had)(left.record, file.from.as_ref().unwrap_or(&file.path)).is_some() {
        return false;
    }
    let is_it = |had: &[u8]| had != now && are_versions(had, met);
    let older = log.items().map_while(Result::ok).take(MOST_LOOKED_BACK);
    let mut older = older.skip_while(|item| item.record.id != left.record.id).skip(1);
    let last = older.find_map(|item| Some((item.record.files.iter().position(|file| is_at(file, path))?, item)));
    match last {
        Some((n, item)) => log.known(&item, n).is_some_and(|known| known.texts.after().is_some_and(is_it)),
        None => (files.had)(left.record, path).is_some_and(|had| is_it(&had)),
    }
}

/// Whether what stands at a name that git had for another text came there since: no record, newer or older, left it there.
pub(super) fn is_as_left_by_none(
    log: &Log<'_>,
    files: &Files<'_>,
    left: &Left<'_>,
    (path, now): (&RepoPath, &[u8]),
) -> bool {
    let is_left_there = |file: &RecordFile| file.path == *path && is_text(now, file.after);
    let mut items = log.items().map_while(Result::ok).take(MOST_LOOKED_BACK);
    (files.had)(left.record, path).is_some_and(|had| had != now)
        && !items.any(|item| item.record.files.iter().any(is_left_there))
}

fn is_at(file: &RecordFile, path: &RepoPath) -> bool {
    file.path == *path || file.from.as_ref() == Some(path)
}
