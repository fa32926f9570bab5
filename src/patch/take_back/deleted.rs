//! Lines that an edit deleted, and that may stand in today's text as others, edited: then who put them back went on with them.
//!
//! Owns that question, which only matters where the log has the deletion undone: that it is not there any more is no proof then.

use super::edit::Edit;
use super::units::{Part, Trio, line_ends};
use super::whole::Whole;

/// Whether a line of today's text, which neither text of the edit has, may be one that it deleted.
pub fn deleted_may_stand_edited(edit: &Edit<'_>, today: &[u8]) -> bool {
    let is_deletion = |before: &[u8]| before.contains(&b'\n');
    let mut changes = edit.changes().iter().filter(|(_, change)| change.after.is_empty());
    if !changes.any(|(_, change)| edit.before().get(change.before.clone()).is_some_and(is_deletion)) {
        return false;
    }
    let trio = Trio::new([Part::whole(edit.before()), Part::whole(edit.after()), Part::whole(today)], line_ends);
    let whole = Whole::new(&trio);
    let lines = 0..trio.old.len();
    whole.strangers().hold_no_copy_of((&trio, &trio.old), &lines, |word| whole.is_deleted(word)).is_err()
}
