//! One record in one file: what taking it back means there, and the proof of it.
//!
//! Owns the way from a record's splices to a patch of the text as it is. Knows nothing of the other records that are undone.
//! Invariant: what a step takes back is proven to be in force, or known to be taken back already; else it is a conflict.

use super::answered::Answered;
use super::carried::{Carried, Found};
use super::of_another::is_as_well_of_another;
use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::{HistoryError, Obstacle, UndoConflict};
use crate::history::reader::{History, Item};
use crate::history::undo::as_read::{AsRead, encoding_of, misplaces_mark, mixes_encodings, mixes_endings};
use crate::history::undo::cancelled::Around;
use crate::history::undo::doubt::Doubt;
use crate::history::undo::likeness::{are_versions, has_own_line};
use crate::history::undo::log::Known;
use crate::history::undo::markers::marked;
use crate::history::undo::remade::{DoneAgain, Remade};
use crate::history::undo::request::Misfits;
use crate::history::undo::told::Today;
use crate::id::{BlobId, RecordId};
use crate::patch::FilePatch;
use crate::patch::diff::lines_changed;
use crate::patch::take_back::{
    Answer, Direction, Edit, Outcome, Verdict, Wanted, answer, is_lacked_for_another_reason,
};
use crate::path::RepoPath;
use crate::record::{Record, RecordFile, RecordedTexts};
use crate::text::{Encoding, split_lines};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// One record in one file.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) record: RecordId,
    path: RepoPath,
    pub(super) modes: (Option<u32>, Option<u32>),
    pub(super) encoding: Option<Encoding>,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// Take the splices out again.
    Carry(Box<Carry>),
    /// The record made the file: it goes, if it is as it was made.
    Remove { after: Option<BlobId>, texts: RecordedTexts },
    /// The record removed the file: it comes back.
    Restore { before: Option<BlobId>, text: Option<Vec<u8>>, backup: Option<RepoPath> },
    /// The record removed the file, and it came back since: nothing is to be done.
    CameBack,
}

#[derive(Debug)]
pub(super) struct Carry {
    /// Of very many files each has a step.
    pub(super) record: Rc<Record>,
    pub(super) file: usize,
    pub(super) texts: RecordedTexts,
    pub(super) splices: Option<Vec<usize>>,
    /// Whether the text after is known only if the file still has it.
    pub(super) needs_base: bool,
    /// What of it is another record's now.
    pub(super) remade: DoneAgain,
    /// The records that it inverts, those that these invert, and so on.
    pub(super) inverted: HashSet<RecordId>,
    pub(super) answered: Answered,
}

impl Step {
    /// What takes back file `n` of a record, or some of its splices.
    ///
    /// # Errors
    /// Where its texts are damaged.
    pub(super) fn new(
        history: &History<'_>,
        item: &Item,
        record: &Rc<Record>,
        n: usize,
        splices: Option<Vec<usize>>,
    ) -> Result<Self, HistoryError> {
        let file = &record.files[n];
        let texts = history.texts(item, record, n)?;
        match file.change {
            ChangeKind::Delete => return Ok(Self::restore(record, n, texts.into_before())),
            ChangeKind::Create => return Ok(Self::remove(record, n, texts)),
            ChangeKind::Modify | ChangeKind::Rename => {}
        }
        Ok(Self::carry(record, n, texts, splices))
    }

    /// The texts that the record left, where it left a file.
    pub(super) fn left(&self) -> Option<&RecordedTexts> {
        match &self.what {
            What::Carry(carry) => Some(&carry.texts),
            What::Remove { texts, .. } => Some(texts),
            What::Restore { .. } | What::CameBack => None,
        }
    }

    /// The name that the file gets back, where the record renamed it and all of that is to go.
    pub(super) fn old_name(&self) -> Option<&RepoPath> {
        match &self.what {
            What::Carry(carry) if carry.splices.is_none() => carry.record.files[carry.file].from.as_ref(),
            What::Carry(_) | What::Remove { .. } | What::Restore { .. } | What::CameBack => None,
        }
    }

    /// Whether it changes what is in the file, and not its name.
    pub(super) fn is_edit(&self) -> bool {
        matches!(self.what, What::Carry(_)) && self.old_name().is_none()
    }

