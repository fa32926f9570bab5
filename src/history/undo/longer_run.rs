//! A line that a record doubled, and that others doubled again: any of them goes.
//!
//! Owns that nobody took such a line since. Where it goes is `patch/take_back`'s affair.
//! Invariant: it is told only where no step that the log has, and none between, left fewer of these lines than it met.

use super::by_log::without_rounds;
use super::cancelled::Around;
use super::step::Carry;
use super::steps::Steps;
use crate::patch::take_back::{Answer, Edit, doubled, in_longer_run};
use crate::text::split_lines;
use std::sync::Arc;

impl Carry {
    /// The answer where more lines like the doubled one stand there than the record left.
    pub(super) fn by_a_longer_run(&self, edit: &Edit<'_>, around: Around<'_>, current: &[u8]) -> Option<Answer> {
        let line = doubled(edit).filter(|_| self.is_of_all() && !self.remade.was_so())?;
        let all: Vec<&Arc<_>> = around.later.iter().collect();
        if self.is_inverted(around, &all) {
            return None;
        }
        let steps = Steps::between(edit.after(), &without_rounds(around.later), current)?;
        let count = |text: &[u8]| split_lines(text).filter(|other| *other == line).count();
        let has_fewer = |step: &Edit<'_>| count(step.after()) < count(step.before());
        if steps.edits.iter().any(has_fewer) { None } else { in_longer_run(edit, current) }
    }
}
