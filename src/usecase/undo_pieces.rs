//! An undo piece by piece: what there is to choose from, what each piece would change beside those that are chosen already, and
//! what comes of the choice.
//!
//! Owns that. Asks nobody and writes nothing: the choice is an undo like any other, planned anew when it is carried out.
//! Invariant: nothing is locked between two calls; what is chosen are splices of records, each as a whole, also where somebody edited a
//! hunk by hand.

use super::undo::{UndoOptions, plan_of, prepare};
use super::undo_files::looked_at;
use super::untouched;
use crate::change::ChangeKind;
use crate::code::Reason;
use crate::error::Error;
use crate::history::{
    History, Misfits, Part, Piece, PieceSort, Select, Slot, UndoPlan, UndoRequest, patch_between, pieces as pieces_of,
};
use crate::id::RecordId;
use crate::patch::{DiffFile, DiffLimits, NotThisDiff, by_hand, preview, some_of, to_edit};
use crate::path::RepoPath;
use crate::text::Encoding;
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What can be undone by itself, and what of it is chosen.
pub struct Pieces<'a> {
    workspace: &'a Workspace,
    options: &'a UndoOptions<'a>,
    misfits: Misfits,
    pieces: Vec<Piece>,
    chosen: BTreeSet<usize>,
    /// Those of which only some splices are chosen.
    narrowed: BTreeMap<usize, BTreeSet<usize>>,
    /// Whether no piece is about a name: then what is chosen of one file is nothing to another.
    is_plain: bool,
    /// What those that are chosen come to, file by file; under one number where names are changed.
    so_far: BTreeMap<usize, Outcome>,
}

/// A plan, and the files after it.
struct Outcome {
    plan: UndoPlan,
    after: Texts,
}

/// What a piece would change, if it were chosen too.
#[must_use = "what was tried is not chosen yet"]
pub struct Trial {
    /// The diff of it, uncut.
    pub diff: String,
    numbers: Vec<usize>,
    /// Of the only piece, where it is not all of it.
    splices: Option<BTreeSet<usize>>,
    outcome: Outcome,
}

/// Why what somebody made of a hunk by hand is not undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotByHand {
    /// It is no hunk of the file as it is.
    Diff(NotThisDiff),
    /// What it changes are not changes of the record, each as a whole.
    OtherChanges,
    /// The file was changed meanwhile.
    FileChanged,
}

impl<'a> Pieces<'a> {
    /// The pieces of what is to be undone.
    ///
    /// # Errors
    /// As the undo of all of it, where there is nothing to undo.
    pub fn of(workspace: &'a Workspace, request: &UndoRequest, options: &'a UndoOptions<'a>) -> Result<Self, Error> {
        prepare(workspace, request, options)?;
        let request = super::undo::named(workspace, request);
        let (repo, settings) = (workspace.repo(), workspace.settings()?);
        let history = History::open(repo)?;
        let found = looked_at(repo, settings, |files| pieces_of(&history, &request, files))?;
        let pieces = found.map_err(|error| untouched::blamed(error.into(), workspace, &request.paths))?;
        let is_plain = pieces.iter().all(|piece| matches!(piece.sort, PieceSort::Hunk | PieceSort::File));
        let misfits = request.misfits;
        let (chosen, narrowed, so_far) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        Ok(Self { workspace, options, misfits, pieces, chosen, narrowed, is_plain, so_far })
    }

