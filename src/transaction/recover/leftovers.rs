//! What killed runs leave behind below redraft's folder, and beside files on other file systems.
//!
//! Owns its removal. Invariant: as long as something of a run is staged, its backups are looked for.

use crate::id::RecordId;
use crate::path::RepoPath;
use crate::transaction::backups::{remove_tree, unlink_shared};
use crate::transaction::error::TransactionError as Error;
use crate::transaction::journal_bytes::{Contents, Outcome};
use crate::transaction::swap::Slot;
use crate::transaction::{Settle, Transaction};
use bstr::{BStr, BString, ByteSlice};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Transaction {
    /// Removes what killed runs staged, and the backups of those that never came to their commit point.
    pub(in crate::transaction) fn clean_leftovers(
        &mut self,
        contents: Option<&Contents>,
        settle: &dyn Settle,
    ) -> Result<(), Error> {
        let names = self.hold.stage.names().map_err(Error::io("list", "the folder of staged files"))?;
        if names.is_empty() {
            return Ok(());
        }
        let read;
        let contents = match contents {
            Some(contents) => contents,
            None => {
                read = self.hold.journal.borrow().contents()?;
                &read
            }
        };
        let ids: BTreeSet<RecordId> = names.iter().filter_map(|name| owner(name.as_bstr())).collect();
        for id in ids {
            let entry = contents.entries.iter().find(|entry| entry.intent.id == id);
            match entry.map(|entry| entry.outcome) {
                None => self.remove_backups_of(&id)?,
                Some(Outcome::Aborted) => self.unlink_backups_of(&id)?,
                Some(Outcome::Applied | Outcome::Open) => {}
            }
        }
        for name in &names {
            settle.release(&self.hold.state.stage_path().join(name.to_path_lossy()))?;
        }
        // The staged files go last: as long as one is there, the backups are looked for.
        for name in &names {
            if name.ends_with(b"@") {
                self.remove_beside(name)?;
            }
            self.hold.stage.unlink(name.as_bstr()).map_err(Error::io("remove", "a staged file"))?;
        }
        Ok(())
    }

    /// Removes a file that was staged beside its target, by the note of its place.
    fn remove_beside(&self, note: &BString) -> Result<(), Error> {
        let slot = Slot::new(Rc::clone(&self.hold.stage), note.as_bstr());
        let Some((_, place)) = slot.read().map_err(Error::io("read", "the note of a staged file"))? else {
            return Ok(());
        };
        let parent = RepoPath::new(&place).ok();
        let Ok(dir) = self.root.dir().beneath(parent.as_ref()) else { return Ok(()) };
        let name = note.strip_suffix(b"@").unwrap_or(note).as_bstr();
        for suffix in ["", "o"] {
            let name = format!(".redraft-{name}{suffix}");
            dir.unlink(name.as_bytes().as_bstr()).map_err(Error::io("remove", name))?;
        }
        Ok(())
    }

    /// Removes the backups of a transaction that did not happen.
    pub(super) fn remove_backups_of(&self, id: &RecordId) -> Result<(), Error> {
        let io = |verb| Error::io(verb, "the folder of backups");
        for name in self.hold.state.backups.names().map_err(io("list"))? {
            if name.ends_with(id.as_str().as_bytes()) {
                remove_tree(&self.hold.state.backups, name.as_bstr()).map_err(io("empty"))?;
            }
        }
        Ok(())
    }

    pub(super) fn unlink_backups_of(&self, id: &RecordId) -> Result<(), Error> {
        let io = |verb| Error::io(verb, "the folder of backups");
        for name in self.hold.state.backups.names().map_err(io("list"))? {
            if name.ends_with(id.as_str().as_bytes()) {
                unlink_shared(&self.hold.state.backups, name.as_bstr()).map_err(io("clean"))?;
            }
        }
        Ok(())
    }
}

/// The record that a staged file belongs to, by its name.
pub(super) fn owner(name: &BStr) -> Option<RecordId> {
    name.get(..RecordId::LEN).and_then(|id| id.to_str().ok()).and_then(RecordId::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_staged_file_is_of_the_record_whose_id_its_name_begins_with() {
        let id = RecordId::from_random([7; 8]);
        for name in [format!("{id}.0"), format!("{id}.12@"), id.to_string()] {
            assert_eq!(owner(name.as_bytes().as_bstr()), Some(id.clone()), "{name}");
        }
        for name in ["", "journal", &id.as_str()[1..], &format!("x.{id}"), &id.as_str().to_uppercase()] {
            assert_eq!(owner(name.as_bytes().as_bstr()), None, "{name}");
        }
    }
}
