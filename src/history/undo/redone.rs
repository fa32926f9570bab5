//! Redos whose edit was undone anew since: what they brought back is in force no more, though no undo names them.
//!
//! Owns that question. How the edit itself stands is asked of `standing`.

use super::standing::InFiles;
use crate::history::error::HistoryError;
use crate::history::in_force::{Effect, FileEffect};
use crate::history::reader::{History, Item, Scope};
use crate::history::store::index_file::Filter;
use crate::id::RecordId;
use crate::record::{Record, RecordClass};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What of a record is in force where it may be a redo: its files without those of which all that it brought back was undone
/// since.
///
/// # Errors
/// Where the log cannot be read.
pub(super) fn without_undone_again(
    history: &History<'_>,
    in_files: &InFiles<'_, '_>,
    (item, effect): (&Item, Effect),
) -> Result<Effect, HistoryError> {
    if item.record.kind != RecordClass::Redo {
        return Ok(effect);
    }
    let Some(record) = history.full_shared_if_whole(item) else { return Ok(effect) };
    let asked =
        Asked { history, in_files, undos: RefCell::default(), effects: RefCell::default(), newer: RefCell::default() };
    let mut files = Vec::with_capacity(effect.files.len());
    for (n, effect) in effect.files.into_iter().enumerate() {
        let is_open = effect == FileEffect::InForce;
        let by = if is_open { asked.undone_again((&record, n))? } else { None };
        files.push(by.map_or(effect, FileEffect::Undone));
    }
    Ok(Effect { files, ..effect })
}

/// What the log was asked, once for all files of a record.
struct Asked<'q, 'h, 'w, 'f> {
    history: &'q History<'h>,
    in_files: &'q InFiles<'w, 'f>,
    /// Those of the redo; none of what is no undo.
    undos: RefCell<HashMap<RecordId, Option<Rc<Record>>>>,
    /// What of edits is in force; none of those that are not there.
    effects: RefCell<HashMap<RecordId, Option<Rc<Effect>>>>,
    /// Which records are newer than the redo.
    newer: RefCell<HashMap<RecordId, bool>>,
}

impl Asked<'_, '_, '_, '_> {
    /// The undo that took back all that a redo brought back in its file `n`.
    fn undone_again(&self, (redo, n): (&Record, usize)) -> Result<Option<RecordId>, HistoryError> {
        let mut newest = None;
        for undo in redo.meta.inverted_in(n) {
            let Some(record) = self.undo(&undo.id) else { return Ok(None) };
            for edit in record.meta.inverted_in(undo.file) {
                let Some(effect) = self.effect(&edit.id)? else { return Ok(None) };
                let Some(FileEffect::Undone(by)) = effect.files.get(edit.file) else { return Ok(None) };
                if !self.is_newer(by, &redo.id)? {
                    return Ok(None);
                }
                newest = Some(by.clone());
            }
        }
        Ok(newest)
    }

    /// A record, if it is an undo and can be read.
    fn undo(&self, id: &RecordId) -> Option<Rc<Record>> {
        let read = || {
            let whole = self.history.full_shared_if_whole(&self.history.find(id.as_str()).ok()?);
            whole.filter(|record| record.kind == RecordClass::Undo)
        };
        self.undos.borrow_mut().entry(id.clone()).or_insert_with(read).clone()
    }

    fn effect(&self, edit: &RecordId) -> Result<Option<Rc<Effect>>, HistoryError> {
        if let Some(known) = self.effects.borrow().get(edit) {
            return Ok(known.clone());
        }
        let found = match self.history.find_with_effect(edit.as_str()) {
            Ok((item, effect)) => Some(Rc::new(self.in_files.corrected(&item, effect)?)),
            Err(_) => None,
        };
        self.effects.borrow_mut().insert(edit.clone(), found.clone());
        Ok(found)
    }

    /// Whether the log has one record after another; clocks may have been set.
    fn is_newer(&self, one: &RecordId, redo: &RecordId) -> Result<bool, HistoryError> {
        if let Some(known) = self.newer.borrow().get(one) {
            return Ok(*known);
        }
        let filter = Filter::of([one, redo].map(|id| id.as_str().as_bytes()));
        let mut is_newer = false;
        for item in self.history.items(Scope::All, filter)? {
            let id = item?.record.id;
            if id == *one || id == *redo {
                is_newer = id != *redo;
                break;
            }
        }
        self.newer.borrow_mut().insert(one.clone(), is_newer);
        Ok(is_newer)
    }
}
