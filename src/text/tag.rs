//! The tag of a text: four digits that another text most likely does not have.
//!
//! Owns how it is made, as hashline has it: the low sixteen bits of xxHash32 over the text, without blanks, tabs and carriage
//! returns at the ends of its lines. A tag is no proof; who needs one takes the blob id.

use xxhash_rust::xxh32::xxh32;

/// The tag, in upper case.
pub fn tag(text: &[u8]) -> String {
    let mut bare = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let (line, end) = line.strip_suffix(b"\n").map_or((line, &b""[..]), |line| (line, &b"\n"[..]));
        let kept = line.iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).map_or(0, |last| last + 1);
        bare.extend_from_slice(&line[..kept]);
        bare.extend_from_slice(end);
    }
    format!("{:04X}", xxh32(&bare, 0) & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_at_the_ends_of_lines_does_not_count() {
        assert_eq!(tag(b"a\nb\n"), tag(b"a \t\r\nb\r\n"));
        assert_ne!(tag(b"a\nb\n"), tag(b"a\n b\n"));
        // xxHash32 of nothing, seed 0, is 02CC5D05.
        assert_eq!(tag(b""), "5D05");
    }
}
