//! Where a file went that somebody moved without redraft: by what a later record met, and by what git has under another name.
//!
//! Owns these two looks, made only where nothing is at the name that the log has for a file. However much was added to it since,
//! its text at the move tells it. Whether the file that is there may be meant is `whereabouts`'s.
//! Invariant: a move is followed only from a text that the log has of the file, and never to one of two.

use super::left::{FoundBy, Left};
use super::likeness::{are_partly_one, are_versions, is_closer};
use super::log::{Known, Log};
use super::step::is_text;
use crate::git::{ChangedFile, GitCommit, GitForm, Repo};
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use crate::record::RecordFile;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A file that git moved again and again is followed so often.
const MOST_MOVES: usize = 8;

/// In so many commits is looked whether two files stand beside each other.
const MOST_BESIDE: usize = 256;

/// So many files that came with a move are read.
const MOST_RIVALS: usize = 64;

/// A file that is not where the log has it.
pub(super) struct Lost<'a> {
    pub(super) left: &'a Left<'a>,
    /// What the log calls it today.
    pub(super) name: &'a RepoPath,
    /// What the log has of it since, oldest first.
    pub(super) known: &'a [Arc<Known>],
}

/// Where a file went that is not at its name any more.
pub(super) enum Moved {
    To(RepoPath, FoundBy),
    /// To one of two.
    Unclear,
    Nowhere,
}

/// What commits, or what is staged, did to a name.
pub(super) enum MovedOn {
    /// They moved the file on to this one.
    To(RepoPath),
    /// They brought another one there.
    ForAnother,
}

impl MovedOn {
    /// To which one they moved it.
    pub(super) fn to(self) -> Option<RepoPath> {
        match self {
            Self::To(path) => Some(path),
            Self::ForAnother => None,
        }
    }
}

impl Lost<'_> {
    /// The file as each record has it, the newest last.
    fn files(&self) -> impl DoubleEndedIterator<Item = &RecordFile> {
        self.left.record.files.get(self.left.file).into_iter().chain(self.known.iter().map(|known| &known.file))
    }

    /// The texts that the log has of it, the newest last.
    fn texts(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        let own = [self.left.texts.before(), self.left.texts.after()];
        own.into_iter().chain(self.known.iter().map(|known| known.texts.after())).flatten()
    }

    /// Whether the record made the file under a name that git had for another one.
    fn is_over_another(&self, repo: &Repo) -> bool {
        let file = &self.left.record.files[self.left.file];
        let base = self.left.record.meta.base.filter(|_| file.before.is_none() && file.path == *self.name);
        base.is_some_and(|base| repo.entry_in(base, self.name).ok().flatten().is_some())
    }

    /// Those of the commits since the record that tell of the file: where the record made it over another one's name, from the one on that has it.
    fn since_it_is_in_git<'c>(&self, repo: &Repo, commits: &'c [GitCommit]) -> &'c [GitCommit] {
        let has_it = |file: &ChangedFile| file.path == *self.name && file.new.is_some_and(|new| self.has(repo, new));
        let is_so = |commit: &GitCommit| commit.files.iter().any(has_it);
        let from = if self.is_over_another(repo) { commits.iter().position(is_so) } else { Some(0) };
        commits.get(from.unwrap_or(commits.len())..).unwrap_or_default()
    }

    /// Whether git's blob is one of the texts that the log has of the file.
    pub(super) fn has(&self, repo: &Repo, id: BlobId) -> bool {
        let ids = |file: &RecordFile| [file.before, file.after, file.git_before, file.git_after].contains(&Some(id));
        let is_form = |text: &[u8]| {
            let form = repo.git_form(self.name, text);
            matches!(form, Ok(GitForm::Converted(form)) if is_text(&form, Some(id)))
        };
        self.files().any(ids) || self.texts().any(is_form)
    }
}

