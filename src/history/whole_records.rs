//! Records with all that they have, for whom some of them may be damaged, or who asks with each of very many files.
//!
//! Owns that what cannot be read is noted, and that the last one is kept. How a record is read is `reader`'s affair.

use super::error::HistoryError;
use super::reader::{History, Item};
use crate::record::Record;
use std::rc::Rc;

impl History<'_> {
    /// As [`Self::full`]; what cannot be read is none, and noted.
    pub fn full_if_whole(&self, item: &Item) -> Option<Record> {
        self.full(item).map_err(|error| self.warn_of(error)).ok()
    }

    /// As [`Self::full`].
    ///
    /// # Errors
    /// As [`Self::full`].
    pub fn full_shared(&self, item: &Item) -> Result<Rc<Record>, HistoryError> {
        let last = self.last_full.borrow().as_ref().filter(|last| last.id == item.record.id).cloned();
        if let Some(last) = last {
            return Ok(last);
        }
        let record = Rc::new(self.full(item)?);
        self.last_full.replace(Some(Rc::clone(&record)));
        Ok(record)
    }

    /// As [`Self::full_shared`]; what cannot be read is none, and noted.
    pub fn full_shared_if_whole(&self, item: &Item) -> Option<Rc<Record>> {
        self.full_shared(item).map_err(|error| self.warn_of(error)).ok()
    }
}
