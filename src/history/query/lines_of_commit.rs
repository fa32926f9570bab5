//! Which lines of a git commit which record wrote.
//!
//! Owns the lines that a commit added or changed, against all of its parents, and finding the record of each in the file as the commit has it.
//! Invariant: a line is given to a record only if the record's own diff adds it as it stands.

use super::ages::Ages;
use super::line_maps::{bare, lines_written};
use super::lines_by_records::{BlamedRecord, Newest, Of, by_records, meant};
use crate::git::{ChangedFile, GitCommit};
use crate::history::error::HistoryError;
use crate::history::in_force::Whose;
use crate::history::reader::{History, Item};
use crate::id::{CommitId, RecordId};
use crate::patch::diff::differing_lines;
use crate::path::RepoPath;
use bstr::ByteSlice;
use std::collections::{BTreeSet, HashSet};

/// So many of a file's newest records are left out, one after the other, for lines that they took away since.
const MOST_BACK: usize = 64;

/// The lines of a file that records wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenLines {
    /// Where the commit has it.
    pub path: RepoPath,
    /// 1-based, in order, each with its record.
    pub lines: Vec<(usize, RecordId)>,
}

/// The files of a commit that has lines of records. What was recorded once it was there is not in it.
///
/// # Errors
/// Where the history or git's objects cannot be read.
pub fn lines_of_commit(history: &History<'_>, commit: &GitCommit) -> Result<Vec<WrittenLines>, HistoryError> {
    let later = history.repo().commits_since(commit.id)?;
    let ages = Ages::by(history);
    let is_later = later_than(commit.id, &later, &ages);
    let mut found = Vec::new();
    for file in &commit.files {
        let lines = lines_of_file(history, file, (&is_later, Whose::Own))?;
        let lines: Vec<(usize, RecordId)> = lines.into_iter().map(|(line, record)| (line + 1, record.id)).collect();
        if !lines.is_empty() {
            found.push(WrittenLines { path: file.path.clone(), lines });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Whether a record was made when a commit was there: it cannot have written it. `later` are the commits that came after it, and itself.
pub(super) fn later_than<'a>(
    commit: CommitId,
    later: &'a HashSet<CommitId>,
    ages: &'a Ages<'_>,
) -> impl Fn(&Item) -> bool + 'a {
    move |item| item.record.meta.base.is_some_and(|base| later.contains(&base)) || ages.is_older(commit, item)
}

/// The lines of one file that a commit changed and records of this worktree, or of others, wrote, from 0, but for records of which `is_later` says that they were made later.
pub(super) fn lines_of_file(
    history: &History<'_>,
    file: &ChangedFile,
    (is_later, whose): (&dyn Fn(&Item) -> bool, Whose),
) -> Result<Vec<(usize, BlamedRecord)>, HistoryError> {
    let repo = history.repo();
    let Some(new) = file.new else { return Ok(Vec::new()) };
    // A submodule, or what a partial clone does not have.
    let Ok(text) = repo.blob(&new) else { return Ok(Vec::new()) };
    if memchr::memchr(0, &text).is_some() {
        return Ok(Vec::new());
    }
    let mut wanted: Option<BTreeSet<usize>> = None;
    for old in &file.old {
        let old = old.map(|old| repo.blob(&old)).transpose().unwrap_or_default().unwrap_or_default();
        let added = added_lines(&old, &text);
        wanted = Some(wanted.map_or(added.clone(), |wanted| wanted.intersection(&added).copied().collect()));
    }
    let wanted = wanted.unwrap_or_default();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let found = vec![None; text.split_inclusive(|&byte| byte == b'\n').count()];
    let mut lines = Lines { wanted, found };
    // Git may store other line endings than the records have.
    let with_cr = (!text.contains(&b'\r')).then(|| text.replace("\n", "\r\n"));
    // Somebody may have renamed it since the records.
    let paths = std::iter::once(&file.path).chain(&file.from);
    for (path, text) in paths.flat_map(|path| std::iter::once(&text).chain(&with_cr).map(move |text| (path, text))) {
        let newest = Newest { of: Of::Commit, but: Some(is_later), skip: 0, whose };
        lines.by_newest_left_out(history, (path, text), newest)?;
    }
    let Lines { wanted, mut found } = lines;
    Ok(wanted.into_iter().filter_map(|line| Some((line, found[line].take()?))).collect())
}

/// The lines of a file of a commit.
struct Lines {
    /// Those of which the record is wanted, from 0.
    wanted: BTreeSet<usize>,
    /// For all of them.
    found: Vec<Option<BlamedRecord>>,
}

impl Lines {
    /// Gives lines that are wanted to the records of a file under one name, its newest ones left out, one after the other.
    fn by_newest_left_out(
        &mut self,
        history: &History<'_>,
        (path, text): (&RepoPath, &[u8]),
        newest: Newest<'_>,
    ) -> Result<(), HistoryError> {
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let mut records = meant(history, path, newest)?;
        let mut is_fruitless = false;
        for skip in 0..MOST_BACK {
            let open = self.wanted.iter().filter(|&&line| self.found[line].is_none());
            let open: HashSet<&[u8]> = open.map(|&line| bare(lines[line])).collect();
            let Some((item, n)) = records.next().transpose()?.filter(|_| !open.is_empty()) else { break };
            // Behind one from which nothing is found, one that wrote such a line may be the newest that is in the commit: who staged a text
            // has that, whatever became of the file since.
            if is_fruitless && !wrote_one_of(history, (&item, n), &open) {
                continue;
            }
            let mut more = vec![None; self.found.len()];
            by_records(history, (path, text), Newest { skip, ..newest }, &mut more)?;
            is_fruitless = skip > 0 && more.iter().all(Option::is_none);
            for (line, more) in self.found.iter_mut().zip(more) {
                *line = line.take().or(more);
            }
        }
        Ok(())
    }
}

fn wrote_one_of(history: &History<'_>, (item, n): (&Item, usize), lines: &HashSet<&[u8]>) -> bool {
    let Some(record) = history.full_if_whole(item) else { return false };
    let texts = history.texts_if_whole(item, &record, n);
    lines_written(&record.files[n], &texts).any(|line| lines.contains(bare(line)))
}

/// 0-based.
fn added_lines(old: &[u8], new: &[u8]) -> BTreeSet<usize> {
    let line_at = |offset: usize| memchr::memchr_iter(b'\n', &new[..offset]).count();
    let mut added = BTreeSet::new();
    for (_, range) in differing_lines(old, new).into_iter().filter(|(_, range)| !range.is_empty()) {
        let first = line_at(range.start);
        added.extend(first..=first + memchr::memchr_iter(b'\n', &new[range.start..range.end - 1]).count());
    }
    added
}
