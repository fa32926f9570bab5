//! What the log knows of names: how a file that a record touched is called today.
//!
//! Owns that way through the log, read only as far back as is asked, and on to what newer undos inverted. What was renamed
//! without redraft is known only where an undo found the file under its new name. An undo of several records that gave names back
//! which other files had changed texts only: what it inverts tells which file got which name.
//! Invariant: a name leads on only over records that are newer, in their order, and one record changes all its names at once,
//! so that two files whose names were swapped are told apart.

use super::found_names::{FoundName, FoundUnder, first_behind};
use super::log::Log;
use super::removals::removed_another;
use crate::change::ChangeKind;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::{BlobId, RecordId};
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordFile};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// A file got a name.
struct Named {
    /// By the record that is so many steps back.
    at: usize,
    /// The one that it had; none where it was made.
    from: Option<RepoPath>,
    path: RepoPath,
    /// Whether an edit made the file, and nothing that took an edit back.
    is_made: bool,
    /// The undo of several whose doing it is, where one inverted the other.
    several: Option<usize>,
    /// Where somebody else had given it the name, before it was found there.
    found: Option<FoundName>,
}

/// Whose doing a name is that no record tells by itself.
enum NamedBy {
    /// That undo of several.
    Several(usize),
    /// Somebody's, before the file was found there.
    Others(FoundName),
}

/// Whether a record does what an undo did, or takes that back.
#[derive(Clone, Copy)]
enum Sense {
    Same,
    Back,
}

/// An undo of several records: some of what it inverts may not be read yet.
struct Several {
    /// How many files' parts are not read yet.
    unread: usize,
    /// The undo, so many steps back, and the records that inverted it, and those in turn.
    by: Vec<(usize, Sense)>,
    files: Vec<Renamed>,
}

/// A file whose names an undo gave back, one after the other.
struct Renamed {
    /// Its name before the undo, and after it.
    was: RepoPath,
    now: RepoPath,
    /// Under which name the undo tells of it.
    told: RepoPath,
}

/// The names that this worktree's records gave to files, and those that they found them under.
#[derive(Default)]
pub(super) struct Renames(RefCell<Names>);

#[derive(Default)]
struct Names {
    /// Newest first.
    named: Vec<Named>,
    /// The files that records removed, by the name that they had; newest first.
    removed: Vec<(usize, RepoPath)>,
    /// The newest record that left a text under a name.
    left: HashMap<RepoPath, usize>,
    /// The records that were read: how many are newer.
    read: HashMap<RecordId, usize>,
    /// The files of records that are not read yet, and what an undo of them found each under, so many steps back.
    found: HashMap<(RecordId, usize), Vec<(usize, RepoPath)>>,
    several: Vec<Several>,
    /// The records, so many steps back, that exchanged names, and by the undo of which several.
    exchanged: HashMap<usize, usize>,
    /// The files of records that are not read yet, the undos of several that inverted them, and under which name each tells of it.
    of_several: HashMap<(RecordId, usize), Vec<(usize, RepoPath)>>,
    /// The records, so many steps back, before which a file had got a name that it was found under.
    found_at: BTreeSet<usize>,
    /// Undos that are not read yet, the records that inverted them, and in how many files.
    inverted_by: HashMap<RecordId, Vec<(usize, Sense, usize)>>,
    /// Of names that records gave to files, by the name, those of which no older record is read that knows either name.
    moved_in: HashMap<RepoPath, MovedIn>,
}

/// A file that a record, so many steps back, gave a name: what it was called, and its text then.
struct MovedIn {
    at: usize,
    from: RepoPath,
    met: Option<BlobId>,
}

/// How a file is called today, as far as the log knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trail {
    /// None where another file took its name since.
    pub(super) today: Option<RepoPath>,
    /// The last name that it had.
    pub(super) last: RepoPath,
    /// What it was called before, the newest first, and what no other file is called since.
    pub(super) before: Vec<RepoPath>,
    /// The name that another file took, which has it still as far as the log knows.
    pub(super) taken: Option<RepoPath>,
    /// Whether that one was made there: then this one was gone.
    pub(super) is_made_anew: bool,
    /// Whether a record removed it, and none left anything under its name since.
    pub(super) is_removed: bool,
}

