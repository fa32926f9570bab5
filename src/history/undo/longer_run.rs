//! A line that a record doubled, and that others doubled again: of the equal ones beside each other any may go.
//!
//! Owns that nobody took such a line since. Where it goes is `patch/take_back`'s affair.
//! Invariant: it is told only where in each text that the file had since, as far as that is known, as many of these lines stood between the same two as in
//! the one before it, or more, and as many elsewhere.

use super::by_log::without_rounds;
use super::cancelled::Around;
use super::step::Carry;
use super::steps::Steps;
use crate::patch::take_back::{Answer, Doubled, Edit, in_longer_run};
use std::sync::Arc;

impl Carry {
    /// The answer where more lines like the doubled one stand there than the record left.
    pub(super) fn by_a_longer_run(&self, edit: &Edit<'_>, around: Around<'_>, current: &[u8]) -> Option<Answer> {
        let own = Doubled::of(edit).filter(|_| self.is_of_all() && !self.remade.was_so())?;
        let all: Vec<&Arc<_>> = around.later.iter().collect();
        if self.is_inverted(around, &all) {
            return None;
        }
        let steps = Steps::between(edit.after(), &without_rounds(around.later), current)?;
        let texts = steps.edits.iter().flat_map(|step| [step.before(), step.after()]);
        let lens = texts.map(|text| own.len_in(text)).collect::<Option<Vec<usize>>>()?;
        if lens.is_sorted() { in_longer_run(edit, current) } else { None }
    }
}
