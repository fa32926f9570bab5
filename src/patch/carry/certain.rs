//! Whether a line of one text can be told apart in another: all longest common subsequences of the lines, not just one.
//!
//! An alignment picks one of several equally good ones. Where they disagree about a line, nobody can say which of them
//! is what happened, so a change that hangs on that line must not be carried.
//! Quadratic in lines, so it is asked only for files of up to [`MAX_CELLS`] pairs of lines.

use crate::text::split_lines;
use std::collections::HashMap;

/// The largest table, in pairs of lines.
const MAX_CELLS: usize = 1_000_000;

/// What all the best alignments say of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Images {
    /// The lines of the other text that it can be, in order.
    pub lines: Vec<usize>,
    /// Whether it can also be gone.
    pub may_be_gone: bool,
}

/// The lengths of the longest common subsequences of all heads and all tails of two lists of lines.
pub struct Table {
    from: Vec<usize>,
    to: Vec<usize>,
    heads: Vec<u32>,
    tails: Vec<u32>,
}

impl Table {
    /// Computes the table; `None` where it would be too large.
    pub fn new(from: &[u8], to: &[u8]) -> Option<Self> {
        let (a, b): (Vec<&[u8]>, Vec<&[u8]>) = (split_lines(from).collect(), split_lines(to).collect());
        if (a.len() + 1).checked_mul(b.len() + 1)? > MAX_CELLS {
            return None;
        }
        let mut names = HashMap::new();
        let mut number = |line| {
            let next = names.len();
            *names.entry(line).or_insert(next)
        };
        let from: Vec<usize> = a.into_iter().map(&mut number).collect();
        let to: Vec<usize> = b.into_iter().map(&mut number).collect();
        let heads = lengths(&from, &to);
        let mirrored = |list: &[usize]| list.iter().rev().copied().collect::<Vec<_>>();
        // The mirrored table counts from the ends: turned round, cell (i, j) is about the lines from i and j on.
        let mut tails = lengths(&mirrored(&from), &mirrored(&to));
        tails.reverse();
        Some(Self { from, to, heads, tails })
    }

    /// The number of lines of the first text.
    pub fn line_count(&self) -> usize {
        self.from.len()
    }

    /// What becomes of line `i` (0-based) of the first text.
    pub fn images(&self, i: usize) -> Images {
        let width = self.to.len() + 1;
        let best = self.tails[0];
        let head = |j: usize| self.heads[i * width + j];
        let tail = |i: usize, j: usize| self.tails[i * width + j];
        let lines = (0..self.to.len())
            .filter(|&j| self.from[i] == self.to[j] && head(j) + 1 + tail(i + 1, j + 1) == best)
            .collect();
        let may_be_gone = (0..=self.to.len()).any(|j| head(j) + tail(i + 1, j) == best);
        Images { lines, may_be_gone }
    }
}

/// Cell (i, j): the length of the longest common subsequence of the first i and the first j lines.
fn lengths(from: &[usize], to: &[usize]) -> Vec<u32> {
    let width = to.len() + 1;
    let mut cells = vec![0_u32; (from.len() + 1) * width];
    for (i, a) in from.iter().enumerate() {
        for (j, b) in to.iter().enumerate() {
            cells[(i + 1) * width + j + 1] = if a == b {
                cells[i * width + j] + 1
            } else {
                cells[i * width + j + 1].max(cells[(i + 1) * width + j])
            };
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: &str, to: &str, line: usize, lines: &[usize], may_be_gone: bool) {
        let table = Table::new(from.as_bytes(), to.as_bytes()).expect("small");
        assert_eq!(table.images(line), Images { lines: lines.to_vec(), may_be_gone });
    }

    #[test]
    fn a_line_of_its_own_has_one_image() {
        check("a\nb\nc\n", "x\nb\nc\n", 1, &[1], false);
        check("a\nb\nc\n", "a\nc\n", 1, &[], true);
    }

    #[test]
    fn equal_lines_can_be_told_apart_only_by_what_stands_around_them() {
        check("a\na\nb\n", "a\nb\n", 0, &[0], true);
        check("a\nx\na\n", "a\nx\na\n", 0, &[0], false);
        check("a\na\na\nc\nc\n", "a\nc\na\nc\n", 3, &[1, 3], true);
    }
}
