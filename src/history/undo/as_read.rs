//! A file of a record, the file today and what was done to it since, as they read: in UTF-8.
//!
//! Owns the way there and back. Lines and words are those of the text, not of its bytes: in UTF-16 a line has no end that
//! is a byte, and half of a character is none.

use super::cancelled::Around;
use super::log::Known;
use crate::patch::{FilePatch, encoded};
use crate::record::{RecordFile, RecordedTexts};
use crate::text::{BOM, Decoded, Encoding, Eol, EolCount};
use memchr::memmem;
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
    // Somebody may have converted it since.
    let is_converted = |from: Encoding| match from.has_ascii() {
        true => !from.is_utf8() && became_utf8(texts.after().unwrap_or_default(), current),
        false => !current.contains(&0) && std::str::from_utf8(current).is_ok_and(|text| !text.is_empty()),
    };
    let converted = || of_record().filter(|from| is_converted(*from)).map(|_| Encoding::UTF_8);
    Encoding::of_mark(current).or_else(converted).or_else(of_record)
}

/// Whether a text is UTF-8 with characters beyond ASCII, and the one that a record left had none such, or was none.
fn became_utf8(after: &[u8], current: &[u8]) -> bool {
    let is_utf8 = |text: &[u8]| !text.is_ascii() && std::str::from_utf8(text).is_ok();
    is_utf8(current) && !is_utf8(after)
}

/// Whether a text that is to be written would have two kinds of line endings, where the file has one kind, and the record left it
/// with the other.
pub(super) fn mixes_endings(after: &[u8], current: &[u8], result: &[u8]) -> bool {
    let kind = |text: &[u8]| match EolCount::of(text) {
        EolCount { lf: 1.., crlf: 0 } => Some(Eol::Lf),
        EolCount { lf: 0, crlf: 1.. } => Some(Eol::CrLf),
        EolCount { .. } => None,
    };
    let (left, is) = (kind(after), kind(current));
    left.is_some() && is.is_some() && left != is && kind(result).is_none()
}

/// Whether a text that is to be written would be in two encodings, where the one that the file has is in one: the record left it
/// in another.
pub(super) fn mixes_encodings(after: &[u8], current: &[u8], result: &[u8]) -> bool {
    let is_utf8 = |text: &[u8]| std::str::from_utf8(text).is_ok();
    let beyond = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii()).count();
    let has_mark = |text: &[u8]| Encoding::of_mark(text).is_some();
    if has_mark(after) || has_mark(current) {
        return false;
    }
    let is_of_utf8 = became_utf8(after, current) && !is_utf8(result);
    is_of_utf8 || (is_utf8(after) && !is_utf8(current) && beyond(result) > beyond(current))
}

/// Whether a text that is to be written would have a byte order mark within, where the file has none: it is one only at the start.
pub(super) fn misplaces_mark(current: &[u8], result: &[u8]) -> bool {
    let within = |text: &[u8]| memmem::find_iter(text.get(1..).unwrap_or_default(), BOM).count();
    within(result) > within(current)
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
            let written_at = known.written_at;
            let (targets, elsewhere) = (known.targets.clone(), known.elsewhere.clone());
            Some(Arc::new(Known { id, class, targets, elsewhere, written_at, file, texts }))
        };
        let all = |known: &[Arc<Known>]| known.iter().map(read).collect::<Option<Vec<_>>>();
        Some([all(self.earlier)?, all(self.later)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::file_of_record::tests::record;

    const LATIN: &[u8] = b"caf\xe9\nb\n";
    const UTF_8: &[u8] = "café\nb\n".as_bytes();
    const ASCII: &[u8] = b"cafe\nb\n";

    #[test]
    fn a_text_became_utf8_where_it_has_such_characters_and_the_record_left_none() {
        assert!(became_utf8(LATIN, UTF_8));
        assert!(became_utf8(ASCII, UTF_8));
        assert!(!became_utf8(UTF_8, UTF_8));
        assert!(!became_utf8(LATIN, ASCII));
        assert!(!became_utf8(UTF_8, ASCII));
        assert!(!became_utf8(LATIN, LATIN));
        assert!(!became_utf8(ASCII, LATIN));
    }

    #[test]
    fn endings_are_mixed_where_the_file_has_one_kind_and_the_record_left_the_other() {
        let (lf, crlf, both, none) = (&b"a\nb\n"[..], &b"a\r\nb\r\n"[..], &b"a\r\nb\n"[..], &b"a"[..]);
        assert!(mixes_endings(lf, crlf, both));
        assert!(mixes_endings(crlf, lf, both));
        for (after, current, result) in [
            (lf, lf, both),
            (crlf, crlf, both),
            (both, lf, both),
            (both, crlf, both),
            (none, lf, both),
            (none, crlf, both),
            (lf, none, both),
            (crlf, none, both),
            (lf, both, both),
            (crlf, both, both),
            (lf, crlf, crlf),
            (crlf, lf, lf),
            (lf, crlf, lf),
        ] {
            assert!(!mixes_endings(after, current, result), "{after:?} {current:?} {result:?}");
        }
    }

    #[test]
    fn encodings_are_mixed_where_a_line_of_the_one_comes_into_a_text_of_the_other() {
        let mixed: &[u8] = b"caf\xe9\nb\xc3\xa9\n";
        let more_latin: &[u8] = b"caf\xe9\n\xe9\n";
        // Converted to UTF-8, and a line comes back in Latin-1.
        assert!(mixes_encodings(LATIN, UTF_8, mixed));
        assert!(mixes_encodings(ASCII, UTF_8, mixed));
        assert!(!mixes_encodings(LATIN, UTF_8, UTF_8));
        assert!(!mixes_encodings(UTF_8, UTF_8, mixed));
        // Converted from UTF-8, and characters of it come back.
        assert!(mixes_encodings(UTF_8, LATIN, mixed));
        assert!(!mixes_encodings(UTF_8, LATIN, LATIN));
        assert!(!mixes_encodings(UTF_8, LATIN, ASCII));
        // It never was UTF-8.
        assert!(!mixes_encodings(LATIN, LATIN, more_latin));
        assert!(!mixes_encodings(UTF_8, UTF_8, LATIN));
        // A mark says what it is.
        assert!(!mixes_encodings(b"\xef\xbb\xbfcaf\xc3\xa9\n", LATIN, mixed));
        assert!(!mixes_encodings(LATIN, b"\xef\xbb\xbfcaf\xc3\xa9\n", mixed));
    }

    #[test]
    fn a_text_without_the_nuls_of_utf_16_was_converted() {
        let file = RecordFile { encoding: Encoding::named("utf-16le"), ..record(1, "f").files.remove(0) };
        let texts = RecordedTexts::new(&file, None, None).expect("none is kept");
        for (current, want) in [
            (&b"a\0b\0\n\0"[..], "utf-16le"),
            (b"ab\n", "utf-8"),
            (b"", "utf-16le"),
            (b"\xd8\x3d", "utf-16le"),
            (b"\xfe\xff\0a", "utf-16be"),
        ] {
            let found = encoding_of(&file, &texts, current).map(|encoding| encoding.name().to_ascii_lowercase());
            assert_eq!(found.as_deref(), Some(want), "{current:?}");
        }
    }
}
