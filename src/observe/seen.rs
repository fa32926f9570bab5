//! One file as it was: what it looked like, and where its text is.
//!
//! Owns the words for it. Pure.

use crate::git::Remembered;
use crate::id::BlobId;
use crate::worktree::Meta;
use std::rc::Rc;

/// Where the text of a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Text {
    /// The blob has it, in git's form.
    InGit(BlobId),
    /// Here.
    Kept(Rc<Vec<u8>>),
    /// Nowhere: it was too much, or not to be read.
    NotKept,
    /// It has none: it is a symlink.
    Link,
}

impl Text {
    /// As if the index had it.
    pub(super) fn remembered(&self) -> Option<Remembered> {
        match self {
            Self::InGit(id) => Some(Remembered::text(*id)),
            Self::Kept(_) | Self::NotKept | Self::Link => None,
        }
    }
}

/// A file as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) meta: Meta,
    pub(super) text: Text,
}
