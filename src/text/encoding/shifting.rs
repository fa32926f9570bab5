//! Encodings that shift: the same byte is one letter here and another there, by the sequences that stand before it.
//!
//! Owns their names and the signs of them. Does not decode them: redraft edits no such file, and says so by name.
//! All bytes of such a file are ASCII, so that one that nobody asks about would be edited as if it were.

use std::ops::Range;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shifting {
    Iso2022Jp,
    Iso2022Kr,
    Iso2022Cn,
    /// By its sequences; which of them it is they do not tell.
    Iso2022,
    Utf7,
    Hz,
}

impl Shifting {
    /// The one with this name, of which only letters and digits are given, in lower case.
    pub(super) fn named(plain: &str) -> Option<Self> {
        let name = plain.strip_prefix("cs").unwrap_or(plain);
        Some(match name {
            "hz" | "hzgb2312" => Self::Hz,
            "iso2022" | "iso20227bit" => Self::Iso2022,
            "jis" | "junet" => Self::Iso2022Jp,
            _ if name.starts_with("utf7") || name == "unicode11utf7" => Self::Utf7,
            _ if name.starts_with("iso2022jp") => Self::Iso2022Jp,
            _ if name.starts_with("iso2022kr") => Self::Iso2022Kr,
            _ if name.starts_with("iso2022cn") => Self::Iso2022Cn,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Iso2022Jp => "iso-2022-jp",
            Self::Iso2022Kr => "iso-2022-kr",
            Self::Iso2022Cn => "iso-2022-cn",
            Self::Iso2022 => "iso-2022",
            Self::Utf7 => "utf-7",
            Self::Hz => "hz-gb-2312",
        }
    }

    /// The one whose signs these bytes have, which stand in no other text: a sequence that calls up a set of two bytes, or
    /// of other signs than ASCII (those that a terminal is sent are not among them), or the mark of UTF-7.
    pub(super) fn shown(bytes: &[u8]) -> Option<Self> {
        let is_utf7 = matches!(bytes, [b'+', b'/', b'v', b'8' | b'9' | b'+' | b'/', ..]);
        let called = || memchr::memchr_iter(ESC, bytes).find_map(|at| Self::called(&bytes[at + 1..]));
        if is_utf7 { Some(Self::Utf7) } else { called() }
    }

    /// What is called up behind an ESC.
    fn called(rest: &[u8]) -> Option<Self> {
        match rest {
            [b'$', b'@' | b'B', ..] | [b'$', b'(', b'D' | b'O' | b'P' | b'Q', ..] | [b'(', b'J' | b'I', ..] => {
                Some(Self::Iso2022Jp)
            }
            [b'$', b')', b'C', ..] => Some(Self::Iso2022Kr),
            [b'$', b')', b'A' | b'G' | b'E', ..] | [b'$', b'*', b'H', ..] => Some(Self::Iso2022Cn),
            [b'$', b'A', ..] | [b'$', b'(', b'@'..=b'~', ..] | [b'$', b'+', b'I'..=b'M', ..] => Some(Self::Iso2022),
            _ => None,
        }
    }

    /// Whether a block of these bytes, which are ASCII, may be more than that in one of them: then somebody must be asked.
    pub(super) fn may_be(bytes: &[u8], block: &Range<usize>) -> bool {
        let with_next = &bytes[block.start..(block.end + 1).min(bytes.len())];
        memchr::memchr2(ESC, SHIFT_OUT, &bytes[block.clone()]).is_some()
            || memchr::memmem::find(with_next, b"~{").is_some()
            || memchr::memchr_iter(b'+', &bytes[block.clone()]).any(|at| is_utf7(&bytes[block.start + at + 1..]))
    }
}

const ESC: u8 = 0x1b;
const SHIFT_OUT: u8 = 0x0e;

/// Whether what stands behind a `+` is UTF-7's: whole units of UTF-16, of which one is beyond ASCII.
fn is_utf7(rest: &[u8]) -> bool {
    const LONGEST: usize = 64;
    let value = |byte: &u8| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        })
    };
    let (mut bits, mut held, mut is_beyond) = (0_u32, 0, false);
    for six in rest.iter().take(LONGEST).map_while(value) {
        (bits, held) = (bits << 6 | u32::from(six), held + 6);
        if held >= 16 {
            held -= 16;
            is_beyond |= bits >> held & 0xffff > 0x7f;
            bits &= (1 << held) - 1;
        }
    }
    // What is left of the last unit are zeros, fewer than a letter of them.
    is_beyond && held < 6 && bits == 0
}

#[cfg(test)]
mod tests {
    use crate::text::{Encoding, encoding::BLOCK};

    #[test]
    fn a_sign_is_met_wherever_it_stands_in_a_large_text() {
        for sign in ["\u{1b}$B", "\u{e}", "~{", "+AMQ-", "\0", "ä"] {
            for at in [0, 1, BLOCK - 2, BLOCK - 1, BLOCK, 2 * BLOCK - 1, 3 * BLOCK] {
                let text = ["x".repeat(at), sign.to_owned(), "y".repeat(3 * BLOCK - at)].concat();
                assert!(!Encoding::is_plain_ascii(text.as_bytes()), "{sign:?} at {at}");
            }
        }
        assert!(Encoding::is_plain_ascii("a + b ~ {c}\n".repeat(BLOCK / 4).as_bytes()));
    }
}
