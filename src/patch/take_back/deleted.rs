//! Lines that an edit deleted, where the log has that undone: that they are not as they were is no proof then that they are deleted
//! again by the same.
//!
//! Owns that question. Somebody may have gone on with them, or deleted them with their neighbours: then it is that one's doing.

use super::edit::{Change, Edit};
use super::units::{Part, Trio, line_ends};
use super::whole::Whole;
use crate::text::split_lines;

/// Whether today's text may lack lines for another reason than that the edit is in force again.
pub fn is_lacked_for_another_reason(edit: &Edit<'_>, today: &[u8]) -> bool {
    let is_deletion = |change: &&Change| {
        let gone = edit.before().get(change.before.clone()).unwrap_or_default();
        change.after.is_empty() && gone.contains(&b'\n')
    };
    let deletions: Vec<&Change> = edit.changes().iter().map(|(_, change)| change).filter(is_deletion).collect();
    if deletions.is_empty() {
        return false;
    }
    deletions.iter().any(|change| !is_closed_up(edit.after(), change.after.start, today))
        || may_stand_edited(edit, today)
}

/// Whether the lines around a place of the text after stand one upon the other today.
fn is_closed_up(after: &[u8], at: usize, today: &[u8]) -> bool {
    let (above, below) = after.split_at_checked(at).unwrap_or((after, &[]));
    let bare = |line: Option<&[u8]>| line.map(|line| line.trim_ascii().to_vec());
    let wanted = [bare(split_lines(above).next_back()), bare(split_lines(below).next())];
    let lines: Vec<Option<Vec<u8>>> =
        std::iter::once(None).chain(split_lines(today).map(|line| bare(Some(line)))).chain([None]).collect();
    lines.windows(2).any(|pair| pair == wanted)
}

/// Whether a line of today's text, which neither text of the edit has, may be one that it deleted.
fn may_stand_edited(edit: &Edit<'_>, today: &[u8]) -> bool {
    let trio = Trio::new([Part::whole(edit.before()), Part::whole(edit.after()), Part::whole(today)], line_ends);
    let whole = Whole::new(&trio);
    let lines = 0..trio.old.len();
    whole.strangers().hold_no_copy_of((&trio, &trio.old), &lines, |word| whole.is_deleted(word)).is_err()
}
