//! Which records a commit holds that is being made, or was just made.
//!
//! Owns which records are asked: those of this worktree that touched the files of the commit, from the newest back to the one
//! that left a file as the commit found it, and a few more where what is staged may be older. So the cost of a commit does not grow with what is older;
//! that of the policy does, which asks all that nobody has seen. Those of other worktrees
//! `held_of_others` asks, for what these leave.

use crate::git::ChangedFile;
use crate::history::commits_of_records::{CommitsOfRecords, Share};
use crate::history::error::HistoryError;
use crate::history::in_force::FileEffect;
use crate::history::query::asked::Asked;
use crate::history::query::commits::Bringing;
use crate::history::query::conflicts_resolved::conflicts_resolved;
use crate::history::query::earlier_names::with_earlier_names;
use crate::history::query::held_of_others::{Found, of_others};
use crate::history::query::names_changed::names_changed;
use crate::history::query::perhaps_held::{Doubt, KnownOf};
use crate::history::query::put_elsewhere::of_files_that_are_gone;
use crate::history::query::under_another_name::under_another_name;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::{CommitId, RecordId};
use crate::record::{Record, RecordClass};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// So many records back are looked at.
const MOST: usize = 4096;

/// So many beyond the one that found a file as the commit did, where what is committed is not what the newest record left: it was
/// staged before that, perhaps.
const MOST_BEYOND: usize = 32;

/// The agents' edits that a change of files brings, oldest first, each with how much of it.
///
/// Also of what the log has as undone: it may have been staged before. Where another one brings the same lines, they are that one's. What is
/// noted to be in the commit that this one takes the place of, if it does, counts as in none.
///
/// # Errors
/// Where the history or git's objects cannot be read.
pub fn edits_held(
    history: &History<'_>,
    changes: &[ChangedFile],
    replaced: Option<CommitId>,
) -> Result<Vec<(Record, Share)>, HistoryError> {
    let Held { proven, .. } = Held::by(history, changes, Reach::Near(replaced))?;
    Ok(proven)
}

/// The agents' edits that a change of files brings, or may bring, as far as nothing proves that it does not, oldest first: also those of which
/// the texts are not kept, or a filter driver decides what git has, or that only set a mode. However many records are newer, those of
/// which `is_seen` says that somebody has looked at them are not asked where others would do.
///
/// # Errors
/// As [`edits_held`].
pub fn edits_perhaps_held(
    history: &History<'_>,
    changes: &[ChangedFile],
    is_seen: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Record>, HistoryError> {
    let Held { proven, perhaps } = Held::by(history, changes, Reach::AllBut(is_seen))?;
    Ok(perhaps.into_iter().chain(proven.into_iter().map(|(record, _)| record)).collect())
}

/// How far back records are asked, where what is committed is not what the newest one left.
#[derive(Clone, Copy)]
enum Reach<'a> {
    /// So many as it costs little to ask, for a commit that takes the place of one, or of none.
    Near(Option<CommitId>),
    /// All, but for those that are not wanted.
    AllBut(&'a dyn Fn(&RecordId) -> bool),
}

impl Reach<'_> {
    /// Whether a record is not wanted.
    fn is_without(&self, id: &RecordId) -> bool {
        matches!(self, Self::AllBut(is_seen) if is_seen(id))
    }
}

/// What a change of files holds.
struct Held {
    proven: Vec<(Record, Share)>,
    /// Those of which nothing proves that it does not hold them; only looked for where all are asked.
    perhaps: Vec<Record>,
}

impl Held {
    fn by(history: &History<'_>, changes: &[ChangedFile], reach: Reach<'_>) -> Result<Self, HistoryError> {
        let (by_git, changes) = (changes, &with_earlier_names(history, changes)?[..]);
        let mut asked = Asked::about(changes);
        let filter = asked.filter();
        let bringing = Bringing::of(history, changes);
        let elsewhere = Elsewhere { found: OnceCell::new(), always: matches!(reach, Reach::AllBut(_)) };
        let (mut found, mut perhaps) = (Vec::new(), Vec::new());
        let (most, mut beyond) = match reach {
            Reach::Near(_) => (MOST, MOST_BEYOND),
            Reach::AllBut(_) => (usize::MAX, usize::MAX),
        };
        let mut doubt = match reach {
            Reach::Near(_) => None,
            Reach::AllBut(_) => Some(Doubt::about(history, changes)?),
        };
        for one in history.effects(Scope::Own, filter.clone())?.take(most) {
            let is_beyond = asked.is_done();
            let is_all_told = || doubt.as_ref().is_none_or(Doubt::is_done);
            if is_beyond && ((asked.is_told() && is_all_told()) || beyond == 0) {
                break;
            }
            let (item, effect) = one?;
            let is_before = is_beyond || (beyond > 0 && asked.is_untold(&item));
            let in_force = effect.files.iter().any(|file| !matches!(file, FileEffect::Undone(_)));
            let is_unwanted = |item: &Item| {
                is_known_to_be_committed(history, item, (reach, &elsewhere)) || reach.is_without(&item.record.id)
            };
            let asks = asked.wants(&item);
            let wants = asks || (is_before && !is_unwanted(&item));
            beyond -= usize::from(is_beyond || (wants && !asks));
            if item.record.kind != RecordClass::Edit {
                continue;
            }
            let share = if wants { bringing.share_of(&item)? } else { None };
            if let Some(doubt) = &mut doubt {
                // What was undone may have been staged before, but not where what is staged was left since.
                let counts = wants && (in_force || !asked.is_told());
                let held = share.as_ref().map(|(record, _)| record);
                perhaps.extend(doubt.of(&bringing, &item, KnownOf { counts, in_force, held })?);
            }
            found.extend(share.map(|share| (item, in_force, share)));
        }
        if let Reach::AllBut(is_seen) = reach {
            let known: HashSet<RecordId> = perhaps.iter().map(|record: &Record| record.id.clone()).collect();
            perhaps.extend(not_by_lines((&bringing, by_git), &|id| is_seen(id) || known.contains(id))?);
            perhaps.sort_by_key(|record| std::cmp::Reverse(record.time_ms));
        }
        perhaps.reverse();
        let others = of_others(&bringing, filter, &found, &|id| reach.is_without(id))?;
        if !others.is_empty() {
            found.extend(others);
            found.sort_by_key(|(item, ..)| std::cmp::Reverse(item.record.time_ms));
        }
        let proven = proven(&bringing, &found)?;
        perhaps.retain(|record: &Record| proven.iter().all(|(other, _)| other.id != record.id));
        Ok(Self { proven, perhaps })
    }
}

