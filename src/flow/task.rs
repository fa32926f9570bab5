//! What is wanted of one file, from a request or from records to undo.
//!
//! Owns the question. Its patch is made anew whenever the file changed.

use crate::error::Error;
use crate::path::RepoPath;
use crate::task::{KnownFile, PatchOutcome, TaskKind};
use crate::text::Text;

/// Makes the patch of a file from its text.
pub type Compile<'a> = Box<dyn Fn(&Text) -> Result<PatchOutcome, Error> + 'a>;

/// Refuses a file, or lets it pass.
pub type Check<'a> = Box<dyn Fn(&KnownFile<'_>) -> Result<(), Error> + 'a>;

/// What is to become of one file.
pub struct Task<'a> {
    /// Where it is afterwards (for a deletion: where it is).
    pub path: RepoPath,
    /// Where it is, for a rename.
    pub from: Option<RepoPath>,
    /// What the base must be.
    pub kind: TaskKind,
    /// The patch, from the text as it is (no text where there is no file).
    pub compile: Compile<'a>,
    /// Refuses, knowing the file as it is, before it is asked whether the edits fit.
    pub check: Check<'a>,
}
