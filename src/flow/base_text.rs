//! The text of a file as its task sees it, and the task's patch as one of the file's own bytes.
//!
//! Owns the way through an encoding. Which one it is, is `file_format.rs`'s.
//! Invariant: what comes out is against the bytes that came in, which are given back as they were.

use super::file_format::{FileFormats, Told};
use super::task::{Compile, Task};
use crate::change::ChangeKind;
use crate::error::Error;
use crate::patch::{CompileError, EditRefusal, FilePatch, Lacking, encoded};
use crate::path::RepoPath;
use crate::policy::Finding;
use crate::task::{Found, PatchOutcome, TaskKind};
use crate::text::{Decoded, Encoding, Text};

/// A text that was read.
pub(super) enum BaseText {
    /// The bytes are the text.
    Plain(Text),
    /// They are in another encoding than UTF-8.
    Encoded(Box<EncodedText>),
    /// They are no text; what is brought back is brought back all the same.
    Binary(Vec<u8>),
}

/// Bytes, and what they read as.
pub(super) struct EncodedText {
    raw: Vec<u8>,
    encoding: Encoding,
    decoded: Decoded,
    text: Text,
}

impl BaseText {
    /// Where there is no file.
    pub(super) fn empty() -> Self {
        Self::Plain(Text::new(Vec::new()).expect("nothing has no NUL"))
    }

    /// Reads the bytes of a file, for a task.
    ///
    /// # Errors
    /// [`Finding::Binary`] where a text is wanted, and those of [`FileFormats::decoded`].
    pub(super) fn new(
        bytes: Vec<u8>,
        path: &RepoPath,
        formats: FileFormats<'_>,
        task: &Task<'_>,
    ) -> Result<Self, Error> {
        let binary = |offset| Finding::Binary { path: path.to_string_lossy(), offset };
        match formats.decoded(path, &bytes, task.told)? {
            None if matches!(task.compile, Compile::Bytes(_)) && memchr::memchr(0, &bytes).is_some() => {
                Ok(Self::Binary(bytes))
            }
            None => Ok(Self::Plain(Text::new(bytes).map_err(|nul| binary(nul.offset))?)),
            Some((encoding, decoded)) => {
                let text = Text::new(decoded.as_bytes().to_vec()).map_err(|nul| binary(nul.offset))?;
                Ok(Self::Encoded(Box::new(EncodedText { raw: bytes, encoding, decoded, text })))
            }
        }
    }

    /// The bytes of the file.
    pub(super) fn raw(&self) -> &[u8] {
        match self {
            Self::Plain(text) => text.bytes(),
            Self::Encoded(encoded) => &encoded.raw,
            Self::Binary(bytes) => bytes,
        }
    }

    /// Gives the bytes of the file back.
    pub(super) fn into_raw(self) -> Vec<u8> {
        match self {
            Self::Plain(text) => text.into_bytes(),
            Self::Encoded(encoded) => encoded.raw,
            Self::Binary(bytes) => bytes,
        }
    }

    /// What a task makes of the file, in its bytes; and the encoding of what it leaves, where that is not UTF-8.
    pub(super) fn compile(
        &self,
        task: &Task<'_>,
        found: &Found,
        formats: FileFormats<'_>,
    ) -> Result<(PatchOutcome, Option<Encoding>), Error> {
        let path = &found.source().path;
        match (&task.compile, self) {
            (Compile::Bytes(compile), Self::Plain(text)) => {
                let outcome = compile(text.bytes())?;
                let encoding = brought(&outcome.patch, text.bytes(), task.told);
                Ok((outcome, encoding))
            }
            (Compile::Bytes(compile), Self::Encoded(base)) => Ok((compile(&base.raw)?, Some(base.encoding))),
            (Compile::Bytes(compile), Self::Binary(bytes)) => Ok((compile(bytes)?, None)),
            (Compile::Text(_), Self::Binary(bytes)) => {
                let offset = memchr::memchr(0, bytes).unwrap_or_default();
                Err(Finding::Binary { path: path.to_string_lossy(), offset }.into())
            }
            (Compile::Text(compile), Self::Plain(text)) => {
                let outcome = compile(text, Encoding::UTF_8)?;
                if found.change != ChangeKind::Create {
                    return Ok((outcome, None));
                }
                let content = content(&outcome.patch.apply(text.bytes()), path)?;
                let (bytes, encoding) = formats.new_file(path, content, task.told)?;
                (task.made)(&bytes)?;
                Ok((PatchOutcome { patch: FilePatch::whole(0, bytes), ..outcome }, encoding))
            }
            (Compile::Text(compile), Self::Encoded(base)) => {
                let outcome = compile(&base.text, base.encoding)?;
                let outcome = match task.kind {
                    TaskKind::Create { .. } => base.overwritten(outcome, path)?,
                    TaskKind::Modify | TaskKind::Delete | TaskKind::Rename => base.in_bytes(outcome, path)?,
                };
                Ok((outcome, Some(base.encoding)))
            }
        }
    }
}

impl EncodedText {
    /// A patch of the text as one of the bytes.
    fn in_bytes(&self, outcome: PatchOutcome, path: &RepoPath) -> Result<PatchOutcome, Error> {
        let patch = encoded(&outcome.patch, &self.decoded, &self.raw, self.encoding);
        let patch = patch.map_err(|Lacking { character, edit }| Error::Compile {
            path: path.clone(),
            error: Box::new(CompileError::new(
                edit,
                EditRefusal::NotInEncoding { character, encoding: self.encoding.name() },
            )),
        })?;
        let mut outcome = PatchOutcome { patch, ..outcome };
        for edit in &mut outcome.edits {
            edit.range = self.decoded.raw_range(&edit.range);
        }
        Ok(outcome)
    }

    /// All of the file anew, in the encoding that it has.
    fn overwritten(&self, outcome: PatchOutcome, path: &RepoPath) -> Result<PatchOutcome, Error> {
        let content = content(&outcome.patch.apply(self.text.bytes()), path)?;
        let bytes = FileFormats::overwritten(path, &self.raw, &content, self.encoding)?;
        Ok(PatchOutcome { patch: FilePatch::whole(self.raw.len(), bytes), ..outcome })
    }
}

/// The encoding of bytes that are brought back, where the file has none of it now.
fn brought(patch: &FilePatch, now: &[u8], told: Told) -> Option<Encoding> {
    let first = patch.splices().first().filter(|splice| splice.range.start == 0);
    let marked = Encoding::of_mark(first.map_or(now, |splice| &splice.replacement));
    let encoding = marked.or(told.encoding).filter(|encoding| !encoding.is_utf8())?;
    encoding.decode(&patch.apply(now)).map(|_| encoding)
}

/// Contents that are a text.
fn content(bytes: &[u8], path: &RepoPath) -> Result<Vec<u8>, Finding> {
    match memchr::memchr(0, bytes) {
        Some(_) => Err(Finding::NewTextHasNul(path.to_string_lossy())),
        None => Ok(bytes.to_vec()),
    }
}
