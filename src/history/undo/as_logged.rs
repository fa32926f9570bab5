//! Whether a file is as the log has it since a record: each record found it as the one before had left it, or what changed
//! between them outside of the log has nothing of what the record did.
//!
//! Owns that question. The ids of texts answer it, and the tokens of lines that changed outside of the log; where the answer
//! is yes, what the log says of the record needs no look at places.
//! Invariant: a yes is sure; a name that was given to another file, or that a record met twice, is not followed.

use super::differing::{Differing, differing};
use super::log::{Known, Log};
use super::whereabouts::Whereabouts;
use crate::git::blob_id;
use crate::history::error::HistoryError;
use crate::history::reader::Item;
use crate::id::{BlobId, RecordId};
use crate::patch::diff::lines_that_may_differ;
use crate::path::RepoPath;
use crate::record::{RecordClass, RecordFile, SpliceRange};
use crate::text::{tokens, whole_lines};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// So often a file may have been changed outside of the log.
const MOST_CHANGES: usize = 128;

/// For each file, by the name that it has today, how far back that is known.
#[derive(Default)]
pub(super) struct AsLogged(RefCell<HashMap<RepoPath, Unbroken>>);

/// The records back to which a file is as the log has it, but for what changed outside.
struct Unbroken {
    /// What the file was called, and its text, when the next record that is looked at had been made.
    name: RepoPath,
    blob: Option<BlobId>,
    found: Found,
    /// Its text today where that is HEAD's, and whether a record left that that was looked at.
    checked_out: Option<BlobId>,
    is_left_so: bool,
    /// So many records were looked at, from the newest on.
    records: usize,
    /// What those of them undid that met the file, and the others.
    undone: Undone,
    outside: Outside,
    is_broken: bool,
    /// Those that were passed, and of which files all is as the log has it: an undo may ask for an older one first.
    passed: HashSet<RecordId>,
    so: HashSet<(RecordId, usize)>,
}

/// Files of records, by their indexes, that were undone, or redone, and how many changes outside of the log are newer than that: older ones
/// could not take it back.
#[derive(Default)]
struct Undone {
    here: HashMap<(RecordId, usize), usize>,
    /// Elsewhere may be this file, under a name that the log does not know for it.
    elsewhere: HashSet<(RecordId, usize)>,
}

/// Who found the file as the next record should have left it.
enum Found {
    /// Whoever reads it today.
    Today(Vec<u8>),
    /// A record, in its file with this index.
    Record(Rc<Item>, usize),
}

/// What changed outside of the log: the tokens of the lines that came, and of those that went, with the newest change that they are of.
#[derive(Default)]
struct Outside {
    times: usize,
    came: HashMap<Vec<u8>, usize>,
    went: HashMap<Vec<u8>, usize>,
}

impl AsLogged {
    /// Whether all that was undone of a record in its file `n`, or done again, is as the log has it.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub(super) fn is_so(&self, whereabouts: &Whereabouts<'_>, item: &Item, n: usize) -> Result<bool, HistoryError> {
        let Some(file) = item.record.files.get(n).filter(|_| item.is_own) else { return Ok(false) };
        let Some(today) = whereabouts.trail(item, &file.path)?.today else { return Ok(false) };
        let log = whereabouts.log();
        let mut files = self.0.borrow_mut();
        let unbroken = files.entry(today).or_insert_with_key(|today| Unbroken::of(whereabouts, today));
        while !unbroken.is_broken && !unbroken.passed.contains(&item.record.id) {
            let Some(newer) = log.nth(unbroken.records)? else { break };
            unbroken.pass(log, &newer);
            unbroken.step(log, &newer);
        }
        Ok(unbroken.so.contains(&(item.record.id.clone(), n)))
    }
}

impl Unbroken {
    fn of(whereabouts: &Whereabouts<'_>, today: &RepoPath) -> Self {
        let read = (whereabouts.files().read)(today);
        let is_broken = read.is_err();
        let text = read.ok().flatten();
        let blob = text.as_deref().map(blob_id);
        let found = Found::Today(text.unwrap_or_default());
        Self {
            name: today.clone(),
            blob,
            found,
            checked_out: blob.filter(|blob| (whereabouts.files().in_head)(today) == Some(*blob)),
            is_left_so: false,
            records: 0,
            undone: Undone::default(),
            outside: Outside::default(),
            is_broken,
            passed: HashSet::new(),
            so: HashSet::new(),
        }
    }

