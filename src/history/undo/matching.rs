//! The records that an undo is about where they are not named, but told by who made them and when.
//!
//! Owns what is left out because it may be somebody else's.

use super::note::UndoNote;
use super::select::{Choice, Chooser, Chosen, has_left};
use crate::history::error::{HistoryError, Nothing};
use crate::history::in_force::{Effect, FileEffect};
use crate::history::reader::{Item, Scope};
use crate::history::selection::{Selection, Shared, Wanted};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::RecordClass;
use std::collections::{BTreeSet, HashSet};

impl Chooser<'_, '_, '_> {
    /// Every edit in force that is meant.
    pub(super) fn matching(&self, selection: &Selection) -> Result<Choice, HistoryError> {
        let (mut asked, mut shared) = (Vec::new(), Vec::new());
        for one in selection.since(self.history, Scope::Own, Wanted::Meant)? {
            let (item, effect) = one?;
            if !is_edit(&item) {
                continue;
            }
            let meant = self.meant(&item)?;
            if !meant.contains(&true) {
                continue;
            }
            let meta = &item.record.meta;
            if selection.is_by(meta, Shared::Left) {
                asked.push((meant, item, effect));
            } else if selection.may_be_by(meta) && has_left(&meant, &effect) {
                shared.push(item.record.id);
            }
        }
        selection.refuse_turns_of_several(asked.iter().map(|(_, item, _)| &item.record.meta))?;
        let records = self.in_force_of(asked)?;
        match (records.is_empty(), shared.is_empty()) {
            (true, true) => Err(HistoryError::NothingToUndo(Nothing::NoneFits)),
            (true, false) => Err(HistoryError::NothingToUndo(Nothing::OnlyShared(shared))),
            (false, _) => {
                let notes = Some(UndoNote::SharedLeft(shared.clone())).filter(|_| !shared.is_empty());
                Ok(Choice { notes: notes.into_iter().collect(), ..Choice::of(records) })
            }
        }
    }

    /// Those of these edits that are in force.
    pub(super) fn among(&self, ids: &BTreeSet<RecordId>) -> Result<Vec<Chosen>, HistoryError> {
        let mut asked = Vec::new();
        let filter = Filter::of(ids.iter().map(|id| id.as_str().as_bytes()));
        for one in self.history.effects(Scope::Own, filter)? {
            let (item, effect) = one?;
            if ids.contains(&item.record.id) {
                asked.push((self.meant(&item)?, item, effect));
            }
        }
        asked.retain(|(meant, ..)| meant.contains(&true));
        let found = self.in_force_of(asked)?;
        if found.is_empty() { Err(HistoryError::NothingToUndo(Nothing::NoneFits)) } else { Ok(found) }
    }

    /// Of records those of which something is in force in the files that are meant. That an undo was discarded may show in an older one
    /// only: then the others are asked again.
    fn in_force_of(&self, asked: Vec<(Vec<bool>, Item, Effect)>) -> Result<Vec<Chosen>, HistoryError> {
        let corrected = |(meant, item, effect): (Vec<bool>, Item, Effect)| -> Result<_, HistoryError> {
            let effect = self.in_files.corrected_under_newer(&item, effect)?;
            Ok((meant, item, effect))
        };
        let mut found = asked.into_iter().map(corrected).collect::<Result<Vec<_>, _>>()?;
        if self.in_files.has_discarded() {
            let is_open = |(meant, _, effect): &(Vec<bool>, Item, Effect)| !has_left(meant, effect);
            let again = found.into_iter().map(|one| if is_open(&one) { corrected(one) } else { Ok(one) });
            found = again.collect::<Result<Vec<_>, _>>()?;
        }
        let left = found.into_iter().filter(|(meant, _, effect)| has_left(meant, effect));
        Ok(left.map(|(_, item, effect)| (item, effect)).collect())
    }

    /// The undos in force of edits that are meant by name, and of no others; those that are not too old.
    pub(super) fn undos_matching(&self, selection: &Selection) -> Result<Choice, HistoryError> {
        let mut young: HashSet<RecordId> = HashSet::new();
        for one in selection.since(self.history, Scope::Own, Wanted::Meant)? {
            young.insert(one?.0.record.id);
        }
        let (mut undos, mut edits): (Vec<Chosen>, Vec<Item>) = (Vec::new(), Vec::new());
        for one in self.history.effects(Scope::Own, Filter::default())? {
            let (item, effect) = one?;
            if item.record.kind == RecordClass::Undo && young.contains(&item.record.id) {
                undos.push((item, effect));
            } else if is_edit(&item) && selection.is_by(&item.record.meta, Shared::Left) {
                edits.push(item);
            }
        }
        let meant: HashSet<&RecordId> = edits.iter().map(|item| &item.record.id).collect();
        let (mut records, mut of_others) = (Vec::new(), Vec::new());
        for (item, effect) in undos {
            let undoes = &item.record.meta.undoes;
            if !undoes.iter().any(|id| meant.contains(id)) || is_over(&effect) {
                continue;
            }
            if !undoes.iter().all(|id| meant.contains(id)) {
                of_others.push(item.record.id);
                continue;
            }
            match self.in_force(item, effect) {
                Err(HistoryError::NothingToUndo(_)) => {}
                chosen => records.push(chosen?),
            }
        }
        let undone: HashSet<&RecordId> = records.iter().flat_map(|(item, _)| &item.record.meta.undoes).collect();
        let undone = edits.iter().filter(|item| undone.contains(&item.record.id));
        selection.refuse_turns_of_several(undone.map(|item| &item.record.meta))?;
        match (records.is_empty(), of_others.is_empty()) {
            (true, true) => Err(HistoryError::NothingToUndo(Nothing::NoUndoFits)),
            (true, false) => Err(HistoryError::NothingToUndo(Nothing::OnlyUndosOfOthers(of_others))),
            (false, _) => {
                let notes = Some(UndoNote::UndosOfOthersLeft(of_others.clone())).filter(|_| !of_others.is_empty());
                Ok(Choice { notes: notes.into_iter().collect(), ..Choice::of(records) })
            }
        }
    }
}

fn is_edit(item: &Item) -> bool {
    matches!(item.record.kind, RecordClass::Edit | RecordClass::External)
}

/// Whether nothing of it is in force.
fn is_over(effect: &Effect) -> bool {
    effect.files.iter().all(|file| matches!(file, FileEffect::Undone(_)))
}
