//! What records are searched for, beside who made them and when: words of their messages, text that their changes add or
//! remove, the commit that holds them, their place between two others.
//!
//! Owns what each means, which is what it means in git. Reads the texts of a record only where its changes are asked for.

use crate::history::error::HistoryError;
use crate::history::query::hunks::file_diff;
use crate::history::reader::{History, Item, Scope};
use crate::id::RecordId;
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
pub struct Pattern(Regex);

impl Pattern {
    /// A regular expression, in the usual extended form.
    ///
    /// # Errors
    /// Where it is none; in words.
    pub fn new(expression: &str, case: Case) -> Result<Self, String> {
        let built = RegexBuilder::new(expression).case_insensitive(case == Case::Ignored).build();
        built.map(Self).map_err(|error| error.to_string())
    }

    /// The text itself.
    ///
    /// # Errors
    /// Where it is too long to be searched for; in words.
    pub fn plain(text: &str, case: Case) -> Result<Self, String> {
        Self::new(&regex_lite::escape(text), case)
    }

    /// Whether a line of the text has it.
    pub fn is_in(&self, text: &str) -> bool {
        text.lines().any(|line| self.0.is_match(line))
    }
}

/// What the changes of a record have.
#[derive(Debug, Clone)]
pub enum Change {
    /// This text is there more often, or less often, than before.
    Count(Vec<u8>),
    /// The same, whatever the case of its letters; the text is in small ones.
    CountIgnoringCase(String),
    /// A line that was added or removed has this.
    Line(Pattern),
}

impl Change {
    /// Whether a file of the record was so changed. Texts that are not kept have nothing.
    pub(crate) fn is_in(&self, history: &History<'_>, item: &Item) -> bool {
        let Some(record) = history.full_if_whole(item) else { return false };
        record.files.iter().enumerate().any(|(n, file)| {
            let texts = history.texts_if_whole(item, &record, n);
            match self {
                Self::Count(wanted) => changes_count(file, &texts, |text| count(text, wanted)),
                Self::CountIgnoringCase(wanted) => changes_count(file, &texts, |text| {
                    count(text.to_str_lossy().to_lowercase().as_bytes(), wanted.as_bytes())
                }),
                Self::Line(pattern) => changed_lines(&file_diff(file, &texts).text).any(|line| pattern.is_in(line)),
            }
        })
    }
}

fn count(text: &[u8], wanted: &[u8]) -> usize {
    memchr::memmem::find_iter(text, wanted).count()
}

/// Whether something is there another number of times afterwards.
fn changes_count(file: &RecordFile, texts: &RecordedTexts, count: impl Fn(&[u8]) -> usize) -> bool {
    let read = file.readable(texts);
    let (file, texts) = read.as_ref().map_or((file, texts), |(file, texts)| (file, texts));
    let count = |text: Option<&[u8]>| text.map_or(0, &count);
    texts.both(file).is_some() && count(texts.before()) != count(texts.after())
}

/// The lines that a diff of one file adds and removes.
fn changed_lines(diff: &str) -> impl Iterator<Item = &str> {
    diff.lines().skip_while(|line| !line.starts_with("@@")).filter_map(|line| line.strip_prefix(['+', '-']))
}

/// The records after one, up to another, which is one of them: `A..B`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Between {
    /// By name; none for the beginning.
    pub after: Option<String>,
    /// By name; none for the newest.
    pub up_to: Option<String>,
}

impl Between {
    /// `A..B`, `A..`, `..B`, with names of records.
    pub fn read(text: &str) -> Option<Self> {
        let (after, up_to) = text.split_once("..")?;
        let name = |name: &str| match name {
            "" => Some(None),
            name if is_name(name) => Some(Some(name.to_owned())),
            _ => None,
        };
        let found = Self { after: name(after)?, up_to: name(up_to)? };
        (found.after.is_some() || found.up_to.is_some()).then_some(found)
    }

    /// The records that it names.
    ///
    /// # Errors
    /// Where one of them is none of the scope's.
    pub(crate) fn ends(&self, history: &History<'_>, scope: Scope) -> Result<Ends, HistoryError> {
        let id = |name: &Option<String>| {
            let Some(name) = name else { return Ok(None) };
            let item = history.find(name)?;
            if item.is_own || scope == Scope::All {
                return Ok(Some(item.record.id));
            }
            Err(HistoryError::NoSuchRecord(format!("{name} in this worktree")))
        };
        let (after, up_to) = (id(&self.after)?, id(&self.up_to)?);
        Ok(Ends { is_begun: up_to.is_none(), is_over: false, after, up_to })
    }
}

/// Whether a word may name a record: letters k to z, or counted from the newest.
pub fn is_name(word: &str) -> bool {
    match word.strip_prefix('@') {
        Some(steps) => {
            steps.is_empty()
                || steps.strip_prefix('-').is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
        }
        None => {
            !word.is_empty() && word.len() <= RecordId::LEN && word.bytes().all(|byte| (b'k'..=b'z').contains(&byte))
        }
    }
}

/// Where a list of records, newest first, is cut.
pub(crate) struct Ends {
    after: Option<RecordId>,
    up_to: Option<RecordId>,
    is_begun: bool,
    is_over: bool,
}

impl Ends {
    /// Whether there may be more, the next record being `id`.
    pub(crate) fn goes_on(&mut self, id: &RecordId) -> bool {
        self.is_over |= self.after.as_ref() == Some(id);
        self.is_begun |= self.up_to.as_ref() == Some(id);
        !self.is_over
    }

    /// Whether the record that was met last is between them.
    pub(crate) fn is_begun(&self) -> bool {
        self.is_begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_names_of_records_on_both_sides_or_on_one() {
        let read = |text: &str| Between::read(text).map(|found| (found.after, found.up_to));
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(read("kk..@-2"), Some((name("kk"), name("@-2"))));
        assert_eq!(read("@-.."), Some((name("@-"), None)));
        assert_eq!(read("..@"), Some((None, name("@"))));
        for path in ["..", "../k", "a..k", "k...k", "@x..", "kkkkkkkkkkkkkkkkk.."] {
            assert_eq!(read(path), None, "{path}");
        }
    }

    #[test]
    fn only_lines_that_came_or_went_are_searched() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- old\n+new\n";
        assert_eq!(changed_lines(diff).collect::<Vec<_>>(), ["-- old", "new"]);
    }

    #[test]
    fn a_pattern_tells_case_unless_it_is_ignored() {
        let is_in = |pattern: Result<Pattern, String>| pattern.expect("a pattern").is_in("one\nTwo.x\n");
        assert!(is_in(Pattern::new("^Two", Case::Counts)) && !is_in(Pattern::new("^two", Case::Counts)));
        assert!(is_in(Pattern::new("^two", Case::Ignored)) && !is_in(Pattern::plain("o.o", Case::Ignored)));
        assert!(Pattern::new("(", Case::Counts).is_err());
    }
}
