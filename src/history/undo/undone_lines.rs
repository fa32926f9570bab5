//! Whether what a record did to some lines was undone, where others of its changes may still be in force.
//!
//! Owns which of its changes are meant by lines. What the newest word of the log on these is, is `newest_word`'s affair.

use super::differing::{Differing, differing};
use super::log::Known;
use super::newest_word::is_undone_in_part;
use crate::patch::take_back::{Change, Edit};
use crate::text::split_lines;
use std::collections::HashSet;
use std::sync::Arc;

/// The lines in the places of changes, also those that stayed, without the white space around them.
#[derive(Default)]
pub(super) struct Places<'e> {
    pub(super) before: HashSet<&'e [u8]>,
    pub(super) after: HashSet<&'e [u8]>,
}

impl<'e> Places<'e> {
    /// Those of all changes of an edit.
    pub(super) fn of(edit: &'e Edit<'_>) -> Self {
        Self::of_changes(edit, edit.changes().iter().map(|(_, change)| change))
    }

    fn of_changes<'c>(edit: &'e Edit<'_>, changes: impl IntoIterator<Item = &'c Change>) -> Self {
        let mut places = Self::default();
        for change in changes {
            let [before, after] = edit.lines_of(change).map(|lines| split_lines(lines).map(<[u8]>::trim_ascii));
            places.before.extend(before);
            places.after.extend(after);
        }
        places
    }

    /// Those of one change that it took or put, however they are indented: none that only stayed among these.
    fn that_differ(edit: &'e Edit<'_>, change: &Change) -> Self {
        let [before, after] = edit.lines_of(change).map(|lines| split_lines(lines).map(<[u8]>::trim_ascii));
        let Differing { gone, new } = differing(before, after);
        Self { before: gone.into_iter().collect(), after: new.into_iter().collect() }
    }

    /// Whether a line is in the places of both.
    pub(super) fn meet(&self, other: &Self) -> bool {
        let mut own = self.before.iter().chain(&self.after);
        own.any(|line| other.before.contains(line) || other.after.contains(line))
    }
}

/// Whether the newest word of the log is that changes of a record were undone, of those that are meant by the lines that they took and put, or, where none
/// is, by all in their places.
pub(super) fn are_undone(known: &Known, later: &[Arc<Known>], are_meant: impl Fn(&Places<'_>) -> bool) -> bool {
    let edit = known.file.edit(&known.texts);
    let changes = edit.as_ref().map(|edit| edit.changes()).unwrap_or_default();
    let differ =
        edit.as_ref().is_some_and(|edit| changes.iter().any(|(_, one)| are_meant(&Places::that_differ(edit, one))));
    // What is not known may be meant.
    let is_meant = |n: usize| {
        let meant = |edit: &Edit<'_>| {
            let (_, change) = changes.iter().find(|(of, _)| of.contains(&n))?;
            let places = if differ { Places::that_differ(edit, change) } else { Places::of_changes(edit, [change]) };
            Some(are_meant(&places))
        };
        edit.as_ref().and_then(meant).unwrap_or(true)
    };
    is_undone_in_part(&known.id, later, is_meant)
}

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{edit_of, known};
    use super::*;
    use crate::record::{RecordClass, SpliceList};
    use crate::strategy::Strategy;

    #[test]
    fn of_a_record_that_is_undone_in_part_the_other_changes_are_not() {
        let texts = ["a\nk\nb\n", "A\nk\nB\n"];
        let mut made = Arc::into_inner(known(2, RecordClass::Edit, &[], texts)).expect("one owner");
        let rows = [(0, 1, 1, 0, Strategy::Exact), (4, 1, 1, 0, Strategy::Exact)];
        made.file.splices = SpliceList::new(6, &rows).expect("in order");
        let undo_of = |splices: Option<Vec<usize>>| {
            let mut undo = Arc::into_inner(known(3, RecordClass::Undo, &[2], ["x\n", "y\n"])).expect("one owner");
            undo.targets[0].splices = splices;
            [Arc::new(undo)]
        };
        let is_so = |later: &[Arc<Known>], line: &[u8]| are_undone(&made, later, |places| places.before.contains(line));
        let (first, all, unknown) = (undo_of(Some(vec![0])), undo_of(None), undo_of(Some(vec![7])));
        assert!(is_so(&first, b"a") && !is_so(&first, b"b") && !is_so(&first, b"k") && !is_so(&[], b"a"));
        assert!(is_so(&all, b"b"));
        assert!(is_so(&unknown, b"b"), "what is not known may be it");
    }

    #[test]
    fn places_meet_in_a_line_that_one_of_them_only_indented() {
        let (indented, took) = (edit_of(["a\n}\nb\n", "a\n  }\nb\n"]), edit_of(["a\n  }\nb\n", "a\nb\n"]));
        let [indented, took] = [&indented, &took].map(|known| known.file.edit(&known.texts).expect("it is kept"));
        assert!(Places::of(&indented).meet(&Places::of(&took)));
        let elsewhere = edit_of(["a\nb\n", "a\nc\n"]);
        let elsewhere = elsewhere.file.edit(&elsewhere.texts).expect("it is kept");
        assert!(!Places::of(&indented).meet(&Places::of(&elsewhere)));
    }
}