/// The later records, each with its file by its index, that met the file under names that the log does not know it by, with the very
/// text that was left in it, and what they know of the name before. All but one of several met a copy.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn met_elsewhere(log: &Log<'_>, lost: &Lost<'_>) -> Result<Vec<(Rc<Item>, usize, Had)>, HistoryError> {
    let Some(last) = lost.files().next_back().and_then(left) else { return Ok(Vec::new()) };
    let first = first_met(log, lost)?;
    let found = first.into_values().filter(|met| met.text(lost) == Some(last));
    Ok(found.map(|met| (met.item, met.file, met.had)).collect())
}

/// The same behind the last record of it, with a text that was left in it earlier, under a name of which `may_be` says that it may be the one.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn met_as_left_earlier(
    log: &Log<'_>,
    lost: &Lost<'_>,
    may_be: &dyn Fn(&RepoPath, BlobId) -> bool,
) -> Result<Option<(Rc<Item>, usize)>, HistoryError> {
    let first = first_met(log, lost)?;
    let was_left = |id: &BlobId| lost.files().any(|file| left(file) == Some(*id));
    let is_it = |(name, met): &(&RepoPath, &Met)| {
        met.is_behind && met.text(lost).filter(was_left).is_some_and(|id| may_be(name, id))
    };
    let found = first.iter().filter(is_it).map(|(_, met)| met).take(2);
    Ok(only_one(found.collect()).map(|met| (Rc::clone(&met.item), met.file)))
}

/// The text that a record left in a file, where that is not empty.
fn left(file: &RecordFile) -> Option<BlobId> {
    file.after.filter(|_| file.splices.after_len() > 0)
}

/// What a name had, by the log, before a record met a file there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Had {
    /// No record knows of it.
    Nothing,
    /// A record left another text there: that may have been another file.
    Another,
}

/// The first record since another one that met a name, or met just the other one's text there, where an older one had left another.
struct Met {
    item: Rc<Item>,
    file: usize,
    /// Whether it is newer than all that the log has of the other one's file by its name.
    is_behind: bool,
    had: Had,
}

impl Met {
    /// What it met.
    fn before(&self) -> Option<BlobId> {
        self.item.record.files[self.file].before
    }

    /// What it met, if the file goes on, and is none that stood beside the lost one.
    fn text(&self, lost: &Lost<'_>) -> Option<BlobId> {
        let files = &self.item.record.files;
        // Where a record knows both, one is a copy.
        let is_there =
            |file: &RecordFile| file.before.is_some() && file.from.as_ref().unwrap_or(&file.path) == lost.name;
        let file = &files[self.file];
        file.before.filter(|_| file.after.is_some() && !files.iter().any(is_there))
    }
}

fn first_met(log: &Log<'_>, lost: &Lost<'_>) -> Result<BTreeMap<RepoPath, Met>, HistoryError> {
    let last = lost.files().next_back().and_then(left);
    let mut first: BTreeMap<RepoPath, Met> = BTreeMap::new();
    let mut is_behind = true;
    for item in log.items() {
        let item = item?;
        if item.record.id == lost.left.record.id {
            break;
        }
        is_behind &= !item.record.files.iter().any(|file| file.path == *lost.name);
        for (n, file) in item.record.files.iter().enumerate() {
            let is_other = |met: &&mut Met| last.is_some() && met.before() == last && left(file) != last;
            if let Some(met) = first.get_mut(&file.path).filter(is_other) {
                met.had = Had::Another;
                continue;
            }
            let name = file.from.as_ref().unwrap_or(&file.path).clone();
            first.insert(name, Met { item: Rc::clone(&item), file: n, is_behind, had: Had::Nothing });
        }
    }
    Ok(first)
}

/// The one that there is; none of several.
pub(super) fn only_one<T>(found: Vec<T>) -> Option<T> {
    <[T; 1]>::try_from(found).ok().map(|[one]| one)
}

/// The commits since the record that touch one of some names, oldest first; none where git does not tell.
pub(super) type Touching<'a> = &'a dyn Fn(&[RepoPath]) -> Option<Rc<Vec<GitCommit>>>;

