//! The place between the two lines beside a hunk, where each of them stands once, wherever they were moved.
//!
//! Owns that look. Does not decide what is done there.
//! Invariant: both lines hold a word, stand once in each text of the record and in today's, and in the same order.

use super::anchors::Window;
use super::hunk::Hunk;
use super::units::Trio;

/// What is between the neighbours of a hunk today, if each of them stands once.
pub(super) fn between_single_neighbours(trio: &Trio<'_>, hunk: &Hunk) -> Option<Window> {
    let [left, right] = trio.new.beside(&hunk.new).map(|id| {
        let texts = [&trio.old, &trio.new, &trio.today];
        id.filter(|&id| trio.has_word(id) && texts.iter().all(|text| text.count(id) == 1))
    });
    let (left, right) = (trio.today.last(left?)?, trio.today.last(right?)?);
    (left < right).then(|| Window { new: hunk.new.clone(), today: left + 1..right })
}

#[cfg(test)]
mod tests {
    use super::super::units::{Part, line_ends};
    use super::*;

    #[test]
    fn a_place_is_told_by_its_neighbours_where_each_stands_once_in_each_text() {
        let check = |today: &str, want: Option<std::ops::Range<usize>>| {
            let texts = ["a\nl\nold\nr\n}\n", "a\nl\nnew\nr\n}\n", today];
            let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
            let window = between_single_neighbours(&trio, &Hunk { old: 2..3, new: 2..3 });
            assert_eq!(window, want.map(|today| Window { new: 2..3, today }), "{today:?}");
        };
        check("l\nnew\nr\na\n", Some(1..2));
        check("l\nr\n", Some(1..1));
        check("l\nx\nnew\nr\n", Some(1..3));
        check("r\nnew\nl\n", None);
        check("l\nnew\nr\nl\n", None);
        check("l\nnew\n", None);
        check("new\nr\n", None);
    }

    #[test]
    fn a_line_without_a_word_or_one_that_the_record_moved_is_no_such_neighbour() {
        let told = |texts: [&str; 3], hunk: Hunk| {
            let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
            between_single_neighbours(&trio, &hunk).is_some()
        };
        let hunk = || Hunk { old: 1..1, new: 1..2 };
        assert!(told(["l\nr\n", "l\nx\nr\n", "l\nx\nr\n"], hunk()));
        assert!(!told(["l\n}\n", "l\nx\n}\n", "l\nx\n}\n"], hunk()));
        assert!(!told(["r\n", "l\nx\nr\n", "l\nx\nr\n"], hunk()), "it came with the hunk");
        assert!(!told(["l\n", "l\nx\n", "l\nx\n"], hunk()), "the end of a text is none");
    }
}