impl Renames {
    /// What became of the name that a file had when a record was made.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn trail(&self, log: &Log<'_>, item: &Item, path: &RepoPath) -> Result<Trail, HistoryError> {
        let mut names = self.0.borrow_mut();
        let records = if item.is_own { names.read_up_to(log, &item.record.id)? } else { 0 };
        let own = names.exchanged.get(&records).copied();
        let mut trail = names.trail(path, 0..records, own);
        if let Some((at, removed)) = trail.is_removed.then(|| names.removal(trail.today.as_ref()?)).flatten() {
            trail.is_removed = !removed_another(log, (at, removed), (item, path))?;
        }
        Ok(trail)
    }

    /// What a file of this name was called before the record that is so many steps back, where somebody else had renamed it: as far as was read.
    pub(super) fn found_from(&self, at: usize, name: &RepoPath) -> Option<RepoPath> {
        let names = self.0.borrow();
        if !names.found_at.contains(&at) {
            return None;
        }
        let start = names.named.partition_point(|named| named.at < at);
        let mut of_record = names.named[start..].iter().take_while(|named| named.at == at);
        of_record.find(|named| named.found.is_some() && named.path == *name)?.from.clone()
    }
}

impl Names {
    /// What became of a name by the records that are so many steps back.
    ///
    /// What exchanged names did so by texts, under each name: for it, `own` and what inverted that changed no name.
    fn trail(&self, path: &RepoPath, records: Range<usize>, own: Option<usize>) -> Trail {
        let mut trail = Trail {
            today: Some(path.clone()),
            last: path.clone(),
            before: Vec::new(),
            taken: None,
            is_made_anew: false,
            is_removed: false,
        };
        // What somebody else had done before a record comes before what that did.
        let is_one = |one: &Named, other: &Named| one.at == other.at && one.found.is_some() == other.found.is_some();
        let of_records = self.named.chunk_by(is_one).rev();
        let is_other = |one: &Named| records.contains(&one.at) && (own.is_none() || one.several != own);
        // Since which record it has the name that it has then.
        let mut since = records.end;
        for named in of_records.filter(|named| named.iter().any(is_other)) {
            trail.before.retain(|name| named.iter().all(|one| *name != one.path));
            trail.taken.take_if(|name| {
                named.iter().any(|one| one.from.as_ref() == Some(name) || (one.from.is_none() && one.path == *name))
            });
            let is_of = |one: &Named| one.found.as_ref().is_none_or(|found| found.is_of(since));
            let given = named.iter().find(|one| one.from.is_some() && trail.today == one.from && is_of(one));
            let takes = |one: &Named| one.from.is_some() || self.is_made_anew(one, records.end);
            let taker = || named.iter().find(|one| trail.today.as_ref() == Some(&one.path) && takes(one));
            if let Some(given) = given {
                since = given.at;
                trail.last = given.path.clone();
                trail.before.extend(trail.today.replace(given.path.clone()));
            } else if let Some(taker) = taker() {
                // When it got a name that it was found under, nobody knows.
                trail.taken = trail.today.take().filter(|_| taker.found.is_none());
                trail.is_made_anew = taker.from.is_none();
            }
        }
        trail.before.reverse();
        trail.is_removed = trail.today.as_ref().is_some_and(|today| {
            let removed = self.removal(today).map(|(at, _)| at);
            removed.is_some_and(|at| records.contains(&at) && self.left.get(today).is_none_or(|left| at < *left))
        });
        trail
    }

    /// The newest record, so many steps back, that removed a file under this name.
    fn removal(&self, name: &RepoPath) -> Option<(usize, &RepoPath)> {
        self.removed.iter().find(|(_, path)| path == name).map(|(at, path)| (*at, path))
    }

    /// Whether a file was made where the log has one that no record removed since the record that is so many steps back: then that one
    /// was moved away, or is gone.
    fn is_made_anew(&self, one: &Named, since: usize) -> bool {
        one.is_made && !self.removed.iter().any(|(at, path)| (one.at..since).contains(at) && *path == one.path)
    }

    /// How many records are newer than one.
    fn read_up_to(&mut self, log: &Log<'_>, id: &RecordId) -> Result<usize, HistoryError> {
        while !self.read.contains_key(id) || self.several.iter().any(|several| several.unread > 0) {
            let at = self.read.len();
            let Some(item) = log.nth(at)? else { break };
            self.read.insert(item.record.id.clone(), at);
            self.add(log, (at, &item))?;
        }
        Ok(self.read.get(id).copied().unwrap_or_default())
    }

