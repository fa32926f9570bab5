//! What another program did to files, recorded under the lock: at the end of a look at it, and before an edit of redraft's own of the
//! same files, so that the log has both in the order in which they came.
//!
//! Owns how what differs becomes a record. What differs is found in `observe/`.
//! Invariant: nothing in the working tree is written.

use super::{FileFormats, Flow, Told};
use crate::change::{ChangeKind, PathState};
use crate::error::Error;
use crate::git::{Ignores, RawFile, Repo};
use crate::history::History;
use crate::id::RecordId;
use crate::observe::{
    Change, Ending, HeadThen, Scope, SinceSnapshot, calls, changes, gaps, head_before_commits, meta_of, peek,
    say_who_calls,
};
use crate::patch::diff::differing_lines;
use crate::patch::{FilePatch, Origin, Replacement, trim};
use crate::path::RepoPath;
use crate::policy::Settings;
use crate::record::RecordMeta;
use crate::request::RecordKind;
use crate::state_dir::StateDir;
use crate::strategy::Strategy;
use crate::task::Judged;
use crate::text::{Encoding, split_lines};
use crate::transaction::{Observation, ObservedFile, Transaction, Version};
use crate::warning::Warning;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// How what was observed is recorded.
pub struct Observer<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// The configuration.
    pub settings: &'a Settings,
    /// What HEAD was at the look before.
    pub head: HeadThen,
}

impl Flow<'_> {
    /// Records what other programs, which are being looked at, did to the files that are to be changed now.
    pub(super) fn observe_first(&self, transaction: &mut Transaction, judged: &[Judged]) -> Vec<Warning> {
        let Some((calls, snapshot)) = peek(transaction.state().place(), self.repo.env().now_ms()) else {
            return Vec::new();
        };
        let places = judged.iter().flat_map(|file| std::iter::once(&file.planned.place).chain(&file.planned.from));
        let scope = snapshot.scope();
        let paths: BTreeSet<RepoPath> = places
            .map(|place| place.path.clone())
            .filter(|path| scope.has_tree || scope.paths.contains(path))
            .collect();
        let observer = Observer { repo: self.repo, settings: self.settings, head: snapshot.head() };
        let record = || -> Result<(), Error> {
            let history = History::open(self.repo)?;
            let since = SinceSnapshot::read(&history, &snapshot)?;
            let also = since.paths().intersection(&paths).cloned().collect();
            let looked = changes(self.repo, transaction.root(), &snapshot, (Scope::of(paths), &also))?;
            let (groups, _) = gaps(self.repo, &snapshot, &since, looked.changes)?;
            observer.record_all(transaction, groups, |path| meta_of(&calls, path, &Ending::default())).map(drop)
        };
        record().err().map(Warning::NotObserved).into_iter().collect()
    }
}

/// Says in `meta` who calls, where it does not say it and this command was started by a call that is on its way.
pub fn say_caller(repo: &Repo, meta: &mut RecordMeta) {
    let calls = calls(&StateDir::of(repo), repo.env().now_ms());
    if !calls.is_empty() {
        say_who_calls(&calls, &repo.env().callers(), meta);
    }
}

impl Observer<'_> {
    /// Records changes, of which those of one group lie between the same two records; `whose` says for the file of each who made it,
    /// and a change that nobody made is none. Gives the records, oldest first.
    ///
    /// # Errors
    /// Where git's attributes or rules cannot be read, or the journal not be written.
    pub fn record_all(
        &self,
        transaction: &mut Transaction,
        groups: Vec<Vec<Change>>,
        whose: impl Fn(&RepoPath) -> Option<RecordMeta>,
    ) -> Result<Vec<RecordId>, Error> {
        let mut ids = Vec::new();
        for group in groups {
            let mut parts: Vec<(RecordMeta, Vec<Change>)> = Vec::new();
            for change in group {
                let Some(meta) = whose(&change.path) else { continue };
                match parts.iter_mut().find(|(other, _)| *other == meta) {
                    Some((_, part)) => part.push(change),
                    None => parts.push((meta, vec![change])),
                }
            }
            for (meta, part) in parts {
                ids.push(self.record(transaction, &part, meta)?);
            }
        }
        Ok(ids)
    }

    fn record(&self, transaction: &mut Transaction, changes: &[Change], meta: RecordMeta) -> Result<RecordId, Error> {
        let files = self.files(transaction, changes)?;
        let id = RecordId::from_random(self.repo.env().random().map_err(Error::io("draw", "a random id"))?);
        let paths: Vec<&RepoPath> = changes.iter().map(|change| &change.path).collect();
        let base = head_before_commits(self.repo, self.head, &paths)?;
        let meta = RecordMeta { base, branch: self.repo.branch()?, record: RecordKind::History, ..meta };
        transaction.observe(Observation { id: id.clone(), meta, files })?;
        Ok(id)
    }

    /// Changes as they are recorded: a file that is gone and whose text stands in one that is new, edited or not, was renamed.
    fn files(&self, transaction: &Transaction, changes: &[Change]) -> Result<Vec<ObservedFile>, Error> {
        let renamed: Vec<(RepoPath, RepoPath)> = renames(changes);
        let old = |path: &RepoPath| {
            changes.iter().find(|change| change.path == *path).and_then(|change| change.before.clone())
        };
        let mut files = Vec::with_capacity(changes.len());
        let mut ignores = Ignores::new(self.repo);
        for change in changes {
            if renamed.iter().any(|(from, _)| *from == change.path) {
                continue;
            }
            let from = renamed.iter().find(|(_, to)| *to == change.path).map(|(from, _)| from.clone());
            let before = from.as_ref().map_or_else(|| change.before.clone(), old);
            let source = from.as_ref().unwrap_or(&change.path);
            let state = before.as_ref().map(|before| state(&mut ignores, source, before)).transpose()?;
            let file = self.file(transaction, (change.path.clone(), from), before, change.after.clone())?;
            files.push(ObservedFile { state, ..file });
        }
        Ok(files)
    }

    fn file(
        &self,
        transaction: &Transaction,
        (path, from): (RepoPath, Option<RepoPath>),
        before: Option<Version>,
        after: Option<Version>,
    ) -> Result<ObservedFile, Error> {
        let known = after.as_ref().or(before.as_ref());
        let formats = FileFormats { repo: self.repo, settings: self.settings, root: transaction.root(), group: None };
        // What cannot be told is no reason not to record.
        let decoded = known.and_then(|version| formats.decoded(&path, &version.bytes, Told::default()).ok().flatten());
        let encoding = decoded.map(|(encoding, _)| encoding);
        let change = match (&from, &before, &after) {
            (Some(_), ..) => ChangeKind::Rename,
            (None, None, _) => ChangeKind::Create,
            (None, Some(_), None) => ChangeKind::Delete,
            (None, Some(_), Some(_)) => ChangeKind::Modify,
        };
        let patch = patch(before.as_ref(), after.as_ref(), encoding);
        Ok(ObservedFile { change, path, from, before, after, patch, state: None, encoding })
    }
}

