//! What stands in the way, by the lines of the file on disk: of several records the newer ones are taken back first, and
//! what does not fit then is met in a text that nobody has.
//!
//! Owns that way back. Decides nothing about what is proven.

use super::told::shown;
use crate::history::error::UndoConflict;
use crate::patch::FilePatch;
use crate::patch::algebra::base_range;
use crate::text::{Lines, whole_lines};

/// The conflicts as they are told of `disk`; they were met in what `done` makes of it.
pub(super) fn on_disk(conflicts: Vec<UndoConflict>, done: &FilePatch, disk: &[u8]) -> Vec<UndoConflict> {
    // Lines of a text in two-byte units are no lines of its bytes.
    if done.is_empty() || memchr::memchr(0, disk).is_some() {
        return conflicts;
    }
    let met = done.apply(disk);
    let (met, lines) = (Lines::new(&met), Lines::new(disk));
    let of_disk = |conflict: UndoConflict| {
        let Some((first, last)) = conflict.lines else { return conflict };
        let there = met.range(first).start..met.range(last).end;
        let there = base_range(done, &there);
        let text = match conflict.text.as_deref() {
            Some(text) if !text.is_empty() => {
                let lines = if there.is_empty() { there.clone() } else { whole_lines(disk, &there) };
                Some(shown(disk.get(lines).unwrap_or_default()))
            }
            _ => conflict.text,
        };
        let end = there.end.max(there.start + 1) - 1;
        let lines = Some((lines.number_at(there.start), lines.number_at(end.min(disk.len()))));
        UndoConflict { lines, text, ..conflict }
    };
    conflicts.into_iter().map(of_disk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::error::Obstacle;
    use crate::id::RecordId;
    use crate::patch::{Origin, Splice};
    use crate::strategy::Strategy;

    const DISK: &[u8] = b"top\nof\none\ntwo\nthree\n";

    /// What is told of lines of the text that these splices make of `DISK`, with `text` there.
    fn told(splices: &[(std::ops::Range<usize>, &str)], lines: (usize, usize), text: &str) -> (usize, usize, String) {
        let splice = |(range, new): &(std::ops::Range<usize>, &str)| Splice {
            range: range.clone(),
            replacement: new.as_bytes().to_vec(),
            origin: vec![Origin { edit: 0, strategy: Strategy::Exact }],
        };
        let done = FilePatch::new(DISK.len(), splices.iter().map(splice).collect()).expect("they are sorted");
        let met = UndoConflict::of_file(RecordId::from_random([1; 8]), "a".to_owned(), Obstacle::LinesChanged);
        let met = UndoConflict { lines: Some(lines), text: Some(text.to_owned()), ..met };
        let told = on_disk(vec![met], &done, DISK).remove(0);
        let (first, last) = told.lines.expect("it has lines");
        (first, last, told.text.expect("it has a text"))
    }

    #[test]
    fn lines_are_those_of_the_file_whatever_was_taken_back_above() {
        assert_eq!(told(&[(0..7, "")], (2, 2), "two\n"), (4, 4, "two\n".to_owned()));
        assert_eq!(told(&[(0..0, "a\nb\n")], (6, 7), "two\nthree\n"), (4, 5, "two\nthree\n".to_owned()));
        assert_eq!(told(&[], (2, 2), "of\n"), (2, 2, "of\n".to_owned()));
    }

    #[test]
    fn lines_of_a_text_in_units_of_two_bytes_are_told_as_they_were_met() {
        let splice = Splice {
            range: 0..4,
            replacement: Vec::new(),
            origin: vec![Origin { edit: 0, strategy: Strategy::Exact }],
        };
        let disk = b"a\0\n\0b\0\n\0";
        let done = FilePatch::new(disk.len(), vec![splice]).expect("they are sorted");
        let met = UndoConflict::of_file(RecordId::from_random([1; 8]), "a".to_owned(), Obstacle::LinesChanged);
        let met = UndoConflict { lines: Some((1, 1)), text: Some("b\n".to_owned()), ..met };
        let told = on_disk(vec![met], &done, disk).remove(0);
        assert_eq!((told.lines, told.text.as_deref()), (Some((1, 1)), Some("b\n")));
    }

    #[test]
    fn what_was_taken_back_just_there_is_told_as_it_is_on_disk() {
        assert_eq!(told(&[(7..11, "other\n")], (3, 4), "other\ntwo\n"), (3, 4, "one\ntwo\n".to_owned()));
        assert_eq!(told(&[(7..7, "new\n")], (3, 3), "new\n"), (3, 3, String::new()));
        assert_eq!(told(&[(0..7, "")], (1, 1), ""), (3, 3, String::new()));
    }
}
