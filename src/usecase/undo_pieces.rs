//! An undo piece by piece: what there is to choose from, what each piece would change beside those that are chosen already, and
//! what comes of the choice.
//!
//! Owns that. Asks nobody and writes nothing: the choice is an undo like any other, planned anew when it is carried out.
//! Invariant: nothing is locked between two calls.

use super::undo::{UndoOptions, plan_of, prepare};
use super::undo_files::looked_at;
use super::untouched;
use crate::change::ChangeKind;
use crate::error::Error;
use crate::history::{
    History, Misfits, Part, Piece, PieceSort, Select, Slot, UndoPlan, UndoRequest, patch_between, pieces as pieces_of,
};
use crate::id::RecordId;
use crate::patch::{DiffFile, DiffLimits, preview};
use crate::path::RepoPath;
use crate::text::Encoding;
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};

/// What can be undone by itself, and what of it is chosen.
pub struct Pieces<'a> {
    workspace: &'a Workspace,
    options: &'a UndoOptions<'a>,
    misfits: Misfits,
    pieces: Vec<Piece>,
    chosen: BTreeSet<usize>,
    /// Whether no piece is about a name: then what is chosen of one file is nothing to another.
    is_plain: bool,
    /// The plans of those that are chosen, file by file; under one number where names are changed.
    so_far: BTreeMap<usize, UndoPlan>,
}

/// What a piece would change, if it were chosen too.
#[must_use = "what was tried is not chosen yet"]
pub struct Trial {
    /// The diff of it, uncut.
    pub diff: String,
    numbers: Vec<usize>,
    plan: UndoPlan,
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
        let (misfits, chosen, so_far) = (request.misfits, BTreeSet::new(), BTreeMap::new());
        Ok(Self { workspace, options, misfits, pieces, chosen, is_plain, so_far })
    }

    /// In the order in which they are to be looked at.
    pub fn all(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether a piece can be chosen beside what is chosen: a file gets its old name back only with all that was done to it.
    pub fn is_open(&self, number: usize) -> bool {
        let is_chosen = |n: usize| n == number || self.chosen.contains(&n);
        self.pieces.get(number).is_some_and(|piece| piece.sort != PieceSort::Rename || self.is_whole(piece, &is_chosen))
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
        let group = numbers.first().map_or(0, |number| self.group(*number));
        let is_meant = |n: usize| (self.chosen.contains(&n) && self.group(n) == group) || numbers.contains(&n);
        let request = UndoRequest { misfits: Misfits::Refused, ..self.request_with(&is_meant) };
        let plan = plan_of(self.workspace, &request, self.options)?;
        let diff = difference(self.so_far.get(&group), &plan);
        Ok(Trial { diff, numbers, plan })
    }

    /// The pieces that are planned together with this one.
    fn group(&self, number: usize) -> usize {
        if self.is_plain { self.pieces[number].row } else { 0 }
    }

    /// Chooses what was tried.
    pub fn choose(&mut self, trial: Trial) {
        let group = trial.numbers.first().map_or(0, |number| self.group(*number));
        self.chosen.extend(trial.numbers);
        self.so_far.insert(group, trial.plan);
    }

    /// The undo of what is chosen; none where that is nothing.
    pub fn request(&self) -> Option<UndoRequest> {
        (!self.chosen.is_empty()).then(|| self.request_with(&|n| self.chosen.contains(&n)))
    }

    fn request_with(&self, is_meant: &dyn Fn(usize) -> bool) -> UndoRequest {
        let mut parts: BTreeMap<RecordId, Vec<Part>> = BTreeMap::new();
        for (_, piece) in self.pieces.iter().enumerate().filter(|(n, _)| is_meant(*n)) {
            let of_record = parts.entry(piece.id.clone()).or_default();
            let whole = || Part { splices: None, ..piece.part.clone() };
            // All of a file says more than each of its hunks.
            let part = if self.is_whole(piece, is_meant) { whole() } else { piece.part.clone() };
            match of_record.iter_mut().find(|known| known.file == part.file) {
                None => of_record.push(part),
                Some(known) => {
                    let splices = known.splices.take().zip(part.splices);
                    known.splices = splices.map(|(known, more)| known.union(&more).copied().collect());
                }
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

    /// Whether all pieces of the file of a piece are meant.
    fn is_whole(&self, piece: &Piece, is_meant: &dyn Fn(usize) -> bool) -> bool {
        let is_beside = |other: &Piece| other.id == piece.id && other.part.file == piece.part.file;
        self.pieces.iter().enumerate().all(|(n, other)| is_meant(n) || !is_beside(other))
    }
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

/// What a plan changes beyond another, which it goes on from.
fn difference(earlier: Option<&UndoPlan>, plan: &UndoPlan) -> String {
    let seen = plan.slots.iter().filter_map(|slot| Some((slot.disk.clone()?, slot.seen.clone())));
    let mut before: Texts = seen.collect();
    before.extend(earlier.map(texts_after).unwrap_or_default());
    // What both together leave as it is, is in no plan.
    let (earlier_slots, mut after) = (earlier.map_or(&[][..], |earlier| &earlier.slots), Texts::new());
    after.extend(earlier_slots.iter().filter_map(|slot| Some((slot.now.clone()?, None))));
    after.extend(earlier_slots.iter().filter_map(|slot| Some((slot.disk.clone()?, slot.seen.clone()))));
    after.extend(texts_after(plan));
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
        let encoding = plan.slots.iter().find(|slot| slot.now.as_ref().or(slot.disk.as_ref()) == Some(path));
        let sides = Sides { path, from: None, encoding: encoding.and_then(Slot::encoding) };
        shown.push_str(&sides.diff(text(&before, path), text(&after, path)));
    }
    shown
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
        let [before, after] = [before, after].map(|text| self.readable(text.unwrap_or_default()));
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

    fn readable(&self, text: Vec<u8>) -> Vec<u8> {
        let read = self.encoding.and_then(|encoding| encoding.decode_marked(&text));
        read.map_or(text, |read| read.into_string().into_bytes())
    }
}
