//! What is to become of one file: the steps that undo records in it, from the text as it is to the text as it will be.
//!
//! Owns running these steps, with conflict markers where they are wanted. Touches no disk.
//! Invariant: what a step takes back is proven to be in force, or known to be taken back already; else it is a conflict.

use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::{Obstacle, UndoConflict};
use crate::history::reader::History;
use crate::history::undo::answered::{Answered, Asked};
use crate::history::undo::as_before::{Had, is_as_before};
use crate::history::undo::as_read::AsRead;
use crate::history::undo::cancelled::Around;
use crate::history::undo::carried::{Carried, Found};
use crate::history::undo::likeness::are_versions;
use crate::history::undo::log::Known;
use crate::history::undo::newest_word::inverted;
use crate::history::undo::on_disk::on_disk;
use crate::history::undo::remade::{Done, DoneAgain, IsNewer, Later, Remade, remade};
use crate::history::undo::replayed::Replayed;
use crate::history::undo::request::Misfits;
use crate::history::undo::revived::{Met, revived};
use crate::history::undo::same_in_force::as_it_was;
use crate::history::undo::so_far::{SoFar, around};
use crate::history::undo::stays::{Stays, taken_back};
use crate::history::undo::step::{Carry, Step, What, is_text};
use crate::id::RecordId;
use crate::patch::FilePatch;
use crate::patch::algebra::compose;
use crate::path::RepoPath;
use crate::record::{Record, RecordClass, RecordedTexts, Target};
use crate::text::Encoding;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// One file, as it is on disk and as it will be.
#[derive(Debug)]
pub struct Slot {
    /// Where it is; none where there is no file.
    pub disk: Option<RepoPath>,
    /// Where it will be; none where it goes.
    pub now: Option<RepoPath>,
    /// What it inverts.
    pub targets: Vec<Target>,
    /// What the log calls it; none where another file took its name.
    pub(crate) logged: Option<RepoPath>,
    /// What the log called it before somebody else renamed it, the newest first.
    pub(crate) logged_before: Vec<RepoPath>,
    /// The name that a record gave it and that is to go, where it has got yet another one since.
    pub(crate) renamed_again: Option<RepoPath>,
    /// Whether only most of its lines tell that it is the file: then it is only where there is something to be taken back.
    pub(crate) is_alike: bool,
    /// Whether only its name tells that it is the file, and its text that it was another one.
    pub(crate) is_other: bool,
    /// Whether it was told against its names, which lead to other files as well.
    pub(crate) is_apart: bool,
    /// Whether another file may be it as well.
    pub(crate) is_copied: bool,
    /// Where lines of a file that is gone may be now.
    pub(crate) merged_into: Option<RepoPath>,
    /// The records of which nothing was left to be taken back when the plan was tried.
    pub(crate) already: Vec<RecordId>,
    /// The records of which only its name tells that it is their file too: nothing of them is taken out of it.
    pub(super) only_named: Vec<RecordId>,
    /// Whether it would be as it is without these records then, by the log.
    pub(super) is_same_without: bool,
    /// What of the records stayed then, between markers.
    pub(super) stays: Stays,
    /// Its text when the plan was tried.
    pub(crate) seen: Option<Vec<u8>>,
    /// Its Unix permission bits then.
    pub(crate) seen_mode: Option<u32>,
    steps: Vec<Step>,
    /// What the log has of the file, oldest first; empty where it was not asked, or has too much.
    known: Vec<Arc<Known>>,
    /// What the log has of it before these, back to what is to be done again.
    older: Vec<Arc<Known>>,
    /// Its texts before the oldest step, as far as the log has them; none while that does not count.
    had: Option<Had>,
    /// So many of these are older than the oldest step, as far back as was asked.
    earlier: usize,
    /// Whether nothing would change.
    pub(crate) is_idle: bool,
}

impl Slot {
    /// A file that is on disk, as far as the records know.
    pub(crate) fn at(path: RepoPath, logged: Option<RepoPath>) -> Self {
        Self { disk: Some(path.clone()), now: Some(path), ..Self::absent(logged) }
    }

