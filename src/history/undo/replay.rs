//! What is to become of one file: the steps that undo records in it, from the text as it is to the text as it will be.
//!
//! Owns running these steps, with conflict markers where they are wanted. Touches no disk.
//! Invariant: what a step takes back is proven to be in force, or known to be taken back already; else it is a conflict.

use crate::change::ChangeKind;
use crate::git::blob_id;
use crate::history::error::{HistoryError, Obstacle, UndoConflict};
use crate::history::reader::{History, Item};
use crate::history::undo::known::Known;
use crate::history::undo::likeness::are_versions;
use crate::history::undo::markers::marked;
use crate::history::undo::request::Misfits;
use crate::history::undo::told::Today;
use crate::id::{BlobId, RecordId};
use crate::patch::FilePatch;
use crate::patch::algebra::compose;
use crate::patch::take_back::{Direction, Edit, Outcome, Wanted, answer};
use crate::path::RepoPath;
use crate::record::{Record, RecordedTexts, Target};

/// One file, as it is on disk and as it will be.
#[derive(Debug)]
pub struct Slot {
    /// Where it is; none where there is no file.
    pub disk: Option<RepoPath>,
    /// Where it will be; none where it goes.
    pub now: Option<RepoPath>,
    /// What it inverts.
    pub targets: Vec<Target>,
    steps: Vec<Step>,
    /// What the log has of the file, oldest first; empty where it was not asked, or has too much.
    known: Vec<Known>,
    /// Whether nothing would change.
    pub(crate) is_idle: bool,
}

/// One record in one file.
#[derive(Debug)]
pub struct Step {
    record: RecordId,
    path: RepoPath,
    modes: (Option<u32>, Option<u32>),
    what: What,
}

#[derive(Debug)]
enum What {
    /// Take the splices out again.
    Carry(Box<Carry>),
    /// The record made the file: it goes, if it is as it was made.
    Remove { after: Option<BlobId>, length: usize },
    /// The record removed the file: it comes back.
    Restore { before: Option<BlobId>, text: Option<Vec<u8>> },
}

#[derive(Debug)]
struct Carry {
    record: Record,
    file: usize,
    texts: RecordedTexts,
    splices: Option<Vec<usize>>,
    /// Whether the text after is known only if the file still has it.
    needs_base: bool,
}

/// A file after the steps.
#[derive(Debug)]
pub struct Replayed {
    /// None where it goes.
    pub text: Option<Vec<u8>>,
    /// From the text that was given (nothing where there was none).
    pub patch: FilePatch,
    /// Where markers were put.
    pub conflicts: Vec<UndoConflict>,
    /// Whether the file had changed since the record, and those changes stay.
    pub kept_later: bool,
}

/// One file of a record that is to be taken back: what is to be done, and where the file is before and after it.
#[derive(Debug)]
pub(crate) struct OneFile {
    pub(crate) step: Step,
    /// None where there is no file.
    pub(crate) disk: Option<RepoPath>,
    /// None where it goes.
    pub(crate) now: Option<RepoPath>,
}

impl OneFile {
    /// File `n` of a record, or some of its splices.
    ///
    /// # Errors
    /// Where its texts are damaged.
    pub(crate) fn new(
        history: &History<'_>,
        item: &Item,
        record: &Record,
        n: usize,
        splices: Option<Vec<usize>>,
    ) -> Result<Self, HistoryError> {
        let file = &record.files[n];
        let path = Some(file.path.clone());
        let mut texts = history.texts(item, record, n)?;
        match file.change {
            ChangeKind::Delete => {
                return Ok(Self { step: Step::restore(record, n, texts.into_before()), disk: None, now: path });
            }
            ChangeKind::Create => return Ok(Self { step: Step::remove(record, n), disk: path, now: None }),
            ChangeKind::Modify | ChangeKind::Rename => {}
        }
        if let (None, Some(after)) = (texts.before(), texts.after())
            && let Some(before) = history.inverted(item, n, after)
        {
            texts = texts.with_before(file, before).unwrap_or_default();
        }
        let now = match &file.from {
            Some(from) if splices.is_none() => Some(from.clone()),
            _ => path.clone(),
        };
        Ok(Self { step: Step::carry(record, n, texts, splices), disk: path, now })
    }
}