    fn add(&mut self, log: &Log<'_>, (at, item): (usize, &Item)) -> Result<(), HistoryError> {
        let record = &item.record;
        self.add_moved_home(log, (at, record))?;
        for file in &record.files {
            match file.change {
                ChangeKind::Delete => self.removed.push((at, file.path.clone())),
                ChangeKind::Create | ChangeKind::Modify | ChangeKind::Rename => {
                    self.left.entry(file.path.clone()).or_insert(at);
                }
            }
        }
        for file in record.files.iter().filter(|file| matches!(file.change, ChangeKind::Create | ChangeKind::Rename)) {
            self.named.push(Named {
                at,
                from: file.from.clone(),
                path: file.path.clone(),
                is_made: file.change == ChangeKind::Create && record.kind == RecordClass::Edit,
                several: None,
                found: None,
            });
        }
        self.look_at_older(log, (at, item));
        self.add_several(at, record);
        for (n, file) in record.files.iter().enumerate() {
            // The oldest first: found there once more, it has that name.
            for (later, path) in self.found.remove(&(record.id.clone(), n)).unwrap_or_default().into_iter().rev() {
                if file.change == ChangeKind::Modify {
                    self.add_found(log, (at, &file.path), (later, path))?;
                }
            }
            for (several, told) in self.of_several.remove(&(record.id.clone(), n)).unwrap_or_default() {
                self.give_back(at, file, (several, told));
            }
            // By the undo of several files or records names may have been exchanged.
            let is_only = record.files.len() == 1 && record.meta.undoes.len() == 1 && file.change == ChangeKind::Modify;
            for target in record.meta.inverted_in(n).filter(|_| is_only) {
                self.found.entry((target.id.clone(), target.file)).or_default().push((at, file.path.clone()));
            }
        }
        Ok(())
    }

    /// Files that later records gave the name that they had when this one left them just so: somebody else had moved them meanwhile.
    fn add_moved_home(&mut self, log: &Log<'_>, (at, record): (usize, &Record)) -> Result<(), HistoryError> {
        if !self.moved_in.is_empty() {
            let knows = |name: &RepoPath| {
                record.files.iter().any(|file| file.path == *name || file.from.as_ref() == Some(name))
            };
            self.moved_in.retain(|_, moved| !knows(&moved.from));
            for file in &record.files {
                let Some(moved) = self.moved_in.remove(&file.path) else { continue };
                if file.change != ChangeKind::Delete && file.after.is_some() && file.after == moved.met {
                    self.add_found(log, (at, &file.path), (moved.at, moved.from))?;
                }
            }
        }
        for file in record.files.iter().filter(|file| file.change == ChangeKind::Rename) {
            let moved = file.from.clone().map(|from| MovedIn { at, from, met: file.before });
            self.moved_in.extend(moved.map(|moved| (file.path.clone(), moved)));
        }
        Ok(())
    }

    /// A file that a record left as `path` was found by a later one under a name that no record gave it: somebody else did, before the first
    /// record that tells so.
    fn add_found(
        &mut self,
        log: &Log<'_>,
        (at, path): (usize, &RepoPath),
        (later, found): (usize, RepoPath),
    ) -> Result<(), HistoryError> {
        let of_names = self.trail(path, later + 1..at, None);
        let Some(was) = of_names.today.filter(|was| *was != found) else { return Ok(()) };
        // Where records gave it other names meanwhile, the texts under one name tell too little.
        let (since, found_name) = if was == *path {
            let names = FoundUnder { was: &was, found: &found };
            (first_behind(log, names, at, later)?.unwrap_or(later), FoundName::of(at))
        } else {
            (later, FoundName::of_all())
        };
        self.found_at.insert(since);
        self.name(since, (was, found), NamedBy::Others(found_name));
        Ok(())
    }

    /// Looks at an older record, which may be of a file that was found, or of another one that had its name before.
    fn look_at_older(&mut self, log: &Log<'_>, (at, item): (usize, &Item)) {
        for &since in &self.found_at {
            let start = self.named.partition_point(|named| named.at < since);
            for named in self.named[start..].iter_mut().take_while(|named| named.at == since) {
                if let (Some(was), Some(found)) = (&named.from, &mut named.found) {
                    found.look_at(log, FoundUnder { was, found: &named.path }, (at, item));
                }
            }
        }
    }

    /// An undo of several records; what it inverts is older.
    fn add_several(&mut self, at: usize, record: &Record) {
        let back = |(at, sense, _)| match sense {
            Sense::Same => (at, Sense::Back),
            Sense::Back => (at, Sense::Same),
        };
        let mut inverted_by = self.inverted_by.remove(&record.id).unwrap_or_default();
        // Of what is inverted in part nobody knows the names.
        inverted_by.retain(|(_, _, files)| *files == record.files.len());
        let by: Vec<(usize, Sense)> =
            [(at, Sense::Same)].into_iter().chain(inverted_by.into_iter().map(back)).collect();
        let meta = &record.meta;
        for id in &meta.undoes {
            let files =
                meta.targets.iter().flatten().filter(|target| target.id == *id && target.splices.is_none()).count();
            self.inverted_by.entry(id.clone()).or_default().extend(by.iter().map(|(at, sense)| (*at, *sense, files)));
        }
        if meta.undoes.len() < 2 {
            return;
        }
        let mut unread = 0;
        for (n, file) in record.files.iter().enumerate() {
            for target in meta.inverted_in(n).filter(|target| target.splices.is_none()) {
                unread += 1;
                let of_file = self.of_several.entry((target.id.clone(), target.file)).or_default();
                of_file.push((self.several.len(), file.path.clone()));
            }
        }
        self.several.push(Several { unread, by, files: Vec::new() });
    }

