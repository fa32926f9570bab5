//! Which git commits hold a record now: by looking into them, with hooks and without.
//!
//! Owns where is looked: in what was noted when commits were made, then in the commits that HEAD, or else another branch, has
//! since the record's base. What of a record a commit holds is decided by `held.rs`.
//! Invariant: a commit is named only if it was looked into, or redraft made it, and only while HEAD or a branch has it.

use super::ages::Ages;
use super::ancestry::Ancestry;
use super::blobs::Blobs;
use super::earlier_names::EarlierNames;
use super::text_now::is_gone;
use super::touching::{Touching, touching};
use crate::git::{ChangedFile, GitCommit, Tips};
use crate::history::commits_of_records::Share;
use crate::history::error::HistoryError;
use crate::history::held::{Blanks, HeldFile, LinesBrought};
use crate::history::reader::{History, Item};
use crate::history::versions::Versions;
use crate::history::warning::HistoryWarning;
use crate::id::{CommitId, RecordId};
use crate::patch::take_back::{Direction, Outcome, Wanted, answer};
use crate::path::RepoPath;
use crate::record::Record;
use bstr::ByteSlice;
use std::collections::{BTreeSet, HashMap, HashSet};

/// So many other files of a commit are looked at for lines of a record whose file it does not have as the record left it.
const MOST_OTHERS: usize = 64;

/// What was found.
#[derive(Debug, Default)]
struct Found {
    /// The commits of each record, oldest first.
    commits: HashMap<RecordId, Vec<CommitId>>,
    look: Look,
}

/// What it took to find the commits of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    /// Nothing was committed since: no commit had to be looked into.
    #[default]
    AtNone,
    /// Git was asked for all commits since the oldest of them, or which of those that were noted are there still.
    AtAllSince,
}

/// The git commits that hold lines of each record now, oldest first; asking for many at once costs little more than for one.
///
/// What cannot be found out is noted in the history, and no commit.
pub fn commits_of<'i>(history: &History<'_>, items: impl IntoIterator<Item = &'i Item>) -> Vec<Vec<CommitId>> {
    commits_and_look(history, items).0
}

/// The same, and what it took.
pub(crate) fn commits_and_look<'i>(
    history: &History<'_>,
    items: impl IntoIterator<Item = &'i Item>,
) -> (Vec<Vec<CommitId>>, Look) {
    let items: Vec<&Item> = items.into_iter().collect();
    let mut found = find(history, &items).unwrap_or_else(|error| {
        history.warn(HistoryWarning::NoCommits(error));
        Found::default()
    });
    let commits = items.iter().map(|item| found.commits.remove(&item.record.id).unwrap_or_default()).collect();
    (commits, found.look)
}

