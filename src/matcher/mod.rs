//! Where an old_string is: one file per strategy, one ladder.
//!
//! Owns finding places. Does not write: what takes a match's place is `patch/`'s business.
//! Invariant: a match of a level below `loose` is certain, or there is none.

pub mod elision;
pub mod exact;
pub mod fold;
pub mod folded;
pub mod found;
pub mod hint;
pub mod hunks;
pub mod ladder;
pub mod left_out;
pub mod likely;
pub mod line_index;
pub mod omission;
pub mod named;
mod numbered;
pub mod one_line_off;
pub mod reading;
pub mod similarity;
pub mod source;
pub mod spots;
mod within_line;
