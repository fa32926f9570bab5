//! What is to become of one file: the steps that undo records in it, from the text as it is to the text as it will be.
//!
//! Owns running these steps, with conflict markers where they are wanted. Touches no disk.
//! Invariant: a step either finds exactly what its record left (around it, anything), or it is a conflict.

use crate::history::error::{Obstacle, UndoConflict};
use crate::history::query::hunks::file_hunks;
use crate::history::undo::plan::is_text;
use crate::id::{BlobId, RecordId};
use crate::patch::algebra::compose;
use crate::patch::carry::{Conflict, Fit, carry};
use crate::patch::{FilePatch, Origin, Replacement, Splice};
use crate::path::RepoPath;
use crate::record::{Record, RecordedTexts, Target};
use crate::strategy::Strategy;
use crate::text::{Lines, whole_lines};
use std::ops::Range;

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
    Remove(Option<BlobId>),
    /// The record removed the file: it comes back.
    Restore(Option<Vec<u8>>),
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
pub struct Outcome {
    /// None where it goes.
    pub text: Option<Vec<u8>>,
    /// From the text that was given (nothing where there was none).
    pub patch: FilePatch,
    /// Where markers were put.
    pub conflicts: Vec<UndoConflict>,
    /// Whether the file had changed since the record, and those changes stay.
    pub kept_later: bool,
}

impl Step {
    pub(crate) fn carry(
        record: &Record,
        n: usize,
        texts: RecordedTexts,
        splices: Option<Vec<usize>>,
        inverted: impl Fn(&[u8]) -> Option<Vec<u8>>,
    ) -> Self {
        let file = &record.files[n];
        let mut texts = texts;
        if let (None, Some(after)) = (texts.before(), texts.after())
            && let Some(before) = inverted(after)
        {
            texts = texts.with_before(file, before).unwrap_or_default();
        }
        let needs_base = texts.after().is_none();
        let what = What::Carry(Box::new(Carry { record: record.clone(), file: n, texts, splices, needs_base }));
        Self { record: record.id.clone(), path: file.path.clone(), modes: (file.mode_before, file.mode_after), what }
    }

    pub(crate) fn remove(record: &Record, n: usize) -> Self {
        let file = &record.files[n];
        Self { record: record.id.clone(), path: file.path.clone(), modes: (None, None), what: What::Remove(file.after) }
    }

    pub(crate) fn restore(record: &Record, n: usize, text: Option<Vec<u8>>) -> Self {
        let file = &record.files[n];
        let modes = (file.mode_before, None);
        Self { record: record.id.clone(), path: file.path.clone(), modes, what: What::Restore(text) }
    }