    /// A file that is not.
    pub(crate) fn absent(logged: Option<RepoPath>) -> Self {
        Self {
            disk: None,
            now: None,
            targets: Vec::new(),
            logged,
            logged_before: Vec::new(),
            renamed_again: None,
            is_alike: false,
            is_other: false,
            is_apart: false,
            is_copied: false,
            merged_into: None,
            already: Vec::new(),
            stays: Stays::new(),
            is_same_without: false,
            only_named: Vec::new(),
            seen: None,
            seen_mode: None,
            steps: Vec::new(),
            known: Vec::new(),
            older: Vec::new(),
            had: None,
            earlier: 0,
            is_idle: false,
        }
    }

    /// Whether the file has the name that one of these records left it under.
    pub(crate) fn is_home(&self, records: &[Record]) -> bool {
        let of = |target: &Target| records.iter().find(|record| record.id == target.id)?.files.get(target.file);
        self.targets.iter().filter_map(of).any(|file| Some(&file.path) == self.disk.as_ref())
    }

    pub(super) fn add(&mut self, step: Step, now: Option<RepoPath>, target: Target) {
        self.steps.push(step);
        self.now = now;
        self.targets.push(target);
    }

    /// Leaves the step of a record out, and what depends on it: all of them, but for edits of a file that keeps its name, or goes in the
    /// end: then it stays with what is left of them. What of others is left with it.
    pub(crate) fn leave_out(&mut self, record: &RecordId) -> Vec<UndoConflict> {
        let edits = self.steps.iter().take_while(|step| step.is_edit()).count();
        let goes_last = || matches!(self.steps[edits..], [Step { what: What::Remove { .. }, .. }]);
        let is_of_edits = edits == self.steps.len() && self.disk == self.now || goes_last();
        let edits = self.steps[..edits].iter().filter(|step| is_of_edits && step.record != *record);
        let kept: HashSet<RecordId> = edits.map(|step| step.record.clone()).collect();
        let others = self.steps.iter().filter(|step| step.record != *record && !kept.contains(&step.record));
        let left = others.map(|step| step.conflict(Obstacle::UnderOther)).collect();
        self.steps.retain(|step| kept.contains(&step.record));
        self.targets.retain(|target| kept.contains(&target.id));
        if kept.is_empty() {
            self.disk = None;
        }
        self.now.clone_from(&self.disk);
        left
    }

    /// What it inverts, without what stays between markers.
    pub(super) fn inverted(&self) -> Vec<Target> {
        taken_back(&self.steps, &self.targets, &self.stays)
    }

    fn is_of_edits(&self) -> bool {
        self.steps.iter().all(|step| matches!(step.what, What::Carry(_)))
    }

    /// Whether the oldest record here was made on a version of a text.
    pub(crate) fn began_as(&self, text: &[u8]) -> bool {
        match self.steps.last().map(|step| &step.what) {
            Some(What::Carry(carry)) => carry.texts.before().is_some_and(|before| are_versions(before, text)),
            Some(What::Remove { .. } | What::Restore { .. } | What::CameBack) | None => false,
        }
    }

    /// Whether some of what the oldest step would take back of a text is taken back, and some is there, by what the log has of the file since.
    pub(super) fn is_done_in_part(&self, known: &[Arc<Known>], text: &[u8]) -> bool {
        let is_so = |carry: &Carry| carry.is_done_in_part(around((known, 0), &carry.record.id), text);
        matches!(self.steps.last(), Some(Step { what: What::Carry(carry), .. }) if is_so(carry))
    }