    /// The same where the file that the record removed came back since.
    pub(super) fn of_file_that_came_back(self) -> Self {
        Self { what: What::CameBack, modes: (None, None), ..self }
    }

    /// Whether the record changed the permission bits.
    pub(super) fn sets_mode(&self) -> bool {
        matches!(self.modes, (Some(before), Some(after)) if before != after)
    }

    /// Whether the file comes back by it.
    pub(super) fn restores(&self) -> bool {
        matches!(self.what, What::Restore { .. })
    }

    /// The backup of the file that it brings back.
    pub(super) fn backup(&self) -> Option<&RepoPath> {
        match &self.what {
            What::Restore { backup, .. } => backup.as_ref(),
            What::Carry(_) | What::Remove { .. } | What::CameBack => None,
        }
    }

    /// The text that the record removed, where it did and that is kept.
    pub(super) fn removed(&self) -> Option<&[u8]> {
        match &self.what {
            What::Restore { text, .. } => text.as_deref(),
            What::Carry(_) | What::Remove { .. } | What::CameBack => None,
        }
    }

    /// Whether the file goes.
    pub(super) fn removes(&self) -> bool {
        matches!(self.what, What::Remove { .. })
    }

    fn carry(record: &Rc<Record>, n: usize, texts: RecordedTexts, splices: Option<Vec<usize>>) -> Self {
        let file = &record.files[n];
        let needs_base = texts.after().is_none();
        let (own, remade, inverted) = (Rc::clone(record), DoneAgain::Never, HashSet::new());
        let answered = Answered::default();
        let carry = Carry { record: own, file: n, texts, splices, needs_base, remade, inverted, answered };
        let what = What::Carry(Box::new(carry));
        Self {
            record: record.id.clone(),
            path: file.path.clone(),
            modes: (file.mode_before, file.mode_after),
            encoding: file.encoding,
            what,
        }
    }

    fn remove(record: &Record, n: usize, texts: RecordedTexts) -> Self {
        let file = &record.files[n];
        Self {
            record: record.id.clone(),
            path: file.path.clone(),
            modes: (None, file.mode_after),
            encoding: file.encoding,
            what: What::Remove { after: file.after, texts },
        }
    }

    fn restore(record: &Record, n: usize, text: Option<Vec<u8>>) -> Self {
        let file = &record.files[n];
        let modes = (file.mode_before, None);
        Self {
            record: record.id.clone(),
            path: file.path.clone(),
            modes,
            encoding: file.encoding,
            what: What::Restore { before: file.before, text, backup: file.backup.clone() },
        }
    }

    pub(super) fn conflict(&self, why: Obstacle) -> UndoConflict {
        let path = self.path.to_string_lossy();
        UndoConflict::of_file(self.record.clone(), path, why)
    }

    /// That what looks as if it were its own may be what another record did.
    fn in_doubt(&self, doubt: Doubt) -> UndoConflict {
        let (why, by) = match doubt {
            Doubt::PutBy(by) => (Obstacle::PutByOther, Some(by)),
            Doubt::TakenBy(by) => (Obstacle::TakenAway, Some(by)),
            Doubt::NotKept(by) => (Obstacle::LaterNotKept, Some(by)),
            Doubt::TooMany => (Obstacle::ManySince, None),
        };
        UndoConflict { changed_by: by, ..self.conflict(why) }
    }

    /// That a file which it would remove is another one now: by the newest record, if that left it so.
    pub(super) fn changed_since_created(&self, around: Around<'_>, current: &[u8]) -> UndoConflict {
        let last = around.later.last().filter(|last| is_text(current, last.file.after));
        UndoConflict { changed_by: last.map(|last| last.id.clone()), ..self.conflict(Obstacle::ChangedSinceCreated) }
    }
}

impl Carry {
    /// What the file is in today, where something tells.
    pub(super) fn encoding(&self, current: &[u8]) -> Option<Encoding> {
        encoding_of(&self.record.files[self.file], &self.texts, current)
    }

