//! Which agent edits a commit that is about to be made holds, by their splices.
//!
//! Owns that decision. An edit is in the commit where one of its splices stands in the staged version and is still to be
//! made in HEAD's. Reads only.

use super::carried::Carry;
use crate::change::ChangeKind;
use crate::git::{GitCall, GitForm, Index, IndexLookup, Repo};
use crate::history::HistoryError;
use crate::history::commits_of_records::CommitsOfRecords;
use crate::history::in_force::FileEffect;
use crate::history::reader::{History, Item, Scope};
use crate::history::{Effect, Filter};
use crate::path::RepoPath;
use crate::record::RecordClass;
use crate::record::{Record, RecordFile, RecordedTexts};
use crate::state_dir::StateDir;
use std::collections::BTreeSet;

/// So many records back are looked at: older ones are committed by now, or will not be.
const MOST: usize = 1024;

/// The paths whose staged version differs from HEAD's.
///
/// # Errors
/// Where git fails.
pub fn staged_paths(repo: &Repo) -> Result<BTreeSet<RepoPath>, HistoryError> {
    let call = GitCall::new(["diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff"]);
    let out = repo.run_git(call)?;
    Ok(out.split(|&byte| byte == 0).filter_map(|path| RepoPath::new(path).ok()).collect())
}

/// The records whose edits the staged changes hold, oldest first.
///
/// # Errors
/// Where the history, HEAD or the index cannot be read.
pub fn contained(history: &History<'_>, index: &Index) -> Result<Vec<Record>, HistoryError> {
    let repo = history.repo();
    let paths = staged_paths(repo)?;
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let commits = CommitsOfRecords::read(&StateDir::of(repo)).unwrap_or_default();
    let mut found = Vec::new();
    for item in history.effects(Scope::Own, Filter::default())?.take(MOST) {
        let (item, effect) = item?;
        let record = &item.record;
        let is_open = record.meta.commit.is_none() && commits.commit_of(&record.id).is_none();
        let touches = record.files.iter().any(|file| paths.contains(&file.path));
        if record.kind == RecordClass::Edit && is_open && touches {
            let Some(record) = history.full_if_whole(&item) else { continue };
            if (Candidate { item: &item, record: &record, effect: &effect }).is_in(history, index, &paths)? {
                found.push(record);
            }
        }
    }
    found.reverse();
    Ok(found)
}

/// A record that may be in the commit.
struct Candidate<'a> {
    item: &'a Item,
    /// In full.
    record: &'a Record,
    effect: &'a Effect,
}

impl Candidate<'_> {
    fn is_in(&self, history: &History<'_>, index: &Index, paths: &BTreeSet<RepoPath>) -> Result<bool, HistoryError> {
        for (n, file) in self.record.files.iter().enumerate() {
            let in_force = !matches!(self.effect.files.get(n), Some(FileEffect::Undone(_)));
            if in_force && paths.contains(&file.path) && self.is_file_in(history, index, n)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_file_in(&self, history: &History<'_>, index: &Index, n: usize) -> Result<bool, HistoryError> {
        let (repo, file) = (history.repo(), &self.record.files[n]);
        let head = repo.head_entry(&file.path)?;
        let staged = match index.lookup(&file.path) {
            IndexLookup::Entry(entry) => Some(entry.id),
            _ => None,
        };
        let (head, staged) = match (file.change, head, staged) {
            (ChangeKind::Create | ChangeKind::Rename, None, staged) => return Ok(staged.is_some()),
            (ChangeKind::Delete, head, staged) => return Ok(head.is_some() && staged.is_none()),
            (_, Some(head), Some(staged)) => (repo.blob(&head.id)?, repo.blob(&staged)?),
            _ => return Ok(false),
        };
        let texts = history.texts_if_whole(self.item, self.record, n);
        Ok(in_git(repo, file, &texts)?.is_some_and(|edit| edit.is_partly_between(&head, &staged)))
    }
}

/// The edit of a file in git's forms of its texts; none where a filter driver decides what git stores, or a text is not to
/// be had.
fn in_git(repo: &Repo, file: &RecordFile, texts: &RecordedTexts) -> Result<Option<Carry>, HistoryError> {
    let (Some(before), Some(after), Some(patch)) = (texts.before(), texts.after(), file.patch(texts)) else {
        return Ok(None);
    };
    let form = |raw: &[u8]| {
        Ok::<_, HistoryError>(match repo.git_form(&file.path, raw)? {
            GitForm::Same => Some(raw.to_vec()),
            GitForm::Converted(bytes) => Some(bytes),
            GitForm::Filtered => None,
        })
    };
    let (Some(before_form), Some(after_form)) = (form(before)?, form(after)?) else { return Ok(None) };
    Ok(Some(Carry::in_form([before, after], &patch, [before_form, after_form])))
}