    /// Whether nothing is to be done here any more.
    pub(crate) fn is_left_out(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether the file is at a path, and will not be.
    pub(crate) fn leaves(&self, path: &RepoPath) -> bool {
        self.disk.as_ref() == Some(path) && self.now != self.disk
    }

    /// The text of a file that the only step would bring back.
    pub(crate) fn would_restore(&self) -> Option<&[u8]> {
        match self.steps.as_slice() {
            [step] => step.removed(),
            _ => None,
        }
    }

    /// The text with which the newest step brings the file back, and of which record that is.
    pub(super) fn restored(&self) -> Option<(RecordId, Vec<u8>)> {
        let first = self.steps.first()?;
        Some((first.record.clone(), first.removed()?.to_vec()))
    }

    /// The backup of the file that the newest step brings back.
    pub(crate) fn backup(&self) -> Option<&RepoPath> {
        self.steps.first()?.backup()
    }

    /// Whether a text is the one that the only step would bring back.
    pub(crate) fn is_restored_as(&self, text: &[u8]) -> bool {
        matches!(self.steps.as_slice(), [Step { what: What::Restore { before, .. }, .. }] if is_text(text, *before))
    }

    /// What the whole file does not fit for.
    pub(crate) fn conflict(&self, why: Obstacle) -> Vec<UndoConflict> {
        self.steps.first().map(|step| step.conflict(why)).into_iter().collect()
    }

    /// Whether something of a record is taken back here.
    pub(crate) fn changes_for(&self, record: &RecordId) -> bool {
        self.targets.iter().any(|target| target.id == *record) && !self.already.contains(record)
    }

    /// What of records is taken back here only by that others are, too: the file is as it was before all of them.
    pub(super) fn cancelled(&self) -> impl Iterator<Item = Target> {
        let is_one = self.remade_by().is_none() && self.targets.len() > 1;
        let targets = self.targets.iter().filter(move |target| is_one && !self.already.contains(&target.id));
        targets.map(|target| Target { is_cancelled: true, ..target.clone() })
    }

    /// Fills in what only the file itself still has: the text that the newest unkept record left, and with it the one before, and so on,
    /// where the journal still has what was done.
    pub(crate) fn find_base(&mut self, text: Option<&[u8]>, history: &History<'_>) {
        let needs_base = |step: &Step| matches!(&step.what, What::Carry(carry) if carry.needs_base);
        let Some(text) = text.filter(|_| self.steps.iter().any(needs_base)) else { return };
        let mut text = text.to_vec();
        for step in &mut self.steps {
            let What::Carry(carry) = &mut step.what else { continue };
            let file = &carry.record.files[carry.file];
            if !is_text(&text, file.after) {
                continue;
            }
            if carry.needs_base {
                let texts = std::mem::take(&mut carry.texts);
                let before =
                    texts.before().is_none().then(|| history.inverted(&step.record, carry.file, &text)).flatten();
                let texts = texts.with_after(file, text.clone()).unwrap_or_default();
                carry.answered = Answered::default();
                carry.texts = match before {
                    Some(before) => texts.with_before(file, before).unwrap_or_default(),
                    None => texts,
                };
            }
            // What the next older one left.
            text = carry.texts.before().map_or(text, <[u8]>::to_vec);
        }
    }

    /// What a record has the file in, where that is not UTF-8, and nobody converted it since.
    pub fn encoding(&self) -> Option<Encoding> {
        let today = |step: &Step, found: Encoding| match (&step.what, &self.seen) {
            (What::Carry(carry), Some(seen)) => carry.encoding(seen).unwrap_or(found),
            _ => found,
        };
        let found = self.steps.iter().find_map(|step| step.encoding.map(|found| today(step, found)));
        // A newer one of these may have broken it: then its bytes come back as they are.
        let is_it = |found: &Encoding| self.seen.as_ref().is_none_or(|seen| found.decode_marked(seen).is_some());
        found.filter(|found| *found != Encoding::UTF_8 && is_it(found))
    }

    /// The record of the last step, the oldest.
    pub(crate) fn oldest(&self) -> Option<&RecordId> {
        self.steps.last().map(|step| &step.record)
    }

    /// Whether a line that only a record of these wrote stands in a text, or most of a file that one made: then what it did
    /// is not all gone.
    pub(crate) fn has_traces(&self, text: &[u8]) -> bool {
        self.steps.iter().any(|step| match &step.what {
            What::Carry(carry) => carry.has_traces(text),
            What::Remove { texts, .. } => texts.after().is_some_and(|after| are_versions(after, text)),
            What::Restore { .. } | What::CameBack => false,
        })
    }

    /// Whether a text may lack lines that a record of these deleted for another reason.
    pub(crate) fn is_lacked_for_another_reason(&self, text: &[u8]) -> bool {
        self.steps.iter().any(|step| match &step.what {
            What::Carry(carry) => carry.is_lacked_for_another_reason(text),
            What::Remove { .. } | What::Restore { .. } | What::CameBack => false,
        })
    }

    /// Takes what the log has of the file, oldest first.
    pub(super) fn learn(
        &mut self,
        known: Vec<Arc<Known>>,
        is_newer: IsNewer<'_>,
        inverted: &dyn Fn(&Record) -> HashSet<RecordId>,
    ) {
        (self.known, self.earlier, self.had) = (known, 0, None);
        for step in &mut self.steps {
            let around = around((&self.known, self.earlier), &step.record);
            if let What::Carry(carry) = &mut step.what {
                carry.inverted = inverted(&carry.record);
                let file = &carry.record.files[carry.file];
                let read = AsRead::of(file, &carry.texts, around, &[]);
                let (file, texts, later) = match &read {
                    Some(read) => (&read.file, &read.texts, read.around().later),
                    None => (file, &carry.texts, around.later),
                };
                let edit = file.edit(texts);
                carry.remade = DoneAgain::by(edit.and_then(|edit| {
                    remade(
                        Done { edit: &edit, left: file.after },
                        carry.wanted(),
                        (&step.record, carry.file),
                        Later { known: later, is_newer },
                    )
                }));
            }
        }
    }

    /// Takes what the log has of the file before the oldest step, oldest first.
    pub(crate) fn learn_earlier(&mut self, earlier: Vec<Arc<Known>>) {
        let had: Vec<Arc<Known>> = self.known.drain(..self.earlier).collect();
        // Both go back from the same record; one may know of more, under a name that git has changed since.
        let (longer, other) = if earlier.len() > had.len() { (earlier, had) } else { (had, earlier) };
        let is_missing = |known: &Arc<Known>| longer.iter().all(|one| one.id != known.id);
        let mut all: Vec<Arc<Known>> = other.into_iter().filter(is_missing).collect();
        all.extend(longer);
        self.earlier = all.len();
        self.known.splice(..0, all);
    }

    /// Takes the texts of the file before the oldest step, where that tells something: of a file that somebody took back to one of
    /// them, or to one between the steps, nothing is in force that came after. Of how many steps it tells that.
    pub(super) fn taken_back(&mut self, had: Had, text: &[u8]) -> usize {
        self.had = Some(had);
        let is_so = |step: &&Step| matches!(&step.what, What::Carry(carry) if self.is_as_before(carry, self.around(step), text));
        let count = self.steps.iter().filter(is_so).count();
        self.had.take_if(|_| count == 0);
        count
    }

    /// The records that steps take back which do others again, or undo that.
    pub(super) fn done_again(&self) -> HashSet<RecordId> {
        let carries = self.steps.iter().filter_map(|step| match &step.what {
            What::Carry(carry) if carry.record.kind != RecordClass::Edit => Some(&carry.inverted),
            _ => None,
        });
        carries.flatten().cloned().collect()
    }

    /// Takes what the log has of the file before the oldest step, back to what is to be done again.
    pub(super) fn learn_older(&mut self, older: Vec<Arc<Known>>) {
        self.older = older;
    }

    /// The records before the oldest step that were taken back after it, where they were not looked for yet.
    pub(super) fn inverted_before(&self) -> BTreeSet<RecordId> {
        let oldest = self.oldest().filter(|_| self.earlier == 0);
        oldest.map(|own| around((&self.known, self.earlier), own).inverted_before(own)).unwrap_or_default()
    }

    /// Why nothing tells that the file found is the one that is meant, where that is so.
    pub(super) fn is_not_told(&self) -> Option<Obstacle> {
        self.is_copied.then_some(Obstacle::Copied).or(self.is_other.then_some(Obstacle::OtherFile))
    }

    /// The oldest record, as it met the file that has this text today; none where it is not one that edited it.
    pub(super) fn oldest_met(&self, today: &[u8]) -> Option<Met<'_>> {
        let step = self.steps.last()?;
        let What::Carry(carry) = &step.what else { return None };
        let file = carry.record.files.get(carry.file)?;
        let name = file.from.as_ref().unwrap_or(&file.path);
        Some(Met { of: &carry.record, name, encoding: carry.encoding(today) })
    }

