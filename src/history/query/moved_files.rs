//! Where files of records are today that somebody moved without redraft.
//!
//! Owns that look, made once a history, and only for files that are not where the newest record of them left them: in git's commits
//! since, in what is staged, and, for what git does not know, in the files that came since, by their texts, and by what undos and other records
//! met elsewhere. What a record renamed its
//! own `from` tells.
//! What a commit took away `removed_files` looks for.
//! Invariant: a file is another's earlier one only if git calls it renamed, or its text says so, and never one of two; and never one
//! that a record made.

use super::ancestry::Ancestry;
use super::moved_over::moved_over_now;
use super::own_story::{Change, told_by_own};
use super::recorded::Recorded;
use super::removed_files::{is_version, name_of_removed, one};
use super::text_now::{is_gone, text_now};
use super::touching::touching;
use crate::git::{ChangedFile, Tips, blob_id};
use crate::history::error::HistoryError;
use crate::history::reader::{History, Item, Moved};
use crate::history::warning::HistoryWarning;
use crate::id::{BlobId, CommitId};
use crate::path::RepoPath;
use crate::record::RecordFile;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// So many files that came since are read.
const MOST_READ: usize = 512;

/// So many pairs of files are compared by their lines, where none has the very text.
const MOST_COMPARED: usize = 4096;

/// What changed is asked against so many of the commits that files were recorded at.
const MOST_BASES: usize = 8;

/// The files that somebody moved, by the names that records have; each with the name that it has today.
pub(super) fn moved_files<'h>(history: &'h History<'_>) -> &'h BTreeMap<RepoPath, Moved> {
    history.moved_files(|| {
        let look = Recorded::all_of(history).and_then(|recorded| recorded.moved(history));
        found(history, look)
    })
}

/// The same, where all records of this worktree were looked at already.
pub(super) fn moved_of<'h>(history: &'h History<'_>, recorded: &Recorded) -> &'h BTreeMap<RepoPath, Moved> {
    history.moved_files(|| found(history, recorded.moved(history)))
}

fn found(history: &History<'_>, moved: Result<BTreeMap<RepoPath, Moved>, HistoryError>) -> BTreeMap<RepoPath, Moved> {
    moved.unwrap_or_else(|error| {
        history.warn(HistoryWarning::Unreadable(error));
        BTreeMap::new()
    })
}

/// The names that records have for the file that is at a path, if somebody moved it there; the one of the newest record first.
pub(super) fn names_in_records<'h>(history: &'h History<'_>, path: &RepoPath) -> Vec<(&'h RepoPath, &'h Moved)> {
    if is_as_ever(history, path) {
        return Vec::new();
    }
    let mut names: Vec<_> = moved_files(history).iter().filter(|(_, moved)| moved.today == *path).collect();
    names.sort_by_key(|(_, moved)| moved.age);
    names
}

/// Where the file is that records left at a path, if it is not there any more: else nothing is looked for.
pub(super) fn moved_from<'h>(history: &'h History<'_>, path: &RepoPath) -> Option<&'h Moved> {
    is_gone(history, path).then(|| moved_files(history).get(path)).flatten()
}

/// Whether git had a file at a path before all records, and one is there. Another one may have been moved over it.
pub(super) fn was_there_before(history: &History<'_>, path: &RepoPath) -> bool {
    let had = |base: CommitId| matches!(history.repo().entry_in(base, path), Ok(Some(_)));
    history.base_of_oldest().is_some_and(had) && !is_gone(history, path)
}

/// Whether git had a file at a path before all records, and what is there is that, or what records of it made of that: then nobody moved another one
/// there, and nothing is looked for.
pub(super) fn is_as_ever(history: &History<'_>, path: &RepoPath) -> bool {
    let Some(base) = history.base_of_oldest() else { return false };
    let (Ok(Some(entry)), Some(now)) = (history.repo().entry_in(base, path), text_now(history, path)) else {
        return was_there_before(history, path);
    };
    let id = blob_id(&now);
    let stored = history.repo().git_form(path, &now).ok().and_then(|form| form.id(&now));
    let new = vec![Some(id), stored];
    let (old, is_same) = (vec![Some(entry.id)], new.contains(&Some(entry.id)));
    is_same || told_by_own(history, [(path.clone(), Change { old, new })]).is_ok_and(|told| told.contains(path))
}