    /// Whether the name is all that changed: then no line proves that the file is the one that got it.
    fn is_bare_rename(&self) -> bool {
        let file = &self.record.files[self.file];
        file.change == ChangeKind::Rename && file.before == file.after
    }

    /// What taking it back does to a text.
    pub(super) fn find_anew(&self, step: &Step, current: &[u8], around: Around<'_>, misfits: Misfits) -> Found {
        let found = self.find_patch(step, current, around, misfits);
        let conflicts = found.as_ref().map_or_else(|conflicts| conflicts, |found| &found.conflicts);
        // Which place it is, and whose the lines there are, the log may know.
        let is_of_lines = |one: &UndoConflict| {
            one.hunk.is_some() || matches!(one.why, Obstacle::PutByOther | Obstacle::TakenAway | Obstacle::Uncertain)
        };
        let is_in_doubt = !conflicts.is_empty() && conflicts.iter().all(is_of_lines);
        let by_the_log = || self.patch_by_the_log(around, current, &step.record);
        is_in_doubt.then(by_the_log).flatten().map_or(found, |patch| Ok(Carried::whole(patch)))
    }

    fn find_patch(&self, step: &Step, current: &[u8], around: Around<'_>, misfits: Misfits) -> Found {
        let file = &self.record.files[self.file];
        let nothing = || Carried::whole(FilePatch::unchanged(current.len()));
        let is_as_before = self.is_of_all() && is_text(current, file.before) && file.before != file.after;
        if is_as_before && !self.is_there_by_the_log(around, current) {
            return Ok(nothing());
        }
        let Some((_, after)) = self.texts.both(file) else {
            return Err(vec![step.conflict(Obstacle::NotKept)]);
        };
        let (remade, left) = (self.remade(around), self.left(around));
        if remade.is_some() && left.is_empty() {
            let cannot_be =
                file.edit(&self.texts).is_some_and(|edit| self.cannot_be_taken_back(&edit, around, current));
            return if cannot_be { Err(vec![step.conflict(Obstacle::StandsElsewhere)]) } else { Ok(nothing()) };
        }
        if let Some(patch) = self.exactly(after).filter(|_| current == after && remade.is_none()) {
            if let Some(edit) = file.edit(&self.texts) {
                self.is_not_of_others(&edit, &patch, around, current).map_err(|doubt| vec![step.in_doubt(doubt)])?;
            }
            return Ok(Carried::whole(patch));
        }
        // What is no text has no lines: only all of it tells.
        let is_binary =
            || file.encoding.is_none() && [after, current].iter().any(|text| memchr::memchr(0, text).is_some());
        if file.before != file.after && is_binary() {
            return Err(vec![step.conflict(Obstacle::LinesChanged)]);
        }
        // What was done to it since may be taken back here, too.
        let is_it = |text: &[u8]| text == current || are_versions(text, current);
        let may_be = || is_it(after) || is_it(what_became_of(after, around.later));
        if self.is_bare_rename() && !may_be() {
            return Err(vec![step.conflict(Obstacle::OtherFile)]);
        }
        let changed = || Err(vec![step.conflict(Obstacle::LinesChanged)]);
        let Some(read) = AsRead::of(file, &self.texts, around, current) else {
            let today = Today { file, texts: &self.texts, current, around };
            let carried = self.by_proof(step, &today, misfits)?;
            let result = carried.patch.apply(current);
            return if self.would_mix(current, &result) { changed() } else { Ok(carried) };
        };
        let today = Today { file: &read.file, texts: &read.texts, current: read.current(), around: read.around() };
        let carried = self.by_proof(step, &today, misfits)?;
        let left = read.texts.after().unwrap_or_default();
        let is_mixed = mixes_endings(left, read.current(), &carried.patch.apply(read.current()));
        match read.in_bytes(&carried.patch, current).filter(|_| !is_mixed) {
            Some(patch) => Ok(Carried { patch, ..carried }),
            None => changed(),
        }
    }

    /// Whether a text that is to be written would have the line endings, or the encoding, of the file and those of the record, or a byte order mark within.
    pub(super) fn would_mix(&self, current: &[u8], result: &[u8]) -> bool {
        let left = self.texts.after().unwrap_or_default();
        mixes_encodings(left, current, result)
            || mixes_endings(left, current, result)
            || misplaces_mark(current, result)
    }

