//! The encodings that a file may have, by their names: from bytes to UTF-8 and back, one character at a time.
//!
//! Owns which encodings there are, and what each has. Does not say which of them a file is in: nothing here guesses.
//! Invariant: what is decoded knows where each of its characters stands in the bytes ([`Decoded`]), and a character is
//! only encoded to bytes that decode to it again, or to what the encoding has in its place.
//!
//! Names mean what iconv(1), and so git, means by them. Where WHATWG's encoding of that name is a larger one of Windows,
//! only what the name stands for is written; all that the larger one has is read.

mod composed;
mod decoded;
mod form;
mod named;
mod shifting;
mod table;
mod utf16;

pub use decoded::{Decoded, Side};

use super::BOM;
use form::Form;
use shifting::Shifting;
use utf16::Endian;

/// So many bytes stay near the processor while they are looked at.
const BLOCK: usize = 32 * 1024;

/// Whether bytes are ASCII, and no binary file's.
pub fn is_ascii_text(bytes: &[u8]) -> bool {
    bytes.is_ascii() && memchr::memchr(0, bytes).is_none()
}

/// One encoding.
#[derive(Clone, Copy)]
pub struct Encoding(Form);

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(Form::Utf8);

    /// The encoding with this name, which is one of WHATWG's labels or of iconv's; case and punctuation do not matter.
    pub fn named(name: &str) -> Option<Self> {
        named::form(name).map(Self)
    }

    /// The encoding that a byte order mark at the start of a file tells: UTF-8 or UTF-16.
    pub fn of_mark(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xfe, ..] => Some(Self(Form::Utf16(Endian::Little))),
            [0xfe, 0xff, ..] => Some(Self(Form::Utf16(Endian::Big))),
            _ if bytes.starts_with(BOM) => Some(Self::UTF_8),
            _ => None,
        }
    }

    /// The same encoding, whose new files begin with a byte order mark if it has one.
    #[must_use]
    pub fn with_mark(self) -> Self {
        Self(match self.0 {
            Form::Utf8 => Form::Utf8Bom,
            Form::Utf16(endian) => Form::Utf16Bom(endian),
            form => form,
        })
    }

    /// What it is called in answers, records and the configuration.
    pub fn name(self) -> &'static str {
        match self.0 {
            Form::Utf8 => "utf-8",
            Form::Utf8Bom => "utf-8-bom",
            Form::Utf16(Endian::Little) => "utf-16le",
            Form::Utf16(Endian::Big) => "utf-16be",
            Form::Utf16Bom(Endian::Little) => "utf-16le-bom",
            Form::Utf16Bom(Endian::Big) => "utf-16be-bom",
            Form::Table(table) => table.name,
            Form::Shifting(shifting) => shifting.name(),
        }
    }

    /// Whether it is one that shifts between sets of letters, which is known by name only: nothing is decoded or encoded.
    pub fn shifts(self) -> bool {
        matches!(self.0, Form::Shifting(_))
    }

    /// Whether every byte of ASCII is itself in it.
    pub fn has_ascii(self) -> bool {
        match self.0 {
            Form::Utf8 | Form::Utf8Bom | Form::Table(_) => true,
            Form::Utf16(_) | Form::Utf16Bom(_) | Form::Shifting(_) => false,
        }
    }

    /// The encoding that shifts whose signs these bytes have, which no other text has.
    pub fn shifting(bytes: &[u8]) -> Option<Self> {
        Shifting::shown(bytes).map(|shifting| Self(Form::Shifting(shifting)))
    }

    /// Whether bytes are ASCII without a NUL, with no sign of an encoding that shifts: they read alike in all encodings that have ASCII.
    ///
    /// Block by block, each with all questions: of a large text, reading it from memory takes most of the time.
    pub fn is_plain_ascii(bytes: &[u8]) -> bool {
        let mut blocks = (0..bytes.len()).step_by(BLOCK).map(|start| start..(start + BLOCK).min(bytes.len()));
        blocks.all(|block| is_ascii_text(&bytes[block.clone()]) && !Shifting::may_be(bytes, &block))
    }

    /// Whether a file in this encoding is what somebody means who names another one: marks aside.
    pub fn is_meant_by(self, named: Self) -> bool {
        let any_order = matches!((self.0, named.0), (Form::Utf16(_) | Form::Utf16Bom(_), Form::Utf16Bom(_)));
        any_order || self.with_mark() == named.with_mark()
    }

    /// Whether it is UTF-8, so that the bytes are the text.
    pub fn is_utf8(self) -> bool {
        matches!(self.0, Form::Utf8 | Form::Utf8Bom)
    }

    /// What a new file begins with.
    pub fn mark(self) -> &'static str {
        match self.0 {
            Form::Utf8Bom | Form::Utf16Bom(_) => "\u{feff}",
            Form::Utf8 | Form::Utf16(_) | Form::Table(_) | Form::Shifting(_) => "",
        }
    }

    /// Decodes bytes; none where they are not of this encoding. A byte order mark is the character U+FEFF.
    pub fn decode(self, bytes: &[u8]) -> Option<Decoded> {
        match self.0 {
            Form::Utf8 | Form::Utf8Bom => Decoded::verbatim(bytes),
            Form::Utf16(endian) | Form::Utf16Bom(endian) => utf16::decode(bytes, endian),
            Form::Table(table) => table.decode(bytes),
            Form::Shifting(_) => None,
        }
    }

    /// As [`Self::decode`]; where a byte order mark stands at the start, by what that tells.
    pub fn decode_marked(self, bytes: &[u8]) -> Option<Decoded> {
        Self::of_mark(bytes).unwrap_or(self).decode(bytes)
    }

    /// The text that git stores for bytes with this `working-tree-encoding`; none where git refuses them: a byte order mark
    /// must be there where the name wants one, and must not be where it names the order of bytes.
    pub fn as_git_reads(self, bytes: &[u8]) -> Option<String> {
        let text = self.decode_marked(bytes)?.into_string();
        match (self.0, text.strip_prefix('\u{feff}')) {
            (Form::Utf16Bom(_), Some(text)) => Some(text.to_owned()),
            (Form::Utf16Bom(_), None) | (Form::Utf16(_), Some(_)) => None,
            // Iconv knows their bytes as other signs.
            (Form::Table(table), _) if table.name == "shift_jis" => Some(text.replace('\\', "¥").replace('~', "‾")),
            _ => Some(text),
        }
    }

    /// Encodes a text.
    ///
    /// # Errors
    /// The first character that the encoding lacks.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        let mut out = Vec::with_capacity(text.len());
        for c in text.chars() {
            self.encode_into(c, &mut out).ok_or(c)?;
        }
        Ok(out)
    }

    /// A text as it reads after it was encoded: a character that has another one's bytes is that one; one that the
    /// encoding lacks stays.
    pub fn canonical(self, text: &str) -> String {
        let mut bytes = Vec::new();
        text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
            bytes.clear();
            let is_other = !c.is_ascii() && !self.is_utf8() && self.encode_into(c, &mut bytes).is_some();
            match self.decode(&bytes).filter(|_| is_other) {
                Some(decoded) => out.push_str(decoded.as_str()),
                None => out.push(c),
            }
            out
        })
    }

    fn encode_into(self, c: char, out: &mut Vec<u8>) -> Option<()> {
        match self.0 {
            Form::Utf8 | Form::Utf8Bom => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Form::Utf16(endian) | Form::Utf16Bom(endian) => utf16::encode(c, endian, out),
            Form::Table(table) => return table.encode(c, out),
            Form::Shifting(_) => return None,
        }
        Some(())
    }

    /// Those of the encodings that texts are most often in that decode these bytes, by their names.
    pub fn possible(bytes: &[u8]) -> Vec<&'static str> {
        const COMMON: [&str; 7] = ["shift_jis", "euc-jp", "euc-kr", "gb18030", "big5", "windows-1252", "windows-1251"];
        // A megabyte tells as much as all of it; a line's end is never in the middle of a character of these.
        const ENOUGH: usize = 1 << 20;
        let end = memchr::memrchr(b'\n', &bytes[..bytes.len().min(ENOUGH)]).map_or(bytes.len(), |end| end + 1);
        let bytes = if bytes.len() > ENOUGH { &bytes[..end] } else { bytes };
        let decodes = |name: &&str| Self::named(name).is_some_and(|one| one.decode(bytes).is_some());
        COMMON.into_iter().filter(decodes).collect()
    }
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Encoding {}

impl serde::Serialize for Encoding {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> serde::Deserialize<'de> for Encoding {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(from)?;
        Self::named(&name).ok_or_else(|| serde::de::Error::custom(format!("there is no encoding {name:?}")))
    }
}

impl std::fmt::Debug for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
