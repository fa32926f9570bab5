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
/// which an older record left just what this one met, unless that stood beside it.
pub(super) fn names(log: &Log<'_>, files: &Files<'_>, left: &Left<'_>, today: Option<&RepoPath>) -> Vec<RepoPath> {
    let file = &left.record.files[left.file];
    let mut names: Vec<_> = [today, Some(&file.path), file.from.as_ref()].into_iter().flatten().cloned().collect();
    names.extend(names_of_inverted(log, left));
    let mut walk = Walk { files, names, met: file.before, other: None };
    let items = log.items().map_while(Result::ok).take(MOST_LOOKED_BACK);
    for item in items.skip_while(|item| item.record.id != left.record.id).skip(1) {
        item.record.files.iter().filter(|file| file.after.is_some()).for_each(|file| walk.pass(&item, file));
    }
    let Walk { mut names, met, other, .. } = walk;
    let other = other.filter(|other| !other.was_beside(files, left, (&names, met)));
    names.extend(other.into_iter().flat_map(|other| other.names));
    names
}

/// A walk back through the log, over what left a file as it is known so far.
struct Walk<'a> {
    files: &'a Files<'a>,
    names: Vec<RepoPath>,
    /// The text that an older record may have left.
    met: Option<BlobId>,
    other: Option<Other>,
}

/// A file that is gone and in which older records left what the one had, before it is known whether it is that one.
struct Other {
    names: Vec<RepoPath>,
    /// What the oldest of these records met.
    met: Option<BlobId>,
    /// The newest of them, and the oldest.
    items: [Rc<Item>; 2],
}

impl Walk<'_> {
    /// Over one of the files of an older record.
    fn pass(&mut self, item: &Rc<Item>, file: &RecordFile) {
        let is_met = file.after == self.met;
        let is_others = self.other.as_ref().is_some_and(|other| file.after == other.met);
        if !is_met && !is_others {
            return;
        }
        let is_gone = || matches!((self.files.read)(&file.path), Ok(None));
        if self.names.contains(&file.path) {
            // The other one leads back to the file, or that was left so itself, and what the other one had was alike.
            let other = self.other.take().filter(|_| is_others);
            self.names.extend(other.into_iter().flat_map(|other| other.names).chain(names_in(file)));
            self.met = file.before;
        } else if let Some(other) = self.other.as_mut().filter(|_| is_others) {
            if other.names.contains(&file.path) || is_gone() {
                other.names.extend(names_in(file));
                other.met = file.before;
                other.items[1] = Rc::clone(item);
            }
        } else if self.other.is_none() && is_gone() {
            let items = [item, item].map(Rc::clone);
            self.other = Some(Other { names: names_in(file).collect(), met: file.before, items });
        }
    }
}

impl Other {
    /// Whether it stood beside the file, which has these names and had that text when the other one got it: then what both had was alike.
    fn was_beside(&self, files: &Files<'_>, left: &Left<'_>, (own, met): (&[RepoPath], Option<BlobId>)) -> bool {
        let [newest, oldest] = &self.items;
        let had = |item: &Item, id| {
            own.iter().any(|name| (files.had)(&item.record, name).is_some_and(|had| is_text(&had, id)))
        };
        let were_tracked = |names: &[RepoPath]| names.iter().any(|name| (files.was_tracked)(left.record, name));
        let are_in_head = |names: &[RepoPath]| names.iter().any(|name| (files.in_head)(name).is_some());
        // It was the file, under another name for a while, where git had that as it was found, and nothing under the other name.
        let was_it = self.names.iter().all(|name| !(files.was_tracked)(&oldest.record, name)) && had(oldest, self.met);
        let has_both = |are: &dyn Fn(&[RepoPath]) -> bool| are(own) && are(&self.names);
        !was_it && (had(newest, met) || has_both(&were_tracked) || has_both(&are_in_head))
    }
}

/// The names that a record has for a file.
fn names_in(file: &RecordFile) -> impl Iterator<Item = RepoPath> {
    [Some(&file.path), file.from.as_ref()].into_iter().flatten().cloned()
}

/// The names that what a record inverts knew its file by, the newest first, and what that inverts in turn.
pub(super) fn names_of_inverted(log: &Log<'_>, left: &Left<'_>) -> Vec<RepoPath> {
    files_of_inverted(log, left).iter().flat_map(names_in).collect()
}

/// What a record met in its file, and what those met there that it inverts, and that these invert in turn.
pub(super) fn met_in_turn(log: &Log<'_>, left: &Left<'_>) -> Vec<BlobId> {
    let own = left.record.files[left.file].before;
    own.into_iter().chain(files_of_inverted(log, left).iter().filter_map(|file| file.before)).collect()
}

/// The file of a record as what that inverts has it, the newest first, and what these invert in turn.
fn files_of_inverted(log: &Log<'_>, left: &Left<'_>) -> Vec<RecordFile> {
    let targets =
        |record: &Record, n| record.meta.inverted_in(n).map(|target| (target.id.clone(), target.file)).collect();
    let mut wanted: Vec<(RecordId, usize)> = targets(left.record, left.file);
    let mut files = Vec::new();
    let mut items = log.items().map_while(Result::ok).take(MOST_LOOKED_BACK);
    while let Some(item) = (!wanted.is_empty()).then(|| items.next()).flatten() {
        for (n, file) in item.record.files.iter().enumerate() {
            let known = wanted.len();
            wanted.retain(|(id, of)| *id != item.record.id || *of != n);
            if wanted.len() < known {
                files.push(file.clone());
                wanted.extend::<Vec<_>>(targets(&item.record, n));
            }
        }
    }
    files
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
fn is_as_git_had(files: &Files<'_>, left: &Left<'_>, path: &RepoPath) -> bool {
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
