//! What happens to a file, and how it stood against HEAD.
//!
//! Owns the two closed sets. Does not find out which holds.

use serde::{Deserialize, Serialize};

/// What kind of change a file went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ChangeKind {
    /// Its text changed.
    Modify,
    /// It was made.
    Create,
    /// It was removed.
    Delete,
    /// It was moved, perhaps with its text changed.
    Rename,
}

/// How a path stood against HEAD before the edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PathState {
    /// The same as in HEAD.
    Clean,
    /// Other than in HEAD.
    Modified,
    /// Not in HEAD, in the index.
    Added,
    /// Neither in HEAD nor in the index.
    Untracked,
    /// As untracked, and git ignores it.
    Ignored,
}