fn find(history: &History<'_>, items: &[&Item]) -> Result<Found, HistoryError> {
    let repo = history.repo();
    let mut found = Found::default();
    let Some(head) = repo.head_id()? else { return Ok(found) };
    let mut open = still_open(history, items, &mut found)?;
    if open.is_empty() {
        return Ok(found);
    }
    let blobs = Blobs::of(repo);
    let later: Vec<&Item> = open.iter().map(|sought| sought.item).collect();
    if later.iter().any(|item| item.record.meta.base != Some(head)) {
        walk(history, &blobs, Tips::Head, &mut open)?;
        found.look = Look::AtAllSince;
    }
    let (mut whole, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(Sought::is_whole);
    // That another branch has it is noted.
    let (noted, mut rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|sought| !sought.elsewhere.is_empty());
    found.commits.extend(noted.into_iter().map(|mut sought| {
        sought.elsewhere.append(&mut sought.commits);
        (sought.item.record.id.clone(), sought.elsewhere)
    }));
    if !rest.is_empty() && repo.has_other_branches()? {
        rest.iter_mut().for_each(|sought| sought.in_head = std::mem::take(&mut sought.commits));
        walk(history, &blobs, Tips::OtherBranches, &mut rest)?;
        found.look = Look::AtAllSince;
    }
    whole.append(&mut rest);
    found.commits.extend(whole.into_iter().map(|mut sought| {
        sought.commits.append(&mut sought.in_head);
        (sought.item.record.id.clone(), sought.commits)
    }));
    Ok(found)
}

/// Those of these records that commits of HEAD hold altogether, but for those of which HEAD is proven to be without a part again.
///
/// # Errors
/// Where git or the history fails.
pub fn wholly_in_head(history: &History<'_>, items: &[Item]) -> Result<HashSet<RecordId>, HistoryError> {
    let head = history.repo().head_id()?;
    // Nothing was committed since the others.
    let mut open: Vec<Sought<'_>> =
        items.iter().filter(|item| item.record.meta.base != head).map(Sought::new).collect();
    if head.is_some() && !open.is_empty() {
        walk(history, &Blobs::of(history.repo()), Tips::Head, &mut open)?;
    }
    let mut whole = HashSet::new();
    // What redraft committed itself is in that commit, also where no look at the texts tells (a filter driver).
    let was_committed = |item: &Item| {
        let made = head.zip(item.record.meta.commit);
        made.is_some_and(|(head, made)| head == made || history.repo().merge_base(head, made) == Some(made))
    };
    for sought in open.iter().filter(|sought| sought.is_whole() || was_committed(sought.item)) {
        if !is_taken_back_in_head(history, sought)? {
            whole.insert(sought.item.record.id.clone());
        }
    }
    Ok(whole)
}

/// Whether HEAD is proven to be without what a record did to one of its files: an undo of it was committed, say.
fn is_taken_back_in_head(history: &History<'_>, sought: &Sought<'_>) -> Result<bool, HistoryError> {
    let item = sought.item;
    let Some(record) = history.full_if_whole(item) else { return Ok(false) };
    for (n, file) in record.files.iter().enumerate() {
        // A commit may have given it another name since.
        let found = sought.files.iter().flatten().find(|file| file.n == n);
        let Some(name) = found.map_or(Some(&file.path), |found| found.name.as_ref()) else { continue };
        let Some(head) = history.repo().head_entry(name)? else { continue };
        let texts = history.texts_if_whole(item, &record, n);
        let Some(edit) = file.edit(&texts) else { continue };
        let mut text = history.repo().blob(&head.id)?;
        // Git may store other line endings than the records have.
        if edit.before().contains_str("\r\n") && !text.contains(&b'\r') {
            text = text.replace("\n", "\r\n");
        }
        if answer(edit, Wanted::All, Direction::TakeBack, &[], &text).outcome() == Outcome::AlreadyDone {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Those of which not all is noted to be in commits that are there; and those that redraft committed on a branch that is not HEAD's.
fn still_open<'i>(
    history: &History<'_>,
    items: &[&'i Item],
    found: &mut Found,
) -> Result<Vec<Sought<'i>>, HistoryError> {
    let noted = |item: &Item| {
        let made = item.record.meta.commit.map(|commit| (commit, Share::All));
        let mut noted: Vec<(CommitId, Share)> = history.noted_commits().of(&item.record.id).to_vec();
        noted.extend(made);
        noted
    };
    let noted: Vec<(&'i Item, Vec<(CommitId, Share)>)> = items.iter().map(|item| (*item, noted(item))).collect();
    let commits: Vec<CommitId> = noted.iter().flat_map(|(_, noted)| noted).map(|(commit, _)| *commit).collect();
    if !commits.is_empty() {
        found.look = Look::AtAllSince;
    }
    let reachable = history.repo().reachable(commits)?;
    // HEAD may hold what another branch has in a commit of its own.
    let may_be_elsewhere = !reachable.is_empty() && history.repo().has_other_branches()?;
    let in_head = if may_be_elsewhere { history.repo().in_head(reachable.iter().copied())? } else { reachable.clone() };
    let mut open = Vec::new();
    for (item, mut noted) in noted {
        noted.retain(|(commit, _)| reachable.contains(commit));
        let is_whole = noted.iter().any(|(_, share)| *share == Share::All);
        let is_in_head = noted.iter().any(|(commit, share)| *share == Share::All && in_head.contains(commit));
        // Hooks note each commit; what redraft committed may be in another one where there are none.
        let made = item.record.meta.commit;
        let is_by_hooks = noted.iter().any(|(commit, share)| *share == Share::All && Some(*commit) != made);
        let mut commits: Vec<CommitId> = noted.into_iter().map(|(commit, _)| commit).collect();
        commits.dedup();
        // HEAD's are the newest.
        commits.sort_by_key(|commit| in_head.contains(commit));
        if is_in_head || is_by_hooks {
            found.commits.insert(item.record.id.clone(), commits);
        } else {
            let elsewhere = if is_whole { commits } else { Vec::new() };
            open.push(Sought { elsewhere, ..Sought::new(item) });
        }
    }
    Ok(open)
}

/// A record that is looked for.
struct Sought<'i> {
    item: &'i Item,
    /// None until it is looked into.
    files: Option<Vec<SoughtFile>>,
    /// Oldest first.
    commits: Vec<CommitId>,
    /// The same, of HEAD, while the other branches are looked at.
    in_head: Vec<CommitId>,
    /// Those that are noted, where one of another branch holds all of it.
    elsewhere: Vec<CommitId>,
}

/// One file of it that can be looked for.
struct SoughtFile {
    /// Its number in the record.
    n: usize,
    held: HeldFile,
    /// Where it is; none where git cannot tell.
    name: Option<RepoPath>,
    /// Where it was, for a rename.
    from: Option<RepoPath>,
    /// What of it was found so far.
    parts: BTreeSet<usize>,
}

/// Looks through the commits that touch the records' paths.
fn walk(history: &History<'_>, blobs: &Blobs<'_>, tips: Tips, open: &mut [Sought<'_>]) -> Result<(), HistoryError> {
    let repo = history.repo();
    let oldest = open.iter().min_by_key(|sought| sought.item.record.time_ms);
    let since = oldest.and_then(|sought| sought.item.record.meta.base).filter(|base| repo.has_commit(*base));
    let (commits, paths) = touching_records(history, tips, since, open)?;
    if commits.is_empty() {
        return Ok(());
    }
    let bases: HashSet<Option<CommitId>> = open.iter().map(|sought| sought.item.record.meta.base).collect();
    let parents = match since {
        Some(since) if bases.len() > 1 => repo.parents_since(since)?,
        _ => HashMap::new(),
    };
    let mut ancestry = Ancestry::of(parents);
    let touching = Touching::of(&commits, &paths, blobs)?;
    let ages = Ages::by(history);
    for sought in open {
        sought.look(history, blobs, &touching, (&mut ancestry, &ages))?;
    }
    Ok(())
}

/// The commits that touch the paths of the records, also under the names that they are given later; and all these paths.
fn touching_records(
    history: &History<'_>,
    tips: Tips,
    since: Option<CommitId>,
    open: &[Sought<'_>],
) -> Result<(Vec<GitCommit>, BTreeSet<RepoPath>), HistoryError> {
    let files = open.iter().flat_map(|sought| &sought.item.record.files);
    let mut paths: BTreeSet<RepoPath> =
        files.flat_map(|file| std::iter::once(file.path.clone()).chain(file.from.clone())).collect();
    // A file may have been moved before git had it.
    let gone: BTreeSet<RepoPath> = paths.iter().filter(|path| is_gone(history, path)).cloned().collect();
    let names = EarlierNames::about(history, gone)?;
    paths.extend(names.names().cloned());
    let (mut commits, paths) = touching(history.repo(), tips, since, paths)?;
    commits.iter_mut().for_each(|commit| commit.files = names.tell(std::mem::take(&mut commit.files)));
    Ok((commits, paths))
}

impl<'i> Sought<'i> {
    fn new(item: &'i Item) -> Self {
        Self { item, files: None, commits: Vec::new(), in_head: Vec::new(), elsewhere: Vec::new() }
    }

    fn look(
        &mut self,
        history: &History<'_>,
        blobs: &Blobs<'_>,
        touching: &Touching<'_>,
        (ancestry, ages): (&mut Ancestry, &Ages<'_>),
    ) -> Result<(), HistoryError> {
        let mut files = match self.files.take() {
            Some(files) => files,
            None => match history.full_if_whole(self.item) {
                Some(record) => files_of(history, self.item, &record)?,
                None => Vec::new(),
            },
        };
        // What was there before the record cannot hold it, even if it holds the same lines. That a commit is behind the base of the record is
        // told at once; whether it is older where it is not, is asked of those alone that have such lines.
        let base = self.item.record.meta.base;
        let may_hold = touching.that_may_hold(files.iter().map(|file| &file.held));
        for commit in may_hold.into_iter().filter(|commit| !ancestry.has(base, &commit.id)) {
            let held: Vec<HeldParts> =
                files.iter_mut().map(|file| file.held_by(&commit.files, blobs)).collect::<Result<_, _>>()?;
            if held.iter().any(HeldParts::is_some) && !ages.is_older(commit.id, self.item) {
                files.iter_mut().zip(held).for_each(|(file, held)| file.parts.extend(held.parts));
                self.commits.push(commit.id);
            }
        }
        self.files = Some(files);
        Ok(())
    }

    /// Whether every part was found.
    fn is_whole(&self) -> bool {
        let is_whole = |file: &SoughtFile| file.parts.len() == file.held.parts();
        self.files.as_ref().is_some_and(|files| !files.is_empty() && files.iter().all(is_whole))
    }
}

/// The files of a record that can be looked for.
fn files_of(history: &History<'_>, item: &Item, record: &Record) -> Result<Vec<SoughtFile>, HistoryError> {
    let mut files = Vec::new();
    for (n, file) in record.files.iter().enumerate() {
        let Some(held) = HeldFile::of(history.repo(), file, &history.texts_if_whole(item, record, n))? else {
            continue;
        };
        files.push(SoughtFile {
            n,
            held,
            name: Some(file.path.clone()),
            from: file.from.clone(),
            parts: BTreeSet::new(),
        });
    }
    Ok(files)
}

/// What a commit holds of a file of a record.
#[derive(Debug, Default)]
struct HeldParts {
    /// The parts that it holds as a whole.
    parts: BTreeSet<usize>,
    /// Whether it holds lines of another part.
    lines: bool,
}

impl HeldParts {
    fn is_some(&self) -> bool {
        self.lines || !self.parts.is_empty()
    }
}

impl SoughtFile {
    /// What a commit that did this to files holds; the name is followed.
    fn held_by(&mut self, files: &[ChangedFile], blobs: &Blobs<'_>) -> Result<HeldParts, HistoryError> {
        let Some(file) = self.follow(files) else { return Ok(HeldParts::default()) };
        let is_source = |gone: &&ChangedFile| Some(&gone.path) == self.from.as_ref() && gone.new.is_none();
        let source = if file.old.iter().all(Option::is_none) { files.iter().find(is_source) } else { None };
        let is_its_rename = self.from.is_some() && (self.is_on_the_way(file, files) || source.is_some());
        if is_its_rename && self.held.is_without_lines() {
            return Ok(HeldParts { parts: (0..self.held.parts()).collect(), lines: false });
        }
        if let Some(bit) = self.held.bit_alone() {
            let parts = if file.sets_bit == Some(bit) { (0..self.held.parts()).collect() } else { BTreeSet::new() };
            return Ok(HeldParts { parts, lines: false });
        }
        let old_ids = &source.unwrap_or(file).old;
        if !self.held.may_be_in(&*blobs.brought(old_ids, file.new)?) {
            return Ok(HeldParts::default());
        }
        blobs.between(old_ids, file.new, |versions| {
            let parts = self.held.held(versions);
            let lines = parts.len() < self.held.parts() && self.held.brings_lines(versions, Blanks::Count);
            HeldParts { parts, lines }
        })
    }

    /// Whether a commit gave a file its name by way of what the record did: it had several names since the commit before, perhaps, which are told
    /// from the newest to the oldest.
    fn is_on_the_way(&self, file: &ChangedFile, files: &[ChangedFile]) -> bool {
        let mut names = files.iter().filter(|other| other.path == file.path).map(|other| &other.from);
        let Some(from) = names.next().filter(|from| from.is_some()) else { return false };
        let told: Vec<_> = names.collect();
        let end = told.iter().position(|name| *name == from).unwrap_or_default();
        *from == self.from || told[..end].contains(&&self.from)
    }

    /// Whether a commit that did this to files may bring lines of it that somebody edited since, or took to another place, or file.
    fn is_edited_in(&mut self, files: &[ChangedFile], blobs: &Blobs<'_>) -> Result<bool, HistoryError> {
        let Some(file) = self.follow(files) else { return Ok(false) };
        if blobs.between(&file.old, file.new, |versions| self.held.may_bring_edited(versions))? {
            return Ok(true);
        }
        let has_become = |versions: Versions<'_>| versions.new.is_some_and(|new| self.held.has_become(new));
        let is_found = blobs.between(&[], file.new, has_become)?;
        // One that left its name without the lines of the record may have been split: then a new file has them.
        let is_split =
            is_found && file.from.is_some() && !self.held.puts_in_some_of(&*blobs.brought(&[None], file.new)?);
        if is_found && !is_split {
            return Ok(false);
        }
        let is_new = |other: &ChangedFile| other.old.iter().all(Option::is_none);
        let may_be =
            |other: &&ChangedFile| other.path != file.path && other.new.is_some() && (!is_split || is_new(other));
        for other in files.iter().filter(may_be).take(MOST_OTHERS) {
            // Where another file is at its name now, one has to be it: a line alone may be a person's there.
            let is_there = |versions: Versions<'_>| {
                (file.new.is_none() || is_split || has_become(versions)) && self.held.may_bring_moved(versions)
            };
            if blobs.between(&other.old, other.new, is_there)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The file of a commit that is this one, by the name that it has before or after.
    fn follow<'c>(&mut self, files: &'c [ChangedFile]) -> Option<&'c ChangedFile> {
        let name = self.name.clone()?;
        let Some(moved) = files.iter().find(|file| file.from.as_ref() == Some(&name)) else {
            return files.iter().find(|file| file.path == name);
        };
        // Of like files that moved at once, git takes any for any: then nobody knows where this one is. One that it did not have was like none.
        let is_new = moved.old.iter().all(Option::is_none);
        let is_like = |file: &&ChangedFile| file.from.is_some() && file.old == moved.old && !is_new;
        let is_other = |file: &&ChangedFile| file.path != moved.path && is_like(file);
        self.name = files.iter().all(|file| !is_other(&file)).then(|| moved.path.clone());
        self.name.is_some().then_some(moved)
    }
}

// -- the other way: what a commit holds ---------------------------------------------------------------------------

/// A change of files of which many records are asked what of them it brings.
pub(crate) struct Bringing<'c> {
    history: &'c History<'c>,
    changes: &'c [ChangedFile],
    blobs: Blobs<'c>,
}

impl<'c> Bringing<'c> {
    /// By these changes.
    pub(crate) fn of(history: &'c History<'c>, changes: &'c [ChangedFile]) -> Self {
        Self { history, changes, blobs: Blobs::of(history.repo()) }
    }

    /// The history of the records.
    pub(crate) fn history(&self) -> &'c History<'c> {
        self.history
    }

    /// These changes.
    pub(crate) fn changes(&self) -> &'c [ChangedFile] {
        self.changes
    }

    /// How much of a record it brings; none where nothing.
    ///
    /// # Errors
    /// Where git or the history fails.
    pub(crate) fn share_of(&self, item: &Item) -> Result<Option<(Record, Share)>, HistoryError> {
        let Some(record) = self.history.full_if_whole(item) else { return Ok(None) };
        let (mut holds, mut is_whole) = (false, true);
        for file in &mut files_of(self.history, item, &record)? {
            let held = file.held_by(self.changes, &self.blobs)?;
            holds |= held.is_some();
            is_whole &= held.parts.len() == file.held.parts();
        }
        let share = if is_whole { Share::All } else { Share::Part };
        Ok(holds.then_some((record, share)))
    }

    /// The record, if it may bring lines of it that were edited since: a formatter ran over what an agent wrote, or a person added a word.
    ///
    /// # Errors
    /// As [`Self::share_of`].
    pub(crate) fn edited(&self, item: &Item) -> Result<Option<Record>, HistoryError> {
        let Some(record) = self.history.full_if_whole(item) else { return Ok(None) };
        for file in &mut files_of(self.history, item, &record)? {
            if file.is_edited_in(self.changes, &self.blobs)? {
                // What HEAD has altogether was edited there.
                let in_head = wholly_in_head(self.history, std::slice::from_ref(item))?;
                return Ok((!in_head.contains(&record.id)).then_some(record));
            }
        }
        Ok(None)
    }

    /// Whether it brings lines that a record puts in, and none of these others.
    ///
    /// # Errors
    /// As [`Self::share_of`].
    pub(crate) fn brings_lines_of<'i>(
        &self,
        item: &Item,
        others: impl Iterator<Item = &'i Item>,
    ) -> Result<bool, HistoryError> {
        let files = |item: &Item| match self.history.full_if_whole(item) {
            Some(record) => files_of(self.history, item, &record),
            None => Ok(Vec::new()),
        };
        let others = others.map(files).collect::<Result<Vec<_>, _>>()?;
        for file in &files(item)? {
            let is_its = |change: &&ChangedFile| {
                file.name.as_ref().is_some_and(|name| change.path == *name || change.from.as_ref() == Some(name))
            };
            let has_some = self.changes.iter().any(|change| is_its(&change));
            let mut brought = LinesBrought::default();
            // It may have another name here than there.
            for change in self.changes.iter().filter(|change| !has_some || is_its(change)) {
                brought.extend(&*self.blobs.brought(&change.old, change.new)?);
            }
            let same = others.iter().flatten().filter(|other| other.name == file.name);
            same.for_each(|other| other.held.leave_out_of(&mut brought));
            if file.held.puts_in_some_of(&brought) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether one of its files is a version of what a record left in one.
    ///
    /// # Errors
    /// Where git's objects cannot be read.
    pub(crate) fn is_version_of(&self, held: &HeldFile, file: &ChangedFile) -> Result<bool, HistoryError> {
        self.blobs.between(&[], file.new, |versions| versions.new.is_some_and(|new| held.has_become(new)))
    }

    /// Whether it brings, in one of these files, a line with a word that a record put in, or takes out one that it took out.
    ///
    /// # Errors
    /// Where git's objects cannot be read.
    pub(crate) fn has_words_of(&self, held: &HeldFile, files: &[&ChangedFile]) -> Result<bool, HistoryError> {
        for file in files {
            if held.shares_words_with(&*self.blobs.brought(&file.old, file.new)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The lines that it brings, and takes out.
    ///
    /// # Errors
    /// Where git's objects cannot be read.
    pub(crate) fn brought(&self) -> Result<LinesBrought, HistoryError> {
        let mut brought = LinesBrought::default();
        for file in self.changes {
            brought.extend(&*self.blobs.brought(&file.old, file.new)?);
        }
        Ok(brought)
    }

    /// Whether it brings lines that none of these records does.
    ///
    /// # Errors
    /// As [`Self::share_of`].
    pub(crate) fn brings_more_than<'i>(&self, items: impl Iterator<Item = &'i Item>) -> Result<bool, HistoryError> {
        let mut brought = self.brought()?;
        for item in items {
            let Some(record) = self.history.full_if_whole(item) else { continue };
            files_of(self.history, item, &record)?.iter().for_each(|file| file.held.leave_out_of(&mut brought));
        }
        Ok(brought.puts_in_lines())
    }
}

/// Whether a record puts lines into a file, and others write none of these there, too.
///
/// # Errors
/// Where the history fails.
pub(crate) fn brings_lines_of_its_own<'i>(
    history: &History<'_>,
    item: &Item,
    others: impl Iterator<Item = &'i Item>,
) -> Result<bool, HistoryError> {
    let files = |item: &Item| match history.full_if_whole(item) {
        Some(record) => files_of(history, item, &record),
        None => Ok(Vec::new()),
    };
    let own = files(item)?;
    if !own.iter().any(|file| file.held.puts_in_lines()) {
        return Ok(false);
    }
    for other in others {
        let theirs = files(other)?;
        let is_same = |file: &SoughtFile| {
            theirs.iter().any(|other| other.name == file.name && other.held.brings_some_of(&file.held))
        };
        if own.iter().any(is_same) {
            return Ok(false);
        }
    }
    Ok(true)
}