/// The file to which git moved it, by the commits since the record and by what is staged, where that counts.
pub(super) fn moved_by_git(
    repo: &Repo,
    lost: &Lost<'_>,
    (touching, staged): (Touching<'_>, &[ChangedFile]),
) -> Option<(RepoPath, FoundBy)> {
    let mut names = vec![lost.name.clone()];
    for _ in 0..MOST_MOVES {
        let commits = touching(&names)?;
        let mut way = Way { repo, lost, name: lost.name, by: None };
        let since = lost.since_it_is_in_git(repo, &commits);
        if since.is_empty() && lost.is_over_another(repo) {
            return None;
        }
        for files in since.iter().map(|commit| &commit.files[..]).chain([staged]) {
            way.follow(files)?;
        }
        let Way { name, by, .. } = way;
        // What it was called last may have been moved on.
        if names.contains(name) {
            return by.map(|by| (name.clone(), by));
        }
        names.push(name.clone());
    }
    None
}

/// The name that git had for the file of a name when the record was made, where commits since, or what is staged, moved it from there to the byte.
pub(super) fn brought_from(name: &RepoPath, (touching, staged): (Touching<'_>, &[ChangedFile])) -> Option<RepoPath> {
    let mut names = vec![name.clone()];
    for _ in 0..MOST_MOVES {
        let commits = touching(&names)?;
        let mut from = name;
        for files in [staged].into_iter().chain(commits.iter().rev().map(|commit| &commit.files[..])) {
            match files.iter().find(|file| file.path == *from && file.new.is_some()) {
                Some(ChangedFile { from: Some(was), old, new, .. }) if old[..] == [*new] => from = was,
                Some(file) if file.from.is_some() || file.old.iter().all(Option::is_none) => return None,
                _ => {}
            }
        }
        if names.contains(from) {
            return Some(from.clone()).filter(|from| from != name);
        }
        names.push(from.clone());
    }
    None
}

/// The commits since a record, oldest first, and the one on which it was made.
pub(super) struct Since<'c> {
    pub(super) repo: &'c Repo,
    pub(super) base: Option<CommitId>,
    pub(super) commits: &'c [GitCommit],
}

impl Since<'_> {
    /// Whether one of them has a file beside another one, with a blob that passes, or beside what git moved to its name: then neither was moved to the
    /// name of the other.
    pub(super) fn have_beside(&self, name: &RepoPath, candidate: &RepoPath, is_it: &dyn Fn(BlobId) -> bool) -> bool {
        let had = |commit: CommitId, name: &RepoPath| self.repo.entry_in(commit, name).ok().flatten();
        let mut path = candidate;
        let mut looked_at = 0;
        for commit in self.commits.iter().rev() {
            let is_of = |file: &ChangedFile, name: &RepoPath| file.path == *name || file.from.as_ref() == Some(name);
            if !commit.files.iter().any(|file| is_of(file, name) || is_of(file, path)) {
                continue;
            }
            looked_at += 1;
            let are_beside =
                had(commit.id, name).is_some() && had(commit.id, path).is_some_and(|entry| is_it(entry.id));
            if are_beside || looked_at > MOST_BESIDE {
                return are_beside;
            }
            // What was there before had another name, or is another file.
            match commit.files.iter().find(|file| file.path == *path) {
                Some(ChangedFile { from: Some(from), .. }) if from == name => return is_one_of_several(commit, path),
                Some(ChangedFile { from: Some(from), .. }) => path = from,
                Some(ChangedFile { old, new: Some(_), .. }) if old.iter().all(Option::is_none) => return false,
                _ => {}
            }
        }
        // The commit on which the record was made has what was moved since.
        path != candidate && self.base.is_some_and(|base| had(base, name).is_some() && had(base, path).is_some())
    }
}

/// Whether a commit that moved a file to a name took others away that were alike: git takes any for any.
fn is_one_of_several(commit: &GitCommit, path: &RepoPath) -> bool {
    let moved = commit.files.iter().find(|file| file.path == *path);
    moved.is_some_and(|moved| commit.files.iter().filter(|file| is_like_source(moved, file)).count() > 1)
}

