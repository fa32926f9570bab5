//! Whether a git commit is older than a record, where neither of them is behind the other: then it cannot hold it, whatever its lines are.
//!
//! Owns that decision. Dates are what somebody's clock said, or what somebody set; so one alone decides only where it is far off, and a
//! commit that is perhaps older is one that holds the record: to lose a true attribution is worse than to keep a doubtful one.
//! Invariant: where the log of HEAD, a git hook or redraft itself knows that the record was there first, no date counts.

use crate::git::HeadMove;
use crate::history::reader::{History, Item};
use crate::id::{CommitId, RecordId};
use crate::record::Record;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// Clocks that are set wrong are so by a time zone, and dates that are rounded by a day.
const FAR_OFF_S: i64 = 24 * 60 * 60;

/// What is asked of many commits and records.
pub(super) struct Ages<'h> {
    history: &'h History<'h>,
    moves: OnceCell<Vec<HeadMove>>,
    told: RefCell<HashMap<(CommitId, RecordId), bool>>,
}

impl<'h> Ages<'h> {
    /// By what a history and its repository know.
    pub(super) fn by(history: &'h History<'h>) -> Self {
        Self { history, moves: OnceCell::new(), told: RefCell::default() }
    }

    /// Whether a commit that is not behind the base of a record was there before the record was made, for sure.
    pub(super) fn is_older(&self, commit: CommitId, item: &Item) -> bool {
        let key = (commit, item.record.id.clone());
        if let Some(told) = self.told.borrow().get(&key) {
            return *told;
        }
        let is_older = self.tell(commit, item);
        self.told.borrow_mut().insert(key, is_older);
        is_older
    }

    fn tell(&self, commit: CommitId, item: &Item) -> bool {
        let repo = self.history.repo();
        let record = &item.record;
        let made_s = record.time_ms.div_euclid(1000);
        let Some(date) = repo.commit_date(commit).filter(|date| *date < made_s) else { return false };
        if self.is_known_to_hold(commit, record) {
            return false;
        }
        let come = self.coming(commit);
        if item.is_own && come.is_some_and(|come| self.is_behind_all_of(come, record)) {
            return false;
        }
        // A command may have made the commit long before it ended, and with it the record; another clone has a clock of its own.
        let has_exact_time = record.meta.observed.is_none() && item.worktree.is_some();
        match repo.commit_file_time(commit) {
            Some(written) if has_exact_time && written < record.time_ms => return true,
            // It was made here, and no sooner.
            Some(_) if come.is_some_and(|(_, come)| come.is_commit) => return false,
            _ => {}
        }
        // Who sets dates gives several commits the same.
        let is_dated_later = |parent| repo.commit_date(parent).is_none_or(|parent| parent < date);
        date + FAR_OFF_S < made_s && repo.parents(commit).into_iter().all(is_dated_later)
    }

    /// Whether redraft made the commit for the record, or saw it there when it was made.
    fn is_known_to_hold(&self, commit: CommitId, record: &Record) -> bool {
        let noted = self.history.noted_commits().of(&record.id);
        record.meta.commit == Some(commit) || noted.iter().any(|(noted, _)| *noted == commit)
    }

    fn moves(&self) -> &[HeadMove] {
        self.moves.get_or_init(|| self.history.repo().head_moves())
    }

    /// The move by which HEAD came to a commit first, and its number.
    fn coming(&self, commit: CommitId) -> Option<(usize, HeadMove)> {
        self.moves().iter().copied().enumerate().find(|(_, one)| one.to == commit)
    }

    /// Whether the commit was made here when HEAD had left the base of the record for the last time.
    fn is_behind_all_of(&self, (number, come): (usize, HeadMove), record: &Record) -> bool {
        let moves = self.moves();
        let is_base = |one: &HeadMove| Some(one.to) == record.meta.base;
        let was_there = come.from == record.meta.base || moves[..number].iter().any(is_base);
        come.is_commit && was_there && !moves[number..].iter().any(is_base)
    }
}
