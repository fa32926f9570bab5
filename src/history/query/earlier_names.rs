//! The names that files had in records before the ones that they have in commits.
//!
//! Owns going from name to name: by records that renamed a file (an undo of that, too), and by what [`super::moved_files`] and
//! [`super::moved_over`] know of somebody who moved it. Does not know what is in the files.
//! Invariant: a name that a file has now is no other one's earlier name.

use super::moved_files::{is_as_ever, moved_files, was_there_before};
use super::moved_over::moved_over;
use super::text_now::is_gone;
use super::touching::MOST_RENAMES;
use crate::git::{ChangedFile, GitCommit, HeadLookup, Tips};
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::CommitId;
use crate::path::RepoPath;
use bstr::ByteSlice;
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

/// Names of files, each with those that the same file had just before.
#[derive(Debug, Default)]
pub(super) struct EarlierNames(BTreeMap<RepoPath, BTreeSet<RepoPath>>);

impl EarlierNames {
    /// What records and people did to files that have one of these names, or had.
    ///
    /// # Errors
    /// Where the history cannot be read.
    pub(super) fn about(history: &History<'_>, names: BTreeSet<RepoPath>) -> Result<Self, HistoryError> {
        let mut it = Self::default();
        let mut known = names.clone();
        let mut open = names;
        for _ in 0..MOST_RENAMES {
            if open.is_empty() {
                break;
            }
            let mut found = it.by_people(history, &open);
            found.extend(it.by_records(history, &open)?);
            open = found.into_iter().filter(|name| known.insert(name.clone())).collect();
        }
        Ok(it)
    }

    /// Gives the names that are met.
    fn by_records(
        &mut self,
        history: &History<'_>,
        open: &BTreeSet<RepoPath>,
    ) -> Result<BTreeSet<RepoPath>, HistoryError> {
        let mut met = BTreeSet::new();
        let filter = Filter::renames(open.iter().map(|name| name.as_bstr().as_bytes()));
        for item in history.items(Scope::Own, filter)? {
            for file in &item?.record.files {
                let Some(from) = file.from.as_ref().filter(|from| open.contains(*from) || open.contains(&file.path))
                else {
                    continue;
                };
                met.extend([from.clone(), file.path.clone()]);
                self.put(history, &file.path, from);
            }
        }
        Ok(met)
    }

    fn by_people(&mut self, history: &History<'_>, open: &BTreeSet<RepoPath>) -> BTreeSet<RepoPath> {
        let mut met = BTreeSet::new();
        if open.iter().all(|name| is_as_ever(history, name)) {
            return met;
        }
        for (name, moved) in moved_files(history) {
            if open.contains(name) || open.contains(&moved.today) {
                met.extend([name.clone(), moved.today.clone()]);
                self.put(history, &moved.today, name);
            }
        }
        met
    }

    fn put(&mut self, history: &History<'_>, name: &RepoPath, earlier: &RepoPath) {
        if is_gone(history, earlier) {
            self.0.entry(name.clone()).or_default().insert(earlier.clone());
        }
    }

    /// All that are told.
    pub(super) fn names(&self) -> impl Iterator<Item = &RepoPath> {
        self.0.iter().flat_map(|(name, earlier)| std::iter::once(name).chain(earlier))
    }

    /// These changes of files, those of a file that had other names told as if it came from each of them, from the newest name to the oldest; the one that it
    /// does come from is told again in its place.
    pub(super) fn tell(&self, mut changes: Vec<ChangedFile>) -> Vec<ChangedFile> {
        let mut told = Vec::new();
        for file in changes.iter().filter(|file| file.new.is_some()) {
            let earlier = self.all_before(&file.path).into_iter();
            told.extend(earlier.map(|name| ChangedFile { from: Some(name), ..file.clone() }));
        }
        changes.append(&mut told);
        changes
    }

    /// The newest first.
    fn all_before(&self, name: &RepoPath) -> Vec<RepoPath> {
        let mut found: Vec<RepoPath> = Vec::new();
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            for earlier in self.0.get(name).into_iter().flatten() {
                if !found.contains(earlier) {
                    found.push(earlier.clone());
                    open.push(earlier);
                }
            }
        }
        found.retain(|earlier| earlier != name);
        found
    }
}

/// These changes of files, those of a file that had other names in records told as if it came from each of them.
///
/// # Errors
/// Where the history cannot be read.
pub(super) fn with_earlier_names(
    history: &History<'_>,
    changes: &[ChangedFile],
) -> Result<Vec<ChangedFile>, HistoryError> {
    let over = moved_over(history, changes)?;
    let names = changes.iter().flat_map(|file| std::iter::once(&file.path).chain(&file.from));
    let mut it = EarlierNames::about(history, names.chain(over.iter().map(|(name, _)| name)).cloned().collect())?;
    over.iter().for_each(|(name, today)| it.put(history, today, name));
    Ok(it.tell(changes.to_vec()))
}

/// All names that the files at these paths had in records before, by records that renamed them, or took a rename back, and by people.
///
/// # Errors
/// Where the history cannot be read.
pub(super) fn earlier_names_of(history: &History<'_>, paths: &[RepoPath]) -> Result<Vec<RepoPath>, HistoryError> {
    let names = EarlierNames::about(history, paths.iter().cloned().collect())?;
    Ok(paths.iter().flat_map(|path| names.all_before(path)).collect())
}

/// What the files at these paths were called until commits renamed them, whatever is at those names now; only of files that are there since the
/// first record. Where a record renamed it, that tells.
pub(super) fn names_until_commits(history: &History<'_>, paths: &[RepoPath]) -> Vec<(RepoPath, CommitId)> {
    let repo = history.repo();
    let since = history.base_of_oldest().filter(|base| repo.has_commit(*base));
    let renamed = |path: &RepoPath| -> Result<Option<(RepoPath, CommitId)>, HistoryError> {
        let is_new = matches!(repo.head_lookup(path)?, HeadLookup::File(_)) && !was_there_before(history, path);
        let commits =
            if is_new { repo.commits_touching(Tips::Head, since, slice::from_ref(path))? } else { Vec::new() };
        let is_rename = |file: &&ChangedFile| file.path == *path && file.from.is_some();
        let of = |commit: &GitCommit| Some((commit.files.iter().find(is_rename)?.from.clone()?, commit.id));
        Ok(commits.iter().rev().find_map(of).filter(|(from, _)| !is_renamed_by_record(history, from, path)))
    };
    let mut found: Vec<(RepoPath, CommitId)> = Vec::new();
    for path in paths {
        let mut name = path.clone();
        for _ in 0..MOST_RENAMES {
            let Ok(Some((from, commit))) = renamed(&name) else { break };
            name = from.clone();
            found.push((from, commit));
        }
    }
    found
}

fn is_renamed_by_record(history: &History<'_>, from: &RepoPath, to: &RepoPath) -> bool {
    let is_it = |item: &Item| item.record.files.iter().any(|file| file.path == *to && file.from.as_ref() == Some(from));
    let items = history.items(Scope::Own, Filter::renames([to.as_bstr().as_bytes()]));
    items.is_ok_and(|mut items| items.any(|item| item.is_ok_and(|item| is_it(&item))))
}
