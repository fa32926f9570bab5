//! Where an edit goes that has no exact place, and the splices that write it.
//!
//! Owns [`locate`]: readings, ladder and three-way merge put together, and the refusals. Does not know of other
//! edits. Invariants: below level `loose` there is one certain result or a refusal; no byte outside the replacements changes;
//! they are disjoint, in order, and lie within the place.

mod alignment;
mod by_block;
mod by_neighbours;
mod certain;
mod change;
mod indent;
mod located;
mod loose;
mod opens;
mod rules;
mod sides;
#[cfg(test)]
mod tests;
mod typography;
mod unseen;
mod write;

use crate::code::Reason;
use crate::matcher::found::Why;
use crate::matcher::hint::{self, Nearest, Several, Tiers};
use crate::matcher::likely::Evidence;
use crate::matcher::source::Source;
use crate::request::Edit;
use crate::strategy::Level;
use crate::text::Text;

pub use located::{Located, Uncertain, Written};

/// An edit that is not applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The cause.
    pub why: Why,
    /// What may be meant.
    pub near: Near,
}

/// What a refused edit may mean.
#[derive(Debug, Clone, PartialEq)]
pub enum Near {
    /// Nothing for certain; these are nearest.
    Nearest(Nearest),
    /// One of these.
    Several(Several),
}

impl Refusal {
    /// The finer cause.
    pub fn reason(&self) -> Reason {
        match self.why {
            Why::Several(_) | Why::OneLineOfSeveral(_) | Why::Readings(_) => Reason::Ambiguous,
            Why::Applied(_) => Reason::AlreadyApplied,
            Why::Same(_) => Reason::SameText,
            Why::Placeholder(_) => Reason::OmissionPlaceholder,
            _ => Reason::NoMatch,
        }
    }
}

/// Finds the place of an edit that has none at level exact, and what is written there.
///
/// For [`Level::Only`] the whole search is done here, exact places included.
///
/// # Errors
/// [`Refusal`], with the nearest regions as a hint.
pub fn locate(text: &Text, edit: &Edit, level: Level, evidence: Evidence<'_>) -> Result<Located, Refusal> {
    let file = Source::new(text.bytes(), text.body_start());
    let certain = || match certain::locate(&file, edit)? {
        Located { place, uncertain: Some(_), .. } if evidence.may_be_gone => {
            Err(Why::OneLine(file.line_at(place.start)..file.line_at(place.end.max(1) - 1) + 1))
        }
        located => Ok(located),
    };
    let located = match level {
        Level::Exact => Err(Why::Nowhere),
        Level::Fuzzy => certain(),
        Level::Loose => certain().or_else(|why| if why.is_final() { Err(why) } else { loose::any(&file, edit, why) }),
        Level::Only(strategy) => loose::named(&file, edit, strategy),
    };
    located.map_err(|why| refuse(&file, edit, why, evidence))
}

/// The refusal for a cause, with what may be meant.
fn refuse(file: &Source<'_>, edit: &Edit, why: Why, evidence: Evidence<'_>) -> Refusal {
    let near = match &why {
        Why::Several(places) | Why::OneLineOfSeveral(places) | Why::Readings(places) => {
            Near::Several(hint::several(file, places, evidence))
        }
        Why::Nowhere => Near::Nearest(hint::nearest_in(file, edit.old(), Tiers::FindNothing, evidence)),
        _ => Near::Nearest(hint::nearest_in(file, edit.old(), Tiers::Unknown, evidence)),
    };
    Refusal { why, near }
}
