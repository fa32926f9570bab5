//! The bytes that an exact match writes: which lines change, and how the new ones end.
//!
//! Does not find places. Invariant: a line that old and new text have in common keeps the file's own bytes, and a file
//! with one kind of line ending gets no other.

use crate::patch::Replacement;
use crate::patch::diff::changed_lines;
use crate::text::{EolCount, LfText, Text, common_ends, line_end, line_start, split_lines, to_lf};
use memchr::memchr;
use std::cell::RefCell;
use std::ops::Range;

/// Writes exact matches in one text; what it learned of a line serves all matches of that line.
pub(super) struct Rewrite<'a> {
    /// Tells the endings where `text`, the text after some edits, has none left.
    base: &'a Text,
    text: &'a LfText<'a>,
    has_lines: bool,
    /// The line that was looked at last, without its newline.
    line: RefCell<Range<usize>>,
}

impl<'a> Rewrite<'a> {
    pub(super) fn new(base: &'a Text, text: &'a LfText<'a>) -> Self {
        let first = memchr(b'\n', text.bytes());
        let line = RefCell::new(0..first.unwrap_or(text.bytes().len()));
        Self { base, text, has_lines: first.is_some(), line }
    }

    /// What takes the place of a match: ranges of the LF text, in order, and their new bytes with the endings they are to
    /// have. `new` is as it was sent.
    pub(super) fn replacements(&self, place: &Range<usize>, new: &[u8]) -> Vec<Replacement> {
        let text = self.text;
        if !self.has_lines {
            let new = match self.base.eols() {
                none if none == EolCount::default() => new.to_vec(),
                some => bstr::join(some.dominant().as_bytes(), to_lf(new).split(|&byte| byte == b'\n')),
            };
            return vec![Replacement { range: place.clone(), bytes: new }];
        }
        let new = to_lf(new);
        let old: Vec<&[u8]> = split_lines(&text.bytes()[place.clone()]).collect();
        let new: Vec<&[u8]> = split_lines(&new).collect();
        let (head, tail) = common_ends(&old, &new);
        let (old_middle, new_middle) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);

