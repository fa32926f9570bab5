//! One file of a record, as the record left it, and how sure it is which file that is today.
//!
//! Owns these two facts. Where it is, is `whereabouts`'s affair.

use crate::history::reader::Item;
use crate::record::{Record, RecordedTexts};

/// One file of a record, as it was left.
pub(super) struct Left<'a> {
    pub(super) item: &'a Item,
    pub(super) record: &'a Record,
    pub(super) file: usize,
    pub(super) texts: &'a RecordedTexts,
}

/// How a file was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoundBy {
    /// By a name that the log has for it, or by its exact text.
    Certain,
    /// By git, which moved it there with a text that the log has of it.
    Git,
    /// Against the names, by lines that no other file has.
    Apart,
    /// By most of its lines: then what was done to it must be there, too.
    Likeness,
    /// By its lines, which stand in another file as well.
    Copied,
    /// By its name alone: what is there was another file, as far as its text tells.
    NameOnly,
}