    /// The texts that edits of the records met and left, the oldest first.
    pub fn texts(&self) -> impl Iterator<Item = [&[u8]; 2]> {
        self.steps.iter().rev().filter_map(|step| match &step.what {
            What::Carry(carry) => Some([carry.texts.before()?, carry.texts.after()?]),
            What::Remove { .. } | What::Restore { .. } | What::CameBack => None,
        })
    }

    /// The texts that the records left.
    pub fn left(&self) -> impl Iterator<Item = &[u8]> {
        self.steps.iter().filter_map(|step| match &step.what {
            What::Carry(carry) => carry.texts.after(),
            What::Remove { texts, .. } => texts.after(),
            What::Restore { .. } | What::CameBack => None,
        })
    }

    /// The texts that the oldest record met and left.
    pub(super) fn oldest_texts(&self) -> Option<[&[u8]; 2]> {
        let What::Carry(carry) = &self.steps.last()?.what else { return None };
        Some([carry.texts.before()?, carry.texts.after()?])
    }

    /// What the log has of the file since the oldest record, oldest first.
    pub(super) fn since_oldest(&self) -> &[Arc<Known>] {
        self.steps.last().map(|step| self.around(step).later).unwrap_or_default()
    }

    /// The same where the file is as HEAD has it and as a record left it, and none that is newer left it so: what those did is gone with
    /// the rest.
    pub(super) fn forget_remade_if_checked_out(&mut self, text: &[u8]) {
        for step in &mut self.steps {
            let later = around((&self.known, self.earlier), &step.record).later;
            if let What::Carry(carry) = &mut step.what {
                let is_so = |texts: &RecordedTexts| texts.after() == Some(text);
                if is_so(&carry.texts) && !later.iter().any(|known| is_so(&known.texts)) {
                    carry.remade.forget();
                }
            }
        }
    }