fn state(ignores: &mut Ignores<'_>, path: &RepoPath, version: &Version) -> Result<PathState, Error> {
    let file = RawFile { id: version.id, bytes: &version.bytes, is_executable: version.mode & 0o111 != 0 };
    Ok(ignores.state(path, file)?)
}

/// The names that files had and have: where just one text went from one name to another, and of the others where just one is for the most part what
/// one had that is gone: git asks for half.
fn renames(changes: &[Change]) -> Vec<(RepoPath, RepoPath)> {
    let mut found = moved(changes);
    let is_free = |change: &&Change| !found.iter().any(|(from, to)| [from, to].contains(&&change.path));
    let gone: Vec<&Change> = changes.iter().filter(|change| change.after.is_none()).filter(is_free).collect();
    let new: Vec<&Change> = changes.iter().filter(|change| change.before.is_none()).filter(is_free).collect();
    let (mut alike, mut left) = (Vec::new(), MOST_COMPARED);
    for (old, new) in gone.iter().flat_map(|old| new.iter().map(move |new| (old, new))) {
        let [before, after] =
            [&old.before, &new.after].map(|version| version.as_ref().map_or(&[][..], |version| &version.bytes));
        // What is not half as long has not half of it.
        if before.len().min(after.len()) * 2 < before.len().max(after.len()) {
            continue;
        }
        let Some(rest) = left.checked_sub(before.len() + after.len()) else { return found };
        left = rest;
        if are_alike(before, after) {
            alike.push((&old.path, &new.path));
        }
    }
    let is_one = |(from, to): &(&RepoPath, &RepoPath)| {
        alike.iter().filter(|(other, _)| other == from).count() == 1
            && alike.iter().filter(|(_, other)| other == to).count() == 1
    };
    let edited: Vec<_> =
        alike.iter().filter(|pair| is_one(pair)).map(|(from, to)| ((*from).clone(), (*to).clone())).collect();
    found.extend(edited);
    found
}

/// So many bytes of files are compared with those of others.
const MOST_COMPARED: usize = 64 << 20;

/// Whether most bytes of the larger of two texts stand in lines that both have: a little more than git asks.
fn are_alike(one: &[u8], other: &[u8]) -> bool {
    let mut lines: HashMap<&[u8], usize> = HashMap::new();
    split_lines(one).for_each(|line| *lines.entry(line).or_default() += 1);
    let mut common = 0;
    for line in split_lines(other) {
        if let Some(count) = lines.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            common += line.len();
        }
    }
    let most = one.len().max(other.len());
    common * 2 > most
}

fn moved(changes: &[Change]) -> Vec<(RepoPath, RepoPath)> {
    let gone = || changes.iter().filter(|change| change.after.is_none());
    let new = || changes.iter().filter(|change| change.before.is_none());
    let mut found = Vec::new();
    for old in gone() {
        let Some(text) = old.before.as_ref().filter(|text| !text.bytes.is_empty()) else { continue };
        let has_it = |version: &Option<Version>| version.as_ref().is_some_and(|version| version.id == text.id);
        let mut to = new().filter(|change| has_it(&change.after));
        if let (Some(to), None) = (to.next(), to.next())
            && gone().filter(|change| has_it(&change.before)).count() == 1
        {
            found.push((old.path.clone(), to.path.clone()));
        }
    }
    found
}

/// From one text to the other, line by line; a file that is made, removed or no text, as a whole.
fn patch(before: Option<&Version>, after: Option<&Version>, encoding: Option<Encoding>) -> FilePatch {
    let [old, new] = [before, after].map(|version| version.map_or(&[][..], |version| &version.bytes));
    let is_binary = encoding.is_none() && [old, new].iter().any(|text| memchr::memchr(0, text).is_some());
    if before.is_none() || after.is_none() || is_binary {
        return if old == new { FilePatch::unchanged(old.len()) } else { FilePatch::whole(old.len(), new.to_vec()) };
    }
    let origin = Origin { edit: 0, strategy: Strategy::Exact };
    let splice =
        |(from, to): (Range<usize>, Range<usize>)| Replacement { range: from, bytes: new[to].to_vec() }.by(origin);
    let splices = differing_lines(old, new).into_iter().map(splice).filter_map(|splice| trim(old, &splice));
    FilePatch::new(old.len(), splices.collect()).expect("lines that differ are sorted and disjoint")
}
