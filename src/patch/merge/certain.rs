//! The certain way: every reading of an edit up the ladder and through the merge.
//!
//! Owns weighing the readings against each other. Invariant: there is one result, or none.

use super::located::{Located, Uncertain, Written};
use super::sides::Sides;
use super::write;
use crate::matcher::fold;
use crate::matcher::found::{Found, Odd, Why};
use crate::matcher::ladder;
use crate::matcher::reading::{Mark, Reading, readings};
use crate::matcher::source::Source;
use crate::request::Edit;
use std::ops::Range;

/// The one result that the readings of an edit lead to.
pub(super) fn locate(file: &Source<'_>, edit: &Edit) -> Result<Located, Why> {
    let (mut located, mut whys): (Vec<Located>, Vec<Why>) = (Vec::new(), Vec::new());
    let mut numbers_read = false;
    for reading in readings(edit.old(), edit.new_text()) {
        if reading.mark == Mark::Numbers && numbers_read {
            continue;
        }
        match attempt(file, &reading) {
            Ok(one) => {
                numbers_read |= reading.mark == Mark::Numbers;
                if !located.iter().any(|other| other.replacements == one.replacements) {
                    located.push(one);
                }
            }
            Err(why) => whys.push(why),
        }
    }
    // A reading that finds two places, or the new text, is evidence against the others.
    let against = whys
        .iter()
        .position(|why| matches!(why, Why::Several(_) | Why::OneLineOfSeveral(_) | Why::Applied(_) | Why::Same(_)));
    match (located.len(), against) {
        (1, None) => Ok(located.swap_remove(0)),
        (0, _) => Err(whys.into_iter().rev().max_by_key(telling).unwrap_or(Why::Nowhere)),
        (_, Some(why)) => Err(whys.swap_remove(why)),
        _ => {
            let lines = |place: &Range<usize>| file.line_at(place.start)..file.line_at(place.end.max(1) - 1) + 1;
            Err(Why::Readings(located.iter().map(|one| lines(&one.place)).collect()))
        }
    }
}

/// How much a cause tells; the first of the readings wins a draw.
fn telling(why: &Why) -> u8 {
    match why {
        Why::Nowhere => 0,
        Why::TooLittle => 1,
        Why::OneLine(_) => 2,
        _ => 3,
    }
}

/// What one reading leads to.
pub(super) fn attempt(file: &Source<'_>, reading: &Reading) -> Result<Located, Why> {
    let (old, new) = (Source::new(&reading.old, 0), Source::new(&reading.new, 0));
    let place = ladder::find(file, &old);
    let usable = !matches!(place, Err(Why::Several(_) | Why::OneLineOfSeveral(_)));
    if usable && let Some(at) = ladder::applied(file, &old, &new, place.as_ref().ok()) {
        return Err(Why::Applied(at));
    }
    let found = place?;
    let sides = Sides { file, old: &old, new: &new, found: &found, old_only: reading.old_only, certain: true };
    let replacements = write::write(sides)?;
    let uncertain = misquoted(&old, &found);
    Ok(Located { uncertain, ..Located::around(file, found.lines(), found.strategy, replacements) })
}

/// The line that the old text has otherwise, where another text may have been meant.
fn misquoted(old: &Source<'_>, found: &Found) -> Option<Uncertain> {
    let &(odd, Odd::Misquoted) = found.odd.as_ref()? else { return None };
    let (theirs, ours) = found.pairs[odd];
    Some(Uncertain {
        strategy: found.strategy,
        lines: (ours + 1, ours + 1),
        written: Written::Merged,
        overwritten: 0,
        is_seen: true,
        misquoted: Some(fold::trim(old.text(theirs)).to_vec()),
    })
}