    /// Forgets who did again what these steps would take back, where it is in the file no more: somebody took that back, too.
    pub(super) fn forget_remade_if_gone(&mut self) {
        let carries = |steps: &mut [Step]| -> Vec<Option<Remade>> {
            let of_step = |step: &mut Step| match &mut step.what {
                What::Carry(carry) => carry.remade.forget(),
                What::Remove { .. } | What::Restore { .. } | What::CameBack => None,
            };
            steps.iter_mut().map(of_step).collect()
        };
        let remade = carries(&mut self.steps);
        let (Some(seen), true) = (&self.seen, remade.iter().any(Option::is_some)) else { return };
        let outcome = self.replay(Some(seen), Misfits::Refused);
        let is_gone = outcome.is_ok_and(|outcome| outcome.text.as_ref() == Some(seen));
        if is_gone || remade.iter().flatten().all(|remade| remade.is_gone(&self.known, seen)) {
            return;
        }
        for (step, remade) in self.steps.iter_mut().zip(remade) {
            if let (What::Carry(carry), Some(remade)) = (&mut step.what, remade) {
                carry.remade = DoneAgain::Since(remade);
            }
        }
    }

    /// The record that did again what these steps would take back.
    pub(crate) fn remade_by(&self) -> Option<&RecordId> {
        self.steps.iter().find_map(|step| match &step.what {
            What::Carry(carry) => carry.remade.since().and_then(Remade::by),
            What::Remove { .. } | What::Restore { .. } | What::CameBack => None,
        })
    }

