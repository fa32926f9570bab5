//! Which records of other worktrees a commit holds that is being made, or was just made: git brought their lines here by a squash, a cherry-pick, a
//! checkout of the file.
//!
//! Owns which of them are asked: none where this worktree's records bring all lines of the commit, else those that touched its files, in each
//! worktree from the newest back to the one that left a file as the commit found it.
//! Invariant: a line that a record of this worktree brings is that one's; and only what is proven counts, for most edits of others are not here.

use super::asked::Asked;
use super::commits::Bringing;
use crate::history::commits_of_records::Share;
use crate::history::error::HistoryError;
use crate::history::in_force::FileEffect;
use crate::history::reader::{Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::{Record, RecordClass};
use std::collections::HashMap;
use std::sync::Arc;

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
    let mut found = Vec::new();
    if !history.has_other_worktrees()? || !bringing.brings_more_than(own.iter().map(|(item, ..)| item))? {
        return Ok(found);
    }
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