impl Step {
    fn carry(record: &Record, n: usize, texts: RecordedTexts, splices: Option<Vec<usize>>) -> Self {
        let file = &record.files[n];
        let needs_base = texts.after().is_none();
        let what = What::Carry(Box::new(Carry { record: record.clone(), file: n, texts, splices, needs_base }));
        Self { record: record.id.clone(), path: file.path.clone(), modes: (file.mode_before, file.mode_after), what }
    }

    fn remove(record: &Record, n: usize) -> Self {
        let file = &record.files[n];
        Self {
            record: record.id.clone(),
            path: file.path.clone(),
            modes: (None, None),
            what: What::Remove { after: file.after, length: file.splices.after_len() },
        }
    }

    fn restore(record: &Record, n: usize, text: Option<Vec<u8>>) -> Self {
        let file = &record.files[n];
        let modes = (file.mode_before, None);
        Self {
            record: record.id.clone(),
            path: file.path.clone(),
            modes,
            what: What::Restore { before: file.before, text },
        }
    }

    fn conflict(&self, why: Obstacle) -> UndoConflict {
        let path = self.path.to_string_lossy();
        UndoConflict::of_file(self.record.clone(), path, why)
    }
}

impl Slot {
    /// A file that is on disk, as far as the records know.
    pub(crate) fn at(path: &RepoPath) -> Self {
        Self {
            disk: Some(path.clone()),
            now: Some(path.clone()),
            targets: Vec::new(),
            steps: Vec::new(),
            known: Vec::new(),
            is_idle: false,
        }
    }

    /// A file that is not.
    pub(crate) fn absent() -> Self {
        Self { disk: None, now: None, targets: Vec::new(), steps: Vec::new(), known: Vec::new(), is_idle: false }
    }

    pub(crate) fn add(&mut self, step: Step, now: Option<RepoPath>, target: Target) {
        self.steps.push(step);
        self.now = now;
        self.targets.push(target);
    }

    /// Leaves the step of a record out; all of them where one depends on another.
    pub(crate) fn leave_out(&mut self, record: &RecordId) {
        let is_plain = self.disk == self.now && self.steps.iter().all(|step| matches!(step.what, What::Carry(_)));
        let is_other = |id: &RecordId| is_plain && id != record;
        self.steps.retain(|step| is_other(&step.record));
        self.targets.retain(|target| is_other(&target.id));
        if self.steps.is_empty() {
            (self.disk, self.now) = (None, None);
        }
    }

    /// The text that the first step looks for, by blob id and length, where it can be looked for under another name.
    pub(crate) fn wanted(&self) -> Option<(BlobId, usize)> {
        match &self.steps.first()?.what {
            What::Carry(carry) => {
                let file = &carry.record.files[carry.file];
                Some((file.after?, file.splices.after_len()))
            }
            What::Remove { after, length } if *length > 0 => Some(((*after)?, *length)),
            What::Remove { .. } | What::Restore { .. } => None,
        }
    }

    /// Where the file was before the record renamed it, where that is all that is to be taken back.
    pub(crate) fn before_rename(&self) -> Option<&RepoPath> {
        match self.steps.as_slice() {
            [step] if matches!(step.what, What::Carry(_)) && self.now != self.disk => self.now.as_ref(),
            _ => None,
        }
    }

    /// Whether a text is that of the file before the first step's record, or what became of it.
    pub(crate) fn was_before(&self, text: &[u8]) -> bool {
        match self.steps.first().map(|step| &step.what) {
            Some(What::Carry(carry)) => {
                let of_record = [carry.texts.before(), carry.texts.after()];
                is_text(text, carry.record.files[carry.file].before)
                    || of_record.into_iter().flatten().any(|one| are_versions(one, text))
            }
            Some(What::Remove { .. } | What::Restore { .. }) | None => false,
        }
    }

