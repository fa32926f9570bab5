//! What a caller should know of a change that worked: one enum on top of the layers' facts.
//!
//! Owns the union. What is said of each stands in `advice/`, in the caller's own words.

use crate::error::Error;
use crate::git_record::GitWarning;
use crate::history::{BackupNote, Chain, HistoryError, HistoryWarning, RestoreNote, UndoNote};
use crate::patch::merge::Uncertain;
use crate::path::RepoPath;
use crate::policy::ConfigWarning;
use crate::task::Overruled;
use crate::transaction::Note;
use std::path::PathBuf;
use std::time::Duration;

/// Whatever is worth knowing beside success.
#[derive(Debug)]
pub enum Warning {
    /// The place of an edit is not certain.
    Uncertain {
        /// 0-based, within its file.
        edit: usize,
        /// What was taken for what.
        uncertain: Uncertain,
    },
    /// The encoding that the caller names is not the one that the file is read and written in.
    EncodingOverruled(Overruled),
    /// Of this transaction, or of one that was interrupted before it.
    Transaction(Note),
    /// Of what was recorded in git.
    GitRecord(GitWarning),
    /// The log index of a chain of records was damaged or out of date, and is written anew.
    IndexRebuilt(Chain),
    /// Records stay in the journal, for the history is damaged.
    NotSealed(HistoryError),
    /// What another program did to the same files before is not recorded.
    NotObserved(Error),
    /// The edit is written; the checkpoint behind it failed.
    CheckpointFailed(Error),
    /// The edit is written; the receipt that would let its session go on is not.
    NoReceipt {
        /// Of the file.
        path: RepoPath,
        /// The system's words.
        error: std::io::Error,
    },
    /// The verification was given less time than the call asked for, as much as the configuration allows.
    VerifyTimeoutCapped {
        /// By the call.
        asked: Duration,
        /// In force.
        limit: Duration,
    },
    /// This journal, of a worktree that is gone, has an edit that was interrupted; its records stay there.
    UnfinishedElsewhere(PathBuf),
    /// A setting that is surely not what somebody meant.
    Config(ConfigWarning),
    /// What of the history cannot be read, or be found out.
    History(HistoryWarning),
    /// What goes with files that are brought back.
    Restore(RestoreNote),
    /// Of a backup that is looked at, or brought back.
    Backup(BackupNote),
    /// What an undo met.
    Undo(UndoNote),
}

impl From<Note> for Warning {
    fn from(note: Note) -> Self {
        Self::Transaction(note)
    }
}

impl From<GitWarning> for Warning {
    fn from(warning: GitWarning) -> Self {
        Self::GitRecord(warning)
    }
}
