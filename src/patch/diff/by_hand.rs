//! The hunks of a diff as somebody edits them by hand, and what they say afterwards.
//!
//! Owns that form: as `git add -p` hands a hunk to an editor, byte for byte, without headers of files. What the result means is for
//! who asked.
//! Invariant: what is read back has every line of the text before that the hunks had, in their order, and nothing around them
//! differs.

use super::hunks::{Hunk, Hunks, LineOrigin};
use crate::patch::FilePatch;
use crate::text::split_lines;

/// Behind a line that lacks its ending.
const NO_ENDING: &[u8] = b"\\ No newline at end of file\n";

/// Why a text is no hunks of a text before. Lines are 1-based, of what was edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotThisDiff {
    /// No line is left.
    Emptied,
    /// A line has no mark in front.
    NoMark {
        /// Which.
        line: usize,
    },
    /// A line is said to be before, and is another one there.
    NotThere {
        /// Which.
        line: usize,
    },
    /// Lines of before, or heads of hunks, are missing.
    Missing,
}

/// The hunks of a patch for an editor.
pub fn to_edit(base: &[u8], patch: &FilePatch) -> Vec<u8> {
    let mut out = Vec::new();
    for hunk in Hunks::new(base, patch) {
        let (before, after) = (&hunk.before, &hunk.after);
        let head = format!("@@ -{},{} +{},{} @@\n", before.start, before.len(), after.start, after.len());
        out.extend_from_slice(head.as_bytes());
        for line in hunk.lines() {
            out.push(match line.origin {
                LineOrigin::Context => b' ',
                LineOrigin::Removed => b'-',
                LineOrigin::Added => b'+',
            });
            out.extend_from_slice(line.text);
            if !line.text.ends_with(b"\n") {
                out.push(b'\n');
                out.extend_from_slice(NO_ENDING);
            }
        }
    }
    out
}

/// The text after, as hunks have it that [`to_edit`] gave and somebody edited; lines that begin with `#` are passed over, and so are
/// the numbers of hunks.
///
/// # Errors
/// [`NotThisDiff`].
pub fn by_hand(base: &[u8], patch: &FilePatch, edited: &[u8]) -> Result<Vec<u8>, NotThisDiff> {
    let lines = read(edited)?;
    let mut rest = lines.as_slice();
    let (mut out, mut at) = (Vec::new(), 0);
    for hunk in Hunks::new(base, patch) {
        let [Line::Head, lines @ ..] = rest else { return Err(NotThisDiff::Missing) };
        let end = lines.iter().position(|line| *line == Line::Head).unwrap_or(lines.len());
        out.extend_from_slice(&base[at..hunk.range().start]);
        put(&hunk, &lines[..end], &mut out)?;
        at = hunk.range().end;
        rest = &lines[end..];
    }
    if !rest.is_empty() {
        return Err(NotThisDiff::Missing);
    }
    out.extend_from_slice(&base[at..]);
    Ok(out)
}

/// A line of what was edited.
#[derive(Debug, PartialEq, Eq)]
enum Line<'t> {
    /// A hunk begins.
    Head,
    /// With its ending, if it has one, and its number.
    Text { origin: LineOrigin, text: &'t [u8], number: usize },
}

fn read(edited: &[u8]) -> Result<Vec<Line<'_>>, NotThisDiff> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(split_lines(edited)) {
        let (origin, text) = match line {
            [b'#', ..] => continue,
            [b'@', b'@', ..] => {
                lines.push(Line::Head);
                continue;
            }
            [b'\\', ..] => {
                if let Some(Line::Text { text, .. }) = lines.last_mut() {
                    *text = text.strip_suffix(b"\n").unwrap_or(text);
                }
                continue;
            }
            [b' ', text @ ..] => (LineOrigin::Context, text),
            // Editors take the only space of a line away.
            [b'\n'] => (LineOrigin::Context, line),
            [b'-', text @ ..] => (LineOrigin::Removed, text),
            [b'+', text @ ..] => (LineOrigin::Added, text),
            _ => return Err(NotThisDiff::NoMark { line: number }),
        };
        lines.push(Line::Text { origin, text, number });
    }
    if lines.iter().any(|line| *line != Line::Head) { Ok(lines) } else { Err(NotThisDiff::Emptied) }
}

