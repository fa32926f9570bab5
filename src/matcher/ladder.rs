//! The ladder of certain tiers, from the strictest down, and whether the edit is there already.
//!
//! Owns the order of the tiers. Invariant: a tier that finds two or more places ends the search, and the next tier is
//! tried only where a stricter one found nothing.

use super::found::{Found, Why};
use super::source::{Depth, Source, places};
use super::{elision, fold, folded, one_line_off};
use crate::strategy::Strategy;
use std::ops::Range;

/// The fewest characters of words that an old text must have to be matched by anything but its bytes.
pub const FEWEST_WORD_CHARS: usize = 6;

/// One tier: the place of an old text (second) in a file (first).
type Tier = fn(&Source<'_>, &Source<'_>) -> Result<Found, Why>;

/// The certain place of `old` in `file`.
///
/// # Errors
/// [`Why`] there is none.
pub fn find(file: &Source<'_>, old: &Source<'_>) -> Result<Found, Why> {
    if old.word_chars() < FEWEST_WORD_CHARS {
        return Err(Why::TooLittle);
    }
    find_any(file, old)
}

/// As [`find`], however little text there is to match on; for hints.
///
/// # Errors
/// [`Why`] there is none.
pub fn find_any(file: &Source<'_>, old: &Source<'_>) -> Result<Found, Why> {
    let tiers: [Tier; 4] = [
        |file, old| folded::find(file, old, Depth::Outer),
        |file, old| folded::find(file, old, Depth::Inner),
        elision::find,
        one_line_off::find,
    ];
    for tier in tiers {
        match tier(file, old) {
            Err(Why::Nowhere) => {}
            outcome => return outcome,
        }
    }
    Err(Why::Nowhere)
}

/// Where the new text stands already, if that means that the edit was applied before.
///
/// `place` is where the old text was found. A place that agrees in every line is believed over a copy of the new text
/// elsewhere; a place that does not is not.
pub fn applied(file: &Source<'_>, old: &Source<'_>, new: &Source<'_>, place: Option<&Found>) -> Option<Range<usize>> {
    if new.solid().is_empty() || new.word_chars() < FEWEST_WORD_CHARS {
        return None;
    }
    let adds = new.keys().iter().any(|key| !old.keys().contains(key));
    let whole = place.is_some_and(|found| matches!(found.strategy, Strategy::Folded | Strategy::FoldedInner));
    if !adds && (place.is_some() || !places(new.keys(), old.keys()).is_empty()) {
        return None;
    }
    let mut windows = places(new.keys(), file.keys());
    windows.retain(|&start| !is_left_over(file, old, new, start));
    let mut lines = windows.iter().map(|&start| file.solid()[start]..file.solid()[start + new.solid().len() - 1] + 1);
    let depth = |source: &Source<'_>, line: usize| fold::indent(source.text(line)).to_vec();
    let is_at_another_depth =
        |found: &Found| found.pairs.iter().any(|&(theirs, ours)| depth(old, theirs) != depth(file, ours));
    let keeps = new.keys().iter().any(|key| old.keys().contains(key));
    match place {
        // New stands elsewhere just as it was sent, and old is only at another depth.
        Some(found) if is_at_another_depth(found) && keeps && adds => {
            let is_as_sent = |&&start: &&usize| {
                let pairs = new.solid().iter().zip(&file.solid()[start..]);
                pairs.into_iter().all(|(&theirs, &ours)| depth(new, theirs) == depth(file, ours))
            };
            let at = *windows.iter().find(is_as_sent)?;
            Some(file.solid()[at]..file.solid()[at + new.solid().len() - 1] + 1)
        }
        Some(found) if whole => {
            let at = found.lines();
            lines.find(|window| window.start < at.end && at.start < window.end)
        }
        _ => lines.next(),
    }
}

/// Whether something of the old text is left beside the new one, which starts at the `start`th non-blank line of the file:
/// a line that only old has, or a second one like that at the end of new.
fn is_left_over(file: &Source<'_>, old: &Source<'_>, new: &Source<'_>, start: usize) -> bool {
    let (first, last) = (start, start + new.solid().len() - 1);
    let beside = [(first.checked_sub(1), first), (Some(last + 1).filter(|&at| at < file.solid().len()), last)];
    beside.into_iter().any(|(at, edge)| {
        let Some(at) = at else { return false };
        let key = file.keys()[at];
        let is_only_in_old = old.keys().contains(&key) && !new.keys().contains(&key);
        let same = fold::trim_end(file.text(file.solid()[at])) == fold::trim_end(file.text(file.solid()[edge]));
        is_only_in_old || (same && old.keys().contains(&key))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, old: &str, new: &str, want: bool) {
        let [file, old, new] = [file, old, new].map(|text| Source::new(text.as_bytes(), 0));
        let place = find(&file, &old).ok();
        assert_eq!(applied(&file, &old, &new, place.as_ref()).is_some(), want);
    }

    #[test]
    fn the_new_text_in_the_place_of_the_old_means_applied() {
        check(
            "start();\n  new_call();\nend();\n",
            "start();\nold_call();\nend();",
            "start();\nnew_call();\nend();",
            true,
        );
        check("first_line();\nsecond_line();\n", "second_line(); ", "first_line();\nsecond_line();", true);
    }

    #[test]
    fn a_copy_of_the_new_text_elsewhere_does_not_hide_a_place_that_agrees() {
        check("return early;\nx\n  let value = 1;\n", "let value = 1;", "return early;", false);
    }

    #[test]
    fn a_shortened_text_is_not_applied_because_what_remains_is_there() {
        check("keep_this();\ndrop_htis();\n", "keep_this();\ndrop_this();", "keep_this();", false);
    }

    #[test]
    fn the_tiers_end_at_the_first_that_finds_two_places() {
        let file = Source::new(b"let value = 1;\nx\n let value = 1;\n", 0);
        let old = Source::new(b"  let value = 1;", 0);
        assert_eq!(find(&file, &old), Err(Why::Several(vec![0..1, 2..3])));
    }
}
