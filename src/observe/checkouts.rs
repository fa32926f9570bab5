//! What git itself did to files by moving HEAD: a file that was as one HEAD had it and is as a later one has it was checked out, not
//! edited. So was one that a merge or a squash brought, committed or not, as the commit has it that was merged; and what git put together of
//! several versions, conflicts with their markers, or took from a stash entry, was there before whatever was edited in it. And what HEAD was
//! before it moved to commits of what was edited.
//!
//! Owns telling it. Reads only.

use super::others::{Asked, Others};
use super::snapshot::{HeadThen, Snapshot};
use crate::git::{Filters, GitForm, HeadMove, Repo, RepoError, blob_id};
use crate::id::{BlobId, CommitId, TreeId};
use crate::patch::take_back::{Direction, Edit, Outcome, Wanted, answer};
use crate::path::RepoPath;
use crate::text::{has_conflicts, has_word, split_lines};
use crate::transaction::Version;
use std::collections::HashMap;
use std::rc::Rc;

/// How HEAD moved since a snapshot.
pub(super) struct Checkouts<'r> {
    repo: &'r Repo,
    start: Option<CommitId>,
    /// Empty where HEAD stayed, or no log tells.
    moves: Vec<HeadMove>,
    merges: Vec<Merge>,
    /// What git put together since, with HEAD where it is.
    together: Option<TreeId>,
    began_ns: i128,
    /// The commits that were made since, but for merges, also those that HEAD came back from.
    commits: Vec<HeadMove>,
    others: Rc<Others<'r>>,
}

/// What was merged into HEAD.
#[derive(Clone, Copy)]
struct Merge {
    /// The move of HEAD to the commit of the merge, by its number; that behind the last one where it is not committed.
    at: usize,
    other: CommitId,
    /// Where the two parted.
    base: CommitId,
}

/// What HEAD was when these files were edited, for all that its log tells: before the first commit that was made of them since a look, when
/// it was `then`.
///
/// # Errors
/// Where HEAD cannot be read.
pub fn head_before_commits(repo: &Repo, then: HeadThen, paths: &[&RepoPath]) -> Result<Option<CommitId>, RepoError> {
    let head = repo.head_id()?;
    let moves = if head == then.id { None } else { repo.head_moves_since(then.id) };
    let entry = |commit: Option<CommitId>, path: &RepoPath| {
        commit.and_then(|commit| repo.entry_in(commit, path).ok().flatten()).map(|entry| (entry.id, entry.mode))
    };
    let is_of_them = |step: &HeadMove| paths.iter().any(|path| entry(step.from, path) != entry(Some(step.to), path));
    // HEAD may have come back from a commit to where it was, and the commit behind it.
    let commits = repo.commits_behind(then.log).into_iter();
    let commits = commits.chain(moves.into_iter().flatten().filter(|step| step.is_commit));
    Ok(commits.into_iter().find(is_of_them).map_or(head, |step| step.from))
}

/// A file of a commit: its text, and whether it may be run.
type Found = (BlobId, bool);

/// What a commit has at a path.
type Entry = Option<Found>;

/// What was merged by these moves of HEAD, and what is being merged now, or was squashed.
fn merges(repo: &Repo, snapshot: &Snapshot, moves: &[HeadMove]) -> Result<Vec<Merge>, RepoError> {
    let began_ns = snapshot.began_ns;
    let committed = moves.iter().enumerate().filter(|(_, step)| step.is_commit);
    let committed = committed.flat_map(|(at, step)| {
        let others = repo.parents(step.to).into_iter().skip(1);
        others.map(move |other| (at, step.from, other))
    });
    let head = moves.last().map_or(snapshot.head.id, |step| Some(step.to));
    let squashed = repo.squashed_since(began_ns).filter(|squashed| repo.had_commit(*squashed, began_ns));
    let now = repo.merged()?.into_iter().chain(squashed).map(|other| (moves.len(), head, other));
    let merge = |(at, head, other): (usize, Option<CommitId>, CommitId)| {
        let base = repo.merge_base(head?, other)?;
        Some(Merge { at, other, base })
    };
    Ok(committed.chain(now).filter_map(merge).collect())
}