    /// In the order in which they are to be looked at.
    pub fn all(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether a piece can be chosen beside what is chosen: a file gets its old name back only with all that was done to it.
    pub fn is_open(&self, number: usize) -> bool {
        let Some(piece) = self.pieces.get(number).filter(|piece| piece.sort == PieceSort::Rename) else {
            return number < self.pieces.len();
        };
        let of_file = self.pieces.iter().enumerate().filter(|(_, other)| file_of(other) == file_of(piece));
        let is_whole = |n: usize| n == number || (self.chosen.contains(&n) && !self.narrowed.contains_key(&n));
        of_file.map(|(n, _)| n).all(is_whole)
    }

    /// Whether a piece is chosen.
    pub fn is_chosen(&self, number: usize) -> bool {
        self.chosen.contains(&number)
    }

    /// What a piece would change beside what is chosen already.
    ///
    /// # Errors
    /// Why it cannot be undone.
    pub fn tried(&self, number: usize) -> Result<Trial, Error> {
        self.tried_together(vec![number])
    }

    /// What several pieces of one file would change together, so that each need not be planned beside all before it.
    ///
    /// # Errors
    /// Why not all of them can be undone, or that there are none.
    pub fn tried_together(&self, numbers: Vec<usize>) -> Result<Trial, Error> {
        self.tried_with(numbers, None)
    }

    /// The same, of one piece perhaps only some splices.
    fn tried_with(&self, numbers: Vec<usize>, splices: Option<BTreeSet<usize>>) -> Result<Trial, Error> {
        let group = numbers.first().map_or(0, |number| self.group(*number));
        let mut meant: BTreeSet<usize> = self.chosen.iter().copied().filter(|n| self.group(*n) == group).collect();
        meant.extend(&numbers);
        let mut narrowed = self.narrowed.clone();
        narrowed.extend(numbers.first().copied().zip(splices.clone()));
        let request = UndoRequest { misfits: Misfits::Refused, ..self.request_with(&meant, &narrowed) };
        let plan = plan_of(self.workspace, &request, self.options)?;
        let after = texts_after(&plan);
        let outcome = Outcome { plan, after };
        let diff = difference(self.so_far.get(&group), &outcome);
        Ok(Trial { diff, numbers, splices, outcome })
    }

    /// What a trial would change, for an editor; none where it is no hunk of one text.
    pub fn to_edit(&self, trial: &Trial) -> Option<Vec<u8>> {
        let Edited { before, after, .. } = self.edited(trial)?;
        Some(to_edit(&before, &patch_between(&before, &after)))
    }

    /// What somebody left of [`Self::to_edit`] as a trial: those changes of the record that it consists of.
    ///
    /// # Errors
    /// Why it cannot be planned; inside, why it is none.
    pub fn by_hand(&self, trial: &Trial, left: &[u8]) -> Result<Result<Trial, NotByHand>, Error> {
        let Some(Edited { number, splices, before, after }) = self.edited(trial) else {
            return Ok(Err(NotByHand::OtherChanges));
        };
        let wanted = match by_hand(&before, &patch_between(&before, &after), left) {
            Ok(wanted) => wanted,
            Err(why) => return Ok(Err(NotByHand::Diff(why))),
        };
        if wanted == after {
            return Ok(fitting(self.tried(number))?.ok_or(NotByHand::FileChanged));
        }
        let (mut alone, mut patches) = (Vec::new(), Vec::new());
        for splice in splices {
            // One that does not fit alone is none that can be left alone.
            let Some(tried) = fitting(self.tried_with(vec![number], Some(BTreeSet::from([splice]))))? else { continue };
            let Some(edited) = self.edited(&tried) else { continue };
            if edited.before != before {
                return Ok(Err(NotByHand::FileChanged));
            }
            patches.push(patch_between(&before, &edited.after));
            alone.push(splice);
        }
        let some = some_of(&before, &patches, &wanted).filter(|some| !some.is_empty());
        let Some(some) = some else { return Ok(Err(NotByHand::OtherChanges)) };
        let some: BTreeSet<usize> = some.into_iter().map(|n| alone[n]).collect();
        let trial = fitting(self.tried_with(vec![number], Some(some)))?;
        // Together they may be something else.
        let is_so = |trial: &Trial| self.edited(trial).is_some_and(|edited| edited.after == wanted);
        Ok(trial.filter(is_so).ok_or(NotByHand::OtherChanges))
    }

    /// The one text that the trial of one hunk changes.
    fn edited(&self, trial: &Trial) -> Option<Edited> {
        let [number] = trial.numbers[..] else { return None };
        let piece = self.pieces.get(number).filter(|piece| piece.sort == PieceSort::Hunk)?;
        let (before, after) = sides(self.so_far.get(&self.group(number)), &trial.outcome);
        let paths: BTreeSet<&RepoPath> = before.keys().chain(after.keys()).collect();
        let mut differing = paths.into_iter().filter(|path| before.get(path) != after.get(path));
        let (Some(path), None) = (differing.next(), differing.next()) else { return None };
        let encoding = trial.outcome.encoding(path);
        let text = |texts: &Texts| Some(readable(encoding, texts.get(path).cloned().flatten()?));
        Some(Edited { number, splices: piece.part.splices.clone()?, before: text(&before)?, after: text(&after)? })
    }

    /// The pieces that are planned together with this one.
    fn group(&self, number: usize) -> usize {
        if self.is_plain { self.pieces[number].row } else { 0 }
    }

    /// Chooses what was tried.
    pub fn choose(&mut self, trial: Trial) {
        let Trial { numbers, splices, outcome, .. } = trial;
        let group = numbers.first().map_or(0, |number| self.group(*number));
        self.narrowed.extend(numbers.first().copied().zip(splices));
        self.chosen.extend(numbers);
        self.so_far.insert(group, outcome);
    }

    /// The undo of what is chosen; none where that is nothing.
    pub fn request(&self) -> Option<UndoRequest> {
        (!self.chosen.is_empty()).then(|| self.request_with(&self.chosen, &self.narrowed))
    }

    fn request_with(&self, meant: &BTreeSet<usize>, narrowed: &BTreeMap<usize, BTreeSet<usize>>) -> UndoRequest {
        let is_missing = |n: &usize| !meant.contains(n) || narrowed.contains_key(n);
        let missing = self.pieces.iter().enumerate().filter(|(n, _)| is_missing(n));
        let parted: HashSet<(&RecordId, usize)> = missing.map(|(_, piece)| file_of(piece)).collect();
        let mut parts: BTreeMap<RecordId, Vec<Part>> = BTreeMap::new();
        for &n in meant {
            let piece = &self.pieces[n];
            let of_record = parts.entry(piece.id.clone()).or_default();
            // All of a file says more than each of its hunks.
            let all = || narrowed.get(&n).or(piece.part.splices.as_ref()).cloned();
            let splices = if parted.contains(&file_of(piece)) { all() } else { None };
            match of_record.iter_mut().find(|known| known.file == piece.part.file) {
                None => of_record.push(Part { file: piece.part.file, splices }),
                Some(known) => match (&mut known.splices, splices) {
                    (Some(known), Some(more)) => known.extend(more),
                    (known, _) => *known = None,
                },
            }
        }
        UndoRequest {
            select: Select::Parts(parts),
            paths: Vec::new(),
            except: Vec::new(),
            hunk: None,
            misfits: self.misfits,
        }
    }
}

/// A hunk of one text, as it is and as it would be.
struct Edited {
    number: usize,
    splices: BTreeSet<usize>,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// Which file of which record a piece is of.
fn file_of(piece: &Piece) -> (&RecordId, usize) {
    (&piece.id, piece.part.file)
}

/// None where it does not fit, or changes nothing.
fn fitting(tried: Result<Trial, Error>) -> Result<Option<Trial>, Error> {
    match tried {
        Ok(trial) => Ok(Some(trial)),
        Err(error) if does_not_fit(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a plan is refused for what it is about, and not for the surroundings.
pub fn does_not_fit(error: &Error) -> bool {
    matches!(error.reason(), Reason::UndoConflict | Reason::NothingToUndo)
}

/// The texts of files by name: as they will be, or as they are.
type Texts = BTreeMap<RepoPath, Option<Vec<u8>>>;

/// What files will be after a plan; none for a name without a file.
fn texts_after(plan: &UndoPlan) -> Texts {
    let gone = plan.slots.iter().filter_map(|slot| Some((slot.disk.clone()?, None)));
    let mut texts: Texts = gone.collect();
    for slot in &plan.slots {
        let Some(now) = &slot.now else { continue };
        let replayed = slot.replay(slot.seen.as_deref(), Misfits::Refused).ok();
        texts.insert(now.clone(), replayed.and_then(|replayed| replayed.text));
    }
    texts
}

/// The texts before and after a plan that goes on from another.
fn sides(earlier: Option<&Outcome>, outcome: &Outcome) -> (Texts, Texts) {
    let seen = outcome.plan.slots.iter().filter_map(|slot| Some((slot.disk.clone()?, slot.seen.clone())));
    let mut before: Texts = seen.collect();
    before.extend(earlier.map(|earlier| earlier.after.clone()).unwrap_or_default());
    // What both together leave as it is, is in no plan.
    let (earlier_slots, mut after) = (slots_of(earlier), Texts::new());
    after.extend(earlier_slots.iter().filter_map(|slot| Some((slot.now.clone()?, None))));
    after.extend(earlier_slots.iter().filter_map(|slot| Some((slot.disk.clone()?, slot.seen.clone()))));
    after.extend(outcome.after.clone());
    (before, after)
}

fn slots_of(outcome: Option<&Outcome>) -> &[Slot] {
    outcome.map_or(&[], |outcome| &outcome.plan.slots)
}

/// What a plan changes beyond another, which it goes on from.
fn difference(earlier: Option<&Outcome>, outcome: &Outcome) -> String {
    let (before, after) = sides(earlier, outcome);
    let (earlier_slots, plan) = (slots_of(earlier), &outcome.plan);
    let text = |texts: &Texts, path: &RepoPath| texts.get(path).cloned().flatten();
    let mut shown = String::new();
    let mut told: BTreeSet<&RepoPath> = BTreeSet::new();
    for slot in &plan.slots {
        let (Some(disk), Some(now)) = (&slot.disk, &slot.now) else { continue };
        let is_renamed = disk != now && text(&before, disk).is_some() && text(&before, now).is_none();
        if is_renamed && text(&after, disk).is_none() {
            let sides = Sides { path: now, from: Some(disk), encoding: slot.encoding() };
            shown.push_str(&sides.diff(text(&before, disk), text(&after, now)));
            told.extend([disk, now]);
        }
        let had = earlier_slots.iter().find(|other| other.disk == slot.disk);
        if had.and_then(mode_after).is_none()
            && let Some(mode) = mode_after(slot)
        {
            shown.push_str(&format!("mode {:03o} -> {mode:03o}\n", slot.seen_mode.unwrap_or_default()));
        }
    }
    for path in after.keys().filter(|path| !told.contains(path)) {
        let sides = Sides { path, from: None, encoding: outcome.encoding(path) };
        shown.push_str(&sides.diff(text(&before, path), text(&after, path)));
    }
    shown
}

impl Outcome {
    /// What a record has a file in, where that is not UTF-8.
    fn encoding(&self, path: &RepoPath) -> Option<Encoding> {
        let mut slots = self.plan.slots.iter();
        slots.find(|slot| slot.now.as_ref().or(slot.disk.as_ref()) == Some(path)).and_then(Slot::encoding)
    }
}

/// The permission bits that a file gets.
fn mode_after(slot: &Slot) -> Option<u32> {
    slot.mode(slot.seen_mode).filter(|_| slot.disk.is_some() && slot.now.is_some())
}

/// One file of a diff.
struct Sides<'a> {
    path: &'a RepoPath,
    from: Option<&'a RepoPath>,
    encoding: Option<Encoding>,
}

impl Sides<'_> {
    fn diff(&self, before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> String {
        let change = match (&before, &after, self.from) {
            (None, None, _) => return String::new(),
            (None, Some(_), _) => ChangeKind::Create,
            (Some(_), None, _) => ChangeKind::Delete,
            (Some(before), Some(after), None) if before == after => return String::new(),
            (Some(_), Some(_), None) => ChangeKind::Modify,
            (Some(_), Some(_), Some(_)) => ChangeKind::Rename,
        };
        let [before, after] = [before, after].map(|text| readable(self.encoding, text.unwrap_or_default()));
        let file = DiffFile {
            path: self.path,
            from: self.from,
            change,
            mode: 0o100_644,
            mode_before: None,
            before_id: None,
            after_id: None,
            base: &before,
            patch: &patch_between(&before, &after),
        };
        preview(&[file], DiffLimits { lines: 0, bytes: 0 }).text
    }
}

/// A text as people read it.
fn readable(encoding: Option<Encoding>, text: Vec<u8>) -> Vec<u8> {
    let read = encoding.and_then(|encoding| encoding.decode_marked(&text));
    read.map_or(text, |read| read.into_string().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{HistoryError, Nothing};

    /// What is wrong with the surroundings is told, and no piece is said not to fit because of it.
    #[test]
    fn only_a_plan_that_is_refused_for_what_it_is_about_is_one_that_does_not_fit() {
        for error in [HistoryError::UndoConflict(Vec::new()), HistoryError::NothingToUndo(Nothing::NoneFits)] {
            assert!(matches!(fitting(Err(error.into())), Ok(None)));
        }
        for error in [HistoryError::NoSuchRecord("x".to_owned()), HistoryError::Damaged("x".to_owned())] {
            assert!(fitting(Err(error.into())).is_err());
        }
    }
}
