//! Which records of other worktrees a commit holds that is being made, or was just made: git brought their lines here by a squash, a cherry-pick, a
//! checkout of the file.
//!
//! Owns which of them are asked: none where this worktree's records bring all lines of the commit, else those that touched its files, in each
//! worktree from the newest back to the one that left a file as the commit found it.
//! Invariant: a line that a record of this worktree brings is that one's; and only what is proven counts, for most edits of others are not here.

use super::asked::Asked;
use super::commits::Bringing;
use super::touching::MOST_RENAMES;
use crate::git::{ChangedFile, Repo, Tips};
use crate::history::commits_of_records::Share;
use crate::history::error::HistoryError;
use crate::history::in_force::FileEffect;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// So many other worktrees are asked what files are called there.
const MOST_WORKTREES: usize = 16;

/// A record that a change of files holds: whether it is in force, and how much of it.
pub(super) type Found = (Item, bool, (Record, Share));

/// Those of other worktrees of this clone, newest first, but for those that nobody asks for; `own` are those of this one.
///
/// # Errors
/// Where git's objects or the history cannot be read.
pub(super) fn of_others(
    bringing: &Bringing<'_>,
    filter: Filter,
    own: &[Found],
    is_unwanted: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Found>, HistoryError> {
    let history = bringing.history();
    let (mut found, of_here) = (Vec::new(), bringing.changes().len());
    if !history.has_other_worktrees()? || !bringing.brings_more_than(own.iter().map(|(item, ..)| item))? {
        return Ok(found);
    }
    let changes = with_names_elsewhere(history, bringing.changes())?;
    let bringing = &Bringing::of(history, &changes);
    let filter = if changes.len() == of_here { filter } else { Asked::about(&changes).filter() };
    let mut asked: HashMap<Arc<str>, Asked> = HashMap::new();
    for one in history.effects(Scope::All, filter)? {
        let (item, effect) = one?;
        let Some(worktree) = item.worktree.clone().filter(|_| !item.is_own) else { continue };
        let asked = asked.entry(worktree).or_insert_with(|| Asked::about(bringing.changes()));
        if asked.is_done() || !asked.wants(&item) || item.record.kind != RecordClass::Edit {
            continue;
        }
        if is_unwanted(&item.record.id) {
            continue;
        }
        let Some(share) = bringing.share_of(&item)? else { continue };
        if bringing.brings_lines_of(&item, own.iter().map(|(item, ..)| item))? {
            let in_force = effect.files.iter().any(|file| !matches!(file, FileEffect::Undone(_)));
            found.push((item, in_force, share));
        }
    }
    Ok(found)
}

/// These changes of files, those of a file that has another name in another worktree told as if it came from there, too: git renamed it
/// here or there since.
fn with_names_elsewhere(history: &History<'_>, changes: &[ChangedFile]) -> Result<Vec<ChangedFile>, HistoryError> {
    let repo = history.repo();
    let mut told = changes.to_vec();
    let Some(head) = repo.head_id()? else { return Ok(told) };
    for other in repo.heads_of_others()?.into_iter().filter(|other| *other != head).take(MOST_WORKTREES) {
        let has = |commit: CommitId, path: &RepoPath| matches!(repo.entry_in(commit, path), Ok(Some(_)));
        let made = changes.iter().filter(|file| file.new.is_some());
        let names: BTreeSet<RepoPath> = made.map(|file| file.path.clone()).collect();
        let unlike: Vec<&RepoPath> = names.iter().filter(|path| !(has(head, path) && has(other, path))).collect();
        for path in unlike {
            for name in names_beside(repo, other, path)? {
                let of_path = changes.iter().filter(|file| file.path == *path && file.new.is_some());
                let new = of_path.map(|file| ChangedFile { from: Some(name.clone()), ..file.clone() });
                let new: Vec<ChangedFile> = new.filter(|file| !told.contains(file)).take(1).collect();
                told.extend(new);
            }
        }
    }
    Ok(told)
}

/// The other names that a file has, or had, in one of HEAD and a commit since the last one that both have.
fn names_beside(repo: &Repo, other: CommitId, path: &RepoPath) -> Result<BTreeSet<RepoPath>, HistoryError> {
    let mut names = BTreeSet::from([path.clone()]);
    for _ in 0..MOST_RENAMES {
        let named: Vec<RepoPath> = names.iter().cloned().collect();
        let commits = repo.commits_touching(Tips::Beside(other), None, &named)?;
        let renamed =
            commits.iter().flat_map(|commit| &commit.files).filter_map(|file| Some((file.from.as_ref()?, &file.path)));
        let of_it = renamed.filter(|(from, to)| names.contains(*from) || names.contains(*to));
        let all: BTreeSet<RepoPath> = of_it.flat_map(|(from, to)| [from.clone(), to.clone()]).collect();
        let known = names.len();
        names.extend(all);
        if names.len() == known {
            break;
        }
    }
    names.remove(path);
    Ok(names)
}
