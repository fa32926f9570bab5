//! Whether lines are a block by themselves: a function, or a paragraph, that somebody put beside others of its kind.
//!
//! Owns a rough look at brackets and blank lines, in any language.
//! Invariant: says yes only where no line of them can belong to what is before or behind them, by its brackets: also those in strings and
//! comments count.

use crate::text::has_word;

/// Whether lines close the brackets that they open, and no others, and begin with a line of words.
pub(super) fn is_block(lines: &[&[u8]]) -> bool {
    let mut open: Vec<u8> = Vec::new();
    for byte in lines.iter().flat_map(|line| line.iter()) {
        match byte {
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b')' | b']' | b'}' if open.pop() != Some(*byte) => return false,
            _ => {}
        }
    }
    open.is_empty() && lines.first().is_some_and(|line| has_word(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::split_lines;

    fn is(lines: &str) -> bool {
        is_block(&split_lines(lines.as_bytes()).collect::<Vec<_>>())
    }

    #[test]
    fn a_block_begins_with_words_and_closes_its_own_brackets_alone() {
        assert!(is("fn a() {\n  b[0]\n}\n\n") && is("a\n\nb\n") && is("} else {\n") == is("}\n"));
        for not in ["", "\na\n", "}\na {\n", "a\n}\n", "a {\n", "a (]\n", "a {\n}\n}\n{\n", "{\na\n}\n"] {
            assert!(!is(not), "{not:?}");
        }
    }
}
