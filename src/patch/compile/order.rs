//! Whether the order of the edits has to do with the failure of one.
//!
//! Owns that question, which is asked of few edits of a file that is not large. Decides no place.

use super::outcome::CompileOptions;
use super::refusal::{CompileError, Order};
use super::sequence;
use crate::code::Reason;
use crate::matcher::exact::{self, Needle, Want};
use crate::request::Edit;
use crate::text::{LfText, Text, to_lf};

const MOST_EDITS: usize = 200;
const MOST_BYTES: usize = 4 << 20;

/// Of edits that all see the text that was given: whether one that has no place would have one after those before it.
pub(super) fn of_original(text: &Text, edits: &[Edit], options: &CompileOptions, error: &CompileError) -> Order {
    let options = CompileOptions { refuse_nested: false, ..*options };
    let is_asked = error.reason() == Reason::NoMatch && is_small(text, error);
    let in_sequence = || sequence::compile(text, &edits[..=error.index], &options).is_ok();
    if is_asked && in_sequence() { Order::AfterEarlier } else { Order::Unrelated }
}

/// Of edits that each see what those before them wrote: which of them took the place of one that has none, or made another.
pub(super) fn of_sequence(text: &Text, edits: &[Edit], options: &CompileOptions, error: &CompileError) -> Order {
    let reason = error.reason();
    if !matches!(reason, Reason::NoMatch | Reason::Ambiguous) || !is_small(text, error) {
        return Order::Unrelated;
    }
    let options = CompileOptions { refuse_nested: false, ..*options };
    let old = to_lf(edits[error.index].old());
    let count = |text: &Text| {
        exact::find(&LfText::new(text.bytes()), &[Needle { text: &old, want: Want::One }]).remove(0).count
    };
    let mut found = Order::Unrelated;
    let (mut text, mut before) = (text.clone(), count(text));
    for (at, edit) in edits[..error.index].iter().enumerate() {
        let Ok(step) = sequence::compile(&text, std::slice::from_ref(edit), &options) else { break };
        let Ok(next) = Text::new(step.patch.apply(text.bytes())) else { break };
        let now = count(&next);
        match (before, now) {
            (1.., 0) if reason == Reason::NoMatch => found = Order::TakenBy(at),
            (0 | 1, 2..) if reason == Reason::Ambiguous => found = Order::RepeatedBy(at),
            _ => {}
        }
        (text, before) = (next, now);
    }
    found
}

fn is_small(text: &Text, error: &CompileError) -> bool {
    (1..=MOST_EDITS).contains(&error.index) && text.bytes().len() <= MOST_BYTES
}