/// A file that is not where records left it.
struct Gone {
    item: Rc<Item>,
    file: usize,
    /// Its last name, as far as it is known.
    name: RepoPath,
    /// Those that it had before.
    names: Vec<RepoPath>,
    /// The one that commits gave it last.
    committed: RepoPath,
    /// Whether a commit took it away, and gave it no other name; or nobody knows which.
    is_lost: bool,
}

/// Where the files are that records left at other names.
impl Recorded {
    fn moved(&self, history: &History<'_>) -> Result<BTreeMap<RepoPath, Moved>, HistoryError> {
        let gone = self.gone(history).map(|(item, n)| {
            let name = item.record.files[*n].path.clone();
            Gone { item: Rc::clone(item), file: *n, committed: name.clone(), name, names: Vec::new(), is_lost: false }
        });
        let mut gone: Vec<Gone> = gone.collect();
        if gone.is_empty() {
            return Ok(BTreeMap::new());
        }
        let led = self.led_by_records(history);
        let mut changed = Changed { history, since: HashMap::new() };
        if let Some(head) = history.repo().head_id()? {
            follow_commits(history, &mut gone)?;
            let staged = changed.since(head)?;
            for gone in &mut gone {
                gone.committed = gone.name.clone();
                if is_gone(history, &gone.name) {
                    gone.follow(&staged);
                }
            }
            // What somebody rewrote since is not like it any more, but in the index it is.
            if gone.iter().any(|gone| is_gone(history, &gone.name)) {
                let in_index = history.repo().staged_changes()?;
                gone.iter_mut().filter(|gone| is_gone(history, &gone.name)).for_each(|gone| _ = gone.follow(&in_index));
            }
        }
        gone.retain(|gone| !gone.is_lost);
        let (mut found, sought): (Vec<Gone>, Vec<Gone>) =
            gone.into_iter().partition(|gone| !is_gone(history, &gone.name));
        if !sought.is_empty() {
            let is_taken = |one: &&Gone| !sought.iter().any(|gone| self.is_older(one, gone));
            let taken = found.iter().filter(is_taken).map(|gone| gone.name.clone()).collect();
            found.extend(by_text(sought, &mut changed, &taken, &|gone| self.home_of(history, gone))?);
        }
        // Of two that could be meant neither is, nor is what a record made.
        found.sort_by_key(|gone| std::cmp::Reverse(gone.item.record.time_ms));
        let mut at: BTreeMap<&RepoPath, Vec<&Gone>> = BTreeMap::new();
        found.iter().for_each(|gone| at.entry(&gone.name).or_default().push(gone));
        at.retain(|today, of| {
            !self.is_made(history, today) && of.windows(2).all(|pair| self.is_older(pair[1], pair[0]))
        });
        let moved = |(age, gone): (usize, &&Gone)| {
            (gone.path().clone(), Moved { today: gone.name.clone(), committed: gone.committed.clone(), age })
        };
        let mut all: BTreeMap<RepoPath, Moved> = at.values().flat_map(|of| of.iter().enumerate().map(moved)).collect();
        for path in led.keys().filter(|path| !at.values().flatten().any(|gone| gone.path() == *path)) {
            let today = at_the_end(path, &led, &all);
            let age = all.values().filter(|moved| moved.today == *today).count();
            all.insert(path.clone(), Moved { today: today.clone(), committed: path.clone(), age });
        }
        self.moved_over(&mut changed, &mut all)?;
        all.retain(|_, moved| !is_gone(history, &moved.today));
        Ok(all)
    }

