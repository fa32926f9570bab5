//! Tasks that were made from something that others may change until the lock is held: from the log.
//!
//! Owns what becomes of them where that happened: they are not done, and the lock is handed back, so that the next ones are
//! made under it and cannot be overtaken again. What they are made from, and how, is the caller's affair.

use super::done::Done;
use crate::error::Error;
use crate::transaction::Transaction;
use crate::warning::Warning;

/// Whether what the tasks were made from is as it was; asked under the lock.
pub type StillSo<'a> = &'a dyn Fn() -> Result<bool, Error>;

/// The lock, held between two tries of one change.
#[must_use]
pub struct Held {
    pub(super) transaction: Transaction,
    /// What was found out while it was taken.
    pub(super) warnings: Vec<Warning>,
}

/// What came of tasks.
pub enum Ran {
    /// They were done.
    Done(Box<Done>),
    /// They were made from what is not so any more, and nothing was done; with the lock, unless a person is asked first.
    Overtaken(Option<Box<Held>>),
}

/// What tasks were made from.
pub(super) struct MadeFrom<'a> {
    /// The lock, where they were made under it.
    pub(super) held: Option<Box<Held>>,
    pub(super) still_so: StillSo<'a>,
}

/// What came of taking the lock.
pub(super) enum Locked {
    Held(Held),
    Overtaken(Held),
}
