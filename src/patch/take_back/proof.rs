//! The proof of one hunk: where it is today, and whether it is in force there.
//!
//! Owns the order of the rules, for lines and for tokens alike. Does not write anything.
//! Invariant: a place is given only if it lies between what stands on both sides of the hunk, and nothing else there
//! could be meant.
//!
//! ```text
//! ... L | A | R ...    the record's text: A are the hunk's new units, B its old ones, L and R the units beside it
//! ... L | N | R ...    today's text: N is what stands there now
//! ```

mod cut_off;

use super::anchors::{Anchors, Window};
use super::blank_lines::among_blank_lines;
use super::block::is_block;
use super::guard::{
    Beside, Side, doubled_ends, ends_are_own, ends_have_words, is_gone, none_changed_sides, none_was_edited,
    none_was_moved, stands_nowhere,
};
use super::hunk::Hunk;
use super::reason::Reason;
use super::single_neighbours::between_single_neighbours;
use super::units::{Places, Trio, Units, search};
use super::whole::Whole;
use crate::text::{has_word, is_name, split_lines, tokens};
use std::collections::HashSet;
use std::ops::Range;

/// What is proven of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Proven {
    /// Its new units stand here today, in units.
    InForce(Range<usize>),
    /// Those that it put in beside its old ones stand here.
    PutIn(Range<usize>),
    /// Its old units stand there instead.
    TakenBack,
    /// Its lines stand here, edited: what is proven must be found inside of them.
    Edited(Range<usize>),
}

/// What today's text is to an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// What became of the edit's own text: words are found also in lines that were edited since.
    TakeOut,
    /// Another version, into which the edit is to be carried, in whole lines only (see `carry`).
    Carry,
}

/// What the units are.
#[derive(Clone, Copy)]
pub(super) enum Level<'w, 'v> {
    /// Lines, with what is known of the whole texts.
    Lines(&'w Whole<'w, 'v>, Purpose),
    /// Tokens within lines.
    Tokens,
}

/// One hunk and what stands around it.
struct Proof<'t, 'a> {
    trio: &'t Trio<'a>,
    level: Level<'t, 'a>,
    hunk: &'t Hunk,
    window: Window,
    /// The hunk's new units.
    new: &'t [u32],
    /// Its old ones.
    old: &'t [u32],
}

/// Finds a hunk in today's text.
///
/// # Errors
/// What speaks against every place.
pub(super) fn prove<'a>(
    trio: &Trio<'a>,
    anchors: &Anchors,
    hunk: &Hunk,
    level: Level<'_, 'a>,
) -> Result<Proven, Reason> {
    let window = window(trio, anchors, hunk, level).ok_or(Reason::TwoReadings)?;
    let (new, old) = (trio.new.run(hunk.new.clone()), trio.old.run(hunk.old.clone()));
    let proof = Proof { trio, level, hunk, window, new, old };
    if let Some(proven) = proof.between_neighbours().or_else(|| proof.between_neighbours_that_moved()) {
        return proven;
    }
    if let Some(proven) = proof.between_neighbours_that_are_cut_off() {
        return proven;
    }
    if let Some(proven) = proof.between_neighbours_that_stand_again() {
        return proven;
    }
    if let Some(proven) = proof.of_equal_lines() {
        return Ok(proven);
    }
    if let Level::Lines(_, Purpose::TakeOut) = level
        && let Some(place) = among_blank_lines(trio, hunk, &proof.window)
    {
        return Ok(Proven::InForce(place));
    }
    if let Some(proven) = proof.in_a_gap() {
        return proven;
    }
    if let Some(proven) = proof.as_a_whole() {
        return proven;
    }
    if let Some(proven) = proof.beside_another_block() {
        return proven;
    }
    if let Some(proven) = proof.by_itself() {
        return proven;
    }
    proof.edited()
}

/// What is between the texts that stand on both sides of a hunk; none where that can be read in two ways.
pub(super) fn window(trio: &Trio<'_>, anchors: &Anchors, hunk: &Hunk, level: Level<'_, '_>) -> Option<Window> {
    anchors.window(trio, hunk, |was, is| {
        trio.new.id(was) == trio.today.id(is)
            || match level {
                Level::Lines(whole, _) => {
                    let (was, is) = (trio.new.unit(was), trio.today.unit(is));
                    let own = [trio.old.text(&hunk.old), trio.new.text(&hunk.new)];
                    let is_blank = is_blank_line(was) && is_blank_line(is);
                    if is_blank {
                        !own.into_iter().flat_map(split_lines).any(is_blank_line)
                    } else {
                        is_known_again(was, is, whole) && !has_grown_by(was, is, own)
                    }
                }
                Level::Tokens => false,
            }
    })
}