    /// Adds those that are nowhere else, and were moved to where git had a file before. One that HEAD has as it was left is in it at its own name.
    fn moved_over(&self, changed: &mut Changed<'_>, all: &mut BTreeMap<RepoPath, Moved>) -> Result<(), HistoryError> {
        let history = changed.history;
        let has_it = |file: &RecordFile| match history.repo().head_entry(&file.path) {
            Ok(entry) => entry.is_some_and(|entry| [file.after, file.git_after].contains(&Some(entry.id))),
            Err(_) => true,
        };
        let is_open = |(item, n): &(&Item, usize)| {
            let file = &item.record.files[*n];
            !all.contains_key(&file.path) && file.after != Some(blob_id(b"")) && !has_it(file)
        };
        let mut gone: Vec<(&Item, usize)> = self.gone(history).map(|(item, n)| (&**item, *n)).filter(is_open).collect();
        let mut bases = vec![history.base_of_oldest()];
        // A commit may have given the other one its name since.
        let own = gone.iter().map(|(item, _)| item.record.meta.base);
        own.for_each(|base| _ = (!bases.contains(&base)).then(|| bases.push(base)));
        let bases = bases.into_iter().flatten().filter(|base| history.repo().has_commit(*base));
        for base in bases.take(MOST_BASES) {
            if gone.is_empty() {
                break;
            }
            for (path, today) in moved_over_now(history, self, &gone, &changed.since(base)?)? {
                let age = all.values().filter(|moved| moved.today == today).count();
                gone.retain(|(item, n)| item.record.files[*n].path != path);
                all.insert(path.clone(), Moved { today, committed: path, age });
            }
        }
        Ok(())
    }

    /// Where files are that records left elsewhere, by what other records did: these took back what was done to them, or met the very text
    /// under a name that git did not have.
    fn led_by_records(&self, history: &History<'_>) -> BTreeMap<RepoPath, RepoPath> {
        let mut led: BTreeMap<RepoPath, RepoPath> =
            self.led.iter().filter(|(path, _)| is_gone(history, path)).map(|(a, b)| (a.clone(), b.clone())).collect();
        let mut by_text: BTreeMap<RepoPath, Vec<RepoPath>> = BTreeMap::new();
        for (item, n) in self.gone(history) {
            let file = &item.record.files[*n];
            let is_new = |path: &RepoPath| {
                let base = item.record.meta.base;
                base.is_none_or(|base| history.repo().entry_in(base, path).is_ok_and(|entry| entry.is_none()))
            };
            let left = file.after.filter(|after| *after != blob_id(b""));
            let met =
                self.found.iter().filter(|(path, [found, _])| left.is_some() && *found == left && **path != file.path);
            let met: Vec<&RepoPath> = met.map(|(path, _)| path).filter(|path| is_new(path)).take(2).collect();
            if let ([there], false) = (&met[..], led.contains_key(&file.path)) {
                by_text.entry((*there).clone()).or_default().push(file.path.clone());
            }
        }
        // Of two that were left with the same text neither is, nor is what a record made.
        for (there, from) in by_text.into_iter().filter(|(there, _)| !self.is_made(history, there)) {
            if let [path] = &from[..] {
                led.insert(path.clone(), there);
            }
        }
        led
    }

    /// Where a file is that git did not have by its name, and that somebody moved home as a record had left it earlier, before another one
    /// found it there.
    fn home_of(&self, history: &History<'_>, gone: &Gone) -> Option<RepoPath> {
        let entry = |path: &RepoPath, base| history.repo().entry_in(base, path).ok().flatten().map(|entry| entry.id);
        if gone.item.record.meta.base.is_some_and(|base| entry(gone.path(), base).is_some()) {
            return None;
        }
        let found = self.where_found(gone.path(), entry).into_iter().take(2).cloned().collect();
        one(found).filter(|path| !is_gone(history, path))
    }

    /// Whether a record made the file that is at a path: one that a commit took away since was another.
    fn is_made(&self, history: &History<'_>, today: &RepoPath) -> bool {
        let Some(base) = self.made.get(today) else { return false };
        let since = base.filter(|base| history.repo().has_commit(*base));
        let commits = history.repo().commits_touching(Tips::Head, since, std::slice::from_ref(today));
        let takes_away =
            |file: &ChangedFile| (file.path == *today && file.new.is_none()) || file.from.as_ref() == Some(today);
        !commits.is_ok_and(|commits| commits.iter().flat_map(|commit| &commit.files).any(takes_away))
    }

