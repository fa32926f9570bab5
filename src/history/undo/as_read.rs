//! A file of a record, the file today and what was done to it since, as they read: in UTF-8.
//!
//! Owns the way there and back. Lines and words are those of the text, not of its bytes: in UTF-16 a line has no end that
//! is a byte, and half of a character is none.

use super::cancelled::Around;
use super::log::Known;
use crate::patch::{FilePatch, encoded};
use crate::record::{RecordFile, RecordedTexts};
use crate::text::{Decoded, Encoding};
use std::borrow::Cow;
use std::sync::Arc;

/// All that is looked at, as it reads.
pub(super) struct AsRead {
    pub(super) file: RecordFile,
    pub(super) texts: RecordedTexts,
    earlier: Vec<Arc<Known>>,
    later: Vec<Arc<Known>>,
    current: Decoded,
    encoding: Encoding,
}

impl AsRead {
    /// None where the bytes are the text, or something is not of the encoding.
    pub(super) fn of(file: &RecordFile, texts: &RecordedTexts, around: Around<'_>, current: &[u8]) -> Option<Self> {
        let (read, read_texts) = file.readable(texts)?;
        let encoding = encoding_of(file, texts, current)?;
        let [earlier, later] = around.as_read(encoding)?;
        Some(Self { file: read, texts: read_texts, earlier, later, current: encoding.decode(current)?, encoding })
    }

    /// What the log has of the file around the record.
    pub(super) fn around(&self) -> Around<'_> {
        Around { earlier: &self.earlier, later: &self.later }
    }

    /// The text of the file today.
    pub(super) fn current(&self) -> &[u8] {
        self.current.as_bytes()
    }

    /// A patch of that text as one of the bytes `raw` of the file; none where the encoding lacks a character of it.
    pub(super) fn in_bytes(&self, patch: &FilePatch, raw: &[u8]) -> Option<FilePatch> {
        encoded(patch, &self.current, raw, self.encoding).ok()
    }
}

/// What the file of a record is in today, where something tells.
pub(super) fn encoding_of(file: &RecordFile, texts: &RecordedTexts, current: &[u8]) -> Option<Encoding> {
    let of_record = || file.encoding.or_else(|| texts.after().and_then(Encoding::of_mark));
    Encoding::of_mark(current).or_else(of_record)
}

/// A text as it reads; its bytes, where they are not of the encoding.
pub(super) fn text_as_read(bytes: &[u8], encoding: Option<Encoding>) -> Cow<'_, [u8]> {
    let read = encoding.and_then(|encoding| encoding.decode_marked(bytes));
    read.map_or(Cow::Borrowed(bytes), |read| Cow::Owned(read.into_bytes()))
}

impl Around<'_> {
    /// What the log has of a file before and after, as it reads; none where something is not of the encoding.
    pub(super) fn as_read(&self, encoding: Encoding) -> Option<[Vec<Arc<Known>>; 2]> {
        let read = |known: &Arc<Known>| {
            let (file, texts) = known.file.readable_in(&known.texts, encoding)?;
            let (id, class) = (known.id.clone(), known.class);
            let (targets, elsewhere) = (known.targets.clone(), known.elsewhere.clone());
            Some(Arc::new(Known { id, class, targets, elsewhere, file, texts }))
        };
        let all = |known: &[Arc<Known>]| known.iter().map(read).collect::<Option<Vec<_>>>();
        Some([all(self.earlier)?, all(self.later)?])
    }
}