    /// An undo of several took back what a record did to a file: also the name that it gave it, if the file has that then.
    fn give_back(&mut self, at: usize, file: &RecordFile, (several, told): (usize, RepoPath)) {
        let undone_at = self.several[several].by.first().map_or(at, |(undone_at, _)| *undone_at);
        let was = self.trail(&file.path, undone_at + 1..at, None).today;
        let of_undo = &mut self.several[several];
        of_undo.unread -= 1;
        if let (Some(was), Some(from)) = (was, &file.from) {
            let known = of_undo.files.iter().position(|renamed| renamed.was == was);
            let n = known.unwrap_or(of_undo.files.len());
            if known.is_none() {
                of_undo.files.push(Renamed { now: was.clone(), was, told });
            }
            // A name that the file got later stays.
            let renamed = &mut of_undo.files[n];
            if renamed.now == file.path {
                renamed.now = from.clone();
            }
        }
        if of_undo.unread > 0 {
            return;
        }
        let (by, files) = (std::mem::take(&mut of_undo.by), std::mem::take(&mut of_undo.files));
        // Where it is told under a third name, somebody else had renamed it.
        for Renamed { was, now, .. } in
            files.into_iter().filter(|one| one.now != one.was && (one.told == one.now || one.told == one.was))
        {
            for (at, sense) in &by {
                let names = match sense {
                    Sense::Same => (was.clone(), now.clone()),
                    Sense::Back => (now.clone(), was.clone()),
                };
                self.name(*at, names, NamedBy::Several(several));
                self.exchanged.insert(*at, several);
            }
        }
    }

    /// A file got another name by a record.
    fn name(&mut self, at: usize, (from, path): (RepoPath, RepoPath), by: NamedBy) {
        let start = self.named.partition_point(|named| named.at < at);
        let named =
            |several, found, from| Named { at, from: Some(from), path: path.clone(), is_made: false, several, found };
        let several = match by {
            NamedBy::Several(several) => several,
            NamedBy::Others(found) => {
                let end = self.named.partition_point(|named| named.at <= at);
                return self.named.insert(end, named(None, Some(found), from));
            }
        };
        let mut of_record = self.named[start..].iter_mut().take_while(|named| named.at == at);
        match of_record.find(|named| named.path == path) {
            Some(named) => named.from = named.from.take().or(Some(from)),
            None => self.named.insert(start, named(Some(several), None, from)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> RepoPath {
        RepoPath::new(name.as_bytes()).expect("a path")
    }

    /// Which name of the file `a` another one has, that got it from `b`, once the newest record gave a name; `None` to a file
    /// that it made.
    fn taken_after(from: Option<&str>, to: &str) -> Option<RepoPath> {
        let named = |at, from: Option<&str>, to| Named {
            at,
            from: from.map(path),
            path: path(to),
            is_made: false,
            several: None,
            found: None,
        };
        let names = Names { named: vec![named(0, from, to), named(1, Some("b"), "a")], ..Names::default() };
        names.trail(&path("a"), 0..2, None).taken
    }

    #[test]
    fn a_name_that_another_file_took_is_its_own_until_it_gets_another_or_one_is_made_there() {
        assert_eq!(taken_after(Some("a"), "c"), None);
        assert_eq!(taken_after(None, "a"), None);
        assert_eq!(taken_after(Some("x"), "y"), Some(path("a")));
        assert_eq!(taken_after(None, "x"), Some(path("a")));
        assert_eq!(taken_after(Some("x"), "a"), Some(path("a")));
    }

    /// Also where the record tells it as one that it made.
    #[test]
    fn a_name_that_a_file_got_from_another_one_is_its_own_however_the_record_tells_it() {
        let named = |at, from| Named { at, from, path: path("a"), is_made: false, several: None, found: None };
        let mut names = Names { named: vec![named(0, None), named(1, Some(path("b")))], ..Names::default() };
        names.name(0, (path("c"), path("a")), NamedBy::Several(0));
        assert_eq!(names.trail(&path("a"), 0..2, None).taken, Some(path("a")));
    }

    #[test]
    fn a_file_that_one_record_removed_and_made_again_is_there() {
        let made = Named { at: 0, from: None, path: path("a"), is_made: true, several: None, found: None };
        let names = |named, left: &[(&str, usize)]| Names {
            named,
            removed: vec![(0, path("a"))],
            left: left.iter().map(|(name, at)| (path(name), *at)).collect(),
            ..Names::default()
        };
        assert!(!names(vec![made], &[("a", 0)]).trail(&path("a"), 0..1, None).is_removed);
        assert!(names(Vec::new(), &[("a", 1)]).trail(&path("a"), 0..1, None).is_removed);
    }
}
