//! `indentation-flexible` (opencode): blocks are equal once the indentation common to all their lines is off.
//!
//! Goes wrong where two blocks differ only in depth, as `line-trimmed` does, but less often: the steps within the block
//! must agree.

use super::candidate::{Candidate, trimmed_keys, window};
use crate::matcher::fold;
use crate::matcher::found::Why;
use crate::matcher::similarity::Budget;
use crate::matcher::source::{Source, places};
use crate::strategy::Strategy;

/// Every window that is `old` but for the indentation common to all lines.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Result<Vec<Candidate>, Why> {
    if old.solid().is_empty() {
        return Ok(Vec::new());
    }
    let count = old.lines().len();
    let theirs = without_common_indent((0..count).map(|line| old.text(line)).collect());
    let mut budget = Budget::default();
    let mut found = Vec::new();
    for start in places(&trimmed_keys(old), &trimmed_keys(file)) {
        if !budget.take(count) {
            return Err(Why::TooLarge(start..start + count));
        }
        let ours = without_common_indent((start..start + count).map(|line| file.text(line)).collect());
        if ours == theirs {
            found.push(window(Strategy::IndentationFlexible, old, start));
        }
    }
    Ok(found)
}

fn without_common_indent(lines: Vec<&[u8]>) -> Vec<&[u8]> {
    let solid = lines.iter().filter(|line| !fold::trim(line).is_empty());
    let common = solid.map(|line| fold::indent(line).len()).min().unwrap_or(0);
    lines.into_iter().map(|line| if fold::trim(line).is_empty() { &line[..0] } else { &line[common..] }).collect()
}

#[cfg(test)]
mod tests {
    use crate::matcher::named::testing::check;
    use crate::strategy::Strategy::IndentationFlexible;

    #[test]
    fn the_steps_within_the_block_must_agree() {
        check(IndentationFlexible, "    if a:\n      b\n", "if a:\n  b", &[(1, 2)]);
        check(IndentationFlexible, "    if a:\n        b\n", "if a:\n  b", &[]);
    }
}
