//! `line-trimmed` (seed 002): every line equal but for the white space at its ends; blank lines count.
//!
//! Goes wrong where two blocks differ only in depth, and where one or two short lines stand at another depth than meant.

use super::candidate::{Candidate, trimmed_keys, window};
use crate::matcher::fold;
use crate::matcher::source::{Source, places};
use crate::strategy::Strategy;

/// Every window whose trimmed lines are those of `old`.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Vec<Candidate> {
    if old.solid().is_empty() {
        return Vec::new();
    }
    let starts = places(&trimmed_keys(old), &trimmed_keys(file));
    let agrees = |start: &usize| {
        (0..old.lines().len()).all(|line| fold::trim(old.text(line)) == fold::trim(file.text(start + line)))
    };
    // A few windows say that there are several.
    starts.into_iter().filter(agrees).take(5).map(|start| window(Strategy::LineTrimmed, old, start)).collect()
}

#[cfg(test)]
mod tests {
    use crate::matcher::named::testing::check;
    use crate::strategy::Strategy::LineTrimmed;

    #[test]
    fn lines_are_compared_without_the_white_space_at_their_ends() {
        check(LineTrimmed, "x\n    def hello():\n        pass\n", "def hello():  \n  pass\n", &[(2, 3)]);
        check(LineTrimmed, "  a\n\n  b\n", "a\nb", &[]);
        check(LineTrimmed, "  a\na\n", "a", &[(1, 1), (2, 2)]);
    }
}
