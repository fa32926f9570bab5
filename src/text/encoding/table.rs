//! Encodings of one to four bytes for a character, by encoding_rs's tables and where those of the name differ from them.
//!
//! Owns how wide a character is, and what an encoding lacks or has beside encoding_rs's.
//! Invariant: of ASCII, every byte is itself.

use super::composed;
use super::decoded::{Builder, Decoded};
use std::collections::HashMap;
use std::sync::OnceLock;

/// One encoding.
pub(super) struct Table {
    pub(super) name: &'static str,
    /// What iconv and others call it, beside its name and WHATWG's labels.
    pub(super) also: &'static [&'static str],
    pub(super) rs: &'static encoding_rs::Encoding,
    pub(super) width: Width,
    /// The least second byte that is written.
    pub(super) second_from: u8,
    /// The codes that are read, and not written: first and last, as numbers.
    pub(super) lacks: &'static [(u32, u32)],
    /// Codes that stand for another character than encoding_rs's.
    pub(super) other: &'static [(u32, char)],
    /// Characters that are written as a code which reads as another one, or which encoding_rs would write otherwise.
    pub(super) written: &'static [(char, u32)],
    /// Codes that encoding_rs reads and does not write.
    pub(super) only_read: OnlyRead,
}

/// How many bytes a character has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    One,
    /// Two from this byte on.
    TwoFrom(u8),
    ShiftJis,
    EucJp,
    /// Two, or four where a digit follows.
    Gb18030,
}

/// Codes that encoding_rs reads and does not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnlyRead {
    None,
    /// EUC-JP's that begin with 0x8f.
    JisX0212,
    /// Big5's of Hong Kong.
    Hkscs,
}

static JIS_X_0212: OnceLock<HashMap<char, u32>> = OnceLock::new();
static HKSCS: OnceLock<HashMap<char, u32>> = OnceLock::new();

impl Table {
    pub(super) fn decode(&self, bytes: &[u8]) -> Option<Decoded> {
        let mut out = Builder::with_capacity(bytes.len() * 3 / 2);
        let mut rest = bytes;
        while !rest.is_empty() {
            let ascii = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
            out.push_ascii(std::str::from_utf8(&rest[..ascii]).ok()?);
            rest = &rest[ascii..];
            if let Some(width) = self.width(rest) {
                let (code, behind) = rest.split_at_checked(width)?;
                match self.other_char(code) {
                    Some(c) => out.push(c, width),
                    None => {
                        out.push_str(&self.rs.decode_without_bom_handling_and_without_replacement(code)?, width);
                    }
                }
                rest = behind;
            }
        }
        Some(out.build())
    }

    /// How many bytes the character at the start has, which is not ASCII; none at the end.
    fn width(&self, rest: &[u8]) -> Option<usize> {
        let lead = *rest.first()?;
        Some(match (self.width, lead) {
            (Width::TwoFrom(first), lead) if lead >= first => 2,
            (Width::ShiftJis, 0x81..=0x9f | 0xe0..=0xfc) | (Width::EucJp, 0x8e | 0xa1..=0xfe) => 2,
            (Width::EucJp, 0x8f) => 3,
            (Width::Gb18030, 0x81..=0xfe) => match rest.get(1) {
                Some(0x30..=0x39) => 4,
                _ => 2,
            },
            _ => 1,
        })
    }

    fn other_char(&self, code: &[u8]) -> Option<char> {
        let number = number(code);
        self.other.iter().find(|(other, _)| *other == number).map(|(_, c)| *c)
    }

    pub(super) fn encode(&self, c: char, out: &mut Vec<u8>) -> Option<()> {
        if c.is_ascii() {
            out.push(c as u8);
            return Some(());
        }
        if let Some(code) = self.code(c) {
            out.extend_from_slice(&code);
            return Some(());
        }
        let ways = composed::parts(c);
        let parts = |way: &Vec<char>| way.iter().map(|&part| self.code_or_ascii(part)).collect::<Option<Vec<_>>>();
        out.extend(ways.iter().find_map(parts)?.concat());
        Some(())
    }

    fn code_or_ascii(&self, c: char) -> Option<Vec<u8>> {
        if c.is_ascii() { Some(vec![c as u8]) } else { self.code(c) }
    }

    /// The code of a character that is not ASCII.
    fn code(&self, c: char) -> Option<Vec<u8>> {
        if let Some((_, code)) = self.written.iter().find(|(written, _)| *written == c) {
            return Some(bytes(*code));
        }
        if let Some((code, _)) = self.other.iter().find(|(_, other)| *other == c) {
            return Some(bytes(*code));
        }
        let mut utf8 = [0; 4];
        let (code, _, is_lossy) = self.rs.encode(c.encode_utf8(&mut utf8));
        if !is_lossy && self.writes(&code, c) {
            return Some(code.into_owned());
        }
        self.only_read.code(c, self.rs).map(bytes)
    }

    /// Whether a code of encoding_rs's is one of this encoding, and stands for the same character.
    fn writes(&self, code: &[u8], c: char) -> bool {
        let number = number(code);
        let lacks = self.lacks.iter().any(|(first, last)| (*first..=*last).contains(&number));
        let is_beyond = code.len() == 2 && code[1] < self.second_from;
        // WHATWG gives bytes that an encoding of Windows does not have to control characters.
        let is_control = code.len() == 1 && c < '\u{a0}';
        !lacks && !is_beyond && !is_control && self.other_char(code).is_none()
    }
}

impl OnlyRead {
    fn code(self, c: char, rs: &'static encoding_rs::Encoding) -> Option<u32> {
        let (codes, known) = match self {
            Self::None => return None,
            Self::JisX0212 => (0x8f_a1a1..=0x8f_fefe, &JIS_X_0212),
            Self::Hkscs => (0x8740..=0xfefe, &HKSCS),
        };
        let known = known.get_or_init(|| {
            let read = |code: u32| {
                let text = rs.decode_without_bom_handling_and_without_replacement(&bytes(code))?.into_owned();
                let mut chars = text.chars();
                chars.next().filter(|_| chars.next().is_none()).map(|c| (c, code))
            };
            // Of two codes for one character the first counts.
            codes.rev().filter_map(read).collect()
        });
        known.get(&c).copied()
    }
}

/// A code as a number: its bytes, the first one highest.
fn number(code: &[u8]) -> u32 {
    code.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The bytes of a code.
fn bytes(number: u32) -> Vec<u8> {
    number.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect()
}
