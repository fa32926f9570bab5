//! What records are searched for, beside who made them and when: words of their messages, text that their changes add or
//! remove.
//!
//! Owns what each means: what it means in git, but for the form of regular expressions ([`Pattern`]). Reads the texts of a
//! record only where its changes are asked for.

use crate::history::query::hunks::file_diff;
use crate::history::reader::{History, Item};
use crate::path::RepoPath;
use crate::record::{RecordFile, RecordedTexts};
use bstr::ByteSlice;
use regex_lite::{Regex, RegexBuilder};

/// Whether letters of another case are others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// They are.
    #[default]
    Counts,
    /// They are not.
    Ignored,
}

/// A regular expression, or a plain text, that a line may have.
#[derive(Debug, Clone)]
pub struct Pattern(Form);

#[derive(Debug, Clone)]
enum Form {
    Expression(Regex),
    Text(String),
    /// In small letters.
    TextIgnoringCase(String),
}

impl Pattern {
    /// A regular expression as the crate `regex-lite` has them: the extended form, without references back; `\w`, `\b` and what
    /// case is are those of ASCII.
    ///
    /// # Errors
    /// Where it is none; in words.
    pub fn new(expression: &str, case: Case) -> Result<Self, String> {
        let built = RegexBuilder::new(expression).case_insensitive(case == Case::Ignored).build();
        built.map(|expression| Self(Form::Expression(expression))).map_err(|error| error.to_string())
    }

    /// The text itself; case is that of all letters.
    pub fn plain(text: &str, case: Case) -> Self {
        Self(match case {
            Case::Counts => Form::Text(text.to_owned()),
            Case::Ignored => Form::TextIgnoringCase(text.to_lowercase()),
        })
    }

    /// Whether a line of the text has it.
    pub fn is_in(&self, text: &str) -> bool {
        text.lines().any(|line| self.is_in_line(line))
    }

    /// Whether one line has it, which may be empty.
    pub fn is_in_line(&self, line: &str) -> bool {
        match &self.0 {
            Form::Expression(expression) => expression.is_match(line),
            Form::Text(text) => line.contains(text),
            Form::TextIgnoringCase(text) => line.to_lowercase().contains(text),
        }
    }
}

/// What the changes of a record have.
#[derive(Debug, Clone)]
pub enum Change {
    /// This text is there more often, or less often, than before.
    Count(Vec<u8>),
    /// The same, whatever the case of its letters; the text is in small ones.
    CountIgnoringCase(String),
    /// A line that was added or removed has this. Unlike in git, the end of a line is no empty line of its own.
    Line(Pattern),
}

impl Change {
    /// Whether a file of the record was so changed, of those below `paths` (all where there are none). Texts that are not kept have
    /// nothing.
    pub(crate) fn is_in(&self, history: &History<'_>, item: &Item, paths: &[RepoPath]) -> bool {
        let Some(record) = history.full_if_whole(item) else { return false };
        record.files.iter().enumerate().any(|(n, file)| {
            let sides = Sides::below(paths, file);
            sides != Sides::Neither && self.is_of(file, &history.texts_if_whole(item, &record, n), sides)
        })
    }

    fn is_of(&self, file: &RecordFile, texts: &RecordedTexts, sides: Sides) -> bool {
        let read = file.readable(texts);
        let (file, texts) = read.as_ref().map_or((file, texts), |(file, texts)| (file, texts));
        if texts.both(file).is_none() {
            return false;
        }
        let (before, after) = match sides {
            Sides::Neither => return false,
            Sides::Both => (texts.before(), texts.after()),
            Sides::Before => (texts.before(), None),
            Sides::After => (None, texts.after()),
        };
        let differs = |count: &dyn Fn(&[u8]) -> usize| before.map_or(0, count) != after.map_or(0, count);
        match self {
            Self::Count(wanted) => differs(&|text| count(text, wanted)),
            Self::CountIgnoringCase(wanted) => {
                differs(&|text| count(text.to_str_lossy().to_lowercase().as_bytes(), wanted.as_bytes()))
            }
            Self::Line(pattern) if sides == Sides::Both => {
                changed_lines(&file_diff(file, texts).text).any(|line| pattern.is_in_line(line))
            }
            Self::Line(pattern) => {
                before.or(after).is_some_and(|text| text.lines().any(|line| pattern.is_in_line(&line.to_str_lossy())))
            }
        }
    }
}

fn count(text: &[u8], wanted: &[u8]) -> usize {
    memchr::memmem::find_iter(text, wanted).count()
}

/// Which names of a file are below some paths: of a rename it may be one, and to git the file came, or went, there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sides {
    Neither,
    Before,
    After,
    Both,
}

impl Sides {
    fn below(paths: &[RepoPath], file: &RecordFile) -> Self {
        let is_below = |own: &RepoPath| paths.is_empty() || paths.iter().any(|path| own == path || own.is_below(path));
        let after = is_below(&file.path);
        match (file.from.as_ref().map_or(after, is_below), after) {
            (false, false) => Self::Neither,
            (true, false) => Self::Before,
            (false, true) => Self::After,
            (true, true) => Self::Both,
        }
    }
}

/// The lines that a diff of one file adds and removes.
fn changed_lines(diff: &str) -> impl Iterator<Item = &str> {
    diff.lines().skip_while(|line| !line.starts_with("@@")).filter_map(|line| line.strip_prefix(['+', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_came_or_went_are_searched() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- old\n+new\n";
        assert_eq!(changed_lines(diff).collect::<Vec<_>>(), ["-- old", "new"]);
    }

    #[test]
    fn a_pattern_tells_case_unless_it_is_ignored() {
        let is_in = |pattern: Result<Pattern, String>| pattern.expect("a pattern").is_in("one\nTwo.x\n");
        assert!(is_in(Pattern::new("^Two", Case::Counts)) && !is_in(Pattern::new("^two", Case::Counts)));
        assert!(is_in(Pattern::new("^two", Case::Ignored)) && !is_in(Ok(Pattern::plain("o.o", Case::Ignored))));
        assert!(is_in(Ok(Pattern::plain("o.x", Case::Counts))) && !is_in(Ok(Pattern::plain("two", Case::Counts))));
        assert!(Pattern::plain("ärger", Case::Ignored).is_in("Ärger"), "all letters have case");
        assert!(Pattern::new("(", Case::Counts).is_err());
        let empty = Pattern::new("^$", Case::Counts).expect("a pattern");
        assert!(empty.is_in_line("") && !empty.is_in_line("x"));
    }
}
