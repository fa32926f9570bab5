//! Which edits a commit may hold of files that are not at their names any more: gone, or another one is there.
//!
//! Owns that look, for who must not be passed by: a rule on what is committed. A file that was moved as a whole to where none was, `moved_files` knows.
//! Invariant: no file is told but one of which another in the commit is a version, or one that an agent made, and git never had, of which the
//! commit brings more than half of the lines.

use super::commits::Bringing;
use super::moved_files::is_gone;
use super::text_now::text_now;
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
pub(super) fn of_files_that_are_away(
    bringing: &Bringing<'_>,
    is_unwanted: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Record>, HistoryError> {
    let (history, brought) = (bringing.history(), bringing.brought()?);
    let mut found: Vec<Record> = Vec::new();
    if bringing.changes().is_empty() {
        return Ok(found);
    }
    for edits in away(history)?.into_values() {
        let is_version = is_version_in(bringing, &edits)?;
        if !is_version && !is_in(history, &edits, &brought)? {
            continue;
        }
        for (item, n) in edits.iter().filter(|(item, _)| !is_unwanted(&item.record.id)) {
            let Some(record) = history.full_if_whole(item) else { continue };
            let held = held(history, item, &record, *n)?;
            let is_held = |held: HeldFile| {
                if is_version { held.may_be_in(&brought) } else { held.puts_in_some_of(&brought) }
            };
            let is_told = found.iter().any(|other| other.id == record.id);
            if !is_told && held.is_some_and(is_held) {
                found.push(record);
            }
        }
    }
    found.sort_by_key(|record| std::cmp::Reverse(record.time_ms));
    Ok(found)
}

/// Of so many files that are edited it is looked whether they are at their names, those edited last.
const MOST_AT_HOME: usize = 64;

/// An edit, by the number of a file in it.
type EditOf = (Rc<Item>, usize);

/// The edits in force of files that are away, each file's from the newest to the oldest.
fn away(history: &History<'_>) -> Result<HashMap<RepoPath, Vec<EditOf>>, HistoryError> {
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
            if !is_in_force {
                continue;
            }
            let may_be_another = known.len() < MOST_AT_HOME;
            let is_away = match known.get(&file.path) {
                Some(is_away) => *is_away,
                None => is_gone(history, &file.path) || (may_be_another && is_another(history, &item, n)?),
            };
            known.insert(file.path.clone(), is_away);
            if is_away {
                files.entry(file.path.clone()).or_default().push((Rc::clone(&item), n));
            }
        }
    }
    Ok(files)
}

/// Whether the file at the name of one is no version of what an edit left in that.
fn is_another(history: &History<'_>, item: &Item, n: usize) -> Result<bool, HistoryError> {
    let Some(now) = text_now(history, &item.record.files[n].path) else { return Ok(false) };
    let Some(record) = history.full_if_whole(item) else { return Ok(false) };
    Ok(held(history, item, &record, n)?.is_some_and(|held| !held.has_become(&now)))
}

/// Whether a commit has, under another name, a version of what the newest of these edits left in their file.
fn is_version_in(bringing: &Bringing<'_>, edits: &[EditOf]) -> Result<bool, HistoryError> {
    let Some((newest, n)) = edits.first() else { return Ok(false) };
    let Some(record) = bringing.history().full_if_whole(newest) else { return Ok(false) };
    let Some(held) = held(bringing.history(), newest, &record, *n)? else { return Ok(false) };
    bringing.has_version_of(&held, &record.files[*n].path)
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
