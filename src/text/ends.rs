//! What two lists share at their ends: bytes, or lines.

use super::lines::line_start;

/// How many elements two lists share at their starts.
pub fn common_prefix<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    // Long equal stretches are compared by the chunk: of bytes that is one call instead of thousands.
    let mut len = 0;
    for (x, y) in a.chunks(CHUNK).zip(b.chunks(CHUNK)) {
        if x != y {
            return len + x.iter().zip(y).take_while(|(x, y)| x == y).count();
        }
        len += x.len();
    }
    len
}

/// How many elements two lists share at their ends.
pub fn common_suffix<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let mut len = 0;
    for (x, y) in a.rchunks(CHUNK).zip(b.rchunks(CHUNK)) {
        if x != y {
            return len + x.iter().rev().zip(y.iter().rev()).take_while(|(x, y)| x == y).count();
        }
        len += x.len();
    }
    len
}

/// How many elements two lists share at their starts, and how many of what is left at their ends.
pub fn common_ends<T: PartialEq>(a: &[T], b: &[T]) -> (usize, usize) {
    let head = common_prefix(a, b);
    (head, common_suffix(&a[head..], &b[head..]))
}

/// Two texts without the whole lines that they share at their starts, and at their ends.
pub fn lines_between_ends([a, b]: [&[u8]; 2]) -> [&[u8]; 2] {
    let head = line_start(a, common_prefix(a, b));
    let (a, b) = (&a[head..], &b[head..]);
    let shared = common_suffix(a, b);
    // In front of that, a line of one text may have begun earlier than that of the other.
    let tail = memchr::memchr(b'\n', &a[a.len() - shared..]).map_or(0, |end| shared - end - 1);
    [&a[..a.len() - tail], &b[..b.len() - tail]]
}

const CHUNK: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, want: (usize, usize)) {
        assert_eq!(common_ends(a.as_bytes(), b.as_bytes()), want, "{a:?} {b:?}");
    }

    #[test]
    fn what_is_shared_at_the_start_is_not_counted_again_at_the_end() {
        check("abc", "abc", (3, 0));
        check("aa", "aaa", (2, 0));
        check("axc", "ayyc", (1, 1));
        check("", "a", (0, 0));
        check("ab", "ba", (0, 0));
    }

    #[test]
    fn lines_are_cut_whole() {
        let left = |a: &'static str, b: &'static str| lines_between_ends([a.as_bytes(), b.as_bytes()]);
        assert_eq!(left("a\nbx\nc\n", "a\nby\nz\nc\n"), [&b"bx\n"[..], b"by\nz\n"]);
        assert_eq!(left("xa\nb\n", "a\nb\n"), [&b"xa\n"[..], b"a\n"]);
        assert_eq!(left("a\na\n", "a\na\na\n"), [&b""[..], b"a\n"]);
        assert_eq!(left("a\nb", "a\nb\nb"), [&b"b"[..], b"b\nb"]);
        assert_eq!(left("same\n", "same\n"), [&b""[..], b""]);
        assert_eq!(left("a\nc", "b\nc"), [&b"a\n"[..], b"b\n"]);
    }

    #[test]
    fn lists_longer_than_a_chunk_are_compared_to_the_element() {
        let (mut a, mut b) = ("x".repeat(10_000), "x".repeat(10_000));
        a.insert(4_097, 'a');
        b.insert(4_097, 'b');
        check(&a, &b, (4_097, 5_903));
        check(&a[..4_096], &b[..4_096], (4_096, 0));
    }
}
