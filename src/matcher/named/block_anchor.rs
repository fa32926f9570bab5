//! `block-anchor` (seed 002): first and last line equal, the lines between similar.
//!
//! Accepts a block of another length, and lines between of which only 3 characters in 10 agree (5 in 10 among several
//! blocks). Goes wrong where a sibling starts and ends alike, and whenever the file was changed between the anchors: those
//! lines are overwritten unseen.

use super::candidate::{Candidate, window};
use crate::matcher::fold;
use crate::matcher::found::Why;
use crate::matcher::similarity::Budget;
use crate::matcher::source::Source;
use crate::strategy::Strategy;
use std::ops::Range;

/// The least similarity of the lines between, where there is one block.
const ALONE: f64 = 0.3;
/// The same, where there are several; the best of them is taken.
const AMONG_SEVERAL: f64 = 0.5;

/// The block that seed 002 takes, if any; its best-scored blocks, where several score alike.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Result<Vec<Candidate>, Why> {
    let lines = old.lines().len();
    if lines + usize::from(old.is_terminated()) < 3 || lines == 0 {
        return Ok(Vec::new());
    }
    let (first, last) = (fold::trim(old.text(0)), fold::trim(old.text(lines - 1)));
    let blocks = blocks(file, first, last);
    let mut budget = Budget::default();
    let mut scored: Vec<(f64, Range<usize>)> =
        blocks.iter().map(|block| (score(file, old, block, &mut budget), block.clone())).collect();
    if budget.is_spent() {
        return Err(Why::TooLarge(blocks[0].clone()));
    }
    let least = if blocks.len() == 1 { ALONE } else { AMONG_SEVERAL };
    let best = scored.iter().map(|(score, _)| *score).fold(least, f64::max);
    scored.retain(|(score, _)| *score >= best);
    Ok(scored.into_iter().map(|(_, block)| candidate(old, block)).collect())
}

fn candidate(old: &Source<'_>, block: Range<usize>) -> Candidate {
    if block.len() == old.lines().len() && !old.solid().is_empty() {
        window(Strategy::BlockAnchor, old, block.start)
    } else {
        Candidate::Block(block)
    }
}

/// From every line that is `first` to the next but one or later that is `last`.
fn blocks(file: &Source<'_>, first: &[u8], last: &[u8]) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = (0..file.lines().len()).filter(|&line| fold::trim(file.text(line)) == last).collect();
    ends.dedup();
    let starts = (0..file.lines().len()).filter(|&line| fold::trim(file.text(line)) == first);
    starts
        .filter_map(|start| ends.get(ends.partition_point(|&end| end < start + 2)).map(|end| start..end + 1))
        .collect()
}

/// How alike the lines between the anchors are, from 0 to 1.
fn score(file: &Source<'_>, old: &Source<'_>, block: &Range<usize>, budget: &mut Budget) -> f64 {
    let count = old.lines().len().saturating_sub(2).min(block.len() - 2);
    if count == 0 {
        return 1.0;
    }
    let sum: f64 = (1..=count)
        .map(|i| budget.similarity(fold::trim(file.text(block.start + i)), fold::trim(old.text(i)), 0.0))
        .sum();
    sum / count as f64
}

#[cfg(test)]
mod tests {
    use crate::matcher::named::testing::check;
    use crate::strategy::Strategy::BlockAnchor;

    #[test]
    fn a_block_alone_needs_three_in_ten() {
        check(BlockAnchor, "fn a() {\n  let abc = 1;\n}\n", "fn a() {\n  let abd = 2;\n}", &[(1, 3)]);
        check(BlockAnchor, "fn a() {\n  qqqqqqqq\n}\n", "fn a() {\n  let abd = 2;\n}", &[]);
        check(BlockAnchor, "fn a() {\n  x\n}\n", "fn a() {\n}", &[]);
    }

    #[test]
    fn of_several_blocks_the_best_needs_five_in_ten() {
        let file = "begin\n  let a = 1;\nend\nbegin\n  call(b);\nend\n";
        check(BlockAnchor, file, "begin\n  let a = 2;\nend", &[(1, 3)]);
        check(BlockAnchor, file, "begin\n  unlike\nend", &[]);
        check(BlockAnchor, "b\nx1\ne\nb\nx2\ne\n", "b\nx3\ne", &[(1, 3), (4, 6)]);
    }

    #[test]
    fn a_block_may_be_longer_in_the_file() {
        check(BlockAnchor, "fn a() {\n  one();\n  two();\n}\n", "fn a() {\n  one();\n}", &[(1, 4)]);
    }
}