/// What a commit may hold though it brings no line under the name of its file, or none that is an agent's own.
fn not_by_lines(
    (bringing, by_git): (&Bringing<'_>, &[ChangedFile]),
    is_unwanted: &dyn Fn(&RecordId) -> bool,
) -> Result<Vec<Record>, HistoryError> {
    let mut found = of_files_that_are_gone(bringing, is_unwanted)?;
    let (history, changes) = (bringing.history(), bringing.changes());
    let others = [
        under_another_name(bringing, is_unwanted)?,
        conflicts_resolved(history, changes, is_unwanted)?,
        names_changed(history, by_git, is_unwanted)?,
    ];
    for more in others {
        let known: HashSet<RecordId> = found.iter().map(|record| record.id.clone()).collect();
        found.extend(more.into_iter().filter(|record| !known.contains(&record.id)));
    }
    Ok(found)
}

/// Of these, newest first, those that are in force, or bring lines that no other one does; oldest first.
fn proven(bringing: &Bringing<'_>, found: &[Found]) -> Result<Vec<(Record, Share)>, HistoryError> {
    let mut held = Vec::with_capacity(found.len());
    for (n, (item, in_force, share)) in found.iter().enumerate().rev() {
        let is_newer_or_in_force = |m: usize| m != n && (m < n || found[m].1);
        let others = (0..found.len()).filter(|&m| is_newer_or_in_force(m)).map(|m| &found[m].0);
        if *in_force || bringing.brings_lines_of(item, others)? {
            held.push(share.clone());
        }
    }
    Ok(held)
}

/// The commits that are known to hold records, and that HEAD does not have behind it: of another branch.
struct Elsewhere {
    found: OnceCell<HashSet<CommitId>>,
    /// Whether one is looked for where there are no other branches, too: HEAD may have left it.
    always: bool,
}

impl Elsewhere {
    fn has(&self, history: &History<'_>, commit: CommitId) -> bool {
        let found = self.found.get_or_init(|| {
            let repo = history.repo();
            // Where git cannot tell, as without a commit at HEAD, they count as behind it.
            let is_one_line = !self.always && repo.has_other_branches().is_ok_and(|others| !others);
            let noted = history.noted_commits().commits();
            if is_one_line { HashSet::new() } else { repo.not_behind_head(&noted).unwrap_or_default() }
        });
        found.contains(&commit)
    }
}

fn is_known_to_be_committed(history: &History<'_>, item: &Item, (reach, elsewhere): (Reach<'_>, &Elsewhere)) -> bool {
    let repo = history.repo();
    // Of a commit that is replaced only what is behind it stays.
    let stays = |commit: CommitId| match reach {
        Reach::Near(Some(replaced)) => commit != replaced && repo.merge_base(commit, replaced) == Some(commit),
        Reach::Near(None) | Reach::AllBut(_) => !elsewhere.has(history, commit),
    };
    let noted = history.noted_commits().of(&item.record.id);
    noted.iter().any(|(commit, share)| *share == Share::All && stays(*commit))
}

/// Notes the records that were in commits for those that these became.
///
/// # Errors
/// Where the history or git's objects cannot be read, or the list cannot be written.
pub fn note_rewritten(history: &History<'_>, pairs: &[(CommitId, CommitId)]) -> Result<(), HistoryError> {
    let place = history.place();
    let notes = CommitsOfRecords::read(place).map_err(HistoryError::io("read", &place.commits()))?;
    let mut wanted: HashMap<&RecordId, Vec<CommitId>> = HashMap::new();
    for &(old, new) in pairs {
        notes.records_in(old).for_each(|id| wanted.entry(id).or_default().push(new));
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let commits: HashSet<CommitId> = wanted.values().flatten().copied().collect();
    let commits = history.repo().changes_of_commits(commits)?;
    for item in history.items(Scope::All, Filter::default())? {
        let item = item?;
        let Some(of_record) = wanted.remove(&item.record.id) else { continue };
        for commit in commits.iter().filter(|commit| of_record.contains(&commit.id)) {
            if let Some((record, share)) = Bringing::of(history, &commit.files).share_of(&item)? {
                let noted = CommitsOfRecords::note(place, [(&record.id, share)], commit.id);
                noted.map_err(HistoryError::io("write", &place.commits()))?;
            }
        }
        if wanted.is_empty() {
            break;
        }
    }
    Ok(())
}
