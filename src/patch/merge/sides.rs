//! What a merge is made of.

use crate::matcher::found::Found;
use crate::matcher::source::Source;

/// The three texts, and where the old one is.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'s> {
    /// The file.
    pub file: &'s Source<'s>,
    /// The old text, as read.
    pub old: &'s Source<'s>,
    /// The new text, as read.
    pub new: &'s Source<'s>,
    /// Where the old text is.
    pub found: &'s Found,
    /// Whether only the old text was read otherwise than it was sent.
    pub old_only: bool,
    /// Whether the result must be certain, or the caller took the risk.
    pub certain: bool,
}
