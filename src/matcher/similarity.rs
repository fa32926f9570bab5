//! How alike two texts are, within a work budget.
//!
//! Owns the similarity of seed 002 (one minus Levenshtein distance over the longer length, in characters) and the budget
//! that keeps it affordable. Invariant: the work that is spent never exceeds the budget; what it does not cover counts as
//! not alike.

use rapidfuzz::distance::levenshtein;

/// How many steps of the bit-parallel distance may still be spent; one step compares a character with 64 others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    left: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: 16_000_000 }
    }
}

impl Budget {
    /// A budget of so many steps.
    pub fn of(steps: usize) -> Self {
        Self { left: steps }
    }

    /// Takes `steps` if there are as many.
    pub fn take(&mut self, steps: usize) -> bool {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = 0;
                false
            }
        }
    }

    /// Whether some work was asked for that was not done.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// The similarity of two lines, from 0 to 1; 0 where it is below `least`, or the budget is spent.
    pub fn similarity(&mut self, a: &[u8], b: &[u8], least: f64) -> f64 {
        if !self.take(1) {
            return 0.0;
        }
        if a == b {
            return 1.0;
        }
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        // In a UTF-8 text there are at least a quarter as many characters as bytes.
        let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
        if (long as f64) * least > (short as f64) * 4.0 || !self.take((a.len() / 64 + 1) * b.len() + 16) {
            return 0.0;
        }
        let found = match (std::str::from_utf8(a), std::str::from_utf8(b)) {
            (Ok(a), Ok(b)) if !a.is_ascii() || !b.is_ascii() => {
                let (n, m) = (a.chars().count(), b.chars().count());
                (levenshtein::distance(a.chars(), b.chars()), n.max(m))
            }
            _ => (levenshtein::distance(a.iter().copied(), b.iter().copied()), long),
        };
        let similarity = 1.0 - found.0 as f64 / found.1 as f64;
        if similarity < least { 0.0 } else { similarity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, want: f64) {
        let got = Budget::default().similarity(a.as_bytes(), b.as_bytes(), 0.0);
        assert!((got - want).abs() < 1e-9, "{a:?} {b:?}: {got}");
    }

    #[test]
    fn similarity_is_that_of_the_seed() {
        check("abc", "abc", 1.0);
        check("", "abc", 0.0);
        check("kitten", "sitting", 1.0 - 3.0 / 7.0);
        check("h\u{e9}", "he", 0.5);
    }

    #[test]
    fn a_spent_budget_finds_nothing_alike_and_does_no_work() {
        let line = "x".repeat(5_000_000);
        let mut budget = Budget::default();
        assert_eq!(budget.similarity(line.as_bytes(), &line.as_bytes()[1..], 0.0), 0.0);
        assert!(budget.is_spent());
        let mut small = Budget::of(22);
        assert_eq!((small.similarity(b"ab", b"ac", 0.0), small.similarity(b"ab", b"ac", 0.0)), (0.5, 0.0));
    }
}