impl<'r> Checkouts<'r> {
    /// What the log of HEAD tells.
    ///
    /// # Errors
    /// Where HEAD cannot be read.
    pub(super) fn since(repo: &'r Repo, snapshot: &Snapshot) -> Result<Self, RepoError> {
        let start = snapshot.head.id;
        let moves = if repo.head_id()? == start { None } else { repo.head_moves_since(start) };
        let moves = moves.unwrap_or_default();
        let merges = merges(repo, snapshot, &moves)?;
        let (began_ns, together) = (snapshot.began_ns, repo.put_together_since(snapshot.began_ns));
        let mut commits = repo.commits_behind(snapshot.head.log);
        commits.retain(|step| repo.parents(step.to).len() < 2);
        let others = Rc::new(Others::since(repo, snapshot)?);
        Ok(Self { repo, start, moves, merges, together, began_ns, commits, others })
    }

    /// A file as it was before somebody edited it to `after`: what git brought in its place, but for what of that was committed meanwhile.
    pub(super) fn before_edit(
        &self,
        path: &RepoPath,
        before: Option<Version>,
        after: Option<&Version>,
    ) -> Option<Version> {
        let Some(brought) = self.brought(path, before.as_ref(), after) else { return before };
        let own = self.others_without_edits(path, (before.as_ref(), brought.as_ref()), Asked::OfTheCommand);
        own.or(brought)
    }

    /// A file as it was before somebody edited it, with what other commits tell that git brought; none where they tell nothing.
    pub(super) fn without_edits(&self, path: &RepoPath, ends: (Option<&Version>, Option<&Version>)) -> Option<Version> {
        let asked = if self.made(path, ends) { Asked::OfTheCommand } else { Asked::OfGit };
        self.others_without_edits(path, ends, asked)
    }

    /// Whether git made this change, and nobody committed a part of it meanwhile.
    pub(super) fn made_all(&self, path: &RepoPath, ends: (Option<&Version>, Option<&Version>)) -> bool {
        self.made(path, ends) && self.without_edits(path, ends).is_none_or(|found| Some(&found) == ends.1)
    }

    fn others_without_edits(
        &self,
        path: &RepoPath,
        (before, after): (Option<&Version>, Option<&Version>),
        asked: Asked,
    ) -> Option<Version> {
        let text = after?;
        let old = text_of(before);
        if before.is_some_and(|before| before.id == text.id)
            || has_markers(before)
            || has_markers(after) && asked == Asked::OfTheCommand
        {
            return None;
        }
        let bytes = self.others.without_edits(path, (old, &text.bytes), asked)?;
        if bytes == old {
            return before.filter(|_| asked == Asked::OfTheCommand).cloned();
        }
        let head = self.entry(self.repo.head_id().ok()?, path)?;
        let is_its = head.is_none_or(|(_, may_run)| may_run == (text.mode & 0o111 != 0));
        let mode = before.filter(|_| !is_its).map_or(text.mode, |before| before.mode);
        Some(Version { id: blob_id(&bytes), bytes, mode })
    }

