//! Which edits a commit may hold of files that agents made, that git never had, and that are gone: most of their lines are in other files now.
//!
//! Owns that look, for who must not be passed by: a rule on what is committed. A file that was moved as a whole `moved_files` knows.
//! Invariant: no file is told of which the commit brings half of the lines or fewer.

use super::commits::Bringing;
use super::text_now::is_gone;
use crate::change::ChangeKind;
use crate::git::Tips;
use crate::history::error::HistoryError;
use crate::history::held::{HeldFile, LinesBrought};
use crate::history::in_force::FileEffect;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{Record, RecordClass};
use std::collections::HashMap;
use std::rc::Rc;

/// Those of this worktree, the newest first, but for those that nobody asks for.
///
/// # Errors
/// Where git's objects or the history cannot be read.
pub(super) fn of_files_that_are_gone(
    bringing: &Bringing<'_>,
    is_unwanted: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Record>, HistoryError> {
    let (history, brought) = (bringing.history(), bringing.brought()?);
    let mut found: Vec<Record> = Vec::new();
    if !brought.puts_in_lines() {
        return Ok(found);
    }
    for edits in gone(history)?.into_values() {
        if !is_in(history, &edits, &brought)? {
            continue;
        }
        for (item, n) in edits.iter().filter(|(item, _)| !is_unwanted(&item.record.id)) {
            let Some(record) = history.full_if_whole(item) else { continue };
            let held = held(history, item, &record, *n)?;
            let is_told = found.iter().any(|other| other.id == record.id);
            if !is_told && held.is_some_and(|held| held.puts_in_some_of(&brought)) {
                found.push(record);
            }
        }
    }
    found.sort_by_key(|record| std::cmp::Reverse(record.time_ms));
    Ok(found)
}

/// An edit, by the number of a file in it.
type EditOf = (Rc<Item>, usize);

/// The edits in force of files that are gone, each file's from the newest to the oldest.
fn gone(history: &History<'_>) -> Result<HashMap<RepoPath, Vec<EditOf>>, HistoryError> {
    let mut files: HashMap<RepoPath, Vec<EditOf>> = HashMap::new();
    let mut known: HashMap<RepoPath, bool> = HashMap::new();
    for one in history.effects(Scope::Own, Filter::default())? {
        let (item, effect) = one?;
        if item.record.kind != RecordClass::Edit {
            continue;
        }
        let item = Rc::new(item);
        for (n, file) in item.record.files.iter().enumerate() {
            let is_in_force = !matches!(effect.files[n], FileEffect::Undone(_)) && file.after.is_some();
            let is_gone = |path: &RepoPath| is_gone(history, path);
            if is_in_force && *known.entry(file.path.clone()).or_insert_with_key(is_gone) {
                files.entry(file.path.clone()).or_default().push((Rc::clone(&item), n));
            }
        }
    }
    Ok(files)
}

/// Whether a commit brings most lines of a file that is gone, and that an agent made and git never had.
fn is_in(history: &History<'_>, edits: &[EditOf], brought: &LinesBrought) -> Result<bool, HistoryError> {
    let (Some((newest, n)), Some((oldest, first))) = (edits.first(), edits.last()) else { return Ok(false) };
    let made = &oldest.record.files[*first];
    let Some(record) = history.full_if_whole(newest).filter(|_| made.change == ChangeKind::Create) else {
        return Ok(false);
    };
    if !held(history, newest, &record, *n)?.is_some_and(|held| held.is_mostly_in(brought)) {
        return Ok(false);
    }
    let repo = history.repo();
    let since = oldest.record.meta.base.filter(|base| repo.has_commit(*base));
    Ok(repo.commits_touching(Tips::Head, since, std::slice::from_ref(&made.path))?.is_empty())
}

fn held(history: &History<'_>, item: &Item, record: &Record, n: usize) -> Result<Option<HeldFile>, HistoryError> {
    Ok(HeldFile::of(history.repo(), &record.files[n], &history.texts_if_whole(item, record, n))?)
}