        let mut ends = Vec::with_capacity(old_middle.len() + 1);
        let mut at = place.start + old[..head].iter().map(|line| line.len()).sum::<usize>();
        ends.push(at);
        ends.extend(old_middle.iter().map(|line| {
            at += line.len();
            at
        }));
        let groups = if text.is_mixed(&(ends[0]..at)) {
            changed_lines(old_middle, new_middle)
        } else {
            vec![(0..old_middle.len(), 0..new_middle.len())]
        };
        groups
            .into_iter()
            .map(|(old, new)| {
                let bounds = &ends[old.start..=old.end];
                let bytes = self.with_endings(bounds, &new_middle[new]);
                Replacement { range: bounds[0]..bounds[bounds.len() - 1], bytes }
            })
            .collect()
    }

    /// The new lines with endings: that of the line they replace, the last of those for surplus ones, else the
    /// neighbour's. `bounds` are where the replaced lines start and end: one more than there are lines.
    fn with_endings(&self, bounds: &[usize], new: &[&[u8]]) -> Vec<u8> {
        if self.text.is_verbatim() {
            return new.concat();
        }
        let mut out = Vec::with_capacity(new.iter().map(|line| line.len() + 1).sum());
        for (index, line) in new.iter().enumerate() {
            match line.strip_suffix(b"\n") {
                Some(line) => {
                    let replaced = (index + 1).min(bounds.len() - 1);
                    let newline =
                        if replaced == 0 { self.newline_beside(bounds[0]) } else { self.newline_of(bounds[replaced]) };
                    out.extend_from_slice(line);
                    out.extend_from_slice(self.text.eol_at(newline).as_bytes());
                }
                None => out.extend_from_slice(line),
            }
        }
        out
    }

    /// The newline that ends the line before `end`: there, or further on where only a part of the line was matched.
    fn newline_of(&self, end: usize) -> usize {
        if self.text.bytes()[..end].ends_with(b"\n") {
            return end - 1;
        }
        let line = self.line_at(end);
        if line.end < self.text.bytes().len() { line.end } else { self.newline_beside(end) }
    }

    /// The last newline before `at`, else the first one after it.
    fn newline_beside(&self, at: usize) -> usize {
        let line = self.line_at(at);
        match line.start.checked_sub(1) {
            Some(before) => before,
            None => {
                assert!(line.end < self.text.bytes().len(), "a text without line endings was taken as it was sent");
                line.end
            }
        }
    }

    /// The line that holds the byte at `at`, without its newline.
    fn line_at(&self, at: usize) -> Range<usize> {
        let mut line = self.line.borrow_mut();
        if !(line.start..=line.end).contains(&at) {
            let hay = self.text.bytes();
            *line = line_start(hay, at)..line_end(hay, at);
        }
        line.clone()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init, reason = "the one place is the answer")]
    use super::*;

    /// `old` occurs once in `text`; `want` are the original's ranges and the bytes.
    fn check(text: &str, old: &str, new: &str, want: &[(Range<usize>, &str)]) {
        let base = Text::new(text.as_bytes().to_vec()).expect("no NUL");
        let lf = LfText::new(base.bytes());
        let old = to_lf(old.as_bytes());
        let start = memchr::memmem::find(lf.bytes(), &old).expect("old occurs");
        let got: Vec<_> = Rewrite::new(&base, &lf)
            .replacements(&(start..start + old.len()), new.as_bytes())
            .into_iter()
            .map(|new| (lf.original_range(&new.range), String::from_utf8(new.bytes).expect("text")))
            .collect();
        let want: Vec<_> = want.iter().map(|(range, bytes)| (range.clone(), (*bytes).to_owned())).collect();
        assert_eq!(got, want, "{old:?} -> {new:?} in {text:?}");
    }

    #[test]
    fn lines_that_old_and_new_share_are_left_out() {
        check("a\nb\nc\n", "a\nb\nc\n", "a\nX\nc\n", &[(2..4, "X\n")]);
        check("a\nb\nc\n", "b\n", "b\nnew\n", &[(4..4, "new\n")]);
        check("a\nb\nc\n", "a\nb\nc", "a\nc", &[(2..4, "")]);
        check("x = 1;\n", "= 1", "= 2", &[(2..5, "= 2")]);
    }

    #[test]
    fn a_file_of_one_kind_of_ending_gets_no_other() {
        check("a\r\nb\r\n", "a\nb\n", "A\nB\nC\n", &[(0..6, "A\r\nB\r\nC\r\n")]);
        check("a\nb\n", "a\r\nb", "A\r\nB\r\nC", &[(0..3, "A\nB\nC")]);
        check("a\r\nb", "b", "b\nc\n", &[(3..4, "b\r\nc\r\n")]);
        check("b\r\nc", "b", "a\nb", &[(0..0, "a\r\n")]);
    }

    #[test]
    fn a_file_without_any_ending_takes_what_was_sent() {
        check("ab", "b", "b\r\nc\nd", &[(1..2, "b\r\nc\nd")]);
    }

    #[test]
    fn in_mixed_endings_every_untouched_line_keeps_its_own() {
        check("a\r\nb\nc\r\nd\n", "a\nb\nc\nd\n", "A\nb\nc\nD\n", &[(0..3, "A\r\n"), (8..10, "D\n")]);
        check("a\r\nb\nc\r\n", "a\nb\nc\n", "A\nB\nC\nD\n", &[(0..8, "A\r\nB\nC\r\nD\r\n")]);
        check("a\r\nb\n", "a\nb", "a\nx\nb", &[(3..3, "x\r\n")]);
        check("a\nb\r\n", "a\nb", "a\nx\nb", &[(2..2, "x\n")]);
    }

    #[test]
    fn the_end_of_a_crlf_before_the_match_stays() {
        check("a\r\nb\r\nc\r\n", "\nb", "\nB", &[(3..4, "B")]);
        check("a\r\nb\r\nc\r\n", "\nb\n", " ", &[(1..6, " ")]);
    }

    #[test]
    fn a_missing_final_newline_is_added_or_taken_only_when_the_edit_does() {
        check("a\nb", "b", "c", &[(2..3, "c")]);
        check("a\nb", "b", "b\n", &[(2..3, "b\n")]);
        check("a\r\nb\r\n", "b\n", "b", &[(3..6, "b")]);
    }
}
