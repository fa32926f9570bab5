//! The hint of the one failure that is told.
//!
//! Owns what is looked for once it is known that an edit fails. Does not decide whether it does.

use super::ambiguity;
use super::locate::{Failure, Sight};
use super::refusal::EditRefusal;
use crate::matcher::hint;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Of a region that is as like the old text as this, an edit may speak that was not made.
const NEAR: f64 = 0.8;

impl Sight<'_> {
    /// Works out the hint of the one failure that is told.
    pub(super) fn explain(&self, old: &[u8], failure: Failure) -> EditRefusal {
        match failure {
            Failure::Told(refusal) => refusal,
            Failure::NoMatch => EditRefusal::NoMatch(hint::nearest(&self.text(), old)),
            Failure::Applied(lines) => {
                let hint = hint::nearest(&self.text(), old);
                if has_near_place_beside(&hint, &lines) {
                    return EditRefusal::NoMatch(hint);
                }
                EditRefusal::AlreadyApplied { lines: (*lines.start(), *lines.end()) }
            }
            Failure::Ambiguous(places) => {
                let hints = ambiguity::hints(&self.text(), self.lf, old, &places.first);
                EditRefusal::Ambiguous { count: places.count, places: hints }
            }
        }
    }
}

/// Whether a region that the hint offers, none of these lines, may well be what is to be edited.
fn has_near_place_beside(hint: &Map<String, Value>, lines: &RangeInclusive<usize>) -> bool {
    let regions = hint.get("nearest").and_then(Value::as_array);
    regions.into_iter().flatten().any(|region| {
        let line = |key: &str| region[key].as_u64().and_then(|line| usize::try_from(line).ok());
        let (Some(first), Some(last)) = (line("start_line"), line("end_line")) else { return false };
        let is_near = region["similarity"].as_f64().is_some_and(|similarity| similarity >= NEAR);
        is_near && (last < *lines.start() || *lines.end() < first)
    })
}