    /// Whether none of its changes, as they are in an edit, is of what is to be taken back and of what is to stay.
    pub(super) fn is_told_apart_in(&self, edit: &Edit<'_>) -> bool {
        self.splices.as_ref().is_none_or(|some| edit.tells_apart(some))
    }

    /// Whether a line that only the record wrote stands in a text.
    pub(super) fn has_traces(&self, text: &[u8]) -> bool {
        match (self.texts.before(), self.texts.after()) {
            (Some(before), Some(after)) => has_own_line(before, after, text),
            _ => false,
        }
    }

    /// Whether a text may lack what the record deleted for another reason.
    pub(super) fn is_lacked_for_another_reason(&self, text: &[u8]) -> bool {
        let file = &self.record.files[self.file];
        let is_lacked = |file: &RecordFile, texts: &RecordedTexts, text: &[u8]| {
            file.edit(texts).is_some_and(|edit| is_lacked_for_another_reason(&edit, self.splices.as_deref(), text))
        };
        match AsRead::of(file, &self.texts, Around { earlier: &[], later: &[] }, text) {
            Some(read) => is_lacked(&read.file, &read.texts, read.current()),
            None => is_lacked(file, &self.texts, text),
        }
    }

    /// What is proven to be in force of the record in a text is taken back.
    fn by_proof(&self, step: &Step, today: &Today<'_>, misfits: Misfits) -> Result<Carried, Vec<UndoConflict>> {
        let Today { file, texts, current, around } = *today;
        let Some(edit) = file.edit(texts) else {
            return Err(vec![step.conflict(Obstacle::NotKept)]);
        };
        let left = self.left(around);
        let wanted = if self.remade(around).is_some() { Wanted::Only(&left) } else { self.wanted() };
        let answer = self.answer(edit.clone(), wanted, around, current);
        let fits = answer.patch_of_what_fits();
        let in_doubt = |doubt| vec![step.in_doubt(doubt)];
        self.is_not_of_others(&edit, fits, around, current).map_err(in_doubt)?;
        let may_be_of_others = !fits.is_empty() && !self.remade.was_so();
        if may_be_of_others && self.is_of_others_since(&edit, &answer.not_done(), around, current).map_err(in_doubt)? {
            let cannot_be = self.cannot_be_taken_back(&edit, around, current);
            let unchanged = || Carried::whole(FilePatch::unchanged(current.len()));
            return if cannot_be { Err(vec![step.conflict(Obstacle::StandsElsewhere)]) } else { Ok(unchanged()) };
        }
        match answer.outcome() {
            Outcome::Write(_) | Outcome::AlreadyDone if self.was_moved_away(&edit, &answer, (around, current)) => {
                Err(vec![step.conflict(Obstacle::StandsElsewhere)])
            }
            Outcome::Write(patch) if is_as_well_of_another(&edit, &patch, around.later, current) => {
                Err(vec![step.conflict(Obstacle::Uncertain)])
            }
            Outcome::Write(patch) => Ok(Carried::whole(patch)),
            Outcome::AlreadyDone => Ok(Carried::whole(FilePatch::unchanged(current.len()))),
            Outcome::Refused(refused) => {
                let told = refused.iter().map(|(judged, refusal)| {
                    let of_file = step.conflict(Obstacle::LinesChanged);
                    today.told(of_file, judged, refusal)
                });
                let conflicts: Vec<UndoConflict> = told.collect();
                match misfits {
                    Misfits::Refused | Misfits::Skipped => Err(conflicts),
                    Misfits::Marked => {
                        let (patch, stays) = marked(&answer, current, &self.record.id);
                        Ok(Carried { patch, conflicts, stays })
                    }
                }
            }
        }
    }