    /// Whether git made this change: the file was as some HEAD had it and is as the last one has it, and no commit between them was made
    /// of what the tree had there.
    pub(super) fn made(&self, path: &RepoPath, (before, after): (Option<&Version>, Option<&Version>)) -> bool {
        if self.moves.is_empty() && self.merges.is_empty() {
            return false;
        }
        let heads = std::iter::once(self.start).chain(self.moves.iter().map(|step| Some(step.to)));
        // What cannot be read is as if it were another file.
        let Some(entries) = heads.map(|head| self.entry(head, path)).collect::<Option<Vec<Entry>>>() else {
            return false;
        };
        // Where the bit stayed, git may have been told not to look at it.
        let runs = |version: &Version| version.mode & 0o111 != 0;
        let has_bit_changed = before.zip(after).is_some_and(|(old, new)| runs(old) != runs(new));
        let is_its = |version: Option<&Version>, entry: &Entry| match (version, entry) {
            (None, None) => true,
            (Some(version), Some((id, may_run))) => {
                (!has_bit_changed || runs(version) == *may_run)
                    && (version.id == *id || self.is_form(path, &version.bytes, *id))
            }
            _ => false,
        };
        let is_merged = |at: usize, found: &dyn Fn(&Entry) -> bool| self.is_merged(path, (at, &entries[at]), found);
        let is_committed = |at: usize| {
            let is_new = self.moves[at].is_commit && entries[at] != entries[at + 1];
            is_new && !is_merged(at, &|theirs| *theirs == entries[at + 1])
        };
        let now = self.moves.len();
        // What was committed meanwhile, and brought back by another move.
        let is_own = |step: &HeadMove| {
            let (old, new) = (self.entry(step.from, path), self.entry(Some(step.to), path));
            old != new && new.is_some_and(|new| is_its(after, &new))
        };
        if self.commits.iter().any(is_own) {
            return false;
        }
        if is_its(before, &entries[now]) && is_merged(now, &|theirs| is_its(after, theirs)) {
            return true;
        }
        if !is_its(after, &entries[now]) {
            return false;
        }
        let mut uncommitted = (0..self.moves.len()).rev().take_while(|&at| !is_committed(at));
        uncommitted.any(|at| is_its(before, &entries[at]))
    }

    /// Whether a merge into the HEAD before this move, which had this, took the file from what was merged, and which it is `found` tells: HEAD
    /// had left it as it was where the two parted.
    fn is_merged(&self, path: &RepoPath, (at, had): (usize, &Entry), found: &dyn Fn(&Entry) -> bool) -> bool {
        self.merges.iter().filter(|merge| merge.at == at).any(|merge| {
            self.entry(Some(merge.other), path).is_some_and(|theirs| theirs != *had && found(&theirs))
                && self.entry(Some(merge.base), path).as_ref() == Some(had)
        })
    }

    /// The file that git brought by moving HEAD, before somebody edited it to `after`: the last HEAD's, or, of a file that was changed and
    /// not committed, that with these changes; none where git brought no other one.
    pub(super) fn brought(
        &self,
        path: &RepoPath,
        before: Option<&Version>,
        after: Option<&Version>,
    ) -> Option<Option<Version>> {
        if let Some(version) = self.put_together(path, before) {
            let texts = [before, Some(&version)].map(|version| without_markers(text_of(version)));
            let is_left = after.is_some_and(|after| is_left([&texts[0], &texts[1]], &without_markers(&after.bytes)));
            return (!is_left).then_some(Some(version));
        }
        match self.moves.iter().rposition(|step| !step.is_commit) {
            Some(last) if last + 1 < self.moves.len() => self.until(last).moved(path, before, after),
            _ => self.moved(path, before, after),
        }
    }

    /// The same, as if the moves behind one had not been: those to commits of what was edited since.
    fn until(&self, last: usize) -> Self {
        let merges = self.merges.iter().filter(|merge| merge.at <= last).copied().collect();
        let moves = self.moves.iter().take(last + 1).copied().collect();
        let commits = self.commits.clone();
        let (repo, start, began_ns, others) = (self.repo, self.start, self.began_ns, Rc::clone(&self.others));
        Self { repo, start, moves, merges, together: None, began_ns, commits, others }
    }