    /// Runs the steps on a text (none where there is no file).
    ///
    /// # Errors
    /// What does not fit; with markers only what no marker can stand for.
    pub fn replay(&self, text: Option<&[u8]>, misfits: Misfits) -> Result<Replayed, Vec<UndoConflict>> {
        let called_now = |mut found: Vec<UndoConflict>| {
            let path = self.disk.as_ref().map(RepoPath::to_string_lossy);
            found.iter_mut().zip(path.iter().cycle()).for_each(|(conflict, path)| conflict.path.clone_from(path));
            found
        };
        let found = self.run(text, misfits);
        let is_of_texts = self.is_of_edits() && self.disk == self.now && !self.changes_mode();
        let text = text.filter(|_| is_of_texts && self.only_named.is_empty());
        let was = text.and_then(|text| as_it_was((&self.all_known(), &self.targets), text, found.as_ref().ok()));
        was.map_or(found, Ok).map_err(called_now)
    }

    /// All that the log has of the file, oldest first, one record after the other as far back as that was looked for.
    fn all_known(&self) -> Vec<Arc<Known>> {
        // Of those that are known and older than the steps some may be left out.
        let known = if self.older.is_empty() { &self.known[..] } else { &self.known[self.earlier..] };
        self.older.iter().chain(known).cloned().collect()
    }

    fn run(&self, text: Option<&[u8]>, misfits: Misfits) -> Result<Replayed, Vec<UndoConflict>> {
        let mut out = Replayed::unchanged(text);
        // What is left out is found all at once, where nothing depends on it: each of hundreds would be another run of all.
        let (is_apart, mut left_out) = (misfits == Misfits::Skipped && self.is_of_edits(), Vec::new());
        let mut so_far = SoFar::new(&self.known, self.earlier);
        for (step, target) in self.steps.iter().zip(&self.targets) {
            let around = so_far.around(&step.record);
            let patch = match (&step.what, &out.text) {
                (What::Carry(_), None) => return Err(vec![step.conflict(Obstacle::Gone)]),
                // It is gone already, and its place is what it was; or it is there.
                (What::Remove { .. }, None) | (What::CameBack, _) => {
                    out.already.push(step.record.clone());
                    continue;
                }
                (What::Restore { .. }, Some(_)) => return Err(vec![step.conflict(Obstacle::Taken)]),
                (What::Restore { text: None, .. }, None) => return Err(vec![step.conflict(Obstacle::NotKept)]),
                (What::Restore { text: Some(old), .. }, None) => {
                    // The place may be that of a file that an earlier step took away.
                    out.patch = compose(&out.patch, &FilePatch::whole(out.patch.result_len(), old.clone()));
                    out.text = Some(old.clone());
                    continue;
                }
                (What::Remove { after, .. }, Some(current)) if !is_text(current, *after) => {
                    return Err(so_far.without_names(vec![step.changed_since_created(around, current)]));
                }
                (What::Remove { .. }, Some(current)) => {
                    out.patch = compose(&out.patch, &FilePatch::whole(current.len(), Vec::new()));
                    out.text = None;
                    continue;
                }
                (What::Carry(carry), Some(current)) if self.is_as_before(carry, around, current) => {
                    out.already.push(step.record.clone());
                    continue;
                }
                (What::Carry(carry), Some(current)) => {
                    let told = |found| so_far.without_names(on_disk(found, &out.patch, text.unwrap_or_default()));
                    let Carried { patch, conflicts, stays } =
                        match self.carried((step, carry), &so_far, current, misfits) {
                            Err(found) if is_apart => {
                                left_out.extend(told(found));
                                continue;
                            }
                            carried => carried.map_err(told)?,
                        };
                    out.kept_later |= carry.texts.after() != Some(current);
                    if patch.is_empty() && step.old_name().is_none() && !step.sets_mode() {
                        out.already.push(step.record.clone());
                    }
                    out.conflicts.extend(told(conflicts));
                    out.stays.extend(stays.into_iter().map(|n| (step.record.clone(), n)));
                    so_far.add(carry, target, current, &patch);
                    patch
                }
            };
            out.text = out.text.map(|text| patch.apply(&text));
            out.patch = compose(&out.patch, &patch);
        }
        if left_out.is_empty() { Ok(out) } else { Err(left_out) }
    }

