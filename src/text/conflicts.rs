//! The lines with which git marks a conflict. Owns what they look like.

use super::{split_lines, without_eol};

/// Whether git left a conflict in a text: a line of seven signs of equality alone is a heading's.
pub fn has_conflicts(text: &[u8]) -> bool {
    ["<<<<<<<", ">>>>>>>"].iter().all(|mark| split_lines(text).any(|line| is_conflict_mark(without_eol(line), mark)))
}

/// Whether a line, without its ending, is such a mark.
pub fn is_conflict_mark(line: &[u8], mark: &str) -> bool {
    line.strip_prefix(mark.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_has_marks_at_both_ends_whatever_the_lines_end_with() {
        for eol in ["\n", "\r\n"] {
            let text = |lines: &[&str]| lines.iter().map(|line| format!("{line}{eol}")).collect::<String>();
            assert!(has_conflicts(text(&["a", "<<<<<<< HEAD", "b", "=======", "c", ">>>>>>> other"]).as_bytes()));
            assert!(has_conflicts(text(&["<<<<<<<", "=======", ">>>>>>>"]).as_bytes()));
            for not in [&["a", "======="][..], &["<<<<<<< HEAD"], &["<<<<<<<<", ">>>>>>>"], &["x <<<<<<<", ">>>>>>>"]] {
                assert!(!has_conflicts(text(not).as_bytes()), "{not:?}");
            }
        }
    }
}