    /// The file that the moves of HEAD brought.
    fn moved(&self, path: &RepoPath, before: Option<&Version>, after: Option<&Version>) -> Option<Option<Version>> {
        let last = self.entry(self.moves.last().map(|step| step.to), path)?;
        let version = match last {
            Some(entry) => Some(self.version(path, entry, before)?),
            None => None,
        };
        let has_bit = |version: &Version| version.mode & 0o111 != 0;
        let is_same = match (&version, before) {
            (Some(version), Some(before)) => version.id == before.id && has_bit(version) == has_bit(before),
            (version, before) => version.is_none() && before.is_none(),
        };
        if is_same {
            return None;
        }
        let brought = if self.made(path, (before, version.as_ref())) {
            version
        } else {
            Some(self.carried(path, before?, version?)?)
        };
        // A reset that moves HEAD alone leaves the files as they are, and the log of HEAD does not tell which it was.
        let is_left = after.is_some_and(|after| is_left([before, brought.as_ref()].map(text_of), &after.bytes));
        (!is_left).then_some(brought)
    }

    /// A file that was as HEAD had it, as git has put it together since of what was there before the look, by a merge or from a stash entry. What
    /// somebody stashed or committed since is his edit.
    fn put_together(&self, path: &RepoPath, before: Option<&Version>) -> Option<Version> {
        if self.together.is_none() && self.merges.is_empty() {
            return None;
        }
        let head = self.moves.last().map_or(self.start, |step| Some(step.to));
        let had = self.entry(head, path)?;
        let whole = self.in_tree(path, had).or_else(|| self.of_one_side(path, had));
        match whole.filter(|_| self.is_clean(path, before, had)) {
            Some(found) => self.version(path, found, before),
            None => self.of_both_sides(path, before),
        }
    }

    fn is_known(&self, merge: &Merge) -> bool {
        self.repo.had_commit(merge.other, self.began_ns)
    }

    fn is_clean(&self, path: &RepoPath, before: Option<&Version>, had: Entry) -> bool {
        match (before, had) {
            (None, None) => true,
            (Some(before), Some((id, _))) => before.id == id || self.is_form(path, &before.bytes, id),
            _ => false,
        }
    }

    /// The file of what git put together, where that is another one than HEAD has.
    fn in_tree(&self, path: &RepoPath, had: Entry) -> Entry {
        let entry = self.repo.entry_in_tree(self.together?, path).ok()??;
        let found = (entry.id, entry.mode & 0o111 != 0);
        let mut merges = self.merges.iter().filter(|merge| merge.at == self.moves.len()).peekable();
        let is_known = merges.peek().is_some() && merges.all(|merge| self.is_known(merge));
        (had != Some(found) && (is_known || self.repo.had_blob(found.0, self.began_ns))).then_some(found)
    }

    /// The file of what is being merged, or was squashed, where HEAD has it as it was when the two parted.
    fn of_one_side(&self, path: &RepoPath, had: Entry) -> Entry {
        let mut merges = self.merges.iter().filter(|merge| merge.at == self.moves.len() && self.is_known(merge));
        merges.find_map(|merge| {
            let theirs = self.entry(Some(merge.other), path)?;
            (theirs != had && self.entry(Some(merge.base), path)? == had).then_some(theirs)?
        })
    }

    /// What git makes of a file that both sides of a merge changed, which was committed since.
    fn of_both_sides(&self, path: &RepoPath, before: Option<&Version>) -> Option<Version> {
        let (last, step) = self.moves.len().checked_sub(1).and_then(|last| Some((last, self.moves.get(last)?)))?;
        let merge = self.merges.iter().find(|merge| merge.at == last && self.is_known(merge))?;
        let [ours, base, theirs] = [step.from, Some(merge.base), Some(merge.other)].map(|of| self.entry(of, path));
        let (ours, base, theirs) = (ours??, base??, theirs??);
        let has_changed = ours.0 != base.0 && theirs.0 != base.0 && ours.0 != theirs.0;
        if !has_changed || !self.is_clean(path, before, Some(ours)) {
            return None;
        }
        let bytes = self.repo.merged_text(ours.0, base.0, theirs.0)?;
        let is_plain = matches!(self.repo.git_form(path, &bytes), Ok(GitForm::Same));
        is_plain.then(|| Version { id: blob_id(&bytes), bytes, mode: before.map_or(0o644, |before| before.mode) })
    }

