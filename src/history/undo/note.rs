//! What an undo or redo met that its caller would not guess.
//!
//! Owns the facts. What is said of them stands in `advice/`.

use crate::history::error::Nothing;
use crate::id::RecordId;
use crate::path::RepoPath;
use crate::record::RecordClass;

/// One such thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UndoNote {
    /// No record touched a path that was named beside others.
    Untouched {
        /// The path, as its caller writes it.
        path: String,
        /// The recorded paths that may be meant, in the same way.
        near: Vec<String>,
    },
    /// The newest record is passed over: the file is without what it did (or, for a redo, has it).
    Passed {
        /// The file.
        path: RepoPath,
        /// Undo or redo.
        class: RecordClass,
    },
    /// The file is already as it is to become.
    AsWanted {
        /// The file.
        path: RepoPath,
        /// Undo or redo.
        class: RecordClass,
    },
    /// The file is as it is to become; what is staged of it is not.
    Staged {
        /// The file.
        path: RepoPath,
        /// Undo or redo.
        class: RecordClass,
    },
    /// What is there was taken back, and done again by another record (or, for a redo, brought back and taken out again).
    DoneAgain {
        /// The file.
        path: RepoPath,
        /// The other record.
        by: RecordId,
        /// Undo or redo.
        class: RecordClass,
    },
    /// Somebody renamed the file since the record; it keeps this name.
    Renamed(RepoPath),
    /// The name that was to go was changed once more since, so that there is nothing to do.
    RenamedAgain {
        /// The name that the record gave the file.
        was: RepoPath,
        /// Today's, which it keeps.
        now: RepoPath,
    },
    /// A record that was named beside others has nothing left to be taken back.
    NotInForce(Nothing),
    /// One of several calls made each of these records, and not all of those calls are meant: they are left.
    SharedLeft(Vec<RecordId>),
    /// These undos took back edits that are not meant, too: they are left.
    UndosOfOthersLeft(Vec<RecordId>),
    /// Other hunks show the same edit as the one that was named, and go with it.
    HunksTogether {
        /// The one that was named, 1-based.
        hunk: usize,
        /// The others.
        others: Vec<usize>,
    },
}
