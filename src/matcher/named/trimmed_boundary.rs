//! `trimmed-boundary` (opencode): the text without the white space at its two ends.
//!
//! Accepts every exact occurrence of the trimmed text, also inside a line. Goes wrong where the trimmed text is short.

use super::candidate::Candidate;
use super::simple;
use crate::matcher::exact::Want;
use crate::matcher::source::Source;

/// Every occurrence of `old` trimmed at both ends; none where there is nothing to trim.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Vec<Candidate> {
    let trimmed = old.bytes().trim_ascii();
    if trimmed.len() == old.bytes().len() { Vec::new() } else { simple::find(file, trimmed, Want::One) }
}

#[cfg(test)]
mod tests {
    use crate::matcher::named::testing::check;
    use crate::strategy::Strategy::TrimmedBoundary;

    #[test]
    fn the_ends_are_trimmed() {
        check(TrimmedBoundary, "x = f(a);\n", "\n  f(a)  \n", &[(1, 1)]);
        check(TrimmedBoundary, "f(a)\n", "f(a)", &[]);
    }
}
