//! Whether somebody took the file of a slot back to what it was before its records: by the texts that it had, or that another file had which had its
//! name before.
//!
//! Owns whose of the two a text is: where the records of the name are of two files, and what an edit left is in a file elsewhere today, what was at
//! the name before is not that edit's. What is too much to read tells nothing of that.

use super::as_before::{Had, had_before, versions};
use super::differing::more;
use super::known::known_before;
use super::likeness::{are_versions, is_nearer};
use super::logged_files::MOST_LOOKED_BACK;
use super::replay::Slot;
use super::revived::Met;
use super::strays::Stray;
use super::whereabouts::{MOST_READ, Whereabouts};
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile};

/// Tells a slot what its file, which has the text `now`, was before its records, where that was taken back to before some of them. Whether it was.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn learn_past(whereabouts: &Whereabouts<'_>, slot: &mut Slot, now: &[u8]) -> Result<bool, HistoryError> {
    let Some(of_name) = past_of_name(whereabouts, slot, now)? else { return Ok(false) };
    let steps = slot.taken_back(of_name.clone(), now);
    if steps == 0 {
        return Ok(false);
    }
    // Its own past is a part of the name's: where it tells of as many steps, it tells the same.
    let own = own_past(whereabouts, slot, now)?;
    if slot.taken_back(own.clone().own_of(left(slot)), now) == steps {
        return Ok(slot.taken_back(of_name, now) > 0);
    }
    let Some(away) = away(whereabouts, slot, now) else { return Ok(false) };
    let is_oldest_away = slot.oldest_texts().is_some_and(|[_, left]| away.contains(&left));
    let past = if is_oldest_away { own } else { of_name };
    let past = past.own_of(away.into_iter());
    Ok(slot.taken_back(past, now) > 0)
}

/// The texts that any file of the name had before the oldest record, as the log and git have them; none where that is not one that edited it.
fn past_of_name(whereabouts: &Whereabouts<'_>, slot: &Slot, now: &[u8]) -> Result<Option<Had>, HistoryError> {
    let Some(met) = slot.oldest_met(now) else { return Ok(None) };
    let files = whereabouts.files();
    // What a record took may never have been git's, and what it put in the place of that.
    let puts_only = slot.oldest_texts().is_some_and(|[before, after]| more(after, before).is_empty());
    let at_record = (files.had)(met.of, met.name).filter(|_| puts_only).map(|text| blob_id(&text));
    let had = had_before(whereabouts.log(), &met.of.id, met.name)?;
    Ok(Some(had.seen_from_git(blob_id(now), (files.in_head)(met.name), at_record)))
}

/// Those of them that the log has of versions of what the oldest record met.
fn own_past(whereabouts: &Whereabouts<'_>, slot: &Slot, now: &[u8]) -> Result<Had, HistoryError> {
    let Some((met, [before, _])) = slot.oldest_met(now).zip(slot.oldest_texts()) else { return Ok(Had::default()) };
    let earlier = known_before(whereabouts.log(), &met.of.id, met.name, |_| true)?;
    let as_left = earlier.last().is_some_and(|known| known.texts.after() == Some(before));
    if !as_left && is_of_another(whereabouts, &met, before) {
        return Ok(Had::default());
    }
    let had = Had::of(versions(&earlier, (Some(blob_id(before)), Some(before))));
    Ok(had.seen_from_git(blob_id(now), (whereabouts.files().in_head)(met.name), None))
}

/// Whether what a record met is to the byte what git had, or a record left, under another name, and not what git had under its own.
fn is_of_another(whereabouts: &Whereabouts<'_>, met: &Met<'_>, before: &[u8]) -> bool {
    let id = blob_id(before);
    let changed = whereabouts.changed_since(met.of);
    let was_left = || {
        let is_it = |file: &RecordFile| file.path != *met.name && file.after == Some(id);
        let items = whereabouts.log().items().map_while(Result::ok).take(MOST_LOOKED_BACK);
        items.skip_while(|item| item.record.id != met.of.id).skip(1).any(|item| item.record.files.iter().any(is_it))
    };
    let was_its = (whereabouts.files().had)(met.of, met.name).is_some_and(|had| had == before);
    !was_its && (changed.iter().any(|(path, had)| path != met.name && had == before) || was_left())
}

/// What the edits in a slot left.
fn left(slot: &Slot) -> impl Iterator<Item = &[u8]> {
    slot.texts().map(|[_, left]| left)
}