    /// What a step does to the text that the ones before it left, and where it put markers.
    fn carried(&self, (step, carry): (&Step, &Carry), so_far: &SoFar<'_>, current: &[u8], misfits: Misfits) -> Found {
        let around = so_far.around(&step.record);
        let asked = Asked::of((current, misfits), around, (&carry.remade, &carry.inverted));
        let done =
            carry.answered.or_find(asked.behind(so_far.done()), || carry.find_anew(step, current, around, misfits))?;
        if !done.patch.is_empty() && self.only_named.contains(&step.record) {
            return Err(vec![step.conflict(Obstacle::OtherFile)]);
        }
        match self.revived(carry, so_far, current, &done.patch) {
            Some((why, by)) => Err(vec![UndoConflict { changed_by: Some(by), ..step.conflict(why) }]),
            None => Ok(done),
        }
    }

    /// Whether somebody took the file back to what it was before the record of a step.
    fn is_as_before(&self, carry: &Carry, around: Around<'_>, current: &[u8]) -> bool {
        let file = &carry.record.files[carry.file];
        let may_be = carry.texts.after() != Some(current) && file.change == ChangeKind::Modify;
        let Some(had) = self.had.as_ref().filter(|_| may_be) else { return false };
        let today = blob_id(current);
        (had.is_checked_out(today) || !carry.has_traces(current)) && is_as_before(around, had, carry, today)
    }

    /// The record, not of those that are inverted here, which speaks against what a step would bring back.
    fn revived(
        &self,
        carry: &Carry,
        so_far: &SoFar<'_>,
        current: &[u8],
        patch: &FilePatch,
    ) -> Option<(Obstacle, RecordId)> {
        let left = carry.texts.after().filter(|_| !patch.is_empty())?;
        let around = so_far.around(&carry.record.id);
        // What an undo took out comes back by taking the undo back.
        let own = carry.record.meta.targets.iter().flatten().map(|target| &target.id);
        let all: Vec<&Known> = so_far.known().iter().map(Arc::as_ref).collect();
        let inverted = inverted(own.collect(), &all);
        let is_own = |id: &RecordId| inverted.contains(&id) || self.targets.iter().any(|target| target.id == *id);
        let is_meant = |id: &RecordId| is_own(id) || carry.took_none_of(around.earlier, id);
        let result = patch.apply(current);
        let read = carry.encoding(current).and_then(|encoding| {
            let [left, current, result] = [left, current, &result].map(|text| encoding.decode_marked(text));
            Some((around.as_read(encoding)?, left?, (current?, result?)))
        });
        let found = match &read {
            Some(([earlier, later], left, (current, result))) => {
                revived(Around { earlier, later }, left.as_bytes(), (current.as_bytes(), result.as_bytes()), is_meant)
            }
            None => revived(around, left, (current, &result), is_meant),
        };
        let is_left_alone = |why| why == Obstacle::TakenAway && carry.is_left_alone_by_the_log(around, current);
        let leads_here = |other: &RecordId| {
            carry.patch_by_the_log(around, current, other).is_some_and(|patch| patch.apply(current) == result)
        };
        found.filter(|(why, other)| !is_left_alone(*why) && !leads_here(other))
    }

    fn around(&self, step: &Step) -> Around<'_> {
        around((&self.known, self.earlier), &step.record)
    }
}

mod modes;
#[cfg(test)]
mod tests;
