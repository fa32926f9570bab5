//! Which edits a commit may hold that took a file's name away, or gave it another: the old name goes without the new one coming, the new one
//! comes while the old one stays, or git tells that the file moved to where somebody had a copy of it.
//!
//! Owns that look, for who must not be passed by: a rule on what is committed. It goes by names alone.
//! Invariant: nothing is read where a commit takes no name away and brings none.

use super::commits::wholly_in_head;
use super::moved_files::moved_files;
use super::text_now::is_gone;
use crate::git::ChangedFile;
use crate::history::error::HistoryError;
use crate::history::in_force::FileEffect;
use crate::history::reader::{History, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile};
use std::collections::HashSet;

/// Those of this worktree in force, the newest first, but for those that nobody asks for, and those that HEAD has altogether.
///
/// # Errors
/// Where git's objects or the history cannot be read.
pub(super) fn names_changed(
    history: &History<'_>,
    changes: &[ChangedFile],
    is_unwanted: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Record>, HistoryError> {
    let names = Names::of(changes);
    if names.are_none() {
        return Ok(Vec::new());
    }
    let mut items = Vec::new();
    // Names that newer records took away.
    let mut taken: HashSet<RepoPath> = HashSet::new();
    // All are asked: what took a name away that a record gave may have none of the commit's.
    for one in history.effects(Scope::Own, Filter::default())? {
        let (item, effect) = one?;
        let is_in_force = |n: usize| !matches!(effect.files[n], FileEffect::Undone(_));
        // A name that is gone, by nobody's record, and to none that somebody gave: who took it away took the rename back.
        let is_discarded = |file: &RecordFile| {
            let is_left = || taken.contains(&file.path) || moved_files(history).contains_key(&file.path);
            file.after.is_some() && is_gone(history, &file.path) && !is_left()
        };
        let mut files = item.record.files.iter().enumerate();
        let is_it = files.any(|(n, file)| is_in_force(n) && names.are_changed_by(file) && !is_discarded(file));
        let removed = item.record.files.iter().filter(|file| file.after.is_none()).map(|file| &file.path);
        let left = item.record.files.iter().filter_map(|file| file.from.as_ref());
        taken.extend(removed.chain(left).cloned());
        if item.record.kind == RecordClass::Edit && is_it && !is_unwanted(&item.record.id) {
            items.push(item);
        }
    }
    let in_head = wholly_in_head(history, &items)?;
    items.retain(|item| !in_head.contains(&item.record.id));
    Ok(items.iter().filter_map(|item| history.full_if_whole(item)).collect())
}

/// The names that a commit takes away, and those that it brings.
struct Names<'c> {
    gone: HashSet<&'c RepoPath>,
    /// Those of the former that git tells to have moved.
    moved: HashSet<&'c RepoPath>,
    new: HashSet<&'c RepoPath>,
}

impl<'c> Names<'c> {
    fn of(changes: &'c [ChangedFile]) -> Self {
        let moved: HashSet<&RepoPath> = changes.iter().filter_map(|file| file.from.as_ref()).collect();
        let gone = changes.iter().filter(|file| file.new.is_none()).map(|file| &file.path);
        let is_new = |file: &&ChangedFile| file.new.is_some() && file.old.iter().all(Option::is_none);
        let new = changes.iter().filter(is_new).map(|file| &file.path).collect();
        Self { gone: gone.chain(moved.iter().copied()).collect(), moved, new }
    }

    fn are_none(&self) -> bool {
        self.gone.is_empty() && self.new.is_empty()
    }

    /// Whether what a record did to a file is a change of one of them. A file that it removed, and that goes, is told by its lines.
    fn are_changed_by(&self, file: &RecordFile) -> bool {
        let is_renamed =
            || file.from.as_ref().is_some_and(|from| self.gone.contains(from) || self.new.contains(&file.path));
        let is_removed = || file.after.is_none() && self.moved.contains(&file.path);
        is_renamed() || is_removed()
    }
}
