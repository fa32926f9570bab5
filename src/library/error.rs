//! The error of the library: what happened, as a program, a model and a person read it.

use crate::advice::{Explanation, explain};
use crate::code::{Code, Reason};
use crate::dialect::Words;
use std::fmt;

/// Why something was refused, or failed. Where nothing else is said, nothing was written.
#[derive(Debug)]
pub struct Error {
    cause: Box<crate::error::Error>,
    told: Box<Explanation>,
}

impl Error {
    /// One of ten codes.
    pub fn code(&self) -> Code {
        self.told.reason.code()
    }

    /// The finer cause.
    pub fn reason(&self) -> Reason {
        self.told.reason
    }

    /// The 0-based edit that failed, within [`Self::path`].
    pub fn edit(&self) -> Option<usize> {
        self.told.failed_index
    }

    /// The file that failed, relative to the root of the working tree.
    pub fn path(&self) -> Option<&str> {
        self.told.failed_path.as_deref()
    }

    /// What was found in full, in lines: texts, places, what a program printed; may be empty.
    pub fn more(&self) -> &str {
        &self.told.more
    }

    /// What helps the next attempt, such as the nearest text; its keys are those of `data.hint` of the answer
    /// (docs/protocol.md).
    pub fn hint(&self) -> &serde_json::Map<String, serde_json::Value> {
        &self.told.hint
    }
}

impl Error {
    /// What the layers say, for who stands outside of them.
    pub(super) fn of(cause: impl Into<crate::error::Error>) -> Self {
        let cause = Box::new(cause.into());
        let told = Box::new(explain(&cause, &Words::COMMAND_LINE));
        Self { cause, told }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&*self.cause)
    }
}
