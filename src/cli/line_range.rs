//! `-L`: which lines of a file are meant, as `git blame` takes it.
//!
//! Owns its forms: `N`, `N,M`, `N,+K`, `N,-K`, and `/RE/` in place of a number. Does not read the file.

use crate::error::NoSuchLines;
use crate::history::{Case, Pattern};
use std::ops::Range;

/// Lines as they are asked for, before the file is known.
#[derive(Debug, Clone)]
pub(super) struct LineRange {
    start: Place,
    end: End,
}

#[derive(Debug, Clone)]
enum Place {
    /// Counted from 1.
    Line(usize),
    /// The first line that has it, from where is looked.
    Match(Pattern, String),
}

#[derive(Debug, Clone)]
enum End {
    Last,
    At(Place),
    /// So many lines from the start on.
    Down(usize),
    /// So many lines up to the start.
    Up(usize),
}

/// Reads the value of the option.
pub(super) fn parse(text: &str) -> Result<LineRange, String> {
    let (start, rest) = place(text)?;
    let end = match rest.strip_prefix(',') {
        None if rest.is_empty() => End::Last,
        None => return Err(forms()),
        Some("") => End::Last,
        Some(rest) => match (rest.strip_prefix('+'), rest.strip_prefix('-')) {
            (Some(count), _) => End::Down(counted(count)?),
            (_, Some(count)) => End::Up(counted(count)?),
            _ => match place(rest)? {
                (Some(end), "") => End::At(end),
                _ => return Err(forms()),
            },
        },
    };
    Ok(LineRange { start: start.unwrap_or(Place::Line(1)), end })
}

/// A number or an expression in slashes, and what stands behind it.
fn place(text: &str) -> Result<(Option<Place>, &str), String> {
    if let Some(rest) = text.strip_prefix('/') {
        let end = unescaped_slash(rest).ok_or_else(|| format!("{text} has no / at its end"))?;
        // An escaped slash means a slash in an expression, too.
        let expression = &rest[..end];
        let pattern = Pattern::new(expression, Case::Counts)?;
        return Ok((Some(Place::Match(pattern, expression.to_owned())), &rest[end + 1..]));
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end == 0 {
        return if text.starts_with(',') { Ok((None, text)) } else { Err(forms()) };
    }
    Ok((Some(Place::Line(counted(&text[..end])?)), &text[end..]))
}

fn unescaped_slash(text: &str) -> Option<usize> {
    let (mut bytes, mut at) = (text.bytes(), 0);
    loop {
        at += match bytes.next()? {
            b'/' => return Some(at),
            // With what it escapes.
            b'\\' => bytes.next().map_or(1, |_| 2),
            _ => 1,
        };
    }
}

fn counted(digits: &str) -> Result<usize, String> {
    match digits.parse() {
        Ok(0) => Err("lines are counted from 1, and a range is not empty".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err(forms()),
    }
}

fn forms() -> String {
    "lines are given as N, N,M, N,+K, N,-K, and /RE/ may stand for a number".to_owned()
}

impl LineRange {
    /// The lines of a text that are meant, from 0; an expression is looked for behind `from` lines.
    ///
    /// # Errors
    /// Where the text has no such line.
    pub(super) fn among(&self, lines: &[&str], from: usize) -> Result<Range<usize>, NoSuchLines> {
        let start = self.start.among(lines, from)?;
        let range = match &self.end {
            End::Last => start..lines.len(),
            End::Down(count) => start..start.saturating_add(*count),
            End::Up(count) => (start + 1).saturating_sub(*count)..start + 1,
            End::At(Place::Line(end)) if *end <= start => end - 1..start + 1,
            End::At(Place::Line(end)) => start..*end,
            End::At(end) => start..end.among(lines, start + 1)? + 1,
        };
        Ok(range.start..range.end.min(lines.len()))
    }
}

impl Place {
    fn among(&self, lines: &[&str], from: usize) -> Result<usize, NoSuchLines> {
        match self {
            Self::Line(line) if *line <= lines.len() => Ok(line - 1),
            Self::Line(line) => Err(NoSuchLines::Beyond { line: *line, lines: lines.len() }),
            Self::Match(pattern, expression) => {
                let found = (from..lines.len()).find(|&at| pattern.is_in_line(lines[at]));
                found.ok_or_else(|| NoSuchLines::Unmatched { expression: expression.clone(), after: from })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 7] = ["one", "two", "three", "four/five", "two", "e\\", ""];

    #[test]
    fn lines_are_those_that_git_blame_takes() {
        let check = |text: &str, want: Range<usize>| {
            let got = parse(text).map(|range| range.among(&LINES, 0));
            assert_eq!(got, Ok(Ok(want)), "{text}");
        };
        check("2", 1..7);
        check("2,", 1..7);
        check(",2", 0..2);
        check("2,3", 1..3);
        check("3,2", 1..3);
        check("2,+2", 1..3);
        check("2,+9", 1..7);
        check("3,-2", 1..3);
        check("3,-9", 0..3);
        check("2,9", 1..7);
        check("/tw/", 1..7);
        check("/^t/,/^t/", 1..3);
        check("/r\\/f/,+1", 3..4);
        check("1,/two/", 0..2);
        check("/e\\\\/,+1", 5..6);
        check("2,/^$/", 1..7);
    }

    #[test]
    fn what_is_no_range_or_has_no_such_line_is_said() {
        for bad in ["", "x", "0", "1,0", "1,+0", "1,x", "/a", "1-2", ":main", "1,2,3"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let among = |text: &str| parse(text).expect("a range").among(&LINES, 0);
        assert_eq!(among("8"), Err(NoSuchLines::Beyond { line: 8, lines: 7 }));
        assert_eq!(among("/six/"), Err(NoSuchLines::Unmatched { expression: "six".to_owned(), after: 0 }));
    }
}
