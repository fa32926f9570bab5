//! The only code that writes in the working tree.
//!
//! What it promises, and tests prove:
//! 1. All files of a request change, or none does: after an error, after SIGKILL at any system call, after a power cut
//!    (with [`Durability::Full`]).
//! 2. No edit of anybody else is lost: a file that changed since it was matched makes the transaction fail, up to the very
//!    exchange of the files.
//! 3. Only the splices' bytes change. Mode, owner, extended attributes and ACLs stay; a symlink stays a symlink (a target
//!    inside the root is written).
//! 4. Nothing stays behind in the working tree: no temporary file, no backup, no lock. File watchers see one rename per
//!    file.
//! 5. The answer is true: `applied: true` is said only after the commit point, and then always holds, whatever crashes
//!    next.
//!
//! The order of one transaction (docs/transaction.md has the failure cases): look ([`Root`]), lock, recover
//! ([`Transaction::begin`]), look again, stage and back up ([`Transaction::prepare`]), commit point, exchange, mark
//! ([`Prepared::commit`](prepare::Prepared::commit)), and once in a while a [checkpoint](Transaction::checkpoint).

mod backup_folder;
mod backups;
mod checkpoint;
mod commit;
mod empty_dirs;
mod error;
mod exchange;
mod group;
#[cfg(test)]
mod group_tests;
mod hold;
mod intent;
mod journal;
mod journal_bytes;
mod lock;
mod note;
mod observe;
mod obstacle;
mod plan;
mod prepare;
mod rebuilt;
mod recover;
mod staging;
mod state;
mod step;
mod swap;
mod take_back;
#[cfg(test)]
mod tests;
mod unrecorded;
mod verify;

pub use crate::state_dir::Durability;
pub use backups::{
    Backup, BackupRetention, backup_id, backup_ids, backup_links, backups, prune, prune_by_name, surplus,
};
pub use checkpoint::Sealable;
pub use error::TransactionError;
pub use group::{Group, Led, Tried};
pub use intent::Intent;
#[cfg(test)]
pub(crate) use intent::{IntentFile, intent_splices};
pub use journal::{Journal, peek, peek_mentioning};
#[cfg(test)]
pub(crate) use journal_bytes::parse;
pub use journal_bytes::{Contents, Entry, Outcome, may_lack_records};
pub use lock::{Claim, Shared, is_claimed};
pub use note::{JournalDamage, LeftAlone, Note};
pub use observe::{Observation, ObservedFile, Version};
pub use obstacle::obstacle;
pub use plan::{Base, NewText, Plan, PlannedFile};
pub use rebuilt::Texts;
pub use recover::{Recovered, is_cut_off, staged_ids};
pub use state::State;
pub use step::{Unwatched, Watch};
pub use unrecorded::{note_unrecorded, unrecorded};
pub use verify::Verify;

use crate::env::Env;
use crate::worktree::Root;
use hold::Hold;
use journal::Tail;
use lock::Lock;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// How a transaction is done.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How long to wait for the lock.
    pub lock_timeout: Duration,
    /// Whether the commit point survives a power cut.
    pub durability: Durability,
    /// Asked in recovery about what an interrupted transaction was to do elsewhere.
    pub settle: &'a dyn Settle,
    /// The clock, and whether to stop.
    pub env: &'a Env,
}

/// What has to become true outside of the working tree together with a transaction: handed in, for this layer knows no git.
pub trait Settle {
    /// Whether the transaction of this intent was finished there, so that its files stay; what is left to do there is done,
    /// or taken away.
    ///
    /// # Errors
    /// Where that cannot be found out; recovery stops then, and changes nothing.
    fn settle(&self, intent: &Intent) -> Result<bool, TransactionError>;

    /// Takes away the locks there that a killed run left, by `left`, a file that it staged; asked of each before it is
    /// removed, and after what was interrupted is settled.
    ///
    /// # Errors
    /// Where a lock of ours cannot be removed.
    fn release(&self, left: &Path) -> Result<(), TransactionError>;
}

/// The right to write in a working tree: the lock is held, and what was interrupted is recovered.
pub struct Transaction {
    root: Root,
    hold: Hold,
    env: Env,
    watch: Rc<dyn Watch>,
    /// Transactions of another run of the system were recovered; they must be synced before new ones come.
    must_checkpoint: bool,
    recovered: Recovered,
    notes: Vec<Note>,
}

impl std::fmt::Debug for Transaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transaction").field("root", &self.root.path()).finish_non_exhaustive()
    }
}

impl Transaction {
    /// Takes the lock and recovers what an earlier transaction left unfinished.
    ///
    /// # Errors
    /// [`TransactionError::LockTimeout`], [`TransactionError::RecoveryNeeded`]; where the journal or a staged file cannot be
    /// read or written.
    pub fn begin(root: Root, state: State, options: Options<'_>) -> Result<Self, TransactionError> {
        Self::begin_watched(root, state, options, Rc::new(Unwatched))
    }

    /// As [`Self::begin`], with every step told to `watch`.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub fn begin_watched(
        root: Root,
        state: State,
        options: Options<'_>,
        watch: Rc<dyn Watch>,
    ) -> Result<Self, TransactionError> {
        let lock = Lock::take(&state.dir, options.lock_timeout, options.env)?;
        let journal = Journal::open(&state, options.durability)?;
        let stage = Rc::clone(&state.stage);
        let stage_mount = stage.mount().map_err(TransactionError::io("look at", "the folder of staged files"))?;
        let hold = Hold {
            state: Rc::new(state),
            stage,
            stage_mount,
            journal: Rc::new(RefCell::new(journal)),
            durability: options.durability,
            lock: Rc::new(lock),
        };
        let mut transaction = Self::with(hold, root, options.env, watch);
        // What was found before the lock was held may be another process's half-way state.
        transaction.root.look_again();
        let tail = transaction.hold.journal.borrow_mut().tail()?;
        match tail {
            Tail::Empty | Tail::Settled(_) => transaction.clean_leftovers(None, options.settle)?,
            Tail::Unsettled => transaction.recover(options.settle)?,
        }
        Ok(transaction)
    }

    /// One that nothing is to be recovered for.
    fn with(hold: Hold, root: Root, env: &Env, watch: Rc<dyn Watch>) -> Self {
        let (env, recovered) = (env.clone(), Recovered::default());
        Self { root, hold, env, watch, must_checkpoint: false, recovered, notes: Vec::new() }
    }

    /// The root, for looking again under the lock.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Has the programs that are started while this lives hold the lock, too.
    pub fn shared(&self) -> Shared<'_> {
        self.hold.lock.shared()
    }

    /// redraft's folder.
    pub fn state(&self) -> &State {
        &self.hold.state
    }

    /// The journal's entries since the last checkpoint, where these bytes are somewhere in it; else none.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn entries_mentioning(&self, words: &[u8]) -> Result<Vec<Entry>, TransactionError> {
        Ok(self.hold.journal.borrow().contents_mentioning(words)?.entries)
    }

    /// What a person should know of this transaction and of what was interrupted before it, once.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// What had to be recovered before this transaction could begin.
    pub fn recovered(&self) -> &Recovered {
        &self.recovered
    }
}

/// Whether a journal is at rest, looked at without the lock; a journal in use by a live transaction is not.
///
/// # Errors
/// Where the journal cannot be read.
pub fn is_settled(state: &State) -> Result<bool, TransactionError> {
    Ok(peek(&state.dir)?.entries.iter().all(Entry::is_finished))
}
