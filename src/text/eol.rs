//! Line endings: their kinds, their counts, and the reading of a text with LF only.

use std::borrow::Cow;

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Eol {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
}

impl Eol {
    /// The bytes of the ending.
    pub fn as_bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }
}

/// How many line endings of each kind a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EolCount {
    /// Lines that end with `\n` alone.
    pub lf: usize,
    /// Lines that end with `\r\n`.
    pub crlf: usize,
}

impl EolCount {
    /// Counts the endings of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let all = memchr::memchr_iter(b'\n', bytes).count();
        // Most files have no CR at all: one more scan is cheaper than looking before every LF.
        let crlf = memchr::memchr_iter(b'\r', bytes).filter(|&at| bytes.get(at + 1) == Some(&b'\n')).count();
        Self { lf: all - crlf, crlf }
    }

    /// The ending that most lines have; LF in a draw.
    pub fn dominant(self) -> Eol {
        if self.crlf > self.lf { Eol::CrLf } else { Eol::Lf }
    }
}

/// The same text with every `\r\n` as `\n`; borrowed where there is none.
pub fn to_lf(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memmem::find(bytes, b"\r\n").is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for at in memchr::memmem::find_iter(bytes, b"\r\n") {
        out.extend_from_slice(&bytes[from..at]);
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crlf_becomes_lf_and_a_lone_cr_stays() {
        assert_eq!(&*to_lf(b"a\r\nb\rc\r\r\nd\n"), b"a\nb\rc\r\nd\n");
        assert!(matches!(to_lf(b"a\rb\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn endings_are_counted_by_kind() {
        assert_eq!(EolCount::of(b"a\r\nb\nc\r\nd\r"), EolCount { lf: 1, crlf: 2 });
        assert_eq!(EolCount::of(b"a\r\nb\n").dominant(), Eol::Lf);
    }
}
