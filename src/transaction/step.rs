//! The steps at which a transaction can be stopped, for tests in process.
//!
//! The seam is one function, called before each step; without tests it does nothing.

use super::error::TransactionError;

/// A step of a transaction, named by what comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is named by what it does")]
pub enum Step {
    Stage(usize),
    BackUp(usize),
    CommitIntent,
    Exchange(usize),
    ExchangeBack(usize),
    FollowUp,
    MarkApplied,
    MarkAborted,
    CleanUp,
    SyncData,
    SyncNames,
    Seal,
    ClearJournal,
}

/// Told before every step; an error stops the transaction there.
pub trait Watch {
    /// About to do `step`.
    ///
    /// # Errors
    /// To make the step fail.
    fn before(&self, step: Step) -> Result<(), TransactionError>;
}

/// Lets everything happen.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn before(&self, _: Step) -> Result<(), TransactionError> {
        Ok(())
    }
}
