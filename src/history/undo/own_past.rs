//! Whether somebody took the file of a slot back to what it was before its records: by the texts that it had, or that another file had which had its
//! name before.
//!
//! Owns whose of the two a text is: where the records of the name are of two files, and what an edit left is in a file elsewhere today, what was at
//! the name before is not that edit's. What is too much to read tells nothing of that.

use super::as_before::{Had, Reach, had_before};
use super::differing::more;
use super::likeness::are_versions;
use super::replay::Slot;
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::path::RepoPath;

/// So many files are read in search of what an edit left.
const MOST_READ: usize = 512;

/// So many bytes.
const MOST_BYTES: usize = 16 << 20;

/// Whether the file that has the text `now` was taken back to before some of its steps: the slot is told what it was.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn is_taken_back(whereabouts: &Whereabouts<'_>, slot: &mut Slot, now: &[u8]) -> Result<bool, HistoryError> {
    let Some(by_name) = had(whereabouts, slot, now, Reach::Name)? else { return Ok(false) };
    let steps = slot.taken_back(by_name.clone(), now);
    if steps == 0 {
        return Ok(false);
    }
    let own = had(whereabouts, slot, now, Reach::Versions)?.unwrap_or_default();
    if slot.taken_back(own.without_others(slot.texts()), now) != steps
        && let Some(own) = without_those_away(whereabouts, slot, now)?
    {
        return Ok(slot.taken_back(own, now) > 0);
    }
    Ok(slot.taken_back(by_name, now) > 0)
}

/// The texts that the file had before the oldest record, as the log and git have them; none where that is not one that edited it.
fn had(whereabouts: &Whereabouts<'_>, slot: &Slot, now: &[u8], reach: Reach) -> Result<Option<Had>, HistoryError> {
    let Some(met) = slot.oldest_met(now) else { return Ok(None) };
    let files = whereabouts.files();
    // What a record took may never have been git's, and what it put in the place of that; and git knows names alone.
    let puts_only = slot.oldest_texts().is_some_and(|[before, after]| more(after, before).is_empty());
    let is_gits = puts_only && reach == Reach::Name;
    let at_record = (files.had)(met.of, met.name).filter(|_| is_gits).map(|text| blob_id(&text));
    let had = had_before(whereabouts.log(), &met.of.id, met.name, reach)?;
    Ok(Some(had.seen_from_git(blob_id(now), (files.in_head)(met.name), at_record)))
}

/// The same, with only what is an edit's own where what that left is in another file today; none where no edit's is.
fn without_those_away(whereabouts: &Whereabouts<'_>, slot: &Slot, now: &[u8]) -> Result<Option<Had>, HistoryError> {
    let away = away(whereabouts, slot, now);
    let reach =
        if slot.oldest_texts().is_some_and(|oldest| away.contains(&oldest)) { Reach::Versions } else { Reach::Name };
    let had = if away.is_empty() { None } else { had(whereabouts, slot, now, reach)? };
    Ok(had.map(|had| had.without_others(away.into_iter())))
}

/// The texts, before and after, of the edits in a slot of which what they left, or a version of it, is in another file.
fn away<'s>(whereabouts: &Whereabouts<'_>, slot: &'s Slot, now: &[u8]) -> Vec<[&'s [u8]; 2]> {
    let Some(met) = slot.oldest_met(now) else { return Vec::new() };
    let (changed, files) = (whereabouts.changed_since(met.of), whereabouts.files());
    let paths = changed.iter().map(|(path, _)| path).chain(whereabouts.new_to(met.of)).take(MOST_READ);
    // Where git ignores it, and not the file, it is a copy for something else.
    let may_be = |path: &&RepoPath| {
        slot.disk.as_ref() != Some(*path) && (!(files.is_ignored)(path) || (files.is_ignored)(met.name))
    };
    let (mut bytes, mut left, mut away) = (0, slot.texts().collect::<Vec<_>>(), Vec::new());
    for path in paths.filter(may_be) {
        if bytes > MOST_BYTES || left.is_empty() {
            break;
        }
        let Some(text) = (files.read)(path).ok().flatten() else { continue };
        bytes += text.len();
        away.extend(left.extract_if(.., |[_, left]| are_versions(left, &text)));
    }
    away
}
