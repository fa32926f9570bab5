//! Marks of what was reviewed: which ones a key is for, and where the next open record is.
//!
//! Owns that a mark is only asked for; whoever has the history sets it.

use super::model::{Action, Model};
use super::{told, tree};
use crate::history::{Marking, ReviewMark};
use crate::id::RecordId;
use crate::usecase::review::Entry;
use std::collections::HashSet;

impl Model {
    /// What the marks of what one is on are to become: reviewed, unless all of it is.
    pub(super) fn toggled(&mut self) -> Action {
        let here = || self.row().into_iter().flat_map(|row| &row.records).filter_map(|&n| self.entries.get(n));
        let ids = |is_wanted: &dyn Fn(&Entry) -> bool| -> Vec<RecordId> {
            here().filter(|entry| is_wanted(entry)).map(|entry| entry.item.record.id.clone()).collect()
        };
        let open = ids(&|entry| entry.mark.is_none());
        match open.is_empty() {
            false => Action::Mark(open, Marking::Reviewed),
            true => match ids(&|_| true) {
                none if none.is_empty() => Action::Nothing,
                all => Action::Mark(all, Marking::Open),
            },
        }
    }

    /// Takes what became of the marks of records.
    pub fn mark(&mut self, ids: &[RecordId], mark: Option<&ReviewMark>) {
        let ids: HashSet<&RecordId> = ids.iter().collect();
        for entry in self.entries.iter_mut().filter(|entry| ids.contains(&entry.item.record.id)) {
            entry.mark = mark.cloned();
        }
        self.say(match (mark, ids.len()) {
            (Some(_), 1) => "reviewed; M goes to the next that is not".to_owned(),
            (Some(_), several) => format!("{several} records reviewed"),
            (None, several) => format!("{} to be reviewed", told::counted(several, "record")),
        });
    }

    /// To the next record that is not reviewed, from here to the end and then from the beginning, also where it is folded away.
    pub(super) fn go_to_open(&mut self) {
        let order = tree::order(&self.entries, &self.filter);
        let here = self.row().and_then(|row| row.records.first().copied());
        let at = order.iter().position(|&n| Some(n) == here).unwrap_or_default();
        let from = if self.entry().is_some() { at + 1 } else { at };
        let mut wanted = order[from.min(order.len())..].iter().chain(&order[..from.min(order.len())]);
        let found = wanted.find(|&&n| self.entries[n].mark.is_none()).map(|&n| self.entries[n].item.record.id.clone());
        match found {
            Some(id) => self.show(&id),
            None => self.say("all of them are reviewed".to_owned()),
        }
    }
}
