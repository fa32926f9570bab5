//! Finishes what was interrupted: whoever takes the lock next runs it, and it may itself be interrupted anywhere.
//!
//! Owns the order, and the two cases. In the same run of the system (a process was killed, `same_run.rs`) everything
//! written is still there, and only the last transaction can be open, or those that shared its sync: each rolls forward if each of
//! its files holds exactly the old or the new bytes, else back. After a reboot (`reboot.rs`) anything since the last checkpoint may be lost but the
//! journal: every file is made again from its backup and splices, unless somebody wrote it later. What both know of a file
//! is in `interrupted_file.rs`; what killed runs staged goes in `leftovers.rs`.
//! Invariant: identity is content, never inode numbers, but for git's lock files (`git/lock_file.rs`); what is foreign stays.

mod interrupted_file;
mod leftovers;
mod reboot;
mod same_run;

use super::error::TransactionError as Error;
use super::journal_bytes::{BootId, Contents, Outcome};
use super::note::{LeftAlone, Note};
use super::state::State;
use super::{Settle, Transaction};
use crate::id::RecordId;
use crate::path::RepoPath;
use bstr::ByteSlice;

/// What recovery did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Transactions that are now applied in full.
    pub forward: Vec<RecordId>,
    /// Transactions that are now undone in full.
    pub back: Vec<RecordId>,
    /// Files that were made again after a reboot.
    pub remade: Vec<RepoPath>,
    /// Files of a transaction that was taken back which somebody had changed after the interruption.
    pub left: Vec<LeftAlone>,
}

impl Recovered {
    /// Whether nothing had to be done.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

impl Transaction {
    /// Recovers whatever the journal leaves open, and cleans up.
    pub(super) fn recover(&mut self, settle: &dyn Settle) -> Result<(), Error> {
        let contents = self.hold.journal.borrow().contents()?;
        let boot = self.hold.journal.borrow().boot();
        let rebooted = contents.entries.iter().any(|entry| !entry.boot.is_same(boot));
        // What is damaged stays in the file until a checkpoint puts it aside; only a torn tail goes.
        if !contents.damage.is_empty() {
            self.must_checkpoint = true;
        } else if is_cut_off(&self.hold.state, &contents)? {
            let name = self.hold.journal.borrow().copy_aside(&self.hold.state)?;
            self.notes.push(Note::JournalCutOff { kept: self.hold.state.path().join(name) });
        }
        self.hold.journal.borrow_mut().go_on_behind(&contents)?;
        if rebooted {
            self.remake(&contents.entries)?;
            for entry in contents.entries.iter().filter(|e| e.outcome == Outcome::Open && !e.boot.is_same(boot)) {
                settle.settle(&entry.intent)?;
            }
            self.must_checkpoint = true;
        }
        // Several shared a sync; none of their files is another's.
        for entry in contents.entries.iter().filter(|e| e.outcome == Outcome::Open && e.boot.is_same(boot)) {
            self.finish(&entry.intent, settle)?;
        }
        self.clean_leftovers(Some(&contents), settle)
    }
}

/// Whether the journal ends in half an entry that was whole once. A process that is killed while it writes an intent leaves staged files
/// behind, and a power cut an entry of another run of the system; half an entry without either was cut off.
///
/// # Errors
/// Where the folder of staged files cannot be listed.
pub fn is_cut_off(state: &State, contents: &Contents) -> Result<bool, Error> {
    let boot = BootId::current();
    if contents.torn == 0 || !contents.damage.is_empty() || contents.entries.iter().any(|e| !e.boot.is_same(boot)) {
        return Ok(false);
    }
    Ok(state.stage.names().map_err(Error::io("list", "the folder of staged files"))?.is_empty())
}

/// The edits of which something is staged: they are being made, or were interrupted.
pub fn staged_ids(stage: &std::path::Path) -> Vec<RecordId> {
    let entries = std::fs::read_dir(stage).into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| leftovers::owner(entry.file_name().as_encoded_bytes().as_bstr())).collect()
}
