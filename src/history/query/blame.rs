//! Where every line of a file comes from: a record, a git commit, or nobody that is known.
//!
//! Owns what is asked: the records ([`super::lines_by_records`]), git's own blame, which tells in which commit each line is that HEAD
//! has, what records have of those commits ([`super::lines_by_commits`]), and what was put away and is back ([`super::lines_put_back`]). Takes the file as it is, uncommitted lines too.
//! Invariant: a line is given to a record only if the record's own diff adds it as it stands; to one of another worktree only if the
//! commit that git blames holds it.

use super::ages::Ages;
use super::commits::commits_of;
use super::lines_by_commits::by_commits;
use super::lines_by_records::{BlamedRecord, Newest, by_records};
use super::lines_put_back::put_back;
use super::moved_files::names_in_records;
use super::records_of_file::names_before;
use crate::git::{CommittedLine, HeadLookup};
use crate::history::error::HistoryError;
use crate::history::in_force::Whose;
use crate::history::reader::{History, Item};
use crate::history::warning::HistoryWarning;
use crate::id::{CommitId, RecordId};
use crate::path::RepoPath;
use std::collections::{BTreeMap, HashSet};

/// Where one line comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlamedLine {
    /// The record that wrote it.
    pub record: Option<BlamedRecord>,
    /// The git commit that it is in; without a record, the one that wrote it.
    pub commit: Option<CommitId>,
    /// With its ending.
    pub text: Vec<u8>,
}

/// Blames the text of a file as it is now.
///
/// # Errors
/// Where the history or git's objects cannot be read.
pub fn blame(history: &History<'_>, path: &RepoPath, text: &[u8]) -> Result<Vec<BlamedLine>, HistoryError> {
    let lines: Vec<&[u8]> = text.split_inclusive(|&b| b == b'\n').collect();
    let mut found: Vec<Option<BlamedRecord>> = vec![None; lines.len()];
    let mut committed: Vec<Option<CommittedLine>> = vec![None; lines.len()];
    by_records(history, (path, text), Newest::default(), &mut found)?;
    by_git(history, path, &mut committed)?;
    let commits: Vec<Option<CommitId>> = committed.iter().map(|line| Some(line.as_ref()?.commit)).collect();
    but_older(history, (path, text), &commits, &mut found)?;
    by_commits(history, Whose::Own, (&lines, &committed), &mut found)?;
    by_others(history, (path, text), &commits, &mut found)?;
    by_commits(history, Whose::Others, (&lines, &committed), &mut found)?;
    let is_committed: Vec<bool> = commits.iter().map(Option::is_some).collect();
    put_back(history, (path, text), &is_committed, &mut found)?;
    let parts = lines.into_iter().zip(found).zip(commits);
    Ok(parts.map(|((line, record), commit)| BlamedLine { record, commit, text: line.to_vec() }).collect())
}

/// For each line of a file as it is now the record that wrote it as it stands; git is not asked.
///
/// # Errors
/// Where the history cannot be read.
pub fn records_of_lines(
    history: &History<'_>,
    path: &RepoPath,
    text: &[u8],
) -> Result<Vec<Option<BlamedRecord>>, HistoryError> {
    let mut found = vec![None; text.split_inclusive(|&b| b == b'\n').count()];
    by_records(history, (path, text), Newest::default(), &mut found)?;
    Ok(found)
}