    /// Whether a text is the one that the only step would bring back.
    pub(crate) fn is_restored_as(&self, text: &[u8]) -> bool {
        matches!(self.steps.as_slice(), [Step { what: What::Restore { before, .. }, .. }] if is_text(text, *before))
    }

    /// The user renamed the file; that stays.
    pub(crate) fn was_renamed_to(&mut self, path: RepoPath) {
        self.now = self.now.as_ref().map(|_| path.clone());
        self.disk = Some(path);
    }

    /// Permission bits to set on a file that has `current`: those of before the record, if it set the ones that the file has.
    pub fn mode(&self, current: Option<u32>) -> Option<u32> {
        let mut mode = current;
        for step in &self.steps {
            match (&step.what, step.modes) {
                (What::Restore { .. }, (Some(before), _)) => mode = Some(before),
                (What::Carry(_), (Some(before), Some(after))) if before != after && mode == Some(after) => {
                    mode = Some(before);
                }
                _ => {}
            }
        }
        mode.filter(|_| mode != current)
    }

    /// Whether any of the records changed the permission bits.
    pub(crate) fn changes_mode(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.modes, (Some(before), Some(after)) if before != after))
    }

    /// Fills in what only the file itself still has: the text that an unkept record left.
    pub(crate) fn find_base(&mut self, text: Option<&[u8]>) {
        let Some(text) = text else { return };
        for step in &mut self.steps {
            if let What::Carry(carry) = &mut step.what {
                let file = &carry.record.files[carry.file];
                let texts = std::mem::take(&mut carry.texts);
                carry.texts = if carry.needs_base && is_text(text, file.after) {
                    texts.with_after(file, text.to_vec()).unwrap_or_default()
                } else {
                    texts
                };
            }
        }
    }

    /// Whether a text is not the one that the first step's record left, so that its place must be found.
    pub(crate) fn is_changed(&self, text: &[u8]) -> bool {
        match self.steps.first().map(|step| &step.what) {
            Some(What::Carry(carry)) => !is_text(text, carry.record.files[carry.file].after),
            Some(What::Remove { .. } | What::Restore { .. }) | None => false,
        }
    }

    /// The record of the last step, the oldest, and where its file was.
    pub(crate) fn oldest(&self) -> Option<(&RecordId, &RepoPath)> {
        self.steps.last().map(|step| (&step.record, &step.path))
    }

    /// Takes what the log has of the file, oldest first.
    pub(crate) fn learn(&mut self, known: Vec<Known>) {
        self.known = known;
    }

    /// What the log knows to have been done to the file after a step's record.
    fn later(&self, step: &Step) -> &[Known] {
        let own = self.known.iter().position(|known| known.id == step.record);
        own.and_then(|own| self.known.get(own + 1..)).unwrap_or_default()
    }

    /// Runs the steps on a text (none where there is no file).
    ///
    /// # Errors
    /// What does not fit; with markers only what no marker can stand for.
    pub fn replay(&self, text: Option<&[u8]>, misfits: Misfits) -> Result<Replayed, Vec<UndoConflict>> {
        let base_len = text.map_or(0, <[u8]>::len);
        let identity = FilePatch::unchanged(base_len);
        let mut out =
            Replayed { text: text.map(<[u8]>::to_vec), patch: identity, conflicts: Vec::new(), kept_later: false };
        for step in &self.steps {
            let patch = match (&step.what, &out.text) {
                (What::Carry(_), None) => return Err(vec![step.conflict(Obstacle::Gone)]),
                // It is gone already, and its place is what it was.
                (What::Remove { .. }, None) => continue,
                (What::Restore { .. }, Some(_)) => return Err(vec![step.conflict(Obstacle::Taken)]),
                (What::Restore { text: None, .. }, None) => return Err(vec![step.conflict(Obstacle::NotKept)]),
                (What::Restore { text: Some(old), .. }, None) => {
                    let patch = FilePatch::whole(0, old.clone());
                    // The place may be that of a file that an earlier step took away.
                    let length = out.patch.result_len();
                    out.patch = compose(&out.patch, &FilePatch::whole(length, old.clone()));
                    out.text = Some(patch.apply(&[]));
                    continue;
                }
                (What::Remove { after, .. }, Some(current)) => {
                    if !is_text(current, *after) {
                        return Err(vec![step.conflict(Obstacle::ChangedSinceCreated)]);
                    }
                    out.patch = compose(&out.patch, &FilePatch::whole(current.len(), Vec::new()));
                    out.text = None;
                    continue;
                }
                (What::Carry(carry), Some(current)) => {
                    let (patch, conflicts) = carry.patch(step, current, self.later(step), misfits)?;
                    out.kept_later |= carry.texts.after() != Some(current);
                    out.conflicts.extend(conflicts);
                    patch
                }
            };
            out.text = out.text.map(|text| patch.apply(&text));
            out.patch = compose(&out.patch, &patch);
        }
        Ok(out)
    }
}

