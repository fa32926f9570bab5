//! A diff as lines to be looked at: with their numbers, the words that make the difference, and nothing that a terminal would obey.
//!
//! Owns what a line of it is. How it looks is `draw.rs`.
//! Invariant: the text of a line has no control character, and its marks are on the borders of characters.

use super::syntax::Token;
use super::told;
use crate::patch::align::Alignment;
use crate::patch::hunk_sides;
use crate::text::{token_ends, visible};
use crate::usecase::report::Diff;
use crate::usecase::review::{Details, FileShown};
use std::ops::Range;

/// Lines that share less than this part of their bytes have no words marked: all of them is different.
const LEAST_SHARED: f64 = 0.35;
/// Longer lines have none either.
const MOST_BYTES: usize = 2_000;
const TAB: usize = 4;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The head of a file.
    File,
    /// The head of a hunk.
    Hunk,
    /// In both texts.
    Same,
    /// Only afterwards.
    Added,
    /// Only before.
    Removed,
    /// Said about the diff.
    Note,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) kind: Kind,
    /// Its number afterwards; of a removed line, of what stands in its place.
    pub(super) number: Option<usize>,
    /// Of a removed line: its number before.
    pub(super) before: Option<usize>,
    pub(super) text: String,
    /// The words that make the difference, as bytes of the text.
    pub(super) marks: Vec<Range<usize>>,
    /// Comments, texts, numbers and words of the language, so too.
    pub(super) tokens: Vec<(Range<usize>, Token)>,
    /// Of which file of the record, from 0.
    pub(super) file: usize,
    /// Of which hunk of the record, from 1.
    pub(super) hunk: Option<usize>,
}

impl Line {
    /// A line that only has a text.
    pub(super) fn note(text: &str) -> Self {
        let (marks, tokens) = (Vec::new(), Vec::new());
        Self { kind: Kind::Note, number: None, before: None, text: shown(text), marks, tokens, file: 0, hunk: None }
    }

    /// As several where it is longer than `width`, cut between words where there are some.
    pub(super) fn wrapped(self, width: usize) -> Vec<Self> {
        let (mut out, mut rest) = (Vec::new(), self.text.as_str());
        while let Some((end, _)) = rest.char_indices().nth(width.max(1)) {
            let cut = rest[..end].rfind(' ').filter(|&at| !rest[..at].trim().is_empty()).unwrap_or(end);
            out.push(Self { text: rest[..cut].to_owned(), ..self.clone() });
            rest = rest[cut..].trim_start();
        }
        out.push(Self { text: rest.to_owned(), ..self.clone() });
        out
    }
}

/// What is behind a record.
pub(super) fn of_record(details: &Details) -> Vec<Line> {
    let mut lines = Vec::new();
    for (n, file) in details.files.iter().enumerate() {
        lines.push(Line { kind: Kind::File, file: n, ..Line::note(&told::file(file)) });
        let FileShown { diff, first_hunk, .. } = file;
        let mut found = match diff {
            Diff::Hunks { text, lines_left_out, .. } => {
                let mut found = parsed(text, *first_hunk);
                if *lines_left_out > 0 {
                    found.push(Line::note(&format!("({lines_left_out} more lines: `redraft show` has them)")));
                }
                found
            }
            other => vec![Line::note(told::no_diff(other))],
        };
        found.iter_mut().for_each(|line| line.file = n);
        lines.append(&mut found);
    }
    lines
}

/// A unified diff.
pub(super) fn parsed(text: &str, first_hunk: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut left_old, mut left_new, mut before, mut number, mut hunk) = (0_usize, 0_usize, 0, 0, first_hunk);
    for raw in text.split_terminator('\n') {
        let line = Line { hunk: (hunk > first_hunk).then(|| hunk - 1), ..Line::note(raw) };
        let is_in = left_old > 0 || left_new > 0;
        match raw.as_bytes().first() {
            Some(b'\\') => lines.push(line),
            Some(b'+') if is_in => {
                left_new = left_new.saturating_sub(1);
                lines.push(Line { kind: Kind::Added, number: Some(number), ..line });
                number += 1;
            }
            Some(b'-') if is_in => {
                left_old = left_old.saturating_sub(1);
                lines.push(Line { kind: Kind::Removed, number: Some(number), before: Some(before), ..line });
                before += 1;
            }
            _ if is_in => {
                (left_old, left_new) = (left_old.saturating_sub(1), left_new.saturating_sub(1));
                lines.push(Line { kind: Kind::Same, number: Some(number), ..line });
                (before, number) = (before + 1, number + 1);
            }
            _ => match hunk_sides(raw) {
                Some(((old_start, old), (start, new))) => {
                    (left_old, left_new, before, number) = (old, new, old_start, start);
                    lines.push(Line { kind: Kind::Hunk, number: Some(start), hunk: Some(hunk), ..line });
                    hunk += 1;
                }
                None => lines.push(Line { kind: Kind::File, hunk: None, ..line }),
            },
        }
    }
    mark_words(&mut lines);
    lines
}

