//! A file of a backup, and what is to be told of it.
//!
//! Owns the facts. How they are found is `backed_up.rs`'s, what is said of them stands in `advice/`.

use crate::id::RecordId;
use crate::path::RepoPath;
use serde::Serialize;

/// How a file of a backup is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Condition {
    /// It has the text that is recorded.
    Whole,
    /// It has another one, or cannot be read.
    Damaged,
    /// It should be there, and is not.
    Gone,
    /// Nothing that is kept tells what the backup should have.
    Unproven,
    /// The edit replaced no such file.
    Foreign,
}

/// A file of a backup, or one that it should have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldFile {
    /// Where it was.
    pub path: RepoPath,
    /// In bytes, as it lies there; none where it is gone.
    pub size: Option<u64>,
    /// How it is.
    pub condition: Condition,
}

/// What goes with a backup that is looked at, or brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupNote {
    /// The file of the backup is not the old one.
    NotWhole {
        /// Of the edit.
        record: RecordId,
        /// The file.
        path: RepoPath,
        /// Damaged, or gone.
        condition: Condition,
        /// Whether its text is known all the same.
        is_known: bool,
    },
    /// The same, and what was brought back is what the history has.
    FromHistory {
        /// The file.
        path: RepoPath,
        /// Damaged, or gone.
        condition: Condition,
    },
    /// What was brought back may be anything.
    Unproven(RecordId),
}
