//! Lines between the two beside them, all of which stand once, wherever they were moved together.
//!
//! Owns that look, for what is no anchor as it was moved, or others were moved past it. Does not tell what is not there.
//! Invariant: the neighbours hold a word, stand once in each text of the record and in today's, and nothing else is between them; and of the lines
//! those with a word, of which there is one at least, stand once in what the record left and in today's text.

use super::hunk::Hunk;
use super::units::Trio;
use std::ops::Range;

/// Where the new lines of a hunk stand today between the neighbours that they had, if each of these stands once.
pub(super) fn between_single_neighbours(trio: &Trio<'_>, hunk: &Hunk) -> Option<Range<usize>> {
    let block = trio.new.run(hunk.new.clone());
    let mut words = block.iter().filter(|&&id| trio.has_word(id)).peekable();
    words.peek()?;
    if !words.all(|&id| trio.new.count(id) == 1 && trio.today.count(id) == 1) {
        return None;
    }
    let [left, right] = trio.new.beside(&hunk.new).map(|id| {
        let texts = [&trio.old, &trio.new, &trio.today];
        id.filter(|&id| trio.has_word(id) && texts.iter().all(|text| text.count(id) == 1))
    });
    let place = trio.today.last(left?)? + 1..trio.today.last(right?)?;
    (trio.today.run(place.clone()) == block).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::super::units::{Part, line_ends};
    use super::*;

    fn told(texts: [&str; 3], hunk: &Hunk) -> Option<Range<usize>> {
        let trio = Trio::new(texts.map(|text| Part::whole(text.as_bytes())), line_ends);
        between_single_neighbours(&trio, hunk)
    }

    #[test]
    fn lines_are_told_by_their_neighbours_where_all_of_them_stand_once() {
        let check = |today: &str, want: Option<Range<usize>>| {
            let texts = ["a\nl\nold\nr\n}\n", "a\nl\nnew\n}\nr\n}\n", today];
            assert_eq!(told(texts, &Hunk { old: 2..3, new: 2..4 }), want, "{today:?}");
        };
        check("l\nnew\n}\nr\na\n", Some(1..3));
        check("r\na\nl\nnew\n}\nr\n", None);
        check("l\nnew\n}\nr\nl\n", None);
        check("l\nnew\n}\nr\nnew\n", None);
        check("l\nx\nnew\n}\nr\n", None);
        check("l\nnew\nr\n", None);
        check("l\nr\n", None);
        check("r\nnew\n}\nl\n", None);
        check("l\nnew\n}\n", None);
        check("new\n}\nr\n", None);
    }

    #[test]
    fn a_line_without_a_word_or_one_that_came_with_the_hunk_is_no_such_neighbour() {
        let hunk = Hunk { old: 1..1, new: 1..2 };
        let is_told = |texts: [&str; 3]| told(texts, &hunk).is_some();
        assert!(is_told(["l\nr\n", "l\nx\nr\n", "l\nx\nr\n"]));
        assert!(!is_told(["l\n}\n", "l\nx\n}\n", "l\nx\n}\n"]));
        assert!(!is_told(["l\nr\n", "l\n}\nr\n", "l\n}\nr\n"]), "the hunk has none");
        assert!(!is_told(["r\n", "l\nx\nr\n", "l\nx\nr\n"]), "it came with the hunk");
        assert!(!is_told(["l\nr\nx\n", "l\nx\nr\nx\n", "l\nx\nr\nx\n"]), "another one stands elsewhere");
        assert!(!is_told(["l\n", "l\nx\n", "l\nx\n"]), "the end of a text is none");
    }
}
