//! Located edits, and the splices that they come to.
//!
//! Owns the order of splices and what becomes one. Does not find places.
//! Invariant of [`Plan`]: it has a place; a place's replacements lie in it, in order and apart.

use super::outcome::EditOutcome;
use crate::patch::merge::Uncertain;
use crate::patch::{Origin, Replacement, Splice, algebra};
use crate::strategy::Strategy;
use std::ops::Range;

/// An edit that was located.
pub(super) struct Plan {
    pub(super) strategy: Strategy,
    /// In the order of the text that the edit sees; not empty.
    pub(super) places: Vec<Place>,
    pub(super) uncertain: Option<Uncertain>,
}

/// One place of an edit, in bytes of the text that the edit sees.
pub(super) struct Place {
    pub(super) range: Range<usize>,
    /// What changes, within the range; in order.
    pub(super) replacements: Vec<Replacement>,
}

impl Plan {
    /// What is told of the edit with this index.
    pub(super) fn outcome(&self, index: usize) -> EditOutcome {
        let (first, last) = (&self.places[0].range, &self.places[self.places.len() - 1].range);
        EditOutcome { index, strategy: self.strategy, range: first.start..last.end, replacements: self.places.len() }
    }
}

/// What plans (with their edits' indexes) write, in the order of the text.
///
/// Places are disjoint, so their order is that of the splices, also where two insert at the point where they touch.
/// Those of one edit that touch become one.
pub(super) fn splices(plans: impl Iterator<Item = (usize, Plan)>) -> Vec<Splice> {
    let mut places: Vec<(Origin, Place)> = plans
        .flat_map(|(edit, plan)| {
            let origin = Origin { edit, strategy: plan.strategy };
            plan.places.into_iter().map(move |place| (origin, place))
        })
        .collect();
    places.sort_by_key(|(_, place)| place.range.start);
    let mut splices: Vec<Splice> = Vec::with_capacity(places.len());
    for (origin, place) in places {
        for Replacement { range, bytes } in place.replacements {
            match splices.last_mut() {
                // A replace_all of every character is one splice, not a million that nothing tells apart.
                Some(last) if last.range.end == range.start && last.origin[..] == [origin] => {
                    last.range.end = range.end;
                    last.replacement.extend_from_slice(&bytes);
                }
                _ => splices.push(Replacement { range, bytes }.by(origin)),
            }
        }
    }
    algebra::joined(splices)
}
