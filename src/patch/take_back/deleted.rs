//! Lines that an edit deleted, where the log has that undone: that they are not as they were is no proof then that they are deleted
//! again by the same.
//!
//! Owns that question. Somebody may have gone on with them, or deleted them with their neighbours: then it is that one's doing.

use super::edit::{Change, Edit};
use super::units::{Part, Trio, line_ends};
use super::whole::Whole;
use crate::text::{line_end, line_start, split_lines};
use std::ops::Range;

/// Whether today's text may lack what an edit deleted for another reason than that the edit is in force again; `which` of its changes
/// are meant, all where none are named.
pub fn is_lacked_for_another_reason(edit: &Edit<'_>, which: Option<&[usize]>, today: &[u8]) -> bool {
    let is_meant = |of: &[usize]| which.is_none_or(|which| of.iter().any(|n| which.contains(n)));
    let meant = edit.changes().iter().filter(|(of, _)| is_meant(of)).map(|(_, change)| change);
    let (deletions, others): (Vec<&Change>, Vec<&Change>) = meant.partition(|change| {
        let gone = edit.before().get(change.before.clone()).unwrap_or_default();
        change.after.is_empty() && gone.contains(&b'\n')
    });
    // Of words the rest of the line tells.
    let is_within_a_line = |change: &Change| {
        let texts = [edit.before().get(change.before.clone()), edit.after().get(change.after.clone())];
        texts.iter().flatten().all(|text| !text.contains(&b'\n'))
    };
    let has_lost = |change: &&Change| is_within_a_line(change) && !stands(edit.after(), &change.after, today);
    others.iter().any(has_lost)
        || deletions.iter().any(|change| !is_closed_up(edit.after(), change.after.start, today))
        || (!deletions.is_empty() && may_stand_edited(edit, today))
}

/// Whether the line at a place of the text after stands as it is today, but for its indentation.
fn stands(after: &[u8], at: &Range<usize>, today: &[u8]) -> bool {
    let line = line_start(after, at.start)..line_end(after, at.start);
    let line = after.get(line).unwrap_or_default().trim_ascii();
    split_lines(today).any(|other| other.trim_ascii() == line)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Origin;
    use crate::strategy::Strategy;

    /// Of a text of which one change replaced `at` by `new`.
    #[track_caller]
    fn check(at: Range<usize>, new: &str, today: &str, want: bool) {
        let before = "a()\nb(x)\nc()\n";
        let after = format!("{}{new}{}", &before[..at.start], &before[at.end..]);
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let change = Change { after: at.start..at.start + new.len(), before: at, origin };
        let edit = Edit::new(before.as_bytes(), after.as_bytes(), vec![change]).expect("an edit");
        assert_eq!(is_lacked_for_another_reason(&edit, None, today.as_bytes()), want, "{after:?} {today:?}");
    }

    #[test]
    fn only_of_deleted_lines_it_counts_what_stands_around_them() {
        // The lines above and below stand one upon the other, or not.
        check(4..9, "", "a()\nc()\n", false);
        check(4..9, "", "a()\nd()\nc()\n", true);
        // Lines that others took the place of are told by these.
        check(4..9, "d()\n", "a()\ne()\nc()\n", false);
        // Of a word that was deleted the rest of its line tells.
        check(6..7, "", "a()\nnew()\n  b()\nc()\n", false);
        check(6..7, "", "a()\nc()\n", true);
    }

    #[test]
    fn a_line_that_may_be_a_deleted_one_edited_counts_where_a_line_was_deleted() {
        check(4..9, "", "a()\nc()\nb(x, y)\n", true);
        check(4..9, "", "a()\nc()\nother(y)\n", false);
        // What was replaced is told by what took its place.
        check(4..9, "d()\n", "a()\nd()\nc()\nb(x, y)\n", false);
    }

    #[test]
    fn only_those_changes_count_that_are_meant() {
        let (before, after) = ("a()\nb()\nc()\nd()\ne()\n", "a()\nc()\ne()\n");
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let changes = [(4..8, 4..4), (12..16, 8..8)].map(|(before, after)| Change { before, after, origin });
        let edit = Edit::new(before.as_bytes(), after.as_bytes(), changes.to_vec()).expect("an edit");
        // Somebody came to the place of the second one.
        let is_so = |which: Option<&[usize]>| is_lacked_for_another_reason(&edit, which, b"a()\nc()\nnew()\ne()\n");
        assert_eq!(
            [None, Some(&[0][..]), Some(&[1]), Some(&[0, 1]), Some(&[])].map(is_so),
            [true, false, true, true, false]
        );
    }
}
