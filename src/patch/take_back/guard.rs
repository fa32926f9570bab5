//! What speaks against a place that looks right: another copy, a moved line, a part that is done already.
//!
//! Owns these objections, each as a function that gives its reason. Does not find places.
//! Invariant: an objection is about whole units; words that only share letters are different words.

use super::reason::Reason;
use super::units::{Trio, Units};
use crate::text::{Words, has_word};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::slice::from_ref;

/// A side of a record: the text that has a block, and the text of the same record that lacks it.
#[derive(Clone, Copy)]
pub(super) struct Side<'t, 'a> {
    /// Has the block.
    pub(super) with: &'t Units<'a>,
    /// Lacks it.
    pub(super) without: &'t Units<'a>,
}

/// A unit of `block` that only one text of the record had, once, stands nowhere today: else it was moved there, or
/// written again by others.
pub(super) fn stands_nowhere(trio: &Trio<'_>, side: Side<'_, '_>, block: &[u32]) -> Result<(), Reason> {
    let is_own = |id: u32| side.with.count(id) == 1 && side.without.count(id) == 0;
    none(trio, block, |id| is_own(id) && trio.today.count(id) > 0)
}

/// No unit of `block` stands more often today than in the text that lacks the block.
pub(super) fn is_gone(trio: &Trio<'_>, side: Side<'_, '_>, block: &[u32]) -> Result<(), Reason> {
    let is_more = |id: u32| side.with.count(id) > side.without.count(id);
    none(trio, block, |id| is_more(id) && trio.today.count(id) > side.without.count(id))
}

fn none(trio: &Trio<'_>, block: &[u32], is_elsewhere: impl Fn(u32) -> bool) -> Result<(), Reason> {
    let mut found = block.iter().filter(|&&id| trio.has_word(id) && is_elsewhere(id));
    match found.find_map(|&id| trio.today.last(id)) {
        Some(at) => Err(Reason::StandsElsewhere(trio.today.span(&(at..at + 1)))),
        None => Ok(()),
    }
}

/// Where the neighbour on a side does not stand, the unit of the block at that end must be the only one of its kind; or it
/// is doubled there.
pub(super) fn ends_are_own(
    trio: &Trio<'_>,
    block: &[u32],
    stands: [Stands; 2],
    doubled: [bool; 2],
) -> Result<(), Reason> {
    let is_own = |id: &u32| trio.has_word(*id) && trio.new.count(*id) == 1 && trio.today.count(*id) == 1;
    let ends = [block.first(), block.last()];
    let sides = stands.iter().zip(ends).zip(doubled);
    let are_own =
        sides.into_iter().all(|((side, id), doubled)| *side == Stands::Yes || doubled || id.is_some_and(is_own));
    if are_own { Ok(()) } else { Err(Reason::EndStandsElsewhere) }
}

/// Whether the unit at an end of a block stands once more right beside it, and is nowhere else more often than before: whichever of the two
/// goes leaves the same text.
pub(super) fn doubled_ends(trio: &Trio<'_>, block: &[u32], place: &Range<usize>) -> [bool; 2] {
    let is_doubled = |end: Option<&u32>, beside: Option<u32>| {
        end.is_some_and(|&id| beside == Some(id) && trio.today.count(id) == trio.new.count(id) + 1)
    };
    let [left, right] = trio.today.beside(place);
    [is_doubled(block.first(), left), is_doubled(block.last(), right)]
}

/// Where the neighbour on a side does not stand, what is put back must begin (or end) there with a word: a blank line or
/// a bracket may be back already, on the other side of what was put between.
pub(super) fn ends_have_words(trio: &Trio<'_>, block: &[u32], stands: [Stands; 2]) -> Result<(), Reason> {
    let ends = [block.first(), block.last()];
    let have = stands.iter().zip(ends).all(|(side, id)| *side == Stands::Yes || id.is_none_or(|&id| trio.has_word(id)));
    if have { Ok(()) } else { Err(Reason::NeighboursChanged) }
}

/// No line that is gone from beside the place stands elsewhere instead: then it was moved, and the place with it.
pub(super) fn none_was_moved(trio: &Trio<'_>, gone: &[Range<usize>]) -> Result<(), Reason> {
    let is_elsewhere = |id: u32| !trio.is_blank(id) && trio.today.count(id) >= trio.new.count(id);
    let mut gone = gone.iter().flat_map(|range| trio.new.run(range.clone()));
    if gone.any(|&id| is_elsewhere(id)) { Err(Reason::TwoReadings) } else { Ok(()) }
}

