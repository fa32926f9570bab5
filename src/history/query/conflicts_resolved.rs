//! Which edits a commit may hold that took git's marks out of a conflict: what is left there is what they chose, also where it is no line of
//! theirs.
//!
//! Owns that look, for who must not be passed by: a rule on what is committed. It goes back over the records that were made on HEAD, up to the
//! first that was made on another commit; of what was committed since a conflict nothing is told.

use crate::git::ChangedFile;
use crate::history::error::HistoryError;
use crate::history::in_force::FileEffect;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::{Record, RecordClass};
use crate::text::has_conflicts;

/// Those of this worktree in force that were made since HEAD, the newest first, but for those that nobody asks for. While a merge or the like is
/// going on one may have left a file as HEAD has it.
///
/// # Errors
/// Where git's objects or the history cannot be read.
pub(super) fn conflicts_resolved(
    history: &History<'_>,
    changes: &[ChangedFile],
    is_unwanted: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Record>, HistoryError> {
    let head = history.repo().head_id()?;
    let is_merging = history.repo().operation().is_some();
    let mut found = Vec::new();
    for one in history.effects(Scope::Own, Filter::default())? {
        let (item, effect) = one?;
        if item.record.meta.base != head {
            break;
        }
        let is_staged = |n: usize| changes.iter().any(|change| change.path == item.record.files[n].path);
        let may_be = |n: &usize| !matches!(effect.files[*n], FileEffect::Undone(_)) && (is_merging || is_staged(*n));
        let files: Vec<usize> = (0..item.record.files.len()).filter(may_be).collect();
        if item.record.kind == RecordClass::Edit && !files.is_empty() && !is_unwanted(&item.record.id) {
            found.extend(resolving(history, &item, &files));
        }
    }
    Ok(found)
}

/// The record, if it took the marks out of one of these files.
fn resolving(history: &History<'_>, item: &Item, files: &[usize]) -> Option<Record> {
    let record = history.full_if_whole(item)?;
    let resolves = |n: &usize| {
        let texts = history.texts_if_whole(item, &record, *n);
        let [before, after] = [texts.before(), texts.after()].map(|text| text.is_some_and(has_conflicts));
        before && !after
    };
    files.iter().any(resolves).then_some(record)
}