    /// Whether a file is the one that a newer record has under another name: it had that name since, or its text was found there.
    fn is_older(&self, gone: &Gone, newer: &Gone) -> bool {
        gone.names.contains(newer.path())
            || self.found.get(newer.path()).is_some_and(|[id, _]| id.is_some_and(|id| gone.was_left_as(id)))
    }
}

/// Where a file is that was led from name to name, and then perhaps moved.
fn at_the_end<'m>(
    path: &'m RepoPath,
    led: &'m BTreeMap<RepoPath, RepoPath>,
    moved: &'m BTreeMap<RepoPath, Moved>,
) -> &'m RepoPath {
    let mut today = path;
    for _ in 0..=led.len() {
        match (moved.get(today), led.get(today)) {
            (Some(moved), _) => return &moved.today,
            (None, Some(next)) => today = next,
            (None, None) => break,
        }
    }
    today
}

impl Gone {
    /// The name that records have.
    fn path(&self) -> &RepoPath {
        &self.item.record.files[self.file].path
    }

    /// Goes on over what a commit did, or is staged; whether that gave it another name.
    fn follow(&mut self, files: &[ChangedFile]) -> Followed {
        let Some(moved) = files.iter().find(|file| file.from.as_ref() == Some(&self.name)) else {
            let is_removed = files.iter().any(|file| file.path == self.name && file.new.is_none());
            return if is_removed { Followed::Removed } else { Followed::Stays };
        };
        // Of like files git takes any for any.
        let is_source = |file: &&ChangedFile| file.old == moved.old && (file.from.is_some() || file.new.is_none());
        let is_new = |file: &ChangedFile| file.from.is_some() || file.old.iter().all(Option::is_none);
        let is_target = |file: &&ChangedFile| is_text(file.new) && file.new == moved.new && is_new(file);
        self.is_lost |= files.iter().filter(is_source).count() != 1 || files.iter().filter(is_target).count() > 1;
        self.names.push(std::mem::replace(&mut self.name, moved.path.clone()));
        Followed::Renamed
    }

    /// Whether a file has the text that was left in it.
    fn is_as_left(&self, file: &Came) -> bool {
        file.ids.iter().any(|id| self.was_left_as(*id))
    }

    /// Whether a text is the one that was left in it.
    fn was_left_as(&self, id: BlobId) -> bool {
        let file = &self.item.record.files[self.file];
        [file.after, file.git_after].contains(&Some(id))
    }
}

/// What became of a file's name.
#[derive(PartialEq, Eq)]
enum Followed {
    Renamed,
    Removed,
    Stays,
}

/// Whether an id is told: of what differs from the index, git tells none.
fn is_text(id: Option<BlobId>) -> bool {
    id.is_some_and(|id| id != BlobId::NONE)
}

/// Follows the files through the commits of HEAD, each from where it was recorded last.
fn follow_commits(history: &History<'_>, gone: &mut [Gone]) -> Result<(), HistoryError> {
    let repo = history.repo();
    let base = |gone: &Gone| gone.item.record.meta.base;
    let oldest = gone.iter().min_by_key(|gone| gone.item.record.time_ms);
    let since = oldest.and_then(base).filter(|base| repo.has_commit(*base));
    let names: BTreeSet<RepoPath> = gone.iter().map(|gone| gone.name.clone()).collect();
    let (commits, _) = touching(repo, Tips::Head, since, names)?;
    let bases: HashSet<Option<CommitId>> = gone.iter().map(base).collect();
    let parents = match since {
        Some(since) if bases.len() > 1 && !commits.is_empty() => repo.parents_since(since)?,
        _ => HashMap::new(),
    };
    let mut ancestry = Ancestry::of(parents);
    for gone in gone {
        let base = base(gone);
        for commit in commits.iter().filter(|commit| !ancestry.has(base, &commit.id)) {
            if gone.follow(&commit.files) != Followed::Removed {
                continue;
            }
            match name_of_removed(history, (&gone.item, gone.file), &gone.name, commit)? {
                Some(name) => gone.names.push(std::mem::replace(&mut gone.name, name)),
                None => gone.is_lost = true,
            }
        }
    }
    Ok(())
}