    /// Whether some hunks of it are taken back in a text, and others are there.
    pub(super) fn is_done_in_part(&self, around: Around<'_>, current: &[u8]) -> bool {
        let file = &self.record.files[self.file];
        let is_so = |file: &RecordFile, texts: &RecordedTexts, around: Around<'_>, current: &[u8]| {
            let answer = file.edit(texts).map(|edit| self.answer(edit, self.wanted(), around, current));
            answer.is_some_and(|answer| {
                let has = |is_it: fn(&Verdict) -> bool| answer.hunks().iter().any(|hunk| is_it(&hunk.verdict));
                has(|verdict| *verdict == Verdict::AlreadyDone) && has(|verdict| matches!(verdict, Verdict::Write(_)))
            })
        };
        match AsRead::of(file, &self.texts, around, current) {
            Some(read) => is_so(&read.file, &read.texts, read.around(), read.current()),
            None => is_so(file, &self.texts, around, current),
        }
    }

    /// What was undone meanwhile is left out of what the log has done since, if that can be, and, where a hunk is left open, what came
    /// after the file was as it is: somebody took that back.
    fn answer(&self, edit: Edit<'_>, wanted: Wanted<'_>, around: Around<'_>, current: &[u8]) -> Answer {
        let by =
            |edit: &Edit<'_>, later: &[Edit<'_>]| answer(edit.clone(), wanted, Direction::TakeBack, later, current);
        let by_log = |around: Around<'_>| {
            let later: Vec<Edit<'_>> = around.later.iter().filter_map(|known| known.file.edit(&known.texts)).collect();
            by(&edit, &later)
        };
        let without = |around: Around<'_>| {
            let left = around.left(&self.record.id, &edit).filter(|left| self.is_told_apart_in(&left.edit))?;
            Some(by(&left.edit, &left.later))
        };
        let is_whole = |answer: &Answer| answer.refusals().next().is_none();
        let first = by_log(around);
        if let Some(answer) = self.by_the_log_alone(&edit, &first, around, current) {
            return answer;
        }
        // Somebody took back what was done since the file was as it is.
        let was_so = around.until(current);
        if let Some(answer) = was_so.and_then(|so| self.by_the_log_alone(&edit, &by_log(so), so, current)) {
            return answer;
        }
        let other = || without(around).filter(is_whole);
        if is_whole(&first) {
            // A place that was led past an edit and past its undo may be beside where it was; lines that stand just once tell it themselves.
            let changed = lines_changed(current, first.patch_of_what_fits());
            let gone: Vec<&Range<usize>> = changed.iter().map(|(gone, _)| gone).collect();
            let is_told = gone.iter().all(|gone| !gone.is_empty()) && stand_once(current, &gone);
            return if is_told { first } else { other().unwrap_or(first) };
        }
        let other = other().or_else(|| was_so.map(by_log).filter(is_whole));
        let other = other.or_else(|| was_so.and_then(without).filter(is_whole));
        other.or_else(|| self.by_a_longer_run(&edit, around, current)).unwrap_or(first)
    }

    pub(super) fn wanted(&self) -> Wanted<'_> {
        self.splices.as_deref().map_or(Wanted::All, Wanted::Only)
    }

    /// Whether all splices are meant, by their numbers too.
    pub(super) fn is_of_all(&self) -> bool {
        let all = self.record.files[self.file].splices.count();
        self.splices.as_ref().is_none_or(|some| (0..all).all(|n| some.contains(&n)))
    }

    /// What of it is another record's, by all that was done since.
    pub(super) fn remade(&self, around: Around<'_>) -> Option<Remade> {
        self.remade.since()?.still(around.later)
    }

    /// The splices that are to be taken back and that no other record did again.
    fn left(&self, around: Around<'_>) -> Vec<usize> {
        let remade = self.remade(around).map(|remade| remade.changes()).unwrap_or_default();
        let is_own = |n: &usize| !remade.contains(n);
        let all = 0..self.record.files[self.file].splices.count();
        let wanted = self.splices.as_ref().map_or_else(|| all.collect(), Clone::clone);
        wanted.into_iter().filter(is_own).collect()
    }

    /// Where the file is as the record left it, its splices go back, as small as they can be.
    fn exactly(&self, after: &[u8]) -> Option<FilePatch> {
        let pieces = self.record.files[self.file].undo_pieces(&self.texts, self.splices.as_deref())?;
        FilePatch::new(after.len(), pieces.into_iter().map(|(_, piece)| piece).collect()).ok()
    }
}

