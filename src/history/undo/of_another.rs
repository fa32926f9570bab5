//! Whether what an undo would replace may as well be a later record's: that one put a line of the same text at the same place.
//!
//! Owns that doubt, which is looked for only where a text was proven by itself. Proves nothing.

use super::differing::more;
use super::log::Known;
use super::undone_lines::{Places, are_undone};
use crate::patch::take_back::{Direction, Edit, Outcome, Wanted, answer};
use crate::patch::{FilePatch, Splice};
use crate::record::RecordClass;
use crate::text::{split_lines, starts_line, whole_lines};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Whether what is to be taken out, for something that comes back, may as well be what a later record in force put: it put a line of the
/// same text, and what takes that out comes to the same place.
pub(super) fn is_as_well_of_another(edit: &Edit<'_>, patch: &FilePatch, later: &[Arc<Known>], current: &[u8]) -> bool {
    let replaced = |patch: &FilePatch| {
        let comes_back = |splice: &&Splice| {
            let (now, back) = (&current[splice.range.clone()], &splice.replacement);
            // Whole lines that stay, beside those that go, do not come back.
            let are_lines = now.ends_with(b"\n") && back.ends_with(b"\n") && starts_line(current, splice.range.start);
            let stays = are_lines && (now.starts_with(back) || now.ends_with(back));
            !(now.is_empty() || back.is_empty() || stays)
        };
        patch.splices().iter().filter(comes_back).map(|splice| splice.range.clone()).collect::<Vec<_>>()
    };
    let own = replaced(patch);
    let mut put = more(edit.before(), edit.after());
    // Where all that is replaced are lines as they were put, no other line is meant.
    let lines = |range: &Range<usize>| split_lines(&current[whole_lines(current, range)]).map(<[u8]>::trim_ascii);
    let replaced: HashSet<&[u8]> = own.iter().flat_map(lines).collect();
    if replaced.iter().all(|line| put.contains(line)) {
        put.retain(|line| replaced.contains(line));
    }
    if own.is_empty() || put.is_empty() {
        return false;
    }
    let meets = |range: &Range<usize>| own.iter().any(|own| own.start < range.end && range.start < own.end);
    let is_it = |(n, known): (usize, &Arc<Known>)| {
        let puts_some = |places: &Places<'_>| put.iter().any(|line| places.after.contains(line));
        let is_in_force = known.class == RecordClass::Edit && !are_undone(known, later, puts_some);
        let Some(other) = known.file.edit(&known.texts).filter(|_| is_in_force) else { return false };
        if !more(other.before(), other.after()).iter().any(|line| put.contains(line)) {
            return false;
        }
        let since: Vec<Edit<'_>> = later[n + 1..].iter().filter_map(|known| known.file.edit(&known.texts)).collect();
        let answer = answer(other, Wanted::All, Direction::TakeBack, &since, current);
        matches!(answer.outcome(), Outcome::Write(patch) if patch.splices().iter().any(|splice| meets(&splice.range)))
    };
    later.iter().enumerate().any(is_it)
}

#[cfg(test)]
mod tests {
    use super::super::remade::tests::{edit_of, id, known};
    use super::*;
    use crate::patch::{Origin, Replacement};
    use crate::strategy::Strategy;
    use std::slice::from_ref;

    const TODAY: &str = "a\nmine\nb\nc\nmine\n";

    /// Whether it may be what `later` put, that a line which a record put for another one is taken out of today's text at `at`.
    fn may_be_of(later: &[Arc<Known>], at: Range<usize>, back: &str) -> bool {
        may_be_of_in(TODAY, later, at, back)
    }

    /// The same of a text.
    fn may_be_of_in(today: &str, later: &[Arc<Known>], at: Range<usize>, back: &str) -> bool {
        let own = edit_of(["a\nold\nb\nc\n", "a\nmine\nb\nc\n"]);
        let origin = Origin { edit: 0, strategy: Strategy::Exact };
        let splice = Replacement { range: at, bytes: back.into() }.by(origin);
        let patch = FilePatch::new(today.len(), vec![splice]).expect("in the text");
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        is_as_well_of_another(&edit, &patch, later, today.as_bytes())
    }

    #[test]
    fn a_line_is_as_well_of_another_record_in_force_that_put_its_like_there() {
        let put = edit_of(["a\nmine\nb\nc\n", TODAY]);
        let (here, elsewhere) = (11..16, 2..7);
        assert!(may_be_of(from_ref(&put), here.clone(), "old\n"));
        assert!(!may_be_of(from_ref(&put), elsewhere, "old\n"), "it put it in another place");
        assert!(!may_be_of(from_ref(&put), here.clone(), ""), "nothing comes back");
        assert!(!may_be_of(from_ref(&put), 9..16, "c\n"), "nothing comes back, but what is there");
        assert!(!may_be_of(from_ref(&put), 16..16, "old\n"), "nothing goes");
        let other = edit_of(["a\nmine\nb\nc\nmine\n", "a\nmine\nb\nc\nmine\n\n"]);
        assert!(!may_be_of(&[other], here.clone(), "old\n"), "it put another line");
        let undo = known(8, RecordClass::Undo, &[7], ["a\n", "b\n"]);
        assert!(!may_be_of(&[put.clone(), undo], here.clone(), "old\n"), "it is undone");
        let mut undone = Arc::into_inner(put).expect("one owner");
        (undone.class, undone.id) = (RecordClass::Redo, id(6));
        assert!(!may_be_of(&[Arc::new(undone)], here, "old\n"), "it took others back");
    }

    /// What stands around it was changed since, so that only the log tells where it is.
    #[test]
    fn where_the_like_of_a_line_is_that_another_record_put_is_counted_over_what_came_after_it() {
        let texts =
            ["a\nmine\nb\nc\nd\n", "a\nmine\nb\nc\nmine\nd\n", "a\nmine\nb\nC\nmine\nd\n", "a\nmine\nb\nC\nmine\nD\n"];
        let later: Vec<Arc<Known>> = texts.windows(2).map(|texts| edit_of([texts[0], texts[1]])).collect();
        assert!(may_be_of_in(texts[3], &later, 11..16, "old\n"));
        assert!(!may_be_of_in(texts[3], &later, 2..7, "old\n"), "it put it in another place");
    }
}
