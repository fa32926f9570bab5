//! Which records wrote lines that git has from commits, where the way back from the file as it is does not lead to them.
//!
//! Owns that question. Two branches on which a file was edited make one text that no record left, and so does a part of an edit that was
//! committed while the rest was discarded: but the commit that git blames for a line has the text that the record left, or is nearer to it.
//! Invariant: a line is given to a record only if the commit that git blames has it from that record, and no more equal ones than that put; a bracket
//! or blank line, above which the lines were changed since, only with a line with a word that came with it.

use super::ages::Ages;
use super::line_maps::{bare, lines_written};
use super::lines_by_records::BlamedRecord;
use super::lines_of_commit::{later_than, lines_of_file};
use crate::git::{ChangedFile, CommittedLine, GitCommit};
use crate::history::error::HistoryError;
use crate::history::in_force::Whose;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;
use crate::text::has_word;
use bstr::ByteSlice;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// So many commits are looked into.
const MOST_COMMITS: usize = 64;

/// The commits behind so many oldest records are told apart.
const MOST_BASES: usize = 16;

/// So many records are asked whether they wrote such a line, the newest first.
const MOST_RECORDS: usize = 1024;

/// Gives lines that have a commit and no record yet to records of this worktree, or of the others.
///
/// # Errors
/// Where the history or git's objects cannot be read.
pub(super) fn by_commits(
    history: &History<'_>,
    whose: Whose,
    (lines, committed): (&[&[u8]], &[Option<CommittedLine>]),
    found: &mut [Option<BlamedRecord>],
) -> Result<(), HistoryError> {
    let mut wanted: Vec<(usize, &CommittedLine)> = found
        .iter()
        .zip(committed)
        .enumerate()
        .filter_map(|(n, (record, line))| Some((n, line.as_ref().filter(|_| record.is_none())?)))
        .collect();
    keep_later(history, whose, &mut wanted)?;
    if wanted.is_empty() {
        return Ok(());
    }
    let commits: BTreeSet<CommitId> = wanted.iter().map(|(_, line)| line.commit).collect();
    let commits = history.repo().changes_of_commits(commits.into_iter().take(MOST_COMMITS))?;
    let written = written(history, whose, (&wanted, lines), &commits)?;
    wanted.retain(|(n, _)| written.contains(bare(lines[*n])));
    let ages = Ages::by(history);
    let mut known: BTreeMap<(CommitId, &RepoPath), OfCommit> = BTreeMap::new();
    let mut given = Vec::new();
    for (n, line) in wanted {
        let Some((path, file)) = file_of(&commits, line) else { continue };
        let key = (line.commit, path);
        if let Entry::Vacant(unknown) = known.entry(key) {
            let later = history.repo().commits_since(line.commit)?;
            let lines = {
                let is_later = later_than(line.commit, &later, &ages);
                lines_of_file(history, file, (&is_later, whose))?.into_iter().collect()
            };
            unknown.insert(OfCommit { later, lines });
        }
        found[n] = known.get(&key).and_then(|of| of.lines.get(&line.line)).cloned();
        given.extend(found[n].is_some().then_some((n, key)));
    }
    let is_alone = |&(n, key): &(usize, (CommitId, &RepoPath))| known[&key].is_alone((lines, committed), found, n);
    let alone: Vec<usize> = given.iter().filter(|given| is_alone(given)).map(|(n, _)| *n).collect();
    alone.iter().for_each(|n| found[*n] = None);
    let given: Vec<usize> = given.into_iter().map(|(n, _)| n).collect();
    take_what_is_too_many(history, (lines, committed), found, &given);
    Ok(())
}

/// The lines of a file in a commit that are of records, by their numbers, and the commits that came after it, which it is among.
struct OfCommit {
    later: HashSet<CommitId>,
    lines: BTreeMap<usize, BlamedRecord>,
}

impl OfCommit {
    /// Whether line `n` is a bracket or blank line of a record, above which somebody changed the lines since, and none with a word stands of those
    /// that came with it.
    fn is_alone(
        &self,
        (lines, committed): (&[&[u8]], &[Option<CommittedLine>]),
        found: &[Option<BlamedRecord>],
        n: usize,
    ) -> bool {
        let (Some(own), Some(record)) = (&committed[n], &found[n]) else { return false };
        let is_its = |line: &usize| self.lines.get(line).is_some_and(|of| of.id == record.id);
        let above = (0..n).rev().find(|at| has_word(lines[*at]));
        let is_changed = |at: usize| match &committed[at] {
            Some(line) => line.commit != own.commit && self.later.contains(&line.commit),
            None => true,
        };
        if has_word(lines[n]) || !above.is_some_and(is_changed) {
            return false;
        }
        let first = (0..own.line).rev().take_while(is_its).last().unwrap_or(own.line);
        let last = (own.line + 1..).take_while(is_its).last().unwrap_or(own.line);
        let is_company = |(line, text): (&Option<CommittedLine>, &&[u8])| {
            let is_of_run = |line: &CommittedLine| {
                line.commit == own.commit && line.path == own.path && (first..=last).contains(&line.line)
            };
            has_word(text) && line.as_ref().is_some_and(is_of_run)
        };
        first < last && !committed.iter().zip(lines).any(is_company)
    }
}

