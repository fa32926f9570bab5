//! What git is asked of the files beside a record's, once for all records of one commit.
//!
//! Owns these questions, and how often they are asked. What follows for the record's file is not its affair.
//! Invariant: what git is not asked, as it was asked too often, is not so.

use super::files;
use super::git_since::{Asked, asked_once};
use super::left::Left;
use super::logged_files::LoggedFile;
use super::moved::Since;
use super::whereabouts::Whereabouts;
use crate::git::{ChangedFile, GitCommit, Tips};
use crate::id::BlobId;
use crate::path::RepoPath;
use crate::record::Record;
use std::rc::Rc;

/// So many commits since a record are looked at for what stood beside its file.
const MOST_COMMITS: usize = 512;

impl Whereabouts<'_> {
    /// Whether git knows a file beside the one of a record: in HEAD, or in a commit since.
    pub(super) fn is_beside(&self, left: &Left<'_>, path: &RepoPath) -> bool {
        self.is_beside_with(left, path, &|_| true)
    }

    /// The same with a blob, in a commit since where that knows both, that passes.
    pub(super) fn is_beside_with(&self, left: &Left<'_>, path: &RepoPath, is_it: &dyn Fn(BlobId) -> bool) -> bool {
        let name = &left.record.files[left.file].path;
        let is_in_head = |path: &RepoPath| (self.files().in_head)(path).is_some();
        let repo = self.history().repo();
        let commits = || self.commits_since(left.record);
        let were_beside =
            || Since { repo, base: left.record.meta.base, commits: &commits() }.have_beside(name, path, is_it);
        is_in_head(path) && (is_in_head(name) || were_beside())
    }

    /// Whether a commit since took what a record left at a name from there, or another branch has it. Git is not asked of many.
    pub(super) fn is_with_git(&self, path: &RepoPath, LoggedFile { newest: (item, n), .. }: &LoggedFile) -> bool {
        let (repo, base) = (self.history().repo(), item.record.meta.base);
        let names = std::slice::from_ref(path);
        let commits =
            |tips| repo.commits_touching(tips, base.filter(|base| repo.has_commit(*base)), names).unwrap_or_default();
        let any = |tips, is_it: &dyn Fn(&ChangedFile) -> bool| {
            commits(tips).iter().flat_map(|commit| &commit.files).any(is_it)
        };
        let left = item.record.files.get(*n).and_then(|file| file.git_after.or(file.after));
        let is_taken =
            |file: &ChangedFile| file.from.as_ref() == Some(path) || (file.path == *path && file.new.is_none());
        let has_it = |file: &ChangedFile| file.path == *path && file.new.is_some() && file.new == left;
        self.ask().is_some_and(|()| any(Tips::Head, &is_taken) || any(Tips::OtherBranches, &has_it))
    }

    /// What is staged; nothing where git does not tell.
    pub(super) fn staged(&self) -> Rc<Vec<ChangedFile>> {
        let ask = || Rc::new(self.history().repo().staged_changes().unwrap_or_default());
        Rc::clone(self.git_since.staged.get_or_init(ask))
    }

    /// The name that HEAD has for a file that is staged under a new one.
    pub(super) fn staged_from(&self, path: &RepoPath) -> Option<RepoPath> {
        let is_new = (self.files().in_head)(path).is_none() && (self.files().is_tracked)(path);
        let staged = is_new.then(|| self.staged())?;
        staged.iter().find(|file| file.path == *path)?.from.clone()
    }

    /// The commits since a record that touch some names, oldest first; none where git does not tell. What was asked last is kept.
    pub(super) fn touching(&self, record: &Record, names: &[RepoPath]) -> Option<Rc<Vec<GitCommit>>> {
        let (repo, base) = (self.history().repo(), record.meta.base);
        let mut kept = self.git_since.touching.borrow_mut();
        if let Some(asked) = kept.as_ref().filter(|asked| asked.base == base && asked.names == names) {
            return asked.told.clone();
        }
        let told = match base {
            Some(base) if !repo.has_commit(base) => Some(Vec::new()),
            _ => repo.commits_touching(Tips::Head, base, names).ok(),
        };
        kept.insert(Asked { base, names: names.to_vec(), told: told.map(Rc::new) }).told.clone()
    }

    /// The newest commits since a record; of the records that were made on one commit git is asked once.
    pub(super) fn commits_since(&self, record: &Record) -> Rc<Vec<GitCommit>> {
        asked_once(&self.git_since.commits, record, &|record| {
            let repo = self.history().repo();
            let base = record.meta.base.filter(|base| repo.has_commit(*base));
            repo.newest_commits(base, MOST_COMMITS).unwrap_or_default()
        })
    }

    /// What git had of the files that are otherwise now; of the records that were made on one commit it is asked once.
    pub(super) fn changed_since(&self, record: &Record) -> Rc<files::Had> {
        asked_once(&self.git_since.changed, record, self.files().changed_since)
    }

    /// What HEAD has of the files that it got after a record, and that are gone; asked as seldom.
    pub(super) fn lost_since(&self, record: &Record) -> Rc<files::Had> {
        asked_once(&self.git_since.lost, record, self.files().lost_since)
    }
}