/// Marks them in the lines that stand for each other: the first that is removed and the first that is added behind, and so on.
fn mark_words(lines: &mut [Line]) {
    let mut at = 0;
    while at < lines.len() {
        let run = |from: usize, kind| lines[from..].iter().take_while(|line| line.kind == kind).count();
        let removed = run(at, Kind::Removed);
        let added = run(at + removed, Kind::Added);
        for n in 0..removed.min(added) {
            let (old, new) = (at + n, at + removed + n);
            (lines[old].marks, lines[new].marks) = differing(&lines[old].text, &lines[new].text);
        }
        at += (removed + added).max(1);
    }
}

/// The words of two lines of a diff, behind their signs, that the other does not have.
fn differing(old: &str, new: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (Some(a), Some(b)) = (old.get(1..), new.get(1..)) else { return (Vec::new(), Vec::new()) };
    if a.len().max(b.len()) > MOST_BYTES {
        return (Vec::new(), Vec::new());
    }
    let alignment = Alignment::new(a.as_bytes(), b.as_bytes());
    let runs: Vec<(Range<usize>, Range<usize>)> = alignment.runs().collect();
    let shared: usize = runs.iter().map(|(a, _)| a.len()).sum();
    if (shared as f64) < LEAST_SHARED * a.len().max(b.len()) as f64 {
        return (Vec::new(), Vec::new());
    }
    let others = |text: &str, runs: Vec<Range<usize>>| {
        let starts = runs.iter().map(|run| run.start).chain([text.len()]);
        let ends = std::iter::once(0).chain(runs.iter().map(|run| run.end));
        let between: Vec<Range<usize>> = ends.zip(starts).map(|(end, start)| end..start).collect();
        whole_words(text, &between).into_iter().map(|mark| mark.start + 1..mark.end + 1).collect()
    };
    let (left, right) = runs.into_iter().unzip();
    (others(a, left), others(b, right))
}

/// The words, numbers and signs of which some of these ranges have a part.
fn whole_words(text: &str, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let (mut words, mut start): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
    for end in token_ends(text.as_bytes()) {
        if ranges.iter().any(|range| range.start < end && start < range.end && !range.is_empty()) {
            match words.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => words.push(start..end),
            }
        }
        start = end;
    }
    words
}

/// A line as a terminal may be given it, with spaces for its tabs.
fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    for c in visible(text.trim_end_matches('\n')).replace('\n', "\u{2424}").chars() {
        let wide = if c == '\t' { TAB - column % TAB } else { 1 };
        if c == '\t' {
            out.extend(std::iter::repeat_n(' ', wide));
        } else {
            out.push(c);
        }
        column += wide;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(old: &str, new: &str) -> (Vec<String>, Vec<String>) {
        let (a, b) = differing(old, new);
        let words =
            |text: &str, marks: &[Range<usize>]| marks.iter().map(|mark| text[mark.clone()].to_owned()).collect();
        (words(old, &a), words(new, &b))
    }

    #[test]
    fn the_words_that_differ_are_marked() {
        let (old, new) = marked("-let row = value(0);", "+let row = value(12);");
        assert_eq!((old, new), (vec!["0".to_owned()], vec!["12".to_owned()]));
        assert_eq!(marked("-abc", "+xyz"), (vec![], vec![]));
        assert_eq!(marked("-same", "+same"), (vec![], vec![]));
        let (old, new) = marked("-größe übel alt", "+größe über alt");
        assert_eq!((old, new), (vec!["übel".to_owned()], vec!["über".to_owned()]));
    }

    #[test]
    fn lines_of_a_diff_know_their_numbers_and_hunks() {
        let text = "--- a/x\n+++ b/x\n@@ -3,2 +3,3 @@\n a\n--- x\n+b\n+c\n\\ No newline\n@@ -9 +10 @@\n-d\n+e\n";
        let got: Vec<(Kind, Option<usize>, Option<usize>)> =
            parsed(text, 4).into_iter().map(|line| (line.kind, line.number, line.hunk)).collect();
        let want = [
            (Kind::File, None, None),
            (Kind::File, None, None),
            (Kind::Hunk, Some(3), Some(4)),
            (Kind::Same, Some(3), Some(4)),
            (Kind::Removed, Some(4), Some(4)),
            (Kind::Added, Some(4), Some(4)),
            (Kind::Added, Some(5), Some(4)),
            (Kind::Note, None, Some(4)),
            (Kind::Hunk, Some(10), Some(5)),
            (Kind::Removed, Some(10), Some(5)),
            (Kind::Added, Some(10), Some(5)),
        ];
        assert_eq!(got, want);
    }

    #[test]
    fn a_long_note_is_cut_between_words() {
        let check = |text: &str, width, want: &[&str]| {
            let got: Vec<String> = Line::note(text).wrapped(width).into_iter().map(|line| line.text).collect();
            assert_eq!(got, want, "{text:?} at {width}");
        };
        check("one two three", 8, &["one two", "three"]);
        check("  indented words", 8, &["  indent", "ed words"]);
        check("größenwahn", 4, &["größ", "enwa", "hn"]);
        check("", 0, &[""]);
    }

    #[test]
    fn nothing_in_a_line_is_obeyed() {
        assert_eq!(shown("+\ta\u{1b}[2Jb\u{202e}\r"), "+   a^[[2Jb<202e>\u{240d}");
        let lines = parsed("@@ -1 +1 @@\n-\u{1b}[1mx\n+\u{1b}[2mx\n", 1);
        assert!(lines.iter().all(|line| !line.text.contains(char::is_control)));
    }
}
