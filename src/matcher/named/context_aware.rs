//! `context-aware` (opencode): first and last line equal, as many lines, and half of the lines between equal.
//!
//! Goes wrong where a sibling starts and ends alike and shares half of its lines, as siblings do.

use super::candidate::{Candidate, window};
use crate::matcher::fold;
use crate::matcher::found::Why;
use crate::matcher::similarity::Budget;
use crate::matcher::source::Source;
use crate::strategy::Strategy;

/// Every block with the anchors of `old`, its number of lines and half of its lines between.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Result<Vec<Candidate>, Why> {
    let count = old.lines().len();
    if count < 3 || old.solid().is_empty() {
        return Ok(Vec::new());
    }
    let theirs: Vec<&[u8]> = (0..count).map(|line| fold::trim(old.text(line))).collect();
    let mut budget = Budget::default();
    let mut found = Vec::new();
    for start in 0..(file.lines().len() + 1).saturating_sub(count) {
        let ours = |i: usize| fold::trim(file.text(start + i));
        if ours(0) != theirs[0] || ours(count - 1) != theirs[count - 1] {
            continue;
        }
        if !budget.take(count) {
            return Err(Why::TooLarge(start..start + count));
        }
        let between = (1..count - 1).filter(|&i| !ours(i).is_empty() || !theirs[i].is_empty());
        let (all, equal) = between.fold((0, 0), |(all, equal), i| (all + 1, equal + usize::from(ours(i) == theirs[i])));
        if equal * 2 >= all {
            found.push(window(Strategy::ContextAware, old, start));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use crate::matcher::named::testing::check;
    use crate::strategy::Strategy::ContextAware;

    #[test]
    fn half_of_the_lines_between_must_be_equal() {
        check(ContextAware, "b\nx\ny\ne\n", "b\nx\nz\ne", &[(1, 4)]);
        check(ContextAware, "b\nw\ny\ne\n", "b\nx\nz\ne", &[]);
        check(ContextAware, "b\nx\ny\nq\ne\n", "b\nx\ny\ne", &[]);
    }
}
