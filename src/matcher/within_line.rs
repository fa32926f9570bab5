//! The nearest text to one that is a part of a long line: from where it starts as sent to where it ends so.
//!
//! Owns that search, for hints alone. Invariant: what is given lies in one line and occurs once in the file; the work is
//! linear in the file.

use super::exact::find_once;
use crate::text::{is_of_word, line_end, line_start};
use std::ops::Range;

/// How much of the start, or of the end, must be there: the more, the surer.
const STEPS: [usize; 4] = [64, 40, 24, 14];
/// The longest text that is looked for, in bytes.
const LONGEST: usize = 64 * 1024;
/// The file may have so many bytes more than the text, and as many as it has itself.
const MORE: usize = 80;

/// Where the part of a line lies in `file` that `old`, a part of a line, seems to be; all with LF endings.
pub(super) fn within_line(file: &[u8], old: &[u8]) -> Option<Range<usize>> {
    let old = std::str::from_utf8(old).ok()?.trim();
    if old.contains('\n') || old.len() > LONGEST {
        return None;
    }
    let start = STEPS.iter().find_map(|&step| find_once(file, head(old, step)?)).map(|found| found.start);
    let end = STEPS.iter().find_map(|&step| find_once(file, tail(old, step)?)).map(|found| found.end);
    let range = match (start, end) {
        (Some(start), Some(end)) => start..end,
        // As long as what was sent, to the end of a word, but within the line.
        (Some(start), None) => {
            let end = line_end(file, start).min(start + old.len());
            start..end + file[end..].iter().take_while(|byte| is_of_word(**byte)).count()
        }
        (None, Some(end)) => {
            let start = line_start(file, end).max(end.saturating_sub(old.len()));
            start - file[..start].iter().rev().take_while(|byte| is_of_word(**byte)).count()..end
        }
        (None, None) => return None,
    };
    let is_one = range.start < range.end && line_end(file, range.start) >= range.end;
    (is_one && range.len() <= 2 * old.len() + MORE && find_once(file, &file[range.clone()]).is_some()).then_some(range)
}

fn head(text: &str, step: usize) -> Option<&[u8]> {
    let end = (step..text.len()).find(|&at| text.is_char_boundary(at))?;
    Some(&text.as_bytes()[..end])
}

fn tail(text: &str, step: usize) -> Option<&[u8]> {
    let start = (1..=text.len().checked_sub(step)?).rev().find(|&at| text.is_char_boundary(at))?;
    Some(&text.as_bytes()[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, old: &str, want: Option<&str>) {
        let got = within_line(file.as_bytes(), old.as_bytes());
        assert_eq!(got.map(|range| &file[range]), want);
    }

    #[test]
    fn a_sentence_in_a_paragraph_is_found_by_its_ends() {
        let file = "# Title\n\nOne sentence stands here. It\u{2019}s the second one, and it says more. The third sentence ends it.\n";
        let second = "It\u{2019}s the second one, and it says more.";
        check(file, "It's the second one, and it says more.", Some(second));
        check(file, "It\u{2019}s the second one, and it said more.", Some(second));
        check(
            file,
            "One sentence stands here. It's the 2nd one",
            Some("One sentence stands here. It\u{2019}s the second"),
        );
        check(file, "nothing of it stands here at all", None);
        check(file, "One sentence stands here.\nThe third sentence ends it.", None);
    }

    #[test]
    fn what_occurs_twice_is_not_given() {
        let line = "the same words stand here, twice over\n";
        check(&line.repeat(2), "the same words stand here, once over", None);
    }
}