/// Puts what is after a hunk.
fn put(hunk: &Hunk<'_>, lines: &[Line<'_>], out: &mut Vec<u8>) -> Result<(), NotThisDiff> {
    let mut before = hunk.lines().filter(|line| line.origin != LineOrigin::Added);
    for line in lines {
        let Line::Text { origin, text, number } = *line else { continue };
        if origin != LineOrigin::Added && before.next().is_none_or(|line| line.text != text) {
            return Err(NotThisDiff::NotThere { line: number });
        }
        if origin != LineOrigin::Removed {
            out.extend_from_slice(text);
        }
    }
    if before.next().is_some() { Err(NotThisDiff::Missing) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Origin, Splice};
    use crate::strategy::Strategy;

    const BEFORE: &str = "1\n2\n3\n4\n\n6\n7\n8\n9\n10\n11\n12\n13";

    /// `2` and `13` are replaced.
    fn patch() -> FilePatch {
        let splice = |from: &str, new: &str| {
            let start = BEFORE.find(from).expect("it is there");
            let origin = vec![Origin { edit: 0, strategy: Strategy::Exact }];
            Splice { range: start..start + from.len(), replacement: new.as_bytes().to_vec(), origin }
        };
        FilePatch::new(BEFORE.len(), vec![splice("2", "two"), splice("13", "thirteen\n")]).expect("disjoint")
    }

    fn shown() -> String {
        String::from_utf8(to_edit(BEFORE.as_bytes(), &patch())).expect("ASCII")
    }

    #[track_caller]
    fn check(edited: &str, want: Result<&str, NotThisDiff>) {
        let found = by_hand(BEFORE.as_bytes(), &patch(), edited.as_bytes());
        assert_eq!(found.map(|text| String::from_utf8(text).expect("ASCII")), want.map(str::to_owned), "{edited}");
    }

    #[test]
    fn a_hunk_is_shown_as_git_shows_it() {
        assert_eq!(
            shown(),
            "@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n \n@@ -10,4 +10,4 @@\n 10\n 11\n 12\n-13\n\\ No newline at end of file\n+thirteen\n"
        );
    }

    #[test]
    fn what_is_left_is_what_is_done() {
        let rest = BEFORE.replace("2\n3\n", "two\n3\n");
        check(&shown(), Ok(&rest.replace("13", "thirteen\n")));
        check(&format!("# a word\n{}# another\n", shown()), Ok(&rest.replace("13", "thirteen\n")));
        let kept = shown().replace("-13", " 13").replace("+thirteen\n", "");
        check(&kept, Ok(&rest));
        check(&kept.replace("-2\n+two\n", " 2\n").replace("\n \n", "\n\n"), Ok(BEFORE));
        check(&kept.replace("+two\n", "+zwei\n"), Ok(&rest.replace("two", "zwei")));
        check(&kept.replace("-2\n+two\n", "+two\n 2\n"), Ok(&BEFORE.replacen("2\n", "two\n2\n", 1)));
    }

    #[test]
    fn what_is_no_hunk_of_the_text_is_refused() {
        for emptied in ["", "# a word\n", "@@ -1 +1 @@\n"] {
            check(emptied, Err(NotThisDiff::Emptied));
        }
        check(&shown().replace(" 3\n", "3\n"), Err(NotThisDiff::NoMark { line: 5 }));
        check(&shown().replace(" 3\n", " drei\n"), Err(NotThisDiff::NotThere { line: 5 }));
        check(&shown().replace("-2\n", ""), Err(NotThisDiff::NotThere { line: 4 }));
        check(&shown().replace(" 4\n \n", ""), Err(NotThisDiff::Missing));
        check(&shown().replace("@@ -10,4 +10,4 @@\n", ""), Err(NotThisDiff::NotThere { line: 8 }));
        check(shown().split_once("@@ -10").expect("two hunks").0, Err(NotThisDiff::Missing));
        check(&format!("{}@@\n 1\n", shown()), Err(NotThisDiff::Missing));
        check(&format!(" 0\n{}", shown()), Err(NotThisDiff::Missing));
    }
}