/// What is otherwise in the working tree than in commits, each asked once.
struct Changed<'h> {
    history: &'h History<'h>,
    since: HashMap<CommitId, Rc<Vec<ChangedFile>>>,
}

impl Changed<'_> {
    fn since(&mut self, commit: CommitId) -> Result<Rc<Vec<ChangedFile>>, HistoryError> {
        if let Some(known) = self.since.get(&commit) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(self.history.repo().changed_since(commit)?);
        self.since.insert(commit, Rc::clone(&found));
        Ok(found)
    }
}

/// A file that came since, or is otherwise than git had it.
struct Came {
    path: RepoPath,
    /// Of its text, and of what git stores for it.
    ids: [BlobId; 2],
    text: Vec<u8>,
}

/// The files that git did not have when they were recorded, or has under no other name, by the texts of files that came since; those that are like
/// none of these may have gone home.
fn by_text(
    sought: Vec<Gone>,
    changed: &mut Changed<'_>,
    taken: &BTreeSet<RepoPath>,
    home_of: &dyn Fn(&Gone) -> Option<RepoPath>,
) -> Result<Vec<Gone>, HistoryError> {
    let (history, repo) = (changed.history, changed.history.repo());
    let base = |gone: &Gone| gone.item.record.meta.base.filter(|base| repo.has_commit(*base));
    let oldest = sought.iter().min_by_key(|gone| gone.item.record.time_ms).and_then(base);
    let since = match oldest {
        Some(oldest) => changed.since(oldest)?,
        None => Rc::new(repo.changed_since_nothing()?),
    };
    let is_added = |file: &&ChangedFile| file.from.is_some() || file.old.iter().all(Option::is_none);
    let added = since.iter().filter(is_added).map(|file| file.path.clone());
    let others = repo.start_other_files()?.done()?;
    let new: BTreeSet<RepoPath> = added.chain(others).filter(|path| !taken.contains(path)).collect();
    if new.len() > MOST_READ {
        return Ok(Vec::new());
    }
    let came = |path| {
        let text = text_now(history, &path).filter(|text| !text.is_empty())?;
        let id = blob_id(&text);
        let stored = repo.git_form(&path, &text).ok().and_then(|form| form.id(&text)).unwrap_or(id);
        Some(Came { path, ids: [id, stored], text })
    };
    let new: Vec<Came> = new.into_iter().filter_map(came).collect();
    let changed = since.iter().filter(|file| !is_added(file)).map(|file| file.path.clone());
    let kept: Vec<Came> = changed.take(MOST_READ).filter_map(came).collect();
    let is_compared = sought.len() * new.len() <= MOST_COMPARED;
    let mut moved = Vec::new();
    for mut gone in sought {
        let base = base(&gone);
        // One that git had beside it is another.
        let is_new =
            |came: &&Came| base.is_none_or(|base| repo.entry_in(base, &came.path).is_ok_and(|entry| entry.is_none()));
        let in_head = repo.head_entry(&gone.committed)?.map(|entry| entry.id);
        let is_same = |came: &&Came| gone.is_as_left(came) || came.ids.iter().any(|id| in_head == Some(*id));
        let mut found: Vec<&Came> = new.iter().filter(is_same).filter(is_new).collect();
        if found.is_empty() && is_compared {
            let Some(record) = history.full_if_whole(&gone.item) else { continue };
            let texts = history.texts_if_whole(&gone.item, &record, gone.file);
            let Some(left) = texts.after() else { continue };
            let is_it = |came: &&Came| is_version(texts.before().unwrap_or_default(), left, &came.text);
            found = new.iter().filter(is_new).filter(is_it).collect();
        }
        let path = match found[..] {
            // One that git has all along may be it, home again, and that a copy.
            [one] => Some(one.path.clone()).filter(|_| !kept.iter().any(|kept| gone.is_as_left(kept))),
            [] if is_compared => home_of(&gone),
            _ => None,
        };
        if let Some(path) = path {
            gone.names.push(std::mem::replace(&mut gone.name, path));
            moved.push(gone);
        }
    }
    Ok(moved)
}
