//! Taking an edit back, putting it in again, and making it in another version of the text: proven, or refused.
//!
//! The rules are those of docs/history.md (Proof): a hunk is written only where it is proven to be, and to be in force, in today's text. What
//! stands there already is told as done; everything else is refused with its reason. See [`answer`].
//! Owns the decision and what is to be written. Reads no files, knows no records, applies nothing.
//! Invariant: bytes outside of the written ranges stay; a second run of the same writes nothing.
//!
//! Reading order: `edit` (what goes in), `units` (what texts are made of), `hunk`, `anchors` and `single_neighbours` (where to look),
//! `whole` and `guard` (what speaks against it), `block` (what belongs together), `blank_lines` (one of several), `proof` (the rules), `readings` (how what is beside a place may be read), `slid` (what was deleted among equal lines), `within` (inside of edited lines), `carry` (what
//! another version allows), `judge` (all hunks together), `near_lines` and `stands_once` (hunks of an edit alone), `commute` (two edits in the other order), `settled` (through the
//! texts since), `cancel` (what was taken back meanwhile), `last_line` (one without an ending),
//! `deleted` (what may be there in another form), `slides` and `shifts` (where equal lines, or bytes, may stand), `counted` (what the log alone tells), `equal_run` (where any of some goes), `beside` (who comes to its places), `overruled` (what it speaks against),
//! `differing_tokens` (what an edit took and put, word by word), `put`, `brought_back` and `put_since` (whose the bytes are that would go), `blanks_since` (who took white space that would come back).

mod anchors;
mod beside;
mod blank_lines;
mod blanks_since;
mod block;
mod brought_back;
mod cancel;
mod carry;
mod commute;
mod counted;
mod deleted;
mod differing_tokens;
mod edit;
mod equal_run;
mod guard;
mod hunk;
mod judge;
mod last_line;
mod near_lines;
mod overruled;
mod proof;
mod put;
mod put_since;
mod readings;
mod reason;
mod settled;
mod shifts;
mod single_neighbours;
mod slid;
mod slides;
mod stands_once;
mod units;
mod verdict;
mod whole;
mod within;

pub use beside::{beside, is_passed_by_the_last};
pub use blanks_since::blanks_taken_by;
pub use cancel::{led_past, without};
pub use counted::{Counted, Since, Told, counted, counted_in_part};
pub use deleted::is_lacked_for_another_reason;
pub use edit::{Change, Edit};
pub use equal_run::{Doubled, in_longer_run};
pub use overruled::{Today, overruled, pass_by};
pub use put_since::{Putters, taken_from};
pub use reason::{Reason, Refusal};
pub use verdict::{Answer, Judged, Outcome, Verdict, Write};

use proof::Purpose;
use settled::{moved, settled};

/// What is to become of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Undo: today's text is to be without it.
    TakeBack,
    /// Redo: it is to be in force again.
    PutAgain,
    /// The edit is to be made in another version of the text that it was made on, such as HEAD's or the index's. Lines
    /// count as wholes there: the rest of a line that others edited is not theirs to publish.
    CarryTo,
}

/// Which of the changes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// The whole edit.
    All,
    /// Those with these indexes; the others stay as they are.
    Only(&'a [usize]),
}

/// Judges an edit against today's text: where each of its hunks goes, whether it is done already, or why it is refused.
///
/// `later` is what the log knows to have been done to the text since, in order; it may have gaps, and be empty. Where it
/// leads from the text of the edit to today's without a gap, places are counted instead of searched.
pub fn answer(edit: Edit<'_>, wanted: Wanted<'_>, direction: Direction, later: &[Edit<'_>], today: &[u8]) -> Answer {
    let part = match (wanted, direction) {
        (Wanted::All, _) => edit,
        (Wanted::Only(which), Direction::TakeBack | Direction::PutAgain) => edit.made_last(which),
        (Wanted::Only(which), Direction::CarryTo) => edit.made_first(which),
    };
    let part = match direction {
        Direction::TakeBack => part,
        Direction::PutAgain | Direction::CarryTo => part.reversed(),
    };
    let purpose = match direction {
        Direction::TakeBack | Direction::PutAgain => Purpose::TakeOut,
        Direction::CarryTo => Purpose::Carry,
    };
    let near =
        if later.is_empty() || part.before() == today || part.after() == today { None } else { moved(&part, later) };
    let counted =
        near.map(|near| settled(&near, &[], today, purpose)).filter(|answer| answer.refusals().next().is_none());
    counted.unwrap_or_else(|| {
        let between: Vec<&[u8]> = later.iter().flat_map(|step| [step.before(), step.after()]).collect();
        settled(&part, &between, today, purpose)
    })
}

/// That an edit is taken back already, as something that only the caller knows tells.
pub fn taken_back(edit: &Edit<'_>, today: &[u8]) -> Answer {
    settled::already_done(edit, today)
}

#[cfg(test)]
mod tests;
