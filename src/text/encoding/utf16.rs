//! UTF-16, in either order of bytes.
//!
//! Owns surrogates. A lone one is no character, so that a text with one is not decoded.

use super::decoded::{Builder, Decoded};

/// Which byte of a unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endian {
    Little,
    Big,
}

pub(super) fn decode(bytes: &[u8], endian: Endian) -> Option<Decoded> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let units = pairs.iter().map(|&pair| match endian {
        Endian::Little => u16::from_le_bytes(pair),
        Endian::Big => u16::from_be_bytes(pair),
    });
    let mut out = Builder::with_capacity(bytes.len());
    for c in char::decode_utf16(units) {
        let c = c.ok()?;
        out.push(c, 2 * c.len_utf16());
    }
    Some(out.build())
}

pub(super) fn encode(c: char, endian: Endian, out: &mut Vec<u8>) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        out.extend_from_slice(&match endian {
            Endian::Little => unit.to_le_bytes(),
            Endian::Big => unit.to_be_bytes(),
        });
    }
}
