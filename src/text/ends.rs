//! What two lists share at their ends: bytes, or lines.

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
    fn lists_longer_than_a_chunk_are_compared_to_the_element() {
        let (mut a, mut b) = ("x".repeat(10_000), "x".repeat(10_000));
        a.insert(4_097, 'a');
        b.insert(4_097, 'b');
        check(&a, &b, (4_097, 5_903));
        check(&a[..4_096], &b[..4_096], (4_096, 0));
    }
}
