//! What is wanted of one file, from a request or from records to undo.
//!
//! Owns the question. Its patch is made anew whenever the file changed.

use super::file_format::{Told, Writes};
use crate::change::ChangeKind;
use crate::error::Error;
use crate::path::RepoPath;
use crate::task::{Found, KnownFile, Overruled, PatchOutcome, TaskKind};
use crate::text::{Encoding, Text};

/// Makes the patch of a file.
pub enum Compile<'a> {
    /// Of its text, which was decoded from this encoding.
    Text(Box<OfText<'a>>),
    /// Of its bytes.
    Bytes(Box<OfBytes<'a>>),
}

/// Makes a patch of a text.
pub type OfText<'a> = dyn Fn(&Text, Encoding) -> Result<PatchOutcome, Error> + 'a;

/// Makes a patch of bytes.
pub type OfBytes<'a> = dyn Fn(&[u8]) -> Result<PatchOutcome, Error> + 'a;

/// Refuses a file, or lets it pass.
pub type Check<'a> = Box<dyn Fn(&KnownFile<'_>) -> Result<(), Error> + 'a>;

/// Takes the bytes of a new file, or refuses them.
pub type Made<'a> = Box<dyn Fn(&[u8]) -> Result<(), Error> + 'a>;

/// What is to become of one file.
pub struct Task<'a> {
    /// Where it is afterwards (for a deletion: where it is).
    pub path: RepoPath,
    /// Where it is, for a rename.
    pub from: Option<RepoPath>,
    /// What the base must be.
    pub kind: TaskKind,
    /// The patch, from the file as it is (nothing where there is no file).
    pub compile: Compile<'a>,
    /// Is shown the bytes of a file that is made of a text.
    pub made: Made<'a>,
    /// What is said of the file's encoding.
    pub told: Told,
    /// Whether it is to be executable; where nothing is said, it stays as it is.
    pub executable: Option<bool>,
    /// Refuses, knowing the file as it is, before it is asked whether the edits fit.
    pub check: Check<'a>,
}

impl Task<'_> {
    /// The permission bits that the file is to have; none where it keeps those that it has, or gets those of every new file.
    pub(super) fn mode(&self, found: &Found) -> Option<u32> {
        let wanted = self.executable.filter(|_| found.change != ChangeKind::Delete)?;
        let Some(base) = &found.base else { return wanted.then_some(0o755) };
        let now = base.meta.mode;
        // Who may read it may run it, as git has it.
        let mode = if wanted { now | (now & 0o444) >> 2 } else { now & !0o111 };
        (mode != now).then_some(mode)
    }

    /// That the file is not read and written in the encoding that the caller names; none of those that are brought back.
    pub(super) fn overruled(
        &self,
        found: &Found,
        after: Option<&[u8]>,
        encoding: Option<Encoding>,
    ) -> Option<Overruled> {
        let bytes = found.base.as_ref().map(|base| &base.bytes[..]).or(after)?;
        let is_edited = matches!(self.compile, Compile::Text(_)) && self.told.writes != Writes::Nothing;
        Overruled::of(&found.source().path, bytes, self.told.encoding.filter(|_| is_edited), encoding)
    }
}