    /// A file with changes that were not committed, as git has it when it put these on what it checked out (`--autostash`).
    fn carried(&self, path: &RepoPath, before: &Version, version: Version) -> Option<Version> {
        let is_of_it = |step: &HeadMove| self.entry(step.from, path) != self.entry(Some(step.to), path);
        if self.moves.iter().any(|step| step.is_commit) || self.commits.iter().any(is_of_it) {
            return None;
        }
        let start = self.version(path, self.entry(self.start, path)??, Some(before))?;
        let edit = Edit::by_lines(&start.bytes, &version.bytes)?;
        let Outcome::Write(patch) = answer(edit, Wanted::All, Direction::PutAgain, &[], &before.bytes).outcome() else {
            return None;
        };
        let bytes = patch.apply(&before.bytes);
        Some(Version { id: blob_id(&bytes), bytes, mode: version.mode })
    }

    /// The file as git checks out a blob; none where it cannot be told.
    fn version(&self, path: &RepoPath, (id, may_run): Found, before: Option<&Version>) -> Option<Version> {
        let bytes = self.repo.checked_out(path, id, Filters::Run).ok()?;
        // Of a mode git has the one bit.
        let kept = before.map(|before| before.mode).filter(|mode| (mode & 0o111 != 0) == may_run);
        let mode = kept.unwrap_or(if may_run { 0o755 } else { 0o644 });
        Some(Version { id: blob_id(&bytes), bytes, mode })
    }

    /// None where it cannot be read.
    fn entry(&self, head: Option<CommitId>, path: &RepoPath) -> Option<Entry> {
        let Some(commit) = head else { return Some(None) };
        let found = self.repo.entry_in(commit, path).ok()?;
        Some(found.map(|entry| (entry.id, entry.mode & 0o111 != 0)))
    }

    /// Whether git would store these bytes as this blob.
    fn is_form(&self, path: &RepoPath, bytes: &[u8], id: BlobId) -> bool {
        matches!(self.repo.git_form(path, bytes), Ok(GitForm::Converted(form)) if blob_id(&form) == id)
    }
}

fn text_of(version: Option<&Version>) -> &[u8] {
    version.map(|version| &version.bytes[..]).unwrap_or_default()
}

fn has_markers(version: Option<&Version>) -> bool {
    version.is_some_and(|version| has_conflicts(&version.bytes))
}

/// A text without the lines that mark a conflict: who resolves it takes those out, whichever side he takes.
fn without_markers(text: &[u8]) -> Vec<u8> {
    let is_marker = |line: &&[u8]| {
        ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark.as_bytes()))
    };
    split_lines(text).filter(|line| !is_marker(line)).flatten().copied().collect()
}

/// Whether a text comes of the first of two and not of the second, by most of the lines that only one of them has.
fn is_left([before, brought]: [&[u8]; 2], after: &[u8]) -> bool {
    let counts = [before, brought, after].map(|text| {
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        split_lines(text).filter(|line| has_word(line)).for_each(|line| *counts.entry(line).or_default() += 1);
        counts
    });
    let count = |n: usize, line: &[u8]| counts[n].get(line).copied().unwrap_or_default();
    let (mut left, mut come) = (0, 0);
    for (own, other, stands, lacks) in [(0, 1, 1, 0), (1, 0, 0, 1)] {
        for line in counts[own].keys().filter(|line| count(own, line) > count(other, line)) {
            let is_there = count(2, line) > count(other, line);
            left += if is_there { stands } else { lacks };
            come += if is_there { lacks } else { stands };
        }
    }
    left > come
}

#[cfg(test)]
mod tests;