/// Whether a neighbour is where it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// It is, right beside the place.
    Yes,
    /// It is gone, or something is between.
    No,
}

impl From<bool> for Stands {
    fn from(stands: bool) -> Self {
        if stands { Self::Yes } else { Self::No }
    }
}

/// What stands around a place today, and did not when the record was made.
pub(super) struct Beside {
    /// Places in today's text.
    places: Vec<usize>,
}

impl Beside {
    /// The units of `are` (ranges of today's text) less those of `were` (ranges of the record's), each as often as it stands.
    pub(super) fn new(trio: &Trio<'_>, were: &[Range<usize>], are: &[Range<usize>]) -> Self {
        let mut known: HashMap<u32, usize> = HashMap::new();
        for id in were.iter().flat_map(|range| trio.new.run(range.clone())) {
            *known.entry(*id).or_insert(0) += 1;
        }
        let is_new = |&at: &usize| {
            let count = trio.today.id(at).and_then(|id| known.get_mut(&id));
            match count {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            }
        };
        Self { places: are.iter().cloned().flatten().filter(is_new).collect() }
    }

    /// Nothing of them is a unit of `block`, blank ones aside: it would be doubled, or it is in force in part.
    pub(super) fn is_nothing_of(&self, trio: &Trio<'_>, block: &[u32]) -> Result<(), Reason> {
        let block: HashSet<u32> = block.iter().copied().filter(|&id| !trio.is_blank(id)).collect();
        self.holds_none(trio, |id| block.contains(&id))
    }

    /// Nothing of them is a unit of `block`, blank or not.
    pub(super) fn is_nothing_at_all_of(&self, trio: &Trio<'_>, block: &[u32]) -> Result<(), Reason> {
        let block: HashSet<u32> = block.iter().copied().collect();
        self.holds_none(trio, |id| block.contains(&id))
    }

    fn holds_none(&self, trio: &Trio<'_>, is_of: impl Fn(u32) -> bool) -> Result<(), Reason> {
        match self.places.iter().find(|&&at| trio.today.id(at).is_some_and(&is_of)) {
            Some(&at) => Err(Reason::PartlyTakenBack(trio.today.span(&(at..at + 1)))),
            None => Ok(()),
        }
    }

    /// No line of them could be a line of the record, edited.
    pub(super) fn is_no_copy(
        &self,
        trio: &Trio<'_>,
        hunk: &Range<usize>,
        is_own: impl Fn(&[u8]) -> bool,
    ) -> Result<(), Reason> {
        if self.places.is_empty() {
            return Ok(());
        }
        Strangers::new(trio, self).hold_no_copy(trio, hunk, is_own)
    }
}

/// Lines of today's text that the record's lacks, by their words.
pub(super) struct Strangers<'a>(HashMap<&'a [u8], Vec<usize>>);

impl<'a> Strangers<'a> {
    /// Of the lines beside a place.
    fn new(trio: &Trio<'a>, beside: &Beside) -> Self {
        let mut by_word: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for &at in &beside.places {
            for (word, _) in Words::of(trio.today.unit(at)).iter() {
                by_word.entry(word).or_default().push(at);
            }
        }
        Self(by_word)
    }

    /// Of all lines that neither text of the record has.
    pub(super) fn of_all(trio: &Trio<'a>) -> Self {
        let mut beside = Beside::new(trio, from_ref(&(0..trio.new.len())), from_ref(&(0..trio.today.len())));
        beside.places.retain(|&at| trio.today.id(at).is_some_and(|id| trio.old.count(id) == 0));
        Self::new(trio, &beside)
    }

    /// No line of them could be a line that the record left, edited: one with a word of its own and more than half of its words.
    pub(super) fn hold_no_copy(
        &self,
        trio: &Trio<'_>,
        hunk: &Range<usize>,
        is_own: impl Fn(&[u8]) -> bool,
    ) -> Result<(), Reason> {
        self.hold_no_copy_of((trio, &trio.new), hunk, is_own)
    }