/// Takes lines from records to which more equal ones are given than they put: those that are not committed, the last ones first, or else those that were
/// `given` by commits.
fn take_what_is_too_many(
    history: &History<'_>,
    (lines, committed): (&[&[u8]], &[Option<CommittedLine>]),
    found: &mut [Option<BlamedRecord>],
    given: &[usize],
) {
    let mut equal: BTreeMap<(RecordId, &[u8]), Vec<usize>> = BTreeMap::new();
    for (n, record) in found.iter().enumerate() {
        if let Some(record) = record {
            equal.entry((record.id.clone(), bare(lines[n]))).or_default().push(n);
        }
    }
    let given: BTreeSet<usize> = given.iter().copied().collect();
    for ((id, line), all) in equal.into_iter().filter(|(_, all)| all.len() > 1) {
        let by_commits: Vec<usize> = all.iter().copied().filter(|n| given.contains(n)).collect();
        let put = if by_commits.is_empty() { None } else { put_by(history, &id, line) };
        let too_many = put.map_or(0, |put| all.len().saturating_sub(put)).min(by_commits.len());
        let uncommitted = all.iter().rev().copied().filter(|n| committed[*n].is_none());
        uncommitted.chain(by_commits).take(too_many).for_each(|n| found[n] = None);
    }
}

/// How many of a line a record put; none where its texts are not kept.
fn put_by(history: &History<'_>, id: &RecordId, line: &[u8]) -> Option<usize> {
    let item = history.find(id.as_str()).ok()?;
    let record = history.full_if_whole(&item)?;
    let of_file = |n: usize| {
        let texts = history.texts_if_whole(&item, &record, n);
        lines_written(&record.files[n], &texts).filter(|written| bare(written) == line).count()
    };
    Some((0..record.files.len()).map(of_file).sum())
}

/// Only what came after the HEAD of an oldest record can be of a record.
fn keep_later(
    history: &History<'_>,
    whose: Whose,
    wanted: &mut Vec<(usize, &CommittedLine)>,
) -> Result<(), HistoryError> {
    let repo = history.repo();
    if wanted.is_empty() {
        return Ok(());
    }
    let bases = match whose {
        Whose::Own => vec![history.base_of_oldest()],
        Whose::Others => history.bases_of_others(),
    };
    let known: BTreeSet<CommitId> = bases.iter().flatten().copied().filter(|base| repo.has_commit(*base)).collect();
    let is_told = bases.iter().all(|base| base.is_some_and(|base| known.contains(&base)));
    if is_told && known.len() <= MOST_BASES {
        let mut later = HashSet::new();
        for base in known {
            later.extend(repo.parents_since(base)?.into_keys());
        }
        wanted.retain(|(_, line)| later.contains(&line.commit));
    }
    Ok(())
}

/// The lines among those that are wanted which some record of the files wrote, whatever its place.
fn written<'t>(
    history: &History<'_>,
    whose: Whose,
    (wanted, lines): (&[(usize, &CommittedLine)], &[&'t [u8]]),
    commits: &[GitCommit],
) -> Result<HashSet<&'t [u8]>, HistoryError> {
    let files = wanted.iter().filter_map(|(_, line)| file_of(commits, line));
    let names: BTreeSet<&RepoPath> =
        files.flat_map(|(_, file)| std::iter::once(&file.path).chain(&file.from)).collect();
    let mut open: HashSet<&[u8]> = wanted.iter().map(|(n, _)| bare(lines[*n])).collect();
    let mut written = HashSet::new();
    let filter = Filter::of(names.iter().map(|name| name.as_bstr().as_bytes()));
    let scope = if whose == Whose::Own { Scope::Own } else { Scope::All };
    let is_meant = |item: &Item| item.whose() == whose;
    let items = history.items(scope, filter)?.filter(|item| item.as_ref().map_or(true, is_meant));
    for item in items.take(MOST_RECORDS) {
        let item = item?;
        let of = |n: &usize| names.contains(&item.record.files[*n].path);
        let files: Vec<usize> = (0..item.record.files.len()).filter(of).collect();
        if open.is_empty() {
            break;
        }
        let Some(record) = history.full_if_whole(&item).filter(|_| !files.is_empty()) else { continue };
        for n in files {
            let texts = history.texts_if_whole(&item, &record, n);
            written.extend(lines_written(&record.files[n], &texts).filter_map(|line| open.take(bare(line))));
        }
    }
    Ok(written)
}

/// The file of a commit in which a line is, under its name there.
fn file_of<'c>(commits: &'c [GitCommit], line: &CommittedLine) -> Option<(&'c RepoPath, &'c ChangedFile)> {
    let path = line.path.as_deref()?;
    let commit = commits.iter().find(|commit| commit.id == line.commit)?;
    commit.files.iter().find(|file| file.path == *path).map(|file| (&file.path, file))
}
