//! The Unix permission bits that the records of a slot gave its file.
//!
//! Owns what becomes of them. Touches no disk.

use super::Slot;
use crate::history::undo::request::Misfits;
use crate::history::undo::step::{Step, What};

impl Slot {
    /// Permission bits to set on a file that has `current`: those of before the record, if it set the ones that the file has.
    pub fn mode(&self, current: Option<u32>) -> Option<u32> {
        let mut mode = current;
        for step in &self.steps {
            match (&step.what, step.modes) {
                (What::Restore { .. }, (Some(before), _)) => mode = Some(before),
                (What::Carry(_), (Some(before), Some(after))) if before != after && mode == Some(after) => {
                    mode = Some(before);
                }
                _ => {}
            }
        }
        mode.filter(|_| mode != current)
    }

    /// The permission bits that the records gave it last; none where they gave it none.
    pub fn mode_given(&self) -> Option<u32> {
        let given = |(before, after): (Option<u32>, Option<u32>)| after.filter(|_| before != after);
        self.steps.iter().find_map(|step| given(step.modes))
    }

    /// Whether any of the records changed the permission bits.
    pub(crate) fn changes_mode(&self) -> bool {
        self.steps.iter().any(Step::sets_mode)
    }

    /// Whether nothing but the permission bits would change.
    pub(crate) fn changes_only_mode(&self) -> bool {
        let is_as_it_is = || {
            let outcome = self.replay(self.seen.as_deref(), Misfits::Refused);
            outcome.is_ok_and(|outcome| outcome.text == self.seen)
        };
        self.changes_mode() && self.disk == self.now && is_as_it_is()
    }
}
