//! What would vanish from the file though neither text of an edit has it.
//!
//! Owns that look at a result that is not certain. Places nothing and writes nothing.
//! Invariant: a line counts as seen only where the old text has one in its place that is at least half alike.

use super::located::Located;
use crate::matcher::fold;
use crate::matcher::similarity::Budget;
use crate::matcher::source::{Source, hash};
use std::collections::HashSet;

/// How alike a line and the one that was sent for it must be.
const ALIKE: f64 = 0.5;

/// Lines that would vanish.
pub(super) struct Vanishing {
    /// All that neither text has.
    pub(super) count: usize,
    /// Whether each stands where the old text has one like it.
    pub(super) are_seen: bool,
}

/// The lines of the file that a result writes over, and that neither text has.
pub(super) fn vanishing(file: &Source<'_>, old: &Source<'_>, new: &Source<'_>, located: &Located) -> Vanishing {
    let known: HashSet<u64> = old.keys().iter().chain(new.keys()).copied().collect();
    let key = |line: usize| hash(&file.key(line));
    let is_written_over = |line: usize| {
        let at = &file.lines()[line];
        located.replacements.iter().any(|one| one.range.start < at.end && at.start < one.range.end)
    };
    let first = file.line_at(located.place.start);
    let solid = file.solid().iter().copied().skip_while(|&line| line < first);
    let place: Vec<usize> = solid.take_while(|&line| file.lines()[line].start < located.place.end).collect();
    let gone: Vec<usize> =
        place.iter().copied().filter(|&line| is_written_over(line) && !known.contains(&key(line))).collect();
    let stand: HashSet<u64> = place.iter().map(|&line| key(line)).collect();
    let mut sent = old.solid().iter().filter(|&&line| !stand.contains(&hash(&old.key(line))));
    let mut budget = Budget::default();
    let mut is_seen = |line: usize| {
        let mut is_it = |&&other: &&usize| {
            budget.similarity(fold::trim(file.text(line)), fold::trim(old.text(other)), ALIKE) >= ALIKE
        };
        sent.by_ref().any(|other| is_it(&other))
    };
    Vanishing { count: gone.len(), are_seen: gone.iter().all(|&line| is_seen(line)) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{apply, edit, text};
    use super::super::{Level, locate};
    use crate::matcher::found::Why;
    use crate::matcher::likely::Evidence;
    use crate::strategy::Strategy;

    const OLD: &str = "def total(items):\n    result = 0\n    for item in items:\n    return result";
    const NEW: &str = "def total(items):\n    return sum(items)\n    return result";

    #[test]
    fn what_somebody_put_between_the_anchors_does_not_vanish_unless_block_anchor_is_asked_for() {
        let file = "def total(items):\n    result = 0\n    audit(items)\n    for each in items:\n    return result\n";
        let loose = |level| locate(&text(file), &edit(OLD, NEW), level, Evidence::default());
        assert!(matches!(loose(Level::Loose).expect_err("audit would vanish").why, Why::Unseen(_)));
        let named = loose(Level::Only(Strategy::BlockAnchor)).expect("it is asked for by name");
        assert_eq!(apply(file, &named), format!("{NEW}\n"));
        let uncertain = named.uncertain.expect("it is warned of");
        assert_eq!((uncertain.overwritten, uncertain.is_seen), (2, false));
        // One line that is not like the one that was sent for it.
        let file = "def total(items):\n    result = 0\n    audit_everything(also='this')\n    return result\n";
        let unlike = locate(&text(file), &edit(OLD, NEW), Level::Loose, Evidence::default()).expect_err("unlike");
        assert!(matches!(unlike.why, Why::Unseen(_)), "{unlike:?}");
    }

    #[test]
    fn a_line_that_reads_a_little_otherwise_than_it_was_sent_is_seen() {
        let file = "def total(items):\n    result = 0\n    for each in items:\n    return result\n";
        let located =
            locate(&text(file), &edit(OLD, NEW), Level::Loose, Evidence::default()).expect("the seed takes it");
        assert_eq!(apply(file, &located), format!("{NEW}\n"));
        let uncertain = located.uncertain.expect("it is warned of");
        assert_eq!((uncertain.overwritten, uncertain.is_seen), (1, true));
    }
}