    /// Notes the files of a record of which all that was undone, or done again, is as the log has it.
    fn pass(&mut self, log: &Log<'_>, item: &Rc<Item>) {
        let id = &item.record.id;
        let Undone { here, elsewhere } = &self.undone;
        for (n, file) in item.record.files.iter().enumerate() {
            let key = (id.clone(), n);
            // As HEAD has it and this record left it, and none since: what those did is gone.
            let is_as_left = file.after.is_some() && file.after == self.checked_out && !self.is_left_so;
            let is_told = !elsewhere.contains(&key);
            let since = here.get(&key).filter(|newer| is_told && (**newer == 0 || !is_as_left));
            if since.is_some_and(|newer| self.outside.has_nothing_of(*newer, || log.known(item, n))) {
                self.so.insert(key);
            }
        }
        self.passed.insert(id.clone());
    }

    /// Goes back over the next record, if it met the file.
    fn step(&mut self, log: &Log<'_>, item: &Rc<Item>) {
        self.records += 1;
        let is_met =
            |(_, file): &(usize, &RecordFile)| file.path == self.name || file.from.as_ref() == Some(&self.name);
        let mut met = item.record.files.iter().enumerate().filter(is_met);
        let met = (met.next(), met.next());
        let here_at = met.0.map(|(n, _)| n);
        let of_restore = item.record.kind == RecordClass::External;
        match met {
            (None, _) => {}
            // A file that was restored may have again what was undone before, though nobody redid that.
            (Some(_), None) if of_restore => {}
            (Some((n, file)), None) if file.path == self.name => {
                self.is_broken = file.after != self.blob && self.look_at_change(log, item, n).is_none();
                self.is_left_so |= file.after == self.checked_out;
                self.blob = file.before;
                self.name = file.from.clone().unwrap_or_else(|| self.name.clone());
                self.found = Found::Record(Rc::clone(item), n);
            }
            _ => self.is_broken = true,
        }
        let Undone { here, elsewhere } = &mut self.undone;
        for (n, targets) in item.record.meta.targets.iter().enumerate() {
            for target in targets {
                let key = (target.id.clone(), target.file);
                // What was as before all of what was undone together, was so wherever it is told.
                if here_at == Some(n) || target.is_cancelled {
                    here.entry(key).or_insert(self.outside.times);
                } else {
                    elsewhere.insert(key);
                }
            }
        }
    }

    /// What changed between this record and the one that found the file later; none where that is not known.
    fn look_at_change(&mut self, log: &Log<'_>, item: &Item, n: usize) -> Option<()> {
        self.blob?;
        let left = log.known(item, n)?;
        let newer = match &self.found {
            Found::Today(_) => None,
            Found::Record(newer, n) => Some(log.known(newer, *n)?),
        };
        let found = match (&self.found, &newer) {
            (Found::Today(text), _) => text,
            (_, newer) => newer.as_ref()?.texts.before()?,
        };
        self.outside.add(left.texts.after()?, found)
    }
}

impl Outside {
    /// Adds what changed from one text to another; none where it is too much.
    fn add(&mut self, before: &[u8], after: &[u8]) -> Option<()> {
        self.times += 1;
        let [gone, new] = lines_that_may_differ(before, after);
        let owned =
            |lines: &[&[u8]]| lines.iter().flat_map(|line| tokens(line)).map(<[u8]>::to_vec).collect::<Vec<_>>();
        for (tokens, of) in [(owned(&gone), &mut self.went), (owned(&new), &mut self.came)] {
            tokens.into_iter().for_each(|token| _ = of.entry(token).or_insert(self.times));
        }
        (self.times <= MOST_CHANGES).then_some(())
    }

    /// Whether no change of a record can have come back by the newest so many: what it put in would have come, or what it took out
    /// would have gone.
    fn has_nothing_of(&self, newest: usize, known: impl FnOnce() -> Option<Arc<Known>>) -> bool {
        if newest == 0 {
            return true;
        }
        let Some(known) = known() else { return false };
        let Some((before, after)) = known.texts.both(&known.file) else { return false };
        let is_apart = |splice: &SpliceRange| {
            let old = before.get(whole_lines(before, &splice.before)).unwrap_or_default();
            let new = after.get(whole_lines(after, &splice.after)).unwrap_or_default();
            let Differing { gone: took, new: put } = differing(tokens(old), tokens(new));
            let has = |of: &HashMap<Vec<u8>, usize>, token: &[u8]| of.get(token).is_some_and(|of| *of <= newest);
            let may_be_back =
                put.iter().any(|token| has(&self.came, token)) || took.iter().any(|token| has(&self.went, token));
            // What only moved tells nothing.
            let is_told = !took.is_empty() || !put.is_empty();
            is_told && !may_be_back
        };
        let splices = known.file.splices.ranges();
        !splices.is_empty() && known.file.mode_before == known.file.mode_after && splices.iter().all(is_apart)
    }
}
