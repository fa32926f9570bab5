//! The exact bytes of one file, and what was learned of them: BOM, line endings, lines.
//!
//! Owns reading a text without changing it. Does not match and does not edit.
//! Invariant: [`Text::bytes`] are the bytes it was made from, bit for bit; they hold no NUL.

mod conflicts;
mod encoding;
mod ends;
mod eol;
mod lf;
mod lines;
mod piece_map;
mod secrets;
mod tag;
mod tokens;
mod visible;

pub use conflicts::{has_conflicts, is_conflict_mark};
pub use encoding::{Decoded, Encoding, Side, is_ascii_text};
pub use ends::{common_ends, common_prefix, common_suffix, lines_between_ends};
pub use eol::{Eol, EolCount, to_lf};
pub use lf::LfText;
pub use lines::{
    Lines, bare_line, line_end, line_numbers, line_start, next_line, split_lines, starts_line, whole_lines, without_eol,
};

pub use piece_map::PieceMap;
pub use secrets::without_secrets;
pub use tag::tag;
pub use tokens::{Words, has_word, is_name, is_of_word, token_ends, tokens};
pub use visible::{json_escaped, named, one_line, quoted_file, quoted_path, shell_word, visible};

use std::cell::OnceCell;
use std::ops::Range;

/// The UTF-8 byte order mark.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// The bytes of one file that is not binary.
#[derive(Debug, Clone)]
pub struct Text {
    bytes: Vec<u8>,
    lines: OnceCell<Lines>,
    eols: OnceCell<EolCount>,
}

/// The file is binary: there is a NUL byte at this offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a NUL byte stands at offset {offset}: the file is binary")]
pub struct NulByte {
    /// In bytes from the start of the file.
    pub offset: usize,
}

impl Text {
    /// Takes the bytes of a file.
    ///
    /// # Errors
    /// [`NulByte`] where the file is binary.
    pub fn new(bytes: Vec<u8>) -> Result<Self, NulByte> {
        match memchr::memchr(0, &bytes) {
            Some(offset) => Err(NulByte { offset }),
            None => Ok(Self { bytes, lines: OnceCell::new(), eols: OnceCell::new() }),
        }
    }

    /// The bytes, as they came.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Gives the bytes back.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Whether the file starts with a UTF-8 byte order mark.
    pub fn has_bom(&self) -> bool {
        self.bytes.starts_with(BOM)
    }

    /// Where the text proper starts: behind the BOM, if there is one.
    pub fn body_start(&self) -> usize {
        if self.has_bom() { BOM.len() } else { 0 }
    }

    /// The text proper: without its BOM, if there is one.
    #[must_use]
    pub fn without_mark(mut self) -> Self {
        if self.has_bom() {
            self.bytes.drain(..BOM.len());
            (self.lines, self.eols) = (OnceCell::new(), OnceCell::new());
        }
        self
    }

    /// The index of the lines, made at the first call; linear in the size of the file.
    pub fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::new(&self.bytes))
    }

    /// How many line endings of each kind there are, counted at the first call.
    pub fn eols(&self) -> EolCount {
        *self.eols.get_or_init(|| EolCount::of(&self.bytes))
    }

    /// The ending that most lines have; LF where there is none.
    pub fn dominant_eol(&self) -> Eol {
        self.eols().dominant()
    }

    /// The 1-based first and last line that a byte range touches.
    pub fn line_range(&self, range: &Range<usize>) -> (usize, usize) {
        let first = self.lines().number_at(range.start);
        let last = if range.is_empty() { first } else { self.lines().number_at(range.end - 1) };
        (first, last)
    }

    /// Whether the whole file is UTF-8.
    pub fn is_utf8(&self) -> bool {
        std::str::from_utf8(&self.bytes).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_anywhere_makes_a_file_binary() {
        assert_eq!(Text::new(b"ab\0c".to_vec()).map(Text::into_bytes), Err(NulByte { offset: 2 }));
    }

    #[test]
    fn lines_touched_by_a_range_are_counted_from_one() {
        let text = Text::new(b"a\nbb\nc".to_vec()).expect("no NUL");
        assert_eq!(text.line_range(&(0..1)), (1, 1));
        assert_eq!(text.line_range(&(0..2)), (1, 1));
        assert_eq!(text.line_range(&(0..3)), (1, 2));
        assert_eq!(text.line_range(&(5..6)), (3, 3));
        assert_eq!(text.line_range(&(6..6)), (3, 3));
    }
}