/// Whether no line in some ranges of a text stands there twice, be it with other white space around it.
fn stand_once(text: &[u8], ranges: &[&Range<usize>]) -> bool {
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    let lines = |text| split_lines(text).map(<[u8]>::trim_ascii);
    counts.extend(ranges.iter().flat_map(|range| lines(&text[(*range).clone()])).map(|line| (line, 0)));
    lines(text).for_each(|line| {
        counts.entry(line).and_modify(|count| *count += 1);
    });
    counts.into_values().all(|count| count == 1)
}

/// The last text that the log has of the file that was left as `after`: each record went on from the one before it.
fn what_became_of<'a>(after: &'a [u8], later: &'a [Arc<Known>]) -> &'a [u8] {
    later
        .iter()
        .filter_map(|known| known.texts.both(&known.file))
        .fold(after, |last, (before, after)| if before == last || are_versions(before, last) { after } else { last })
}

/// Whether bytes are the ones that an id names.
pub(super) fn is_text(bytes: &[u8], id: Option<BlobId>) -> bool {
    id.is_some_and(|id| blob_id(bytes) == id)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::remade::tests::{edit_of, id, known};
    use super::*;
    use crate::record::file_of_record::tests::record;
    use crate::record::{RecordClass, SpliceList};
    use crate::strategy::Strategy;

    /// Record `n`, which led from one text of `f` to another, with these permission bits before and after.
    pub(in super::super) fn edited(n: u8, texts: [&str; 2], modes: (u32, u32)) -> Step {
        let done = known(n, RecordClass::Edit, &[], texts);
        let mut record = Record { id: id(n), ..record(n, "f") };
        record.files[0] = RecordFile { mode_before: Some(modes.0), mode_after: Some(modes.1), ..done.file.clone() };
        Step::carry(&Rc::new(record), 0, done.texts.clone(), None)
    }

    /// The same of one that made `f`, of which the text is known or not.
    pub(in super::super) fn made(n: u8, text: Option<&str>) -> Step {
        let done = known(n, RecordClass::Edit, &[], ["", text.unwrap_or_default()]);
        let record = Record { id: id(n), files: vec![done.file.clone()], ..record(n, "f") };
        Step::remove(&record, 0, text.map(|_| done.texts.clone()).unwrap_or_default())
    }

    /// The same of one that removed `f`.
    pub(in super::super) fn removed(n: u8, text: &str, mode: u32) -> Step {
        let done = known(n, RecordClass::Edit, &[], [text, ""]);
        let mut record = Record { id: id(n), files: vec![done.file.clone()], ..record(n, "f") };
        record.files[0].mode_before = Some(mode);
        Step::restore(&record, 0, Some(text.into()))
    }

    #[test]
    fn a_file_became_what_those_records_left_that_went_on_from_its_text() {
        let became = |left: &'static str, later: &[[&str; 2]]| {
            let later: Vec<Arc<Known>> = later.iter().map(|texts| edit_of(*texts)).collect();
            String::from_utf8(what_became_of(left.as_bytes(), &later).to_vec()).expect("UTF-8")
        };
        let (one, two) = ("one\ntwo\nthree\n", "one\ntwo\nthree\nfour\n");
        assert_eq!(became(one, &[[one, two], [two, "other\n"]]), "other\n");
        // Somebody edited it in between.
        assert_eq!(became(one, &[["one\nzwei\nthree\n", two]]), two);
        // Another file had its name for a while.
        assert_eq!(became(one, &[["x\ny\n", "x\nz\n"]]), one);
        assert_eq!(became(one, &[["x\ny\n", "x\nz\n"], [one, two]]), two);
    }

    /// An edit of `f` that leads from one text to another, of the lines that differ, with something else about the file.
    fn carried([before, after]: [&str; 2], other: impl FnOnce(&mut RecordFile)) -> Step {
        let done =
            if before == after { known(7, RecordClass::Edit, &[], [before, after]) } else { edit_of([before, after]) };
        let mut record = Record { id: id(7), ..record(7, "f") };
        record.files[0] = done.file.clone();
        if before == after {
            record.files[0].splices = SpliceList::new(before.len(), &[]).expect("none");
        }
        other(&mut record.files[0]);
        Step::carry(&Rc::new(record), 0, done.texts.clone(), None)
    }

    /// What a text becomes without an edit that nobody went on from; none where that is refused.
    fn without(step: &Step, current: &str) -> Option<String> {
        let What::Carry(carry) = &step.what else { panic!("an edit") };
        let around = Around { earlier: &[], later: &[] };
        let done = carry.find_anew(step, current.as_bytes(), around, Misfits::Refused).ok();
        done.map(|done| String::from_utf8(done.patch.apply(current.as_bytes())).expect("UTF-8"))
    }

    #[test]
    fn an_edit_of_what_is_no_text_goes_as_a_whole_or_not_at_all() {
        let texts = ["a\nb\0\nc\nold\nd\ne\n", "a\nb\0\nc\nnew\nd\ne\n"];
        let step = carried(texts, |_| ());
        let without = |current: &str| without(&step, current);
        assert_eq!([texts[1], texts[0]].map(without), [Some(texts[0].to_owned()), Some(texts[0].to_owned())]);
        assert_eq!(without("a\nb\0\nc\nnew\nd\ne\nmore\n"), None);
        assert_eq!(without("a\nb\nc\nnew\nd\ne\n"), None, "it was none");
    }

    #[test]
    fn an_edit_of_the_bits_alone_leaves_any_text_as_it_is() {
        let step = carried(["a\0\n", "a\0\n"], |file| file.mode_after = Some(0o755));
        for current in ["a\0\n", "other\0\n", "no line\nof it\n"] {
            assert_eq!(without(&step, current).as_deref(), Some(current));
        }
    }

    #[test]
    fn a_file_that_was_renamed_with_an_edit_is_known_by_its_lines_and_one_that_was_only_renamed_by_its_text() {
        let (old, new) = ("a\nb\nold\nc\nd\n", "a\nb\nnew\nc\nd\n");
        let renamed = |file: &mut RecordFile| file.change = ChangeKind::Rename;
        let rest: String = (0..20).map(|n| format!("line {n}\n")).collect();
        let edited = carried([old, new], renamed);
        assert_eq!(without(&edited, &format!("{rest}{new}")), Some(format!("{rest}{old}")));
        let bare = carried([new, new], renamed);
        assert_eq!(without(&bare, &format!("{new}e\n")), Some(format!("{new}e\n")));
        assert_eq!(without(&bare, &format!("{rest}{new}")), None);
    }

    #[test]
    fn an_edit_is_done_in_part_where_some_hunks_are_taken_back_and_others_could_be() {
        let lines = |changed: &[(usize, &str)]| -> String {
            let line = |n| {
                changed
                    .iter()
                    .find(|(at, _)| *at == n)
                    .map_or_else(|| format!("line {n}\n"), |(_, line)| format!("{line}\n"))
            };
            (0..40).map(line).collect()
        };
        let (before, after) = (lines(&[]), lines(&[(5, "new 5"), (30, "new 30")]));
        let rows = [5, 30].map(|n: usize| {
            let at = before.find(&format!("line {n}\n")).expect("a line");
            (at, format!("line {n}").len(), format!("new {n}").len(), 0, Strategy::Exact)
        });
        let step =
            carried([&before, &after], |file| file.splices = SpliceList::new(before.len(), &rows).expect("in order"));
        let What::Carry(carry) = &step.what else { panic!("an edit") };
        let is_so = |text: &str| carry.is_done_in_part(Around { earlier: &[], later: &[] }, text.as_bytes());
        assert!(is_so(&lines(&[(5, "new 5")])) && is_so(&lines(&[(30, "new 30")])));
        assert!(!is_so(&before) && !is_so(&after));
        assert!(!is_so(&lines(&[(30, "other")])) && !is_so(&lines(&[(5, "new 5"), (30, "other")])));
        let unknown = Step::carry(&carry.record, 0, RecordedTexts::default(), None);
        let What::Carry(unknown) = &unknown.what else { panic!("an edit") };
        assert!(!unknown.is_done_in_part(Around { earlier: &[], later: &[] }, before.as_bytes()));
    }
}