/// Whether what git moved may as well be another file that went with the same commit.
fn is_like_source(moved: &ChangedFile, file: &ChangedFile) -> bool {
    file.old == moved.old && (file.from.is_some() || file.new.is_none())
}

/// A file that is followed from commit to commit.
struct Way<'a> {
    repo: &'a Repo,
    lost: &'a Lost<'a>,
    name: &'a RepoPath,
    /// How sure the first move is; none before it.
    by: Option<FoundBy>,
}

impl<'a> Way<'a> {
    /// Goes on over what a commit did; none where nobody knows which file it is from there on.
    fn follow(&mut self, files: &'a [ChangedFile]) -> Option<()> {
        let Some(moved) = files.iter().find(|file| file.from.as_ref() == Some(self.name)) else {
            let is_gone = files.iter().any(|file| file.path == *self.name && file.new.is_none());
            return (!is_gone).then_some(());
        };
        // Of like files git takes any for any.
        let is_like_source = |file: &&ChangedFile| is_like_source(moved, file);
        let is_like_target = |file: &&ChangedFile| {
            let is_new = file.from.is_some() || file.old.iter().all(Option::is_none);
            file.new == moved.new && (is_new || self.is_moved_over(moved, file))
        };
        let [sources, targets] =
            [files.iter().filter(is_like_source).count(), files.iter().filter(is_like_target).count()];
        if (sources, targets) != (1, 1) {
            return None;
        }
        let by = self.how_sure(moved);
        if self.by.is_none() {
            self.by = Some(by?);
        }
        if by != Some(FoundBy::Certain) && self.has_rival(moved, files) {
            return None;
        }
        self.name = &moved.path;
        Some(())
    }

    /// Whether a file that was another one may have got the text of what was moved by being moved over, not by an edit.
    fn is_moved_over(&self, moved: &ChangedFile, other: &ChangedFile) -> bool {
        let text = |id: Option<&Option<BlobId>>| self.repo.blob(id?.as_ref()?).ok();
        let texts = [text(Some(&moved.new)), text(moved.old.first()), text(other.old.first())];
        let [Some(new), Some(old), Some(was)] = texts else { return false };
        is_closer(&new, &old, &was)
    }

    /// How sure it is that what git moved is the file of the record.
    fn how_sure(&self, moved: &ChangedFile) -> Option<FoundBy> {
        let [Some(id)] = moved.old[..] else { return None };
        if self.lost.has(self.repo, id) {
            let is_of_log = moved.new.is_some_and(|new| self.lost.has(self.repo, new));
            return Some(if is_of_log { FoundBy::Certain } else { FoundBy::Likeness });
        }
        let (text, last) = (self.repo.blob(&id).ok()?, self.lost.texts().next_back()?);
        are_versions(last, &text).then_some(FoundBy::Likeness)
    }

    /// Whether what was moved and edited may as well have become another file that came with it, or got its text: git takes the one that is
    /// most like it, and of a copy and an edited file that may be the copy.
    fn has_rival(&self, moved: &ChangedFile, files: &[ChangedFile]) -> bool {
        let [Some(old)] = moved.old[..] else { return false };
        let Ok(old) = self.repo.blob(&old) else { return false };
        let last = self.lost.texts().next_back().unwrap_or(&old);
        let is_rival = |file: &ChangedFile| {
            let Some(Ok(new)) = file.new.map(|new| self.repo.blob(&new)) else { return false };
            let was = file.old.iter().flatten().next().and_then(|was| self.repo.blob(was).ok());
            let is_part = are_partly_one(&old, &new) || are_partly_one(last, &new);
            is_part && was.is_none_or(|was| is_closer(&new, &old, &was))
        };
        let others = files.iter().filter(|file| file.from.is_none() && file.path != moved.path);
        others.take(MOST_RIVALS).any(is_rival)
    }
}
