//! What would vanish from the file though neither text of an edit has it.
//!
//! Owns that look at a result that is not certain. Places nothing and writes nothing.
//! Invariant: a line counts as seen only where the old text has one in its place that is at least half alike; of equal lines
//! as many as the old text has.

use super::located::Located;
use crate::matcher::fold;
use crate::matcher::similarity::Budget;
use crate::matcher::source::{Source, hash};
use std::collections::{HashMap, HashSet};

/// How alike a line and the one that was sent for it must be.
const ALIKE: f64 = 0.5;

/// Lines that would vanish.
pub(super) struct Vanishing {
    /// All that neither text has.
    pub(super) count: usize,
    /// Whether each stands where the old text has one like it.
    pub(super) are_seen: bool,
}

/// The lines of the file that a result writes over, and that neither text has; and those that it has fewer of than the
/// request takes away.
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
    let are_seen = gone.iter().all(|&line| is_seen(line));
    let left = left(file, located);
    let left = Source::new(&left, 0);
    let [here, left] = [count(place.iter().map(|&line| key(line))), count(left.keys().iter().copied())];
    let [old, new] = [old, new].map(|sent| count(sent.keys().iter().copied()));
    let fewer = |from: &HashMap<u64, usize>, to: &HashMap<u64, usize>, key: &u64| {
        let of = |counts: &HashMap<u64, usize>| counts.get(key).copied().unwrap_or_default();
        of(from).saturating_sub(of(to))
    };
    let more: usize = known.iter().map(|key| fewer(&here, &left, key).saturating_sub(fewer(&old, &new, key))).sum();
    Vanishing { count: gone.len() + more, are_seen: are_seen && more == 0 }
}

/// What stands in the place of a result afterwards, in whole lines.
fn left(file: &Source<'_>, located: &Located) -> Vec<u8> {
    let lines = file.line_at(located.place.start)..file.line_at(located.place.end.max(1) - 1) + 1;
    let span = file.span(lines);
    let (mut out, mut at) = (Vec::new(), span.start.min(located.place.start));
    for one in &located.replacements {
        out.extend_from_slice(&file.bytes()[at..one.range.start]);
        out.extend_from_slice(&one.bytes);
        at = one.range.end;
    }
    out.extend_from_slice(&file.bytes()[at..span.end.max(at)]);
    out
}

/// How often each key is there.
fn count(keys: impl Iterator<Item = u64>) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    keys.for_each(|key| *counts.entry(key).or_default() += 1);
    counts
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
    fn a_line_does_not_vanish_because_the_request_has_another_one_like_it() {
        let file = "begin\n  log();\n  first(1);\n  log();\n  second(2);\nend\n";
        let (old, new) = ("begin\n  log();\n  frst(1);\n  second(2);\nend", "begin\n  log();\n  third(3);\nend");
        let loose =
            locate(&text(file), &edit(old, new), Level::Loose, Evidence::default()).expect_err("one log() more");
        assert!(matches!(loose.why, Why::Unseen(_)), "{loose:?}");
        let named = Level::Only(Strategy::BlockAnchor);
        let named = locate(&text(file), &edit(old, new), named, Evidence::default()).expect("it is asked for by name");
        assert_eq!(apply(file, &named), format!("{new}\n"));
        assert_eq!(named.uncertain.expect("it is warned of").overwritten, 2);
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
