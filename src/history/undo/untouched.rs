//! How long an edit stood just as it was left, since none of the records after it came near it.
//!
//! Owns that question, which spares to prove it anew in the text of each of them. Knows nothing of what the lines say.
//! Invariant: what is called untouched stands in the text byte for byte, with the line above it and the line below it.

use super::log::Known;
use crate::id::BlobId;
use crate::patch::take_back::{Change, Edit};
use crate::text::{has_word, starts_line};
use memchr::memmem;
use std::ops::Range;
use std::sync::Arc;

/// With more places than these it is not worth the while.
const MOST_PLACES: usize = 256;

/// In how many of the records behind an edit that left the blob `left`, oldest first, it was untouched, before and after them.
pub(super) fn untouched_in(edit: &Edit<'_>, left: Option<BlobId>, later: &[Arc<Known>]) -> usize {
    let mut places: Vec<Range<usize>> =
        edit.changes().iter().map(|(_, change)| with_neighbours(edit.after(), &change.after)).collect();
    if left.is_none() || places.len() > MOST_PLACES {
        return 0;
    }
    let mut text = left;
    for (n, known) in later.iter().enumerate() {
        let patch = known.file.patch(&known.texts).filter(|_| known.file.before == text && known.file.after.is_some());
        let Some(patch) = patch else { return n };
        let mut places_now = places.clone();
        for (splice, after) in patch.splices().iter().zip(patch.result_ranges()) {
            let Range { start, end } = splice.range;
            for (place, now) in places.iter().zip(&mut places_now) {
                if end <= place.start {
                    // The last splice before a place says where it is.
                    let shift = place.start - end;
                    *now = after.end + shift..after.end + shift + place.len();
                } else if start < place.end {
                    return n;
                }
            }
        }
        (places, text) = (places_now, known.file.after);
    }
    later.len()
}

/// Whether each change of an edit, of which each put a word, stands in a text as it was left, with the line above it and the one below it, and nowhere
/// else.
pub(super) fn stands_in(edit: &Edit<'_>, text: &[u8]) -> bool {
    let after = edit.after();
    let stands = |change: &Change| {
        let Range { start, end } = with_neighbours(after, &change.after);
        let lines = &after[start..end.min(after.len())];
        let is_whole =
            |at: &usize| starts_line(text, *at) && (lines.ends_with(b"\n") || at + lines.len() == text.len());
        let mut found = memmem::find_iter(text, lines).filter(is_whole);
        has_word(&after[change.after.clone()]) && found.next().is_some() && found.next().is_none()
    };
    edit.changes().len() <= MOST_PLACES && edit.changes().iter().all(|(_, change)| stands(change))
}

