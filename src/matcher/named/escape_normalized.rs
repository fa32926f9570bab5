//! `escape-normalized` (opencode): `\n`, `\t`, `\"` and so on are read as what they stand for.
//!
//! Accepts every exact occurrence of the text without escapes. Goes wrong where the escapes belong to the text.

use super::candidate::Candidate;
use super::simple;
use crate::matcher::exact::Want;
use crate::matcher::source::Source;

/// Every occurrence of `old` without its escapes.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Vec<Candidate> {
    let plain = unescape(old.bytes());
    if plain == old.bytes() { Vec::new() } else { simple::find(file, &plain, Want::One) }
}

/// The text with every known escape read.
pub fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        let next = if byte == b'\\' { bytes.as_slice().first() } else { None };
        let plain = match next {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(&c @ (b'"' | b'\'' | b'`' | b'\\' | b'\n' | b'$')) => c,
            _ => {
                out.push(byte);
                continue;
            }
        };
        out.push(plain);
        bytes.next();
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::matcher::named::testing::check;
    use crate::strategy::Strategy::EscapeNormalized;

    #[test]
    fn escapes_are_read() {
        check(EscapeNormalized, "a = \"b\"\nc\n", r#"a = \"b\"\nc"#, &[(1, 2)]);
        check(EscapeNormalized, "a\n", "a", &[]);
    }
}
