//! Where an edit goes that has no exact place, and the splices that write it.
//!
//! Owns [`locate`]: readings, ladder and three-way merge put together, and the refusals told. Does not know of other
//! edits. Invariants: below level `loose` there is one certain result or a refusal; no byte outside the replacements changes;
//! they are disjoint, in order, and lie within the place.

mod alignment;
mod certain;
mod change;
mod indent;
mod located;
mod loose;
mod sides;
#[cfg(test)]
mod tests;
mod write;

use crate::code::Reason;
use crate::matcher::found::Why;
use crate::matcher::hint;
use crate::matcher::source::Source;
use crate::request::Edit;
use crate::strategy::Level;
use crate::text::Text;
use serde_json::{Map, Value};

pub use located::Located;

/// An edit that is not applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The cause.
    pub reason: Reason,
    /// Lower-case, without a final period; names the next action.
    pub message: String,
    /// `data.hint`.
    pub hint: Map<String, Value>,
}

/// Finds the place of an edit that has none at level exact, and what is written there.
///
/// For [`Level::Only`] the whole search is done here, exact places included.
///
/// # Errors
/// [`Refusal`], with the nearest regions as a hint.
pub fn locate(text: &Text, edit: &Edit, level: Level) -> Result<Located, Refusal> {
    let file = Source::new(text.bytes(), text.body_start());
    let located = match level {
        Level::Exact => Err(Why::Nowhere),
        Level::Fuzzy => certain::locate(&file, edit),
        Level::Loose => certain::locate(&file, edit)
            .or_else(|why| if why.is_final() { Err(why) } else { loose::any(&file, edit, why) }),
        Level::Only(strategy) => loose::named(&file, edit, strategy),
    };
    located.map_err(|why| refuse(&file, edit, &why))
}

/// The refusal for a cause, with the nearest regions as a hint.
fn refuse(file: &Source<'_>, edit: &Edit, why: &Why) -> Refusal {
    let (reason, message) = match why {
        Why::Several(places) | Why::Readings(places) => {
            let lines: Vec<_> = places.iter().take(5).map(|place| (place.start + 1).to_string()).collect();
            (
                Reason::Ambiguous,
                format!(
                    "old_string fits several places alike (lines {}); send more lines around the one that is meant",
                    lines.join(", ")
                ),
            )
        }
        Why::Applied(place) => (
            Reason::AlreadyApplied,
            format!(
                "new_string stands already at line {} and old_string does not: there is nothing to do; leave this edit out",
                place.start + 1
            ),
        ),
        Why::Same(place) => (
            Reason::SameText,
            format!(
                "the edit would leave the file as it is: line {} reads as new_string wants it; leave this edit out",
                place.start + 1
            ),
        ),
        Why::Placeholder(_) => (
            Reason::OmissionPlaceholder,
            "new_string would write or remove lines that an omission mark stands for; send the lines themselves"
                .to_owned(),
        ),
        _ => (
            Reason::NoMatch,
            format!(
                "old_string was not found for certain ({}); send it as the file has it, with its indentation \
                 (data.hint.nearest has the closest text, where there is any), or read the file again",
                why.words()
            ),
        ),
    };
    let mut hint = if reason == Reason::Ambiguous {
        hint::several(file, edit.old(), why.places())
    } else {
        hint::nearest_in(file, edit.old(), *why == Why::Nowhere)
    };
    hint.insert("why".into(), why.words().into());
    Refusal { reason, message, hint }
}
