//! Edits of which nothing proves that a commit does not hold them: their texts are not kept, or are not what git has, or they only set a mode; lines
//! that were edited since; and of undone ones what was staged before.
//!
//! Owns that doubt, for who must not be passed by: a rule on what is committed. Who wants proof asks `held_by_commit`.
//! Invariant: what a commit that HEAD has left just so is known, and not in doubt.

use super::commits::Bringing;
use super::text_now::{is_gone, text_now};
use crate::git::{ChangedFile, IndexLookup, Repo, Tips};
use crate::history::error::HistoryError;
use crate::history::held::HeldFile;
use crate::history::reader::{History, Item};
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::{Record, RecordFile};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// The bits of a mode that git keeps.
const EXECUTABLE: u32 = 0o100;

/// What of a record is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextsCount {
    /// Its modes, and its texts.
    Too,
    /// Its modes alone: the texts of older ones are known to be in no commit that is made now.
    Not,
}

/// What is in doubt of what is staged.
pub(super) struct Doubt<'c> {
    changes: &'c [ChangedFile],
    /// The files that are executable in the index and not in HEAD, or the other way round, and of which no record set that yet.
    modes: BTreeSet<RepoPath>,
    executable: BTreeSet<RepoPath>,
    /// Of which files it was asked, and whether they are now what is staged of them.
    as_in_tree: RefCell<HashMap<RepoPath, bool>>,
}

/// What is known of a record by the log, and of what the commit holds of it.
pub(super) struct KnownOf<'r> {
    /// Whether its texts count: those of older ones are known to be in no commit that is made now.
    pub(super) counts: bool,
    /// Whether it is in force by the log.
    pub(super) in_force: bool,
    /// The record, where the commit holds something of it by its lines.
    pub(super) held: Option<&'r Record>,
}

impl<'c> Doubt<'c> {
    /// About what is staged.
    ///
    /// # Errors
    /// Where the index or HEAD cannot be read.
    pub(super) fn about(history: &History<'_>, changes: &'c [ChangedFile]) -> Result<Self, HistoryError> {
        let repo = history.repo();
        let index = repo.read_index(&repo.index_path())?;
        let mut doubt =
            Self { changes, modes: BTreeSet::new(), executable: BTreeSet::new(), as_in_tree: RefCell::default() };
        for change in changes {
            let IndexLookup::Entry(entry) = index.lookup(&change.path) else { continue };
            let mut had = repo.head_entry(&change.path)?;
            if let (None, Some(from)) = (&had, &change.from) {
                had = repo.head_entry(from)?;
            }
            let had = had.map_or(0, |entry| entry.mode);
            if entry.mode & EXECUTABLE != 0 {
                doubt.executable.insert(change.path.clone());
            }
            if (entry.mode ^ had) & EXECUTABLE != 0 {
                doubt.modes.insert(change.path.clone());
            }
        }
        Ok(doubt)
    }

    /// Whether no older record can say more of modes.
    pub(super) fn is_done(&self) -> bool {
        self.modes.is_empty()
    }

    /// The record, if what is staged may hold something of it: what no text proves, lines that were edited since, or, of one that was undone,
    /// what was staged before that.
    ///
    /// # Errors
    /// Where git or the history fails.
    pub(super) fn of(
        &mut self,
        bringing: &Bringing<'_>,
        item: &Item,
        KnownOf { counts, in_force, held }: KnownOf<'_>,
    ) -> Result<Option<Record>, HistoryError> {
        let history = bringing.history();
        let texts = if counts { TextsCount::Too } else { TextsCount::Not };
        if let Some(record) = self.record(history, item, texts)? {
            return Ok(Some(record));
        }
        // Who took it back, and wrote then what is like it, wrote that himself.
        let is_written_anew = !in_force && self.is_as_in_tree(history, &item.record);
        match held {
            _ if is_written_anew => Ok(None),
            None if counts => bringing.edited(item),
            // What it took away is gone in what was staged.
            Some(held) if !in_force => Ok(Some(held.clone())),
            _ => Ok(None),
        }
    }

    /// The record, if what is staged may hold something of it that no text proves.
    fn record(
        &mut self,
        history: &History<'_>,
        item: &Item,
        texts: TextsCount,
    ) -> Result<Option<Record>, HistoryError> {
        let sets_mode = self.sets_mode(&item.record);
        let is_wanted = texts == TextsCount::Too;
        let Some(record) = history.full_if_whole(item).filter(|_| sets_mode || is_wanted) else { return Ok(None) };
        let mut may_be = sets_mode;
        for (n, file) in record.files.iter().enumerate().filter(|_| is_wanted) {
            may_be = may_be
                || self.may_hold(history.repo(), &record, file, || {
                    Ok(HeldFile::of(history.repo(), file, &history.texts_if_whole(item, &record, n))?.is_some())
                })?;
        }
        Ok(may_be.then_some(record))
    }

    /// Whether the files of a record are now what is staged of them: then nothing of it was staged before what was done to them last.
    fn is_as_in_tree(&self, history: &History<'_>, record: &Record) -> bool {
        let mut known = self.as_in_tree.borrow_mut();
        let is_of = |change: &&ChangedFile| {
            record.files.iter().any(|file| file.path == change.path || change.from.as_ref() == Some(&file.path))
        };
        self.changes.iter().filter(is_of).all(|change| {
            *known.entry(change.path.clone()).or_insert_with_key(|path| match change.new {
                Some(new) => stored(history, path) == Some(new),
                None => is_gone(history, path),
            })
        })
    }

    /// Whether a record is the newest that gave a file the mode that is staged.
    fn sets_mode(&mut self, record: &Record) -> bool {
        let mut sets = false;
        for file in &record.files {
            let (Some(before), Some(after)) = (file.mode_before, file.mode_after) else { continue };
            let is_staged = (after & EXECUTABLE != 0) == self.executable.contains(&file.path);
            if (before ^ after) & EXECUTABLE != 0 && is_staged {
                sets |= self.modes.remove(&file.path);
            }
        }
        sets
    }

    /// Whether a change has the file of a record, of which no text can be looked at, and no commit left it so before.
    fn may_hold(
        &self,
        repo: &Repo,
        record: &Record,
        file: &RecordFile,
        has_texts: impl FnOnce() -> Result<bool, HistoryError>,
    ) -> Result<bool, HistoryError> {
        let is_of = |change: &&ChangedFile| {
            let is_at = change.path == file.path || change.from.as_ref() == Some(&file.path);
            is_at && (change.new.is_some() || file.after.is_none())
        };
        if file.before == file.after || !self.changes.iter().any(|change| is_of(&change)) || has_texts()? {
            return Ok(false);
        }
        let Some(left) = file.git_after.or(file.after) else { return Ok(true) };
        let since = record.meta.base.filter(|base| repo.has_commit(*base));
        let commits = repo.commits_touching(Tips::Head, since, std::slice::from_ref(&file.path))?;
        let mut files = commits.iter().flat_map(|commit| &commit.files);
        Ok(!files.any(|change| change.path == file.path && change.new == Some(left)))
    }
}

/// What git would store of a file as it is now; none where that is not known.
fn stored(history: &History<'_>, path: &RepoPath) -> Option<BlobId> {
    let text = text_now(history, path)?;
    history.repo().git_form(path, &text).ok()?.id(&text)
}
