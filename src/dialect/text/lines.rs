//! The lines of a text, with their numbers.

use crate::dialect::json::{Cause, Fault};
use crate::request::EditError;
use bstr::{BStr, ByteSlice};

/// One line, without its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    /// 1-based.
    pub number: usize,
    /// Its text.
    pub text: &'t BStr,
    /// Whether it ended with CRLF.
    pub has_cr: bool,
}

/// The lines of a text, which can be looked at before they are taken.
#[derive(Debug, Clone)]
pub struct Lines<'t> {
    rest: &'t [u8],
    number: usize,
    is_ended: bool,
}

impl<'t> Lines<'t> {
    /// Of a text whose first line has this number.
    pub fn from(text: &'t [u8], number: usize) -> Self {
        Self { rest: text, number, is_ended: text.is_empty() || text.ends_with(b"\n") }
    }

    /// Whether all lines are taken, and the last had no newline.
    pub fn ends_cut(&self) -> bool {
        self.rest.is_empty() && !self.is_ended
    }

    /// The next line, which stays.
    pub fn peek(&self) -> Option<Line<'t>> {
        self.clone().next()
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest);
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        let text = if end.is_some() { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
        let found = Line { number: self.number, text: text.as_bstr(), has_cr: text.len() < line.len() };
        self.number += 1;
        Some(found)
    }
}

/// That a line is not what the format has there.
pub fn wrong(line: Option<Line<'_>>, expected: impl Into<String>) -> Box<Fault> {
    let (number, found) = match line {
        Some(line) => (Some(line.number), line.text.to_str_lossy().into_owned()),
        None => (None, String::new()),
    };
    Fault::new(Cause::Syntax { line: number, found, expected: expected.into() })
}

/// That a part of a patch has the same lines before and after, which the format calls so.
pub fn changes_nothing(old: &str, new: &str) -> Box<Fault> {
    Fault::new(Cause::Edit { old: old.to_owned(), new: new.to_owned(), advice: "", error: EditError::SameText })
}