    fn conflict(&self, why: Obstacle) -> UndoConflict {
        let path = self.path.to_string_lossy();
        UndoConflict { record: self.record.clone(), path, hunk: None, why, lines: None }
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
            is_idle: false,
        }
    }

    /// A file that is not.
    pub(crate) fn absent() -> Self {
        Self { disk: None, now: None, targets: Vec::new(), steps: Vec::new(), is_idle: false }
    }

    pub(crate) fn add(&mut self, step: Step, now: Option<RepoPath>, target: Target) {
        self.steps.push(step);
        self.now = now;
        self.targets.push(target);
    }

    /// The text that the first step looks for, by blob id and length, where it can be looked for under another name.
    pub(crate) fn wanted(&self) -> Option<(BlobId, usize)> {
        match &self.steps.first()?.what {
            What::Carry(carry) => {
                let file = &carry.record.files[carry.file];
                Some((file.after?, file.splices.after_len()))
            }
            What::Remove(_) | What::Restore(_) => None,
        }
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
                (What::Restore(_), (Some(before), _)) => mode = Some(before),
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

    /// Runs the steps on a text (none where there is no file).
    ///
    /// # Errors
    /// What does not fit; with `markers` only what no marker can stand for.
    pub fn replay(&self, text: Option<&[u8]>, markers: bool) -> Result<Outcome, Vec<UndoConflict>> {
        let base_len = text.map_or(0, <[u8]>::len);
        let identity = FilePatch::unchanged(base_len);
        let mut out =
            Outcome { text: text.map(<[u8]>::to_vec), patch: identity, conflicts: Vec::new(), kept_later: false };
        for step in &self.steps {
            let patch = match (&step.what, &out.text) {
                (What::Carry(_) | What::Remove(_), None) => return Err(vec![step.conflict(Obstacle::Gone)]),
                (What::Restore(_), Some(_)) => return Err(vec![step.conflict(Obstacle::Taken)]),
                (What::Restore(None), None) => return Err(vec![step.conflict(Obstacle::NotKept)]),
                (What::Restore(Some(old)), None) => {
                    let patch = FilePatch::whole(0, old.clone());
                    // The place may be that of a file that an earlier step took away.
                    let length = out.patch.result_len();
                    out.patch = compose(&out.patch, &FilePatch::whole(length, old.clone()));
                    out.text = Some(patch.apply(&[]));
                    continue;
                }
                (What::Remove(after), Some(current)) => {
                    if !is_text(current, *after) {
                        return Err(vec![step.conflict(Obstacle::ChangedSinceCreated)]);
                    }
                    out.patch = compose(&out.patch, &FilePatch::whole(current.len(), Vec::new()));
                    out.text = None;
                    continue;
                }
                (What::Carry(carry), Some(current)) => {
                    let (patch, conflicts) = carry.patch(step, current, markers)?;
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
    fn patch(
        &self,
        step: &Step,
        current: &[u8],
        markers: bool,
    ) -> Result<(FilePatch, Vec<UndoConflict>), Vec<UndoConflict>> {
        let file = &self.record.files[self.file];
        let nothing = || FilePatch::unchanged(current.len());
        if self.splices.is_none() && is_text(current, file.before) && file.before != file.after {
            return Ok((nothing(), Vec::new()));
        }
        let pieces = file.undo_pieces(&self.texts, self.splices.as_deref());
        let (Some((before, after)), Some(numbered)) = (self.texts.both(file), pieces) else {
            return Err(vec![step.conflict(Obstacle::NotKept)]);
        };
        let pieces: Vec<Splice> = numbered.iter().map(|(_, piece)| piece.clone()).collect();
        let found = match carry(&pieces, after, current, Fit::Bytes) {
            Ok(patch) => return Ok((patch, Vec::new())),
            Err(found) => found,
        };
        let told = self.told(step, &numbered, &found, current);
        if !markers {
            return Err(told);
        }
        Ok((self.marked(&numbered, found, before, after, current), told))
    }

    /// The conflicts, with hunks and lines.
    fn told(&self, step: &Step, numbered: &[(usize, Splice)], found: &[Conflict], current: &[u8]) -> Vec<UndoConflict> {
        let file = &self.record.files[self.file];
        let hunks = file_hunks(file, &self.texts);
        let lines = Lines::new(current);
        found
            .iter()
            .map(|conflict| {
                let splice = numbered[conflict.splice].0;
                let hunk = hunks.iter().position(|hunk| hunk.splices.contains(&splice)).map(|n| n + 1);
                let near = &conflict.near;
                let last = near.end.max(near.start + 1) - 1;
                UndoConflict {
                    record: step.record.clone(),
                    path: step.path.to_string_lossy(),
                    hunk,
                    why: Obstacle::Misfit(conflict.misfit),
                    lines: Some((lines.number_at(near.start), lines.number_at(last.min(current.len())))),
                }
            })
            .collect()
    }

    /// What fits is carried; where something does not, both versions stand between markers.
    fn marked(
        &self,
        numbered: &[(usize, Splice)],
        found: Vec<Conflict>,
        before: &[u8],
        after: &[u8],
        current: &[u8],
    ) -> FilePatch {
        let file = &self.record.files[self.file];
        let mut stuck: Vec<(usize, Range<usize>)> = found.into_iter().map(|c| (c.splice, c.near)).collect();
        loop {
            let fitting: Vec<(usize, Splice)> = numbered
                .iter()
                .enumerate()
                .filter(|(n, _)| !stuck.iter().any(|(piece, _)| piece == n))
                .map(|(n, (_, piece))| (n, piece.clone()))
                .collect();
            let pieces: Vec<Splice> = fitting.iter().map(|(_, piece)| piece.clone()).collect();
            let patch = match carry(&pieces, after, current, Fit::Bytes) {
                Ok(patch) => patch,
                Err(more) => {
                    stuck.extend(more.into_iter().map(|c| (fitting[c.splice].0, c.near)));
                    continue;
                }
            };
            let mut regions = regions(&stuck, current);
            let overlapped = patch.splices().iter().zip(&fitting).find(|(splice, _)| {
                regions.iter().any(|(region, _)| splice.range.start <= region.end && region.start <= splice.range.end)
            });
            if let Some((splice, (n, _))) = overlapped {
                stuck.push((*n, splice.range.clone()));
                continue;
            }
            let mut splices = patch.splices().to_vec();
            for (region, pieces) in &mut regions {
                pieces.sort_unstable();
                let old: Vec<u8> = pieces
                    .iter()
                    .map(|&n| &file.splices.ranges()[numbered[n].0].before)
                    .filter(|range| !range.is_empty())
                    .flat_map(|range| before[whole_lines(before, range)].to_vec())
                    .collect();
                let replacement = between_markers(&current[region.clone()], &old, &self.record.id);
                let origin = Origin { edit: 0, strategy: Strategy::Exact };
                splices.push(Replacement { range: region.clone(), bytes: replacement }.by(origin));
            }
            return FilePatch::new(current.len(), splices).expect("regions are whole lines that no other splice meets");
        }
    }
}

/// Regions of whole lines, disjoint and in order, each with the pieces that are stuck there.
fn regions(stuck: &[(usize, Range<usize>)], text: &[u8]) -> Vec<(Range<usize>, Vec<usize>)> {
    let mut sorted: Vec<(Range<usize>, usize)> = stuck.iter().map(|(n, near)| (whole_lines(text, near), *n)).collect();
    sorted.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
    for (range, n) in sorted {
        match out.last_mut() {
            Some((last, pieces)) if range.start <= last.end => {
                last.end = last.end.max(range.end);
                pieces.push(n);
            }
            _ => out.push((range, vec![n])),
        }
    }
    out
}

fn between_markers(now: &[u8], old: &[u8], id: &RecordId) -> Vec<u8> {
    let mut out = b"<<<<<<< now\n".to_vec();
    let put = |text: &[u8], out: &mut Vec<u8>| {
        out.extend_from_slice(text);
        if !text.is_empty() && !text.ends_with(b"\n") {
            out.push(b'\n');
        }
    };
    put(now, &mut out);
    out.extend_from_slice(b"=======\n");
    put(old, &mut out);
    out.extend_from_slice(format!(">>>>>>> before {id}\n").as_bytes());
    out
}