/// A place with its lines, the one above and the one below; below the last one, what is put there touches it.
fn with_neighbours(text: &[u8], place: &Range<usize>) -> Range<usize> {
    let line_start = |at: usize| memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
    let line_end = |at: usize| memchr::memchr(b'\n', &text[at..]).map_or(text.len() + 1, |newline| at + newline + 1);
    let start = line_start(line_start(place.start).saturating_sub(1));
    let has_ended = text[..place.end].last().is_none_or(|&byte| byte == b'\n');
    let end = if has_ended { place.end } else { line_end(place.end).min(text.len()) };
    start..line_end(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::blob_id;
    use crate::history::undo::remade::tests::edit_of;

    /// In how many of the texts that follow each other the edit of the first two is untouched.
    fn untouched(texts: &[&str]) -> usize {
        let later: Vec<Arc<Known>> = texts[1..].windows(2).map(|pair| edit_of([pair[0], pair[1]])).collect();
        let own = edit_of([texts[0], texts[1]]);
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        untouched_in(&edit, Some(blob_id(texts[1].as_bytes())), &later)
    }

    #[test]
    fn an_edit_is_untouched_until_somebody_comes_to_a_line_beside_it() {
        let text = "1\n2\n3\n4\n5\n6\n7\n";
        let own = "1\n2\n3\nx\n5\n6\n7\n";
        assert_eq!(untouched(&[text, own]), 0);
        assert_eq!(untouched(&[text, own, "one\n2\n3\nx\n5\n6\n7\n", "one\n2\n3\nx\n5\n6\nseven\n"]), 2);
        assert_eq!(untouched(&[text, own, "1\n1b\n2\n3\nx\n5\n6\n7\n", "1\n1b\n2\n3\ny\n5\n6\n7\n"]), 1);
        for touched in
            ["1\n2\nthree\nx\n5\n6\n7\n", "1\n2\n3\nx y\n5\n6\n7\n", "1\n2\n3\nx\nfive\n6\n7\n", "1\n2\n3\nx\n6\n7\n"]
        {
            assert_eq!(untouched(&[text, own, touched, own]), 0, "{touched:?}");
        }
    }

    #[test]
    fn lines_that_come_above_an_edit_lead_to_where_it_is() {
        let (text, own) = ("1\n2\n3\n4\n5\n6\n", "1\n2\n3\nx\n5\n6\n");
        let long = "1\na line that is longer than all others\n2\n3\nx\n5\n6\n";
        assert_eq!(untouched(&[text, own, long, &long.replace("x\n", "y\n")]), 1);
        assert_eq!(untouched(&[text, own, long, &long.replace("2\n", "two\n")]), 2);
        let right_above = "1\n2\n2b\n3\nx\n5\n6\n";
        assert_eq!(untouched(&[text, own, right_above, &right_above.replace("2b\n", "2b, and more\n")]), 2);
    }

    #[test]
    fn the_neighbours_of_what_is_at_the_start_or_ends_within_a_line_are_its_own() {
        assert_eq!(untouched(&["1\n2\n3\n4\n", "2\n3\n4\n", "2\nthree\n4\n"]), 1);
        assert_eq!(untouched(&["1\n2\n3\n4\n", "2\n3\n4\n", "two\n3\n4\n"]), 0);
        let text = "a b c\n2\n3\n";
        let place = with_neighbours(text.as_bytes(), &(2..3));
        assert_eq!(&text[place], "a b c\n2\n");
    }

    #[test]
    fn a_deletion_is_untouched_while_the_lines_around_it_are() {
        let (text, own) = ("1\n2\n3\n4\n5\n", "1\n2\n4\n5\n");
        assert_eq!(untouched(&[text, own, "0\n1\n2\n4\n5\n", "0\n1\n2\n4\nfive\n"]), 2);
        assert_eq!(untouched(&[text, own, text]), 0);
        assert_eq!(untouched(&["1\n2\n3\n", "1\n2\n", "1\n2\nx\n"]), 0, "at the end");
        assert_eq!(untouched(&["1\n2\n3", "1\n2\n3x", "1\n2\n3x4"]), 0, "a line without an end");
    }

    #[test]
    fn nothing_is_said_beyond_a_text_that_no_record_left() {
        let (text, own) = ("1\n2\n3\n4\n5\n", "x\n2\n3\n4\n5\n");
        let later = [edit_of(["x\n2\n3\n4\n5\n", "x\n2\n3\n4\nz\n"]), edit_of(["y\n2\n3\n4\n5\n", "y\n2\n3\n4\nz\n"])];
        let record = edit_of([text, own]);
        let edit = record.file.edit(&record.texts).expect("its texts are kept");
        let left = Some(blob_id(own.as_bytes()));
        assert_eq!([untouched_in(&edit, left, &later), untouched_in(&edit, None, &later)], [1, 0]);
    }

    #[test]
    fn an_edit_stands_in_a_text_that_has_its_lines_once_with_those_above_and_below() {
        let own = edit_of(["a\nb\nc\nd\n", "a\nb\nmine\nc\nd\n"]);
        let edit = own.file.edit(&own.texts).expect("its texts are kept");
        let stands = |text: &str| stands_in(&edit, text.as_bytes());
        assert!(stands("a\nb\nmine\nc\nd\n") && stands("x\nb\nmine\nc\ny\nmine\n"));
        for text in ["a\nb\nc\n", "b\nx\nmine\nc\n", "b\nmine\nx\nc\n", "b\nmine\nc\nb\nmine\nc\n", "ab\nmine\nc\n"] {
            assert!(!stands(text), "{text:?}");
        }
        // The last line has no end, and so it may be the beginning of another one; a bracket, or what only went, tells nothing.
        let rows = [
            (["a\nb", "a\nmine"], "a\nmine", true),
            (["a\nb", "a\nmine"], "a\nmines", false),
            (["a\nb\n", "a\n}\nb\n"], "a\n}\nb\n", false),
            (["a\nb\nc\n", "a\nc\n"], "a\nc\n", false),
        ];
        for (texts, text, want) in rows {
            let own = edit_of(texts);
            let edit = own.file.edit(&own.texts).expect("its texts are kept");
            assert_eq!(stands_in(&edit, text.as_bytes()), want, "{texts:?} {text:?}");
        }
    }
}