    /// No line of them is a line that the record deleted, only indented anew.
    pub(super) fn hold_none_of(&self, trio: &Trio<'_>, hunk: &Range<usize>) -> Result<(), Reason> {
        for at in
            hunk.clone().filter(|&at| trio.old.id(at).is_some_and(|id| trio.has_word(id) && trio.new.count(id) == 0))
        {
            let bare = trio.old.unit(at).trim_ascii();
            let words = Words::of(bare);
            let others: BTreeSet<usize> =
                words.iter().filter_map(|(word, _)| self.0.get(word)).flatten().copied().collect();
            if let Some(other) = others.into_iter().find(|&other| trio.today.unit(other).trim_ascii() == bare) {
                return Err(Reason::StandsElsewhere(trio.today.span(&(other..other + 1))));
            }
        }
        Ok(())
    }

    /// As [`Self::hold_no_copy`], of lines of one of the record's texts.
    pub(super) fn hold_no_copy_of(
        &self,
        (trio, text): (&Trio<'_>, &Units<'_>),
        hunk: &Range<usize>,
        is_own: impl Fn(&[u8]) -> bool,
    ) -> Result<(), Reason> {
        for at in hunk.clone() {
            let mine = Words::of(text.unit(at));
            let own = mine.iter().filter(|(word, _)| is_own(word)).filter_map(|(word, _)| self.0.get(word));
            // Each line is looked at once, however many words it shares.
            let others: BTreeSet<usize> = own.flatten().copied().collect();
            for other in others {
                if mine.are_mostly_in(&Words::of(trio.today.unit(other))) {
                    return Err(Reason::MayBeEdited(trio.today.span(&(other..other + 1))));
                }
            }
        }
        Ok(())
    }
}

/// No unit that stood on one side of the place stands on the other side of it now: one of the two was moved.
pub(super) fn none_changed_sides(
    trio: &Trio<'_>,
    gone: &[Range<usize>; 2],
    are: &[Range<usize>; 2],
) -> Result<(), Reason> {
    let [left, right] = gone;
    let [now_left, now_right] = are;
    for (were, now) in [(left, now_right), (right, now_left)] {
        let known: HashSet<u32> = trio.new.run(were.clone()).iter().copied().filter(|&id| !trio.is_blank(id)).collect();
        if now.clone().any(|at| trio.today.id(at).is_some_and(|id| known.contains(&id))) {
            return Err(Reason::TwoReadings);
        }
    }
    Ok(())
}

/// Whether a line without a word, a bracket say, that is gone may be at the end of a line of today, or at its start: of one that the record's text has
/// not.
fn was_joined(trio: &Trio<'_>, gone: usize, at: usize) -> bool {
    let [gone, line] = [trio.new.unit(gone), trio.today.unit(at)].map(<[u8]>::trim_ascii);
    let is_bare = !gone.is_empty() && !has_word(gone);
    let is_new = || trio.today.id(at).is_some_and(|id| trio.new.count(id) == 0);
    is_bare && (line.ends_with(gone) || line.starts_with(gone)) && is_new()
}

/// No line that is gone is one of those that stand, edited.
pub(super) fn none_was_edited(trio: &Trio<'_>, gone: &[Range<usize>], stand: Range<usize>) -> Result<(), Reason> {
    for at in stand {
        let line = Words::of(trio.today.unit(at));
        let mut gone = gone.iter().cloned().flatten();
        if gone.any(|gone| Words::of(trio.new.unit(gone)).are_mostly_in(&line) || was_joined(trio, gone, at)) {
            return Err(Reason::MayBeEdited(trio.today.span(&(at..at + 1))));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::units::{Part, line_ends};
    use super::*;

    #[test]
    fn a_bracket_that_is_gone_may_be_joined_to_a_line_that_the_record_did_not_leave() {
        let is_joined = |gone: &str, line: &str| {
            let (new, today) = (format!("f(a)\n{gone}\n"), format!("{line}\n"));
            let trio = Trio::new([&new, &new, &today].map(|text| Part::whole(text.as_bytes())), line_ends);
            none_was_edited(&trio, from_ref(&(1..2)), 0..1).is_err()
        };
        assert!(is_joined("  )", "g(b)") && is_joined("{", "{ x"));
        assert!(!is_joined("  )", "f(a)"), "the record left that line");
        assert!(!is_joined(")", "g(b") && !is_joined("", "g(b)") && !is_joined("}", "g(b)"));
    }
}
