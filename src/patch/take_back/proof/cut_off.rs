//! A hunk of which only one side is reached: on the other the lines beside it stand, and something was put, or is gone, farther off.
//!
//! Owns that rule of the proof. Does not write anything.
//! Invariant: what stands on the side that is reached is right beside the place, and what stands on the other could be read in no other way.

use super::super::guard::Beside;
use super::super::readings::{has_no_more_of, is_left_of, is_read_best};
use super::super::reason::Reason;
use super::super::units::Units;
use super::{Level, Proof, Proven, Purpose, is_blank_line};
use std::ops::Range;

impl Proof<'_, '_> {
    /// Lines: on one side what stands reaches the hunk; on the other the units beside it stand as they did, and something was
    /// put, or is gone, farther off only.
    pub(super) fn between_neighbours_that_are_cut_off(&self) -> Option<Result<Proven, Reason>> {
        let Level::Lines(whole, purpose) = self.level else { return None };
        let [above, below] = self.gone();
        if above.is_empty() == below.is_empty() || self.new == self.old {
            return None;
        }
        let (new_at, old_at) = (self.cut_off(self.new, &self.trio.new), self.cut_off(self.old, &self.trio.old));
        let (place, is_in_force) = match (new_at, old_at) {
            (Some(place), None) => (place, true),
            (None, Some(place)) => (place, false),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let today = &self.window.today;
        let are = [today.start..place.start, place.end..today.end];
        let beside = Beside::new(self.trio, &[above, below], &are);
        Some(if is_in_force {
            let is_own = |word: &[u8]| whole.is_own_of_record(word);
            let copies = || match purpose {
                Purpose::TakeOut => beside.is_no_copy(self.trio, &self.hunk.new, is_own),
                Purpose::Carry => Ok(()),
            };
            let proven = self.old_stands_nowhere().and_then(|()| beside.is_nothing_of(self.trio, self.old));
            proven.and_then(|()| copies()).map(|()| Proven::InForce(place))
        } else {
            let proven = self.new_is_gone().and_then(|()| beside.is_nothing_at_all_of(self.trio, self.new));
            proven.map(|()| Proven::TakenBack)
        })
    }

    /// Where a block stands at the side that is reached, if the units on its other side stand beside it: all that were there,
    /// as many as hold a word, or others where nothing was put.
    fn cut_off(&self, block: &[u32], text: &Units<'_>) -> Option<Range<usize>> {
        let Level::Lines(_, purpose) = self.level else { return None };
        let [above, below] = self.gone().map(|range| self.trio.new.run(range));
        let today = self.trio.today.run(self.window.today.clone());
        let length = today.len().checked_sub(block.len())?;
        // What reaches the place is told from there outwards.
        let (place, beside, were, reach, with_one): (_, _, _, Vec<u32>, _) = if below.is_empty() {
            let beside = today.get(..length)?;
            let reach = beside.iter().rev().zip(above.iter().rev()).take_while(|(is, was)| is == was);
            let with_one = today.get(..length + 1).unwrap_or(today);
            (length..today.len(), beside, above, reach.map(|(is, _)| *is).collect(), with_one)
        } else {
            let beside = today.get(block.len()..)?;
            let reach = beside.iter().zip(below).take_while(|(is, was)| is == was);
            let with_one = &today[block.len().saturating_sub(1)..];
            (0..block.len(), beside, below, reach.map(|(is, _)| *is).collect(), with_one)
        };
        let is_in_one_way = is_left_of(beside, were) && !is_left_of(with_one, were);
        let is_blank = |at: usize| is_blank_line(self.trio.today.unit(at));
        let all_stand = reach.len() == were.len() || reach.iter().any(|&id| self.trio.has_word(id));
        let is_only = || self.only(block, text).is_some_and(|mut at| !at.all(is_blank));
        // Each line farther off became one, and nothing else reads as well.
        let were_edited = || {
            let has_mark = reach.iter().any(|&id| !self.trio.is_blank(id));
            has_mark && beside.len() == were.len() && is_read_best(block, [were, beside], today)
        };
        let is_told = all_stand
            || (purpose == Purpose::TakeOut
                // Beside the place the same, and nothing else can be the block, or what stands beside it; or as many as before:
                // farther off some were edited.
                && (were_edited()
                    || (!reach.is_empty()
                        && (beside.len() == were.len() || has_no_more_of(beside, were, [&reach, self.old]))
                        && is_only())
                    || (!reach.is_empty()
                        && block.is_empty()
                        && (beside.len() == were.len() || self.is_beside_two_brackets(&reach, [were, beside])))
                    // Lines went, and none came: what is left was there, and none of the block can be one of them.
                    || (!block.is_empty() && is_in_one_way)));
        let start = self.window.today.start;
        (is_told && today.get(place.clone())? == block).then_some(start + place.start..start + place.end)
    }

    /// Whether a place from which lines were deleted is told by two brackets beside it, or marks like them: what was rewritten is farther off.
    ///
    /// There are no more of them than before; of the farther one there may be, where no line with a word came that it may belong to.
    fn is_beside_two_brackets(&self, reach: &[u32], [were, are]: [&[u32]; 2]) -> bool {
        let trio = self.trio;
        let is_mark = |id: &u32| !trio.is_blank(*id);
        let Some(second) = reach.iter().enumerate().filter(|(_, id)| is_mark(id)).map(|(at, _)| at).nth(1) else {
            return false;
        };
        let has_no_more = |units: &[u32]| has_no_more_of(are, were, [units, self.old]);
        let words: Vec<u32> = are.iter().copied().filter(|id| trio.has_word(*id)).collect();
        has_no_more(reach) || (has_no_more(&reach[..second]) && has_no_more_of(are, were, [&words, &[]]))
    }
}
