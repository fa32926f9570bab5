//! What becomes of one hunk.
//!
//! Owns the form of the answer for a hunk. Decides nothing.
//! Invariant: the ranges of writes are in bytes of today's text.

use super::reason::Refusal;
use std::ops::Range;

/// Bytes of today's text, and what takes their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// In bytes of today's text; empty for an insertion.
    pub range: Range<usize>,
    /// Empty for a deletion.
    pub replacement: Vec<u8>,
}

/// What becomes of one hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is there: this is to be written.
    Write(Vec<Write>),
    /// Nothing is to be done: what would be written stands there already.
    AlreadyDone,
    /// It is not proven.
    Refused(Refusal),
}

/// One hunk, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The indexes of the changes that it is made of; a change may be part of several hunks.
    pub changes: Vec<usize>,
    /// What becomes of it.
    pub verdict: Verdict,
}