/// Such a line is the same whatever white space is in it, as long as the hunk itself has none.
fn is_blank_line(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Whether a line beside what stands is the one that stood there, edited: only indented anew, or with a name of its own, and half of the
/// names that the shorter one has.
fn is_known_again(was: &[u8], is: &[u8], whole: &Whole<'_, '_>) -> bool {
    let bare = was.trim_ascii();
    if has_word(bare) && bare == is.trim_ascii() {
        return true;
    }
    let [were, are] = [was, is].map(|line| tokens(line).filter(|token| is_name(token)).collect::<HashSet<&[u8]>>());
    let both: Vec<&[u8]> = were.intersection(&are).copied().collect();
    2 * both.len() >= were.len().min(are.len()) && both.iter().any(|token| whole.is_own_of_all(token))
}

/// Whether all that a line has more than before stands in a hunk's lines: a part of the hunk may have got there.
fn has_grown_by(was: &[u8], is: &[u8], hunk: [&[u8]; 2]) -> bool {
    let set =
        |text| tokens(text).filter(|token| !token.iter().all(u8::is_ascii_whitespace)).collect::<HashSet<&[u8]>>();
    let (before, mine) = (set(was), [set(hunk[0]), set(hunk[1])]);
    let grown: Vec<&[u8]> = set(is).into_iter().filter(|token| !before.contains(token)).collect();
    !grown.is_empty() && grown.iter().all(|token| mine.iter().any(|set| set.contains(token)))
}

impl<'a> Proof<'_, 'a> {
    /// Whether both neighbours stand.
    fn is_beside(&self) -> bool {
        self.window.new == self.hunk.new
    }

    /// What is gone on both sides, in units of the record's text.
    fn gone(&self) -> [Range<usize>; 2] {
        [self.window.new.start..self.hunk.new.start, self.hunk.new.end..self.window.new.end]
    }

    /// The old units stand nowhere; lines that were deleted, also not indented anew.
    fn old_stands_nowhere(&self) -> Result<(), Reason> {
        stands_nowhere(self.trio, Side { with: &self.trio.old, without: &self.trio.new }, self.old)?;
        match self.level {
            Level::Lines(whole, Purpose::TakeOut) if self.new.is_empty() => {
                whole.strangers().hold_none_of(self.trio, &self.hunk.old)
            }
            _ => Ok(()),
        }
    }

    /// Units that were deleted do not stand right beyond a neighbour, as they did not before: that one was moved, and they are back already.
    fn none_is_doubled(&self) -> Result<(), Reason> {
        let Self { trio, hunk, window, new, old, .. } = self;
        let is_line = matches!(self.level, Level::Lines(_, Purpose::TakeOut));
        if !is_line || !new.is_empty() || !old.iter().any(|&id| trio.has_word(id)) {
            return Ok(());
        }
        let above = |end: usize| Some(end.checked_sub(1 + old.len())?..end - 1);
        let below = |start: usize| Some(start + 1..start + 1 + old.len());
        let sides =
            [(above(window.today.start), above(hunk.new.start)), (below(window.today.end), below(hunk.new.end))];
        let is_there =
            |text: &Units<'a>, place: &Option<Range<usize>>| place.clone().is_some_and(|place| text.run(place) == *old);
        let back = sides.into_iter().find(|(is, was)| is_there(&trio.today, is) && !is_there(&trio.new, was));
        match back.and_then(|(is, _)| is) {
            Some(place) => Err(Reason::StandsElsewhere(trio.today.span(&place))),
            None => Ok(()),
        }
    }

    /// The new units stand nowhere, also not edited.
    fn new_is_gone(&self) -> Result<(), Reason> {
        is_gone(self.trio, Side { with: &self.trio.new, without: &self.trio.old }, self.new)?;
        if let Level::Lines(whole, _) = self.level {
            whole.strangers().hold_no_copy(self.trio, &self.hunk.new, |word| whole.is_own_of_record(word))?;
        }
        Ok(())
    }

    /// Between the neighbours stand exactly the new units, or exactly the old ones.
    fn between_neighbours(&self) -> Option<Result<Proven, Reason>> {
        let now = self.trio.today.run(self.window.today.clone());
        if self.is_beside() && now == self.new && self.new != self.old {
            let proven = self.old_stands_nowhere().and_then(|()| self.none_is_doubled());
            return Some(proven.map(|()| Proven::InForce(self.window.today.clone())));
        }
        (self.is_beside() && now == self.old).then(|| self.new_is_gone().map(|()| Proven::TakenBack))
    }

    /// Lines: its new units stand between both neighbours, wherever these were moved. What is not there may be where they were before.
    fn between_neighbours_that_moved(&self) -> Option<Result<Proven, Reason>> {
        let Level::Lines(_, Purpose::TakeOut) = self.level else { return None };
        let place = between_single_neighbours(self.trio, self.hunk).filter(|_| self.new != self.old)?;
        self.old_stands_nowhere().ok().map(|()| Ok(Proven::InForce(place)))
    }

    /// Lines: both neighbours stand, and one of them once more, beside the only place where the units are: whatever was put
    /// between the two, the units have the neighbours that they had.
    fn between_neighbours_that_stand_again(&self) -> Option<Result<Proven, Reason>> {
        let Level::Lines(whole, Purpose::TakeOut) = self.level else { return None };
        if !self.is_beside() || self.new == self.old {
            return None;
        }
        let (place, is_in_force) = match (self.beside_both(self.new), self.beside_both(self.old)) {
            (Some(place), None) => (place, true),
            (None, Some(place)) => (place, false),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let today = &self.window.today;
        let are = [today.start..place.start, place.end..today.end];
        let beside = Beside::new(self.trio, &[], &are);
        Some(if is_in_force {
            let is_own = |word: &[u8]| whole.is_own_of_record(word);
            let proven = self.old_stands_nowhere().and_then(|()| beside.is_nothing_of(self.trio, self.old));
            let proven = proven.and_then(|()| beside.is_no_copy(self.trio, &self.hunk.new, is_own));
            proven.map(|()| Proven::InForce(place))
        } else {
            let proven = self.new_is_gone().and_then(|()| beside.is_nothing_at_all_of(self.trio, self.new));
            proven.map(|()| Proven::TakenBack)
        })
    }

    /// Lines that are all equal, of which the record has more or fewer than it met, and which stand nowhere else in any text: where as
    /// many stand together beside a neighbour that they had, it is in force, and whichever goes, what is left is the same. That it is
    /// taken back the number does not tell: one of them may have been edited.
    fn of_equal_lines(&self) -> Option<Proven> {
        let unit = *self.new.first().filter(|_| !self.old.is_empty() && self.new.len() != self.old.len())?;
        let are_all = |block: &[u32], text: &Units<'_>| {
            block.iter().all(|&id| id == unit) && text.count(unit) as usize == block.len()
        };
        let is_line = matches!(self.level, Level::Lines(_, Purpose::TakeOut)) && self.trio.has_word(unit);
        if !is_line || !are_all(self.new, &self.trio.new) || !are_all(self.old, &self.trio.old) {
            return None;
        }
        let today = self.trio.today.run(self.window.today.clone());
        let at = today.iter().position(|&id| id == unit)?;
        let start = self.window.today.start + at;
        let stand = today[at..].starts_with(self.new) && self.trio.today.count(unit) as usize == self.new.len();
        let place = start..start + self.new.len();
        let [were, are] = [self.trio.new.beside(&self.hunk.new), self.trio.today.beside(&place)];
        let is_beside_one = || were.iter().zip(are).any(|(was, is)| *was == is);
        (stand && (self.is_beside() || is_beside_one())).then_some(Proven::InForce(place))
    }

    /// Where a block stands, if that is once between the neighbours, beside one of them and with the like of the other behind it.
    fn beside_both(&self, block: &[u32]) -> Option<Range<usize>> {
        let today = &self.window.today;
        let at = search(block, self.trio.today.run(today.clone())).only()?;
        let place = today.start + at..today.start + at + block.len();
        let is_beside = self.trio.today.beside(&place) == self.trio.new.beside(&self.hunk.new);
        (is_beside && (place.start == today.start || place.end == today.end)).then_some(place)
    }

    /// Units were deleted, and what is left on both sides is adjacent; or one side stands, and on the other nothing was put:
    /// what is there stood there, too.
    fn in_a_gap(&self) -> Option<Result<Proven, Reason>> {
        let gone = self.gone();
        let old: HashSet<u32> = self.old.iter().copied().collect();
        let is_old = |id: &u32| old.contains(id);
        if !self.new.is_empty() || gone.iter().any(|range| self.trio.new.run(range.clone()).iter().any(is_old)) {
            return None;
        }
        let today = &self.window.today;
        if self.was_emptied() {
            return Some(Err(Reason::NeighboursChanged));
        }
        let (at, missing) = if today.is_empty() {
            (today.start, gone.to_vec())
        } else {
            self.beside_what_is_left().or_else(|| self.between_the_only_ones())?
        };
        let stand = at.saturating_sub(1)..(at + 1).min(self.trio.today.len());
        // Where the line beside the place stands, lines farther off may have gone where they like.
        let is_beside = |range: &Range<usize>| range.end == self.hunk.new.start || range.start == self.hunk.new.end;
        let may_lead_away = if missing.iter().any(is_beside) { &missing[..] } else { &[] };
        let stand = if self.are_the_only_ones_together(at) { 0..0 } else { stand };
        let proven = none_was_edited(self.trio, &missing, stand)
            .and_then(|()| none_was_moved(self.trio, may_lead_away))
            .and_then(|()| self.old_stands_nowhere());
        Some(proven.map(|()| Proven::InForce(at..at)))
    }

    /// Whether nothing stands of more than one line with a word: somebody emptied the text, and other text may come to be there.
    fn was_emptied(&self) -> bool {
        let has_word = |at: &usize| self.trio.new.id(*at).is_some_and(|id| self.trio.has_word(id));
        self.trio.today.len() == 0 && (0..self.trio.new.len()).filter(has_word).nth(1).is_some()
    }

    /// Lines: whether the two beside a place are those that were beside the hunk, and no other two like them stand together in either
    /// text: then neither is another line, edited.
    fn are_the_only_ones_together(&self, at: usize) -> bool {
        let beside = self.trio.new.beside(&self.hunk.new);
        let [Some(left), Some(right)] = beside else { return false };
        let is_once = |text: &Units<'_>| text.places(&[left, right]).only().is_some();
        matches!(self.level, Level::Lines(..))
            && self.trio.today.beside(&(at..at)) == beside
            && is_once(&self.trio.new)
            && is_once(&self.trio.today)
    }

    /// Lines: the place beside the side that stands, where the two lines that closed up stand together, and no others like them; farther
    /// off anything may have been put.
    fn between_the_only_ones(&self) -> Option<(usize, Vec<Range<usize>>)> {
        let Level::Lines(_, Purpose::TakeOut) = self.level else { return None };
        let at = match self.gone() {
            [above, _] if above.is_empty() => self.window.today.start,
            [_, below] if below.is_empty() => self.window.today.end,
            _ => return None,
        };
        self.are_the_only_ones_together(at).then_some((at, Vec::new()))
    }

    /// Lines: the place beside the side that stands, where on the other side lines were deleted and none were put; and the
    /// lines that are missing.
    fn beside_what_is_left(&self) -> Option<(usize, Vec<Range<usize>>)> {
        let Level::Lines(_, Purpose::TakeOut) = self.level else { return None };
        let today = &self.window.today;
        let (side, at) = match self.gone() {
            [above, below] if above.is_empty() => (below, today.start),
            [above, below] if below.is_empty() => (above, today.end),
            _ => return None,
        };
        let bare = |text: &Units<'_>, at: usize| text.unit(at).trim_ascii().to_vec();
        // Whether a line is only indented anew, does not matter here.
        let mut left = today.clone().peekable();
        let is_left = |was: usize, is: usize| bare(&self.trio.new, was) == bare(&self.trio.today, is);
        let missing = side.filter(|&was| left.next_if(|&is| is_left(was, is)).is_none());
        let missing = missing.map(|was| was..was + 1).collect();
        left.peek().is_none().then_some((at, missing))
    }

    /// Lines that were put in, with one of their own among them, stand together once in each text, and between what stands on both sides none of
    /// them is more often or more seldom than the record left it: a bracket or a blank line at their end is theirs, or leaves the same text.
    fn as_a_whole(&self) -> Option<Result<Proven, Reason>> {
        let place = self.put_in_together(self.new)?;
        let (were, are) = (self.trio.new.run(self.window.new.clone()), self.trio.today.run(self.window.today.clone()));
        let is_as_often = |id: &u32| [were, are].map(|all| all.iter().filter(|other| *other == id).count());
        if !self.new.iter().map(is_as_often).all(|[was, is]| was == is) {
            return None;
        }
        Some(self.together_at(&place)?.map(|()| Proven::InForce(place)))
    }

    /// The same between neighbours that both stand, where somebody put another block before or behind them: both are blocks by themselves,
    /// so that a bracket or a blank line at the end of each is its own.
    fn beside_another_block(&self) -> Option<Result<Proven, Reason>> {
        let (trio, old) = (self.trio, self.old);
        let today = trio.today.run(self.window.today.clone());
        let (start, hunk) = (self.window.today.start, &self.hunk.new);
        // What was there before the record may be said to stand before what it put in, or behind it.
        let before = self.new.starts_with(old).then(|| (hunk.start + old.len()..hunk.end, 0));
        let behind =
            self.new.ends_with(old).then(|| (hunk.start..hunk.end - old.len(), today.len().saturating_sub(old.len())));
        let texts = |text: &Units<'a>, range: Range<usize>| range.map(|at| text.unit(at)).collect::<Vec<&[u8]>>();
        let placed = |(own, old_at): (Range<usize>, usize)| {
            let place = self.put_in_together(trio.new.run(own.clone()))?;
            let rest = if old_at == 0 { start + old.len()..start + today.len() } else { start..start + old_at };
            let other = match (place.start == rest.start, place.end == rest.end) {
                (true, false) => place.end..rest.end,
                (false, true) => rest.start..place.start,
                _ => return None,
            };
            let is_met = today.get(old_at..)?.starts_with(old);
            (is_met && is_block(&texts(&trio.new, own)) && is_block(&texts(&trio.today, other))).then_some(place)
        };
        let place = [before, behind].into_iter().filter(|_| self.is_beside()).flatten().find_map(placed)?;
        self.together_at(&place)?.ok().map(|()| Ok(Proven::PutIn(place)))
    }

    /// Where a block of lines that were put in, with one of their own among them, stands once in each text.
    fn put_in_together(&self, block: &[u32]) -> Option<Range<usize>> {
        let Level::Lines(_, Purpose::TakeOut) = self.level else { return None };
        let trio = self.trio;
        let is_own = |id: u32| {
            let counts = [&trio.old, &trio.new, &trio.today].map(|text| text.count(id));
            trio.has_word(id) && counts == [0, 1, 1]
        };
        let are_put_in = self.old.is_empty() || contains(self.new, self.old);
        self.only(block, &trio.new).filter(|_| are_put_in && block.iter().any(|&id| is_own(id)))
    }

    /// That nothing speaks against lines that were put in and stand together.
    fn together_at(&self, place: &Range<usize>) -> Option<Result<(), Reason>> {
        let Level::Lines(whole, _) = self.level else { return None };
        let (trio, today) = (self.trio, &self.window.today);
        let are = [today.start..place.start, place.end..today.end];
        let beside = Beside::new(trio, &self.gone(), &are);
        let proven = none_changed_sides(trio, &self.gone(), &are)
            .and_then(|()| self.old_stands_nowhere())
            .and_then(|()| beside.is_no_copy(trio, &self.hunk.new, |word| whole.is_own_of_record(word)));
        Some(proven)
    }

    /// The new units, or the old ones, stand once in each text, whatever became of their neighbours.
    fn by_itself(&self) -> Option<Result<Proven, Reason>> {
        if contains(self.new, self.old) || contains(self.old, self.new) {
            return None;
        }
        let mut new_at = self.alone(self.new, &self.trio.new);
        let old_at = self.alone(self.old, &self.trio.old);
        if matches!(self.level, Level::Tokens) {
            new_at = new_at.or_else(|| self.beside_one()).filter(|place| self.is_joined(place));
        }
        match (new_at, old_at, self.level) {
            (Some(place), None, _) => Some(self.in_force_at(place)),
            (None, Some(place), Level::Lines(..)) => Some(self.taken_back_at(&place)),
            _ => None,
        }
    }

    fn in_force_at(&self, place: Range<usize>) -> Result<Proven, Reason> {
        self.old_stands_nowhere()?;
        let today = &self.window.today;
        let are = [today.start..place.start, place.end..today.end];
        none_changed_sides(self.trio, &self.gone(), &are)?;
        let doubled = doubled_ends(self.trio, self.new, &place);
        if let Level::Lines(..) = self.level {
            let left = self.window.new.start == self.hunk.new.start && place.start == today.start;
            let right = self.window.new.end == self.hunk.new.end && place.end == today.end;
            let stands = [left.into(), right.into()];
            ends_are_own(self.trio, self.new, stands, doubled)?;
            ends_have_words(self.trio, self.old, stands)?;
        }
        Beside::new(self.trio, &self.gone(), &are).is_nothing_of(self.trio, self.old)?;
        // Of what the user took from another version no line was made of one that stands in both, as it is.
        if let Level::Lines(whole, Purpose::TakeOut) = self.level {
            // A line that is doubled is none of the record's, edited.
            let [left, right] = doubled.map(usize::from);
            let are = [today.start..place.start - left, place.end + right..today.end];
            let beside = Beside::new(self.trio, &self.gone(), &are);
            beside.is_no_copy(self.trio, &self.hunk.new, |word| whole.is_own_of_record(word))?;
        }
        Ok(Proven::InForce(place))
    }

    fn taken_back_at(&self, place: &Range<usize>) -> Result<Proven, Reason> {
        self.new_is_gone()?;
        let today = &self.window.today;
        let are = [today.start..place.start, place.end..today.end];
        none_changed_sides(self.trio, &self.gone(), &are)?;
        let beside = Beside::new(self.trio, &self.gone(), &are);
        beside.is_nothing_at_all_of(self.trio, self.new)?;
        Ok(Proven::TakenBack)
    }

    /// Lines were edited between neighbours that both stand.
    fn edited(&self) -> Result<Proven, Reason> {
        let today = &self.window.today;
        let are_edited = self.is_beside() && !self.new.is_empty() && !self.old.is_empty() && !today.is_empty();
        match self.level {
            Level::Lines(_, Purpose::TakeOut) if are_edited => Ok(Proven::Edited(today.clone())),
            _ if self.new.is_empty() => Err(Reason::PlaceTaken),
            _ if self.is_beside() => Err(Reason::LinesChanged),
            _ => Err(Reason::NeighboursChanged),
        }
    }

    /// Where a block with a word stands that is the only one of its kind in its own text and in today's.
    fn alone(&self, block: &[u32], text: &Units<'_>) -> Option<Range<usize>> {
        block.iter().find(|&&id| self.trio.has_word(id))?;
        self.only(block, text)
    }

    /// The same for a block that may be of brackets.
    fn only(&self, block: &[u32], text: &Units<'_>) -> Option<Range<usize>> {
        text.places(block).only()?;
        let at = self.trio.today.places(block).only()?;
        let place = at..at + block.len();
        (self.window.today.start <= place.start && place.end <= self.window.today.end).then_some(place)
    }

    /// Tokens without a word (an operator): the only ones of their kind in the lines, adjacent to a side that stands.
    fn beside_one(&self) -> Option<Range<usize>> {
        self.trio.new.places(self.new).only()?;
        let at = self.trio.today.places(self.new).only()?;
        let place = at..at + self.new.len();
        let today = &self.window.today;
        let left = self.window.new.start == self.hunk.new.start && place.start == today.start;
        let right = self.window.new.end == self.hunk.new.end && place.end == today.end;
        (left || right).then_some(place)
    }

    /// Tokens: the neighbours on both sides are adjacent, the ends of the lines only as ends. A comma is a neighbour of
    /// its own: what was added with one before it can go without what others put before or behind it.
    fn is_joined(&self, place: &Range<usize>) -> bool {
        let (trio, new) = (self.trio, &self.hunk.new);
        let is_comma = |text: &Units<'_>, at: usize| text.unit(at) == b",";
        let is_item = self.old.is_empty() && is_comma(&trio.new, new.start);
        let ([left_is, right_is], [left_was, right_was]) = (trio.today.beside(place), trio.new.beside(new));
        let left = left_is == left_was || is_item;
        let right = right_is == right_was || (is_item && is_comma(&trio.today, place.end));
        left && right
    }
}

/// Whether `part` stands in `whole`; an empty one does not.
fn contains(whole: &[u32], part: &[u32]) -> bool {
    search(part, whole) != Places::Nowhere
}