/// What edits in a slot left that is, or a version of it, formatted or not, in another file today; none where these are too many to look at.
fn away<'s>(whereabouts: &Whereabouts<'_>, slot: &'s Slot, now: &[u8]) -> Option<Vec<&'s [u8]>> {
    let met = slot.oldest_met(now)?;
    let files = whereabouts.files();
    let changed = whereabouts.changed_since(met.of);
    // Beside a file that is as git has it, and had it when the record was made, one that is new is a copy for something else, as is one that git
    // ignores; but only where the record met a version of that, and nothing that git had under another name.
    let is_checked_out =
        (files.in_head)(met.name) == Some(blob_id(now)) && (files.had)(met.of, met.name).is_some_and(|had| had == now);
    let was_other = |before: &[u8]| {
        changed.iter().any(|(path, had)| path != met.name && are_versions(had, before))
            || is_of_another(whereabouts, &met, before)
    };
    let is_its = |before: &[u8]| are_versions(&words(now), &words(before)) && !was_other(before);
    let is_copied = is_checked_out && slot.oldest_texts().is_none_or(|[before, _]| is_its(before));
    let may_be = |path: &&RepoPath| {
        slot.disk.as_ref() != Some(*path) && (!(files.is_ignored)(path) || (files.is_ignored)(met.name))
    };
    // A version has more than half of the lines.
    let is_of_size = |size: u64| left(slot).any(|left| 4 * size >= left.len() as u64 && size <= 4 * left.len() as u64);
    let new = whereabouts.new_to_with_sizes(met.of).filter(|(_, size)| !is_copied && is_of_size(*size));
    let new: Vec<&RepoPath> = new.map(|(path, _)| path).filter(may_be).take(MOST_READ + 1).collect();
    let paths: Vec<&RepoPath> =
        changed.iter().map(|(path, _)| path).filter(may_be).chain(new.iter().copied()).collect();
    let mut rest: Vec<(&[u8], Vec<u8>)> = left(slot).map(|left| (left, words(left))).collect();
    let mut away = Vec::new();
    for text in paths.into_iter().filter_map(|path| (files.read)(path).ok().flatten()) {
        let is_it = |left: &[u8], of_left: &[u8]| are_versions(left, &text) || are_versions(of_left, &words(&text));
        let found = rest.extract_if(.., |(left, words)| is_of_size(text.len() as u64) && is_it(left, words));
        away.extend(found.map(|(left, _)| left));
    }
    (new.len() <= MOST_READ || rest.is_empty()).then_some(away)
}

/// Whether what an edit left, or a version of it, is in another file, where that is not itself any more: somebody moved the edited one there, and where
/// nothing of the edit is, there is something else since. So it is where the edited one has its name, and another one was found.
pub(super) fn is_kept_elsewhere(whereabouts: &Whereabouts<'_>, slot: &Slot, now: &[u8]) -> bool {
    let is_edit = |met: &Met<'_>| {
        let is_it = |file: &RecordFile| file.path == *met.name && file.change == ChangeKind::Modify;
        met.of.kind == RecordClass::Edit && met.of.files.iter().any(is_it)
    };
    let Some(met) = slot.oldest_met(now).filter(is_edit) else { return false };
    let files = whereabouts.files();
    let is_elsewhere = |path: &RepoPath| slot.disk.as_ref() != Some(path);
    let is_left = |there: &[u8]| {
        let is_version = |left: &[u8]| are_versions(left, there) && is_nearer(there, left, now);
        left(slot).any(|left| there == left || is_version(left))
    };
    let at_its_name = || (files.read)(met.name).ok().flatten().filter(|_| is_elsewhere(met.name));
    // One like the edited file may have got the same edit.
    let is_sibling = |had: &[u8]| slot.texts().any(|[met, _]| met == had || are_versions(met, had));
    let has_it = |stray: &Stray| is_elsewhere(&stray.path) && !is_sibling(&stray.had) && is_left(&stray.there);
    let is_over = || whereabouts.strays_since(met.of).iter().any(has_it);
    at_its_name().is_some_and(|there| is_left(&there)) || is_over() || is_moved_away(whereabouts, slot, (&met, now))
}

/// Whether another file has to the byte what an edit left, and what is at its name, and never was, another one.
fn is_moved_away(whereabouts: &Whereabouts<'_>, slot: &Slot, (met, now): (&Met<'_>, &[u8])) -> bool {
    let had = (whereabouts.files().had)(met.of, met.name);
    let have = |text: &[u8]| {
        let is_other = |path: &RepoPath| slot.disk.as_ref() != Some(path);
        !whereabouts.with_text(&[(blob_id(text), text.len())], &is_other).is_empty()
    };
    let is_new = had.is_none_or(|had| had != now) && slot.texts().all(|[met, left]| met != now && left != now);
    is_new && have(now) && left(slot).any(have)
}

/// The lines of a text without what a formatter changes: white space, punctuation, and which letters are capital.
fn words(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let kept = text.chars().filter(|letter| letter.is_alphanumeric() || *letter == '\n');
    kept.flat_map(char::to_lowercase).collect::<String>().into_bytes()
}
