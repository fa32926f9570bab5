//! Which edits a commit may hold of a file that is under the name of another one in it: moved over that, back to it, or exchanged with it.
//!
//! Owns that look, for who must not be passed by: a rule on what is committed. A file that came to a name which git did not have, `moved_files` knows.
//! Invariant: no edit is told but one of a file that is not at its name, of which a file in the commit is a version, and of which that brings, or
//! takes out, a line with a word.

use super::commits::{Bringing, wholly_in_head};
use super::text_now::{is_gone, text_now};
use crate::git::ChangedFile;
use crate::history::error::HistoryError;
use crate::history::held::HeldFile;
use crate::history::in_force::FileEffect;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{Record, RecordClass};
use std::collections::HashMap;

/// Of so many files, those edited last, it is asked whether they are at their names, and of so many that are not, where they are.
const MOST_ASKED: usize = 64;

/// So many files of a commit are compared with each.
const MOST_COMPARED: usize = 64;

/// Those of this worktree, the newest first, but for those that nobody asks for, and those that HEAD has altogether.
///
/// # Errors
/// Where git's objects or the history cannot be read.
pub(super) fn under_another_name(
    bringing: &Bringing<'_>,
    is_unwanted: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Record>, HistoryError> {
    let history = bringing.history();
    let keeps_its_name =
        |file: &&ChangedFile| file.from.is_none() && file.new.is_some() && file.old.iter().all(Option::is_some);
    let changes: Vec<&ChangedFile> = bringing.changes().iter().filter(keeps_its_name).take(MOST_COMPARED).collect();
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    // The changes that a file which is away may be in, by its name; none of one that is at home.
    let mut away: HashMap<RepoPath, Vec<&ChangedFile>> = HashMap::new();
    let mut found = Vec::new();
    for one in history.effects(Scope::Own, Filter::default())? {
        let (item, effect) = one?;
        if item.record.kind != RecordClass::Edit || is_unwanted(&item.record.id) {
            continue;
        }
        let mut is_in = false;
        for (n, file) in item.record.files.iter().enumerate() {
            if file.after.is_none() || matches!(effect.files[n], FileEffect::Undone(_)) {
                continue;
            }
            if !away.contains_key(&file.path) && away.len() < MOST_ASKED {
                let versions = versions_in(bringing, &changes, (&item, n))?;
                away.insert(file.path.clone(), versions);
            }
            let Some(versions) = away.get(&file.path).filter(|versions| !versions.is_empty()) else { continue };
            let Some(held) = held(history, &item, n)? else { continue };
            is_in = is_in || bringing.has_words_of(&held, versions)?;
        }
        if is_in {
            found.push(item);
        }
    }
    let in_head = wholly_in_head(history, &found)?;
    found.retain(|item| !in_head.contains(&item.record.id));
    Ok(found.iter().filter_map(|item| history.full_if_whole(item)).collect())
}

/// The changes that have a version of what an edit, the newest of its file, left in that; none where that is at its name.
fn versions_in<'c>(
    bringing: &Bringing<'_>,
    changes: &[&'c ChangedFile],
    (item, n): (&Item, usize),
) -> Result<Vec<&'c ChangedFile>, HistoryError> {
    let (history, path) = (bringing.history(), &item.record.files[n].path);
    let now = if is_gone(history, path) { None } else { text_now(history, path) };
    let Some(held) = held(history, item, n)? else { return Ok(Vec::new()) };
    if let Some(now) = now {
        let form = history.repo().git_form(path, &now).map_or(now.clone(), |form| form.bytes(&now));
        if held.has_become(&form) {
            return Ok(Vec::new());
        }
    } else if !is_gone(history, path) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for file in changes.iter().filter(|file| file.path != *path) {
        if bringing.is_version_of(&held, file)? {
            found.push(*file);
        }
    }
    Ok(found)
}

fn held(history: &History<'_>, item: &Item, n: usize) -> Result<Option<HeldFile>, HistoryError> {
    let Some(record) = history.full_if_whole(item) else { return Ok(None) };
    Ok(HeldFile::of(history.repo(), &record.files[n], &history.texts_if_whole(item, &record, n))?)
}