impl Carry {
    /// Whether the name is all that changed: then no line proves that the file is the one that got it.
    fn is_bare_rename(&self) -> bool {
        let file = &self.record.files[self.file];
        file.change == ChangeKind::Rename && file.before == file.after
    }

    fn patch(
        &self,
        step: &Step,
        current: &[u8],
        later: &[Known],
        misfits: Misfits,
    ) -> Result<(FilePatch, Vec<UndoConflict>), Vec<UndoConflict>> {
        let file = &self.record.files[self.file];
        let nothing = || FilePatch::unchanged(current.len());
        if self.splices.is_none() && is_text(current, file.before) && file.before != file.after {
            return Ok((nothing(), Vec::new()));
        }
        let Some((_, after)) = self.texts.both(file) else {
            return Err(vec![step.conflict(Obstacle::NotKept)]);
        };
        if let Some(patch) = self.exactly(after).filter(|_| current == after) {
            return Ok((patch, Vec::new()));
        }
        if self.is_bare_rename() && !are_versions(what_became_of(after, later), current) {
            return Err(vec![step.conflict(Obstacle::OtherFile)]);
        }
        let Some(edit) = file.edit(&self.texts) else {
            return Err(vec![step.conflict(Obstacle::NotKept)]);
        };
        let wanted = self.splices.as_deref().map_or(Wanted::All, Wanted::Only);
        let steps: Vec<Edit<'_>> = later.iter().filter_map(|known| known.file.edit(&known.texts)).collect();
        let answer = answer(edit, wanted, Direction::TakeBack, &steps, current);
        match answer.outcome() {
            Outcome::Write(patch) => Ok((patch, Vec::new())),
            Outcome::AlreadyDone => Ok((nothing(), Vec::new())),
            Outcome::Refused(refused) => {
                let today = Today { file, texts: &self.texts, current, later };
                let told = refused.iter().map(|(judged, refusal)| {
                    let of_file = step.conflict(Obstacle::LinesChanged);
                    today.told(of_file, judged, refusal)
                });
                let told = told.collect();
                match misfits {
                    Misfits::Refused | Misfits::Skipped => Err(told),
                    Misfits::Marked => Ok((marked(&answer, current, &self.record.id), told)),
                }
            }
        }
    }

    /// Where the file is as the record left it, its splices go back, as small as they can be.
    fn exactly(&self, after: &[u8]) -> Option<FilePatch> {
        let pieces = self.record.files[self.file].undo_pieces(&self.texts, self.splices.as_deref())?;
        FilePatch::new(after.len(), pieces.into_iter().map(|(_, piece)| piece).collect()).ok()
    }
}

/// The last text that the log has of the file that was left as `after`: each record went on from the one before it.
fn what_became_of<'a>(after: &'a [u8], later: &'a [Known]) -> &'a [u8] {
    later
        .iter()
        .filter_map(|known| known.texts.both(&known.file))
        .fold(after, |last, (before, after)| if before == last || are_versions(before, last) { after } else { last })
}

/// Whether bytes are the ones that an id names.
pub(crate) fn is_text(bytes: &[u8], id: Option<BlobId>) -> bool {
    id.is_some_and(|id| blob_id(bytes) == id)
}
