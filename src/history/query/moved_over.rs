//! Which files that agents edited somebody moved over a file that git has, or back to where that had been before the agent met it: the text that is
//! there is theirs.
//!
//! Owns that look, at changes of files that keep their names, and at files of records that are gone.
//! Invariant: nothing is read where each such file is what records of its own made of it.

use super::own_story::{Change, told_by_own};
use super::recorded::Recorded;
use super::removed_files::is_version;
use super::text_now::{is_gone, text_now};
use crate::git::{ChangedFile, blob_id};
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item};
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::text::split_lines;
use std::collections::HashSet;

/// So many files that were changed are compared with those that are gone.
const MOST_CHANGED: usize = 64;

/// So many that are gone are compared with each, the ones recorded last.
const MOST_COMPARED: usize = 64;

/// So many records are asked at a commit, which is not to take longer the more there are.
const MOST_RECORDS: usize = 512;

/// The names that records have for files which somebody moved over another, or home, each with that one's; by what a commit makes of files.
///
/// # Errors
/// Where the history cannot be read.
pub(super) fn moved_over(
    history: &History<'_>,
    changes: &[ChangedFile],
) -> Result<Vec<(RepoPath, RepoPath)>, HistoryError> {
    let files: Vec<&ChangedFile> = changes.iter().filter(|file| keeps_its_name(file)).collect();
    let change = |file: &&ChangedFile| (file.path.clone(), Change { old: file.old.clone(), new: vec![file.new] });
    let told = told_by_own(history, files.iter().map(change))?;
    let files = files.into_iter().filter(|file| !told.contains(&file.path));
    // A submodule, or what a partial clone does not have.
    let text = |file: &ChangedFile| history.repo().blob(&file.new?).ok();
    let files: Vec<Over<'_>> =
        files.filter_map(|file| Over::of(history, file, text(file)?)).take(MOST_CHANGED).collect();
    if files.is_empty() {
        return Ok(Vec::new());
    }
    // What git knows to be taken away, or moved, is told by that.
    let is_told = |name: &RepoPath| changes.iter().any(|file| file.path == *name || file.from.as_ref() == Some(name));
    let recorded = Recorded::of_newest(history, MOST_RECORDS)?;
    let gone = recorded.gone(history).filter(|(item, n)| !is_told(&item.record.files[*n].path));
    let mut found = Vec::new();
    for (item, n) in gone.take(MOST_COMPARED) {
        let is_it = is_moved_over(history, (item, *n));
        let over = files.iter().filter(|file| is_it(file));
        found.extend(over.map(|file| (item.record.files[*n].path.clone(), file.path.clone())));
    }
    Ok(found)
}

/// The same of files as they are now, for these files of records that are nowhere else; of two that one may be neither is told.
pub(super) fn moved_over_now(
    history: &History<'_>,
    recorded: &Recorded,
    gone: &[(&Item, usize)],
    changes: &[ChangedFile],
) -> Result<Vec<(RepoPath, RepoPath)>, HistoryError> {
    let file_of = |(item, n): &(&Item, usize)| item.record.files[*n].clone();
    let left: HashSet<BlobId> =
        gone.iter().map(file_of).flat_map(|file| [file.after, file.git_after]).flatten().collect();
    let is_left = |file: &ChangedFile| file.new.is_some_and(|new| new == BlobId::NONE || left.contains(&new));
    let may_be = |file: &&ChangedFile| {
        let was_its = |one: &(&Item, usize)| recorded.was_found_as(&one.0.record.files[one.1].path, &file.old);
        keeps_its_name(file) && (is_left(file) || gone.iter().any(was_its))
    };
    let may_be = changes.iter().map(|file| as_it_is(history, file)).filter(|file| may_be(&file)).take(MOST_CHANGED);
    let (changes, texts): (Vec<ChangedFile>, Vec<Vec<u8>>) =
        may_be.filter_map(|file| text_now(history, &file.path).map(|text| (file, text))).unzip();
    let change = |(file, text): (&ChangedFile, &Vec<u8>)| {
        (file.path.clone(), Change { old: file.old.clone(), new: vec![Some(blob_id(text))] })
    };
    let told = told_by_own(history, changes.iter().zip(&texts).map(change))?;
    let files = changes.iter().zip(texts).filter(|(file, _)| !told.contains(&file.path));
    let files: Vec<Over<'_>> = files.filter_map(|(file, text)| Over::of(history, file, text)).collect();
    let mut found = Vec::new();
    for one in gone.iter().take(MOST_COMPARED) {
        let is_it = is_moved_over(history, *one);
        let over: Vec<&Over<'_>> = files.iter().filter(|file| is_it(file)).collect();
        if let [over] = over[..] {
            found.push((file_of(one).path, over.path.clone()));
        }
    }
    Ok(found)
}

fn keeps_its_name(file: &ChangedFile) -> bool {
    file.from.is_none() && file.new.is_some() && matches!(file.old[..], [Some(_)])
}

/// Against the commit alone: git tells the index, too, as if that were another parent, where a file differs from it. One that is there though the
/// index has lost it is none that was deleted.
fn as_it_is(history: &History<'_>, file: &ChangedFile) -> ChangedFile {
    let new = file.new.or_else(|| (!is_gone(history, &file.path)).then_some(BlobId::NONE));
    ChangedFile { old: file.old.last().copied().into_iter().collect(), new, ..file.clone() }
}

/// A file over which another one may have been moved, with its text now and the one that git has.
struct Over<'c> {
    path: &'c RepoPath,
    old: Vec<u8>,
    text: Vec<u8>,
}

impl<'c> Over<'c> {
    fn of(history: &History<'_>, file: &'c ChangedFile, text: Vec<u8>) -> Option<Self> {
        let [Some(old)] = &file.old[..] else { return None };
        Some(Self { path: &file.path, old: history.repo().blob(old).ok()?, text })
    }
}

/// Whether a file of a record that is gone is this one now: it has most of its lines, and one that the record wrote and that was not there before.
fn is_moved_over<'h>(history: &'h History<'_>, (item, n): (&'h Item, usize)) -> impl Fn(&Over<'_>) -> bool + use<'h> {
    let record = history.full_if_whole(item);
    let texts = record.as_ref().map(|record| history.texts_if_whole(item, record, n));
    move |over| {
        let Some((left, texts)) = texts.as_ref().and_then(|texts| Some((texts.after()?, texts))) else { return false };
        // One that only gave it another name, or took lines, or another record back, wrote no line; older ones did.
        let wrote = |before: &&[u8]| {
            let met: HashSet<&[u8]> = split_lines(before).collect();
            item.record.kind == RecordClass::Edit && split_lines(left).any(|line| !met.contains(line))
        };
        let before = texts.before().filter(wrote).unwrap_or_default();
        is_version(&[before, &over.old].join(&b'\n'), left, &over.text)
    }
}