/// Takes lines from a record of which git blames a commit that is older, and that the record did not build on: somebody wrote the same on
/// another branch. An earlier record may have written them.
fn but_older(
    history: &History<'_>,
    of: (&RepoPath, &[u8]),
    commits: &[Option<CommitId>],
    found: &mut [Option<BlamedRecord>],
) -> Result<(), HistoryError> {
    let (ages, repo) = (Ages::by(history), history.repo());
    let mut told: BTreeMap<(RecordId, CommitId), bool> = BTreeMap::new();
    let mut taken: HashSet<RecordId> = HashSet::new();
    loop {
        let mut open = Vec::new();
        for (n, (line, commit)) in found.iter_mut().zip(commits).enumerate() {
            let (Some(record), Some(commit)) = (&line, commit) else { continue };
            let key = (record.id.clone(), *commit);
            if !told.contains_key(&key) {
                let item = history.find(record.id.as_str())?;
                let is_behind = |base| repo.merge_base(base, *commit) == Some(*commit);
                let is_older = ages.is_older(*commit, &item) && !item.record.meta.base.is_some_and(is_behind);
                told.insert(key.clone(), is_older);
            }
            if told.get(&key) == Some(&true) {
                taken.insert(record.id.clone());
                *line = None;
                open.push(n);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        let is_taken = |item: &Item| taken.contains(&item.record.id);
        let mut earlier = vec![None; found.len()];
        by_records(history, of, Newest { but: Some(&is_taken), ..Newest::default() }, &mut earlier)?;
        open.into_iter().for_each(|n| found[n] = earlier[n].take());
    }
}

/// Gives lines that git brought here from another worktree, or clone, to the records there; those of this one come first.
fn by_others(
    history: &History<'_>,
    of: (&RepoPath, &[u8]),
    commits: &[Option<CommitId>],
    found: &mut [Option<BlamedRecord>],
) -> Result<(), HistoryError> {
    if found.iter().zip(commits).all(|(record, commit)| record.is_some() || commit.is_none()) {
        return Ok(());
    }
    let mut theirs: Vec<Option<BlamedRecord>> = vec![None; found.len()];
    by_records(history, of, Newest { whose: Whose::Others, ..Newest::default() }, &mut theirs)?;
    let mut holding: BTreeMap<RecordId, HashSet<CommitId>> = BTreeMap::new();
    for ((line, theirs), commit) in found.iter_mut().zip(theirs).zip(commits) {
        let (None, Some(theirs), Some(commit)) = (&line, theirs, commit) else { continue };
        if !holding.contains_key(&theirs.id) {
            let commits = commits_of(history, [&history.find(theirs.id.as_str())?]);
            holding.insert(theirs.id.clone(), commits.into_iter().flatten().collect());
        }
        if holding.get(&theirs.id).is_some_and(|holding| holding.contains(commit)) {
            *line = Some(theirs);
        }
    }
    Ok(())
}

/// Where git has the lines from that HEAD has, whoever wrote them; of a file that somebody moved, also where that is not committed.
fn by_git(history: &History<'_>, path: &RepoPath, lines: &mut [Option<CommittedLine>]) -> Result<(), HistoryError> {
    let repo = history.repo();
    let is_in_head = |path: &RepoPath| Ok::<_, HistoryError>(matches!(repo.head_lookup(path)?, HeadLookup::File(_)));
    let found = if is_in_head(path)? || (repo.head_id()?.is_some() && repo.is_in_index(path)?) {
        repo.blame_file(path)
    } else {
        let committed = names_in_records(history, path).first().map(|(_, moved)| moved.committed.clone());
        let mut before = committed.filter(|name| is_in_head(name).is_ok_and(|is_in| is_in));
        if before.is_none() {
            for name in names_before(history, path)? {
                if is_in_head(&name)? {
                    before = Some(name);
                    break;
                }
            }
        }
        let Some(before) = before else { return Ok(()) };
        repo.blame_moved(path, &before)
    };
    match found {
        // Where a filter changes the number of lines, nobody knows which is which; an encoding may seem to add one here.
        Ok(found) if found.len() <= lines.len() && lines.len() <= found.len() + 1 => {
            lines.iter_mut().zip(found).for_each(|(line, found)| *line = found);
        }
        Ok(_) => history.warn(HistoryWarning::OtherLinesInGit(path.clone())),
        Err(error) => history.warn(HistoryWarning::NoLineCommits { path: path.clone(), error }),
    }
    Ok(())
}
